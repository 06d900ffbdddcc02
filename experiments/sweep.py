"""Search over training settings: nested runs under one parent, judged by cross-validation over authors alone.

The features are made once. A trial fits no last heads, makes no bundle and asks neither benchmark, exam nor batch: what judges must not choose. The best
settings are then trained and measured in full, as the parent run. Where the fits run (processes here, a Dask cluster) is the caller's joblib configuration.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from router.offline import ReferenceJudge
from router.query_classifier import DECIDING_FLAGS
from training.checks import DataReport
from training.fit import FitSettings, choose
from training.matrix import TrainingMatrix, build_matrix
from training.report import out_of_fold_metrics
from training.thresholds import misroute_cost

SPACE: Mapping[str, tuple[float, float]] = {"strength": (0.3, 300.0), "layer_strength": (0.003, 10.0)}
"""Settings that are searched, log-uniform between the bounds; ``stacked`` is searched too. A setting that is named by --set stays as it is."""


@dataclass(frozen=True)
class Trial:
    """One set of settings: ``cost`` is the mean misroute cost out of fold, what the search makes small."""

    number: int
    settings: FitSettings
    cost: float
    figures: dict[str, Any]
    seconds: float


def cached_features(report: DataReport, settings: FitSettings) -> TrainingMatrix:
    """Features of every question, for all trials."""
    return build_matrix([e.text for e in report.examples], settings.blocks, settings.min_documents)


def try_settings(
    number: int, data: TrainingMatrix, report: DataReport, judge: ReferenceJudge, settings: FitSettings
) -> Trial:
    """Cross-validated figures of one set of settings."""
    started = time.monotonic()
    found = choose(data, report.examples, judge, DECIDING_FLAGS, report.alike, settings).found
    costs = [misroute_cost(e.route, r) for e, r in zip(report.examples, found.routes, strict=True)]
    figures = out_of_fold_metrics(report.examples, found)
    return Trial(number, settings, float(np.mean(costs)), figures, time.monotonic() - started)


def sweep(
    report: DataReport,
    store_metadata: Mapping[str, Any],
    base: FitSettings,
    fixed: Sequence[str],
    trials: int,
    on_trial: Callable[[Trial], None],
) -> Trial:
    """The best of ``trials`` trials. The first is ``base`` itself; the same seed tries the same settings (TPE, Bergstra et al. 2011)."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    data, judge = cached_features(report, base), ReferenceJudge(store_metadata)
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=base.seed))
    first = {k: v for k, v in asdict(base).items() if k in {*SPACE, "stacked"} - set(fixed)}
    study.enqueue_trial(first)
    done: list[Trial] = []

    def objective(asked: optuna.Trial) -> float:
        chosen: dict[str, Any] = {
            k: asked.suggest_float(k, low, high, log=True) for k, (low, high) in SPACE.items() if k not in fixed
        }
        if "stacked" not in fixed:
            chosen["stacked"] = asked.suggest_categorical("stacked", [False, True])
        trial = try_settings(asked.number, data, report, judge, replace(base, **chosen))
        done.append(trial)
        on_trial(trial)
        return trial.cost

    study.optimize(objective, n_trials=trials)
    return min(done, key=lambda t: (t.cost, t.number))
