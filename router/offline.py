"""Routes for many candidate flag assignments of the same questions: what threshold search and calibration ask for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from features.analysis import Analysis
from models.heads import LEARNED_FLAGS
from router.contracts import Scope
from router.parsed_intent import read_parsed_intent
from router.route_probability import guard_probabilities
from router.route_selector import choose_route
from router.scope import read_scope
from router.store_metadata import read_metadata
from router.store_sufficiency import StoreFacts, judged_flags, read_facts, sufficiency_from_facts


class ReferenceJudge:
    """Judges routes under one store state; the route itself comes from `choose_route`."""

    def __init__(self, store_metadata: Mapping[str, Any]) -> None:
        self._read = read_metadata(store_metadata)

    def situations(self, analyses: Sequence[Analysis]) -> list[tuple[Scope, StoreFacts]]:
        """Scope and store facts of each question."""
        intent = read_parsed_intent(None)
        scopes = [read_scope(a, intent, self._read.covered, self._read.today) for a in analyses]
        known: dict[Scope, tuple[Scope, StoreFacts]] = {}
        return [known.setdefault(scope, (scope, read_facts(scope, self._read))) for scope in scopes]

    def route(self, situation: tuple[Scope, StoreFacts], flags: int, out_of_scope: bool, uncertain: bool) -> str:
        """See `training.judge.RouteJudge`."""
        if out_of_scope:
            return "no_route"
        scope, facts = situation
        learned = {name: bool(flags >> bit & 1) for bit, name in enumerate(LEARNED_FLAGS)}
        shape = judged_flags(learned, facts, scope, uncertain)
        return choose_route(shape, sufficiency_from_facts(shape, facts))

    def probabilities(
        self, situation: tuple[Scope, StoreFacts], flags: Mapping[str, float], out_of_scope: float
    ) -> dict[str, float]:
        """See `training.judge.RouteJudge`."""
        scope, facts = situation
        return guard_probabilities(flags, out_of_scope, facts, facts.confident, scope.subject)
