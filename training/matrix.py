"""Questions to one training matrix, by the code that serves them: the same analyser, rows and scaling as in production."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from features.analysis import Analyser, Analysis
from features.lemmas import Lemmatiser
from features.lexicon import lexicon_words
from features.rows import BLOCKS, char_features, cue_features, word_features
from features.tokens import tokenise
from features.vectoriser import Row, Vectoriser

BLOCK_SCALE = {"words": 1.0, "chars": 1.0, "cues": 1.5}
"""Weight of each block beside the others; chosen by cross-validated route accuracy (benchmarks/accuracy)."""

MIN_DOCUMENTS = 3
"""A feature seen in fewer questions is left out: two would make the table a third larger and nothing better (benchmarks/accuracy)."""


def lemma_table(texts: Iterable[str]) -> dict[str, str]:
    """Lemmas of every word of ``texts`` and of the lexicon: what a bundle ships so that known words cost a dictionary look-up."""
    analyser = Lemmatiser()
    words = {(t.key, t.kind) for text in texts for t in tokenise(text) if t.kind in ("ru", "en")} | set(lexicon_words())
    return {key: analyser.lemma(key, kind) for key, kind in sorted(words)}


def build_vocabulary(
    analyses: Sequence[Analysis], min_documents: int = MIN_DOCUMENTS, blocks: Sequence[str] = BLOCKS
) -> tuple[dict[str, list[str]], npt.NDArray[np.float64]]:
    """Feature names a block and the smoothed inverse document frequency of each, in index order. Blocks not in ``blocks`` stay empty."""
    makers: dict[str, Callable[[Analysis], Iterable[str]]] = {
        "words": word_features,
        "chars": char_features,
        "cues": cue_features,
    }
    vocabulary: dict[str, list[str]] = {}
    frequencies: list[float] = []
    for block in BLOCKS:
        counts = Counter(name for a in analyses for name in set(makers[block](a))) if block in blocks else Counter()
        # the commonest first: what most questions need lies close together in memory
        names = sorted((n for n, count in counts.items() if count >= min_documents), key=lambda n: (-counts[n], n))
        vocabulary[block] = names
        frequencies += [float(np.log((1 + len(analyses)) / (1 + counts[name])) + 1) for name in names]
    return vocabulary, np.array(frequencies)


@dataclass(frozen=True)
class TrainingMatrix:
    """``matrix`` float64 [questions, features], each block scaled to length `BLOCK_SCALE`; ``idf`` folds into the weights."""

    analyses: list[Analysis]
    vectoriser: Vectoriser
    vocabulary: dict[str, list[str]]
    lemmas: dict[str, str]
    idf: npt.NDArray[np.float64]
    scale: npt.NDArray[np.float64]
    matrix: Any


def build_matrix(
    texts: Sequence[str], blocks: Sequence[str] = BLOCKS, min_documents: int = MIN_DOCUMENTS
) -> TrainingMatrix:
    """Everything from texts to matrix."""
    lemmas = lemma_table(texts)
    analyser = Analyser(Lemmatiser(lemmas))
    analyses = [analyser.analyse(text) for text in texts]
    vocabulary, idf = build_vocabulary(analyses, min_documents, blocks)
    vectoriser = Vectoriser(vocabulary)
    scale = np.array([BLOCK_SCALE[b] for b in vectoriser.block_of])
    rows = [vectoriser.row(a) for a in analyses]
    return TrainingMatrix(analyses, vectoriser, vocabulary, lemmas, idf, scale, rows_to_matrix(rows, idf, scale))


def rows_to_matrix(rows: Sequence[Row], idf: npt.NDArray[np.float64], scale: npt.NDArray[np.float64]) -> Any:
    """CSR matrix of rows: an occurrence weighs idf, each block is divided by the root of its summed squared idf."""
    indices: list[npt.NDArray[np.int32]] = []
    values: list[npt.NDArray[np.float64]] = []
    starts = [0]
    for row in rows:
        blocks = row.arrays()
        for block in blocks:
            if block.size:
                weights = idf[block]
                indices.append(block)
                values.append(weights * scale[block] / np.sqrt((weights**2).sum()))
        starts.append(starts[-1] + sum(block.size for block in blocks))
    matrix = sp.csr_matrix(
        (np.concatenate(values), np.concatenate(indices), np.array(starts)), shape=(len(rows), idf.size)
    )
    matrix.sum_duplicates()
    return matrix
