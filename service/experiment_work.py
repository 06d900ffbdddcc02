"""What the experiment commands do between reading options and showing results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from joblib import parallel_config
from rich.console import Console

from experiments.errors import TrackingUnavailable
from experiments.evaluation import Yardstick
from experiments.metric_names import flat_metrics
from experiments.provenance import code_revisions
from experiments.run_folder import COMPLETE, RunFolder
from experiments.sweep import Trial, sweep
from experiments.tracking import EXPERIMENT, KIND_TAG, STATE_TAG, Tracking, log_folder, mark_killed
from experiments.training_run import AnsweredBenchmark, train_into
from experiments.workers import workers
from service.benchmark import answer_all
from service.progress import progress_bar
from service.settings import Settings

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
    answered: AnsweredBenchmark | None = None,
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
            return train_into(folder, report, fit, yardstick, sources, tick, answered)


def benchmark_answerer(settings: Settings) -> AnsweredBenchmark:
    """Answers the benchmark whole, on a store of its own, without a word on the terminal."""
    silent = Console(quiet=True)
    return lambda router, questions, metadata: answer_all(router, list(questions), metadata, settings, silent)


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


class TrialLog:
    """Trials of a sweep: a folder each inside the sweep's, and a nested run each while the tracking server answers."""

    def __init__(self, tracking: Tracking, folder: RunFolder, parent: str | None, console: Console) -> None:
        self._tracking, self._folder, self._parent, self._console = tracking, folder, parent, console
        self._left: list[RunFolder] = []

    def say(self, line: str) -> None:
        """A line for the person who waits."""
        self._console.print(line, highlight=False)

    def add(self, trial: Trial) -> None:
        """Keep one trial and show its line."""
        s = trial.settings
        routes = trial.figures["routes"]
        self.say(
            f"trial {trial.number:>2}  cost {trial.cost:.4f}  routes {routes['accuracy']:.4f}  strength {s.strength:.3g}  layer_strength {s.layer_strength:.3g}  "
            f"stacked {str(s.stacked).lower()}  {trial.seconds:.0f} s"
        )
        kept = RunFolder.begin(self._folder.path / "trials", f"trial {trial.number}", "trial", "")
        write_trial(kept, trial)
        if self._parent is None:
            self._left.append(kept)
            return
        try:
            log_folder(self._tracking, kept, self._parent)
        except TrackingUnavailable:
            self._parent = None
            self._left.append(kept)

    def log_rest(self, parent: str) -> None:
        """Log the trials that the server was away for."""
        for kept in self._left:
            log_folder(self._tracking, kept, parent)


def write_trial(folder: RunFolder, trial: Trial) -> None:
    """A trial's settings and out-of-fold figures; it has no bundle."""
    folder.write("figures.json", {"out_of_fold": trial.figures})
    folder.write(
        "metrics.json",
        {**flat_metrics({"out_of_fold": trial.figures}), "mean_misroute_cost": trial.cost, "seconds": trial.seconds},
    )
    folder.write(
        "params.json", {k: ",".join(v) if isinstance(v, tuple) else v for k, v in asdict(trial.settings).items()}
    )
    folder.write("datasets.json", [])
    folder.write("tags.json", code_revisions())
    folder.mark(state=COMPLETE)


def sweep_and_train(
    folder: RunFolder,
    report: DataReport,
    base: FitSettings,
    fixed: Sequence[str],
    trials: int,
    yardstick: Yardstick,
    sources: Mapping[str, Path],
    where: str,
    jobs: int,
    log: TrialLog,
    answered: AnsweredBenchmark | None = None,
) -> dict[str, Any]:
    """The sweep, then the best settings trained and measured in full."""
    with workers(where, jobs) as said:
        log.say(f"{trials} trials on {said}")
        best = sweep(report, yardstick.store_metadata, base, fixed, trials, log.add)
        return train_into(
            folder, report, best.settings, yardstick, sources, lambda _stage, _done, _total: None, answered
        )
