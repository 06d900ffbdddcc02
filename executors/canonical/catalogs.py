"""Catalogues: contracts with their counterparties, details of a counterparty, lists of counterparties, items, warehouses, people, accounts."""

from __future__ import annotations

from typing import Any, Final

from executors.context import ExecutorContext
from executors.contracts import UnifiedResult
from executors.lookup import Lookup
from executors.shapes import SHAPES
from executors.where import Where

ROUTE = "store_canonical"
_CATALOGS: Final = {
    "counterparty": ("Catalog_Контрагенты", "NOT deleted AND NOT is_folder"),
    "item": ("Catalog_Номенклатура", "NOT deleted"),
    "warehouse": ("Catalog_Склады", "NOT deleted"),
    "employee": ("Catalog_ФизическиеЛица", "NOT deleted"),
    "organisation": ("Catalog_Организации", "NOT deleted"),
    "account": ("ChartOfAccounts_Хозрасчетный", "true"),
}
_CONTRACT_KINDS = {"supplier": "СПоставщиком", "customer": "СПокупателем"}


def asks_for_details(lookup: Lookup) -> bool:
    """ИНН, КПП and the like of a named counterparty."""
    return (
        bool(lookup.partners)
        and "attribute" in lookup.cues
        and not lookup.document_types
        and "contract" not in lookup.kinds
    )


def asks_for_contracts(lookup: Lookup) -> bool:
    """Contracts are the thing asked for, and neither documents nor postings beside them."""
    kinds = lookup.kinds
    return (
        "contract" in kinds
        and not lookup.document_types
        and not set(kinds) & {"posting", "document"}
        and not lookup.measures
    )


def asks_for_list(lookup: Lookup) -> bool:
    """A catalogue as such."""
    return any(kind in _CATALOGS for kind in lookup.kinds)


def contracts(lookup: Lookup, context: ExecutorContext) -> UnifiedResult:
    """Contracts with their counterparties."""
    where = Where().add("NOT k.deleted").among("k.owner", [p.ref for p in lookup.partners])
    if lookup.role and not lookup.partners:
        where.add("k.kind = ?", _CONTRACT_KINDS[lookup.role])
    text = f"SELECT k.*, c.name AS counterparty_name, (SELECT count(*) FROM contract) AS checked_n FROM contract k LEFT JOIN counterparty c ON c.ref = k.owner{where.text} ORDER BY c.name, k.date, k.ref"
    rows = context.store.query(text, where.values)
    items = [
        {
            "source_entity": "Catalog_ДоговорыКонтрагентов",
            "source_id": r["ref"],
            "period": r["date"].date().isoformat() if r["date"] else None,
            "counterparty_id": r["owner"],
            "recorder": None,
            "counterparty": r["counterparty_name"],
            "contract": r["name"],
            "number": r["number"] or None,
            "contract_kind": _kind(r["kind"], lookup),
            "term_days": r["term_days"] if r["has_term"] else None,
        }
        for r in rows
    ]
    return _answer(lookup, items, rows[0]["checked_n"] if rows else 0, "contract")


def details(lookup: Lookup, context: ExecutorContext) -> UnifiedResult:
    """What the card of a counterparty says."""
    where = Where().among("ref", [p.ref for p in lookup.partners])
    rows = context.store.query(f"SELECT * FROM counterparty{where.text} ORDER BY name", where.values)
    items = [
        {**_master("counterparty", r), "full_name": r["full_name"] or None, "inn": r["inn"] or None, "kpp": r["kpp"] or None}
        for r in rows
    ]  # fmt: skip
    return _answer(lookup, items, len(rows), "counterparty")


def listed(lookup: Lookup, context: ExecutorContext) -> UnifiedResult:
    """All entries of a catalogue."""
    kind = next(k for k in lookup.kinds if k in _CATALOGS)
    where = Where().add(_CATALOGS[kind][1])
    if kind == "counterparty":
        where.among("ref", [p.ref for p in lookup.partners])
        if lookup.role:
            where.add("ref IN (SELECT owner FROM contract WHERE kind = ?)", _CONTRACT_KINDS[lookup.role])
    if kind == "account":
        where.account(lookup.accounts, "code")
    order = "code" if kind == "account" else "name"
    rows = context.store.query(f'SELECT * FROM "{kind}"{where.text} ORDER BY {order}, ref', where.values)
    everything = context.store.query(f'SELECT count(*) AS n FROM "{kind}"')[0]["n"]
    return _answer(lookup, [_master(kind, r) for r in rows], everything, kind)


def _master(kind: str, row: dict[str, Any]) -> dict[str, Any]:
    return {
        "source_entity": _CATALOGS[kind][0],
        "source_id": row["ref"],
        "period": None,
        "counterparty_id": row["ref"] if kind == "counterparty" else None,
        "recorder": None,
        "code": row["code"],
        "name": row["name"],
        **({"inn": row["inn"] or None} if "inn" in row else {}),
    }


def _kind(kind: str, lookup: Lookup) -> str:
    said = {"СПокупателем": ("с покупателем", "with a customer"), "СПоставщиком": ("с поставщиком", "with a supplier")}
    return lookup.say(*said[kind]) if kind in said else kind


def _answer(lookup: Lookup, items: list[dict[str, Any]], checked: int, kind: str) -> UnifiedResult:
    summary = {
        "checked_records": checked,
        "returned_records": min(len(items), SHAPES[ROUTE].items),
        "matched_records": len(items),
    }
    evidence = [{"kind": kind, "id": i["source_id"]} for i in items]
    errors = [] if items else [lookup.say("В справочнике такого нет.", "The catalogue has no such entry.")]
    return UnifiedResult(ROUTE, "ok" if items else "empty", "list", items, summary, evidence, errors)
