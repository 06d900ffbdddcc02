"""Folds for cross-validation: whole authors, and never two wordings of one question on both sides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt


class Authored(Protocol):
    """What folds need to know of an example of any domain."""

    @property
    def author(self) -> str:
        """Who wrote it."""
        ...

    @property
    def group(self) -> str | None:
        """Shared by rewordings and minimal pairs."""
        ...


def components(examples: Sequence[Authored], alike: Iterable[tuple[int, int]]) -> list[int]:
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


def author_folds(examples: Sequence[Authored], alike: Iterable[tuple[int, int]], count: int) -> npt.NDArray[np.int64]:
    """Fold of each example: authors dealt out in the order of their names, so that a new author moves no other; each component goes whole to
    the fold of its first example. With fewer authors than folds, components are dealt out by size instead.
    """
    member_of = components(examples, alike)
    authors = sorted({example.author for example in examples})
    if len(authors) >= count:
        turn = {author: place % count for place, author in enumerate(authors)}
        return np.array([turn[examples[component].author] for component in member_of])
    sizes = Counter(member_of)
    load = [0] * count
    fold_of: dict[int, int] = {}
    for component, size in sorted(sizes.items(), key=lambda item: (-item[1], item[0])):
        fold_of[component] = min(range(count), key=lambda f: (load[f], f))
        load[fold_of[component]] += size
    return np.array([fold_of[component] for component in member_of])
