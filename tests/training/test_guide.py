"""The labelling guide, rule by rule and row by row."""

from __future__ import annotations

from typing import Any

import pytest

from training.dataset import Example
from training.guide import RULES, broken_rules, route_by_guide

SHORT = {
    "trace": "needs_exact_object_trace",
    "why": "needs_causal_chain",
    "join": "needs_cross_entity_join",
    "total": "needs_full_period_aggregation",
    "ranking": "needs_ranking",
    "summary": "needs_anomaly_summary",
    "truth": "needs_runtime_truth",
    "fresh": "freshness_sensitive",
    "unclear": "ambiguous_object_scope",
    "trend": "parsed_as_trend_or_risk",
}


def flags(words: str) -> tuple[str, ...]:
    return tuple(SHORT[word] for word in words.split())


def labelled(question_class: str, words: str) -> Example:
    fields: dict[str, Any] = {"question_class": question_class, "flags": flags(words)}
    return Example(id="q", text="?", route="hybrid_store_plus_live", author="a", **fields)


BROKEN = [
    ("out-of-scope-bare", "out_of_scope", "fresh"),
    ("trace-is-drilldown", "drilldown_explain", "truth"),
    ("trace-is-drilldown", "simple_factual", "trace truth"),
    ("trace-needs-truth", "drilldown_explain", "trace"),
    ("link-needs-join", "cross_entity", "why"),
    ("why-with-fault", "cross_entity", "join trend"),
    ("heavy-has-reason", "heavy_analytical", "trend"),
    ("heavy-only", "trend_anomaly", "trend ranking"),
    ("heavy-only", "simple_factual", "total"),
    ("summary-aggregates", "heavy_analytical", "summary trend"),
    ("trend-or-risk", "trend_anomaly", ""),
    ("trend-or-risk", "heavy_analytical", "ranking"),
    ("trend-is-no-join", "trend_anomaly", "trend join"),
    ("unclear-is-ambiguous", "ambiguous", ""),
    ("unclear-is-ambiguous", "simple_factual", "unclear"),
    ("fact-is-plain", "simple_factual", "why"),
    ("fact-is-plain", "simple_factual", "join"),
    ("fact-is-plain", "simple_factual", "trend"),
    ("trace-is-no-trend", "drilldown_explain", "trace truth trend"),
]


@pytest.mark.parametrize(("rule", "question_class", "words"), BROKEN)
def test_labels_that_break_one_rule_are_told_that_rule_alone(rule: str, question_class: str, words: str) -> None:
    assert [rule] == [r.name for r in broken_rules(labelled(question_class, words))]


def test_every_rule_of_the_guide_is_broken_above_and_says_how_to_mend() -> None:
    assert {rule.name for rule in RULES} == {name for name, _, _ in BROKEN}
    assert all(rule.says and rule.fix for rule in RULES)


@pytest.mark.parametrize(
    ("question_class", "words"),
    [
        ("simple_factual", ""),
        ("simple_factual", "fresh"),
        ("simple_factual", "truth"),
        ("drilldown_explain", "trace truth"),
        ("drilldown_explain", "trace why truth"),
        ("cross_entity", "join"),
        ("cross_entity", "join why"),
        ("cross_entity", "join why trend"),
        ("trend_anomaly", "trend"),
        ("trend_anomaly", "trend why"),
        ("heavy_analytical", "total trend"),
        ("heavy_analytical", "ranking trend"),
        ("heavy_analytical", "total summary trend"),
        ("ambiguous", "unclear"),
        ("ambiguous", "unclear trend"),
        ("out_of_scope", ""),
    ],
)
def test_labels_of_the_guide_break_no_rule(question_class: str, words: str) -> None:
    assert [] == broken_rules(labelled(question_class, words))


def test_every_broken_rule_is_named() -> None:
    """A fact with a trace that needs no truth, and a total."""
    expected = ["trace-is-drilldown", "trace-needs-truth", "heavy-only"]
    assert expected == [r.name for r in broken_rules(labelled("simple_factual", "trace total"))]


PLAIN, OTHER_PERIOD, READY = (False, False), (True, False), (False, True)


@pytest.mark.parametrize(
    ("question_class", "words", "asked", "route"),
    [
        # what is not about the company's data
        ("out_of_scope", "", PLAIN, "no_route"),
        ("out_of_scope", "", OTHER_PERIOD, "no_route"),
        # one pinned object, whatever else is asked
        ("drilldown_explain", "trace truth", PLAIN, "live_mcp_drilldown"),
        ("drilldown_explain", "trace why truth", PLAIN, "live_mcp_drilldown"),
        ("drilldown_explain", "trace truth", OTHER_PERIOD, "live_mcp_drilldown"),
        # whole-period work, unless just the ready summary is asked for
        ("heavy_analytical", "total trend", PLAIN, "batch_refresh_then_store"),
        ("heavy_analytical", "ranking trend", PLAIN, "batch_refresh_then_store"),
        ("heavy_analytical", "total summary trend", PLAIN, "batch_refresh_then_store"),
        ("heavy_analytical", "ranking trend", OTHER_PERIOD, "batch_refresh_then_store"),
        ("heavy_analytical", "ranking trend fresh", PLAIN, "batch_refresh_then_store"),
        ("heavy_analytical", "total summary trend", READY, "store_feature_risk"),
        # a link with its reason
        ("cross_entity", "join why", PLAIN, "hybrid_store_plus_live"),
        ("cross_entity", "join why trend", PLAIN, "hybrid_store_plus_live"),
        ("cross_entity", "why", PLAIN, "hybrid_store_plus_live"),
        # trend or risk, from the store while the slice holds it
        ("trend_anomaly", "trend", PLAIN, "store_feature_risk"),
        ("trend_anomaly", "trend why", PLAIN, "store_feature_risk"),
        ("trend_anomaly", "trend", OTHER_PERIOD, "hybrid_store_plus_live"),
        ("trend_anomaly", "trend truth", PLAIN, "hybrid_store_plus_live"),
        ("ambiguous", "unclear trend", PLAIN, "store_feature_risk"),
        # facts and plain links, from the store while the slice holds them
        ("simple_factual", "", PLAIN, "store_canonical"),
        ("simple_factual", "fresh", PLAIN, "store_canonical"),
        ("simple_factual", "", OTHER_PERIOD, "hybrid_store_plus_live"),
        ("simple_factual", "truth", PLAIN, "hybrid_store_plus_live"),
        ("cross_entity", "join", PLAIN, "store_canonical"),
        ("cross_entity", "join", OTHER_PERIOD, "hybrid_store_plus_live"),
        ("cross_entity", "join truth", PLAIN, "hybrid_store_plus_live"),
        # an unclear object, without a hint of risk
        ("ambiguous", "unclear", PLAIN, "hybrid_store_plus_live"),
        ("simple_factual", "unclear", PLAIN, "hybrid_store_plus_live"),
        ("ambiguous", "unclear trend", OTHER_PERIOD, "hybrid_store_plus_live"),
    ],
)
def test_the_route_that_labels_imply(question_class: str, words: str, asked: tuple[bool, bool], route: str) -> None:
    other_period, ready_summary = asked
    assert route == route_by_guide(question_class, frozenset(flags(words)), other_period, ready_summary)
