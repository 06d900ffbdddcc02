"""Rows to calibrated probabilities: one fused product for all heads.

Calibration (Platt 1999) is linear before its link, so training folds it into the weights: a question costs one gather and one sum.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import exp
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from features.vectoriser import Row
from models.bundle import Bundle

Logits = npt.NDArray[np.float32]


class Scores(NamedTuple):
    """Calibrated probabilities by name; ``classes`` sums to one."""

    classes: dict[str, float]
    binary: dict[str, float]


class Scorer:
    """Scores rows with the weights of one bundle. Holds no state that changes: threads may share it."""

    def __init__(self, bundle: Bundle) -> None:
        self._weights = bundle.weights
        self._bias = bundle.bias
        self._rates = bundle.class_rates
        self._classes = bundle.heads.classes
        self._binary = bundle.heads.binary

    def logits(self, row: Row) -> Logits:
        """Calibrated log-odds, float32 [heads]: classes before the softmax, binary heads before the sigmoid."""
        blocks = [block for block in row if block.size]
        if not blocks:
            return self._bias.copy()
        starts = [0]
        for block in blocks[:-1]:
            starts.append(starts[-1] + block.size)
        parts = np.add.reduceat(self._weights.take(np.concatenate(blocks), axis=0), starts, axis=0)
        parts /= np.sqrt(parts[:, -1:])
        total: Logits = np.add.reduce(parts, axis=0)[:-1]
        total += self._bias
        return total

    def contributions(self, row: Row, head: int) -> dict[int, float]:
        """What each feature of ``row`` adds to the log-odds of column ``head``; with the bias they sum to `logits` exactly (to rounding)."""
        found: dict[int, float] = {}
        for block in row:
            if block.size:
                part = self._weights.take(block, axis=0)
                scale = float(np.sqrt(part[:, -1].sum()))
                for feature, weight in zip(block.tolist(), part[:, head].tolist(), strict=True):
                    found[feature] = found.get(feature, 0.0) + weight / scale
        return found

    def scores(self, row: Row, class_evidence: Mapping[str, float] | None = None) -> Scores:
        """Probabilities of all heads.

        ``class_evidence``: log-odds by class, known from elsewhere than the text. They move the class head as they are, and each binary
        head by as much as the classes' rates of it move.
        """
        values = self.logits(row).tolist()
        size = len(self._classes)
        classes = _softmax(values[:size])
        binary = values[size:]
        if class_evidence:
            told = _softmax([z + class_evidence.get(c, 0.0) for c, z in zip(self._classes, values, strict=False)])
            before, after = self._rates @ np.array(classes), self._rates @ np.array(told)
            binary = (np.array(binary) + np.log(after / (1 - after)) - np.log(before / (1 - before))).tolist()
            classes = told
        return Scores(
            dict(zip(self._classes, classes, strict=True)),
            {
                h: 1.0 / (1.0 + exp(-z if z > -_FARTHEST else _FARTHEST))
                for h, z in zip(self._binary, binary, strict=True)
            },
        )


_FARTHEST = 700.0
"""Log-odds beyond which ``exp`` overflows."""


def _softmax(values: list[float]) -> list[float]:
    highest = max(values)
    raw = [exp(z - highest) for z in values]
    total = sum(raw)
    return [q / total for q in raw]
