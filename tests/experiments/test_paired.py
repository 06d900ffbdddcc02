"""Significance against values computed by other means."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest

from experiments.paired import Resampling, mcnemar
from training.evaluation import auroc


@pytest.mark.parametrize(
    ("only_a", "only_b", "both"), [(0, 0, 5), (1, 0, 5), (5, 5, 0), (9, 1, 100), (30, 12, 400), (600, 700, 10)]
)
def test_mcnemar_is_the_binomial_test_of_the_disagreements(only_a: int, only_b: int, both: int) -> None:
    a = np.array([True] * only_a + [False] * only_b + [True] * both)
    b = np.array([False] * only_a + [True] * only_b + [True] * both)
    expected = binomtest(only_a, only_a + only_b, 0.5).pvalue if only_a + only_b else 1.0
    assert expected == pytest.approx(mcnemar(a, b), rel=1e-9)


def test_the_interval_of_a_difference_is_as_wide_as_theory_says() -> None:
    random = np.random.default_rng(7)
    a, b = random.random(900) < 0.80, random.random(900) < 0.90
    low, high = Resampling(900).mean_difference(a, b)
    d = b.astype(float) - a.astype(float)
    half = 1.96 * d.std() / np.sqrt(900)
    assert (d.mean() - half, d.mean() + half) == pytest.approx((low, high), abs=0.004)


def test_equal_versions_differ_by_nothing() -> None:
    right = np.array([True, False, True, True] * 20)
    stated = np.linspace(0.2, 1, 80)
    draw = Resampling(80)
    assert (0.0, 0.0) == draw.mean_difference(right, right)
    assert (0.0, 0.0) == draw.ece_difference([stated, stated], [right, right])


def test_f1_of_both_versions_is_that_of_the_definition() -> None:
    truth = np.array([1, 1, 1, 0, 0, 0, 1, 0], bool)
    a = np.array([1, 0, 1, 1, 0, 0, 1, 0], bool)
    f1_a, f1_truth, _, high = Resampling(8).f1_difference(truth, a, truth)
    assert (2 * 3 / (4 + 4), 1.0) == (f1_a, f1_truth)
    assert high > 0


@pytest.mark.parametrize(
    ("scores", "truth", "expected"),
    [
        ([0.1, 0.2, 0.8, 0.9], [0, 0, 1, 1], 1.0),
        ([0.9, 0.8, 0.2, 0.1], [0, 0, 1, 1], 0.0),
        ([0.5] * 4, [0, 1, 0, 1], 0.5),
        ([0.1, 0.4, 0.35, 0.8], [0, 0, 1, 1], 0.75),
        ([0.3], [1], 0.5),
    ],
)
def test_auroc_counts_ordered_pairs(scores: list[float], truth: list[int], expected: float) -> None:
    assert expected == pytest.approx(auroc(np.array(scores), np.array(truth, bool)))
