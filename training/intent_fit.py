"""Labelled questions and conversations of CODE + DOCS to a bundle, by the steps of `training.fit`.

1. Base heads over the shared row. The class head learns from texts that speak for themselves: questions, and turns that start or switch.
   The turn heads and ``leans`` learn from every turn.
2. Their logits on texts whose authors they did not see; calibration on those (Platt 1999).
3. The policy that keeps or leaves an intent: a logistic regression on those out-of-fold log-odds, and its limit.
4. Base heads again on everything, the calibration folded into their weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

from models.bundle import Bundle
from models.heads import INTENT_HEADS, INTENTS
from models.turn_policy import keep_features, likeliest_other
from training.dataset import DatasetError, dataset_digest
from training.fit import FitSettings, Progress, fit_bases
from training.folds import author_folds
from training.intent_dataset import Conversation, IntentExample, Turn
from training.intent_matrix import IntentMatrix, build_intent_matrix
from training.thresholds import surely_cheaper

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

LIMITS = tuple(round(0.30 + 0.02 * i, 2) for i in range(21))
"""Candidate limits of the probability that an intent is kept."""

_KEEP_STRENGTH = 0.3
_SIZE = len(INTENTS)
_LEAST = 10
"""Examples of each kind without which nothing is trained."""


@dataclass(frozen=True)
class TextRow:
    """One text of the training data: a question (``active`` and ``turn`` None) or a turn under its active intent."""

    text: str
    intent: str
    author: str
    group: str | None
    turn: Turn | None = None
    active: str | None = None

    @property
    def speaks_for_itself(self) -> bool:
        """Whether its own words tell its intent: all but continuing turns."""
        return self.turn is None or self.turn.mode != "CONTINUE"


@dataclass(frozen=True)
class IntentOutOfFold:
    """Figures of every text by models that saw neither it nor its author. ``keep``: probability of keeping, nan where no intent was active."""

    rows: list[TextRow]
    classes: Floats
    keep: Floats
    others: list[str]
    limit: float


def text_rows(examples: Sequence[IntentExample], conversations: Sequence[Conversation]) -> list[TextRow]:
    """Questions, then turns that are no greeting. A conversation is one group, so it never stands on both sides of a fold."""
    rows = [TextRow(e.text, e.intent, e.author, e.group) for e in examples]
    for conversation in conversations:
        active: str | None = None
        for turn in conversation.turns:
            if not turn.greeting:
                rows.append(TextRow(turn.text, turn.intent, conversation.author, conversation.id, turn, active))
                active = turn.intent
    return rows


def base_targets(rows: Sequence[TextRow]) -> Bools:
    """[texts, 9]: four classes, leans, four turn heads."""
    intents = [[r.intent == i for i in INTENTS] for r in rows]
    leans = [[not r.speaks_for_itself] for r in rows]
    return np.hstack([np.array(intents), np.array(leans), np.array(intents)])


def _fit_heads(
    data: IntentMatrix, truth: Bools, own: Bools, inside: Bools, settings: FitSettings, progress: Progress, stage: str
) -> tuple[Floats, Floats]:
    """Weights [features, 9] and biases [9]: the class head from texts that speak for themselves, the rest from all."""
    alone = inside & own
    a, a_bias = fit_bases(data.matrix[alone], truth[alone][:, :_SIZE], settings, progress, stage)
    b, b_bias = fit_bases(data.matrix[inside], truth[inside][:, _SIZE:], settings, progress, stage)
    return np.hstack([a, b]), np.concatenate([a_bias, b_bias])


def _fit_layer(logits: Floats, truth: Bools, own: Bools, strength: float) -> tuple[Floats, Floats]:
    """Calibration: mixing [9, 9] and bias [9]; the classes together on theirs, each binary head on its own."""
    mixing, bias = np.zeros((INTENT_HEADS.count, INTENT_HEADS.count)), np.zeros(INTENT_HEADS.count)
    labels = truth[own][:, :_SIZE].argmax(axis=1)
    model = LogisticRegression(C=strength, solver="newton-cholesky").fit(logits[own][:, :_SIZE], labels)
    for row, label in enumerate(model.classes_):
        mixing[:_SIZE, label] = model.coef_[row]
        bias[label] = model.intercept_[row]
    for column in range(_SIZE, INTENT_HEADS.count):
        head = LogisticRegression(C=strength, solver="newton-cholesky").fit(logits[:, [column]], truth[:, column])
        mixing[column, column], bias[column] = head.coef_[0, 0], head.intercept_[0]
    return mixing, bias


def _keep_model(names: list[str], found: Sequence[dict[str, float]], kept: Bools) -> tuple[dict[str, float], float]:
    place = {name: i for i, name in enumerate(names)}
    matrix = np.zeros((len(found), len(names)))
    for row, features in enumerate(found):
        for name, value in features.items():
            matrix[row, place[name]] = value
    model = LogisticRegression(C=_KEEP_STRENGTH, solver="newton-cholesky").fit(matrix, kept)
    weights = {n: round(float(w), 6) for n, w in zip(names, model.coef_[0], strict=True)}
    return weights, round(float(model.intercept_[0]), 6)


def _keep_probability(weights: dict[str, float], bias: float, features: dict[str, float]) -> float:
    z = bias + sum(weights[name] * value for name, value in features.items() if name in weights)
    return float(1.0 / (1.0 + np.exp(-z)))


def choose_limit(probability: Floats, kept: Bools) -> float:
    """The limit with the fewest wrong modes; of those not surely worse than the best, the nearest to one half."""
    errors = {limit: ((probability >= limit) != kept).astype(np.float64) for limit in LIMITS}
    best = min(errors.values(), key=lambda found: float(found.mean()))
    near = [limit for limit, found in errors.items() if not surely_cheaper(best, found)]
    return min(near, key=lambda limit: (abs(limit - 0.5), limit))


def intent_settings(examples: Sequence[IntentExample]) -> FitSettings:
    """Settings of the domain: one author a fold, up to eight folds."""
    return FitSettings(folds=max(2, min(8, len({e.author for e in examples}))))


def _silent(stage: str, done: int, total: int) -> None: ...


def train_intent_bundle(
    examples: Sequence[IntentExample],
    conversations: Sequence[Conversation],
    alike: Sequence[tuple[int, int]] = (),
    settings: FitSettings | None = None,
    progress: Progress = _silent,
) -> tuple[Bundle, IntentOutOfFold]:
    """Bundle and the out-of-fold figures it was chosen by. The same input gives the same bytes.

    ``alike`` are pairs of texts, questions first and then turns, that say nearly the same and so stay in one fold. Raises
    `training.dataset.DatasetError` where there is too little of a kind.
    """
    with threadpool_limits(limits=1):
        return _train(examples, conversations, alike, settings or intent_settings(examples), progress)


def _train(
    examples: Sequence[IntentExample],
    conversations: Sequence[Conversation],
    alike: Sequence[tuple[int, int]],
    settings: FitSettings,
    progress: Progress,
) -> tuple[Bundle, IntentOutOfFold]:
    rows = text_rows(examples, conversations)
    data = build_intent_matrix([r.text for r in rows])
    truth = base_targets(rows)
    own = np.array([r.speaks_for_itself for r in rows])
    folds = author_folds(rows, alike, settings.folds)
    _refuse_too_little(rows, own)
    logits, calibrated = _out_of_fold(data, truth, own, folds, settings, progress)
    turns = [i for i, r in enumerate(rows) if r.active is not None]
    features = {i: keep_features(calibrated[i].tolist(), rows[i].active or "", data.cues[i]) for i in turns}
    keep_weights, keep_bias, keep, limit = _fit_keeping(rows, features, folds)
    weights, base_bias = _fit_heads(data, truth, own, np.ones(len(rows), dtype=bool), settings, progress, "all texts")
    mixing, bias = _fit_layer(logits, truth, own, settings.layer_strength)
    folded = (weights * (data.idf * data.scale)[:, None]) @ mixing
    bundle = Bundle(
        domain="code_docs",
        heads=INTENT_HEADS,
        vocabulary=data.vocabulary,
        lemmas=data.lemmas,
        weights=np.column_stack([folded, data.idf**2]).astype(np.float32),
        bias=(base_bias @ mixing + bias).astype(np.float32),
        class_rates=_turn_rates(truth),
        thresholds={},
        limits={"turn_policy": {"weights": keep_weights, "bias": keep_bias, "limit": limit}},
        dataset_digest=dataset_digest((*examples, *conversations)),
        training={
            "questions": len(examples),
            "conversations": len(conversations),
            "turns": len(rows) - len(examples),
            "authors": len({r.author for r in rows}),
            "features": int(data.idf.size),
            "settings": {
                "folds": settings.folds,
                "strength": settings.strength,
                "layer_strength": settings.layer_strength,
                "seed": settings.seed,
            },
        },
    )
    probability = np.exp(calibrated[:, :_SIZE] - calibrated[:, :_SIZE].max(axis=1, keepdims=True))
    others = [likeliest_other(calibrated[i].tolist(), r.active) if r.active else "" for i, r in enumerate(rows)]
    return bundle, IntentOutOfFold(rows, probability / probability.sum(axis=1, keepdims=True), keep, others, limit)


def _refuse_too_little(rows: Sequence[TextRow], own: Bools) -> None:
    """Raise `DatasetError` where a head would have nothing to learn from."""
    kept = [r.intent == r.active for r in rows if r.active is not None]
    counts = {intent: sum(r.intent == intent for r, o in zip(rows, own, strict=True) if o) for intent in INTENTS}
    counts |= {"turns that continue": sum(kept), "turns that switch": len(kept) - sum(kept)}
    short = {what: n for what, n in counts.items() if n < _LEAST}
    if short:
        named = ", ".join(f"{n} of {what}" for what, n in short.items())
        raise DatasetError(f"too little to train on: {named}, at least {_LEAST} of each are needed; write more of them")


def _out_of_fold(
    data: IntentMatrix,
    truth: Bools,
    own: Bools,
    folds: npt.NDArray[np.int64],
    settings: FitSettings,
    progress: Progress,
) -> tuple[Floats, Floats]:
    """Base logits and calibrated log-odds [texts, 9], each by heads and a calibration that did not see the text's fold."""
    logits = np.zeros((len(own), INTENT_HEADS.count))
    calibrated = np.zeros_like(logits)
    for fold in range(settings.folds):
        inside, outside = folds != fold, folds == fold
        stage = f"fold {fold + 1} of {settings.folds}"
        weights, biases = _fit_heads(data, truth, own, inside, settings, progress, stage)
        logits[outside] = data.matrix[outside] @ weights + biases
    for fold in range(settings.folds):
        inside, outside = folds != fold, folds == fold
        mixing, bias = _fit_layer(logits[inside], truth[inside], own[inside], settings.layer_strength)
        calibrated[outside] = logits[outside] @ mixing + bias
    return logits, calibrated


def _fit_keeping(
    rows: Sequence[TextRow], features: dict[int, dict[str, float]], folds: npt.NDArray[np.int64]
) -> tuple[dict[str, float], float, Floats, float]:
    """(weights, bias, out-of-fold probability of keeping by text, limit) from the ``features`` of turns, by their place in ``rows``."""
    turns = list(features)
    names = sorted({name for found in features.values() for name in found})
    kept = np.array([rows[i].intent == rows[i].active for i in turns], dtype=bool)
    fold_of = folds[turns]
    keep = np.full(len(rows), np.nan)
    for fold in np.unique(fold_of):
        inside = fold_of != fold
        if len(set(kept[inside].tolist())) < 2:
            inside = np.ones_like(inside)  # without this fold only one kind is left: nothing could be fitted
        weights, bias = _keep_model(
            names, [features[i] for i, used in zip(turns, inside, strict=True) if used], kept[inside]
        )
        for i in (i for i, of in zip(turns, fold_of, strict=True) if of == fold):
            keep[i] = _keep_probability(weights, bias, features[i])
    return *_keep_model(names, [features[i] for i in turns], kept), keep, choose_limit(keep[turns], kept)


def _turn_rates(truth: Bools) -> npt.NDArray[np.float32]:
    """Share of each class for which each binary head is true, smoothed by one half: float32 [5, 4]."""
    heads = truth[:, _SIZE:]
    rates: list[Any] = [(heads[truth[:, c]].sum(axis=0) + 0.5) / (truth[:, c].sum() + 1.0) for c in range(_SIZE)]
    return np.ascontiguousarray(np.array(rates).T.astype(np.float32))
