"""Readings of developers' questions to rows of feature indices, by the vocabulary of a bundle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from features.code.concepts import load_code_concepts
from features.code.reading import CodeReading
from features.code.rows import cues, masked_words
from features.lemmas import Lemmatiser
from features.vectoriser import Row, RowVocabulary


class CodeVectoriser(RowVocabulary):
    """Rows of read queries, and the concepts that they name."""

    def __init__(self, vocabulary: Mapping[str, Sequence[str]], lemmatiser: Lemmatiser) -> None:
        super().__init__(vocabulary)
        self.concepts = load_code_concepts(lemmatiser)
        self.concept_names = tuple(c.id for c in self.concepts.concepts)

    def row(self, reading: CodeReading) -> Row:
        """Known features of a question; unknown ones fall away."""
        return self.row_and_concepts(reading, masked_words(reading))[0]

    def row_and_concepts(self, reading: CodeReading, words: Sequence[tuple[str, str]]) -> tuple[Row, frozenset[str]]:
        """The row, and the concepts that the question names; ``words`` as `features.code.rows.masked_words` makes them."""
        hits = self.concepts.match([word for word, _ in words])
        found = cues(reading, words, hits, self.concept_names)
        return self.indices(words, found), frozenset(found[2])
