"""The engine under the stores: DuckDB in a file by default, another ibis backend where one is named.

Expressions are the same everywhere; what engines spell differently stands in this module.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import ibis
import pyarrow as pa
from ibis.backends import BaseBackend

from stores.schema import TABLES, Columns

MEMORY_LIMIT = "1500MB"
"""What DuckDB may hold; beyond it works on disk beside the store."""


def open_duckdb(
    path: Path, read_only: bool = False, memory_limit: str = MEMORY_LIMIT, threads: int | None = None
) -> BaseBackend:
    """Connection to a store file; many read-only ones may be open, one that writes shuts out all others."""
    settings: dict[str, Any] = {
        "memory_limit": memory_limit,
        "temp_directory": f"{path}.tmp",
        "preserve_insertion_order": False,
    }
    if threads:
        settings["threads"] = threads
    connection: BaseBackend = ibis.duckdb.connect(str(path), read_only=read_only, **settings)
    return connection


def schema_of(columns: Columns) -> ibis.Schema:
    """Ibis schema of a table of `stores.schema.TABLES`."""
    return ibis.schema({name: kind if kind != "timestamp" else "timestamp(6)" for name, kind in columns.items()})


def create_canonical(connection: BaseBackend) -> None:
    """Empty canonical tables."""
    for name, columns in TABLES.items():
        connection.create_table(name, schema=schema_of(columns))


def append(connection: BaseBackend, name: str, table: pa.Table) -> None:
    """Add rows to a table."""
    if connection.name == "duckdb":
        raw: Any = connection
        raw.con.register("incoming_rows", table)
        raw.con.execute(f'INSERT INTO "{name}" SELECT * FROM incoming_rows')  # noqa: S608  # our own table names
        raw.con.unregister("incoming_rows")
    else:
        connection.insert(name, table)


def replace(connection: BaseBackend, name: str, expression: ibis.Table) -> ibis.Table:
    """Put an expression's rows into a table of its own, which it may read itself."""
    interim = f"{name}_new"
    connection.drop_table(interim, force=True)
    connection.create_table(interim, expression)
    connection.drop_table(name, force=True)
    raw: Any = connection
    raw.raw_sql(f'ALTER TABLE "{interim}" RENAME TO "{name}"')
    return connection.table(name)


def add_indexes(connection: BaseBackend, keys: Mapping[str, tuple[str, ...]]) -> None:
    """Indexes for look-ups of one value, on engines that have them."""
    if connection.name not in ("duckdb", "postgres"):
        return
    raw: Any = connection
    for table, columns in keys.items():
        for column in columns:
            raw.raw_sql(f'CREATE INDEX "{table}_{column}" ON "{table}" ("{column}")')


def settle(connection: BaseBackend) -> None:
    """Everything written is in the store's file."""
    if connection.name == "duckdb":
        raw: Any = connection
        raw.raw_sql("CHECKPOINT")
