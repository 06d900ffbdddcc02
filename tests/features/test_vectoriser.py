"""Feature names to indices: the fast way is the plain way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from question_strategies import QUESTIONS, questions

import features.vectoriser
from features.analysis import Analyser, Analysis
from features.lemmas import Lemmatiser
from features.rows import BLOCKS, char_features, cue_features, word_features
from features.vectoriser import Row, Vectoriser, row_from_lists

READER = Analyser(Lemmatiser())
MAKERS: dict[str, Callable[[Analysis], Iterable[str]]] = {
    "words": word_features,
    "chars": char_features,
    "cues": cue_features,
}


def vocabulary_of(texts: Iterable[str]) -> dict[str, list[str]]:
    analyses = [READER.analyse(text) for text in texts]
    return {block: sorted({name for a in analyses for name in MAKERS[block](a)}) for block in BLOCKS}


def plain_row(vectoriser: Vectoriser, analysis: Analysis) -> list[Counter[int]]:
    """Indices of every occurrence of a known name, block after block, looked up by name."""
    index = {
        (block, name): i for i, (block, name) in enumerate(zip(vectoriser.block_of, vectoriser.names, strict=True))
    }
    return [Counter(index[b, name] for name in MAKERS[b](analysis) if (b, name) in index) for b in BLOCKS]


WHOLE = vocabulary_of(QUESTIONS)


@st.composite
def parts_of_a_vocabulary(draw: st.DrawFn) -> dict[str, list[str]]:
    """Some names of every block, in any order."""
    return {block: draw(st.lists(st.sampled_from(names), unique=True, max_size=40)) for block, names in WHOLE.items()}


@given(questions)
def test_a_row_is_the_multiset_of_the_indices_of_its_names(raw: str) -> None:
    """With the names of the question itself and of others all known."""
    analysis = READER.analyse(raw)
    vectoriser = Vectoriser(vocabulary_of((*QUESTIONS, raw)))
    row = vectoriser.row(analysis)
    assert plain_row(vectoriser, analysis) == [Counter(block.tolist()) for block in row.arrays()]
    assert len(row.words) == len(word_features(analysis))
    assert sum(map(len, row.chars)) == 4 * len(list(char_features(analysis)))
    assert len(row.cues) == len(cue_features(analysis))


@given(parts_of_a_vocabulary(), st.sampled_from(QUESTIONS) | questions)
def test_names_outside_the_vocabulary_fall_away(vocabulary: dict[str, list[str]], raw: str) -> None:
    vectoriser = Vectoriser(vocabulary)
    analysis = READER.analyse(raw)
    assert plain_row(vectoriser, analysis) == [Counter(block.tolist()) for block in vectoriser.row(analysis).arrays()]


@given(st.lists(st.sampled_from(QUESTIONS) | questions, max_size=6))
def test_a_row_does_not_depend_on_the_rows_made_before(texts: list[str]) -> None:
    """What is cached per word changes nothing."""
    busy = Vectoriser(WHOLE)
    for text in texts:
        analysis = READER.analyse(text)
        assert Vectoriser(WHOLE).row(analysis).to_lists() == busy.row(analysis).to_lists()


@given(st.sampled_from(QUESTIONS) | questions)
def test_a_row_is_the_same_after_it_was_written_down(raw: str) -> None:
    row = Vectoriser(WHOLE).row(READER.analyse(raw))
    again = row_from_lists(row.to_lists())
    assert row.to_lists() == again.to_lists()
    assert (
        [np.dtype(np.int32)] * 3 == [block.dtype for block in again.arrays()] == [block.dtype for block in row.arrays()]
    )


def test_blocks_follow_each_other_in_the_table() -> None:
    vectoriser = Vectoriser({"words": ["касса", "^ касса"], "chars": [" к"], "cues": ["money", "no-mention"]})
    assert ["касса", "^ касса", " к", "money", "no-mention"] == vectoriser.names
    assert ["words", "words", "chars", "cues", "cues"] == vectoriser.block_of
    assert 5 == vectoriser.size


@pytest.mark.parametrize(
    ("text", "words", "chars", "cues"),
    [
        ("касса", [0, 1], [2, 3], [4, 5]),
        ("касса касса", [0, 1, 0], [2, 3, 2, 3], [4, 5]),
        ("сумма", [], [], [4]),
        ("за июнь", [], [], [4]),
        ("", [], [], [4]),
    ],
)
def test_repeats_of_words_and_pieces_count_and_a_cue_counts_once(
    text: str, words: list[int], chars: list[int], cues: list[int]
) -> None:
    vectoriser = Vectoriser({"words": ["касса", "^ касса"], "chars": [" к", "са "], "cues": ["kinds:0", "money"]})
    row = vectoriser.row(READER.analyse(text))
    assert [Counter(words), Counter(chars), Counter(cues)] == [Counter(block.tolist()) for block in row.arrays()]


def test_an_empty_vocabulary_gives_empty_rows() -> None:
    row = Vectoriser({block: [] for block in BLOCKS}).row(READER.analyse("Остаток по счёту 51"))
    assert [[], [], []] == row.to_lists()


def test_a_name_of_one_block_is_not_looked_for_in_another() -> None:
    vectoriser = Vectoriser({"words": [], "chars": ["касса"], "cues": ["касса"]})
    assert [[], [], []] == vectoriser.row(READER.analyse("касса")).to_lists()


def test_memory_stays_bounded_whatever_words_come(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(features.vectoriser, "_CACHE_SIZE", 10)
    vectoriser = Vectoriser(WHOLE)
    for number in range(100):
        vectoriser.row(READER.analyse("слово" + "ы" * number))
    assert len(vectoriser._forms) <= 11


def test_a_row_of_lists_keeps_its_blocks() -> None:
    assert [[3, 1, 3], [], [7]] == row_from_lists([[3, 1, 3], [], [7]]).to_lists()
    assert ("words", "chars", "cues") == Row._fields == BLOCKS
