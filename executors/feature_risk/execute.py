"""Which risk or trend a fragment asks for: a ready aggregate, a series, or risky records."""

from __future__ import annotations

from dataclasses import replace

from executors.aggregates import aggregate_meant, read_aggregate
from executors.context import ExecutorContext
from executors.contracts import UnifiedResult
from executors.coverage import nothing_loaded, partly_loaded, several_partners, unknown_partners
from executors.feature_risk.records import records
from executors.feature_risk.series import asks_for_series, series
from executors.feature_risk.signs_meant import codes_meant
from executors.lookup import Lookup

ROUTE = "store_feature_risk"
_HEAVY = frozenset(("rank", "most", "priority", "overview", "each"))


def execute(lookup: Lookup, context: ExecutorContext) -> UnifiedResult:
    """Answer from features, risk signs and ready aggregates."""
    problems = unknown_partners(lookup)
    empty = {"checked_records": 0, "risky_records": 0, "average_risk_score": 0.0}
    if problems and not lookup.partners:
        return UnifiedResult(ROUTE, "empty", "list", summary=empty, errors=problems)
    if lookup.within is None:
        return UnifiedResult(ROUTE, "empty", "list", summary=empty, errors=[nothing_loaded(lookup)])
    result = _ready(lookup, context)
    if result is None:
        result = (
            series(lookup, context)
            if asks_for_series(lookup) and not _wants_signs(lookup)
            else records(lookup, context)
        )
    missing = partly_loaded(lookup)
    notes = [*problems, *several_partners(lookup), *missing]
    status = "partial" if result.status == "ok" and (problems or missing) else result.status
    return replace(result, status=status, errors=[*notes, *result.errors])


def _wants_signs(lookup: Lookup) -> bool:
    """Whether a trend word only describes a sign: «скачок оборота», "jump"."""
    return codes_meant(lookup) == ("TURNOVER_JUMP",)


def _ready(lookup: Lookup, context: ExecutorContext) -> UnifiedResult | None:
    """The ready aggregate, where an overview or a rating is asked for and there is one over the asked days."""
    if not lookup.cues & _HEAVY or lookup.accounts or lookup.partners or codes_meant(lookup):
        return None
    if lookup.within != lookup.covered:
        return None
    wanted = aggregate_meant(lookup)
    if wanted is None:
        return None
    found = read_aggregate(context, wanted, lookup)
    if found is None:
        return None
    items = [
        {
            "risk_score": item.get("score"),
            "reasons": [item["name"]] if wanted.subject == "anomaly" and item.get("name") else [],
            "indicators": {"signs": item.get("signs"), "share": item.get("share")},
            **item,
        }
        for item in found.items
    ]
    scores = [i["score"] for i in found.items if i.get("score") is not None]
    summary = {
        "checked_records": found.checked,
        "risky_records": found.risky,
        "ranked_entities": found.members,
        "average_risk_score": round(sum(scores) / len(scores), 2) if scores else None,
        "aggregate": wanted.name,
    }
    return UnifiedResult(
        ROUTE, "ok" if items else "empty", "list", items, summary, [{"kind": "aggregate", "id": wanted.name}]
    )
