"""One file → its rows, without a database: this part runs in as many processes as there are cores for it."""

from __future__ import annotations

import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Container, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from datetime import date
from multiprocessing import get_context
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import orjson
import pyarrow as pa

from stores import entities as known
from stores.arrow import arrow_table
from stores.charts import Charts
from stores.odata_file import UnreadableFile, entity_of_name, read_export
from stores.records import RecordReader
from stores.schema import TABLES

ONCE = frozenset(("account", "counterparty", "contract", "item", "warehouse", "employee", "organisation", "document"))
"""Tables whose records have a reference and must not stand twice."""

AHEAD = 2
"""Files a process may read before what it read is taken: bounds memory."""

_DATE = re.compile(r"(\d{4}-\d\d-\d\d)")


@dataclass(slots=True)
class FileRead:
    """What a file held: ``rows`` by table, and for records that must not stand twice ``once``: position, table, reference, checksum."""

    name: str
    entity: str
    records: int = 0
    told: int | None = None
    refused: list[tuple[int | None, str]] = field(default_factory=list)
    once: list[tuple[int, str, str, int]] = field(default_factory=list)
    rows: dict[str, pa.Table] = field(default_factory=dict)
    kept_as_is: bool = False
    unknown: Counter[str] = field(default_factory=Counter)


def is_chart(entity: str) -> bool:
    """Whether an entity must be read before postings."""
    return entity.startswith((known.ACCOUNT_CHART, known.KIND_CHART))


def read_file(path: Path, name: str, charts: Charts, zone: ZoneInfo, skip: Container[int] = ()) -> FileRead:
    """Rows of a file, or why it and which of its records cannot be taken; records at the positions ``skip`` are passed over."""
    try:
        export = read_export(path.read_bytes(), path.name)
    except (UnreadableFile, OSError) as error:
        return FileRead(name, entity_of_name(path.name), refused=[(None, str(error))])
    found = FileRead(name, export.entity, len(export.records), export.told_count)
    reader = RecordReader(charts, zone)
    charts.unknown.clear()
    dates = dates_of(path.name)
    many: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
    for position, record in enumerate(export.records, 1):
        if position in skip:
            continue
        if not isinstance(record, dict):
            found.refused.append((position, f"a {type(record).__name__}, not an object"))
            continue
        try:
            if is_chart(export.entity):
                reader.chart(export.entity, record)
            rows = list(reader.read(export.entity, record, name, position, dates))
        except (ValueError, TypeError, AttributeError, OverflowError) as error:
            found.refused.append((position, str(error)))
            continue
        if rows and rows[0][0] in ONCE:
            checksum = zlib.crc32(orjson.dumps(record, option=orjson.OPT_SORT_KEYS))
            found.once.append((position, rows[0][0], rows[0][1][0], checksum))
        for table, row in rows:
            many[table].append(row)
    found.kept_as_is = "other_record" in many
    reader.count_uses()
    many["subconto"] = [(*value, times) for value, times in reader.uses.items()]
    for table, its in many.items():
        try:
            if its:
                found.rows[table] = arrow_table(TABLES[table], its)
        except pa.ArrowException as error:
            found.refused.append((None, f"a value of another type among its rows for {table}: {error}"))
    found.unknown = Counter(charts.unknown)
    return found


def dates_of(name: str) -> tuple[date, ...]:
    """Dates that stand in a file's name."""
    found = []
    for written in _DATE.findall(name):
        try:
            found.append(date.fromisoformat(written))
        except ValueError:
            return ()
    return tuple(found)


def read_files(
    paths: list[Path], folder: Path, charts: Charts, zone: ZoneInfo, processes: int
) -> Iterator[tuple[Path, FileRead]]:
    """Files in their order, read in this process or ahead in others."""
    if processes <= 1:
        for path in paths:
            yield path, read_file(path, str(path.relative_to(folder)), charts, zone)
        return
    waiting: list[tuple[Path, Future[FileRead]]] = []
    rest = iter(paths)
    with ProcessPoolExecutor(processes, get_context("spawn"), _prepare, (charts, zone)) as pool:
        for path in rest:
            waiting.append((path, pool.submit(_read_prepared, path, str(path.relative_to(folder)))))
            if len(waiting) < processes * AHEAD:
                continue
            first, future = waiting.pop(0)
            yield first, future.result()
        for path, future in waiting:
            yield path, future.result()


_prepared: dict[str, Any] = {}


def _prepare(charts: Charts, zone: ZoneInfo) -> None:
    _prepared.update(charts=charts, zone=zone)


def _read_prepared(path: Path, name: str) -> FileRead:
    return read_file(path, name, _prepared["charts"], _prepared["zone"])
