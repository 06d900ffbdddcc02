"""Documents: by number, by kind, period, counterparty, account and sum; counted and added up."""

from __future__ import annotations

from typing import Any

from executors.context import ExecutorContext
from executors.contracts import Status, UnifiedResult
from executors.coverage import shown_day, shown_days
from executors.document_kinds import type_name
from executors.lookup import Lookup
from executors.money import money
from executors.shapes import SHAPES
from executors.where import Where

ROUTE = "store_canonical"
_ABOVE = frozenset(("больше", "более", "свыше", "выше", "дорогой", "over", "above", "more", "exceed", "greater"))
_BELOW = frozenset(("меньше", "менее", "ниже", "до", "under", "below", "less"))
_POSTED = frozenset(("провести", "проведенный", "post"))
_UNPOSTED = frozenset(("непроведенный", "unpost"))
_NOT = frozenset(("не", "not"))
_DOCUMENTS = """
SELECT d.*, c.name AS counterparty_name, k.name AS contract_name, w.name AS warehouse_name
FROM document d LEFT JOIN counterparty c ON c.ref = d.counterparty LEFT JOIN contract k ON k.ref = d.contract LEFT JOIN warehouse w ON w.ref = d.warehouse
"""
_SAME_NUMBER = "(d.number = ? OR (? AND ltrim(split_part(d.number, '-', -1), '0') = ltrim(?, '0')))"


def asks_for_one(lookup: Lookup) -> bool:
    """A document is pinned by its number or reference."""
    return bool(lookup.numbers or lookup.guids)


def asks_for_list(lookup: Lookup) -> bool:
    """A kind of document is named, or documents as such, and no balance or turnover of an account."""
    if lookup.accounts and lookup.measures and lookup.measures[0] in ("balance", "turnover"):
        return False
    if lookup.document_types:
        return "posting" not in lookup.kinds
    return "document" in lookup.kinds and "posting" not in lookup.kinds


def asks_for_partner(lookup: Lookup) -> bool:
    """Only a counterparty is named."""
    return bool(lookup.partners)


def asks_for_period(lookup: Lookup) -> bool:
    """Only a period is named."""
    return lookup.period is not None


def item_of(row: dict[str, Any], language: str) -> dict[str, Any]:
    """A document as an item."""
    return {
        "source_entity": f"Document_{row['type']}",
        "source_id": row["ref"],
        "period": row["date"].isoformat(),
        "counterparty_id": row["counterparty"] or None,
        "recorder": row["ref"],
        "kind": type_name(row["type"], language),
        "number": row["number"],
        "posted": row["posted"],
        "deleted": row["deleted"],
        "counterparty": row["counterparty_name"],
        "contract": row["contract_name"],
        **money("amount", row["amount"]),
        **money("vat", row["vat"]),
        "comment": row["comment"] or None,
    }


def listed(lookup: Lookup, context: ExecutorContext) -> UnifiedResult:
    """Documents that fit, oldest first; the summary counts and adds up all of them. Those marked for deletion are left out unless asked for."""
    assert lookup.within is not None  # noqa: S101  # looked at before
    where = _narrowed(lookup, context, Where().days("d.date", *lookup.within))
    among = Where().days("d.date", *lookup.within).among("d.type", lookup.document_types)
    cap = SHAPES[ROUTE].items + 1
    rows = context.store.query(
        f"""
        WITH fit AS (SELECT d.* FROM document d{where.text}),
        total AS (SELECT count(*) AS n, count(*) FILTER (posted) AS posted_n, coalesce(sum(amount), 0)::BIGINT AS sum_amount, coalesce(sum(vat), 0)::BIGINT AS sum_vat FROM fit),
        among AS (SELECT count(*) AS checked_n FROM document d{among.text})
        SELECT t.*, a.*, d.*, c.name AS counterparty_name, k.name AS contract_name
        FROM total t CROSS JOIN among a LEFT JOIN (SELECT * FROM fit ORDER BY date, ref LIMIT {cap}) d ON true
        LEFT JOIN counterparty c ON c.ref = d.counterparty LEFT JOIN contract k ON k.ref = d.contract ORDER BY d.date, d.ref
        """,
        [*where.values, *among.values],
    )
    total, checked = rows[0], rows[0]["checked_n"]
    rows = [r for r in rows if r["ref"] is not None]
    items = [item_of(row, lookup.language) for row in rows]
    summary = {
        "checked_records": checked,
        "returned_records": min(total["n"], SHAPES[ROUTE].items),
        "matched_records": total["n"],
        "posted_records": total["posted_n"],
        **money("total_amount", total["sum_amount"]),
        **money("total_vat", total["sum_vat"]),
        "document_types": list(lookup.document_types),
    }
    evidence = [{"kind": "document", "id": row["ref"]} for row in rows]
    errors = _cut(lookup, total["n"])
    status: Status = "empty" if not rows else "partial" if errors else "ok"
    if not rows:
        errors = [_none_found(lookup)]
    return UnifiedResult(ROUTE, status, "list", items[: SHAPES[ROUTE].items], summary, evidence, errors)


def by_number(lookup: Lookup, context: ExecutorContext) -> UnifiedResult:
    """The documents that bear a number or reference; several kinds may share a number."""
    where = Where()
    for number in lookup.numbers[:1]:
        where.add(_SAME_NUMBER, number, number.isdigit(), number)
    where.among("d.ref", lookup.guids)
    every = context.store.query(f"{_DOCUMENTS}{where.text} ORDER BY d.date, d.ref LIMIT 50", where.values)
    rows = [r for r in every if not lookup.document_types or r["type"] in lookup.document_types]
    rows = [r for r in rows if not lookup.partners or r["counterparty"] in {p.ref for p in lookup.partners}] or rows
    dated = [r for r in rows if lookup.period is None or lookup.period[0] <= r["date"].date() <= lookup.period[1]]
    said = lookup.numbers[0] if lookup.numbers else lookup.guids[0]
    summary = {"checked_records": len(every), "returned_records": len(dated), "number": said}
    items = [item_of(row, lookup.language) for row in dated]
    evidence = [{"kind": "document", "id": row["ref"]} for row in dated]
    if not dated:
        return UnifiedResult(
            ROUTE, "empty", "list", [], summary, [], [_not_there(lookup, said, rows or every, bool(rows))]
        )
    if len(dated) > 1:
        kinds = ", ".join(f"{i['kind']} {i['period'][:10]}" for i in items[:8])
        many = lookup.say(
            f"Номер {said} у {len(dated)} документов: {kinds}. Назовите вид и дату, чтобы остался один.",
            f"{len(dated)} documents bear the number {said}: {kinds}. Name the kind and the date to have one.",
        )
        return UnifiedResult(ROUTE, "partial", "list", items, summary, evidence, [many])
    return UnifiedResult(ROUTE, "ok", "list", items, summary, evidence)


def _narrowed(lookup: Lookup, context: ExecutorContext, where: Where) -> Where:  # noqa: ARG001  # one shape for all builders
    where.among("d.type", lookup.document_types)
    where.among("d.counterparty", [p.ref for p in lookup.partners])
    if not lookup.has("удаление", "удалить", "удаленный", "delet"):
        where.add("NOT d.deleted")
    if lookup.words & _UNPOSTED or (lookup.words & _POSTED and lookup.words & _NOT):
        where.add("NOT d.posted")
    elif lookup.words & _POSTED:
        where.add("d.posted")
    if not lookup.document_types and lookup.role and not lookup.partners:
        kind = "СПоставщиком" if lookup.role == "supplier" else "СПокупателем"
        where.add("d.contract IN (SELECT ref FROM contract WHERE kind = ?)", kind)
    for amount in lookup.amounts[:1]:
        if lookup.words & _ABOVE:
            where.add("d.amount > ?", amount)
        elif lookup.words & _BELOW:
            where.add("d.amount < ?", amount)
        else:
            where.add("d.amount = ?", amount)
    if lookup.accounts:
        moved = Where().add("p.active").account(lookup.accounts, "p.dr_account", "p.cr_account")
        where.add(f"d.ref IN (SELECT p.recorder FROM posting p{moved.text})", *moved.values)
    return where


def _cut(lookup: Lookup, total: int) -> list[str]:
    cap = SHAPES[ROUTE].items
    if total <= cap:
        return []
    return [
        lookup.say(
            f"Показаны первые {cap} из {total} документов; итоги посчитаны по всем. Сузьте вопрос, чтобы увидеть остальные.",
            f"The first {cap} of {total} documents are shown; totals are of all. Narrow the question to see the rest.",
        )
    ]


def _none_found(lookup: Lookup) -> str:
    days = shown_days(*lookup.dates, lookup.language)
    return lookup.say(
        f"Таких документов за {days} нет. Проверьте вид, контрагента и период.",
        f"There are no such documents for {days}. Check the kind, the counterparty and the period.",
    )


def _not_there(lookup: Lookup, said: str, others: list[dict[str, Any]], only_date: bool) -> str:
    """The number is unknown, or known under another kind, or on another day."""
    if not others:
        return lookup.say(
            f"Документа {said} в загруженных данных нет. Проверьте номер; введённый позже снимка виден только в самой базе.",
            f"No document {said} in the loaded data. Check the number; one entered after the snapshot is only in the live system.",
        )
    known = ", ".join(
        f"{type_name(r['type'], lookup.language)} от {shown_day(r['date'].date(), 'ru')}"
        if lookup.language == "ru"
        else f"{type_name(r['type'], 'en')} of {r['date']:%Y-%m-%d}"
        for r in others[:5]
    )
    if only_date:
        return lookup.say(
            f"Документ {said} есть, но вне названного срока: {known}. Поправьте дату.",
            f"Document {said} exists, but outside the asked period: {known}. Correct the date.",
        )
    return lookup.say(
        f"Под номером {said} есть другие документы: {known}. Поправьте вид документа.",
        f"Other documents bear the number {said}: {known}. Correct the kind of document.",
    )
