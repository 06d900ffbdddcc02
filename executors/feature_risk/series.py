"""A measure over time, as records: value, change to the bucket before, and whether the bucket stands out."""

from __future__ import annotations

from itertools import pairwise
from statistics import median
from typing import Any

from executors.context import ExecutorContext
from executors.contracts import UnifiedResult
from executors.coverage import shown_days
from executors.lookup import RISK_CUES, Lookup
from executors.money import money
from stores.series import BALANCES, FLOWS

ROUTE = "store_feature_risk"
_TREND = frozenset(("trend", "change", "compare"))
_MEASURE_OF = {"debt": "receivable", "income": "revenue"}
OUTSTANDING = 8
"""A change stands out beyond so many median absolute deviations from the median change."""

LEAST_CHANGES = 10
"""Fewer changes tell nothing of what is usual."""


def asks_for_series(lookup: Lookup) -> bool:
    """A measure or an account over time; a bare measure too, where nothing speaks of risk."""
    if lookup.cues & _TREND or lookup.grain:
        return bool(lookup.accounts or measure_meant(lookup))
    return bool(measure_meant(lookup)) and not lookup.cues & RISK_CUES and not lookup.accounts and not lookup.partners


def measure_meant(lookup: Lookup) -> str:
    """Measure of the company's series that is named; empty where none is."""
    for measure in lookup.measures:
        if measure == "debt" and (lookup.role == "supplier" or lookup.has("кредиторский")):
            return "payable"
        measure = _MEASURE_OF.get(measure, measure)
        if measure == "payment":
            return "money_in" if lookup.role == "customer" else "money_out"
        if measure in FLOWS or measure in BALANCES:
            return measure
    return ""


def series(lookup: Lookup, context: ExecutorContext) -> UnifiedResult:
    """Buckets of the asked grain, days where none is asked, with value and change in kopecks."""
    assert lookup.within is not None  # noqa: S101  # looked at before
    grain = lookup.grain or "day"
    measure = measure_meant(lookup)
    first, last = lookup.within
    more = [m for m in dict.fromkeys(lookup.measures) if m != measure and (m in FLOWS or m in BALANCES)] if measure and not lookup.accounts else []  # fmt: skip
    if measure and not (lookup.accounts and measure in BALANCES):
        level, subject = "company", ""
        rows = context.store.series(measure, grain)
        standing = measure in BALANCES
    else:
        level, subject = "account", lookup.accounts[0]
        side = "turnover_dr" if lookup.has("дебет", "дебетовый", "debit") else "turnover_cr" if lookup.has("кредит", "кредитовый", "credit") else "balance"  # fmt: skip
        measure, standing = side, side == "balance"
        rows = context.store.query(
            "SELECT start, sum(value)::BIGINT AS value FROM feature_series WHERE level = 'account' AND measure = ? AND grain = ?"
            " AND (subject = ? OR starts_with(subject, ? || '.')) GROUP BY start ORDER BY start",
            [measure, grain, subject, subject],
        )
    rows = [r for r in rows if first <= r["start"] <= last]
    items = _items(rows, measure, lookup)
    for other in more:
        beside = [r for r in context.store.series(other, grain) if first <= r["start"] <= last]
        items += _items(beside, other, lookup)
    total = rows[-1]["value"] if standing and rows else sum(r["value"] for r in rows)
    risky = [i for i in items if i["reasons"]]
    summary: dict[str, Any] = {
        "checked_records": len(rows),
        "risky_records": len(risky),
        "average_risk_score": None,
        "measure": measure,
        "measures": [measure, *more],
        "grain": grain,
        "level": level,
        "subject": subject or None,
        **money("closing_value" if standing else "total_value", total),
    }
    if not rows:
        none = lookup.say(f"Ряда «{measure}» за {shown_days(*lookup.dates, 'ru')} нет.", f"There is no series {measure} for {shown_days(*lookup.dates, 'en')}.")  # fmt: skip
        return UnifiedResult(ROUTE, "empty", "list", [], summary, [], [none])
    return UnifiedResult(
        ROUTE, "ok", "list", items, summary, [{"kind": "series", "id": f"{level}/{subject}/{measure}/{grain}"}]
    )


def _items(rows: list[dict[str, Any]], measure: str, lookup: Lookup) -> list[dict[str, Any]]:
    changes = [b["value"] - a["value"] for a, b in pairwise(rows)]
    middle = median(changes) if changes else 0
    spread = median([abs(c - middle) for c in changes]) if changes else 0
    items = []
    for i, row in enumerate(rows):
        change = changes[i - 1] if i else None
        stands_out = (
            change is not None
            and len(changes) >= LEAST_CHANGES
            and spread > 0
            and abs(change - middle) > OUTSTANDING * spread
        )
        reasons = [lookup.say("изменение выбивается из ряда", "the change stands out")] if stands_out else []
        items.append(
            {
                "risk_score": None,
                "reasons": reasons,
                "indicators": {"median_change_kopecks": int(middle), "deviation_kopecks": int(spread)},
                "start": row["start"].isoformat(),
                "measure": measure,
                **money("value", row["value"]),
                **money("change", change),
            }
        )
    return items
