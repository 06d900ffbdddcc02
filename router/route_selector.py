"""Explicit guards: flags and sufficiency to a route, the first guard that fires wins.

The list below is section 8 of the source, line by line; `choose_route` walks it and nothing else decides. What a store may not answer is
settled before, in `router.store_sufficiency`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from router.contracts import RouteDecisionFlags, StoreSufficiencyResult

GUARD_REVISION = "guards/1"
"""Changes with any change of the list or of what sufficiency forbids; a decision record carries it."""


class Guard(NamedTuple):
    """A named rule: when ``fires`` answers true, ``route`` it is."""

    name: str
    route: str
    fires: Callable[[RouteDecisionFlags, StoreSufficiencyResult], bool]


def _exact_object_trace(flags: RouteDecisionFlags, suff: StoreSufficiencyResult) -> bool:  # noqa: ARG001  # one signature for all guards
    return flags.needs_exact_object_trace


def _heavy_without_ready_aggregate(flags: RouteDecisionFlags, suff: StoreSufficiencyResult) -> bool:
    ready = flags.precomputed_aggregate_available and suff.freshness_ok and suff.aggregate_level_ok
    return flags.heavy and not ready


def _causal_join_not_explained(flags: RouteDecisionFlags, suff: StoreSufficiencyResult) -> bool:
    return flags.needs_cross_entity_join and flags.needs_causal_chain and not suff.explanation_ready


def _trend_or_risk_in_feature_store(flags: RouteDecisionFlags, suff: StoreSufficiencyResult) -> bool:
    asked = flags.needs_anomaly_summary or flags.parsed_as_trend_or_risk
    return suff.feature_sufficient and not flags.needs_runtime_truth and asked


def _fact_in_canonical_store(flags: RouteDecisionFlags, suff: StoreSufficiencyResult) -> bool:
    return suff.canonical_sufficient and not flags.needs_causal_chain


def _fallback(flags: RouteDecisionFlags, suff: StoreSufficiencyResult) -> bool:  # noqa: ARG001  # one signature for all guards
    return True


GUARDS: tuple[Guard, ...] = (
    Guard("exact_object_trace", "live_mcp_drilldown", _exact_object_trace),
    Guard("heavy_without_ready_aggregate", "batch_refresh_then_store", _heavy_without_ready_aggregate),
    Guard("causal_join_not_explained", "hybrid_store_plus_live", _causal_join_not_explained),
    Guard("trend_or_risk_in_feature_store", "store_feature_risk", _trend_or_risk_in_feature_store),
    Guard("fact_in_canonical_store", "store_canonical", _fact_in_canonical_store),
    Guard("fallback", "hybrid_store_plus_live", _fallback),
)


def fired_guard(flags: RouteDecisionFlags, suff: StoreSufficiencyResult) -> Guard:
    """The first guard of `GUARDS` that fires; the last always does."""
    return next(guard for guard in GUARDS if guard.fires(flags, suff))


def choose_route(flags: RouteDecisionFlags, suff: StoreSufficiencyResult) -> str:
    """Route of the first guard that fires."""
    return fired_guard(flags, suff).route
