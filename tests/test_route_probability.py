"""Route probabilities: the guards in probabilities, against the guards themselves and against full enumeration."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace

import pytest

from models.heads import LEARNED_FLAGS
from router.contracts import ROUTES, RouteDecisionFlags, Scope
from router.route_probability import calibrate_routes, guard_probabilities
from router.route_selector import choose_route
from router.store_sufficiency import AggregateFact, StoreFacts, needed_aggregates, sufficiency_from_facts

READY, MISSING, STALE = (
    AggregateFact(True, True, True),
    AggregateFact(False, False, False),
    AggregateFact(True, True, False),
)


def facts(seed: int) -> StoreFacts:
    """A random store state."""
    r = random.Random(seed)
    yes = lambda share=0.7: r.random() < share  # noqa: E731  # a coin
    aggregates = {kind: r.choice((READY, MISSING, STALE)) for kind in ("ranking", "summary", "breakdown")}
    return StoreFacts(
        yes(0.9),
        yes(0.9),
        yes(0.9),
        yes(),
        yes(),
        yes(),
        yes(),
        yes(0.9),
        yes(0.9),
        yes(0.9),
        yes(),
        yes(0.3),
        aggregates,
        yes(0.4),
        {},
    )


def route_of(learned: dict[str, bool], state: StoreFacts, scope: Scope) -> str:
    flags = RouteDecisionFlags(
        **learned, store_sufficiency_confident=state.confident, precomputed_aggregate_available=False, scope=scope
    )
    needed = needed_aggregates(flags)
    flags = replace(
        flags, precomputed_aggregate_available=bool(needed) and all(state.aggregates[k].available for k in needed)
    )
    suff = sufficiency_from_facts(flags, replace(state, evidence=dict.fromkeys(_CODES, "x")))
    return choose_route(flags, suff)


_CODES: tuple[str, ...] = ()


@pytest.mark.parametrize("seed", range(40))
def test_certain_flags_give_the_guards_own_route(seed: int) -> None:
    """With every probability 0 or 1, the probability of choose_route's answer is one, over all 1,024 assignments."""
    state = facts(seed)
    scope = Scope(subject="anomaly" if seed % 2 else "revenue")
    for values in itertools.product((False, True), repeat=len(LEARNED_FLAGS)):
        learned = dict(zip(LEARNED_FLAGS, values, strict=True))
        found = guard_probabilities(
            {f: float(v) for f, v in learned.items()}, 0.0, state, state.confident, scope.subject
        )
        assert found[route_of(learned, state, scope)] == pytest.approx(1.0)


@pytest.mark.parametrize("seed", range(12))
def test_the_closed_form_equals_enumeration(seed: int) -> None:
    """For independent flags the worked-through guards equal the sum over all assignments."""
    r = random.Random(1000 + seed)
    state, scope = facts(seed), Scope(subject="anomaly")
    p = {f: r.random() for f in LEARNED_FLAGS}
    outside = r.random() * 0.5
    expected = dict.fromkeys(ROUTES, 0.0)
    expected["no_route"] = outside
    for values in itertools.product((False, True), repeat=len(LEARNED_FLAGS)):
        learned = dict(zip(LEARNED_FLAGS, values, strict=True))
        weight = 1 - outside
        for f, v in learned.items():
            weight *= p[f] if v else 1 - p[f]
        expected[route_of(learned, state, scope)] += weight
    assert guard_probabilities(p, outside, state, state.confident, scope.subject) == pytest.approx(expected)


def test_scaling_keeps_what_is_impossible_impossible() -> None:
    raw = dict.fromkeys(ROUTES, 0.0) | {"store_canonical": 0.9, "no_route": 0.1}
    found = calibrate_routes(raw, 0.8, [0.5, 0.1, -0.2, 0.3, 0.0, -0.1])
    assert sum(found.values()) == pytest.approx(1.0)
    assert found["live_mcp_drilldown"] == 0.0


def test_scaling_by_one_and_nothing_changes_nothing() -> None:
    raw = {r: (i + 1) / 21 for i, r in enumerate(ROUTES)}
    assert calibrate_routes(raw, 1.0, [0.0] * 6) == pytest.approx(raw)
