"""Rows on their way into canonical tables, a batch at a time, so that memory does not grow with the snapshot."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

from ibis.backends import BaseBackend

from stores.engine import append, arrow_table
from stores.schema import TABLES

BATCH = 50_000


class Sink:
    """Collects rows and writes them; ``counts`` says how many each table got."""

    def __init__(self, connection: BaseBackend) -> None:
        self._connection = connection
        self._rows: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
        self.counts: Counter[str] = Counter()

    def add(self, table: str, row: tuple[Any, ...]) -> None:
        """Take one row, its values in the order of the table's columns."""
        rows = self._rows[table]
        rows.append(row)
        if len(rows) >= BATCH:
            self._write(table)

    def flush(self) -> None:
        """Write what is still held."""
        for table in list(self._rows):
            self._write(table)

    def _write(self, table: str) -> None:
        rows = self._rows.pop(table, [])
        if rows:
            append(self._connection, table, arrow_table(TABLES[table], rows))
            self.counts[table] += len(rows)
