"""Why one question took another route: a flag, a threshold, a guard, or the store.

Both decisions are known by their records. Start from everything of the first, put parts of the second in its place, and see which smallest set of parts gives
the second's route: the probabilities (``flag``), the thresholds and uncertain bands (``threshold``), the fallback's limit with its route scaling
or a revision of the guards (``guard``), the store metadata with what the question's words come to under it (``store``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from models.bundle import Bundle
from models.heads import LEARNED_FLAGS, SCOPE_HEAD
from models.scorer import Scores
from router.contracts import Scope
from router.question_router import QuestionRouter
from router.store_metadata import read_metadata

PARTS = ("flag", "threshold", "store", "guard")
_HEADS = (SCOPE_HEAD, *LEARNED_FLAGS)


@dataclass(frozen=True, slots=True)
class Blame:
    """``causes``: the smallest set of parts that makes the change, mostly one; ``detail`` names heads, limits or facts."""

    causes: tuple[str, ...]
    detail: str


class Blamer:
    """Blames changes between two bundles. Keeps a router for every mix of their numbers."""

    def __init__(self, before: Bundle, after: Bundle) -> None:
        self._bundles = (before, after)
        self._routers: dict[tuple[bool, bool], QuestionRouter] = {}

    def blame(self, before: Mapping[str, Any], after: Mapping[str, Any]) -> Blame:
        """Cause of the change between two records of one question that differ in route."""
        if unread := [r["decided_by"] for r in (before, after) if not r["row"]]:
            return (
                Blame(("store",), unread[0])
                if before["store_version"] != after["store_version"]
                else Blame(("guard",), unread[0])
            )
        target = after["chosen_route"]
        base, moved = self._route(before, after, frozenset()), self._route(before, after, frozenset(PARTS))
        if base != before["chosen_route"] or moved != target:
            revisions = f"{before['guard_revision']} -> {after['guard_revision']}"
            return Blame(("guard",), f"rules changed between the records, {revisions}")
        for size in range(1, len(PARTS) + 1):
            for parts in combinations(PARTS, size):
                if self._route(before, after, frozenset(parts)) == target:
                    return Blame(parts, "; ".join(self._detail(p, before, after, parts) for p in parts))
        raise AssertionError("all parts together give the second route")

    def _route(
        self,
        before: Mapping[str, Any],
        after: Mapping[str, Any],
        parts: frozenset[str],
        heads: frozenset[str] | None = None,
        limits: frozenset[str] | None = None,
    ) -> str:
        """Route with ``parts`` of the second side; only ``heads`` of its probabilities and ``limits`` of its thresholds where given."""
        scored = _scores(before, after, heads) if "flag" in parts else _scores(before, before, None)
        place = after if "store" in parts else before
        router = (
            self._router("threshold" in parts, "guard" in parts)
            if limits is None
            else QuestionRouter(self._mixed("threshold" in parts, "guard" in parts, limits))
        )
        route, _ = router.route_for(scored, Scope.from_dict(place["scope"]), read_metadata(place["store_metadata"]))
        return route

    def _router(self, thresholds: bool, guard: bool) -> QuestionRouter:
        key = (thresholds, guard)
        if key not in self._routers:
            self._routers[key] = QuestionRouter(self._mixed(thresholds, guard, None))
        return self._routers[key]

    def _mixed(self, thresholds: bool, guard: bool, limits: frozenset[str] | None) -> Bundle:
        first, second = self._bundles
        chosen, fallback = (second if thresholds else first), (second if guard else first)
        stated = dict(first.thresholds) | {k: v for k, v in chosen.thresholds.items() if limits is None or k in limits}
        kept = {k: fallback.limits[k] for k in ("route_scaling", "route_probability")}
        return replace(
            first, thresholds=stated, limits={**kept, "uncertain_bands": chosen.limits.get("uncertain_bands", {})}
        )

    def _detail(self, part: str, before: Mapping[str, Any], after: Mapping[str, Any], parts: tuple[str, ...]) -> str:
        if part == "flag":
            return ", ".join(
                f"{h} {_probability(before, h):.3f} -> {_probability(after, h):.3f}"
                for h in self._least_heads(before, after, parts)
            )
        if part == "threshold":
            first, second = self._bundles
            moved = self._least_thresholds(before, after, parts)
            return (
                ", ".join(f"threshold of {h} {first.thresholds[h]:.2f} -> {second.thresholds[h]:.2f}" for h in moved)
                or "uncertain bands"
            )
        if part == "store":
            return _store_change(before, after)
        first, second = self._bundles
        return f"limit of the fallback {first.limits['route_probability']:.2f} -> {second.limits['route_probability']:.2f}, route scaling"

    def _least_heads(
        self, before: Mapping[str, Any], after: Mapping[str, Any], parts: tuple[str, ...]
    ) -> tuple[str, ...]:
        """The fewest heads, those that moved farthest first, whose probabilities alone are enough."""
        farthest = sorted(_HEADS, key=lambda h: -abs(_probability(after, h) - _probability(before, h)))
        for heads in _subsets(farthest):
            if self._route(before, after, frozenset(parts), heads=frozenset(heads)) == after["chosen_route"]:
                return heads
        return tuple(farthest)

    def _least_thresholds(
        self, before: Mapping[str, Any], after: Mapping[str, Any], parts: tuple[str, ...]
    ) -> tuple[str, ...]:
        first, second = self._bundles
        differing = [h for h in _HEADS if first.thresholds[h] != second.thresholds[h]]
        for heads in _subsets(differing):
            if self._route(before, after, frozenset(parts), limits=frozenset(heads)) == after["chosen_route"]:
                return heads
        return tuple(differing)


def _subsets(names: list[str], most: int = 3) -> Iterator[tuple[str, ...]]:
    for size in range(1, min(most, len(names)) + 1):
        yield from combinations(names, size)


def _probability(record: Mapping[str, Any], head: str) -> float:
    return float(record["out_of_scope_probability"] if head == SCOPE_HEAD else record["flag_probabilities"][head])


def _scores(before: Mapping[str, Any], after: Mapping[str, Any], heads: frozenset[str] | None) -> Scores:
    """Probabilities of ``after``, or of ``before`` with only ``heads`` of ``after``."""
    binary = {h: _probability(after if heads is None or h in heads else before, h) for h in _HEADS}
    return Scores(dict(after["class_probabilities"]), binary)


def _store_change(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """What the stores say differently, by reason code."""
    old, new = (set(r["sufficiency_snapshot"].get("reason_codes", ())) for r in (before, after))
    said = [f"no longer {c}" for c in sorted(old - new)] + [f"now {c}" for c in sorted(new - old)]
    facts = [
        f
        for f in ("precomputed_aggregate_available", "store_sufficiency_confident")
        if before["decision_flags"][f] != after["decision_flags"][f]
    ]
    return (
        ", ".join([*said, *(f"{f} {str(after['decision_flags'][f]).lower()}" for f in facts)]) or "scope read otherwise"
    )
