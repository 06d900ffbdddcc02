"""Features: a row a subject, for each kind of thing. Sums are kopecks of the period; balances debit positive.

The tables are ``feature_<grouping>``; the first column, ``subject``, is the key the other stores use.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Final

import ibis

from stores import entities as known
from stores.facts import Facts, total

_DEBT_BUCKETS = (("0_30", 0, 30), ("31_60", 31, 60), ("61_90", 61, 90), ("over_90", 91, 10**6))


def postings(facts: Facts) -> ibis.Table:
    """A posting beside the others of its pair of accounts."""
    p, d = facts.postings, facts.table("document")
    pairs = p.group_by(pair_dr=p.dr_account, pair_cr=p.cr_account).aggregate(
        pair_count=p.count().cast("int64"), pair_mean=p.amount.mean(), pair_max=p.amount.max()
    )
    j = p.left_join(pairs, (p.dr_account == pairs.pair_dr) & (p.cr_account == pairs.pair_cr))
    dates = d.select(document_ref=d.ref, document_date=d.date)
    j = j.left_join(dates, j.recorder == dates.document_ref)
    return j.select(
        subject=j.id, document=j.recorder, day=j.period.date(), dr_account=j.dr_account, cr_account=j.cr_account, amount=j.amount,
        hour=j.period.hour().cast("int64"), pair_count=j.pair_count, to_pair_mean=j.amount / j.pair_mean.nullif(0.0), pair_max=j.pair_max,
        days_from_document=j.period.date().delta(j.document_date.date(), unit="day").cast("int64"),
        is_reversal=j.amount < 0, is_manual=j.recorder_type.isin(known.MANUAL), is_month_end=j.recorder_type.isin(known.MONTH_END),
    )  # fmt: skip


def documents(facts: Facts) -> ibis.Table:
    """A document of the period with what it posted and which invoices name it."""
    d, p, every = facts.documents, facts.table("posting"), facts.table("document")
    p = p.filter(p.active)
    rows = p.group_by("recorder").aggregate(
        postings=p.count().cast("int64"), turnover=total(p.amount), accounts=p.dr_account.nunique().cast("int64")
    )
    invoices = every.filter(every.type.isin(known.INVOICES) & every.posted & ~every.deleted)
    invoices = invoices.group_by(invoice_base=invoices.base).aggregate(invoices=invoices.count().cast("int64"))
    j = d.left_join(rows, d.ref == rows.recorder)
    j = j.left_join(invoices, j.ref == invoices.invoice_base)
    return j.select(
        subject=j.ref, type=j.type, number=j.number, day=j.date.date(), counterparty=j.counterparty, contract=j.contract, posted=j.posted, deleted=j.deleted,
        amount=j.amount, vat=j.vat, line_count=j.line_count, postings=j.postings.coalesce(0).cast("int64"), turnover=j.turnover.coalesce(0).cast("int64"),
        accounts=j.accounts.coalesce(0).cast("int64"), invoices=j.invoices.coalesce(0).cast("int64"),
        entered_after_days=j.created.date().delta(j.date.date(), unit="day").cast("int64"),
    )  # fmt: skip


def accounts(facts: Facts) -> ibis.Table:
    """An account with its balances, activity, and the turnovers of the month before where the snapshot has them."""
    b, s, t = facts.table("balance"), facts.sides, facts.table("turnover")
    before = facts.start - timedelta(days=1)
    t = t.filter(t.end == ibis.date(before.isoformat()))
    t = t.group_by(t_account=t.account).aggregate(before_dr=total(t.dr), before_cr=total(t.cr))
    own = b.group_by("account").aggregate(
        parent=b.parent.max(), opening=total(b.opening), dr=total(b.dr), cr=total(b.cr), closing=total(b.closing),
        closing_dr=total((b.closing > 0).ifelse(b.closing, 0)), closing_cr=total((b.closing < 0).ifelse(-b.closing, 0)), analytics=b.count().cast("int64"),
    )  # fmt: skip
    moved = s.group_by(s_account=s.account).aggregate(
        postings=s.count().cast("int64"), documents=s.recorder.nunique().cast("int64"), largest=s.amount.max()
    )
    j = own.left_join(moved, own.account == moved.s_account)
    j = j.left_join(t, j.account == t.t_account)
    return j.select(
        "parent", "opening", "dr", "cr", "closing", "closing_dr", "closing_cr", "analytics", "largest", "before_dr", "before_cr", subject=j.account,
        postings=j.postings.coalesce(0).cast("int64"), documents=j.documents.coalesce(0).cast("int64"),
    ).relocate("subject", before="parent")  # fmt: skip


def counterparties(facts: Facts) -> ibis.Table:
    """A counterparty's trade, debts, advances and age of debt."""
    return _partners(facts, "counterparty")


def contracts(facts: Facts) -> ibis.Table:
    """A contract's trade, debts, advances and age of debt."""
    return _partners(facts, "contract")


def _partners(facts: Facts, column: str) -> ibis.Table:
    masters, b, s, debt, d = (
        facts.table(column),
        facts.table("balance"),
        facts.sides,
        facts.table("debt"),
        facts.documents,
    )
    debit, credit = s.sign == 1, s.sign == -1
    flows = s.group_by(f_subject=s[column]).aggregate(
        sales=total((s.account.startswith("62.01") & debit).ifelse(s.amount, 0)),
        paid_to_us=total((s.account.startswith("62") & credit & s.corresponding.startswith("5")).ifelse(s.amount, 0)),
        purchases=total((s.account.startswith("60.01") & credit).ifelse(s.amount, 0)),
        paid_by_us=total((s.account.startswith("60") & debit & s.corresponding.startswith("5")).ifelse(s.amount, 0)),
        postings=s.count().cast("int64"),
    )
    left = b.group_by(b_subject=b[column]).aggregate(
        receivable=total(b.account.startswith("62.01").ifelse(b.closing, 0)),
        payable=total(b.account.startswith("60.01").ifelse(-b.closing, 0)),
        advances_received=total(b.account.startswith("62.02").ifelse(-b.closing, 0)),
        advances_given=total(b.account.startswith("60.02").ifelse(b.closing, 0)),
    )
    ages = {
        f"debt_{name}": total(debt.age_days.between(low, high).ifelse(debt.left, 0))
        for name, low, high in _DEBT_BUCKETS
    }
    aged = debt.group_by(d_subject=debt[column]).aggregate(**ages, oldest_debt_days=debt.age_days.max())
    papers = d.group_by(p_subject=d[column]).aggregate(documents=d.count().cast("int64"), last_document=d.date.max())
    j = masters.left_join(flows, masters.ref == flows.f_subject)
    j = j.left_join(left, j.ref == left.b_subject)
    j = j.left_join(aged, j.ref == aged.d_subject)
    j = j.left_join(papers, j.ref == papers.p_subject)
    numbers = (
        "sales",
        "paid_to_us",
        "purchases",
        "paid_by_us",
        "postings",
        "receivable",
        "payable",
        "advances_received",
        "advances_given",
        *ages,
        "documents",
    )
    return j.select(
        subject=j.ref, name=j.name, **{name: j[name].coalesce(0).cast("int64") for name in numbers}, oldest_debt_days=j.oldest_debt_days, last_document=j.last_document,
    )  # fmt: skip


def items(facts: Facts) -> ibis.Table:
    """An item's movements and stock on every account that keeps items."""
    return _stock(facts, "item")


def warehouses(facts: Facts) -> ibis.Table:
    """A warehouse's movements and stock."""
    return _stock(facts, "warehouse")


def _stock(facts: Facts, column: str) -> ibis.Table:
    masters, b, s = facts.table(column), facts.table("balance"), facts.sides
    left = b.group_by(b_subject=b[column]).aggregate(
        opening=total(b.opening),
        received=total(b.dr),
        issued=total(b.cr),
        closing=total(b.closing),
        closing_quantity=b.quantity.sum(),
    )
    moved = s.group_by(s_subject=s[column]).aggregate(
        received_quantity=(s.sign == 1).ifelse(s.quantity, 0.0).sum(),
        issued_quantity=(s.sign == -1).ifelse(s.quantity, 0.0).sum(),
        postings=s.count().cast("int64"),
    )
    j = masters.left_join(left, masters.ref == left.b_subject)
    j = j.left_join(moved, j.ref == moved.s_subject)
    return j.select(
        subject=j.ref, name=j.name, **{n: j[n].coalesce(0).cast("int64") for n in ("opening", "received", "issued", "closing", "postings")},
        **{n: j[n].coalesce(0.0) for n in ("received_quantity", "issued_quantity", "closing_quantity")},
    )  # fmt: skip


def employees(facts: Facts) -> ibis.Table:
    """An employee's pay: accrued, withheld, paid, and what is left on 70 and 71."""
    masters, b, s = facts.table("employee"), facts.table("balance"), facts.sides
    pay = s.parent == "70"
    moved = s.group_by(s_subject=s.employee).aggregate(
        accrued=total((pay & (s.sign == -1)).ifelse(s.amount, 0)),
        withheld=total((pay & (s.sign == 1) & s.corresponding.startswith("68")).ifelse(s.amount, 0)),
        paid=total((pay & (s.sign == 1) & s.corresponding.startswith("5")).ifelse(s.amount, 0)),
        postings=s.count().cast("int64"),
    )
    left = b.group_by(b_subject=b.employee).aggregate(
        owed_pay=total((b.parent == "70").ifelse(-b.closing, 0)),
        accountable=total((b.parent == "71").ifelse(b.closing, 0)),
    )
    j = masters.left_join(moved, masters.ref == moved.s_subject)
    j = j.left_join(left, j.ref == left.b_subject)
    numbers = ("accrued", "withheld", "paid", "postings", "owed_pay", "accountable")
    return j.select(subject=j.ref, name=j.name, **{n: j[n].coalesce(0).cast("int64") for n in numbers})


def organisations(facts: Facts) -> ibis.Table:
    """An organisation's month: the measures of `stores.series.FLOWS`, and how much there was."""
    from stores.series import FLOWS, flow

    masters, s, d = facts.table("organisation"), facts.sides, facts.documents
    moved = s.group_by(s_subject=s.organisation).aggregate(
        **{name: total(flow(s, measure).ifelse(s.amount, 0)) for name, measure in FLOWS.items()},
        postings=s.posting.nunique().cast("int64"),
    )
    papers = d.group_by(p_subject=d.organisation).aggregate(documents=d.count().cast("int64"))
    j = masters.left_join(moved, masters.ref == moved.s_subject)
    j = j.left_join(papers, j.ref == papers.p_subject)
    return j.select(
        subject=j.ref, name=j.name, **{n: j[n].coalesce(0).cast("int64") for n in (*FLOWS, "postings", "documents")}
    )


GROUPINGS: Final[dict[str, Callable[[Facts], ibis.Table]]] = {
    "posting": postings,
    "document": documents,
    "account": accounts,
    "counterparty": counterparties,
    "contract": contracts,
    "item": items,
    "warehouse": warehouses,
    "employee": employees,
    "organisation": organisations,
}


def build_features(facts: Facts, tick: Callable[[str], None] | None = None) -> None:
    """Create every ``feature_<grouping>`` table and the series."""
    from stores.series import build_series

    for name, maker in GROUPINGS.items():
        facts.connection.create_table(f"feature_{name}", maker(facts))
        if tick:
            tick(f"features per {name}")
    build_series(facts)
    if tick:
        tick("series")
