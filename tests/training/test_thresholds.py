"""Thresholds follow what mistakes cost: what is answered too cheaply costs more than what is answered too well."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from models.heads import LEARNED_FLAGS, SCOPE_HEAD
from training.thresholds import CostSearch, Decided, least_route_probability, misroute_cost, surely_cheaper

ROUTES = (
    "no_route",
    "store_canonical",
    "store_feature_risk",
    "hybrid_store_plus_live",
    "batch_refresh_then_store",
    "live_mcp_drilldown",
)
TRACE, TREND = "needs_exact_object_trace", "parsed_as_trend_or_risk"


@pytest.mark.parametrize(
    ("needed", "costs"),
    [
        # chosen:                    none  fact  risk  hybrid batch live
        ("no_route",                 (0.0, 1.5, 1.5, 1.5, 1.5, 1.5)),
        ("store_canonical",          (1.5, 0.0, 1.0, 1.0, 1.0, 1.0)),
        ("store_feature_risk",       (1.5, 1.5, 0.0, 1.0, 1.0, 1.0)),
        ("hybrid_store_plus_live",   (1.5, 1.5, 1.5, 0.0, 1.0, 1.0)),
        ("batch_refresh_then_store", (1.5, 1.5, 1.5, 1.5, 0.0, 1.0)),
        ("live_mcp_drilldown",       (1.5, 1.5, 1.5, 1.5, 1.0, 0.0)),
    ],
)  # fmt: skip
def test_cost_of_every_misroute(needed: str, costs: tuple[float, ...]) -> None:
    """A slower right answer costs one, a wrong one, a refused question or an answered outsider one and a half."""
    assert costs == tuple(misroute_cost(needed, chosen) for chosen in ROUTES)


class Judge:
    """Out of scope is refused, a trace goes live, what is uncertain or not covered is a hybrid, trend or risk is of the feature store, the rest are facts."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, int, bool, bool]] = []

    def situations(self, analyses: Sequence[Any]) -> list[str]:
        return ["anywhere"] * len(analyses)

    def route(self, situation: str, flags: int, out_of_scope: bool, uncertain: bool) -> str:
        self.asked.append((situation, flags, out_of_scope, uncertain))
        true = {f for bit, f in enumerate(LEARNED_FLAGS) if flags >> bit & 1}
        if out_of_scope:
            return "no_route"
        if TRACE in true:
            return "live_mcp_drilldown"
        if uncertain or situation == "not covered":
            return "hybrid_store_plus_live"
        return "store_feature_risk" if TREND in true else "store_canonical"

    def probabilities(self, situation: str, flags: Mapping[str, float], out_of_scope: float) -> dict[str, float]:
        raise NotImplementedError


Question = tuple[Mapping[str, float], str]
"""Probabilities that are not 0.01, and the route that it needs."""


def search_over(questions: Sequence[Question], deciding: Sequence[str] = (), judge: Judge | None = None) -> CostSearch:
    p = np.full((len(questions), 1 + len(LEARNED_FLAGS)), 0.01)
    for row, (stated, _) in zip(p, questions, strict=True):
        for head, value in stated.items():
            row[(SCOPE_HEAD, *LEARNED_FLAGS).index(head)] = value
    judge = judge or Judge()
    return CostSearch(judge, judge.situations(questions), p, [needed for _, needed in questions], deciding)


def at(value: float, **others: float) -> dict[str, float]:
    return dict.fromkeys((SCOPE_HEAD, *LEARNED_FLAGS), value) | others


SURE: list[Question] = [
    ({}, "store_canonical"),
    ({TREND: 0.95}, "store_feature_risk"),
    ({TRACE: 0.95}, "live_mcp_drilldown"),
    ({SCOPE_HEAD: 0.95, TRACE: 0.95}, "no_route"),
]


def test_routes_are_those_of_the_flags_above_their_thresholds() -> None:
    search = search_over([({TREND: 0.6}, "store_feature_risk"), *SURE])
    sure = [needed for _, needed in SURE]
    assert ["store_feature_risk", *sure] == search.routes(at(0.5))
    assert ["store_feature_risk", *sure] == search.routes(at(0.5, **{TREND: 0.6}))
    assert ["store_canonical", *sure] == search.routes(at(0.5, **{TREND: 0.61}))
    assert (0.0, 1.5 / 5) == (search.cost(at(0.5)), search.cost(at(0.5, **{TREND: 0.61})))


def test_the_judge_is_asked_with_one_bit_a_flag_in_their_order_and_once_for_each_case() -> None:
    """Two questions alike in all that a route depends on are one case."""
    judge = Judge()
    first, last = LEARNED_FLAGS[0], LEARNED_FLAGS[-1]
    questions: list[Question] = [
        ({first: 0.9}, "no_route"),
        ({last: 0.9}, "no_route"),
        ({last: 0.8}, "no_route"),
        ({SCOPE_HEAD: 0.9}, "no_route"),
        ({last: 0.52}, "no_route"),
    ]
    search = search_over(questions, [last], judge)
    search.routes(at(0.5), 0.05)
    search.routes(at(0.5), 0.05)
    expected = [
        ("anywhere", 1, False, False),
        ("anywhere", 1 << 9, False, False),
        ("anywhere", 0, True, False),
        ("anywhere", 1 << 9, False, True),
    ]
    assert sorted(expected) == sorted(judge.asked)


def test_each_question_is_judged_in_its_own_situation() -> None:
    class Covered(Judge):
        def situations(self, analyses: Sequence[Any]) -> list[str]:
            return ["covered" if i % 2 else "not covered" for i in range(len(analyses))]

    search = search_over([({}, "store_canonical")] * 3, judge=Covered())
    assert ["hybrid_store_plus_live", "store_canonical", "hybrid_store_plus_live"] == search.routes(at(0.5))


def half_sure(live: int, plain: int) -> list[Question]:
    """Questions at 0.4 for a trace: ``live`` that need one, ``plain`` that do not, among ones that are sure."""
    unsure = {TRACE: 0.4}
    return [*SURE * 3, *[(unsure, "live_mcp_drilldown")] * live, *[(unsure, "store_canonical")] * plain]


def test_the_dearer_downcast_moves_the_threshold_down_to_where_it_helps() -> None:
    """Left as facts, 90 downcasts cost 135; sent live, 91 upcasts cost 91: more are misrouted, and it is cheaper.

    Of 193 questions the mean gain is 44 / 193 = 0.228, its standard error sqrt(293.5 / 193 - 0.228²) / sqrt(193) = 0.087.
    """
    decided = search_over(half_sure(live=90, plain=91)).decide()
    assert at(0.5, **{TRACE: 0.4}) == decided.thresholds
    assert pytest.approx(91 / 193) == decided.cost


@pytest.mark.parametrize(
    ("live", "plain"), [(20, 22), (4, 6), (5, 8), (0, 3)], ids=["not surely", "as dear", "dearer", "for nothing"]
)
def test_a_threshold_stays_where_moving_it_does_not_surely_save(live: int, plain: int) -> None:
    """20 and 22: the mean gain is 8 / 54 = 0.148, two standard errors 0.300."""
    decided = search_over(half_sure(live, plain)).decide()
    assert at(0.5) == decided.thresholds
    assert pytest.approx(1.5 * live / (12 + live + plain)) == decided.cost


def test_upcasts_alone_move_the_threshold_up_just_past_them() -> None:
    decided = search_over([*SURE * 3, *[({TRACE: 0.6}, "store_canonical")] * 4]).decide()
    assert Decided(at(0.5, **{TRACE: 0.65}), {}, 0.0) == decided


def asked_with(good: int, doubted: int, outside: int) -> list[Question]:
    """``good`` questions that nobody doubts, ``doubted`` good ones at 0.42, ``outside`` ones that no route answers at 0.47."""
    return [
        *[({SCOPE_HEAD: 0.01}, "store_canonical")] * good,
        *[({SCOPE_HEAD: 0.42}, "store_canonical")] * doubted,
        *[({SCOPE_HEAD: 0.47}, "no_route")] * outside,
    ]


@pytest.mark.parametrize(
    ("good", "doubted", "outside", "expected"),
    [
        (1000, 0, 0, 0.5),  # nothing to catch: a probability means what it says
        (1000, 0, 5, 0.45),  # the nearest to 0.5 that catches all five
        (990, 10, 5, 0.45),  # 0.40 would refuse ten for nothing
        (50, 0, 5, 0.45),
    ],
)
def test_as_many_are_refused_as_the_tolerance_for_good_ones_allows(
    good: int, doubted: int, outside: int, expected: float
) -> None:
    assert expected == search_over(asked_with(good, doubted, outside)).decide().thresholds[SCOPE_HEAD]


@pytest.mark.parametrize(
    ("wrongly", "expected"),
    [
        (28, 0.3),  # 0.028 + 2 * sqrt(0.028 * 0.972 / 1000) = 0.0384
        (30, 0.5),  # 0.030 + 2 * sqrt(0.030 * 0.970 / 1000) = 0.0408: not surely within 0.04
    ],
)
def test_good_questions_refused_stay_surely_within_the_tolerance(wrongly: int, expected: float) -> None:
    questions: list[Question] = [
        *[({SCOPE_HEAD: 0.01}, "store_canonical")] * (1000 - wrongly),
        *[({SCOPE_HEAD: 0.33}, "store_canonical")] * wrongly,
        *[({SCOPE_HEAD: 0.33}, "no_route")] * 9,
    ]
    assert expected == search_over(questions).decide().thresholds[SCOPE_HEAD]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ((1.0, 1.0), (0.0, 0.0), True),
        ((1.0, 0.0), (0.0, 0.0), False),  # 0.5 against 2 * 0.5 / sqrt(2) = 0.707
        ((1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0), False),  # 0.25 against 2 * sqrt(0.25 - 0.0625) / 2 = 0.433
        ((1.0, 1.0, 1.0, 0.0), (0.0, 0.0, 0.0, 0.0), True),  # 0.75 against 2 * sqrt(0.75 - 0.5625) / 2 = 0.433
        ((1.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0), False),  # 0.25 against 2 * sqrt(0.75 - 0.0625) / 2 = 0.829
        ((1.5, 0.0), (0.0, 1.0), False),  # 0.25 against 2 * 1.25 / sqrt(2)
        ((1.0, 0.0), (1.0, 0.0), False),
        ((0.0, 0.0), (1.0, 1.0), False),
    ],
)
def test_surely_cheaper_is_by_more_than_two_standard_errors(
    before: tuple[float, ...], after: tuple[float, ...], expected: bool
) -> None:
    assert expected == surely_cheaper(np.array(after), than=np.array(before))


def near_the_threshold(needed: str) -> list[Question]:
    return [*SURE * 3, *[({TREND: p}, needed) for p in (0.47, 0.48, 0.52, 0.53)]]


def test_a_band_opens_where_what_is_uncertain_needs_more_than_a_store() -> None:
    """On either side of the threshold a store is a downcast: the band of 0.05 takes all four, that of 0.02 none."""
    decided = search_over(near_the_threshold("hybrid_store_plus_live"), [TREND]).decide()
    assert Decided(at(0.5), {TREND: [0.45, 0.55]}, 0.0) == decided


@pytest.mark.parametrize(
    ("needed", "deciding"),
    [("store_feature_risk", [TREND]), ("hybrid_store_plus_live", ["needs_ranking"])],
    ids=["the store is right", "another flag decides"],
)
def test_no_band_opens_where_it_saves_nothing(needed: str, deciding: list[str]) -> None:
    assert {} == search_over(near_the_threshold(needed), deciding).decide().bands


HYBRID, FACT, RISK, LIVE = "hybrid_store_plus_live", "store_canonical", "store_feature_risk", "live_mcp_drilldown"


@pytest.mark.parametrize(
    ("questions", "expected"),
    [
        # (needed, chosen, probability of the chosen route)
        ([(FACT, FACT, 0.9), *[(HYBRID, FACT, 0.22)] * 6], 0.25),
        ([(FACT, FACT, 0.9), *[(HYBRID, RISK, 0.38)] * 6, *[(HYBRID, FACT, 0.22)] * 6], 0.4),
        ([(FACT, FACT, 0.3), *[(HYBRID, FACT, 0.3)] * 8], 0.35),
        ([(FACT, FACT, 0.3), (HYBRID, FACT, 0.3)], 0.0),
        ([(FACT, FACT, 0.3), (FACT, FACT, 0.3), (HYBRID, FACT, 0.3)], 0.0),
        ([(FACT, FACT, 0.1), (RISK, RISK, 0.2)], 0.0),
        ([(HYBRID, LIVE, 0.1)], 0.0),
        ([(HYBRID, FACT, 0.6)], 0.0),
    ],
    ids=[
        "the least that helps",
        "as far as it helps",
        "one upcast is surely cheaper than eight downcasts",
        "one is not surely cheaper than one",
        "two upcasts are dearer",
        "right ones stay",
        "only stores are replaced",
        "what is sure stays",
    ],
)
def test_the_fallback_replaces_a_store_route_below_the_cheapest_limit(
    questions: Sequence[tuple[str, str, float]], expected: float
) -> None:
    needed, chosen, probability = zip(*questions, strict=True)
    assert expected == least_route_probability(needed, chosen, probability, HYBRID, frozenset((FACT, RISK)))
