"""A bundle small enough to check by eye: five features, two classes, two binary heads."""

from __future__ import annotations

import numpy as np
import pytest

from models.bundle import Bundle
from models.heads import Heads


@pytest.fixture
def small_bundle() -> Bundle:
    weights = np.array(
        [
            # fact, outside, scope, ranking, idf squared
            [1.0, -1.0, -2.0, 0.5, 1.0],
            [3.0, 0.0, 1.0, -1.0, 3.0],
            [-2.0, 2.0, 4.0, 0.0, 4.0],
            [0.5, 0.5, -0.5, 1.5, 2.25],
            [6.0, -3.0, 0.0, 9.0, 9.0],
        ],
        dtype=np.float32,
    )
    return Bundle(
        domain="accounting",
        heads=Heads(("simple_factual", "out_of_scope"), ("scope", "needs_ranking")),
        vocabulary={"words": ["остаток", "рейтинг"], "chars": ["ос", "ре"], "cues": ["rank"]},
        lemmas={"остатки": "остаток", "рейтинга": "рейтинг"},
        weights=weights,
        bias=np.array([0.25, -0.25, -1.0, 0.0], dtype=np.float32),
        class_rates=np.array([[0.1, 0.9], [0.8, 0.2]], dtype=np.float32),
        thresholds={"scope": 0.5, "needs_ranking": 0.35},
        limits={"route_probability": 0.25, "uncertain_bands": {"needs_ranking": [0.3, 0.4]}},
        dataset_digest="d1",
        metrics={"out_of_fold": {"routes": {"accuracy": 0.9}}},
        training={"questions": 2},
    )
