"""The store's half: who is linked to what, gathered by counterparty, and the places where a link is missing."""

from __future__ import annotations

from datetime import date
from typing import Any, Final

from executors.context import ExecutorContext
from executors.document_kinds import type_name
from executors.hybrid.focus import PAYMENTS_DOCUMENTS, REGISTER_DOCUMENTS, Focus
from executors.lookup import Lookup
from executors.money import money
from executors.where import Where
from stores.entities import INVOICES, POSTING_TYPES, PURCHASES, SALES

SAMPLES: Final = 3
GAPS: Final = 50
"""Gaps listed; all are counted."""
Row = dict[str, Any]


def scope(lookup: Lookup, focus: Focus, days: tuple[date, date]) -> Where:
    """Documents ``d`` of the link within days."""
    where = Where().days("d.date", *days).add("NOT d.deleted").among("d.type", focus.types)
    where.among("d.counterparty", [p.ref for p in lookup.partners])
    if lookup.numbers:
        where.add("d.number = ?", lookup.numbers[0])
    where.among("d.ref", lookup.guids)
    if lookup.accounts:
        moved = Where().add("p.active").account(lookup.accounts, "p.dr_account", "p.cr_account")
        where.add(f"d.ref IN (SELECT p.recorder FROM posting p{moved.text})", *moved.values)
    if focus.contract_kind:
        where.add("d.contract IN (SELECT ref FROM contract WHERE kind = ?)", focus.contract_kind)
    return where


def by_counterparty(
    lookup: Lookup, context: ExecutorContext, focus: Focus, days: tuple[date, date]
) -> tuple[list[Row], int]:
    """A row a counterparty with counts, sums, kinds of relation and samples; and how many records were read."""
    if focus.name == REGISTER_DOCUMENTS:
        return _registers(lookup, context, focus, days)
    if focus.name == PAYMENTS_DOCUMENTS:
        return _payments(lookup, context, focus, days)
    return _documents(lookup, context, focus, days)


def _documents(
    lookup: Lookup, context: ExecutorContext, focus: Focus, days: tuple[date, date]
) -> tuple[list[Row], int]:
    where = scope(lookup, focus, days)
    rows = context.store.query(
        f"""
        WITH docs AS (SELECT d.* FROM document d{where.text}),
        rows AS (SELECT recorder, count(*) AS n, sum(amount)::BIGINT AS amount FROM posting WHERE active AND recorder IN (SELECT ref FROM docs) GROUP BY recorder),
        invoices AS (SELECT base, count(*) AS n FROM document WHERE type IN ('{INVOICES[0]}', '{INVOICES[1]}') AND posted AND NOT deleted AND base IS NOT NULL GROUP BY base)
        SELECT coalesce(d.counterparty, '') AS partner, c.name, count(*) AS documents, coalesce(sum(r.n), 0)::BIGINT AS operations, coalesce(sum(r.amount), 0)::BIGINT AS turnover,
          sum(d.amount)::BIGINT AS amount, count(r.n) AS with_rows, count(nullif(d.contract, '')) AS with_contract, count(i.n) AS with_invoice, count(nullif(d.base, '')) AS with_base,
          count(DISTINCT nullif(d.contract, '')) AS contracts,
          list({{'ref': d.ref, 'type': d.type, 'number': d.number, 'date': d.date, 'amount': d.amount, 'rows': coalesce(r.n, 0), 'contract': k.name}} ORDER BY d.date, d.ref)[1:{SAMPLES}] AS samples
        FROM docs d LEFT JOIN rows r ON r.recorder = d.ref LEFT JOIN invoices i ON i.base = d.ref LEFT JOIN counterparty c ON c.ref = d.counterparty LEFT JOIN contract k ON k.ref = d.contract
        GROUP BY 1, 2 ORDER BY operations DESC, documents DESC, partner
        """,  # fixed names, values are bound
        where.values,
    )
    items = []
    for r in rows:
        relations = [
            name
            for name, count in (
                ("document→posting", r["with_rows"]), ("document→counterparty", r["documents"] if r["partner"] else 0), ("document→contract", r["with_contract"]),
                ("invoice→document", r["with_invoice"]), ("document→base", r["with_base"]),
            )
            if count
        ]  # fmt: skip
        items.append(
            {
                **_partner(r, lookup),
                "operations_count": r["operations"],
                "document_refs_count": r["documents"],
                "relation_types": relations,
                "contracts_count": r["contracts"],
                **money("amount", r["amount"]),
                **money("turnover", r["turnover"]),
                "samples": [_sample(s, lookup) for s in r["samples"]],
            }
        )
    return items, sum(r["documents"] + r["operations"] for r in rows)


def _registers(
    lookup: Lookup, context: ExecutorContext, focus: Focus, days: tuple[date, date]
) -> tuple[list[Row], int]:
    where = Where().add("r.active").days("r.period", *days).among("r.register", focus.registers)
    where.among("r.counterparty", [p.ref for p in lookup.partners])
    rows = context.store.query(
        f"""
        SELECT coalesce(r.counterparty, '') AS partner, c.name, count(*) AS operations, count(DISTINCT d.ref) AS documents, count(DISTINCT b.ref) AS bases,
          count(*) FILTER (d.ref IS NOT NULL) AS with_recorder, count(*) FILTER (b.ref IS NOT NULL) AS with_base, sum(r.vat)::BIGINT AS vat, sum(r.amount)::BIGINT AS amount,
          list({{'ref': d.ref, 'type': d.type, 'number': d.number, 'date': d.date, 'amount': r.vat, 'rows': 1, 'contract': NULL,
            'base_type': b.type, 'base_number': b.number, 'base_ref': b.ref}} ORDER BY r.period, r.recorder, r.line)[1:{SAMPLES}] AS samples
        FROM register_record r LEFT JOIN document d ON d.ref = r.recorder LEFT JOIN document b ON b.ref = d.base LEFT JOIN counterparty c ON c.ref = r.counterparty
        {where.text} GROUP BY 1, 2 ORDER BY operations DESC, partner
        """,
        where.values,
    )
    items = []
    for r in rows:
        relations = [
            n
            for n, count in (("register_record→document", r["with_recorder"]), ("invoice→document", r["with_base"]))
            if count
        ]
        items.append(
            {
                **_partner(r, lookup),
                "operations_count": r["operations"],
                "document_refs_count": r["documents"] + r["bases"],
                "relation_types": relations,
                **money("amount", r["amount"]),
                **money("vat", r["vat"]),
                "samples": [_sample(s, lookup) for s in r["samples"]],
            }
        )
    return items, sum(r["operations"] for r in rows)


def _payments(lookup: Lookup, context: ExecutorContext, focus: Focus, days: tuple[date, date]) -> tuple[list[Row], int]:
    """Payments and shipments of each counterparty on its settlement account, and what of the payments is tied to a shipment by the settlement document."""
    side, other = ("dr", "cr") if focus.parent == "60" else ("cr", "dr")
    where = (
        Where()
        .add("p.active")
        .days("p.period", *days)
        .among(f"p.{side}_counterparty", [p.ref for p in lookup.partners])
    )
    rows = context.store.query(
        f"""
        WITH paid AS (
          SELECT p.{side}_counterparty AS partner, p.recorder, p.amount, p.{side}_settlement AS settled, p.period, d.number, d.type, s.ref AS shipment, s.type AS shipment_type, s.number AS shipment_number, k.name AS contract
          FROM posting p JOIN document d ON d.ref = p.recorder LEFT JOIN document s ON s.ref = p.{side}_settlement AND s.type = ? LEFT JOIN contract k ON k.ref = p.{side}_contract
          {where.text} AND p.{side}_parent = ? AND p.recorder_type = ?),
        shipped AS (
          SELECT {other}_counterparty AS partner, count(DISTINCT recorder) AS documents, sum(amount)::BIGINT AS amount FROM posting p
          WHERE active AND period >= ? AND period < ? AND {other}_parent = ? AND recorder_type = ? GROUP BY 1),
        offset_rows AS (SELECT p.{side}_counterparty AS partner, sum(p.amount)::BIGINT AS amount FROM posting p
          WHERE active AND period >= ? AND period < ? AND {side}_parent = ? AND {other}_parent = ? GROUP BY 1)
        SELECT coalesce(g.partner, '') AS partner, c.name, count(*) AS operations, count(DISTINCT g.recorder) + count(DISTINCT g.shipment) AS documents, sum(g.amount)::BIGINT AS paid,
          coalesce(sum(g.amount) FILTER (g.shipment IS NOT NULL), 0)::BIGINT AS tied, count(*) FILTER (g.shipment IS NOT NULL) AS tied_rows, any_value(s.amount) AS shipped, any_value(s.documents) AS shipments, any_value(o.amount) AS offsets, list(DISTINCT g.contract ORDER BY g.contract) FILTER (g.contract IS NOT NULL) AS contracts,
          list({{'ref': g.recorder, 'type': g.type, 'number': g.number, 'date': g.period, 'amount': g.amount, 'rows': 1, 'contract': g.contract,
            'base_type': g.shipment_type, 'base_number': g.shipment_number, 'base_ref': g.shipment}} ORDER BY g.period, g.recorder)[1:{SAMPLES}] AS samples
        FROM paid g LEFT JOIN shipped s ON s.partner = g.partner LEFT JOIN offset_rows o ON o.partner = g.partner LEFT JOIN counterparty c ON c.ref = g.partner
        GROUP BY 1, 2 ORDER BY paid DESC, partner
        """,
        [
            focus.shipment,
            *where.values,
            focus.parent,
            focus.payment,
            *_span(days),
            focus.parent,
            focus.shipment,
            *_span(days),
            focus.parent,
            focus.parent,
        ],
    )
    items = []
    for r in rows:
        relations = ["payment→posting", "payment→counterparty"]
        relations += ["payment→document"] if r["tied_rows"] else []
        relations += ["advance→offset"] if r["offsets"] else []
        items.append(
            {
                **_partner(r, lookup),
                "operations_count": r["operations"],
                "document_refs_count": r["documents"],
                "relation_types": relations,
                "contract": ", ".join(r["contracts"] or ()) or None,
                **money("paid", r["paid"]),
                **money("tied_to_documents", r["tied"]),
                **money("shipped", r["shipped"] or 0),
                **money("offset_advances", r["offsets"] or 0),
                "shipments_count": r["shipments"] or 0,
                "samples": [_sample(s, lookup) for s in r["samples"]],
            }
        )
    return items, sum(r["operations"] for r in rows)


def gaps(lookup: Lookup, context: ExecutorContext, focus: Focus, days: tuple[date, date]) -> list[Row]:
    """Разрывы связности: what stands without the link it should have, documents of the scope first."""
    found: list[Row] = []
    where = scope(lookup, focus, days)
    if focus.name == REGISTER_DOCUMENTS:
        own = (
            Where()
            .add("r.active")
            .days("r.period", *days)
            .among("r.register", focus.registers)
            .among("r.counterparty", [p.ref for p in lookup.partners])
        )
        rows = context.store.query(
            f"SELECT r.register, r.recorder, r.line, r.recorder_type AS type, d.number, d.date, d.ref IS NULL AS lost FROM register_record r LEFT JOIN document d ON d.ref = r.recorder LEFT JOIN document b ON b.ref = d.base"
            f"{own.text} AND (d.ref IS NULL OR (d.type IN ('{INVOICES[0]}', '{INVOICES[1]}') AND b.ref IS NULL)) ORDER BY r.period",
            own.values,
        )
        found += [
            _gap(
                "register_record",
                f"{r['recorder']}:{r['line']}",
                r,
                "no_recorder" if r["lost"] else "no_base_document",
                lookup,
            )
            for r in rows
        ]
        return found
    posting_types = ", ".join(f"'{t}'" for t in POSTING_TYPES)
    traded = ", ".join(f"'{t}'" for t in (*SALES, *PURCHASES))
    invoices = ", ".join(f"'{t}'" for t in INVOICES)
    has_rows = "EXISTS (SELECT 1 FROM posting p WHERE p.active AND p.recorder = d.ref)"
    checks = (
        ("no_postings", f"d.posted AND d.type IN ({posting_types}) AND NOT {has_rows}"),
        ("postings_of_unposted", f"NOT d.posted AND {has_rows}"),
        ("no_counterparty", "d.counterparty = ''"),
        ("no_contract", "d.contract = ''"),
        ("no_invoice", f"d.posted AND d.type IN ({traded}) AND d.vat > 0 AND NOT EXISTS (SELECT 1 FROM document i WHERE i.base = d.ref AND i.type IN ({invoices}) AND i.posted AND NOT i.deleted)"),
        ("no_base_document", f"d.type IN ({invoices}) AND NOT EXISTS (SELECT 1 FROM document b WHERE b.ref = d.base)"),
    )  # fmt: skip
    each = [
        f"SELECT {place} AS place, '{code}' AS gap, d.ref, d.type, d.number, d.date FROM document d{where.text} AND {condition}"
        for place, (code, condition) in enumerate(checks)
    ]
    rows = context.store.query(f"{' UNION ALL '.join(each)} ORDER BY place, date, ref", where.values * len(checks))
    found += [_gap("document", r["ref"], r, r["gap"], lookup) for r in rows]
    if not (lookup.partners or lookup.numbers or lookup.guids or focus.types or focus.contract_kind):
        own = Where().add("p.active").days("p.period", *days)
        rows = context.store.query(
            f"SELECT p.id, p.recorder_type AS type, NULL AS number, p.period AS date FROM posting p LEFT JOIN document d ON d.ref = p.recorder{own.text} AND d.ref IS NULL ORDER BY p.period",
            own.values,
        )
        found += [_gap("posting", r["id"], r, "no_recorder", lookup) for r in rows]
    return found


_GAP_WORDS: Final = {
    "no_postings": ("проведён, но проводок нет", "posted, but has no postings"),
    "postings_of_unposted": ("не проведён, а проводки есть", "not posted, yet has postings"),
    "no_counterparty": ("не указан контрагент", "no counterparty"),
    "no_contract": ("не указан договор", "no contract"),
    "no_invoice": ("нет счёта-фактуры", "no invoice"),
    "no_base_document": ("нет документа-основания", "no base document"),
    "no_recorder": ("нет документа-регистратора", "its document is missing"),
}


def _gap(kind: str, ref: str, row: Row, code: str, lookup: Lookup) -> Row:
    named = f"{type_name(row['type'], lookup.language)} {row['number'] or ''}".strip()
    when = f"{row['date']:%d.%m.%Y}" if row.get("date") else ""
    return {
        "kind": kind,
        "source_id": ref,
        "entity": f"Document_{row['type']}",
        "gap": code,
        "text": f"{named} {when}: {lookup.say(*_GAP_WORDS[code])}",
        "source": "store",
        "live": None,
    }


def _partner(row: Row, lookup: Lookup) -> Row:
    none = lookup.say("без контрагента", "no counterparty")
    return {"counterparty_id": row["partner"] or None, "counterparty": row["name"] or none, "source": "store"}


def _sample(s: Row, lookup: Lookup) -> Row:
    found = {
        "source_id": s["ref"],
        "document": f"{type_name(s['type'], lookup.language)} {s['number'] or ''}".strip() if s["type"] else None,
        "period": s["date"].isoformat() if s["date"] else None,
        **money("amount", s["amount"]),
        "postings": s["rows"],
        "contract": s["contract"],
    }
    if "base_ref" in s:
        found["linked_to"] = (
            f"{type_name(s['base_type'], lookup.language)} {s['base_number']}" if s["base_ref"] else None
        )
        found["linked_id"] = s["base_ref"]
    return found


def _span(days: tuple[date, date]) -> tuple[Any, Any]:
    from datetime import timedelta

    return days[0], days[1] + timedelta(days=1)
