"""Rows → Arrow tables, the form in which they travel to an engine and between processes."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from stores.schema import Columns

_TYPES = {
    "string": pa.string(),
    "boolean": pa.bool_(),
    "int64": pa.int64(),
    "float64": pa.float64(),
    "timestamp": pa.timestamp("us"),
    "date": pa.date32(),
}


def arrow_table(columns: Columns, rows: list[tuple[Any, ...]]) -> pa.Table:
    """An Arrow table of the given columns. Raises pyarrow's errors where a value has another type."""
    arrays = [
        pa.array(values, _TYPES[kind]) for values, kind in zip(zip(*rows, strict=True), columns.values(), strict=True)
    ]
    return pa.table(arrays, names=list(columns))
