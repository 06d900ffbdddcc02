"""Sufficiency: every field of the metadata moves the fact that depends on it, and broken metadata never gives a store route."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest

from router.contracts import FLAG_NAMES, STORE_ROUTES, RouteDecisionFlags, Scope
from router.question_router import QuestionRouter
from router.route_selector import choose_route
from router.store_metadata import read_metadata
from router.store_sufficiency import check_store_sufficiency, read_facts

JUNE = (date(2020, 6, 1), date(2020, 6, 30))


def shape(scope: Scope | None = None, **flags: bool) -> RouteDecisionFlags:
    return RouteDecisionFlags(
        **{**dict.fromkeys(FLAG_NAMES, False), "store_sufficiency_confident": True, **flags}, scope=scope or Scope()
    )


FACT = shape(Scope(entity_kinds=("document",), levels=("document",)))
TREND = shape(Scope(entity_kinds=("account",), levels=("account",), time_grain="week"), parsed_as_trend_or_risk=True)
POSTING_SUMMARY = shape(
    Scope(periods=(JUNE,), entity_kinds=("posting",), levels=("posting",)),
    needs_full_period_aggregation=True, needs_anomaly_summary=True, parsed_as_trend_or_risk=True, precomputed_aggregate_available=True,
)  # fmt: skip
RANKING = shape(
    Scope(entity_kinds=("counterparty",), levels=("counterparty",)),
    needs_ranking=True,
    needs_full_period_aggregation=True,
    parsed_as_trend_or_risk=True,
)
CHAIN = shape(needs_causal_chain=True, needs_cross_entity_join=True)


def put(metadata: dict[str, Any], path: str, value: object) -> dict[str, Any]:
    changed = copy.deepcopy(metadata)
    *parents, last = path.split(".")
    at: Any = changed
    for key in parents:
        at = at[int(key)] if key.isdigit() else at[key]
    if value is REMOVED:
        del at[last]
    else:
        at[last] = value
    return changed


REMOVED = object()

# field, new value, question, fact, value of the fact under the reference, value after the change, reason code that must appear
FIELDS: list[tuple[str, object, RouteDecisionFlags, str, bool, bool, str]] = [
    (
        "as_of",
        "2020-07-03T06:00:00+03:00",
        shape(freshness_sensitive=True),
        "canonical_sufficient",
        True,
        False,
        "data_too_old",
    ),
    ("snapshot.snapshot_id", "2020-06@2", FACT, "canonical_sufficient", True, False, "canonical_stale"),
    ("snapshot.period.start", "2020-06-10", POSTING_SUMMARY, "feature_sufficient", True, False, "period_not_covered"),
    ("snapshot.period.end", "2020-06-20", POSTING_SUMMARY, "feature_sufficient", True, False, "period_not_covered"),
    (
        "snapshot.data_as_of",
        "2020-06-20T12:00:00+03:00",
        POSTING_SUMMARY,
        "feature_sufficient",
        True,
        False,
        "period_not_covered",
    ),
    (
        "snapshot.loaded_at",
        "2020-07-01T02:06:00+03:00",
        FACT,
        "canonical_sufficient",
        True,
        False,
        "metadata_contradictory",
    ),
    ("snapshot.complete", False, FACT, "canonical_sufficient", True, False, "snapshot_incomplete"),
    ("snapshot.entity_kinds", ["posting", "account"], FACT, "canonical_sufficient", True, False, "entity_kind_missing"),
    ("stores.canonical.run_id", REMOVED, FACT, "canonical_sufficient", True, False, "metadata_broken"),
    ("stores.canonical.snapshot_id", "2020-05@1", FACT, "canonical_sufficient", True, False, "canonical_stale"),
    (
        "stores.canonical.built_at",
        "2020-07-01T01:00:00+03:00",
        FACT,
        "canonical_sufficient",
        True,
        False,
        "metadata_contradictory",
    ),
    ("stores.feature.run_id", REMOVED, TREND, "feature_sufficient", True, False, "metadata_broken"),
    ("stores.feature.snapshot_id", "2020-05@1", TREND, "feature_sufficient", True, False, "feature_stale"),
    (
        "stores.feature.built_at",
        "2020-07-02T01:00:00+03:00",
        TREND,
        "feature_sufficient",
        True,
        False,
        "metadata_contradictory",
    ),
    ("stores.feature.groupings", ["posting"], TREND, "feature_sufficient", True, False, "grouping_missing"),
    ("stores.feature.time_grains", ["day"], TREND, "feature_sufficient", True, False, "time_grain_missing"),
    ("stores.risk.run_id", "risk-0002", POSTING_SUMMARY, "freshness_ok", True, False, "summary_aggregate_stale"),
    ("stores.risk.snapshot_id", "2020-05@1", TREND, "risk_sufficient", True, False, "risk_stale"),
    (
        "stores.risk.built_at",
        "2020-07-01T02:30:00+03:00",
        POSTING_SUMMARY,
        "freshness_ok",
        True,
        False,
        "metadata_contradictory",
    ),
    ("stores.risk.levels", ["posting"], TREND, "risk_sufficient", True, False, "risk_level_missing"),
    ("aggregates.0.kind", "ranking", POSTING_SUMMARY, "aggregate_level_ok", True, False, "summary_aggregate_missing"),
    ("aggregates.0.level", "company", POSTING_SUMMARY, "aggregate_level_ok", True, False, "summary_level_missing"),
    (
        "aggregates.0.subject",
        "revenue",
        POSTING_SUMMARY,
        "aggregate_level_ok",
        True,
        False,
        "summary_aggregate_missing",
    ),
    (
        "aggregates.0.period.start",
        "2020-06-15",
        POSTING_SUMMARY,
        "aggregate_level_ok",
        True,
        False,
        "summary_aggregate_missing",
    ),
    (
        "aggregates.0.period.end",
        "2020-06-15",
        POSTING_SUMMARY,
        "aggregate_level_ok",
        True,
        False,
        "summary_aggregate_missing",
    ),
    (
        "aggregates.0.source_run_id",
        "risk-0000",
        POSTING_SUMMARY,
        "freshness_ok",
        True,
        False,
        "summary_aggregate_stale",
    ),
    (
        "aggregates.0.built_at",
        "2020-07-01T02:14:00+03:00",
        POSTING_SUMMARY,
        "freshness_ok",
        True,
        False,
        "metadata_contradictory",
    ),
    ("explanations.materialised", True, CHAIN, "explanation_ready", False, True, ""),
    (
        "freshness.max_age_hours",
        3,
        shape(freshness_sensitive=True),
        "canonical_sufficient",
        True,
        False,
        "data_too_old",
    ),
    ("timezone", "Mars/Olympus", FACT, "canonical_sufficient", True, False, "metadata_broken"),
]


@pytest.mark.parametrize(
    ("field", "value", "question", "fact", "before", "after", "code"), FIELDS, ids=[f"{r[0]}-{r[3]}" for r in FIELDS]
)
def test_a_changed_field_changes_the_fact_that_depends_on_it(
    reference_store: dict[str, Any],
    field: str,
    value: object,
    question: RouteDecisionFlags,
    fact: str,
    before: bool,
    after: bool,
    code: str,
) -> None:
    assert before is getattr(check_store_sufficiency(question, reference_store), fact)
    result = check_store_sufficiency(question, put(reference_store, field, value))
    assert after is getattr(result, fact)
    if code:
        assert code in result.reason_codes
        assert result.evidence[code]


def leaves(node: Any, path: str = "") -> Iterator[str]:
    if isinstance(node, dict):
        for key, value in node.items():
            yield from leaves(value, f"{path}.{key}" if path else key)
    elif isinstance(node, list) and node and isinstance(node[0], dict):
        for i, value in enumerate(node):
            yield from leaves(value, f"{path}.{i}")
    else:
        yield path


def test_the_walk_leaves_out_no_field(reference_store: dict[str, Any]) -> None:
    assert set(leaves(reference_store)) == {row[0] for row in FIELDS}


def test_the_time_zone_decides_which_day_it_is(reference_store: dict[str, Any]) -> None:
    moved = put(reference_store, "timezone", "America/Los_Angeles")
    assert (date(2020, 7, 1), date(2020, 6, 30)) == (read_metadata(reference_store).today, read_metadata(moved).today)


def test_a_canonical_run_id_is_part_of_the_store_version(reference_store: dict[str, Any]) -> None:
    changed = put(reference_store, "stores.canonical.run_id", "canonical-0002")
    assert read_metadata(reference_store).version != read_metadata(changed).version


def test_a_ready_ranking_of_the_level_makes_ranking_ready(reference_store: dict[str, Any]) -> None:
    assert not check_store_sufficiency(RANKING, reference_store).ranking_ready
    ready = copy.deepcopy(reference_store)
    ready["aggregates"].append(
        {**ready["aggregates"][0], "kind": "ranking", "level": "counterparty", "subject": "risk"}
    )
    result = check_store_sufficiency(RANKING, ready)
    assert result.ranking_ready
    assert result.aggregate_level_ok
    assert result.freshness_ok


def test_an_open_period_needs_young_data(reference_store: dict[str, Any]) -> None:
    """A slice that is still running is held to max_age_hours even where nobody says «сейчас»."""
    running = put(
        put(put(reference_store, "snapshot.period.end", "2020-07-31"), "as_of", "2020-07-05T06:00:00+03:00"),
        "aggregates",
        [],
    )
    running["snapshot"]["data_as_of"] = "2020-07-02T12:00:00+03:00"
    running["snapshot"]["loaded_at"] = "2020-07-02T13:00:00+03:00"
    for store in running["stores"].values():
        store["built_at"] = "2020-07-02T14:00:00+03:00"
    asked = Scope(periods=((date(2020, 7, 1), date(2020, 7, 31)),))
    assert read_facts(asked, read_metadata(running)).open_period
    assert not check_store_sufficiency(shape(asked), running).canonical_sufficient
    assert check_store_sufficiency(shape(Scope(periods=(JUNE,))), running).canonical_sufficient


def test_a_stale_risk_store_does_not_break_plain_facts(reference_store: dict[str, Any]) -> None:
    """Section 15: simple store-only answers stay."""
    stale = put(reference_store, "stores.risk.snapshot_id", "2020-05@1")
    result = check_store_sufficiency(FACT, stale)
    assert result.canonical_sufficient
    assert not result.freshness_ok


def test_a_bounded_question_has_no_ready_aggregate(reference_store: dict[str, Any]) -> None:
    bounded = Scope(periods=(JUNE,), entity_kinds=("posting",), levels=("posting",), filtered=True, objects=("60",))
    facts = read_facts(bounded, read_metadata(reference_store))
    assert not facts.aggregates["summary"].available
    assert "bounded" in facts.evidence["summary_aggregate_missing"]


BROKEN: list[tuple[str, Any, str]] = [
    ("none", None, "metadata_missing"),
    ("empty", {}, "metadata_missing"),
    ("no stores", "stores", "metadata_broken"),
    ("no as_of", "as_of", "metadata_broken"),
    ("no snapshot", "snapshot", "metadata_broken"),
    ("no aggregates", "aggregates", "metadata_broken"),
    ("bad date", ("as_of", "yesterday"), "metadata_broken"),
    ("naive time", ("as_of", "2020-07-01T06:00:00"), "metadata_broken"),
    ("backwards period", ("snapshot.period.end", "2020-05-01"), "metadata_contradictory"),
    ("from the future", ("snapshot.loaded_at", "2021-01-01T00:00:00+03:00"), "metadata_contradictory"),
    ("not json", {"as_of": object()}, "metadata_broken"),
    ("huge number", ("freshness.max_age_hours", 1e400), "metadata_broken"),
]
QUESTIONS = (
    "Остаток по кассе на 12 июня",
    "Динамика возвратов по дням",
    "Топ складов по недостачам",
    "Открой накладную № 0000-000777",
    "Какие акты подписаны 9 июня?",
)


@pytest.mark.parametrize(("change", "code"), [(b[1], b[2]) for b in BROKEN], ids=[b[0] for b in BROKEN])
def test_broken_metadata_leads_to_a_conservative_route_with_its_reason(
    router: QuestionRouter, reference_store: dict[str, Any], change: Any, code: str
) -> None:
    if isinstance(change, str):
        change = put(reference_store, change, REMOVED)
    elif isinstance(change, tuple):
        change = put(reference_store, *change)
    for text in QUESTIONS:
        decision = router.route(text, change)
        assert decision.route not in STORE_ROUTES
        assert code in decision.log.sufficiency_snapshot["reason_codes"]


@pytest.mark.parametrize(
    "period", [("2020-05-01", "2020-05-31"), ("2020-06-15", "2020-07-15"), ("2019-01-01", "2019-12-31")]
)
def test_a_period_outside_the_snapshot_is_named_in_the_evidence(
    reference_store: dict[str, Any], period: tuple[str, str]
) -> None:
    asked = Scope(periods=((date.fromisoformat(period[0]), date.fromisoformat(period[1])),))
    result = check_store_sufficiency(shape(asked), reference_store)
    assert not result.canonical_sufficient
    assert f"asked {period[0]} to {period[1]}" in result.evidence["period_not_covered"]
    assert choose_route(shape(asked), result) == "hybrid_store_plus_live"
