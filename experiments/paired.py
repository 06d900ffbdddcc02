"""Two versions on the same questions: is the difference more than chance?"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb

import numpy as np
import numpy.typing as npt

from training.evaluation import expected_calibration_error

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
ROUNDS = 2000
_ECE_ROUNDS = 300


def mcnemar(a: Bools, b: Bools) -> float:
    """Two-sided exact p-value that neither version is right more often than the other (McNemar 1947): a binomial test of the questions where one alone is right."""
    only_a, only_b = int((a & ~b).sum()), int((b & ~a).sum())
    n = only_a + only_b
    if n == 0:
        return 1.0
    tail = sum(comb(n, k) for k in range(min(only_a, only_b) + 1))
    return min(1.0, float(Fraction(2 * tail, 2**n)))


class Resampling:
    """Questions drawn with replacement, the same draws for both versions (paired bootstrap, Efron 1979); intervals are 95 % percentiles."""

    def __init__(self, questions: int, seed: int = 0) -> None:
        self._size = questions
        self._random = np.random.default_rng(seed)
        self._counts = self._random.multinomial(questions, np.full(questions, 1 / questions), ROUNDS).astype(np.float64)

    def mean_difference(self, a: Bools, b: Bools) -> tuple[float, float]:
        """Interval of the mean of ``b`` minus that of ``a``."""
        return _percentiles(self._counts @ (b.astype(np.float64) - a.astype(np.float64)) / self._size)

    def f1_difference(self, truth: Bools, a: Bools, b: Bools) -> tuple[float, float, float, float]:
        """(F1 of ``a``, F1 of ``b``, low, high of the difference)."""
        once = np.ones((1, self._size))
        drawn = self._f1(self._counts, truth, b) - self._f1(self._counts, truth, a)
        return float(self._f1(once, truth, a)[0]), float(self._f1(once, truth, b)[0]), *_percentiles(drawn)

    @staticmethod
    def _f1(counts: Floats, truth: Bools, said: Bools) -> Floats:
        hits = counts @ (truth & said).astype(np.float64)
        total = counts @ truth.astype(np.float64) + counts @ said.astype(np.float64)
        found: Floats = 2 * hits / np.maximum(total, 1)
        return found

    def ece_difference(self, stated: Sequence[Floats], right: Sequence[Bools]) -> tuple[float, float]:
        """Interval of the second version's calibration error minus the first's."""
        found = []
        for _ in range(_ECE_ROUNDS):
            drawn = self._random.integers(0, self._size, self._size)
            first, second = (expected_calibration_error(s[drawn], r[drawn]) for s, r in zip(stated, right, strict=True))
            found.append(second - first)
        return _percentiles(np.array(found))


def _percentiles(values: Floats) -> tuple[float, float]:
    low, high = np.percentile(values, [2.5, 97.5])
    return round(float(low), 6), round(float(high), 6)
