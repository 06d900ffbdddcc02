"""Rows to calibrated probabilities: one fused product for all heads.

Calibration (Platt 1999) is linear before its link, so training folds it into the weights: a question costs one gather and one sum.

Weights are read as multiples of 2^-30 and summed in float64, which is exact: the same row gives the same bytes in whatever order or
portions it is summed. That lets the sum over a word's character n-grams be kept, and still a decision replays from its record alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, sqrt
from threading import Lock
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from features.rows import BLOCKS
from features.vectoriser import Row
from models.bundle import Bundle

_UNIT = 2.0**30
"""Weights are multiples of 1 / _UNIT. A question of 4,000 characters sums to less than 2^21, so a sum needs at most 51 of float64's 53 bits."""

_KEPT_WORDS = 20_000
_LONGEST_WORD = 4 * 3 * 42
"""Bytes of the n-gram indices of the longest word; more is no word but the whole block of a record."""


class Scores(NamedTuple):
    """Calibrated probabilities by name, multiples of one millionth, below which sums may differ between processors; ``classes`` sums to one."""

    classes: dict[str, float]
    binary: dict[str, float]


class _Table(NamedTuple):
    """``rows``: the weights of each feature, then a sum a kept word; ``places``: where that of a word's n-gram indices is."""

    rows: npt.NDArray[np.float64]
    places: dict[bytes, int]


class Scorer:
    """Scores rows with the weights of one bundle. Threads may share it: a kept sum never changes, and a full table gives way to a new one."""

    def __init__(self, bundle: Bundle) -> None:
        self._weights = np.rint(bundle.weights.astype(np.float64) * _UNIT) / _UNIT
        self._bias: list[float] = bundle.bias.tolist()
        self._rates = bundle.class_rates
        self._classes = bundle.heads.classes
        self._binary = bundle.heads.binary
        self._adding = Lock()
        self._table = self._empty_table()

    def logits(self, row: Row) -> list[float]:
        """Calibrated log-odds, one a head: classes before the softmax, binary heads before the sigmoid."""
        table = self._table
        kept = self._places(table, row.chars)
        if kept is None:
            return self._logits_of_arrays(row)
        starts = [0] if row.words else []
        if kept:
            starts.append(len(row.words))
        if row.cues:
            starts.append(len(row.words) + len(kept))
        if not starts:
            return self._bias.copy()
        summed = np.add.reduceat(table.rows.take([*row.words, *kept, *row.cues], axis=0), starts, axis=0)
        return self._joined(summed.tolist())

    def logits_of_many(self, rows: Sequence[Row]) -> list[list[float]]:
        """`logits` of each row, the same to the last bit, at a fraction of its time."""
        table = self._table
        found: list[list[float]] = [self._bias] * len(rows)
        together: list[int] = []
        indices: list[int] = []
        starts: list[int] = []
        for number, row in enumerate(rows):
            words, chars, cues = row
            kept = self._places(table, chars) if words and chars and cues else None
            if kept is None:  # a block is missing, or the table was full
                found[number] = self.logits(row)
                continue
            together.append(number)
            for block in (words, kept, cues):
                starts.append(len(indices))
                indices += block
        if together:
            parts = np.add.reduceat(table.rows.take(indices, axis=0), starts, axis=0)
            parts *= 1.0 / np.sqrt(parts[:, -1:])
            total = np.array(self._bias) + parts[0::3, :-1]
            total += parts[1::3, :-1]
            total += parts[2::3, :-1]
            for number, logits in zip(together, total.tolist(), strict=True):
                found[number] = logits
        return found

    def _places(self, table: _Table, chars: list[bytes]) -> list[int] | None:
        """Where ``table`` keeps the sums of words; None where it cannot keep them all."""
        places = table.places
        try:
            return [places[word] for word in chars]
        except KeyError:
            return [places[word] for word in chars] if self._keep(table, chars) else None

    def _joined(self, parts: Sequence[Sequence[float]]) -> list[float]:
        """Log-odds from the sum of each block, in Python: for so few numbers that is quicker than numpy."""
        total = self._bias
        if len(parts) == len(BLOCKS):  # the same sum in one pass
            u, v, w = (1.0 / sqrt(part[-1]) for part in parts)
            return [z + a * u + b * v + c * w for z, a, b, c in zip(total, *parts, strict=False)]
        for part in parts:
            u = 1.0 / sqrt(part[-1])
            total = [z + a * u for z, a in zip(total, part, strict=False)]
        return total

    def _logits_of_arrays(self, row: Row) -> list[float]:
        return self._joined([self._weights.take(b, axis=0).sum(axis=0).tolist() for b in row.arrays() if b.size])

    def _empty_table(self) -> _Table:
        features, width = self._weights.shape
        rows = np.empty((features + _KEPT_WORDS, width))
        rows[:features] = self._weights
        return _Table(rows, {})

    def _keep(self, table: _Table, chars: list[bytes]) -> bool:
        """Put the sums of words not met before into ``table``; False where one is no word, or where the table was full and is replaced."""
        with self._adding:
            for word in chars:
                if word in table.places:
                    continue
                if len(word) > _LONGEST_WORD:
                    return False
                place = len(self._weights) + len(table.places)
                if place == len(table.rows):
                    self._table = self._empty_table()
                    return False
                table.rows[place] = self._weights.take(np.frombuffer(word, np.int32), axis=0).sum(axis=0)
                table.places[word] = place  # only now others may see it
        return True

    def contributions(self, row: Row, head: int) -> dict[int, float]:
        """What each feature of ``row`` adds to the log-odds of column ``head``; with the bias they sum to `logits` exactly (to rounding)."""
        found: dict[int, float] = {}
        for block in row.arrays():
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
        return self._linked(self.logits(row), class_evidence)

    def scores_of_many(self, rows: Sequence[Row], class_evidence: Sequence[Mapping[str, float]]) -> list[Scores]:
        """`scores` of each row."""
        return [self._linked(z, told) for z, told in zip(self.logits_of_many(rows), class_evidence, strict=True)]

    def _linked(self, values: list[float], class_evidence: Mapping[str, float] | None) -> Scores:
        size = len(self._classes)
        classes = _softmax(values[:size])
        binary = values[size:]
        if class_evidence:
            told = _softmax([z + class_evidence.get(c, 0.0) for c, z in zip(self._classes, values, strict=False)])
            before, after = self._rates @ np.array(classes), self._rates @ np.array(told)
            binary = (np.array(binary) + np.log(after / (1 - after)) - np.log(before / (1 - before))).tolist()
            classes = told
        return Scores(
            {c: int(q * _STEPS + 0.5) / _STEPS for c, q in zip(self._classes, classes, strict=True)},
            {
                h: int(_STEPS / (1.0 + exp(-z if z > -_FARTHEST else _FARTHEST)) + 0.5) / _STEPS
                for h, z in zip(self._binary, binary, strict=True)
            },
        )


_STEPS = 1_000_000
_FARTHEST = 700.0
"""Log-odds beyond which ``exp`` overflows."""


def _softmax(values: list[float]) -> list[float]:
    highest = max(values)
    raw = [exp(z - highest) for z in values]
    total = sum(raw)
    return [q / total for q in raw]
