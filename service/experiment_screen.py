"""Experiments on a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from experiments.registry import Promotion

_COLOURS = {"complete": "green", "running": "blue", "killed": "red", "failed": "red"}


def runs_table(runs: Sequence[dict[str, Any]]) -> Table:
    """A line a run."""
    table = Table(title="Runs, newest first", title_justify="left")
    for name, side in (("run", "left"), ("name", "left"), ("state", "left"), ("mismatches", "right"), ("exam", "right"), ("out of fold", "right"), ("bundle", "left")):  # fmt: skip
        table.add_column(name, justify="right" if side == "right" else "left")
    for r in runs:
        table.add_row(
            r["run_id"][:8],
            Text(r["name"]),
            Text(r["state"], style=_COLOURS.get(r["state"], "")),
            _figure(r["route_mismatch_count"], ".0f"),
            _figure(r["exam_accuracy"], ".3f"),
            _figure(r["out_of_fold_accuracy"], ".3f"),
            (r["bundle_digest"] or "")[:12],
        )
    return table


def _figure(value: float | None, form: str) -> str:
    return "" if value is None else format(value, form)


def promotion_parts(done: Promotion, dry_run: bool) -> Iterator[RenderableType]:
    """A line a gate, then what happened."""
    table = Table(title=f"Gates for {escape(done.candidate)}", title_justify="left", box=None)
    for name in ("", "gate", "figure", "limit", ""):
        table.add_column(name)
    for r in done.results:
        mark = Text("pass", style="green") if r.passed else Text("FAIL", style="bold red")
        table.add_row(mark, r.gate, r.figure, r.limit, Text(r.detail))
    yield table
    failed = [r.gate for r in done.results if not r.passed]
    champion = f"version {done.champion_before}" if done.champion_before else "none"
    if failed:
        yield Text(f"refused by {', '.join(failed)}; champion is still {champion}", style="bold red")
    elif dry_run:
        yield Text(f"all gates pass; dry run, champion is still {champion}", style="bold")
    elif done.version == done.champion_before:
        yield Text(f"version {done.version} is champion already", style="bold")
    else:
        yield Text(
            f"champion is version {done.version}, before it {champion}; back with 'switchman experiment rollback'",
            style="bold green",
        )
