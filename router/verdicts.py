"""What flags and facts come to: sufficiency, the guard that fires, why not the other routes. Remembered, since a day's questions share few of them."""

from __future__ import annotations

from typing import Any

from models.heads import LEARNED_FLAGS
from router.contracts import RouteDecisionFlags, Scope, StoreSufficiencyResult
from router.decision_log import Reasons, reasons_against
from router.route_selector import Guard, fired_guard
from router.store_metadata import ReadMetadata
from router.store_sufficiency import StoreFacts, judged_flags, read_facts, sufficiency_from_facts

_REMEMBERED = 20_000


class Verdict:
    """One combination of flags and facts. ``flags.scope`` is equal to each question's own, but for the names of its objects."""

    __slots__ = ("_reasons", "facts", "flags", "guard", "scope_values", "sufficiency", "true_flags")

    def __init__(self, flags: RouteDecisionFlags, facts: StoreFacts) -> None:
        self.flags = flags
        self.facts = facts
        self.sufficiency: StoreSufficiencyResult = sufficiency_from_facts(flags, facts)
        self.guard: Guard = fired_guard(flags, self.sufficiency)
        self.true_flags = tuple(name for name, value in flags.to_dict().items() if value)
        self.scope_values: dict[str, Any] = flags.scope.to_dict()
        self._reasons: dict[tuple[str, str], Reasons] = {}

    def reasons(self, chosen: str, decided_by: str) -> Reasons:
        """Candidates and reasons against the rest when ``decided_by`` chose ``chosen``."""
        found = self._reasons.get((chosen, decided_by))
        if found is None:
            found = reasons_against(self.flags, self.sufficiency, chosen, decided_by)
            self._reasons[chosen, decided_by] = found
        return found


class Verdicts:
    """Verdicts already reached; emptied when full. Threads may share it: an entry never changes once written."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], Verdict] = {}

    def verdict(self, scope: Scope, learned: tuple[bool, ...], uncertain: bool, read: ReadMetadata) -> Verdict:
        """Verdict on ``learned`` flags, in the order of `models.heads.LEARNED_FLAGS`. ``uncertain``: a deciding flag is inside its uncertain band."""
        key = (read.version, uncertain, learned, scope.bounds)
        found = self._known.get(key)
        if found is None:
            facts = read_facts(scope, read)
            flags = judged_flags(dict(zip(LEARNED_FLAGS, learned, strict=True)), facts, scope, uncertain)
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            found = self._known[key] = Verdict(flags, facts)
        return found
