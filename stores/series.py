"""Series: measures by day, week and month, for the company and for each account.

Flows are sums of the bucket, balances stand at its last day; weeks begin on Monday and are cut to the period. A bucket without movement is there, with 0
or with the balance before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Final

import ibis
import pyarrow as pa

from stores.facts import Facts, total

GRAINS: Final = ("day", "week", "month")
_CALENDAR: Final = {"day": "date", "week": "date", "month": "date"}


@dataclass(frozen=True, slots=True)
class Flow:
    """Turnover of accounts that begin with one of ``accounts``, on the debit (1) or credit (−1) side; ``against`` narrows the other account."""

    accounts: tuple[str, ...]
    side: int
    against: tuple[str, ...] = ()


FLOWS: Final = {
    "revenue": Flow(("90.01",), -1),
    "cost_of_sales": Flow(("90.02",), 1),
    "expense": Flow(("20", "26", "44"), 1),
    "purchase": Flow(("60.01",), -1),
    "money_in": Flow(("50", "51"), 1),
    "money_out": Flow(("50", "51"), -1),
    "vat": Flow(("68.02",), -1),
    "vat_deducted": Flow(("68.02",), 1),
    "tax": Flow(("68", "69"), -1),
    "salary": Flow(("70",), -1),
}
"""Measures that are sums over time."""

BALANCES: Final = {
    "receivable": (("62.01",), 1),
    "payable": (("60.01",), -1),
    "advance": (("62.02",), -1),
    "advance_given": (("60.02",), 1),
    "money": (("50", "51"), 1),
    "stock": (("10", "41", "43"), 1),
    "input_vat": (("19",), 1),
}
"""Measures that stand at a moment: accounts, and 1 where a debit balance is what there is, −1 where a credit one is."""


def starts(account: Any, prefixes: tuple[str, ...]) -> Any:
    """Whether an account's code begins with one of the prefixes."""
    found = account.startswith(prefixes[0])
    for prefix in prefixes[1:]:
        found = found | account.startswith(prefix)
    return found


def flow(sides: ibis.Table, measure: Flow) -> Any:
    """Whether a side belongs to a flow."""
    found = starts(sides.account, measure.accounts) & (sides.sign == measure.side)
    return found & starts(sides.corresponding, measure.against) if measure.against else found


def calendar(start: date, end: date) -> ibis.Table:
    """Days of the period with the first day of their week and month within it."""
    days = [start + timedelta(days=n) for n in range((end - start).days + 1)]
    weeks = [max(start, d - timedelta(days=d.weekday())) for d in days]
    months = [max(start, d.replace(day=1)) for d in days]
    return ibis.memtable(
        pa.table({"day": days, "week": weeks, "month": months}, schema=ibis.schema(_CALENDAR).to_pyarrow())
    )


def build_series(facts: Facts) -> None:
    """Create ``feature_series``: level, subject, measure, grain, start, value."""
    c = facts.connection
    c.create_table("series_day", daily(facts))
    day = facts.table("series_day")
    found = None
    for grain in GRAINS:
        flows = day.filter(~day.standing)
        flows = (
            flows.group_by(["level", "subject", "measure", grain]).aggregate(value=total(flows.value))
            if grain != "day"
            else flows
        )
        flows = flows.select(
            "level", "subject", "measure", grain=ibis.literal(grain), start=flows[grain], value=flows.value
        )
        standing = day.filter(day.standing)
        last = day.group_by(l_start=day[grain]).aggregate(last=day.day.max())
        standing = standing.semi_join(last, standing.day == last["last"])
        standing = standing.select(
            "level", "subject", "measure", grain=ibis.literal(grain), start=standing[grain], value=standing.value
        )
        part = flows.union(standing)
        found = part if found is None else found.union(part)
    c.create_table("feature_series", found)
    c.drop_table("series_day")


def daily(facts: Facts) -> ibis.Table:
    """Every measure of every subject on every day."""
    sides, b, days = facts.sides, facts.table("balance"), calendar(facts.start, facts.end)
    perday = sides.group_by(
        day=sides.period.date(), account=sides.account, corresponding=sides.corresponding, sign=sides.sign
    ).aggregate(amount=total(sides.amount))
    perday = perday.cache() if facts.connection.name == "duckdb" else perday
    opening = b.group_by("account").aggregate(amount=total(b.opening))
    moved, stood = None, None
    for name, measure in FLOWS.items():
        part = perday.filter(flow(perday, measure))
        part = part.select(
            "day",
            level=ibis.literal("company"),
            subject=ibis.literal(""),
            measure=ibis.literal(name),
            standing=ibis.literal(False),
            amount=part.amount,
        )
        moved = part if moved is None else moved.union(part)
    assert moved is not None  # noqa: S101  # there are flows
    for name, sign in (("turnover_dr", 1), ("turnover_cr", -1)):
        part = perday.filter(perday.sign == sign)
        moved = moved.union(
            part.select(
                "day",
                level=ibis.literal("account"),
                subject=part.account,
                measure=ibis.literal(name),
                standing=ibis.literal(False),
                amount=part.amount,
            )
        )
    for name, (accounts, sign) in BALANCES.items():
        part = perday.filter(starts(perday.account, accounts))
        moved = moved.union(
            part.select(
                "day", level=ibis.literal("company"), subject=ibis.literal(""), measure=ibis.literal(name), standing=ibis.literal(True),
                amount=(part.amount * part.sign * sign).cast("int64"),
            )
        )  # fmt: skip
        own = opening.filter(starts(opening.account, accounts))
        own = own.select(
            level=ibis.literal("company"),
            subject=ibis.literal(""),
            measure=ibis.literal(name),
            amount=(own.amount * sign).cast("int64"),
        )
        stood = own if stood is None else stood.union(own)
    assert stood is not None  # noqa: S101  # there are balances
    moved = moved.union(
        perday.select(
            "day", level=ibis.literal("account"), subject=perday.account, measure=ibis.literal("balance"), standing=ibis.literal(True),
            amount=(perday.amount * perday.sign).cast("int64"),
        )
    )  # fmt: skip
    stood = stood.union(
        opening.select(
            level=ibis.literal("account"),
            subject=opening.account,
            measure=ibis.literal("balance"),
            amount=opening.amount,
        )
    )
    key = ["level", "subject", "measure"]
    moved = moved.group_by([*key, "standing", "day"]).aggregate(amount=total(moved.amount))
    stood = stood.group_by(key).aggregate(amount=total(stood.amount))
    kinds = moved.select(*key, "standing").union(stood.select(*key, standing=ibis.literal(True))).distinct()
    grid = kinds.cross_join(days)
    m = moved.rename({f"m_{n}": n for n in (*key, "standing", "day")})
    grid = grid.left_join(
        m,
        (grid.level == m.m_level)
        & (grid.subject == m.m_subject)
        & (grid.measure == m.m_measure)
        & (grid.standing == m.m_standing)
        & (grid.day == m.m_day),
    )
    grid = grid.select(*key, "standing", "day", "week", "month", change=grid.amount.coalesce(0).cast("int64"))
    s = stood.rename({"s_amount": "amount", **{f"s_{n}": n for n in key}})
    grid = grid.left_join(s, (grid.level == s.s_level) & (grid.subject == s.s_subject) & (grid.measure == s.s_measure))
    upto = ibis.window(
        group_by=[grid.level, grid.subject, grid.measure, grid.standing], order_by=grid.day, preceding=None, following=0
    )
    standing = grid.s_amount.coalesce(0) + grid.change.sum().over(upto)
    return grid.select(
        *key, "standing", "day", "week", "month", value=grid.standing.ifelse(standing, grid.change).cast("int64")
    )
