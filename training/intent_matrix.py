"""Developers' questions and turns to one training matrix, by the code that serves them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from features.code.concepts import concept_words, load_code_concepts
from features.code.pieces import WORDS
from features.code.reading import CodeReader, CodeReading
from features.code.rows import char_features, cue_features, masked_words, word_features
from features.code.turns import turn_cues
from features.code.vectoriser import CodeVectoriser
from features.lemmas import Lemmatiser
from features.rows import BLOCKS
from training.matrix import BLOCK_SCALE, rows_to_matrix

MIN_DOCUMENTS = 2
"""A feature seen in fewer questions is left out."""


@dataclass(frozen=True)
class IntentMatrix:
    """``matrix`` float64 [texts, features]; ``idf`` and ``scale`` fold into the weights; ``cues``: turn cues of each text."""

    readings: list[CodeReading]
    cues: list[list[str]]
    vocabulary: dict[str, list[str]]
    lemmas: dict[str, str]
    idf: npt.NDArray[np.float64]
    scale: npt.NDArray[np.float64]
    matrix: Any


def code_lemma_table(texts: Iterable[str]) -> dict[str, str]:
    """Lemmas of every word of ``texts`` and of the concepts, so that known words cost a look-up."""
    lemmatiser = Lemmatiser()
    reader = CodeReader(lemmatiser)
    words: set[tuple[str, str]] = {
        (p.key, p.kind)
        for text in texts
        for p in reader.read(text).pieces
        if p.kind in WORDS and p.kind in ("ru", "en")
    }
    words |= set(concept_words())
    return {key: lemmatiser.lemma(key, kind) for key, kind in sorted(words)}


def build_intent_matrix(texts: Sequence[str]) -> IntentMatrix:
    """Everything from texts to matrix."""
    lemmas = code_lemma_table(texts)
    lemmatiser = Lemmatiser(lemmas)
    reader = CodeReader(lemmatiser)
    concepts = load_code_concepts(lemmatiser)
    names = tuple(c.id for c in concepts.concepts)
    readings = [reader.read(text) for text in texts]
    counts: dict[str, Counter[str]] = {block: Counter() for block in BLOCKS}
    cues: list[list[str]] = []
    for reading in readings:
        words = masked_words(reading)
        hits = concepts.match([word for word, _ in words])
        counts["words"].update(set(word_features(words)))
        counts["chars"].update(set(char_features(words)))
        counts["cues"].update(cue_features(reading, words, hits, names))
        cues.append(turn_cues(reading, words, {names[h.concept] for h in hits}))
    vocabulary = {b: sorted(n for n, c in counts[b].items() if c >= MIN_DOCUMENTS) for b in BLOCKS}
    idf = np.array(
        [float(np.log((1 + len(texts)) / (1 + counts[b][name])) + 1) for b in BLOCKS for name in vocabulary[b]]
    )
    vectoriser = CodeVectoriser(vocabulary, lemmatiser)
    scale = np.array([BLOCK_SCALE[b] for b in vectoriser.block_of])
    rows = [vectoriser.row(r) for r in readings]
    return IntentMatrix(readings, cues, vocabulary, lemmas, idf, scale, rows_to_matrix(rows, idf, scale))
