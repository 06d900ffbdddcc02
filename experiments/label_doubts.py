"""Labels that cross-validation doubts, for a person to look at: candidates, never corrections.

Confident learning (Northcutt et al. 2021, by cleanlab) over probabilities from models that saw neither the question nor its author, for the class and each flag.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from models.heads import LEARNED_FLAGS, QUESTION_CLASSES
from training.dataset import Example
from training.fit import OutOfFold

CLASS = "question_class"


@dataclass(frozen=True)
class Doubt:
    """One label of one question. ``confidence``: out-of-fold probability of the label as it stands; the less, the more doubtful."""

    example: Example
    head: str
    label: str
    suggested: str
    confidence: float

    def to_dict(self) -> dict[str, Any]:
        """A line for review."""
        e = self.example
        return {
            "where": e.where,
            "id": e.id,
            "text": e.text,
            "head": self.head,
            "label": self.label,
            "suggested": self.suggested,
            "confidence": round(self.confidence, 4),
            "question_class": e.question_class,
            "flags": list(e.flags),
        }


def label_doubts(examples: Sequence[Example], found: OutOfFold) -> list[Doubt]:
    """Doubtful labels, the most doubtful first."""
    doubts = list(_of_head(examples, CLASS, QUESTION_CLASSES, [e.question_class for e in examples], found.classes))
    for i, flag in enumerate(LEARNED_FLAGS, 1):
        p = found.binary[:, i]
        labels = ["true" if flag in e.flags else "false" for e in examples]
        doubts += _of_head(examples, flag, ("false", "true"), labels, np.column_stack([1 - p, p]))
    return sorted(doubts, key=lambda d: (d.confidence, d.example.id, d.head))


def _of_head(
    examples: Sequence[Example],
    head: str,
    names: Sequence[str],
    labels: Sequence[str],
    probabilities: npt.NDArray[np.float64],
) -> Iterator[Doubt]:
    from cleanlab.filter import find_label_issues

    places = np.array([names.index(label) for label in labels])
    if np.unique(places).size < 2:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about classes that are rare
        ranked = find_label_issues(places, probabilities, return_indices_ranked_by="self_confidence", n_jobs=1)
    for i in ranked.tolist():
        yield Doubt(
            examples[i], head, labels[i], names[int(probabilities[i].argmax())], float(probabilities[i, places[i]])
        )
