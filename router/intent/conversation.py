"""Section 3: an intent is kept until a turn says, or plainly shows, that it is about something else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from features.code.reading import CodeReading
from features.code.wordlists import code_words
from models.turn_policy import TurnPolicy
from router.intent.contract import DEFAULT_INTENT

_GREETINGS = code_words("greetings")
_HEADS = code_words("greeting_heads")
_MOST_GREETING_WORDS = 14
_EXPLICIT = frozenset(("another", "in_docs", "in_code"))
"""Concepts by which a turn says that it leaves: another subject, «в документации», "in the code"."""

_SIGNALS = (*sorted(_EXPLICIT), "docs", "write", "docstring", "change_code")


@dataclass(frozen=True, slots=True)
class ModeDecision:
    """Intent and mode of a turn, and why.

    ``reason``: ``no_active_intent``, ``greeting``, ``unreadable``, ``kept``, ``explicit_signal`` (the turn says so) or ``hard_mismatch`` (it cannot be of the
    active intent). ``signals``: concepts of the turn that point to another domain or task. ``kept_probability`` and ``limit`` are None where nothing was to be kept.
    """

    intent: str
    mode: str
    reason: str
    next_active: str | None
    kept_probability: float | None = None
    limit: float | None = None
    signals: tuple[str, ...] = ()
    contributions: dict[str, float] = field(default_factory=dict)

    def evidence(self) -> dict[str, Any]:
        """Plain values for a record; the five weightiest contributions."""
        weighty = sorted(self.contributions.items(), key=lambda item: -abs(item[1]))[:5]
        return {
            "mode": self.mode,
            "reason": self.reason,
            "kept_probability": None if self.kept_probability is None else round(self.kept_probability, 6),
            "limit": self.limit,
            "signals": list(self.signals),
            "contributions": {name: round(value, 4) for name, value in weighty if value},
        }


def is_greeting(reading: CodeReading) -> bool:
    """Whether a turn is a pure greeting or thanks: nothing but words of such, one of which alone would do."""
    if reading.truncated or any(a.type != "KEY_TERM" for a in reading.anchors):
        return False
    words = [p.key for p in reading.pieces]
    if not words or len(words) > _MOST_GREETING_WORDS:
        return False
    return (
        all(w in _GREETINGS for w in words)
        and any(w in _HEADS for w in words)
        and not reading.raw.rstrip().endswith("?")
    )


def decide_mode(
    active: str | None,
    reading: CodeReading,
    likeliest: str,
    logits: Sequence[float],
    cues: Sequence[str],
    policy: TurnPolicy,
) -> ModeDecision:
    """Intent and mode of one turn. ``likeliest``: the class of its words alone."""
    greeting = is_greeting(reading)
    if greeting or not reading.pieces:
        reason = "greeting" if greeting else "unreadable"
        return ModeDecision(active or DEFAULT_INTENT, "CONTINUE" if active else "START", reason, active)
    if active is None:
        return ModeDecision(likeliest, "START", "no_active_intent", likeliest)
    kept = policy.judge(logits, active, cues)
    signals = tuple(c for c in _SIGNALS if c in cues)
    if kept.keeps:
        return ModeDecision(
            active, "CONTINUE", "kept", active, kept.probability, policy.limit, signals, kept.contributions
        )
    reason = "hard_mismatch" if _EXPLICIT.isdisjoint(signals) else "explicit_signal"
    return ModeDecision(
        kept.other, "SWITCH", reason, kept.other, kept.probability, policy.limit, signals, kept.contributions
    )
