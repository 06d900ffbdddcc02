"""Measures against values worked out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from training.evaluation import (
    binary_report,
    bootstrap_interval,
    equal_mass_bins,
    expected_calibration_error,
    route_report,
    wilson_interval,
)


def floats(*values: float) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.array(values, dtype=np.float64)


def bools(*values: int) -> np.ndarray[Any, np.dtype[np.bool_]]:
    return np.array(values, dtype=bool)


def test_bins_are_of_equal_size_by_rising_probability() -> None:
    found = equal_mass_bins(floats(0.9, 0.1, 0.5, 0.3, 0.7), bins=2)
    assert [[1, 3, 2], [4, 0]] == [part.tolist() for part in found]
    assert [[1], [0]] == [part.tolist() for part in equal_mass_bins(floats(0.9, 0.1))]


@pytest.mark.parametrize(
    ("probability", "truth", "bins", "expected"),
    [
        # means 0.2 and 0.7, frequencies 0.5 and 1
        ((0.1, 0.3, 0.6, 0.8), (0, 1, 1, 1), 2, 0.3),
        ((0.8, 0.3, 0.6, 0.1), (1, 1, 1, 0), 2, 0.3),
        # each alone: (0.1 + 0.7 + 0.4 + 0.2) / 4
        ((0.1, 0.3, 0.6, 0.8), (0, 1, 1, 1), 10, 0.35),
        # two and one: (2 * |0.3 - 0.5| + |0.9 - 0|) / 3
        ((0.2, 0.4, 0.9), (0, 1, 0), 2, 1.3 / 3),
        # too low and too high in one bin cancel out
        ((0.2, 0.8), (1, 0), 1, 0.0),
        ((0.0, 0.0, 1.0, 1.0), (0, 0, 1, 1), 2, 0.0),
        ((0.0, 0.0, 1.0, 1.0), (1, 1, 0, 0), 2, 1.0),
        # a quarter of what is said to be 25 % sure is true
        ((0.25, 0.25, 0.25, 0.25), (0, 1, 0, 0), 1, 0.0),
    ],
)
def test_calibration_error(probability: tuple[float, ...], truth: tuple[int, ...], bins: int, expected: float) -> None:
    assert pytest.approx(expected) == expected_calibration_error(floats(*probability), bools(*truth), bins)


@pytest.mark.parametrize(
    ("threshold", "precision", "recall", "f1"),
    [(0.5, 0.5, 0.5, 0.5), (0.4, 0.6667, 1.0, 0.8), (0.9, 1.0, 0.5, 0.6667), (0.95, 0.0, 0.0, 0.0)],
    ids=["half", "at a probability", "only the surest", "none"],
)
def test_report_of_a_binary_head(threshold: float, precision: float, recall: float, f1: float) -> None:
    """Brier: (0.1² + 0.6² + 0.6² + 0.2²) / 4 = 0.77 / 4; calibration error, each alone: (0.1 + 0.6 + 0.6 + 0.2) / 4."""
    report = binary_report(floats(0.9, 0.6, 0.4, 0.2), bools(1, 0, 1, 0), threshold)
    assert len(report.pop("ece_interval")) == 2
    assert {
        "threshold": threshold,
        "positives": 2,
        "precision": precision,
        "recall": recall,
        "f1": f1,
        "brier": 0.1925,
        "ece": 0.375,
    } == report


def test_a_head_without_positives_has_a_report() -> None:
    report = binary_report(floats(0.1, 0.3), bools(0, 0), 0.5)
    assert {"positives": 0, "precision": 0.0, "recall": 0.0, "f1": 0.0, "brier": 0.05, "ece": 0.2} == {
        k: report[k] for k in ("positives", "precision", "recall", "f1", "brier", "ece")
    }


def test_the_interval_of_the_calibration_error_holds_what_every_sample_says() -> None:
    """Where stated and true always agree, or always are 0.3 apart, so they are in any sample."""
    assert bootstrap_interval(floats(*[0.0, 1.0] * 20), bools(*[0, 1] * 20)) == (0.0, 0.0)
    assert pytest.approx((0.3, 0.3)) == bootstrap_interval(floats(*[0.3] * 40), bools(*[0] * 40))


def test_the_interval_narrows_with_more_questions() -> None:
    def width(questions: int) -> float:
        low, high = bootstrap_interval(np.full(questions, 0.5), np.arange(questions) % 2 == 0)
        return high - low

    assert width(2000) < width(40) / 2


@pytest.mark.parametrize(
    ("right", "total", "expected"),
    [
        # centre (0.8 + 0.19208) / 1.38416, spread 1.96 * sqrt(0.016 + 0.009604) / 1.38416
        (8, 10, (0.49016, 0.94332)),
        # 1 / (1 + 3.8416 / 35)
        (35, 35, (0.90110, 1.0)),
        # 0.38416 / 1.38416
        (0, 10, (0.0, 0.27754)),
        # 0.5 and 1.96 * sqrt(0.0025 + 0.00009604) / 1.038416 on either side
        (50, 100, (0.40383, 0.59617)),
        (0, 0, (0.0, 1.0)),
    ],
)
def test_wilson_interval(right: int, total: int, expected: tuple[float, float]) -> None:
    assert pytest.approx(expected, abs=5e-6) == wilson_interval(right, total)


def test_report_of_routes() -> None:
    """Of three that need the store one goes live; of two that need live one goes to the store; one refusal is right."""
    needed = ["store", "store", "store", "live", "live", "none"]
    chosen = ["store", "store", "live", "live", "store", "none"]
    low, high = wilson_interval(4, 6)
    assert {
        "questions": 6,
        "accuracy": 0.6667,
        "interval": [round(low, 4), round(high, 4)],
        "recall": {"live": 0.5, "none": 1.0, "store": 0.6667},
        "precision": {"live": 0.5, "none": 1.0, "store": 0.6667},
        "confusion": {"live": {"live": 1, "store": 1}, "none": {"none": 1}, "store": {"live": 1, "store": 2}},
    } == route_report(needed, chosen)


def test_a_route_that_is_never_needed_has_no_precision_and_one_never_chosen_no_recall() -> None:
    report = route_report(["store", "store"], ["live", "live"])
    assert ({"store": 0.0}, {"live": 0.0}, 0.0) == (report["recall"], report["precision"], report["accuracy"])


def test_routes_of_no_questions_say_nothing() -> None:
    report = route_report([], [])
    assert (0, 0.0, [0.0, 1.0], {}) == tuple(report[k] for k in ("questions", "accuracy", "interval", "recall"))
