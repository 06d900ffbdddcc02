"""The commands ``switchman experiment …``."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any

import orjson
import typer
from rich.console import Console
from rich.markup import escape

from service.settings import Settings, reference_store

if TYPE_CHECKING:
    from experiments.evaluation import Yardstick
    from experiments.run_folder import RunFolder
    from experiments.tracking import Tracking
    from training.checks import DataReport

experiment_app = typer.Typer(no_args_is_help=True, help="Runs in MLflow: train, compare, promote, roll back.")

out = Console()
err = Console(stderr=True)

Json = Annotated[bool, typer.Option("--json", help="Print JSON for a script.")]
TrackingUri = Annotated[
    str | None,
    typer.Option(
        "--tracking",
        help="MLflow tracking URI. Default: $SWITCHMAN_TRACKING, $MLFLOW_TRACKING_URI, else a database under var.",
    ),
]
Assignments = Annotated[
    list[str] | None, typer.Option("--set", help="A setting of the training as KEY=VALUE; may be repeated.")
]


def tracking_at(uri: str | None) -> Tracking:
    """Tracking by option, environment, default."""
    from experiments.tracking import Tracking

    settings = Settings()
    return Tracking(uri or settings.tracking_uri, settings.var / "mlflow" / "artifacts")


def yardstick() -> Yardstick:
    """The shipped benchmark and exam under the reference store."""
    from experiments.benchmark import read_benchmark
    from experiments.evaluation import Yardstick
    from training.dataset import read_dataset

    settings = Settings()
    exam = [e for file in sorted(settings.exam.glob("exam*.jsonl")) for e in read_dataset(file)]
    return Yardstick(read_benchmark(settings.benchmark), exam, orjson.loads(reference_store()))


def _sources(data: Path) -> dict[str, Path]:
    settings = Settings()
    store = Path(__file__).resolve().parent.parent / "data"
    return {
        "training": data,
        "benchmark": settings.benchmark,
        "exam": sorted(settings.exam.glob("exam*.jsonl"))[-1],
        "parity": store / "robustness" / "parity.jsonl",
        "reference_store": store / "reference_store.json",
    }


def print_json(value: object) -> None:
    """For a script."""
    typer.echo(orjson.dumps(value, option=orjson.OPT_INDENT_2).decode())


@experiment_app.command("run")
def run(
    name: Annotated[str, typer.Option("--name", help="Name of the run.")] = "run",
    notes: Annotated[str, typer.Option("--notes", help="Why it is made; shown in MLflow.")] = "",
    assignments: Assignments = None,
    data: Annotated[Path | None, typer.Option("--data", help="Folder or file of labelled questions.")] = None,
    jobs: Annotated[int, typer.Option("--jobs", help="Processes; -1 for all cores.")] = -1,
    routes_only: Annotated[
        bool, typer.Option("--routes-only", help="Route the benchmark questions, answer none.")
    ] = False,
    tracking: TrackingUri = None,
    as_json: Json = False,
) -> None:
    """Train, measure by benchmark, exam, robustness and speed, and log everything to MLflow.

    The run stands in a folder first: where the tracking server is away nothing is lost, and 'switchman experiment log FOLDER' logs it later.
    """
    from experiments.run_folder import RunFolder
    from experiments.training_run import fit_settings
    from service.experiment_work import benchmark_answerer, train_in_folder

    settings = Settings()
    fit, source = fit_settings(assignments or []), data or settings.dataset
    report = _checked(source, as_json)
    where = tracking_at(tracking)
    folder = RunFolder.begin(settings.experiments, name, "router", notes)
    with _run_of(where, folder):
        answered = None if routes_only else benchmark_answerer(settings)
        figures = train_in_folder(folder, report, fit, yardstick(), _sources(source), jobs, err, answered)
    run_id = _log(where, folder)
    if run_id:
        _ensure_baseline(where)
    _show_run(folder, run_id, figures, where, as_json)


def _checked(data: Path, as_json: bool) -> DataReport:
    """The data's report; with errors in it the findings are shown, exit code 1, and no run begins."""
    from service.cli import show_findings
    from service.training import check

    with err.status("checking data"):
        report = check(data, Settings())
    if report.errors:
        show_findings(report, as_json)
        raise typer.Exit(1)
    return report


@contextmanager
def _run_of(where: Tracking, folder: RunFolder) -> Iterator[str | None]:
    """Marks run and folder as failed or killed when what is inside does not end; a tracking server that is away only gets a warning."""
    from experiments.errors import TrackingUnavailable
    from experiments.run_folder import FAILED, KILLED
    from experiments.tracking import begin_run, end_run

    run_id = None
    try:
        run_id = begin_run(where, folder)
    except TrackingUnavailable as error:
        err.print(
            f"[yellow]{escape(str(error))}\ngoing on without it; everything is kept in {escape(str(folder.path))}[/yellow]",
            soft_wrap=True,
        )
    previous = signal.signal(signal.SIGTERM, _interrupt)
    try:
        yield run_id
    except BaseException as error:
        killed = isinstance(error, KeyboardInterrupt)
        folder.mark(state=KILLED if killed else FAILED)
        if run_id:
            try:
                end_run(where, run_id, "KILLED" if killed else "FAILED")
            except TrackingUnavailable as unreachable:
                err.print(
                    f"[yellow]{escape(str(unreachable))}: the run could not be marked there[/yellow]", soft_wrap=True
                )
        raise
    finally:
        signal.signal(signal.SIGTERM, previous)


def _interrupt(number: int, frame: FrameType | None) -> None:  # noqa: ARG001  # the signature of a signal handler
    raise KeyboardInterrupt


def _log(where: Tracking, folder: RunFolder) -> str | None:
    """Log a complete folder; None where the server is away, with the command that logs it later."""
    from experiments.errors import TrackingUnavailable
    from experiments.tracking import log_folder

    try:
        return log_folder(where, folder)
    except TrackingUnavailable as error:
        err.print(
            f"[yellow]{escape(str(error))}\nnothing is lost: log it later with[/yellow]\n"
            f"  switchman experiment log {escape(str(folder.path))}",
            soft_wrap=True,
        )
        return None


def _ensure_baseline(where: Tracking) -> None:
    """The legacy baseline stands in the same list, once for each benchmark and exam."""
    from experiments.provenance import file_digest
    from experiments.run_folder import RunFolder
    from experiments.tracking import find_tagged
    from experiments.training_run import LEGACY, legacy_into

    settings = Settings()
    judged_by = file_digest(settings.held_out)
    if find_tagged(where, "judged_by", judged_by):
        return
    folder = RunFolder.begin(
        settings.experiments, "legacy baseline", LEGACY, "keyword scores; knows neither batch nor refusal"
    )
    sources = {k: v for k, v in _sources(settings.dataset).items() if k in ("benchmark", "exam")}
    legacy_into(folder, yardstick(), sources)
    folder.write("tags.json", {**folder.read("tags.json"), "judged_by": judged_by})
    _log(where, folder)


def _show_run(folder: RunFolder, run_id: str | None, figures: dict[str, Any], where: Tracking, as_json: bool) -> None:
    benchmark, exam = figures["benchmark"], figures["exam"]
    if as_json:
        print_json({"run_id": run_id, "folder": str(folder.path), "tracking": where.uri, "figures": figures})
        return
    low, high = exam["routes"]["interval"]
    out.print(
        f"benchmark {benchmark['route_mismatch_count']} mismatches, verdict {benchmark['verdict']}; "
        f"exam {exam['routes']['accuracy']:.3f} ({low:.3f}–{high:.3f}), route ECE {exam['route_ece']:.3f}; "
        f"{figures['speed']['p50_us']:.0f} µs a question",
        soft_wrap=True,
    )
    out.print(f"folder {folder.path}", soft_wrap=True, highlight=False)
    if run_id:
        out.print(
            f"run {run_id}\nnext: switchman experiment compare champion {run_id[:8]}, switchman experiment promote {run_id[:8]}, switchman experiment ui",
            soft_wrap=True,
            highlight=False,
        )


@experiment_app.command("log")
def log(
    folder: Annotated[Path, typer.Argument(help="Folder of a run, as 'switchman experiment run' printed it.")],
    tracking: TrackingUri = None,
) -> None:
    """Log a run that was made while the tracking server was away. Repeating it is harmless."""
    from experiments.run_folder import RunFolder
    from experiments.tracking import log_folder

    where = tracking_at(tracking)
    run_id = log_folder(where, RunFolder.open(folder))
    _ensure_baseline(where)
    out.print(f"run {run_id} in {where.uri}", soft_wrap=True, highlight=False)


@experiment_app.command("list")
def listing(tracking: TrackingUri = None, as_json: Json = False) -> None:
    """Runs, newest first; those whose process is gone are marked as killed."""
    from service.experiment_screen import runs_table
    from service.experiment_work import recent_runs

    found = recent_runs(tracking_at(tracking))
    if as_json:
        print_json(found)
    else:
        out.print(runs_table(found))


@experiment_app.command("ui")
def ui(
    port: Annotated[int, typer.Option("--port", help="Port on this machine.")] = 5000,
    tracking: TrackingUri = None,
) -> None:
    """Open MLflow's pages over the runs; stop with Ctrl-C."""
    import os
    import sys

    where = tracking_at(tracking)
    where.client()
    environment = {**os.environ, "MLFLOW_DISABLE_TELEMETRY": "true"}
    command = [sys.executable, "-m", "mlflow", "ui", "--backend-store-uri", where.uri, "--port", str(port)]
    out.print(f"http://127.0.0.1:{port}")
    os.execve(sys.executable, command, environment)  # noqa: S606  # MLflow's own server in our place, so that Ctrl-C reaches it


Version = Annotated[
    str,
    typer.Argument(
        help="A run (id, beginning of it, or name), an alias such as champion, models:/switchman/3, or a bundle folder."
    ),
]


def cache() -> Path:
    """Where pulled bundles are kept by run."""
    return Settings().var / "mlflow" / "pulled"


@experiment_app.command("promote")
def promote(
    version: Version,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the gates and change nothing.")] = False,
    tracking: TrackingUri = None,
    as_json: Json = False,
) -> None:
    """Put a run before the gates and, when all pass, make it champion. A failed gate changes nothing: exit code 1."""
    from experiments.registry import promote as promote_version
    from service.experiment_screen import promotion_parts

    with err.status("gates") as status:
        done = promote_version(
            version, tracking_at(tracking), cache(), yardstick(), dry_run=dry_run, note=status.update
        )
    if as_json:
        print_json(done.to_dict())
    else:
        for part in promotion_parts(done, dry_run):
            out.print(part, soft_wrap=True)
    if not done.passed:
        raise typer.Exit(1)


@experiment_app.command("rollback")
def rollback(tracking: TrackingUri = None) -> None:
    """Make the version before the champion champion again."""
    from experiments.registry import rollback as roll_back

    old, new = roll_back(tracking_at(tracking), cache())
    out.print(f"champion is version {new} again, version {old} stays in the registry", soft_wrap=True)


bundle_app = typer.Typer(no_args_is_help=True, help="Bundles for production.")


@bundle_app.command("pull")
def bundle_pull(
    version: Version,
    target: Annotated[Path, typer.Argument(help="Folder for the bundle.")],
    tracking: TrackingUri = None,
    as_json: Json = False,
) -> None:
    """Fetch a bundle from the registry, verified; production then loads the folder without MLflow."""
    from experiments.registry import pull

    found = pull(version, target, tracking_at(tracking), cache())
    if as_json:
        print_json(
            {
                "bundle": str(target),
                "digest": found.bundle.digest,
                "run_id": found.run_id,
                "version": found.model_version,
            }
        )
    else:
        out.print(f"{found.label} → {target}\ndigest {found.bundle.digest}", soft_wrap=True, highlight=False)


@experiment_app.command("compare")
def compare(
    before: Version,
    after: Version,
    page: Annotated[Path | None, typer.Option("--html", help="Where the page goes. Default: var/compare.html.")] = None,
    store_before: Annotated[
        Path | None, typer.Option("--store-before", help="Ask BEFORE again under this store metadata.")
    ] = None,
    store_after: Annotated[
        Path | None, typer.Option("--store-after", help="Ask AFTER again under this store metadata.")
    ] = None,
    tracking: TrackingUri = None,
    as_json: Json = False,
) -> None:
    """Compare two versions: figures with paired significance, every question that changed route, and what is to blame: flag, threshold, guard or store."""
    from experiments.comparison import compare as compare_sides
    from experiments.comparison_page import comparison_page
    from experiments.sides import side_of
    from service.cli import read_store_metadata
    from service.experiment_screen import comparison_parts

    where, measure = tracking_at(tracking), yardstick()
    stores = [read_store_metadata(path) if path else None for path in (store_before, store_after)]
    with err.status("versions") as status:
        sides = [
            side_of(name, where, cache(), measure, store) for name, store in zip((before, after), stores, strict=True)
        ]
        found = compare_sides(sides[0], sides[1], measure, status.update)
        target = page or Settings().var / "compare.html"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(comparison_page(found), "utf-8")
    if as_json:
        print_json({**found.to_dict(), "page": str(target)})
        return
    for part in comparison_parts(found):
        out.print(part, soft_wrap=True)
    out.print(f"page {target}", soft_wrap=True, highlight=False)


@experiment_app.command("sweep")
def sweep(
    trials: Annotated[int, typer.Option("--trials", min=1, help="How many settings are tried.")] = 20,
    name: Annotated[str, typer.Option("--name", help="Name of the run.")] = "sweep",
    notes: Annotated[str, typer.Option("--notes", help="Why it is made; shown in MLflow.")] = "",
    assignments: Assignments = None,
    data: Annotated[Path | None, typer.Option("--data", help="Folder or file of labelled questions.")] = None,
    workers: Annotated[
        str | None,
        typer.Option(
            "--workers", help="local, dask, or a Dask scheduler's address. Default: $SWITCHMAN_WORKERS, else local."
        ),
    ] = None,
    jobs: Annotated[
        int, typer.Option("--jobs", help="Processes or Dask workers of this machine; -1 for all cores.")
    ] = -1,
    tracking: TrackingUri = None,
    as_json: Json = False,
) -> None:
    """Search training settings by cross-validation over authors; nested runs, the best of them trained and measured in full.

    A setting that --set names stays fixed. Neither benchmark nor exam takes part in the choice, and no trial runs a batch.
    """
    from experiments.run_folder import RunFolder
    from experiments.training_run import fit_settings
    from service.experiment_work import TrialLog, benchmark_answerer, sweep_and_train

    settings = Settings()
    fixed = [a.partition("=")[0] for a in assignments or []]
    base, source = fit_settings(assignments or []), data or settings.dataset
    report = _checked(source, as_json)
    where = tracking_at(tracking)
    folder = RunFolder.begin(settings.experiments, name, "sweep", notes)
    with _run_of(where, folder) as run_id:
        trials_log = TrialLog(where, folder, run_id, err)
        figures = sweep_and_train(
            folder,
            report,
            base,
            fixed,
            trials,
            yardstick(),
            _sources(source),
            workers or settings.workers,
            jobs,
            trials_log,
            benchmark_answerer(settings),
        )
    run_id = _log(where, folder)
    if run_id:
        trials_log.log_rest(run_id)
        _ensure_baseline(where)
    _show_run(folder, run_id, figures, where, as_json)
