"""Two versions on the same questions: is the difference more than chance?"""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import numpy.typing as npt

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
ROUNDS = 2000


def mcnemar(a: Bools, b: Bools) -> float:
    """Two-sided exact p-value that neither version is right more often than the other (McNemar 1947): a binomial test of the questions where one alone is right."""
    only_a, only_b = int((a & ~b).sum()), int((b & ~a).sum())
    n = only_a + only_b
    if n == 0:
        return 1.0
    tail = sum(comb(n, k) for k in range(min(only_a, only_b) + 1))
    return min(1.0, float(Fraction(2 * tail, 2**n)))


def bootstrap_difference(a: Floats, b: Floats, seed: int = 0) -> tuple[float, float]:
    """95 % percentile interval of the mean of ``b - a`` over questions drawn with replacement."""
    difference = b.astype(np.float64) - a.astype(np.float64)
    if not difference.size:
        return 0.0, 0.0
    random = np.random.default_rng(seed)
    means = [difference[random.integers(0, difference.size, difference.size)].mean() for _ in range(ROUNDS)]
    low, high = np.percentile(means, [2.5, 97.5])
    return float(low), float(high)
