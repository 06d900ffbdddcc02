"""Whether a turn keeps the conversation's intent: one logistic regression over the heads' log-odds and the turn's cues.

Its probability is calibrated by being fitted on out-of-fold log-odds; the limit from which the intent is kept is learned beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, log
from typing import Any, NamedTuple

from models.heads import INTENTS


class Kept(NamedTuple):
    """``probability`` that the active intent is kept; ``other``: the likeliest of the rest; ``contributions``: log-odds by feature, for evidence."""

    probability: float
    keeps: bool
    other: str
    contributions: dict[str, float]


def keep_features(logits: Sequence[float], active: str, cues: Sequence[str]) -> dict[str, float]:
    """Features by name. ``logits``: calibrated log-odds in the order of `models.heads.INTENT_HEADS`."""
    place = INTENTS.index(active)
    own, leans, turn = logits[:4], logits[4], logits[5:9]
    lead = _log_softmax(own)
    features = {
        "own_margin": lead[place] - max(v for i, v in enumerate(lead) if i != place),
        "turn_margin": turn[place] - max(v for i, v in enumerate(turn) if i != place),
        "leans": leans,
        f"active:{active}": 1.0,
        f"leans&{active}": leans,
    }
    features.update(dict.fromkeys(cues, 1.0))
    return features


def likeliest_other(logits: Sequence[float], active: str) -> str:
    """The intent other than ``active`` that the turn speaks for most, by its own words and as a turn."""
    lead, turn = _log_softmax(logits[:4]), logits[5:9]
    return max((i for i in INTENTS if i != active), key=lambda i: lead[INTENTS.index(i)] + turn[INTENTS.index(i)])


class TurnPolicy:
    """The learned policy of one bundle: ``limits["turn_policy"]`` with ``bias``, ``weights`` by feature, ``limit``."""

    def __init__(self, learned: Mapping[str, Any]) -> None:
        self.bias: float = learned["bias"]
        self.weights: Mapping[str, float] = learned["weights"]
        self.limit: float = learned["limit"]

    def judge(self, logits: Sequence[float], active: str, cues: Sequence[str]) -> Kept:
        """Whether ``active`` is kept."""
        weights = self.weights
        parts = {name: weights.get(name, 0.0) * value for name, value in keep_features(logits, active, cues).items()}
        z = self.bias + sum(parts.values())
        probability = 1.0 / (1.0 + exp(-min(max(z, -50.0), 50.0)))
        return Kept(probability, probability >= self.limit, likeliest_other(logits, active), parts)


def _log_softmax(values: Sequence[float]) -> list[float]:
    highest = max(values)
    total = log(sum(exp(v - highest) for v in values)) + highest
    return [v - total for v in values]
