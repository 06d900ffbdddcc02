"""Balances: opening, turnovers and closing of the period by organisation, account and analytics. Debit is positive."""

from __future__ import annotations

import ibis

from stores.facts import Facts, total
from stores.schema import DIMENSIONS

_KEY = ("organisation", "account", "parent", "analytics")


def balances(facts: Facts) -> ibis.Table:
    """One row for each account and its analytics that had an opening balance or moved.

    Where postings came without analytics, opening balances are summed to the account: otherwise neither would meet the other.
    """
    opening, sides = facts.table("opening"), facts.sides
    opening = opening.filter(opening.date == ibis.date(facts.start.isoformat()))
    if not facts.any_row(sides.filter(sides.analytics != "")):
        opening = opening.mutate(analytics=ibis.literal(""))
    zero = ibis.literal(0, "int64")
    moved = sides.select(
        *_KEY,
        *DIMENSIONS,
        opening=zero,
        dr=(sides.sign == 1).ifelse(sides.amount, 0).cast("int64"),
        cr=(sides.sign == -1).ifelse(sides.amount, 0).cast("int64"),
        quantity=sides.quantity * sides.sign,
    )
    stood = opening.select(*_KEY, *DIMENSIONS, opening=opening.amount, dr=zero, cr=zero, quantity=opening.quantity)
    both = moved.union(stood)
    return both.group_by(_KEY).aggregate(
        **{name: both[name].max() for name in DIMENSIONS},
        opening=total(both.opening),
        dr=total(both.dr),
        cr=total(both.cr),
        closing=total(both.opening + both.dr - both.cr),
        quantity=both.quantity.sum(),
    )


def debts(facts: Facts) -> ibis.Table:
    """What buyers owe on 62.01, by the shipment it is left of, the oldest paid first.

    The debt of a counterparty and contract is laid on its newest shipments: ``left`` kopecks of a shipment that is ``age_days`` old at the period's
    end. A shipment before the period is known by its document in the opening balance; without one it counts from the period's first day.
    """
    opening, sides, documents = facts.table("opening"), facts.sides, facts.table("document")
    stood = opening.filter(
        (opening.date == ibis.date(facts.start.isoformat()))
        & opening.account.startswith("62.01")
        & (opening.amount > 0)
    )
    dates = documents.select(document_ref=documents.ref, document_date=documents.date)
    old = stood.left_join(dates, stood.settlement == dates.document_ref)
    old = old.select(
        "organisation",
        "counterparty",
        "contract",
        shipment=old.settlement.coalesce(""),
        shipped=old.document_date.coalesce(ibis.timestamp(f"{facts.start} 00:00:00")).cast("timestamp(6)"),
        amount=old.amount,
    )
    new = sides.filter(sides.account.startswith("62.01") & (sides.sign == 1) & (sides.amount > 0))
    new = new.group_by(["organisation", "counterparty", "contract", "recorder"]).aggregate(
        shipped=new.period.min(), amount=total(new.amount)
    )
    shipped = old.union(
        new.select(
            "organisation",
            "counterparty",
            "contract",
            shipment=new.recorder,
            shipped=new.shipped.cast("timestamp(6)"),
            amount=new.amount,
        )
    )
    shipped = shipped.mutate(
        counterparty=shipped.counterparty.coalesce(""),
        contract=shipped.contract.coalesce(""),
        organisation=shipped.organisation.coalesce(""),
    )
    b = facts.table("balance").filter(lambda t: t.account.startswith("62.01"))
    owed = b.group_by(
        debt_organisation=b.organisation.coalesce(""),
        debt_counterparty=b.counterparty.coalesce(""),
        debt_contract=b.contract.coalesce(""),
    ).aggregate(debt=total(b.closing))
    owed = owed.filter(owed.debt > 0)
    j = shipped.join(
        owed,
        (shipped.organisation == owed.debt_organisation)
        & (shipped.counterparty == owed.debt_counterparty)
        & (shipped.contract == owed.debt_contract),
    )
    newest = ibis.window(
        group_by=[j.organisation, j.counterparty, j.contract],
        order_by=[j.shipped.desc(), j.shipment],
        preceding=None,
        following=0,
    )
    j = j.mutate(upto=j.amount.sum().over(newest).cast("int64"))
    left = ibis.least(j.amount, j.debt - (j.upto - j.amount))
    end = ibis.date(facts.end.isoformat())
    j = j.mutate(left=left.cast("int64"), age_days=end.delta(j.shipped.date(), unit="day").cast("int64"))
    return j.filter(j.left > 0).select(
        "organisation", "counterparty", "contract", "shipment", "shipped", "left", "age_days"
    )
