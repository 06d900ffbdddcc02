"""The unified result that every route executor returns."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

Status = Literal["ok", "empty", "partial", "error"]
ResultType = Literal["list", "summary", "object", "chain", "ranking"]


@dataclass(frozen=True, slots=True)
class UnifiedResult:
    """What one fragment's executor found.

    ``items`` and ``summary`` hold the fields that the route's contract lists, always all of them, null where unknown. ``evidence`` refers to
    records by kind and reference; ``errors`` are sentences that say what to do next. ``fragment_id`` is stamped by the dispatch.
    """

    route: str
    status: Status
    result_type: ResultType
    items: list[dict[str, Any]] = field(default_factory=list)
    summary: dict[str, Any] = field(default_factory=dict)
    evidence: list[dict[str, Any]] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    fragment_id: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The result as a JSON object."""
        return asdict(self)
