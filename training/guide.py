"""The labelling guide as checks: what a set of labels may not say, and the route that labels imply under the reference store."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from training.dataset import Example

HEAVY_FLAGS = frozenset(("needs_full_period_aggregation", "needs_ranking", "needs_anomaly_summary"))


class Rule(NamedTuple):
    """``broken`` answers true where an example contradicts the guide; ``says`` is the guide's sentence, ``fix`` the way to mend."""

    name: str
    says: str
    fix: str
    broken: Callable[[str, frozenset[str]], bool]


RULES: tuple[Rule, ...] = (
    Rule("out-of-scope-bare", "out_of_scope has every flag false (rule 11)", "drop the flags or change the class", lambda c, f: c == "out_of_scope" and bool(f)),
    Rule("trace-is-drilldown", "one pinned object is asked for exactly in drilldown_explain", "set needs_exact_object_trace or change the class", lambda c, f: ("needs_exact_object_trace" in f) != (c == "drilldown_explain")),
    Rule("trace-needs-truth", "an exact trace always has needs_runtime_truth (rule 1)", "add needs_runtime_truth", lambda _, f: "needs_exact_object_trace" in f and "needs_runtime_truth" not in f),
    Rule("link-needs-join", "cross_entity has needs_cross_entity_join (rule 3)", "add needs_cross_entity_join or change the class", lambda c, f: c == "cross_entity" and "needs_cross_entity_join" not in f),
    Rule("why-with-fault", "a cross_entity question of trend or risk is a why-question, with a causal chain (rule 4)", "add needs_causal_chain or drop parsed_as_trend_or_risk", lambda c, f: c == "cross_entity" and "parsed_as_trend_or_risk" in f and "needs_causal_chain" not in f),
    Rule("heavy-has-reason", "heavy_analytical has aggregation, ranking or summary (rule 5)", "add the one that is asked for", lambda c, f: c == "heavy_analytical" and not f & HEAVY_FLAGS),
    Rule("heavy-only", "aggregation, ranking and summary belong to heavy_analytical", "drop them or change the class", lambda c, f: c != "heavy_analytical" and bool(f & HEAVY_FLAGS)),
    Rule("summary-aggregates", "an overview has both aggregation and summary (rule 5)", "add needs_full_period_aggregation", lambda _, f: "needs_anomaly_summary" in f and "needs_full_period_aggregation" not in f),
    Rule("trend-or-risk", "every trend_anomaly and heavy_analytical question is parsed_as_trend_or_risk", "add parsed_as_trend_or_risk", lambda c, f: c in ("trend_anomaly", "heavy_analytical") and "parsed_as_trend_or_risk" not in f),
    Rule("trend-is-no-join", "a difference between registers is trend_anomaly, not a join (rule 7)", "drop needs_cross_entity_join or change the class", lambda c, f: c == "trend_anomaly" and "needs_cross_entity_join" in f),
    Rule("unclear-is-ambiguous", "ambiguous_object_scope stands always and only with class ambiguous", "set both or neither", lambda c, f: ("ambiguous_object_scope" in f) != (c == "ambiguous")),
    Rule("fact-is-plain", "simple_factual has no chain, join, trend or risk", "drop the flag or change the class", lambda c, f: c == "simple_factual" and bool(f & {"needs_causal_chain", "needs_cross_entity_join", "parsed_as_trend_or_risk"})),
    Rule("trace-is-no-trend", "a trace is no trend or risk", "drop parsed_as_trend_or_risk", lambda c, f: c == "drilldown_explain" and "parsed_as_trend_or_risk" in f),
)  # fmt: skip


def broken_rules(example: Example) -> list[Rule]:
    """Rules that the labels of ``example`` break."""
    flags = frozenset(example.flags)
    return [rule for rule in RULES if rule.broken(example.question_class, flags)]


def route_by_guide(question_class: str, flags: frozenset[str], other_period: bool, ready_summary: bool) -> str:
    """Expected route under the reference store: the guide's table, row by row."""
    if question_class == "out_of_scope":
        return "no_route"
    if "needs_exact_object_trace" in flags:
        return "live_mcp_drilldown"
    if flags & HEAVY_FLAGS:
        return "store_feature_risk" if ready_summary else "batch_refresh_then_store"
    if {"needs_cross_entity_join", "needs_causal_chain"} <= flags:
        return "hybrid_store_plus_live"
    from_store = "needs_runtime_truth" not in flags and not other_period
    if "parsed_as_trend_or_risk" in flags and from_store:
        return "store_feature_risk"
    plain = question_class == "simple_factual" or (
        question_class == "cross_entity" and "needs_causal_chain" not in flags
    )
    if plain and from_store and "ambiguous_object_scope" not in flags:
        return "store_canonical"
    return "hybrid_store_plus_live"
