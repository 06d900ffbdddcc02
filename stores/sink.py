"""Rows on their way into canonical tables: gathered until a table has a good batch, so that memory does not grow with the snapshot."""

from __future__ import annotations

from collections import defaultdict

import pyarrow as pa
from ibis.backends import BaseBackend

from stores.engine import append

BATCH = 122_880
"""Rows of one of DuckDB's row groups: a batch of that size goes to the file at once, without a log before it."""


class Sink:
    """Gathers Arrow tables and writes them."""

    def __init__(self, connection: BaseBackend) -> None:
        self._connection = connection
        self._held: dict[str, list[pa.Table]] = defaultdict(list)

    def add(self, table: str, rows: pa.Table) -> None:
        """Take rows of a table."""
        held = self._held[table]
        held.append(rows)
        if sum(t.num_rows for t in held) >= BATCH:
            self._write(table)

    def flush(self) -> None:
        """Write what is still held."""
        for table in list(self._held):
            self._write(table)

    def _write(self, table: str) -> None:
        held = self._held.pop(table, [])
        if held:
            append(self._connection, table, pa.concat_tables(held))
