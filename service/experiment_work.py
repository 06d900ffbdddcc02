"""What the experiment commands do between reading options and showing results."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from joblib import parallel_config
from rich.console import Console

from experiments.evaluation import Yardstick
from experiments.run_folder import RunFolder
from experiments.tracking import EXPERIMENT, KIND_TAG, STATE_TAG, Tracking, mark_killed
from experiments.training_run import train_into
from service.progress import progress_bar

if TYPE_CHECKING:
    from training.checks import DataReport
    from training.fit import FitSettings


def train_in_folder(
    folder: RunFolder,
    report: DataReport,
    fit: FitSettings,
    yardstick: Yardstick,
    sources: Mapping[str, Path],
    jobs: int,
    console: Console,
) -> dict[str, Any]:
    """Train and measure with a progress bar."""
    bar = progress_bar(console, 16)
    with bar:
        task = bar.add_task("features", total=1.0)
        seen: dict[str, float] = {}

        def tick(stage: str, done: int, total: int) -> None:
            seen[stage] = done / total
            parts = sum(share for name, share in seen.items() if name not in ("thresholds", "measuring"))
            bar.update(task, description=stage, completed=0.8 * parts / (fit.folds + 1))

        with parallel_config(backend="loky", n_jobs=jobs, inner_max_num_threads=1):
            return train_into(folder, report, fit, yardstick, sources, tick)


def recent_runs(tracking: Tracking, most: int = 30) -> list[dict[str, Any]]:
    """Newest runs with their state and main figures."""
    client = tracking.client()
    with tracking.reachable():
        experiment = client.get_experiment_by_name(EXPERIMENT)
        if experiment is None:
            return []
        mark_killed(client, experiment.experiment_id)
        runs = client.search_runs([experiment.experiment_id], order_by=["attributes.start_time DESC"], max_results=most)
    return [
        {
            "run_id": r.info.run_id,
            "name": r.info.run_name,
            "kind": r.data.tags.get(KIND_TAG, ""),
            "state": r.data.tags.get(STATE_TAG, r.info.status.lower()),
            "route_mismatch_count": r.data.metrics.get("route_mismatch_count"),
            "exam_accuracy": r.data.metrics.get("exam/routes/accuracy"),
            "out_of_fold_accuracy": r.data.metrics.get("out_of_fold/routes/accuracy"),
            "bundle_digest": r.data.tags.get("bundle_digest"),
        }
        for r in runs
    ]
