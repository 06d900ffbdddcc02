"""Guards proved over every assignment: section 8 literally, section 6 on the composed path."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from router.contracts import FLAG_NAMES, RouteDecisionFlags, Scope, StoreSufficiencyResult
from router.question_router import QuestionRouter
from router.route_selector import GUARDS, choose_route, fired_guard
from router.store_sufficiency import (
    BREAKDOWN,
    RANKING,
    SUMMARY,
    AggregateFact,
    StoreFacts,
    needed_aggregates,
    sufficiency_from_facts,
)

SUFFICIENCY_NAMES = (
    "canonical_sufficient",
    "feature_sufficient",
    "risk_sufficient",
    "freshness_ok",
    "aggregate_level_ok",
    "ranking_ready",
    "explanation_ready",
)


def section_8(flags: RouteDecisionFlags, suff: StoreSufficiencyResult) -> str:
    """The source's own code, transcribed."""
    if flags.needs_exact_object_trace:
        return "live_mcp_drilldown"
    if flags.needs_full_period_aggregation or flags.needs_ranking or flags.needs_anomaly_summary:
        if not (flags.precomputed_aggregate_available and suff.freshness_ok and suff.aggregate_level_ok):
            return "batch_refresh_then_store"
    if flags.needs_cross_entity_join and flags.needs_causal_chain:
        if not suff.explanation_ready:
            return "hybrid_store_plus_live"
    if (
        suff.feature_sufficient
        and not flags.needs_runtime_truth
        and (flags.needs_anomaly_summary or flags.parsed_as_trend_or_risk)
    ):
        return "store_feature_risk"
    if suff.canonical_sufficient and not flags.needs_causal_chain:
        return "store_canonical"
    return "hybrid_store_plus_live"


def all_flags() -> list[RouteDecisionFlags]:
    return [
        RouteDecisionFlags(**dict(zip(FLAG_NAMES, values, strict=True)))
        for values in itertools.product((False, True), repeat=len(FLAG_NAMES))
    ]


def test_choose_route_is_section_8_on_every_assignment_and_every_guard_decides_somewhere() -> None:
    sufficiencies = [
        StoreSufficiencyResult(**dict(zip(SUFFICIENCY_NAMES, v, strict=True)))
        for v in itertools.product((False, True), repeat=7)
    ]
    fired: set[str] = set()
    for flags in all_flags():
        for suff in sufficiencies:
            guard = fired_guard(flags, suff)
            assert section_8(flags, suff) == guard.route
            fired.add(guard.name)
    assert fired == {g.name for g in GUARDS}


def facts_space() -> Iterator[StoreFacts]:
    """Every combination of the facts that sufficiency reads; equal roles (grain and grouping, incomplete and uncovered) are varied together."""
    ready, missing = AggregateFact(True, True, True), AggregateFact(False, False, False)
    wrong_level, stale = AggregateFact(True, False, True), AggregateFact(True, True, False)
    for covered, age_ok, canonical, feature, risk, kinds, built, explained in itertools.product(
        (True, False), repeat=8
    ):
        for ranking, summary in ((missing, missing), (ready, ready), (missing, ready), (wrong_level, stale)):
            yield StoreFacts(
                trusted=True, complete=covered, period_covered=covered, kinds_loaded=kinds, groupings_built=built, grain_built=built, risk_levels_built=built,
                canonical_current=canonical, feature_current=feature, risk_current=risk, age_ok=age_ok, open_period=False,
                aggregates={RANKING: ranking, SUMMARY: summary, BREAKDOWN: ranking}, explanations=explained, evidence=_EVERY_CODE,
            )  # fmt: skip


_EVERY_CODE: dict[str, str] = {}


def composed(learned: tuple[bool, ...], facts: StoreFacts) -> tuple[RouteDecisionFlags, StoreSufficiencyResult]:
    names = [n for n in FLAG_NAMES if n not in ("store_sufficiency_confident", "precomputed_aggregate_available")]
    flags = RouteDecisionFlags(
        **dict(zip(names, learned, strict=True)),
        store_sufficiency_confident=facts.confident,
        precomputed_aggregate_available=False,
    )
    needed = needed_aggregates(flags)
    available = bool(needed) and all(facts.aggregates[k].available for k in needed)
    flags = replace(flags, precomputed_aggregate_available=available)
    return flags, sufficiency_from_facts(flags, facts)


def test_section_6_holds_on_the_composed_path() -> None:
    """Each «Запрещён / Разрешён / Обязателен» of section 6, over flags and facts together."""
    space = list(facts_space())
    chosen: set[str] = set()
    for learned in itertools.product((False, True), repeat=10):
        for facts in space:
            flags, suff = composed(learned, facts)
            route = choose_route(flags, suff)
            chosen.add(route)
            kinds = needed_aggregates(flags)
            confirmed = (
                bool(kinds)
                and all(facts.aggregates[k] == AggregateFact(True, True, True) for k in kinds)
                and facts.fresh(flags.freshness_sensitive)
            )
            # 6.1 and 6.5: exact trace has priority; heavy without a confirmed fresh aggregate must go to batch, and nothing else may
            assert (route == "live_mcp_drilldown") == flags.needs_exact_object_trace
            assert (route == "batch_refresh_then_store") == (
                flags.heavy and not flags.needs_exact_object_trace and not confirmed
            )
            if route == "store_canonical":  # 6.3
                assert not (
                    flags.needs_causal_chain
                    or flags.needs_runtime_truth
                    or flags.heavy
                    or flags.needs_exact_object_trace
                )
                assert not (flags.parsed_as_trend_or_risk or flags.ambiguous_object_scope)
                assert facts.confident
                assert facts.canonical_current
                assert facts.kinds_loaded
            if route == "store_feature_risk":  # 6.4
                assert flags.parsed_as_trend_or_risk or flags.needs_anomaly_summary
                assert not flags.needs_runtime_truth
                assert facts.confident
                assert confirmed or not flags.heavy
            light = not flags.heavy and not flags.needs_exact_object_trace
            if (
                light and flags.needs_cross_entity_join and flags.needs_causal_chain and not suff.explanation_ready
            ):  # 6.2
                assert route == "hybrid_store_plus_live"
    assert chosen == {g.route for g in GUARDS}


@pytest.mark.parametrize("text", ["Какая завтра погода", "Write me a poem about spring"])
def test_no_route_is_decided_before_any_guard(
    router: QuestionRouter, reference_store: dict[str, Any], text: str
) -> None:
    decision = router.route(text, reference_store)
    assert decision.route == "no_route"
    assert decision.no_route_reason == "out_of_scope"
    assert set(decision.log.rejected_routes.values()) == {"out_of_scope"}


def test_no_route_wins_over_every_flag(router: QuestionRouter, reference_store: dict[str, Any]) -> None:
    """A class known to be out of scope refuses even a question with a pinned object."""
    text = "Покажи движения по накладной № 0000-000555"
    assert router.route(text, reference_store).route == "live_mcp_drilldown"
    scope_head_shift = {"parsed_class": "out_of_scope", "confidence": 0.99}
    before = router.route(text, reference_store).log.out_of_scope_probability
    assert router.route(text, reference_store, scope_head_shift).log.out_of_scope_probability > before
    joined = replace_threshold(router, 0.0).route(text, reference_store)
    assert joined.flags["needs_exact_object_trace"]
    assert (joined.route, joined.no_route_reason) == ("no_route", "out_of_scope")


def replace_threshold(router: QuestionRouter, value: float) -> QuestionRouter:
    """The same router, to whose scope head everything is out of scope from ``value`` on."""
    return QuestionRouter(replace(router.bundle, thresholds={**router.bundle.thresholds, "scope": value}))


@pytest.mark.parametrize(
    ("changes", "suffices", "expected"),
    [
        ({"needs_exact_object_trace": True, "needs_runtime_truth": True}, {}, "live_mcp_drilldown"),
        ({"needs_ranking": True, "needs_full_period_aggregation": True}, {}, "batch_refresh_then_store"),
        (
            {"needs_anomaly_summary": True, "precomputed_aggregate_available": True},
            {"freshness_ok": True, "aggregate_level_ok": True, "feature_sufficient": True},
            "store_feature_risk",
        ),
        (
            {"needs_cross_entity_join": True, "needs_causal_chain": True},
            {"canonical_sufficient": True},
            "hybrid_store_plus_live",
        ),
        ({"parsed_as_trend_or_risk": True}, {"feature_sufficient": True}, "store_feature_risk"),
        ({}, {"canonical_sufficient": True}, "store_canonical"),
        ({}, {}, "hybrid_store_plus_live"),
    ],
)
def test_each_route_has_its_guard(changes: dict[str, bool], suffices: dict[str, bool], expected: str) -> None:
    flags = RouteDecisionFlags(**{**dict.fromkeys(FLAG_NAMES, False), **changes}, scope=Scope())
    suff = StoreSufficiencyResult(**{**dict.fromkeys(SUFFICIENCY_NAMES, False), **suffices})
    assert expected == choose_route(flags, suff)
