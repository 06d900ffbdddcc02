"""What training needs to know of routes, without knowing how they are chosen: implemented by the router."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from features.analysis import Analysis


class RouteJudge(Protocol):
    """Routes that flags lead to, for questions under one store state."""

    def situations(self, analyses: Sequence[Analysis]) -> list[Any]:
        """What of each question, beside its flags, a route depends on; equal ones may be one object."""
        ...

    def route(self, situation: Any, flags: int, out_of_scope: bool, uncertain: bool) -> str:
        """Route for the learned flags set in the bits of ``flags``, in the order of `models.heads.LEARNED_FLAGS`."""
        ...

    def probabilities(self, situation: Any, flags: Mapping[str, float], out_of_scope: float) -> dict[str, float]:
        """Uncalibrated probability of each route."""
        ...
