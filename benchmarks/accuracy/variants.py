"""Cross-validated route accuracy of one way to train: shared by the ablation and the learning curve beside it.

Everything is judged on authors who wrote none of the training questions: heads, calibration layer and thresholds are all fitted on the other folds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import orjson

from models.heads import LEARNED_FLAGS, SCOPE_HEAD
from router.offline import ReferenceJudge
from router.query_classifier import DECIDING_FLAGS
from training.dataset import Example, default_dataset, read_dataset
from training.evaluation import wilson_interval
from training.fit import FitSettings, apply_layer, cross_fitted, fit_bases, fit_layer, out_of_fold_logits, targets
from training.folds import author_folds
from training.matrix import TrainingMatrix, build_matrix
from training.thresholds import CostSearch, misroute_cost

ROOT = Path(__file__).resolve().parent.parent.parent
PLAIN = dict.fromkeys((SCOPE_HEAD, *LEARNED_FLAGS), 0.5)


@dataclass(frozen=True)
class Outcome:
    """Right routes of ``total`` questions, and the mean misroute cost."""

    right: int
    total: int
    cost: float

    @property
    def accuracy(self) -> float:
        """Share of right routes."""
        return self.right / self.total

    @property
    def interval(self) -> tuple[float, float]:
        """95 % Wilson interval."""
        return wilson_interval(self.right, self.total)


def load() -> tuple[list[Example], ReferenceJudge]:
    """The training questions and the judge of routes under the reference store."""
    store = orjson.loads((ROOT / "data" / "reference_store.json").read_bytes())
    return read_dataset(default_dataset()), ReferenceJudge(store)


def outcome(examples: Sequence[Example], routes: Sequence[str]) -> Outcome:
    """Compare routes with what the labels need."""
    needed = [e.route for e in examples]
    return Outcome(
        sum(n == r for n, r in zip(needed, routes, strict=True)),
        len(needed),
        sum(map(misroute_cost, needed, routes)) / len(needed),
    )


def cross_validate(
    examples: list[Example], judge: ReferenceJudge, settings: FitSettings, data: TrainingMatrix | None = None
) -> Outcome:
    """Every question routed by heads, layer and thresholds that never saw its author."""
    data = data or build_matrix([e.text for e in examples], settings.blocks, settings.min_documents)
    truth = targets(examples)
    folds = author_folds(examples, (), settings.folds)
    logits = out_of_fold_logits(data, truth, folds, settings)
    _, binary = cross_fitted(logits, truth, folds, settings)
    situations = judge.situations(data.analyses)
    routes = [""] * len(examples)
    for fold in range(settings.folds):
        inside, outside = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        thresholds = (
            _search(judge, situations, binary, examples, inside).decide().thresholds
            if settings.cost_thresholds
            else PLAIN
        )
        for i, route in zip(
            outside, _search(judge, situations, binary, examples, outside).routes(thresholds), strict=True
        ):
            routes[i] = route
    return outcome(examples, routes)


def _search(
    judge: ReferenceJudge,
    situations: Sequence[object],
    binary: npt.NDArray[np.float64],
    examples: Sequence[Example],
    part: npt.NDArray[np.intp],
) -> CostSearch:
    return CostSearch(
        judge, [situations[i] for i in part], binary[part], [examples[i].route for i in part], DECIDING_FLAGS
    )


def train_and_test(
    examples: list[Example],
    judge: ReferenceJudge,
    data: TrainingMatrix,
    inside: npt.NDArray[np.intp],
    outside: npt.NDArray[np.intp],
    settings: FitSettings,
) -> Outcome:
    """Train on the questions ``inside`` alone, with inner folds for the layer, and route the questions ``outside`` at threshold 0.5."""
    truth = targets(examples)
    part = [examples[i] for i in inside]
    inner = author_folds(part, (), settings.folds)
    weights, bias = fit_bases(data.matrix[inside], truth[inside], settings, lambda *_: None, "")
    logits = np.zeros((len(inside), truth.shape[1]))
    for fold in range(settings.folds):
        seen = inner != fold
        w, b = fit_bases(data.matrix[inside[seen]], truth[inside[seen]], settings, lambda *_: None, "")
        logits[~seen] = data.matrix[inside[~seen]] @ w + b
    _, binary = apply_layer(data.matrix[outside] @ weights + bias, *fit_layer(logits, truth[inside], settings))
    situations = judge.situations([data.analyses[i] for i in outside])
    tested = [examples[i] for i in outside]
    return outcome(
        tested, CostSearch(judge, situations, binary, [e.route for e in tested], DECIDING_FLAGS).routes(PLAIN)
    )
