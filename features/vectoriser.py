"""Feature names to row indices, with what one word contributes cached per word.

A `Row` keeps every occurrence: training and production read the same indices, so a row in a decision record can be scored again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from features.analysis import Analysis
from features.rows import BLOCKS, char_ngrams, cues, masked_words

Indices = npt.NDArray[np.int32]
Cues = tuple[list[str], list[str], list[str], list[str]]
"""Names that stand alone, concepts as they follow each other, concepts, kinds that pair with concepts."""
_Form = tuple[str, int, Mapping[str, int], bytes]
"""A word, its index or -1, the indices of its pairs by the word that follows, the indices of its character n-grams as bytes of int32."""
_CACHE_SIZE = 50_000


class Row(NamedTuple):
    """Indices into the feature table, a block each in the order of `features.rows.BLOCKS`; repeats count.

    ``chars`` holds one ``bytes`` of int32 a word, the same object whenever the word is met again, so that a scorer can keep the sum over its n-grams.
    """

    words: list[int]
    chars: list[bytes]
    cues: list[int]

    def arrays(self) -> tuple[Indices, Indices, Indices]:
        """One array a block."""
        chars = np.frombuffer(b"".join(self.chars), np.int32)
        return np.array(self.words, np.int32), chars, np.array(self.cues, np.int32)

    def to_lists(self) -> list[list[int]]:
        """Plain lists for a record."""
        return [self.words, np.frombuffer(b"".join(self.chars), np.int32).tolist(), self.cues]


def row_from_lists(blocks: Sequence[Sequence[int]]) -> Row:
    """The row that ``to_lists`` wrote down."""
    words, chars, cues = blocks
    return Row(list(words), [np.array(chars, np.int32).tobytes()] if chars else [], list(cues))


class RowVocabulary:
    """Feature names to indices: ``vocabulary`` maps each block to its names in index order; blocks follow each other in the table."""

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
        self._forms: dict[str, _Form] = {}
        following = _nested(self._index["words"], " ")
        self._words: dict[str, tuple[int, Mapping[str, int]]] = {
            word: (self._index["words"].get(word, -1), following.get(word, _NOTHING))
            for word in ("^", *self._index["words"], *following)
        }
        self._pairs = _nested(self._index["cues"], "&")
        self._in_order = _nested(self._index["cues"], ">")

    @cached_property
    def places(self) -> dict[tuple[str, str], int]:
        """Index of each feature by (block, name)."""
        return {(block, name): i for block, names in self._index.items() for name, i in names.items()}

    @property
    def size(self) -> int:
        """Number of features."""
        return len(self.names)

    def indices(self, words: Iterable[tuple[str, str]], cues: Cues) -> Row:
        """Row of (word, key of its characters or "") pairs and of cues; unknown features fall away."""
        known, forms = self._words, self._forms
        found: list[int] = []
        chars: list[bytes] = []
        after = known["^"][1]
        for word, key in words:
            if key:
                form = forms.get(key)
                if form is None or form[0] != word:
                    form = self._form_of(word, key)
                _, index, following, grams = form
                if grams:
                    chars.append(grams)
            else:
                index, following = known.get(word, _UNKNOWN)
            if index >= 0:
                found.append(index)
            if word in after:
                found.append(after[word])
            after = following
        if "$" in after:
            found.append(after["$"])
        return Row(found, chars, self._cues_of(cues))

    def _cues_of(self, cues: Cues) -> list[int]:
        """Indices of block ``cues``, pairs looked up without spelling them."""
        singles, order, concepts, kinds = cues
        index, pairs = self._index["cues"], self._pairs
        found = {i for name in (*singles, *concepts, *kinds) if (i := index.get(name)) is not None}
        after = self._in_order.get("^", _NOTHING)
        for concept in order:
            if (i := after.get(concept)) is not None:
                found.add(i)
            after = self._in_order.get(concept, _NOTHING)
        if (i := after.get("$")) is not None:
            found.add(i)
        for position, concept in enumerate(concepts, 1):
            partners = pairs.get(concept)
            if partners:
                for other in (*concepts[position:], *kinds):
                    if (i := partners.get(other)) is not None:
                        found.add(i)
        return sorted(found)

    def _form_of(self, word: str, key: str) -> _Form:
        """What a form of a word adds: its indices in both blocks, from now on kept."""
        index = self._index["chars"]
        grams = np.array([i for gram in char_ngrams(key) if (i := index.get(gram)) is not None], np.int32).tobytes()
        if len(self._forms) >= _CACHE_SIZE:
            self._forms = {}
        form = self._forms[key] = (word, *self._words.get(word, _UNKNOWN), grams)
        return form


class Vectoriser(RowVocabulary):
    """Rows of analysed questions."""

    def row(self, analysis: Analysis) -> Row:
        """Known features of a question; unknown ones fall away."""
        return self.indices(masked_words(analysis), cues(analysis))


_NOTHING: dict[str, int] = {}
_UNKNOWN: tuple[int, Mapping[str, int]] = (-1, _NOTHING)


def _nested(names: Mapping[str, int], separator: str) -> dict[str, dict[str, int]]:
    """Names of two parts by their first and then their second part: looked up without joining strings."""
    found: dict[str, dict[str, int]] = {}
    for name, index in names.items():
        left, joined, right = name.partition(separator)
        if joined:
            found.setdefault(left, {})[right] = index
    return found
