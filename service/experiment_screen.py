"""Experiments on a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from experiments.comparison import Comparison
from experiments.registry import Promotion
from service.screen import one_line

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
        table.add_column(name, no_wrap=name == "gate")
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


def comparison_parts(found: Comparison) -> Iterator[RenderableType]:
    """Figures, then the changed questions with their blame."""
    table = Table(title=f"{escape(found.before)} → {escape(found.after)}", title_justify="left", box=None)
    for name in ("figure", "before", "after", "difference", "95 % of it", "McNemar p"):
        table.add_column(name, justify="left" if name == "figure" else "right")
    for x in found.lines:
        interval = "" if x.low is None or x.high is None else f"{x.low:+.3f} … {x.high:+.3f}"
        p = "" if x.p is None else f"{x.p:.3g}"
        table.add_row(
            x.name,
            f"{x.before:.4g}",
            f"{x.after:.4g}",
            f"{x.after - x.before:+.3g}",
            interval,
            p,
            style="bold" if x.surely else "",
        )
    yield table
    if not found.changes:
        yield Text("no question changed route", style="bold")
        return
    changed = Table(title=f"{len(found.changes)} questions changed route", title_justify="left")
    for name in ("", "question", "before → after (needed)", "blame"):
        changed.add_column(name)
    for c in found.changes[:_MOST_CHANGES]:
        colour = {"mended": "green", "broken": "red"}.get(c.verdict, "dim")
        changed.add_row(
            Text(f"{c.verdict}\n{c.question_id}", style=colour),
            Text(one_line(c.text)),
            f"{c.before} → {c.after}\n({c.needed})",
            Text(f"{', '.join(c.causes)}: {c.detail}"),
        )
    yield changed
    if len(found.changes) > _MOST_CHANGES:
        yield Text(f"{len(found.changes) - _MOST_CHANGES} more: --json or the page has all", style="dim")


_MOST_CHANGES = 30
