"""The progress bar of long commands."""

from __future__ import annotations

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn


def progress_bar(console: Console, stage_width: int) -> Progress:
    """A bar with the stage's name, its share and the time; it leaves nothing behind."""
    return Progress(
        TextColumn(f"{{task.description:<{stage_width}}}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        TimeElapsedColumn(),
        console=console,
        transient=True,
    )
