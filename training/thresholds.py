"""Thresholds by what their mistakes cost: the misroutes they cause on out-of-fold data, a downcast dearer than an upcast."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from models.heads import LEARNED_FLAGS, ROUTES, SCOPE_HEAD
from training.judge import RouteJudge

_POWER = {
    "no_route": 0,
    "store_canonical": 1,
    "store_feature_risk": 2,
    "hybrid_store_plus_live": 3,
    "batch_refresh_then_store": 4,
    "live_mcp_drilldown": 4,
}
"""How much a route can answer: a question sent below the route that it needs is a downcast."""


DOWNCAST_COST, UPCAST_COST, REFUSED_COST, ANSWERED_COST = 1.5, 1.0, 1.5, 1.5
"""A wrong or missing answer; a slower right one; a good question refused; figures given to a question that they do not answer."""

GRID = tuple(round(0.1 + 0.05 * i, 2) for i in range(17))
BAND_WIDTHS = (0.0, 0.02, 0.05, 0.1)
LIMITS = (0.0, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5)
_ROUNDS = 3
MOST_REFUSED = 0.04
"""Share of good questions that may be refused: what is asked of the router, and as many others as this allows are refused with them."""
Floats = npt.NDArray[np.float64]


_STANDARD_ERRORS = 2.0


def surely_cheaper(costs: Floats, than: Floats) -> bool:
    """Whether ``costs`` of the same questions are lower than those of ``than`` by more than two standard errors of the mean difference: less is noise
    (the standard-error rule of Breiman et al. 1984, at 95 % instead of 68 %).
    """
    gain = than - costs
    return float(gain.mean()) > _STANDARD_ERRORS * float(gain.std()) / float(np.sqrt(gain.size))


def misroute_cost(needed: str, chosen: str) -> float:
    """Cost of sending a question that needs ``needed`` to ``chosen``."""
    if needed == chosen:
        return 0.0
    if needed == "no_route":
        return ANSWERED_COST
    if chosen == "no_route":
        return REFUSED_COST
    return DOWNCAST_COST if _POWER[chosen] < _POWER[needed] else UPCAST_COST


class Decided(NamedTuple):
    """Learned numbers of a router and the mean cost a question that they leave on the data they were chosen on."""

    thresholds: dict[str, float]
    bands: dict[str, list[float]]
    cost: float


class CostSearch:
    """Routes of one out-of-fold data set under any thresholds.

    ``probabilities``: float64 [questions, 1 + learned flags], out of scope first.
    """

    def __init__(
        self,
        judge: RouteJudge,
        situations: Sequence[Any],
        probabilities: Floats,
        needed: Sequence[str],
        deciding: Sequence[str],
    ) -> None:
        self._judge = judge
        distinct: dict[int, int] = {}
        self._numbers = np.array([distinct.setdefault(id(s), len(distinct)) for s in situations], dtype=np.int64)
        self._distinct = {number: situations[int(np.argmax(self._numbers == number))] for number in distinct.values()}
        self._p = probabilities
        self._deciding = [1 + LEARNED_FLAGS.index(f) for f in deciding]
        self._known: dict[int, int] = {}
        self._needed = np.array([ROUTES.index(r) for r in needed])
        self._costs = np.array([[misroute_cost(n, c) for c in ROUTES] for n in ROUTES])

    def _routes(self, thresholds: Mapping[str, float], width: float = 0.0) -> npt.NDArray[np.int64]:
        limits = np.array([thresholds[SCOPE_HEAD], *(thresholds[f] for f in LEARNED_FLAGS)])
        said = self._p >= limits
        uncertain = (np.abs(self._p - limits)[:, self._deciding] < width).any(axis=1)
        bits = 2 + len(LEARNED_FLAGS)
        codes = (self._numbers << bits) | (said.astype(np.int64) << np.arange(1, bits)).sum(axis=1) | uncertain
        distinct, places = np.unique(codes, return_inverse=True)
        return np.array([self._route_of(int(code), bits) for code in distinct], dtype=np.int64)[places]

    def _route_of(self, code: int, bits: int) -> int:
        """Index of the route of one situation, flags, refusal and uncertainty, packed in ``code``."""
        found = self._known.get(code)
        if found is None:
            flags = code >> 2 & (1 << len(LEARNED_FLAGS)) - 1
            found = ROUTES.index(
                self._judge.route(self._distinct[code >> bits], flags, bool(code >> 1 & 1), bool(code & 1))
            )
            self._known[code] = found
        return found

    def routes(self, thresholds: Mapping[str, float], width: float = 0.0) -> list[str]:
        """Route of every question; flags within ``width`` of their threshold are uncertain."""
        return [ROUTES[i] for i in self._routes(thresholds, width)]

    def costs(self, thresholds: Mapping[str, float], width: float = 0.0) -> Floats:
        """Misroute cost of every question."""
        found: Floats = self._costs[self._needed, self._routes(thresholds, width)]
        return found

    def cost(self, thresholds: Mapping[str, float], width: float = 0.0) -> float:
        """Mean cost a question."""
        return float(self.costs(thresholds, width).mean())

    def decide(self, progress: Callable[[], None] = lambda: None) -> Decided:
        """The threshold of refusal, coordinate descent over the flags' thresholds, then the width of the uncertain bands.

        Of the thresholds that are not surely dearer than the cheapest, the one nearest to 0.5, where a calibrated probability says what it means.
        """
        best = {SCOPE_HEAD: self._refusal(), **dict.fromkeys(LEARNED_FLAGS, 0.5)}
        costs = self.costs(best)
        for _ in range(_ROUNDS):
            before = best
            for head in LEARNED_FLAGS:
                tried = {value: self.costs({**best, head: value}) for value in GRID}
                cheapest = min(tried.values(), key=lambda found: float(found.mean()))
                near = [value for value, found in tried.items() if not surely_cheaper(cheapest, found)]
                best = {**best, head: min(near, key=lambda value: (abs(value - 0.5), value))}
                costs = tried[best[head]]
                progress()
            if best == before:
                break
        width = 0.0
        for value in BAND_WIDTHS[1:]:
            found = self.costs(best, value)
            if surely_cheaper(found, costs):
                width, costs = value, found
        return Decided(best, self._bands(best, width), float(costs.mean()))

    def _refusal(self) -> float:
        """The threshold up to 0.5 that catches most, of those that surely, by two standard errors, refuse no more than `MOST_REFUSED` of good questions."""
        outside = self._needed == ROUTES.index("no_route")
        good, bad = self._p[~outside, 0], self._p[outside, 0]

        def allowed(threshold: float) -> bool:
            share = float((good >= threshold).mean()) if good.size else 0.0
            return share + _STANDARD_ERRORS * float(np.sqrt(share * (1 - share) / max(good.size, 1))) <= MOST_REFUSED

        tried = [t for t in GRID if t < 0.5 and allowed(t)]
        return max([*tried, 0.5], key=lambda t: (int((bad >= t).sum()), t))

    def _bands(self, thresholds: Mapping[str, float], width: float) -> dict[str, list[float]]:
        names = [LEARNED_FLAGS[i - 1] for i in self._deciding] if width else []
        return {f: [max(thresholds[f] - width, 0.0), min(thresholds[f] + width, 1.0)] for f in names}


def least_route_probability(
    needed: Sequence[str],
    routes: Sequence[str],
    probability: Sequence[float],
    fallback: str,
    replaceable: frozenset[str],
) -> float:
    """The limit under which ``fallback`` replaces a ``replaceable`` route: the cheapest of `LIMITS`."""

    def costs(limit: float) -> Floats:
        chosen = [fallback if r in replaceable and q < limit else r for r, q in zip(routes, probability, strict=True)]
        return np.array([misroute_cost(n, c) for n, c in zip(needed, chosen, strict=True)])

    best, now = 0.0, costs(0.0)
    for limit in LIMITS[1:]:
        found = costs(limit)
        if surely_cheaper(found, now):
            best, now = limit, found
    return best
