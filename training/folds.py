"""Folds for cross-validation: whole authors, and never two wordings of one question on both sides."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from training.dataset import Example


def components(examples: Sequence[Example], alike: Iterable[tuple[int, int]]) -> list[int]:
    """Component number of each example: same group, or linked by a pair of ``alike`` indices."""
    parent = list(range(len(examples)))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    first_of: dict[str, int] = {}
    for i, example in enumerate(examples):
        if example.group:
            parent[root(i)] = root(first_of.setdefault(example.group, i))
    for a, b in alike:
        parent[max(root(a), root(b))] = min(root(a), root(b))
    return [root(i) for i in range(len(examples))]


def author_folds(examples: Sequence[Example], alike: Iterable[tuple[int, int]], count: int) -> npt.NDArray[np.int64]:
    """Fold of each example: authors dealt out by size, then each component moved whole to the fold of its first example.

    With fewer authors than folds, components are dealt out instead.
    """
    member_of = components(examples, alike)
    sizes: dict[str, int] = defaultdict(int)
    for example in examples:
        sizes[example.author] += 1
    fold_of: dict[object, int] = {}
    load = [0] * count
    units: list[tuple[object, int]]
    if len(sizes) >= count:
        units = sorted(sizes.items(), key=lambda item: (-item[1], item[0]))
    else:
        counts: dict[int, int] = defaultdict(int)
        for component in member_of:
            counts[component] += 1
        units = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    for unit, size in units:
        fold_of[unit] = min(range(count), key=lambda f: (load[f], f))
        load[fold_of[unit]] += size
    by_author = len(sizes) >= count
    return np.array([fold_of[examples[c].author if by_author else c] for c in member_of])
