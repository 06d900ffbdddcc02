"""Commands over decision records and labels: ``switchman replay``, ``switchman data doubts``, ``switchman data pick``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from service.experiments import Json, err, out, print_json
from service.settings import Settings

BundlePath = Annotated[
    Path | None, typer.Option("--bundle", help="Folder of the bundle. Default: $SWITCHMAN_BUNDLE, else var/bundle.")
]


def register(app: typer.Typer, data_app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(replay)
    data_app.command("doubts")(doubts)
    data_app.command("pick")(pick)


def replay(
    log: Annotated[
        Path, typer.Argument(help="Decision records as JSON lines: from route --output, benchmark --logs, or a run.")
    ],
    bundle: BundlePath = None,
    jobs: Annotated[int, typer.Option("--jobs", help="Processes for a long log; 0 for all cores.")] = 0,
    as_json: Json = False,
) -> None:
    """Compute decisions again from their records: the same bytes with the same bundle, the differences with another.

    Exit code 1 when a record of this very bundle comes out otherwise, or cannot be replayed.
    """
    from experiments.replay import report_dict
    from service.cli import router_at
    from service.replay import replay_log, replay_parts

    loaded = router_at(bundle).bundle
    report, seconds = replay_log(log, loaded, jobs)
    if as_json:
        print_json(report_dict(report))
    else:
        for part in replay_parts(report, seconds, loaded):
            out.print(part, soft_wrap=True)
    if report.problems or (report.differences and not report.from_text):
        raise typer.Exit(1)


def doubts(
    data: Annotated[Path | None, typer.Argument(help="Folder or file of labelled questions.")] = None,
    target: Annotated[
        Path | None, typer.Option("--output", help="Where all candidates go. Default: var/review/doubts.jsonl.")
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", help="Processes; -1 for all cores.")] = -1,
    as_json: Json = False,
) -> None:
    """List labels that cross-validation doubts, for a person to look at; nothing is changed."""
    from service.cli import show_findings
    from service.labels import doubts_parts, find_doubts, write_lines
    from service.training import TrainingRefused

    try:
        found = find_doubts(data or Settings().dataset, jobs, err)
    except TrainingRefused as refused:
        show_findings(refused.report, as_json)
        raise typer.Exit(1) from refused
    path = target or Settings().var / "review" / "doubts.jsonl"
    lines = [d.to_dict() for d in found]
    write_lines(path, lines)
    if as_json:
        print_json({"output": str(path), "doubts": lines})
        return
    for part in doubts_parts(found, path):
        out.print(part, soft_wrap=True)


def pick(
    log: Annotated[Path, typer.Argument(help="Decision records as JSON lines.")],
    count: Annotated[int, typer.Option("--count", min=1, help="How many questions.")] = 50,
    author: Annotated[str, typer.Option("--author", help="Whose labels these will be.")] = "log",
    target: Annotated[
        Path | None, typer.Option("--output", help="The file to fill in. Default: var/review/to_label.jsonl.")
    ] = None,
    bundle: BundlePath = None,
    as_json: Json = False,
) -> None:
    """Pick the questions of a decision log that are most worth a label: unsure, unlike each other, unlike what is labelled."""
    from service.cli import router_at
    from service.labels import pick_from_log, picked_parts, write_lines

    found = pick_from_log(router_at(bundle), log, count)
    path = target or Settings().var / "review" / "to_label.jsonl"
    lines = [p.to_line(author) for p in found.picks]
    write_lines(path, lines)
    if as_json:
        print_json(
            {"output": str(path), "seen": found.seen, "known": found.known, "held_out": found.held_out, "picked": lines}
        )
        return
    for part in picked_parts(found, path):
        out.print(part, soft_wrap=True)
