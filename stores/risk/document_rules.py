"""Rules over documents and their rows: 4, 5, 6, 7, 8, 9, 12, 17."""

from __future__ import annotations

from typing import Any

import ibis

from stores import entities as known
from stores.facts import Facts
from stores.risk.shape import document_touch, posting_touch, roubles, signs

SETTLEMENT_PARENTS = ("60", "62", "76")
MANUAL_PARENTS = ("50", "51", "60", "62", "68", "90")
LATE_INCOMING_DAYS, BACKDATED_DAYS, TWIN_DAYS = 90, 30, 1


def _named(d: ibis.Table) -> tuple[Any, ...]:
    return d.type, " ", d.number


def _recorders(facts: Facts) -> ibis.Table:
    p = facts.table("posting")
    return p.filter(p.active).select(recorder=p.recorder).distinct()


def unposted_with_moves(facts: Facts) -> ibis.Table:
    """4: not posted, yet active rows name it as their recorder."""
    d = facts.documents
    d = d.filter(~d.posted)
    d = d.semi_join(_recorders(facts), d.ref == _recorders(facts).recorder)
    return signs(d, "UNPOSTED_WITH_MOVES", "document", d.ref, text=_named(d), amount=d.amount, **document_touch(d))


def posted_no_moves(facts: Facts) -> ibis.Table:
    """4: posted, of a kind that always makes rows, and has none. Silent where no register came with the snapshot."""
    d = facts.documents
    d = d.filter(d.posted & ~d.deleted & d.type.isin(known.POSTING_TYPES) & ibis.literal(facts.has_postings))
    d = d.anti_join(_recorders(facts), d.ref == _recorders(facts).recorder)
    return signs(d, "POSTED_NO_MOVES", "document", d.ref, text=_named(d), amount=d.amount, **document_touch(d))


def deleted_with_moves(facts: Facts) -> ibis.Table:
    """5: marked for deletion, with active rows."""
    d = facts.documents
    d = d.filter(d.deleted)
    d = d.semi_join(_recorders(facts), d.ref == _recorders(facts).recorder)
    return signs(d, "DELETED_WITH_MOVES", "document", d.ref, text=_named(d), amount=d.amount, **document_touch(d))


def empty_settlement_document(facts: Facts, code: str, column: str) -> ibis.Table:
    """6: a document whose counterparty or contract field is there and empty."""
    d = facts.documents
    d = d.filter((d[column] == "") & ~d.deleted)
    return signs(d, code, "document", d.ref, text=_named(d), amount=d.amount, **document_touch(d))


def empty_settlement_posting(facts: Facts, code: str, column: str) -> ibis.Table:
    """6: a row on 60, 62 or 76 whose slot of that kind is empty."""
    p = facts.postings
    p = p.filter(
        (p.dr_parent.isin(SETTLEMENT_PARENTS) & (p[f"dr_{column}"] == ""))
        | (p.cr_parent.isin(SETTLEMENT_PARENTS) & (p[f"cr_{column}"] == ""))
    )
    text = (p.recorder_type, ", Дт ", p.dr_account, " Кт ", p.cr_account, " ", roubles(p.amount))
    return signs(p, code, "posting", p.id, text=text, amount=p.amount, **posting_touch(p))


def out_of_period(facts: Facts) -> ibis.Table:
    """7: an active row outside the snapshot's period, or on another day than its document."""
    p, d = facts.table("posting"), facts.table("document")
    d = d.select(document_ref=d.ref, document_date=d.date)
    p = p.filter(p.active)
    j = p.left_join(d, p.recorder == d.document_ref)
    outside, moved = ~facts.within(j.period), (j.period.date() != j.document_date.date()).coalesce(False)
    j = j.mutate(moved=moved, outside=outside).filter(lambda t: t.outside | t.moved)
    what = j.outside.ifelse("вне периода", "не датой документа")
    return signs(
        j, "OUT_OF_PERIOD", "posting", j.id, text=(j.recorder_type, ", ", what), amount=j.amount, **posting_touch(j)
    )


def incoming_date(facts: Facts) -> ibis.Table:
    """7: the supplier's paper is dated after the document, or more than 90 days before it."""
    d = facts.documents
    d = d.filter(d.incoming_date.notnull() & ~d.deleted)
    days = d.date.date().delta(d.incoming_date.date(), unit="day")
    d = d.filter((days < 0) | (days > LATE_INCOMING_DAYS))
    return signs(d, "INCOMING_DATE", "document", d.ref, text=(*_named(d), ", входящий от ", d.incoming_date.date().cast("string")), amount=d.amount, **document_touch(d))  # fmt: skip


def backdated(facts: Facts) -> ibis.Table:
    """8: the reference was made more than 30 days after the document's date. References without a clock are unknown, not suspect."""
    d = facts.documents
    days = d.created.date().delta(d.date.date(), unit="day")
    d = d.filter(d.created.notnull() & (days > BACKDATED_DAYS))
    return signs(d, "BACKDATED", "document", d.ref, text=(*_named(d), ", введён ", d.created.date().cast("string")), amount=d.amount, **document_touch(d))  # fmt: skip


def duplicate_documents(facts: Facts) -> ibis.Table:
    """9: same kind and operation, counterparty and sum within a day; or same kind, counterparty, incoming number and date.

    The operation counts because an invoice on an advance and one on the sale it pays for may well agree in all else.
    """
    d = facts.documents
    d = d.filter(~d.deleted & (d.counterparty.coalesce("") != ""))
    sums = d.filter(d.amount > 0)
    near = ibis.window(
        group_by=[sums.type, sums.operation, sums.counterparty, sums.amount], order_by=[sums.date, sums.ref]
    )
    before, after = sums.date.lag().over(near), sums.date.lead().over(near)
    sums = sums.mutate(
        gap_before=sums.date.date().delta(before.date(), unit="day"),
        gap_after=after.date().delta(sums.date.date(), unit="day"),
    )
    sums = sums.filter((sums.gap_before <= TWIN_DAYS) | (sums.gap_after <= TWIN_DAYS)).select(
        "ref", reason=ibis.literal("та же сумма")
    )
    papers = d.filter((d.incoming_number != "") & d.incoming_date.notnull())
    same = ibis.window(group_by=[papers.type, papers.counterparty, papers.incoming_number, papers.incoming_date])
    papers = papers.mutate(twins=papers.ref.count().over(same))
    papers = papers.filter(papers.twins > 1).select("ref", reason=ibis.literal("тот же входящий номер и дата"))
    both = sums.union(papers)
    twins = both.group_by("ref").aggregate(reason=both.reason.max())
    j = d.join(twins, "ref")
    return signs(j, "DUP_DOC", "document", j.ref, text=(*_named(j), " на ", roubles(j.amount), ", ", j.reason), amount=j.amount, **document_touch(j))  # fmt: skip


def manual_operation(facts: Facts) -> ibis.Table:
    """12: a hand-made operation on money, settlements, taxes or sales."""
    p, d = facts.postings, facts.documents
    rows = p.filter(
        p.recorder_type.isin(known.MANUAL) & (p.dr_parent.isin(MANUAL_PARENTS) | p.cr_parent.isin(MANUAL_PARENTS))
    )
    recorders = rows.select("recorder").distinct()
    d = d.semi_join(recorders, d.ref == recorders.recorder)
    return signs(
        d, "MANUAL_OP", "document", d.ref, detail="operation", text=_named(d), amount=d.amount, **document_touch(d)
    )


def manual_edit(facts: Facts) -> ibis.Table:
    """12: the rows of a document were edited by hand."""
    d = facts.documents
    d = d.filter(d.manual & ~d.deleted)
    return signs(
        d,
        "MANUAL_OP",
        "document",
        d.ref,
        detail="edited",
        text=(*_named(d), ", ручная корректировка"),
        amount=d.amount,
        **document_touch(d),
    )


def _invoices(facts: Facts) -> ibis.Table:
    d = facts.table("document")
    return d.filter(d.type.isin(known.INVOICES) & d.posted & ~d.deleted)


def without_invoice(facts: Facts, types: tuple[str, ...]) -> ibis.Table:
    """Posted documents of the period with VAT that no posted invoice names as its base. Silent where no invoices came with the snapshot."""
    d, i = facts.documents, _invoices(facts)
    d = d.filter(d.type.isin(types) & d.posted & ~d.deleted & (d.vat > 0) & ibis.literal(facts.has_invoices))
    bases = i.select(base=i.base).distinct()
    return d.anti_join(bases, d.ref == bases.base)


def broken_link(facts: Facts) -> ibis.Table:
    """17: a sale or purchase without an invoice."""
    d = without_invoice(facts, (*known.SALES, *known.PURCHASES))
    return signs(d, "BROKEN_LINK", "document", d.ref, detail="no_invoice", text=(*_named(d), ", нет счёта-фактуры"), amount=d.amount, **document_touch(d))  # fmt: skip


def broken_base(facts: Facts) -> ibis.Table:
    """17: an invoice whose base is not there, not posted, or another counterparty's."""
    i, d = _invoices(facts), facts.table("document")
    i = i.filter(facts.within(i.date))
    bases = d.select(base_ref=d.ref, base_posted=d.posted & ~d.deleted, base_counterparty=d.counterparty)
    j = i.left_join(bases, i.base == bases.base_ref)
    another = (j.counterparty != j.base_counterparty).coalesce(False)
    j = j.mutate(
        problem=j.base_ref.isnull().ifelse(
            "base_missing", (~j.base_posted).ifelse("base_unposted", another.ifelse("base_of_another", ""))
        )
    )
    j = j.filter(j.problem != "")
    words = {
        "base_missing": "нет документа-основания",
        "base_unposted": "основание не проведено",
        "base_of_another": "основание другого контрагента",
    }
    what = j.problem.cases(*words.items(), else_="")
    return signs(
        j,
        "BROKEN_LINK",
        "document",
        j.ref,
        detail=j.problem,
        text=(*_named(j), ", ", what),
        amount=j.amount,
        **document_touch(j),
    )
