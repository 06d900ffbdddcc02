"""Training of the CODE + DOCS domain as a command: check, fit, report, with a progress bar."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console

from service.progress import progress_bar
from service.settings import Settings
from service.training import TrainingRefused, checked, extra_missing
from training.dataset import DatasetError
from training.intent_checks import IntentDataReport, check_intent_data


def check_intent(data: Path, settings: Settings) -> IntentDataReport:
    """Check the data against the guide, itself and the held-out questions and conversations."""
    return checked(data, lambda: check_intent_data(data, settings.intent_exam))


def train_intent_and_save(
    data: Path, bundle_path: Path, settings: Settings, jobs: int, console: Console
) -> dict[str, Any]:
    """Train on ``data`` and write the bundle to ``bundle_path``, the report beside it. Raises `service.training.TrainingRefused`."""
    try:
        from joblib import parallel_config

        from training.intent_fit import intent_settings, train_intent_bundle
        from training.intent_report import intent_metrics, write_intent_report
    except ImportError as error:
        raise extra_missing(error) from error
    from models.bundle import save_bundle
    from service.cli import CommandError

    started = time.monotonic()
    bar = progress_bar(console, 16)
    with bar:
        task = bar.add_task("checking data", total=1.0)
        report = check_intent(data, settings)
        if report.errors:
            raise TrainingRefused(report)
        fit = intent_settings(report.examples)
        seen: dict[str, float] = {}

        def tick(stage: str, done: int, total: int) -> None:
            seen[stage] = done / total
            bar.update(task, description=stage, completed=0.1 + 0.9 * sum(seen.values()) / (fit.folds + 1))

        try:
            with parallel_config(backend="loky", n_jobs=jobs, inner_max_num_threads=1):
                bundle, found = train_intent_bundle(report.examples, report.conversations, report.alike, fit, tick)
        except DatasetError as error:
            raise CommandError(f"{data}: {error}") from error
        bar.update(task, description="report", completed=0.99)
        metrics = intent_metrics(found)
        bundle = replace(bundle, metrics={"out_of_fold": metrics})
        digest = save_bundle(bundle, bundle_path)
        files = write_intent_report(bundle_path.with_name(f"{bundle_path.name}-report"), found, metrics)
    return {
        "bundle": str(bundle_path),
        "digest": digest,
        "dataset_digest": bundle.dataset_digest,
        "questions": len(report.examples),
        "conversations": len(report.conversations),
        "features": len(bundle.weights),
        "seconds": round(time.monotonic() - started, 1),
        "limits": dict(bundle.limits),
        "out_of_fold": metrics,
        "report": [str(f) for f in files],
    }
