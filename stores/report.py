"""What a load saw: counts, period, references that lead nowhere, refusals."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

SHOWN_REFUSALS = 200


@dataclass(frozen=True, slots=True)
class Refusal:
    """A file (``position`` None) or a record of it that cannot be taken, by its place in the file counted from 1."""

    file: str
    position: int | None
    entity: str
    reason: str

    def __str__(self) -> str:
        place = self.file if self.position is None else f"{self.file}, record {self.position}"
        return f"{place}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Unresolved:
    """References of one column that are not in the snapshot: how many, and one of them."""

    table: str
    column: str
    target: str
    count: int
    example: str


@dataclass(slots=True)
class LoadReport:
    """``entities`` counts records as they stood in the files, ``rows`` what the canonical tables got of them, ``cut`` names what 1C
    counted and the files do not hold.
    """

    folder: str
    files: int = 0
    entities: dict[str, int] = field(default_factory=dict)
    rows: dict[str, int] = field(default_factory=dict)
    other_entities: list[str] = field(default_factory=list)
    repeated: dict[str, int] = field(default_factory=dict)
    period_start: str | None = None
    period_end: str | None = None
    first_moment: str | None = None
    last_moment: str | None = None
    unresolved: list[Unresolved] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)
    refused_count: int = 0
    unknown_accounts: int = 0
    cut: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def refuse(self, file: str, position: int | None, entity: str, reason: str) -> None:
        """Note a refusal; beyond `SHOWN_REFUSALS` they are only counted."""
        self.refused_count += 1
        if len(self.refused) < SHOWN_REFUSALS:
            self.refused.append(Refusal(file, position, entity, reason))

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)
