"""Postings and movements of registers, by document, account, counterparty and period."""

from __future__ import annotations

from typing import Any

from executors.context import ExecutorContext
from executors.contracts import Status, UnifiedResult
from executors.document_kinds import type_name
from executors.lookup import Lookup
from executors.money import money
from executors.shapes import SHAPES
from executors.where import Where

ROUTE = "store_canonical"
_PURCHASES = frozenset(("покупка", "приобретение", "purchas"))
_SALES = frozenset(("продажа", "sale"))
_PRESENTED = frozenset(("предъявить", "предъявленный", "present"))


def asks_for_postings(lookup: Lookup) -> bool:
    """Postings are the thing asked for."""
    return "posting" in lookup.kinds


def asks_for_register(lookup: Lookup) -> bool:
    """Movements of a register other than the ledger."""
    return "register_record" in lookup.kinds


def register_names(lookup: Lookup) -> tuple[str, ...]:
    """Registers that the words mean; all of them where no word tells."""
    named = [str(o["register"]) for o in lookup.objects if "register" in o]
    if named:
        return tuple(dict.fromkeys(named))
    if lookup.words & _PRESENTED:
        return ("НДСПредъявленный",)
    if lookup.words & _PURCHASES:
        return ("НДСПокупки",)
    if lookup.words & _SALES:
        return ("НДСПродажи",)
    return ()


def item_of(row: dict[str, Any], language: str) -> dict[str, Any]:
    """A posting as an item."""
    return {
        "source_entity": "AccountingRegister_Хозрасчетный",
        "source_id": row["id"],
        "period": row["period"].isoformat(),
        "counterparty_id": row["dr_counterparty"] or row["cr_counterparty"] or None,
        "recorder": row["recorder"],
        "document": f"{type_name(row['recorder_type'], language)} {row['number'] or ''}".strip(),
        "line": row["line"],
        "debit": row["dr_account"],
        "credit": row["cr_account"],
        **money("amount", row["amount"]),
        "content": row["content"] or None,
        "counterparty": row["counterparty_name"],
    }


def listed(lookup: Lookup, context: ExecutorContext) -> UnifiedResult:
    """Active postings of the period that fit, in order of time."""
    assert lookup.within is not None  # noqa: S101  # looked at before
    where = Where().add("p.active").days("p.period", *lookup.within)
    where.account(lookup.accounts[:1], "p.dr_account", "p.cr_account")
    if len(lookup.accounts) > 1:
        where.account(lookup.accounts[1:2], "p.dr_account", "p.cr_account")
    refs = [p.ref for p in lookup.partners]
    if refs:
        marks = ", ".join("?" * len(refs))
        where.add(f"(p.dr_counterparty IN ({marks}) OR p.cr_counterparty IN ({marks}))", *refs, *refs)
    where.among("p.recorder_type", lookup.document_types)
    total = context.store.query(
        f"SELECT count(*) AS n, coalesce(sum(p.amount), 0)::BIGINT AS amount FROM posting p{where.text}",
        where.values,
    )[0]
    checked = context.store.query("SELECT count(*) AS n FROM posting WHERE active")[0]["n"]
    rows = context.store.query(
        "SELECT p.*, d.number, c.name AS counterparty_name FROM posting p LEFT JOIN document d ON d.ref = p.recorder"
        f" LEFT JOIN counterparty c ON c.ref = coalesce(nullif(p.dr_counterparty, ''), p.cr_counterparty){where.text} ORDER BY p.period, p.id LIMIT {SHAPES[ROUTE].items}",
        where.values,
    )
    summary = {
        "checked_records": checked,
        "returned_records": len(rows),
        "matched_records": total["n"],
        **money("total_amount", total["amount"]),
    }
    evidence = [{"kind": "posting", "id": r["id"]} for r in rows]
    return _answer(lookup, [item_of(r, lookup.language) for r in rows], summary, evidence, total["n"])


def register(lookup: Lookup, context: ExecutorContext) -> UnifiedResult:
    """Movements of the named registers."""
    assert lookup.within is not None  # noqa: S101  # looked at before
    where = Where().add("r.active").days("r.period", *lookup.within)
    where.among("r.register", register_names(lookup)).among("r.counterparty", [p.ref for p in lookup.partners])
    total = context.store.query(
        f"SELECT count(*) AS n, coalesce(sum(r.amount), 0)::BIGINT AS amount, coalesce(sum(r.vat), 0)::BIGINT AS vat FROM register_record r{where.text}", where.values
    )[0]  # fmt: skip
    checked = context.store.query("SELECT count(*) AS n FROM register_record")[0]["n"]
    rows = context.store.query(
        "SELECT r.*, d.number, c.name AS counterparty_name FROM register_record r LEFT JOIN document d ON d.ref = r.recorder LEFT JOIN counterparty c ON c.ref = r.counterparty"
        f"{where.text} ORDER BY r.period, r.recorder, r.line LIMIT {SHAPES[ROUTE].items}",
        where.values,
    )
    items = [
        {
            "source_entity": f"AccumulationRegister_{r['register']}",
            "source_id": f"{r['recorder']}:{r['line']}",
            "period": r["period"].isoformat(),
            "counterparty_id": r["counterparty"] or None,
            "recorder": r["recorder"],
            "document": f"{type_name(r['recorder_type'], lookup.language)} {r['number'] or ''}".strip(),
            "counterparty": r["counterparty_name"],
            **money("amount", r["amount"]),
            **money("vat", r["vat"]),
        }
        for r in rows
    ]
    summary = {
        "checked_records": checked,
        "returned_records": len(rows),
        "matched_records": total["n"],
        **money("total_amount", total["amount"]),
        **money("total_vat", total["vat"]),
    }
    evidence = [{"kind": "register_record", "id": i["source_id"]} for i in items]
    return _answer(lookup, items, summary, evidence, total["n"])


def _answer(
    lookup: Lookup, items: list[dict[str, Any]], summary: dict[str, Any], evidence: list[dict[str, Any]], total: int
) -> UnifiedResult:
    errors = []
    if not items:
        errors = [lookup.say("Таких записей нет. Проверьте счёт, контрагента и период.", "No such records. Check the account, the counterparty and the period.")]  # fmt: skip
    elif total > len(items):
        errors = [
            lookup.say(
                f"Показаны первые {len(items)} из {total}; итоги посчитаны по всем. Сузьте вопрос, чтобы увидеть остальные.",
                f"The first {len(items)} of {total} are shown; totals are of all. Narrow the question to see the rest.",
            )
        ]
    status: Status = "empty" if not items else "partial" if errors else "ok"
    return UnifiedResult(ROUTE, status, "list", items, summary, evidence, errors)
