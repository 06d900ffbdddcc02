"""Experiments on a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

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
