"""Feature names to row indices, with what one word contributes cached per word.

A `Row` keeps every occurrence: training and production read the same indices, so a row in a decision record can be scored again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from features.analysis import Analysis
from features.rows import BLOCKS, char_ngrams, cues, masked_words

Indices = npt.NDArray[np.int32]
_CACHE_SIZE = 50_000


class Row(NamedTuple):
    """Indices into the feature table, one array a block in the order of `features.rows.BLOCKS`; repeats count."""

    words: Indices
    chars: Indices
    cues: Indices

    def to_lists(self) -> list[list[int]]:
        """Plain lists for a record."""
        return [block.tolist() for block in self]


def row_from_lists(blocks: Sequence[Sequence[int]]) -> Row:
    """The row that ``to_lists`` wrote down."""
    words, chars, cues = (np.array(block, dtype=np.int32) for block in blocks)
    return Row(words, chars, cues)


class Vectoriser:
    """``vocabulary`` maps each block to its feature names in index order; blocks follow each other in the table."""

    def __init__(self, vocabulary: Mapping[str, Sequence[str]]) -> None:
        self.names: list[str] = [name for block in BLOCKS for name in vocabulary[block]]
        self._index: dict[str, dict[str, int]] = {}
        start = 0
        self.block_of: list[str] = []
        for block in BLOCKS:
            names = vocabulary[block]
            self._index[block] = dict(zip(names, range(start, start + len(names)), strict=True))
            self.block_of += [block] * len(names)
            start += len(names)
        self._word_chars: dict[str, list[int]] = {}
        self._pairs: dict[str, dict[str, int]] = {}
        for name, index in self._index["cues"].items():
            left, joined, right = name.partition("&")
            if joined:
                self._pairs.setdefault(left, {})[right] = index

    @cached_property
    def places(self) -> dict[tuple[str, str], int]:
        """Index of each feature by (block, name)."""
        return {(block, name): i for block, names in self._index.items() for name, i in names.items()}

    @property
    def size(self) -> int:
        """Number of features."""
        return len(self.names)

    def row(self, analysis: Analysis) -> Row:
        """Known features of a question; unknown ones fall away."""
        masked = masked_words(analysis)
        words = self._index["words"]
        found: list[int] = []
        chars: list[int] = []
        previous = "^"
        for word, token in masked:
            index = words.get(word)
            if index is not None:
                found.append(index)
            index = words.get(f"{previous} {word}")
            if index is not None:
                found.append(index)
            previous = word
            if token is not None:
                cached = self._word_chars.get(token.key)
                chars += self._chars_of(token.key) if cached is None else cached
        index = words.get(f"{previous} $")
        if index is not None:
            found.append(index)
        return Row(np.array(found, np.int32), np.array(chars, np.int32), np.array(self._cues_of(analysis), np.int32))

    def _cues_of(self, analysis: Analysis) -> list[int]:
        """Indices of `features.rows.cue_features`, pairs looked up without spelling them."""
        singles, concepts, mentions = cues(analysis)
        index = self._index["cues"]
        found = {i for name in (*singles, *concepts, *mentions) if (i := index.get(name)) is not None}
        for position, concept in enumerate(concepts):
            partners = self._pairs.get(concept)
            if partners:
                found.update(
                    i for other in (*concepts[position + 1 :], *mentions) if (i := partners.get(other)) is not None
                )
        return sorted(found)

    def _chars_of(self, key: str) -> list[int]:
        index = self._index["chars"]
        found = [i for gram in char_ngrams(key) if (i := index.get(gram)) is not None]
        if len(self._word_chars) >= _CACHE_SIZE:
            self._word_chars = {}
        self._word_chars[key] = found
        return found
