"""Training as a command: check, fit, report, with a progress bar."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import orjson
from rich.console import Console

from service.progress import progress_bar
from service.settings import Settings, reference_store
from training.checks import DataReport, check_data
from training.dataset import DatasetError
from training.intent_checks import IntentDataReport

R = TypeVar("R")


class TrainingRefused(Exception):
    """The data has errors; nothing was trained."""

    def __init__(self, report: DataReport | IntentDataReport) -> None:
        super().__init__(f"{len(report.errors)} errors in the data")
        self.report = report


def check(data: Path, settings: Settings) -> DataReport:
    """Check the data against the guide, itself and the held-out questions."""
    return checked(data, lambda: check_data(data, settings.held_out))


def checked(data: Path, read: Callable[[], R]) -> R:
    """What ``read`` finds at ``data``. Raises `service.cli.CommandError` where nothing is there or a file cannot be read."""
    from service.cli import CommandError

    if not data.exists():
        raise CommandError(f"{data}: no such file or folder; give labelled questions as JSON lines")
    try:
        return read()
    except DatasetError as error:
        raise CommandError(str(error)) from error


def extra_missing(error: ImportError) -> Exception:
    """What a command says where the extra ``train`` is not installed."""
    from service.cli import CommandError

    return CommandError(f"training needs the extra 'train' ({error.name} is missing): pip install 'switchman[train]'")


def train_and_save(data: Path, bundle_path: Path, settings: Settings, jobs: int, console: Console) -> dict[str, Any]:
    """Train on ``data`` and write the bundle to ``bundle_path``, the report beside it. Raises `TrainingRefused`."""
    try:
        from joblib import parallel_config

        from training.fit import FitSettings, train_bundle
        from training.report import out_of_fold_metrics, write_report
    except ImportError as error:
        raise extra_missing(error) from error
    from models.bundle import save_bundle
    from router.offline import ReferenceJudge
    from router.query_classifier import DECIDING_FLAGS

    started = time.monotonic()
    bar = progress_bar(console, 16)
    with bar:
        task = bar.add_task("checking data", total=1.0)
        report = check(data, settings)
        if report.errors:
            raise TrainingRefused(report)
        fit = FitSettings()
        stages = fit.folds + 1
        seen: dict[str, float] = {}

        def tick(stage: str, done: int, total: int) -> None:
            seen[stage] = done / total
            parts = sum(share for name, share in seen.items() if name != "thresholds")
            bar.update(task, description=stage, completed=0.1 + 0.9 * parts / stages)

        with parallel_config(backend="loky", n_jobs=jobs, inner_max_num_threads=1):
            bundle, found = train_bundle(
                report.examples,
                ReferenceJudge(orjson.loads(reference_store())),
                DECIDING_FLAGS,
                report.alike,
                fit,
                tick,
            )
        bar.update(task, description="report", completed=0.99)
        metrics = out_of_fold_metrics(report.examples, found)
        bundle = replace(bundle, metrics={"out_of_fold": metrics})
        digest = save_bundle(bundle, bundle_path)
        files = write_report(bundle_path.with_name(f"{bundle_path.name}-report"), report.examples, found, metrics)
    return {
        "bundle": str(bundle_path),
        "digest": digest,
        "dataset_digest": bundle.dataset_digest,
        "questions": len(report.examples),
        "features": len(bundle.weights),
        "seconds": round(time.monotonic() - started, 1),
        "thresholds": dict(bundle.thresholds),
        "limits": dict(bundle.limits),
        "out_of_fold": metrics,
        "report": [str(f) for f in files],
    }
