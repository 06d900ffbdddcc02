"""Questions that say nearly the same: pairs above a cosine of their lemma rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from features.rows import BLOCKS

NEAR = 0.85
"""Cosine of lemma 1-2-gram rows from which two questions count as near duplicates."""

_CHUNK = 256


def words_block(matrix: Any, vocabulary: dict[str, list[str]]) -> Any:
    """Columns of the ``words`` block of a training matrix, rows of length one."""
    assert BLOCKS[0] == "words"
    return matrix[:, : len(vocabulary["words"])]


def near_pairs(rows: Any, others: Any | None = None, least: float = NEAR) -> Iterator[tuple[int, int, float]]:
    """(row, other row, cosine) above ``least``; within one matrix each pair once."""
    against = rows if others is None else others
    for start in range(0, rows.shape[0], _CHUNK):
        similar = (rows[start : start + _CHUNK] @ against.T).tocoo()
        for i, j, value in zip(similar.row, similar.col, similar.data, strict=True):
            a, b = int(start + i), int(j)
            if value >= least and (others is not None or a < b):
                yield a, b, float(np.minimum(value, 1.0))
