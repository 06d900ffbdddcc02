"""The command ``switchman``."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Any

import orjson
import typer
from rich.console import Console
from rich.markup import escape

from models.bundle import BundleError
from router.question_router import QuestionRouter, load_router
from service import jobs
from service.experiments import bundle_app, experiment_app
from service.intent import register as register_intent
from service.review import register as register_review
from service.serving import register as register_serving
from service.settings import SettingError, Settings, reference_store

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Routes questions with calibrated flags, explicit guards and a decision log.",
)
data_app = typer.Typer(no_args_is_help=True, help="Labelled questions.")
app.add_typer(data_app, name="data")
snapshot_app = typer.Typer(no_args_is_help=True, help="Snapshots of 1C data.")
app.add_typer(snapshot_app, name="snapshot")
store_app = typer.Typer(no_args_is_help=True, help="Stores built from a snapshot.")
app.add_typer(store_app, name="store")
app.add_typer(jobs.app, name="jobs")
app.add_typer(experiment_app, name="experiment")
app.add_typer(bundle_app, name="bundle")
register_review(app, data_app)
register_serving(app)

out = Console()
err = Console(stderr=True)
register_intent(app, out, err)

Json = Annotated[bool, typer.Option("--json", help="Print JSON for a script.")]
StoreMetadata = Annotated[
    Path | None,
    typer.Option("--store-metadata", help="JSON file that says what the stores hold. Default: the reference store."),
]
BundlePath = Annotated[
    Path | None, typer.Option("--bundle", help="Folder of the bundle. Default: $SWITCHMAN_BUNDLE, else var/bundle.")
]


StoresPath = Annotated[
    Path | None, typer.Option("--stores", help="Folder of store versions. Default: $SWITCHMAN_STORES, else var/stores.")
]


Domain = Annotated[
    str | None,
    typer.Option("--domain", help="accounting or code_docs. Default: both, or what the named data is of."),
]
DOMAINS = ("accounting", "code_docs")


class CommandError(Exception):
    """What a person must know and do; printed without a traceback, exit code 2."""


def main() -> None:
    """Entry point. Expected failures end with one message and exit code 2."""
    from experiments.benchmark import BenchmarkError
    from experiments.errors import ExperimentError

    try:
        app()
    except (CommandError, SettingError, BundleError, BenchmarkError, ExperimentError) as error:
        err.print(f"[red]switchman:[/red] {escape(str(error))}", soft_wrap=True)
        sys.exit(2)
    except BrokenPipeError:
        sys.exit(141)


def _print_json(value: object) -> None:
    sys.stdout.write(orjson.dumps(value, option=orjson.OPT_INDENT_2).decode() + "\n")


def read_store_metadata(path: Path | None) -> dict[str, Any]:
    """Metadata of ``path`` or of the reference store; what is no JSON object is refused, what it says is judged later."""
    try:
        content = reference_store() if path is None else path.read_bytes()
        found = orjson.loads(content)
    except OSError as error:
        raise CommandError(f"--store-metadata {path}: {error.strerror}; name a readable JSON file") from error
    except orjson.JSONDecodeError as error:
        raise CommandError(f"--store-metadata {path}: not JSON ({error})") from error
    if not isinstance(found, dict):
        raise CommandError(f"--store-metadata {path}: a {type(found).__name__}, not an object")
    return found


def router_at(bundle: Path | None) -> QuestionRouter:
    """Router of a bundle, by the default settings where none is named."""
    return load_router(bundle or Settings().bundle)


@app.command()
def route(
    question: Annotated[str | None, typer.Argument(help="The question, in Russian or English.")] = None,
    source: Annotated[
        Path | None, typer.Option("--input", help="JSON lines with question_id, text and maybe parsed_intent.")
    ] = None,
    target: Annotated[
        Path | None, typer.Option("--output", help="Where the decisions go, a JSON line each, in the same order.")
    ] = None,
    store_metadata: StoreMetadata = None,
    bundle: BundlePath = None,
    jobs: Annotated[int, typer.Option("--jobs", help="Processes for a long file; 0 for all cores.")] = 0,
    brief: Annotated[
        bool, typer.Option("--brief", help="Of a file, routes, flags and probabilities only, without the records.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Route one question, or a file of them.

    A line that cannot be read gives an error record with its number; the rest goes on, and the exit code stays 0.
    """
    if question is not None and source is None and target is None:
        if brief:
            raise CommandError(
                "--brief goes with --input FILE and --output FILE; --json prints one decision for a script"
            )
        _route_one(question, read_store_metadata(store_metadata), router_at(bundle), as_json)
    elif question is None and source is not None and target is not None:
        count = jobs or os.cpu_count() or 1
        _route_many(source, target, read_store_metadata(store_metadata), router_at(bundle), count, brief, as_json)
    else:
        raise CommandError("give one question in quotes, or --input FILE with --output FILE")


def _route_one(question: str, metadata: dict[str, Any], router: QuestionRouter, as_json: bool) -> None:
    decision = router.route(question, metadata)
    if as_json:
        _print_json(decision.to_dict())
        return
    from service.screen import decision_panel

    out.print(decision_panel(decision))


def _route_many(
    source: Path,
    target: Path,
    metadata: dict[str, Any],
    router: QuestionRouter,
    jobs: int,
    brief: bool,
    as_json: bool,
) -> None:
    from service.bulk import route_file

    try:
        good, bad = route_file(router, source, target, metadata, jobs, brief)
    except OSError as error:
        raise CommandError(f"{error.filename}: {error.strerror}; nothing was written") from error
    if as_json:
        _print_json({"routed": good, "refused": bad, "output": str(target)})
    else:
        err.print(f"{good} routed, {bad} lines refused, written to {target}", soft_wrap=True)


@app.command()
def explain(
    question: Annotated[str, typer.Argument(help="The question, in Russian or English.")],
    store_metadata: StoreMetadata = None,
    bundle: BundlePath = None,
    as_json: Json = False,
) -> None:
    """Explain one decision: what moved each flag, the store facts, the guards, and the smallest change that would give another route."""
    from router.explanation import explain as explain_question

    found = explain_question(router_at(bundle), question, read_store_metadata(store_metadata))
    if as_json:
        _print_json(found.to_dict())
        return
    from service.explain_screen import explanation_parts

    for part in explanation_parts(found):
        out.print(part)


@app.command("ask")
def ask_question(
    question: Annotated[str, typer.Argument(help="The question, in Russian or English; it may ask several things.")],
    stores: StoresPath = None,
    bundle: BundlePath = None,
    wait: Annotated[
        bool, typer.Option("--wait/--no-wait", help="Wait for heavy parts, or print the ids of their jobs.")
    ] = True,
    text: Annotated[bool, typer.Option("--text", help="Print the written answer only.")] = False,
    as_json: Json = False,
) -> None:
    """Answer a question from the stores and the live system: fragments, routes, results. Heavy parts run as durable jobs. Exit code 1 where every fragment failed."""
    from service.answering import open_answerer
    from service.durable import DurableBatch

    settings = Settings()
    batch = DurableBatch(settings, err, wait)
    answerer = open_answerer(router_at(bundle), stores or settings.stores, settings, batch)
    try:
        answer = answerer.ask(question)
    finally:
        answerer.close()
    if as_json:
        _print_json(answer.to_dict())
    elif batch.queued and len(batch.queued) == len(answer.fragments):
        for job_id in batch.queued:
            out.print(job_id, markup=False)
    elif text:
        from service.jobs_screen import answer_text

        out.print(answer_text({"text": answer.written().text}), soft_wrap=True)
    else:
        from service.answer_screen import answer_parts

        for part in answer_parts(answer):
            out.print(part)
    if answer.status == "error":
        raise typer.Exit(1)


@app.command("live-server")
def live_server(
    folder: Annotated[
        Path | None,
        typer.Option("--data", help="Folder of OData exports it starts from. Default: the demo, data/snapshot."),
    ] = None,
    changes: Annotated[
        Path | None, typer.Option("--changes", help="File of what was re-posted here. Default: var/live/changes.jsonl.")
    ] = None,
    port: Annotated[int, typer.Option("--port", min=1, max=65535, help="Port of 127.0.0.1.")] = 8765,
    stdio: Annotated[bool, typer.Option("--stdio", help="Speak over standard input and output instead.")] = False,
) -> None:
    """Run the reference live system, a read-only MCP server with data of its own. Point to it: SWITCHMAN_LIVE=http://127.0.0.1:PORT/mcp."""
    from service.live import serve

    serve(folder or Settings().demo_snapshot, changes, port, stdio, err)


@app.command("live-repost")
def live_repost(
    kind: Annotated[str, typer.Argument(help="Kind of document, as РеализацияТоваровУслуг.")],
    number: Annotated[str, typer.Argument(help="Its number.")],
    amount: Annotated[str | None, typer.Option("--amount", help="New sum in roubles, as 50000.00.")] = None,
    unpost: Annotated[bool, typer.Option("--unpost", help="Take the posting back.")] = False,
    day: Annotated[
        str | None, typer.Option("--date", help="Its day, YYYY-MM-DD, where the number is not unique.")
    ] = None,
    folder: Annotated[Path | None, typer.Option("--data", help="Folder of OData exports. Default: the demo.")] = None,
    changes: Annotated[Path | None, typer.Option("--changes", help="File of what was re-posted.")] = None,
    as_json: Json = False,
) -> None:
    """Post a document again in the reference live system only: the stores keep what they have, drill-down and hybrid tell the difference."""
    from service.live import repost

    done = repost(folder or Settings().demo_snapshot, changes, kind, number, amount, unpost, day)
    if as_json:
        _print_json(done)
    else:
        out.print(escape(done["said"]), soft_wrap=True)


def _domains(named: str | None, data: Path | None = None, bundle: Path | None = None) -> tuple[str, ...]:
    """Domains that a command is about: the named one (``intent`` is another name of code_docs), else that of ``data``, else both."""
    if named is None and data is not None:
        return (domain_of(data),)
    if named is None:
        return DOMAINS if bundle is None else DOMAINS[:1]
    found = {"intent": "code_docs"}.get(named, named)
    if found not in DOMAINS:
        raise CommandError(f"--domain {named}: not one of {', '.join(DOMAINS)}")
    return (found,)


def domain_of(data: Path) -> str:
    """Domain of labelled data, told by the fields of its first line; accounting where nothing tells."""
    files = [data] if data.is_file() else sorted(data.glob("*.jsonl")) if data.is_dir() else []
    for file in files[:1]:
        with file.open("rb") as lines:
            first = next(lines, b"")
        return "code_docs" if b'"intent"' in first or b'"turns"' in first else DOMAINS[0]
    return DOMAINS[0]


@app.command()
def exam(
    domain: Annotated[str, typer.Option("--domain", help="accounting or code_docs.")] = "accounting",
    bundle: BundlePath = None,
    log: Annotated[
        Path | None,
        typer.Option("--log", help="Where the scoring is appended. Default: scorings.jsonl beside the exam."),
    ] = None,
    note: Annotated[str, typer.Option("--note", help="Why the exam is taken, for the log.")] = "",
    as_json: Json = False,
) -> None:
    """Score the exam, beside the legacy baseline and plain TF-IDF, and append the scoring to its log with date and bundle digest."""
    settings = Settings()
    if _domains(domain) == ("code_docs",):
        from router.intent import load_intent_router
        from service.intent_exam import take_intent_exam

        taken = take_intent_exam(
            load_intent_router(bundle), settings, log or settings.intent_exam / "scorings.jsonl", note
        )
        if as_json:
            _print_json(taken)
            return
        from service.intent_tables import intent_exam_tables

        for table in intent_exam_tables(taken):
            out.print(table)
        return
    from service.exam import take_exam

    found = take_exam(
        router_at(bundle), settings, read_store_metadata(None), log or settings.exam / "scorings.jsonl", note
    )
    if as_json:
        _print_json(found)
        return
    from service.tables import exam_tables

    for table in exam_tables(found):
        out.print(table)


@app.command()
def train(
    data: Annotated[Path | None, typer.Option("--data", help="Folder or file of labelled questions.")] = None,
    domain: Domain = None,
    bundle: BundlePath = None,
    jobs: Annotated[int, typer.Option("--jobs", help="Processes; -1 for all cores.")] = -1,
    as_json: Json = False,
) -> None:
    """Check the labelled questions of both domains, train and calibrate all heads, write each bundle and a report beside it.

    Data with errors trains nothing: exit code 1 and the findings.
    """
    from service.training import TrainingRefused

    domains = _domains(domain, data, bundle)
    done: dict[str, Any] = {}
    for name in domains:
        try:
            done[name] = _train_one(name, data, bundle, jobs)
        except TrainingRefused as refused:
            show_findings(refused.report, as_json)
            raise typer.Exit(1) from refused
        if not as_json:
            _show_training(name, done[name])
    if as_json:
        first, *others = domains
        _print_json({**done[first], **{name: done[name] for name in others}})


def _train_one(domain: str, data: Path | None, bundle: Path | None, jobs: int) -> dict[str, Any]:
    settings = Settings()
    if domain == "code_docs":
        from service.intent_training import train_intent_and_save

        return train_intent_and_save(
            data or settings.intent_dataset, bundle or settings.intent_bundle, settings, jobs, err
        )
    from service.training import train_and_save

    return train_and_save(data or settings.dataset, bundle or settings.bundle, settings, jobs, err)


def _show_training(domain: str, done: dict[str, Any]) -> None:
    if domain == "code_docs":
        from service.intent_tables import intent_training_tables as tables
    else:
        from service.tables import training_tables as tables
    for table in tables(done):
        out.print(table)


@data_app.command("check")
def data_check(
    data: Annotated[Path | None, typer.Argument(help="Folder or file of labelled questions.")] = None,
    domain: Domain = None,
    as_json: Json = False,
) -> None:
    """Check labelled questions: schema, the guide's rules, duplicates, patterns, leakage, balance. Exit code 1 when there are errors."""
    from service.intent_training import check_intent
    from service.training import check

    settings = Settings()
    reports: dict[str, Any] = {}
    for name in _domains(domain, data):
        if name == "code_docs":
            reports[name] = check_intent(data or settings.intent_dataset, settings)
        else:
            reports[name] = check(data or settings.dataset, settings)
    if as_json:
        (_, first), *others = reports.items()
        found = _findings(first)
        for name, report in others:
            more = _findings(report)
            found["findings"] += more["findings"]
            found["counts"][name] = more["counts"]
        _print_json(found)
    else:
        for report in reports.values():
            show_findings(report, False)
    if any(report.errors for report in reports.values()):
        raise typer.Exit(1)


def _findings(report: Any) -> dict[str, Any]:
    findings = [
        {"level": f.level, "code": f.code, "where": f.where, "message": f.message, "fix": f.fix}
        for f in report.findings
    ]
    return {"findings": findings, "counts": report.counts}


def show_findings(report: Any, as_json: bool) -> None:
    """What is wrong with labelled data."""
    if as_json:
        _print_json(_findings(report))
        return
    from service.tables import findings_lines

    for line in findings_lines(report):
        out.print(line, soft_wrap=True)


@snapshot_app.command("load")
def snapshot_load(
    folder: Annotated[
        Path | None, typer.Argument(help="Folder of OData exports. Default: the demo, data/snapshot.")
    ] = None,
    stores: StoresPath = None,
    keep: Annotated[int, typer.Option("--keep", min=1, help="Versions that stay.")] = 3,
    as_json: Json = False,
) -> None:
    """Load a folder of 1C's OData answers and publish canonical, feature and risk stores. All or nothing: exit code 1 when a file or record is refused."""
    from service.stores import SnapshotNotLoaded, load_and_publish

    try:
        done = load_and_publish(folder or Settings().demo_snapshot, stores or Settings().stores, keep, Settings(), err)
    except SnapshotNotLoaded as refused:
        if as_json:
            _print_json(refused.report)
        else:
            from service.store_screen import refusal_lines

            for line in refusal_lines(refused.report):
                err.print(line, soft_wrap=True)
        raise typer.Exit(1) from refused
    if as_json:
        _print_json(done)
        return
    from service.store_screen import load_parts

    for part in load_parts(done):
        out.print(part)


@store_app.command("status")
def store_status(stores: StoresPath = None, as_json: Json = False) -> None:
    """Show what the stores hold, as of when, and how fresh it is; with --json the metadata that the router reads."""
    from service.stores import status

    found = status(stores or Settings().stores, Settings())
    if as_json:
        _print_json(found["metadata"])
        return
    from service.store_screen import status_parts

    for part in status_parts(found):
        out.print(part)


@app.command()
def benchmark(
    only: Annotated[str | None, typer.Option("--only", help="Question ids and ranges, as in Q06-Q12,Q26-Q30.")] = None,
    store_metadata: StoreMetadata = None,
    bundle: BundlePath = None,
    logs: Annotated[
        Path | None,
        typer.Option(
            "--logs", help="Folder for decision records, execution records and answers. Default: var/benchmark."
        ),
    ] = None,
    routes_only: Annotated[bool, typer.Option("--routes-only", help="Route the questions, answer none.")] = False,
    as_json: Json = False,
) -> None:
    """Run the benchmark questions whole, heavy ones as durable jobs, beside the legacy baseline, and judge them.

    Exit code 1 on the verdict reject, or on any mismatch or degraded answer of a partial run.
    """
    from experiments.benchmark import read_benchmark
    from service.benchmark import run_and_save

    settings = Settings()
    questions = read_benchmark(settings.benchmark, only)
    result, saved = run_and_save(
        router_at(bundle), questions, read_store_metadata(store_metadata), settings, logs or settings.var / "benchmark",
        whole=only is None, answered=not routes_only, console=err,
    )  # fmt: skip
    if as_json:
        _print_json({**result.to_dict(), "logs": [str(path) for path in saved]})
    else:
        from service.tables import benchmark_tables

        for table in benchmark_tables(result):
            out.print(table)
        out.print(f"logs: {', '.join(map(str, saved))}", soft_wrap=True, markup=False)
    degraded = result.execution is not None and bool(result.execution.degraded)
    if result.verdict == "reject" or (only is not None and (result.mismatches or degraded)):
        raise typer.Exit(1)


@app.command()
def demo() -> None:
    """Train a bundle if there is none, then route six questions and show each decision."""
    from service.demo import run_demo

    run_demo(Settings(), out, err)
