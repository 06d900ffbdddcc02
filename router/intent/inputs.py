"""What comes from outside beside the query: the conversation's state and the repository. Whatever is missing, unknown or broken has a default.

A broken field never refuses a query: it is left out and named in ``problems``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from models.heads import INTENTS
from router.intent.contract import ANCHOR_TYPES, PlanAnchor

MOST_REMEMBERED = 24
"""Anchors that a state keeps; the latest stay."""

MOST_CHARS = 1000
"""Code points of an anchor's value or a path that are taken from outside."""

MOST_PATHS = 20_000
"""Paths of a repository's structure that are looked at."""


class StateAnchor(NamedTuple):
    """An anchor of an earlier turn; ``turn`` counts from 1."""

    type: str
    value: str
    subtype: str
    confidence: float
    turn: int


class _GivenAnchor(BaseModel):
    """`StateAnchor` as it comes from outside."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    type: str
    value: str = Field(min_length=1, max_length=MOST_CHARS)
    subtype: str = ""
    confidence: float = Field(default=0.5, ge=0, le=1)
    turn: int = Field(default=0, ge=0)

    @field_validator("type")
    @classmethod
    def _known_type(cls, value: str) -> str:
        if value not in ANCHOR_TYPES:
            raise ValueError(f"{value!r} is not one of {', '.join(ANCHOR_TYPES)}")
        return value


@dataclass(frozen=True, slots=True)
class ConversationState:
    """``turns``: turns so far. ``anchors``: what they named, earliest first."""

    active_intent: str | None = None
    turns: int = 0
    anchors: tuple[StateAnchor, ...] = ()
    problems: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """What is passed back with the next query."""
        return {
            "active_intent": self.active_intent,
            "turns": self.turns,
            "anchors": [a._asdict() for a in self.anchors],
        }


@dataclass(frozen=True, slots=True)
class RepoContext:
    """``available_layers`` None: not said, so all of the catalogue. ``paths``: the repository's files, where its structure is given."""

    languages: tuple[str, ...] = ()
    available_layers: frozenset[str] | None = None
    paths: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


@dataclass(slots=True)
class _Reading:
    problems: list[str] = field(default_factory=list)

    def strings(self, given: Any, name: str) -> list[str]:
        """A list of short strings; one string stands for itself."""
        if given is None:
            return []
        if isinstance(given, str):
            given = [given]
        if not isinstance(given, (list, tuple, set, frozenset)):
            self.problems.append(f"{name}: a {type(given).__name__}, not a list")
            return []
        good = [s for s in given if isinstance(s, str) and 0 < len(s) <= MOST_CHARS]
        if len(good) != len(given):
            self.problems.append(f"{name}: {len(given) - len(good)} entries are no short strings")
        return good


EMPTY_STATE = ConversationState()
EMPTY_REPO = RepoContext()


def read_state(given: Any) -> ConversationState:
    """The state of a conversation; None and {} are a conversation that has not begun."""
    if not given:
        return (
            EMPTY_STATE
            if given is None or isinstance(given, Mapping)
            else ConversationState(problems=("conversation_state: not an object",))
        )
    if not isinstance(given, Mapping):
        return ConversationState(problems=(f"conversation_state: a {type(given).__name__}, not an object",))
    reading = _Reading()
    active = given.get("active_intent")
    if active is not None and active not in INTENTS:
        reading.problems.append(f"active_intent: {str(active)[:60]!r} is not one of {', '.join(INTENTS)}")
        active = None
    turns = given.get("turns", 0)
    if not isinstance(turns, int) or isinstance(turns, bool) or not 0 <= turns < 10**9:
        reading.problems.append("turns: not a count")
        turns = 0
    anchors: list[StateAnchor] = []
    listed = given.get("anchors") or []
    if not isinstance(listed, (list, tuple)):
        reading.problems.append("anchors: not a list")
        listed = []
    for entry in listed[-MOST_REMEMBERED:]:
        try:
            a = _GivenAnchor.model_validate(entry)
            anchors.append(StateAnchor(a.type, a.value, a.subtype, a.confidence, a.turn))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            reading.problems.append(f"anchors: {'.'.join(str(p) for p in first['loc'])} {first['msg']}")
    return ConversationState(active, turns, tuple(anchors), tuple(reading.problems))


def read_repo(given: Any) -> RepoContext:
    """What is known of the repository; None and {} are one of which nothing is known. What was read before is taken as it is."""
    if isinstance(given, RepoContext):
        return given
    if not given:
        return (
            EMPTY_REPO
            if given is None or isinstance(given, Mapping)
            else RepoContext(problems=("repo_context: not an object",))
        )
    if not isinstance(given, Mapping):
        return RepoContext(problems=(f"repo_context: a {type(given).__name__}, not an object",))
    reading = _Reading()
    languages = reading.strings(given.get("languages", given.get("language")), "languages")
    layers: frozenset[str] | None = None
    named = given.get("available_layers", given.get("layers"))
    if named is not None:
        if isinstance(named, Mapping):
            named = [k for k, v in named.items() if v]
        layers = frozenset(reading.strings(named, "available_layers"))
    paths = tuple(_paths(given.get("structure"), reading))
    return RepoContext(tuple(languages), layers, paths, tuple(reading.problems))


def _paths(structure: Any, reading: _Reading) -> list[str]:
    """Paths of a structure given as a list of paths or as nested objects."""
    if structure is None:
        return []
    if isinstance(structure, (list, tuple)):
        return reading.strings(structure[:MOST_PATHS], "structure")
    if not isinstance(structure, Mapping):
        reading.problems.append(f"structure: a {type(structure).__name__}, not paths")
        return []
    found: list[str] = []
    pending: list[tuple[str, Any]] = [("", structure)]
    while pending and len(found) < MOST_PATHS:
        prefix, node = pending.pop()
        if isinstance(node, Mapping):
            pending += [
                (f"{prefix}{name}/", child) for name, child in reversed(list(node.items())) if isinstance(name, str)
            ]
            if prefix:
                found.append(prefix)
        elif isinstance(node, (list, tuple)):
            pending += [
                (prefix, child) if isinstance(child, (Mapping, list)) else (f"{prefix}{child}/", None)
                for child in node
                if isinstance(child, (str, Mapping, list))
            ]
        elif prefix:
            found.append(prefix.rstrip("/"))
    return [p for p in found if len(p) <= MOST_CHARS]


def remembered(state: ConversationState, anchors: list[PlanAnchor], turn: int) -> tuple[StateAnchor, ...]:
    """Anchors for the next state: those before and those of this turn, each thing once, the latest last."""
    latest: dict[tuple[str, str], StateAnchor] = {(a.type, a.value): a for a in state.anchors}
    for a in anchors:
        key = (a.type, a.value[:MOST_CHARS])
        latest.pop(key, None)
        latest[key] = StateAnchor(a.type, key[1], a.subtype, a.confidence, turn)
    return tuple(latest.values())[-MOST_REMEMBERED:]
