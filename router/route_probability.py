"""How likely each route is, given calibrated flags: the guards' order worked through in probabilities.

Flags count as independent, so each guard's chance is a product over the flags it reads, given that no earlier guard fired; nothing is enumerated but the two
states of freshness. Flags are not independent in truth, hence the last step: a temperature and one bias a route, learned on
out-of-fold routes (vector scaling, Guo et al. 2017).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, log

from router.contracts import ROUTES
from router.store_sufficiency import BREAKDOWN, RANKING, SUMMARY, StoreFacts

_FLOOR = 1e-6


def guard_probabilities(
    p: Mapping[str, float], out_of_scope: float, facts: StoreFacts, confident: bool, subject: str
) -> dict[str, float]:
    """Probability of each route from flag probabilities ``p``; sums to one.

    With every probability 0 or 1 this is `choose_route` itself. ``confident`` is the flag ``store_sufficiency_confident``.
    """
    trace, causal, join = p["needs_exact_object_trace"], p["needs_causal_chain"], p["needs_cross_entity_join"]
    total, ranking, summary = p["needs_full_period_aggregation"], p["needs_ranking"], p["needs_anomaly_summary"]
    runtime, unclear, trend = p["needs_runtime_truth"], p["ambiguous_object_scope"], p["parsed_as_trend_or_risk"]
    found = dict.fromkeys(ROUTES, 0.0)
    found["no_route"] = out_of_scope
    found["live_mcp_drilldown"] = (1 - out_of_scope) * trace
    open_here = (1 - out_of_scope) * (1 - trace)
    light = (1 - total) * (1 - ranking) * (1 - summary)
    urgent = p["freshness_sensitive"]
    # the two states of freshness differ where data is old and no open period says so already
    states = ((True, urgent), (False, 1 - urgent)) if facts.stale(True) != facts.stale(False) else ((False, 1.0),)
    for sensitive, weight in states:
        share = open_here * weight
        if not share:
            continue
        with_summary, without_summary = _ready_heavy(total, ranking, summary, facts, facts.fresh(sensitive))
        ready = with_summary + without_summary
        found["batch_refresh_then_store"] += share * max(0.0, 1 - light - ready)

        young = not facts.stale(sensitive)
        usable = confident and facts.confident
        risk = usable and young and facts.risk_current and facts.risk_levels_built
        built = facts.groupings_built and facts.grain_built and facts.feature_current
        feature = usable and young and built and (risk or subject != "anomaly")
        canonical = usable and young and facts.canonical_current and facts.kinds_loaded
        explained = facts.explanations and usable and facts.canonical_current and young

        unexplained = 0.0 if explained else join * causal
        past_join = 1 - unexplained
        # heavy with a ready aggregate: feature store, unless runtime truth is needed; the canonical store never
        to_feature = past_join * (1 - runtime) * (with_summary + without_summary * trend) if usable else 0.0
        to_feature += past_join * light * (1 - runtime) * trend if feature else 0.0
        to_canonical = light * (1 - causal) * (1 - runtime) * (1 - trend) * (1 - unclear) if canonical else 0.0
        found["store_feature_risk"] += share * to_feature
        found["store_canonical"] += share * to_canonical
        found["hybrid_store_plus_live"] += share * max(0.0, light + ready - to_feature - to_canonical)
    return found


def _ready_heavy(total: float, ranking: float, summary: float, facts: StoreFacts, fresh: bool) -> tuple[float, float]:
    """Probability that the question is heavy and every aggregate it needs is ready: (with a summary, without one)."""
    if not fresh:
        return 0.0, 0.0
    ranking_ready = facts.aggregates[RANKING].ready
    ranking_allowed = 1.0 if ranking_ready else 1 - ranking
    with_summary = summary * ranking_allowed if facts.aggregates[SUMMARY].ready else 0.0
    ranking_only = ranking if ranking_ready else 0.0
    breakdown_only = (1 - ranking) * total if facts.aggregates[BREAKDOWN].ready else 0.0
    return with_summary, (1 - summary) * (ranking_only + breakdown_only)


def calibrate_routes(raw: Mapping[str, float], temperature: float, biases: Sequence[float]) -> dict[str, float]:
    """Vector scaling: log-probabilities times ``temperature`` plus a bias a route (in the order of `ROUTES`), renormalised.

    A route that is impossible stays so.
    """
    scaled = [
        exp(temperature * log(q if q > _FLOOR else _FLOOR) + b) if q > 0 else 0.0
        for q, b in zip([raw[r] for r in ROUTES], biases, strict=True)
    ]
    total = sum(scaled)
    return {r: s / total for r, s in zip(ROUTES, scaled, strict=True)}
