"""The command ``switchman replay``."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from experiments.replay import ReplayReport, replay_file
from models.bundle import Bundle
from service.screen import one_line

_SHOWN = 20


def replay_log(log: Path, bundle: Bundle, jobs: int) -> tuple[ReplayReport, float]:
    """(report, seconds)."""
    from service.cli import CommandError

    started = time.monotonic()
    try:
        report = replay_file(log, bundle, jobs or os.cpu_count() or 1)
    except OSError as error:
        raise CommandError(f"{log}: {error.strerror}; name a log of decision records") from error
    return report, time.monotonic() - started


def replay_parts(report: ReplayReport, seconds: float, bundle: Bundle) -> Iterator[RenderableType]:
    """Counts, the first differences, the first problems."""
    rate = report.records / max(seconds, 1e-9)
    how = f"{report.from_row} from the record alone" + (
        f", {report.from_text} from the text, made by another bundle" if report.from_text else ""
    )
    yield Text(f"{report.records} records, {how}; {seconds:.1f} s, {rate:.0f} a second; bundle {bundle.digest[:16]}")
    if report.differences:
        table = Table(
            title=f"{len(report.differences)} differ, {len(report.rerouted)} take another route", title_justify="left"
        )
        for name in ("line", "question", "route before", "route now", "fields that differ"):
            table.add_column(name)
        ordered = sorted(report.differences, key=lambda d: (d.route_before == d.route_after, d.line))
        for d in ordered[:_SHOWN]:
            moved = "bold red" if d.route_before != d.route_after else ""
            table.add_row(
                str(d.line),
                Text(one_line(d.text)),
                d.route_before,
                Text(d.route_after, style=moved),
                Text(", ".join(d.fields)),
            )
        yield table
    for number, why in report.problems[:_SHOWN]:
        yield Text(f"line {number}: {one_line(why)}", style="yellow")
    whole = report.identical == report.records
    yield Text(
        "every decision came out byte for byte the same"
        if whole and not report.from_text
        else f"{report.identical} the same",
        style="bold green" if whole else "bold",
    )
