"""Labelled questions to a bundle.

1. Base heads: one L2 logistic regression for each class against the rest and for each flag, over the shared row.
2. Their logits on questions whose authors they did not see (grouped cross-validation).
3. Calibration on those logits: each flag by a logistic regression on its own logit (Platt 1999), the classes together by one on theirs. With ``stacked`` every
   head sees the logits of all, so that class and flags agree; benchmarks/accuracy shows that it no longer pays.
4. Thresholds, uncertain bands and the fallback's limit by misroute cost, and the scaling of route probabilities, on out-of-fold data.
5. Base heads again on everything, the layer folded into their weights.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np
import numpy.typing as npt
from joblib import Parallel, delayed
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

from features.rows import BLOCKS
from models.bundle import Bundle
from models.heads import (
    ACCOUNTING_HEADS,
    FALLBACK_ROUTE,
    LEARNED_FLAGS,
    OUT_OF_SCOPE,
    QUESTION_CLASSES,
    ROUTES,
    SCOPE_HEAD,
    STORE_ROUTES,
)
from training.dataset import Example, dataset_digest
from training.folds import author_folds
from training.judge import RouteJudge
from training.matrix import MIN_DOCUMENTS, TrainingMatrix, build_matrix
from training.thresholds import CostSearch, Decided, least_route_probability

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Progress = Callable[[str, int, int], None]
P = ParamSpec("P")
R = TypeVar("R")

BASE = (*QUESTION_CLASSES, *LEARNED_FLAGS)
_SCOPE = BASE.index(OUT_OF_SCOPE)


@dataclass(frozen=True)
class FitSettings:
    """``strength``: inverse L2 penalty of the base heads, ``layer_strength`` of the calibration layer; ``stacked`` False calibrates each head on its own logit alone.
    Features in fewer than ``min_documents`` questions are left out."""

    folds: int = 5
    strength: float = 30.0
    layer_strength: float = 0.1
    stacked: bool = False
    cost_thresholds: bool = True
    blocks: tuple[str, ...] = BLOCKS
    min_documents: int = MIN_DOCUMENTS
    seed: int = 0


@dataclass(frozen=True)
class OutOfFold:
    """Calibrated probabilities of every question by models that saw neither it nor its author: [questions, 7] and [questions, 11]; and what was chosen on them."""

    classes: Floats
    binary: Floats
    folds: npt.NDArray[np.int64]
    decided: Decided
    routes: list[str]
    route_probabilities: Floats


def _on_one_thread(function: Callable[P, R]) -> Callable[P, R]:
    """``function`` with one BLAS thread: how many share a sum decides its last bits, and so the digest."""

    @wraps(function)
    def limited(*args: P.args, **kwargs: P.kwargs) -> R:
        with threadpool_limits(limits=1):
            return function(*args, **kwargs)

    return limited


def _silent(stage: str, done: int, total: int) -> None: ...


def targets(examples: Sequence[Example]) -> Bools:
    """[questions, 17]: classes, then learned flags."""
    rows = [[e.question_class == c for c in QUESTION_CLASSES] + [f in e.flags for f in LEARNED_FLAGS] for e in examples]
    return np.array(rows, dtype=bool)


@_on_one_thread
def fit_base(matrix: Any, truth: Bools, strength: float, seed: int) -> tuple[Floats, float]:
    """Weights and bias of one head. A target with one value only gives zero weights and the log-odds of the smoothed base rate."""
    positives = int(truth.sum())
    if positives in (0, truth.size):
        return np.zeros(matrix.shape[1]), float(np.log((positives + 0.5) / (truth.size - positives + 0.5)))
    model = LogisticRegression(C=strength, solver="liblinear", tol=1e-2, max_iter=400, random_state=seed).fit(
        matrix, truth
    )
    return model.coef_[0], float(model.intercept_[0])


@_on_one_thread  # here too, for a backend whose jobs share this process
def fit_bases(
    matrix: Any, truth: Bools, settings: FitSettings, progress: Progress, stage: str
) -> tuple[Floats, Floats]:
    """Weights [features, 17] and biases [17]. Heads are independent and fitted on one thread each, so any joblib backend gives the same."""
    jobs = (delayed(fit_base)(matrix, truth[:, h], settings.strength, settings.seed) for h in range(truth.shape[1]))
    fitted = []
    for result in Parallel(return_as="generator")(jobs):
        fitted.append(result)
        progress(stage, len(fitted), truth.shape[1])
    return np.column_stack([w for w, _ in fitted]), np.array([b for _, b in fitted])


def fit_layer(logits: Floats, truth: Bools, settings: FitSettings) -> tuple[Floats, Floats]:
    """Calibration layer: mixing [17, 18] and bias [18] for 7 classes (softmax) and 11 binary heads."""
    labels = truth[:, : len(QUESTION_CLASSES)].argmax(axis=1)
    mixing = np.zeros((len(BASE), ACCOUNTING_HEADS.count))
    bias = np.zeros(ACCOUNTING_HEADS.count)
    size = len(QUESTION_CLASSES)
    own_classes = logits if settings.stacked else logits[:, :size]
    model = LogisticRegression(C=settings.layer_strength, solver="newton-cholesky").fit(own_classes, labels)
    for row, label in enumerate(model.classes_):
        mixing[: own_classes.shape[1], label] = model.coef_[row]
        bias[label] = model.intercept_[row]
    missing = sorted(set(range(size)) - set(model.classes_.tolist()))
    bias[missing] = -30.0
    for column, base in enumerate((_SCOPE, *range(size, len(BASE))), size):
        own = logits if settings.stacked else logits[:, [base]]
        target = truth[:, base]
        if target.all() or not target.any():
            bias[column] = 30.0 if target.all() else -30.0
            continue
        head = LogisticRegression(C=settings.layer_strength, solver="newton-cholesky").fit(own, target)
        if settings.stacked:
            mixing[:, column] = head.coef_[0]
        else:
            mixing[base, column] = head.coef_[0, 0]
        bias[column] = head.intercept_[0]
    return mixing, bias


def class_rates(truth: Bools) -> npt.NDArray[np.float32]:
    """Share of each class for which each binary head is true, smoothed by one half: float32 [11, 7]."""
    size = len(QUESTION_CLASSES)
    heads = truth[:, [_SCOPE, *range(size, len(BASE))]]
    rates = [(heads[truth[:, c]].sum(axis=0) + 0.5) / (truth[:, c].sum() + 1.0) for c in range(size)]
    return np.ascontiguousarray(np.array(rates).T.astype(np.float32))


def apply_layer(logits: Floats, mixing: Floats, bias: Floats) -> tuple[Floats, Floats]:
    """Class probabilities [questions, 7] and binary ones [questions, 11]."""
    z = logits @ mixing + bias
    size = len(QUESTION_CLASSES)
    raw = np.exp(z[:, :size] - z[:, :size].max(axis=1, keepdims=True))
    return raw / raw.sum(axis=1, keepdims=True), 1.0 / (1.0 + np.exp(-z[:, size:]))


def out_of_fold_logits(
    data: TrainingMatrix,
    truth: Bools,
    folds: npt.NDArray[np.int64],
    settings: FitSettings,
    progress: Progress = _silent,
) -> Floats:
    """Base logits [questions, 17], each question scored by heads that did not see its fold."""
    logits = np.zeros((len(data.analyses), len(BASE)))
    for fold in range(settings.folds):
        inside, outside = folds != fold, folds == fold
        weights, biases = fit_bases(
            data.matrix[inside], truth[inside], settings, progress, f"fold {fold + 1} of {settings.folds}"
        )
        logits[outside] = data.matrix[outside] @ weights + biases
    return logits


def cross_fitted(
    logits: Floats, truth: Bools, folds: npt.NDArray[np.int64], settings: FitSettings
) -> tuple[Floats, Floats]:
    """Calibrated probabilities, the layer too fitted without the question's fold."""
    classes, binary = np.zeros((len(folds), len(QUESTION_CLASSES))), np.zeros((len(folds), 1 + len(LEARNED_FLAGS)))
    for fold in range(settings.folds):
        inside, outside = folds != fold, folds == fold
        layer = fit_layer(logits[inside], truth[inside], settings)
        classes[outside], binary[outside] = apply_layer(logits[outside], *layer)
    return classes, binary


def fit_route_scaling(raw: Floats, needed: Sequence[str]) -> tuple[float, list[float]]:
    """Temperature and a bias a route (order of ``ROUTES``) that make route probabilities true on average: least log-loss, lightly held to (1, 0)."""
    target = np.array([ROUTES.index(r) for r in needed])
    logs = np.log(np.maximum(raw, 1e-6))
    possible = raw > 0

    def loss(x: Floats) -> float:
        z = np.where(possible, x[0] * logs + x[1:], -30.0)
        z = z - z.max(axis=1, keepdims=True)
        ll = z[np.arange(len(target)), target] - np.log(np.exp(z).sum(axis=1))
        return float(-ll.mean() + 1e-3 * ((x[0] - 1) ** 2 + (x[1:] ** 2).sum()))

    found = minimize(
        loss,
        np.array([1.0, *[0.0] * len(ROUTES)]),
        method="L-BFGS-B",
        bounds=[(0.2, 3.0)] + [(-2.0, 2.0)] * len(ROUTES),
    )
    return round(float(found.x[0]), 6), [round(float(b), 6) for b in found.x[1:]]


def scale_routes(raw: Floats, temperature: float, biases: Sequence[float]) -> Floats:
    """The same as `router.route_probability.calibrate_routes`, for many questions."""
    z = np.where(raw > 0, np.exp(temperature * np.log(np.maximum(raw, 1e-6)) + np.array(biases)), 0.0)
    scaled: Floats = z / z.sum(axis=1, keepdims=True)
    return scaled


@dataclass(frozen=True)
class Choice:
    """What cross-validation chose: the numbers that a bundle needs beside its weights, and the out-of-fold ``logits`` [questions, 17] its calibration is fitted on."""

    found: OutOfFold
    logits: Floats
    temperature: float
    biases: list[float]
    limit: float


@_on_one_thread
def choose(
    data: TrainingMatrix,
    examples: Sequence[Example],
    judge: RouteJudge,
    deciding: Sequence[str],
    alike: Sequence[tuple[int, int]],
    settings: FitSettings,
    progress: Progress = _silent,
) -> Choice:
    """Calibration, thresholds, bands, fallback limit and route scaling by cross-validation over authors: all of a training but its last fit."""
    truth = targets(examples)
    folds = author_folds(examples, alike, settings.folds)
    logits = out_of_fold_logits(data, truth, folds, settings, progress)
    classes, binary = cross_fitted(logits, truth, folds, settings)
    situations = judge.situations(data.analyses)
    needed = [e.route for e in examples]
    search = CostSearch(judge, situations, binary, needed, deciding)
    progress("thresholds", 0, 1)
    if settings.cost_thresholds:
        decided = search.decide()
    else:
        plain = dict.fromkeys((SCOPE_HEAD, *LEARNED_FLAGS), 0.5)
        decided = Decided(plain, {}, search.cost(plain))
    width = next((band[1] - decided.thresholds[f] for f, band in decided.bands.items()), 0.0)
    routes = search.routes(decided.thresholds, width)
    raw = np.array(
        [
            [p[r] for r in ROUTES]
            for p in (
                judge.probabilities(s, dict(zip(LEARNED_FLAGS, b[1:].tolist(), strict=True)), float(b[0]))
                for s, b in zip(situations, binary, strict=True)
            )
        ]
    )
    temperature, biases = fit_route_scaling(raw, needed)
    scaled = scale_routes(raw, temperature, biases)
    of_chosen = [float(scaled[i, ROUTES.index(r)]) for i, r in enumerate(routes)]
    limit = (
        least_route_probability(needed, routes, of_chosen, FALLBACK_ROUTE, STORE_ROUTES)
        if settings.cost_thresholds
        else 0.0
    )
    routes = [FALLBACK_ROUTE if r in STORE_ROUTES and q < limit else r for r, q in zip(routes, of_chosen, strict=True)]
    progress("thresholds", 1, 1)
    return Choice(OutOfFold(classes, binary, folds, decided, routes, scaled), logits, temperature, biases, limit)


@_on_one_thread
def train_bundle(
    examples: Sequence[Example],
    judge: RouteJudge,
    deciding: Sequence[str],
    alike: Sequence[tuple[int, int]] = (),
    settings: FitSettings | None = None,
    progress: Progress = _silent,
) -> tuple[Bundle, OutOfFold]:
    """Bundle and the out-of-fold figures it was chosen by. The same input gives the same bytes.

    ``judge`` gives routes under the reference store; ``deciding`` names the flags that have an uncertain band; ``alike`` are pairs of examples
    that say nearly the same and so stay in one fold (`training.checks` finds them).
    """
    settings = settings or FitSettings()
    data = build_matrix([e.text for e in examples], settings.blocks, settings.min_documents)
    truth = targets(examples)
    chosen = choose(data, examples, judge, deciding, alike, settings, progress)
    decided = chosen.found.decided

    weights, base_bias = fit_bases(data.matrix, truth, settings, progress, "all questions")
    mixing, bias = fit_layer(chosen.logits, truth, settings)
    folded = (weights * (data.idf * data.scale)[:, None]) @ mixing
    bundle = Bundle(
        domain="accounting",
        heads=ACCOUNTING_HEADS,
        vocabulary=data.vocabulary,
        lemmas=data.lemmas,
        weights=np.column_stack([folded, data.idf**2]).astype(np.float32),
        bias=(base_bias @ mixing + bias).astype(np.float32),
        class_rates=class_rates(truth),
        thresholds=decided.thresholds,
        limits={
            "route_scaling": {"temperature": chosen.temperature, "biases": chosen.biases},
            "route_probability": chosen.limit,
            "uncertain_bands": decided.bands,
        },
        dataset_digest=dataset_digest(examples),
        training={
            "questions": len(examples),
            "authors": len({e.author for e in examples}),
            "features": int(data.idf.size),
            "settings": {
                "folds": settings.folds,
                "strength": settings.strength,
                "layer_strength": settings.layer_strength,
                "stacked": settings.stacked,
                "cost_thresholds": settings.cost_thresholds,
                "blocks": list(settings.blocks),
                "min_documents": settings.min_documents,
                "seed": settings.seed,
            },
        },
    )
    return bundle, chosen.found
