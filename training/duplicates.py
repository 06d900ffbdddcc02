"""Questions that say nearly the same: pairs above a cosine of their rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

NEAR = 0.85
"""Cosine of lemma 1-2-gram rows from which two questions count as near duplicates."""

_CHUNK = 256


def near_pairs(rows: Any, others: Any | None = None, least: float = NEAR) -> Iterator[tuple[int, int, float]]:
    """(row, other row, cosine) above ``least`` for CSR rows of length one; within one matrix each pair once."""
    transposed = (rows if others is None else others).T.tocsr()
    for start in range(0, rows.shape[0], _CHUNK):
        similar = (rows[start : start + _CHUNK] @ transposed).tocoo()
        near = similar.data >= least
        for i, j, value in zip(similar.row[near], similar.col[near], similar.data[near], strict=True):
            a, b = int(start + i), int(j)
            if others is not None or a < b:
                yield a, b, float(np.minimum(value, 1.0))
