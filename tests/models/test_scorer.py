"""Scores are the plain arithmetic of a bundle's numbers, whatever way the scorer takes to them."""

from __future__ import annotations

from dataclasses import replace
from math import exp, log, sqrt
from typing import Any

import numpy as np
import pytest

import models.scorer
from features.vectoriser import Row, row_from_lists
from models.bundle import Bundle
from models.heads import ACCOUNTING_HEADS
from models.scorer import Scorer

EMPTY = row_from_lists([[], [], []])
FEATURES_A_BLOCK = (30, 40, 20)


def random_bundle(small_bundle: Bundle, seed: int) -> Bundle:
    """All heads of the domain, with weights drawn by ``seed``."""
    random = np.random.default_rng(seed)
    heads, features = ACCOUNTING_HEADS, sum(FEATURES_A_BLOCK)
    weights = random.normal(0, 2, (features, heads.count + 1))
    weights[:, -1] = random.uniform(1, 60, features)
    return replace(
        small_bundle,
        heads=heads,
        weights=weights.astype(np.float32),
        bias=random.normal(0, 1, heads.count).astype(np.float32),
        class_rates=random.uniform(0.01, 0.99, (len(heads.binary), len(heads.classes))).astype(np.float32),
    )


def random_row(seed: int, sizes: tuple[int, int, int]) -> Row:
    """``sizes`` occurrences a block, repeats among them."""
    random = np.random.default_rng(seed)
    starts = np.cumsum([0, *FEATURES_A_BLOCK[:-1]])
    return row_from_lists(
        [(start + random.integers(0, n, size)).tolist() for start, n, size in zip(starts, FEATURES_A_BLOCK, sizes, strict=True)]
    )  # fmt: skip


def naive_logits(bundle: Bundle, row: Row) -> list[float]:
    """Head by head, block by block, occurrence by occurrence: weights over the length of the block, and the bias."""
    found = []
    for head in range(bundle.heads.count):
        logit = float(bundle.bias[head])
        for block in row.to_lists():
            length = sqrt(sum(float(bundle.weights[i, -1]) for i in block))
            for i in block:
                logit += float(bundle.weights[i, head]) / length
        found.append(logit)
    return found


SIZES = [(12, 60, 9), (1, 1, 1), (200, 0, 0), (0, 7, 0), (0, 0, 3), (5, 0, 2), (0, 3, 4), (0, 0, 0)]


@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_logits_are_the_naive_sum(small_bundle: Bundle, sizes: tuple[int, int, int]) -> None:
    bundle = random_bundle(small_bundle, seed=sum(sizes))
    row = random_row(1, sizes)
    np.testing.assert_allclose(Scorer(bundle).logits(row), naive_logits(bundle, row), rtol=0, atol=1e-4)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        # words: (1, -1, -2, 0.5) / 1 and the bias
        ([[0], [], []], [1.25, -1.25, -3.0, 0.5]),
        # words: (1 + 3, -1 + 0, -2 + 1, 0.5 - 1) / sqrt(1 + 3)
        ([[0, 1], [], []], [2.25, -0.75, -1.5, -0.25]),
        # the word three times and the other twice: (3 + 6, -3, -6 + 2, 1.5 - 2) / sqrt(3 + 6)
        ([[0, 1, 0, 1, 0], [], []], [3.25, -1.25, -1 - 4 / 3, -0.5 / 3]),
        # chars: (-2 + 0.5, 2 + 0.5, 4 - 0.5, 0 + 1.5) / sqrt(4 + 2.25); cues: (6, -3, 0, 9) / 3
        ([[], [2, 3], [4]], [0.25 - 0.6 + 2, -0.25 + 1 - 1, -1 + 1.4, 0.6 + 3]),
    ],
    ids=["one word", "two words", "repeated words", "two blocks"],
)
def test_logits_by_hand(small_bundle: Bundle, row: list[list[int]], expected: list[float]) -> None:
    assert pytest.approx(expected, abs=1e-6) == Scorer(small_bundle).logits(row_from_lists(row))


def test_an_empty_row_has_the_bias_alone_and_leaves_it_as_it_was(small_bundle: Bundle) -> None:
    scorer = Scorer(small_bundle)
    assert [0.25, -0.25, -1.0, 0.0] == scorer.logits(EMPTY)
    scorer.logits(EMPTY)[:] = [99.0] * 4
    scorer.scores(EMPTY, {"out_of_scope": 5.0})
    assert [0.25, -0.25, -1.0, 0.0] == scorer.logits(EMPTY)
    assert [{}] * 4 == [scorer.contributions(EMPTY, head) for head in range(4)]


@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_contributions_and_the_bias_sum_to_the_logits(small_bundle: Bundle, sizes: tuple[int, int, int]) -> None:
    bundle = random_bundle(small_bundle, seed=7)
    scorer, row = Scorer(bundle), random_row(2, sizes)
    summed = [
        sum(scorer.contributions(row, head).values()) + float(bundle.bias[head]) for head in range(bundle.heads.count)
    ]
    np.testing.assert_allclose(summed, scorer.logits(row), rtol=0, atol=1e-4)


def test_contributions_by_hand(small_bundle: Bundle) -> None:
    """A repeated feature contributes once for each time that it occurs; each block has its own length."""
    row = row_from_lists([[0, 1, 0, 1, 0], [2], []])
    found = Scorer(small_bundle).contributions(row, 2)
    assert pytest.approx({0: 3 * -2.0 / 3, 1: 2 * 1.0 / 3, 2: 4.0 / 2}) == found


@pytest.mark.parametrize("sizes", SIZES, ids=str)
@pytest.mark.parametrize(
    "evidence", [None, {"ambiguous": 3.0, "cross_entity": -1.0}], ids=["text", "text and evidence"]
)
def test_classes_sum_to_one_and_every_head_is_a_probability(
    small_bundle: Bundle, sizes: tuple[int, int, int], evidence: dict[str, float] | None
) -> None:
    scores = Scorer(random_bundle(small_bundle, seed=3)).scores(random_row(4, sizes), evidence)
    assert pytest.approx(1.0, abs=4e-6) == sum(scores.classes.values())
    assert (ACCOUNTING_HEADS.classes, ACCOUNTING_HEADS.binary) == (tuple(scores.classes), tuple(scores.binary))
    assert all(0 < p < 1 for p in (*scores.classes.values(), *scores.binary.values()))


def test_scores_are_softmax_and_sigmoid_of_the_logits(small_bundle: Bundle) -> None:
    scores = Scorer(small_bundle).scores(row_from_lists([[0, 1], [], []]))
    fact = exp(2.25) / (exp(2.25) + exp(-0.75))
    assert {"simple_factual": round(fact, 6), "out_of_scope": round(1 - fact, 6)} == scores.classes
    assert {"scope": round(1 / (1 + exp(1.5)), 6), "needs_ranking": round(1 / (1 + exp(0.25)), 6)} == scores.binary


def test_a_row_scores_the_same_in_whatever_order_and_portions(small_bundle: Bundle) -> None:
    """Exactly: what is kept of each word must not show in a record that is replayed from its indices."""
    bundle = random_bundle(small_bundle, seed=5)
    words, chars, cues = random_row(6, (40, 300, 30)).to_lists()
    pieces = [np.array(chars[i : i + 7], np.int32).tobytes() for i in range(0, len(chars), 7)]
    kept = Scorer(bundle)
    expected = Scorer(bundle).logits(row_from_lists([words, chars, cues]))
    for _ in range(2):  # the first time words are added up, then they are known
        assert expected == kept.logits(Row(words[::-1], pieces[::-1], sorted(cues)))


def test_many_rows_score_as_each_alone(small_bundle: Bundle) -> None:
    """To the last bit, rows without a block among them."""
    bundle = random_bundle(small_bundle, seed=11)
    rows = [random_row(seed, sizes) for seed in range(4) for sizes in SIZES]
    alone = [Scorer(bundle).logits(row) for row in rows]
    assert alone == Scorer(bundle).logits_of_many(rows)
    assert [] == Scorer(bundle).logits_of_many([])


def test_memory_of_words_stays_bounded_and_changes_nothing(
    small_bundle: Bundle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(models.scorer, "_KEPT_WORDS", 5)
    bundle = random_bundle(small_bundle, seed=8)
    scorer = Scorer(bundle)
    first = FEATURES_A_BLOCK[0]
    for number in range(60):
        pieces = [np.array([first + (number * 3 + i) % FEATURES_A_BLOCK[1]] * (i + 1), np.int32).tobytes() for i in range(4)]  # fmt: skip
        row = Row([0], pieces, [])
        assert Scorer(bundle).logits(row_from_lists(row.to_lists())) == scorer.logits(row)
        assert len(scorer._table.places) <= 5


@pytest.mark.parametrize("size", [1e3, 1e30], ids=str)
def test_logits_beyond_any_exponent_are_still_probabilities(small_bundle: Bundle, size: float) -> None:
    bias = np.array([size, -size, size, -size], dtype=np.float32)
    scores = Scorer(replace(small_bundle, bias=bias)).scores(EMPTY)
    assert {"simple_factual": 1.0, "out_of_scope": 0.0} == scores.classes
    assert pytest.approx({"scope": 1.0, "needs_ranking": 0.0}) == scores.binary


def evenly_split(small_bundle: Bundle, **changes: Any) -> Scorer:
    """On an empty row both classes and both binary heads are at one half."""
    return Scorer(replace(small_bundle, bias=np.zeros(4, dtype=np.float32), **changes))


def test_class_evidence_multiplies_the_odds_of_its_class(small_bundle: Bundle) -> None:
    """Log-odds of ln 3 turn 1 : 1 into 1 : 3."""
    scores = evenly_split(small_bundle).scores(EMPTY, {"out_of_scope": log(3)})
    assert pytest.approx({"simple_factual": 0.25, "out_of_scope": 0.75}) == scores.classes


def test_class_evidence_moves_a_binary_head_by_what_the_rates_of_the_classes_move(small_bundle: Bundle) -> None:
    """Of facts 10 % are out of scope and 80 % need a ranking, of the other class 90 % and 20 %: at 1 : 1 both rates are 0.5.

    At 1 : 3 they are 0.25 * 0.1 + 0.75 * 0.9 = 0.7 and 0.25 * 0.8 + 0.75 * 0.2 = 0.35, and the heads, at 0.5 by text alone, go there.
    """
    scores = evenly_split(small_bundle).scores(EMPTY, {"out_of_scope": log(3)})
    assert pytest.approx({"scope": 0.7, "needs_ranking": 0.35}, abs=1e-6) == scores.binary


def test_class_evidence_adds_to_what_the_text_says(small_bundle: Bundle) -> None:
    """The shift of a binary head is one of log-odds: ln (0.7 / 0.3) on top of the text's own 1.0."""
    bundle = replace(small_bundle, bias=np.array([0.0, 0.0, 1.0, 0.0], dtype=np.float32))
    scores = Scorer(bundle).scores(EMPTY, {"out_of_scope": log(3)})
    assert pytest.approx(1 / (1 + exp(-(1.0 + log(0.7 / 0.3)))), abs=1e-6) == scores.binary["scope"]


def test_a_head_that_is_as_frequent_in_every_class_does_not_move(small_bundle: Bundle) -> None:
    rates = np.array([[0.3, 0.3], [0.8, 0.2]], dtype=np.float32)
    scores = evenly_split(small_bundle, class_rates=rates).scores(EMPTY, {"out_of_scope": log(3)})
    assert pytest.approx(0.5, abs=1e-6) == scores.binary["scope"]
    assert pytest.approx(0.35, abs=1e-6) == scores.binary["needs_ranking"]


@pytest.mark.parametrize(
    "evidence",
    [None, {}, {"simple_factual": 0.0}, {"simple_factual": 2.0, "out_of_scope": 2.0}],
    ids=["none", "empty", "of weight nothing", "the same for every class"],
)
def test_evidence_that_says_nothing_moves_nothing(small_bundle: Bundle, evidence: dict[str, float] | None) -> None:
    row = row_from_lists([[0, 1], [2], []])
    plain, told = Scorer(small_bundle).scores(row), Scorer(small_bundle).scores(row, evidence)
    assert pytest.approx(plain.classes) == told.classes
    assert pytest.approx(plain.binary) == told.binary
