"""A table that fits the terminal: what has no room is left out by whole columns and named, so that words stay readable."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType
from rich.table import Table
from rich.text import Text

_LEAST_TEXT = 14
_LEAST_COLUMNS = 2


@dataclass(frozen=True, slots=True)
class Column:
    """``right`` aligns; ``whole`` cells are never broken."""

    heading: str
    cells: Sequence[str]
    right: bool = False
    whole: bool = False

    @property
    def least(self) -> int:
        """Cells of the terminal under which it cannot be read."""
        widest = max((cell_len(cell) for cell in self.cells), default=0)
        heading = max((cell_len(word) for word in self.heading.split()), default=0)
        return max(widest if self.whole else min(widest, _LEAST_TEXT), min(heading, _LEAST_TEXT))

    @property
    def natural(self) -> int:
        """Cells of the terminal in which nothing of it is broken."""
        return max((cell_len(cell) for cell in (self.heading, *self.cells)), default=0)


@dataclass(frozen=True, slots=True)
class FittingTable:
    """``left_out`` introduces the headings of columns that had no room; the last ones go first."""

    columns: Sequence[Column]
    left_out: str

    def fitting(self, width: int) -> Sequence[Column]:
        """Columns, from the left, that can be read in ``width`` cells; at least two."""
        kept = list(self.columns)
        while len(kept) > _LEAST_COLUMNS and sum(c.least + 1 for c in kept) > width:
            kept.pop()
        return kept

    def widths(self, columns: Sequence[Column], width: int) -> list[int]:
        """Width of each column: what it needs at least, and of the rest as much as the others that can use it."""
        found = [c.least for c in columns]
        for _ in range(width - sum(found) - len(found) + 1):
            hungry = [i for i, c in enumerate(columns) if found[i] < c.natural]
            if not hungry:
                break
            found[min(hungry, key=found.__getitem__)] += 1
        return found

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        kept = self.fitting(options.max_width)
        table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 1, 0, 0))
        for c, wide in zip(kept, self.widths(kept, options.max_width), strict=True):
            table.add_column(c.heading, justify="right" if c.right else "left", overflow="fold", width=max(wide, 1))
        for row in zip(*(c.cells for c in kept), strict=True):
            table.add_row(*(Text(cell) for cell in row))
        yield table
        if len(kept) < len(self.columns):
            yield Text(f"{self.left_out}: {', '.join(c.heading for c in self.columns[len(kept) :])} (--json)", "dim")
