"""``parsed_intent``: what a parser before the router may already know. Keys that nobody here reads are kept for the log."""

from __future__ import annotations

import calendar
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from models.heads import QUESTION_CLASSES


@dataclass(frozen=True, slots=True)
class NamedPeriod:
    """First and last day, both included."""

    start: date
    end: date


@dataclass(frozen=True, slots=True)
class ParsedIntent:
    """``objects`` as given; ``entity_kinds`` None where the question itself is to say; ``unknown`` keys; ``problems``, a sentence each."""

    parsed_class: str | None = None
    confidence: float | None = None
    period: NamedPeriod | None = None
    objects: tuple[Mapping[str, Any], ...] = ()
    entity_kinds: tuple[str, ...] | None = None
    unknown: Mapping[str, Any] = field(default_factory=dict)
    problems: tuple[str, ...] = ()

    @property
    def pins_object(self) -> bool:
        """Whether one object is named beyond doubt: by a number, a GUID or a line."""
        return any(_PINNING & set(o) for o in self.objects)

    @property
    def object_names(self) -> list[str]:
        """Each object's own name for a record: its kind and what pins it."""
        return [
            " ".join(str(o[k]) for k in ("kind", *sorted(_PINNING), "name", "code") if k in o) for o in self.objects
        ]

    def class_evidence(self) -> dict[str, float]:
        """Log-odds by class against a uniform guess; empty without a class and a confidence."""
        if self.parsed_class is None or self.confidence is None:
            return {}
        sure = min(max(self.confidence, 0.01), 0.99)
        others = (1 - sure) / (len(QUESTION_CLASSES) - 1)
        return {
            c: math.log((sure if c == self.parsed_class else others) * len(QUESTION_CLASSES)) for c in QUESTION_CLASSES
        }


_PINNING = frozenset(("document_number", "number", "guid", "ref", "line_number"))
_KNOWN = frozenset(("parsed_class", "confidence", "period", "objects", "entity_kinds"))


def read_parsed_intent(given: Mapping[str, Any] | None) -> ParsedIntent:
    """Read what is readable; a value of the wrong form is left out and named in ``problems``, never raised."""
    if not given:
        return _NOTHING
    if not isinstance(given, Mapping):
        return ParsedIntent(problems=(f"parsed_intent is {type(given).__name__}, not an object",))
    problems: list[str] = []
    parsed_class = given.get("parsed_class")
    if parsed_class is not None and parsed_class not in QUESTION_CLASSES:
        problems.append(f"parsed_class {parsed_class!r} is not one of {', '.join(QUESTION_CLASSES)}")
        parsed_class = None
    confidence = given.get("confidence")
    if confidence is not None and not (
        isinstance(confidence, int | float) and not isinstance(confidence, bool) and 0 <= confidence <= 1
    ):
        problems.append(f"confidence {confidence!r} is not a probability")
        confidence = None
    objects = given.get("objects") or ()
    if not (isinstance(objects, list | tuple) and all(isinstance(o, Mapping) for o in objects)):
        problems.append("objects is not a list of objects")
        objects = ()
    kinds = given.get("entity_kinds")
    if kinds is not None and not (isinstance(kinds, list | tuple) and all(isinstance(k, str) for k in kinds)):
        problems.append("entity_kinds is not a list of names")
        kinds = None
    period = None
    if given.get("period") is not None:
        period = _read_period(given["period"])
        if period is None:
            problems.append(f"period {given['period']!r} is neither {{start, end}} nor a month YYYY-MM")
    return ParsedIntent(
        parsed_class=parsed_class,
        confidence=float(confidence) if confidence is not None else None,
        period=period,
        objects=tuple(objects),
        entity_kinds=tuple(kinds) if kinds is not None else None,
        unknown={k: v for k, v in given.items() if k not in _KNOWN},
        problems=tuple(problems),
    )


_NOTHING = ParsedIntent()


def _read_period(given: object) -> NamedPeriod | None:
    try:
        if isinstance(given, str):
            if len(given) == 7:
                year, month = int(given[:4]), int(given[5:])
                return NamedPeriod(date(year, month, 1), date(year, month, calendar.monthrange(year, month)[1]))
            day = date.fromisoformat(given[:10])
            return NamedPeriod(day, day)
        if isinstance(given, Mapping):
            start, end = (date.fromisoformat(str(given[k])[:10]) for k in ("start", "end"))
            return NamedPeriod(start, end) if start <= end else None
    except (ValueError, KeyError, calendar.IllegalMonthError):
        return None
    return None
