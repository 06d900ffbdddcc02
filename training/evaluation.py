"""Measures of calibrated heads and of routes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


def equal_mass_bins(probability: Floats, bins: int = 10) -> list[npt.NDArray[np.intp]]:
    """Indices in ``bins`` groups of equal size, by rising probability."""
    return [part for part in np.array_split(np.argsort(probability, kind="stable"), bins) if part.size]


def expected_calibration_error(probability: Floats, truth: Bools, bins: int = 10) -> float:
    """Mean distance of stated probability and frequency over equal-mass bins (Nixon et al. 2019)."""
    parts = equal_mass_bins(probability, bins)
    return float(sum(part.size * abs(probability[part].mean() - truth[part].mean()) for part in parts) / truth.size)


def bootstrap_interval(probability: Floats, truth: Bools, rounds: int = 200, seed: int = 0) -> tuple[float, float]:
    """95 % percentile interval of the calibration error."""
    random = np.random.default_rng(seed)
    values = []
    for _ in range(rounds):
        sample = random.integers(0, truth.size, truth.size)
        values.append(expected_calibration_error(probability[sample], truth[sample]))
    low, high = np.percentile(values, [2.5, 97.5])
    return float(low), float(high)


def binary_report(probability: Floats, truth: Bools, threshold: float) -> dict[str, Any]:
    """Precision, recall, F1 at ``threshold``; Brier score, ECE with its interval, number of positives."""
    said = probability >= threshold
    hits = int((said & truth).sum())
    precision = hits / max(int(said.sum()), 1)
    recall = hits / max(int(truth.sum()), 1)
    low, high = bootstrap_interval(probability, truth)
    return {
        "threshold": round(threshold, 4),
        "positives": int(truth.sum()),
        "precision": round(precision, 4),
        "recall": round(recall, 4),
        "f1": round(2 * precision * recall / (precision + recall), 4) if hits else 0.0,
        "brier": round(float(np.mean((probability - truth) ** 2)), 4),
        "ece": round(expected_calibration_error(probability, truth), 4),
        "ece_interval": [round(low, 4), round(high, 4)],
    }


def auroc(score: Floats, truth: Bools) -> float:
    """Area under the ROC curve by ranks (Mann and Whitney 1947), ties counted half; 0.5 where only one kind is there."""
    positives = int(truth.sum())
    negatives = truth.size - positives
    if not positives or not negatives:
        return 0.5
    _, group, size = np.unique(score, return_inverse=True, return_counts=True)
    rank = (np.cumsum(size) - (size - 1) / 2)[group]
    return float((rank[truth].sum() - positives * (positives + 1) / 2) / (positives * negatives))


def wilson_interval(right: int, total: int) -> tuple[float, float]:
    """95 % interval of a proportion (Wilson 1927)."""
    if not total:
        return 0.0, 1.0
    z, share = 1.96, right / total
    centre = share + z * z / (2 * total)
    spread = z * float(np.sqrt(share * (1 - share) / total + z * z / (4 * total * total)))
    return (centre - spread) / (1 + z * z / total), (centre + spread) / (1 + z * z / total)


def route_report(expected: Sequence[str], chosen: Sequence[str]) -> dict[str, Any]:
    """Accuracy with Wilson interval, recall and precision a route, confusion as {expected: {chosen: count}}."""
    right = sum(e == c for e, c in zip(expected, chosen, strict=True))
    low, high = wilson_interval(right, len(expected))
    confusion: dict[str, dict[str, int]] = {}
    for e, c in zip(expected, chosen, strict=True):
        confusion.setdefault(e, {})[c] = confusion.setdefault(e, {}).get(c, 0) + 1
    said = Counter(chosen)
    return {
        "questions": len(expected),
        "accuracy": round(right / max(len(expected), 1), 4),
        "interval": [round(low, 4), round(high, 4)],
        "recall": {e: round(row.get(e, 0) / sum(row.values()), 4) for e, row in sorted(confusion.items())},
        "precision": {c: round(confusion.get(c, {}).get(c, 0) / n, 4) for c, n in sorted(said.items())},
        "confusion": {e: dict(sorted(row.items())) for e, row in sorted(confusion.items())},
    }
