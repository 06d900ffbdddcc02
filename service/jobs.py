"""``switchman jobs``: what waits, runs and has ended; follow, cancel, retry, answer; and the worker itself."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import orjson
import typer
from rich.console import Console
from rich.markup import escape

from service.settings import Settings

if TYPE_CHECKING:
    from orchestration.batch_handoff import Watch
    from orchestration.jobs import Jobs, JobView

app = typer.Typer(
    help="Durable jobs: heavy questions that refresh the stores and then answer.", invoke_without_command=True
)
out, err = Console(), Console(stderr=True)

Json = Annotated[bool, typer.Option("--json", help="Print JSON for a script.")]
JobId = Annotated[str, typer.Argument(help="Id of the job, as 'switchman jobs' lists it.")]
StoresPath = Annotated[
    Path | None,
    typer.Option("--stores", help="Folder of store versions. Default: $SWITCHMAN_STORES, else var/stores."),
]


@contextmanager
def open_jobs(settings: Settings) -> Iterator[Jobs]:
    """A client of the configured database. Raises `CommandError` for what a person can mend."""
    from service.cli import CommandError

    try:
        from sqlalchemy.exc import DBAPIError

        from orchestration.batch_errors import JobsError
        from orchestration.batch_tables import shown_url
        from orchestration.jobs import Jobs
    except ImportError as error:
        raise CommandError(
            f"jobs need the extra 'batch' ({error.name} is missing): pip install 'switchman[batch,stores]'"
        ) from error
    try:
        jobs = Jobs(settings.database_url)
        try:
            yield jobs
        finally:
            jobs.close()
    except JobsError as error:
        raise CommandError(str(error)) from error
    except DBAPIError as error:
        raise CommandError(
            f"{shown_url(settings.database_url)}: the database of jobs is away ({type(error.orig).__name__}); jobs are kept, try again"
        ) from error


def _print_json(value: object) -> None:
    out.file.write(orjson.dumps(value, option=orjson.OPT_INDENT_2).decode() + "\n")


@app.callback()
def listing(
    context: typer.Context,
    limit: Annotated[int, typer.Option("--limit", min=1, help="Jobs shown, the newest first.")] = 30,
    only_open: Annotated[bool, typer.Option("--open", help="Only what has not ended.")] = False,
    as_json: Json = False,
) -> None:
    """List jobs, the newest first. The other commands follow, cancel, retry and answer one, or run a worker."""
    if context.invoked_subcommand is not None:
        return
    with open_jobs(Settings()) as jobs:
        found = jobs.list(limit, only_open)
    if as_json:
        _print_json([v.to_dict() for v in found])
        return
    from service.jobs_screen import jobs_table

    if not found:
        out.print('Заданий нет. Их ставит тяжёлый вопрос: switchman ask "…"')
    else:
        out.print(jobs_table(found))


@app.command()
def follow(job_id: JobId, as_json: Json = False) -> None:
    """Follow a job to its end with a live bar, then show its answer. Where no worker runs, this process does the work. Exit code 1 where it ended in an error."""
    from orchestration.batch_answer import synthesise_job

    settings = Settings()
    with open_jobs(settings) as jobs:
        last = follow_with_bar(jobs, job_id, settings)
        done = jobs.answer(job_id, synthesise_job) if last.kind == "question" else None
    if done is not None:
        show_answer(done, as_json)
        return
    _print_json(last.to_dict()) if as_json else out.print(f"{job_id}: {escape(last.outcome or last.state)}")
    if last.outcome not in ("refreshed", "fresh"):
        raise typer.Exit(1)


@app.command()
def answer(job_id: JobId, as_json: Json = False) -> None:
    """Show the answer of a job that has ended. Exit code 1 where it is an error."""
    from orchestration.batch_answer import synthesise_job

    with open_jobs(Settings()) as jobs:
        done = jobs.answer(job_id, synthesise_job)
    show_answer(done, as_json)


@app.command()
def cancel(job_id: JobId, as_json: Json = False) -> None:
    """Cancel a job. A refresh it waits for goes on: others may wait for it too, and it has an id of its own."""
    with open_jobs(Settings()) as jobs:
        jobs.cancel(job_id)
    _print_json({"job_id": job_id, "state": "cancelled"}) if as_json else out.print(f"{job_id}: отменено")


@app.command()
def retry(
    job_id: JobId,
    wait: Annotated[bool, typer.Option("--wait/--no-wait", help="Wait for the answer, or print the id only.")] = True,
    as_json: Json = False,
) -> None:
    """Run a cancelled or failed job again: the same one goes on, or a new one with the same question."""
    from orchestration.batch_answer import synthesise_job

    settings = Settings()
    with open_jobs(settings) as jobs:
        again = jobs.retry(job_id)
        if not wait:
            _print_json({"job_id": again}) if as_json else out.print(again)
            return
        follow_with_bar(jobs, again, settings)
        done = jobs.answer(again, synthesise_job)
    show_answer(done, as_json)


@app.command()
def worker(
    stores: StoresPath = None,
    name: Annotated[
        str | None, typer.Option("--name", help="Stable id of this worker, distinct from every other's.")
    ] = None,
    nice: Annotated[
        int, typer.Option("--nice", min=0, max=19, help="How far it steps back for other processes; 0 for not at all.")
    ] = 10,
) -> None:
    """Run jobs until Ctrl-C, and take over those of workers that are gone. Start as many as there are machines."""
    from orchestration.batch_answer import answer_job, synthesise_job

    settings = Settings()
    os.nice(nice)
    with open_jobs(settings):
        pass
    from orchestration.batch_tables import shown_url
    from orchestration.batch_worker import Worker

    running = Worker(
        settings.database_url, answer_job, synthesise_job, stores=stores or settings.stores, executor_id=name
    )
    running.start()
    err.print(f"{escape(running.executor_id)}: {escape(shown_url(settings.database_url))}, Ctrl-C — конец", soft_wrap=True)  # fmt: skip
    stop = threading.Event()
    for wanted in (signal.SIGINT, signal.SIGTERM):
        signal.signal(wanted, lambda *_: stop.set())
    stop.wait()
    running.stop(wait_seconds=10)


@contextmanager
def bar_of(console: Console | None) -> Iterator[Watch]:
    """A bar that shows what it is told of a job; without a console nothing is shown."""
    if console is None:
        yield lambda _: None
        return
    from service.jobs_screen import stage_word
    from service.progress import progress_bar

    with progress_bar(console, 22) as bar:
        task = bar.add_task("…", total=1.0)
        yield lambda view: bar.update(task, description=stage_word(view), completed=view.share)


def follow_with_bar(jobs: Jobs, job_id: str, settings: Settings) -> JobView:
    """A job to its end, with a bar while it runs; Ctrl-C leaves it in the queue."""
    from orchestration.batch_answer import answer_job, synthesise_job
    from orchestration.batch_handoff import follow as follow_job
    from service.cli import CommandError

    try:
        with bar_of(err) as watch:
            return follow_job(jobs, job_id, answer_job, synthesise_job, stores=settings.stores, watch=watch)
    except KeyboardInterrupt as stop:
        raise CommandError(f"{job_id} stays in the queue; come back: switchman jobs follow {job_id}") from stop


def show_answer(done: dict[str, Any], as_json: bool) -> None:
    """The answer, and exit code 1 where it is an error."""
    if as_json:
        _print_json(done)
    else:
        from service.jobs_screen import answer_text

        out.print(answer_text(done["answer"]), soft_wrap=True)
    if done["status"] == "error":
        raise typer.Exit(1)
