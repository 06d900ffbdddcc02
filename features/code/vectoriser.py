"""Readings of developers' questions to rows of feature indices, by the vocabulary of a bundle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from features.code.concepts import load_code_concepts
from features.code.reading import CodeReading
from features.code.rows import cues, masked_words
from features.lemmas import Lemmatiser
from features.rows import BLOCKS, char_ngrams
from features.vectoriser import Row

_CACHE_SIZE = 50_000
_NOTHING: dict[str, int] = {}
_UNKNOWN = (-1, _NOTHING)


class CodeVectoriser:
    """``vocabulary`` maps each block to its feature names in index order; blocks follow each other in the table."""

    def __init__(self, vocabulary: Mapping[str, Sequence[str]], lemmatiser: Lemmatiser) -> None:
        self.names: list[str] = [name for block in BLOCKS for name in vocabulary[block]]
        self.block_of: list[str] = [block for block in BLOCKS for _ in vocabulary[block]]
        self.concepts = load_code_concepts(lemmatiser)
        self.concept_names = tuple(c.id for c in self.concepts.concepts)
        self._index: dict[str, dict[str, int]] = {}
        start = 0
        for block in BLOCKS:
            names = vocabulary[block]
            self._index[block] = dict(zip(names, range(start, start + len(names)), strict=True))
            start += len(names)
        following = _nested(self._index["words"], " ")
        self._words: dict[str, tuple[int, Mapping[str, int]]] = {
            word: (self._index["words"].get(word, -1), following.get(word, _NOTHING))
            for word in ("^", *self._index["words"], *following)
        }
        self._pairs = _nested(self._index["cues"], "&")
        self._in_order = _nested(self._index["cues"], ">")
        self._word_chars: dict[str, bytes] = {}

    @property
    def size(self) -> int:
        """Number of features."""
        return len(self.names)

    def row(self, reading: CodeReading) -> Row:
        """Known features of a question; unknown ones fall away."""
        return self.row_and_concepts(reading, masked_words(reading))[0]

    def row_and_concepts(self, reading: CodeReading, words: Sequence[tuple[str, str]]) -> tuple[Row, frozenset[str]]:
        """The row, and the concepts that the question names; ``words`` as `features.code.rows.masked_words` makes them."""
        known, known_chars = self._words, self._word_chars
        found: list[int] = []
        chars: list[bytes] = []
        after = known["^"][1]
        for word, key in words:
            index, following = known.get(word, _UNKNOWN)
            if index >= 0:
                found.append(index)
            if (i := after.get(word)) is not None:
                found.append(i)
            after = following
            if key:
                cached = known_chars.get(key)
                chars.append(self._chars_of(key) if cached is None else cached)
        if (i := after.get("$")) is not None:
            found.append(i)
        hits = self.concepts.match([word for word, _ in words])
        singles, order, concepts, anchors = cues(reading, words, hits, self.concept_names)
        row = Row(
            np.array(found, np.int32),
            np.frombuffer(b"".join(chars), np.int32),
            np.array(self._cues_of(singles, order, concepts, anchors), np.int32),
        )
        return row, frozenset(concepts)

    def _cues_of(self, singles: list[str], order: list[str], concepts: list[str], anchors: list[str]) -> list[int]:
        """Indices of `features.code.rows.cue_features`, pairs looked up without spelling them."""
        index, pairs = self._index["cues"], self._pairs
        found = {i for name in (*singles, *concepts, *anchors) if (i := index.get(name)) is not None}
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
                for other in (*concepts[position:], *anchors):
                    if (i := partners.get(other)) is not None:
                        found.add(i)
        return sorted(found)

    def _chars_of(self, key: str) -> bytes:
        """Indices of a word's character n-grams, as bytes of int32."""
        index = self._index["chars"]
        found = np.array([i for gram in char_ngrams(key) if (i := index.get(gram)) is not None], np.int32).tobytes()
        if len(self._word_chars) >= _CACHE_SIZE:
            self._word_chars = {}
        self._word_chars[key] = found
        return found


def _nested(names: Mapping[str, int], separator: str) -> dict[str, dict[str, int]]:
    """Names of two parts by their first and then their second part: looked up without joining strings."""
    found: dict[str, dict[str, int]] = {}
    for name, index in names.items():
        left, joined, right = name.partition(separator)
        if joined:
            found.setdefault(left, {})[right] = index
    return found
