"""A folder of OData exports → canonical tables. All or nothing: one bad file or record and nothing is kept.

Charts are read first, since postings name accounts by reference; then every file once, a batch of rows at a time.
"""

from __future__ import annotations

import gzip
import os
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import ibis
import pyarrow as pa
from ibis.backends import BaseBackend

from stores import entities as known
from stores.about import NAME as ABOUT_NAME
from stores.about import About, UnreadableAbout, read_about
from stores.charts import Charts
from stores.engine import create_canonical, replace
from stores.errors import SnapshotRefused
from stores.odata_file import UnreadableFile, decode, peek_entity, read_export
from stores.reading import FileRead, is_chart, read_file, read_files
from stores.records import RecordReader
from stores.report import LoadReport, Unresolved
from stores.schema import TABLES
from stores.sink import Sink

Tick = Callable[[int, int, str], None]

MAX_PROCESSES, PROCESSES_FROM_BYTES = 4, 100_000_000

_PEEK = 4096
_SUFFIXES = (".json", ".json.gz", ".gz")


@dataclass(frozen=True, slots=True)
class Loaded:
    """What the canonical tables hold: the report, what the snapshot says of itself, and its period."""

    report: LoadReport
    about: About
    start: date
    end: date
    last_moment: datetime | None


def load_snapshot(
    folder: Path, connection: BaseBackend, tick: Tick | None = None, processes: int | None = None
) -> Loaded:
    """Create and fill the canonical tables in ``connection`` from the exports in ``folder``.

    Large snapshots are read in several processes, small ones in this one, unless ``processes`` says how many.
    ``tick`` gets bytes done, bytes in all, and the file's name. Raises `SnapshotRefused`, whose report names every bad file and record.
    """
    started = time.monotonic()
    report = LoadReport(str(folder))
    about, files = _look(folder, report)
    zone = ZoneInfo(about.timezone)
    create_canonical(connection)
    charts, others = _split(files)
    known_accounts = _charts(charts, zone)

    def reread(path: Path, name: str, skip: set[int]) -> dict[str, pa.Table]:
        return read_file(path, name, known_accounts, zone, skip).rows

    loader = _Loader(connection, report, reread)
    total, done = sum(path.stat().st_size for path in files), 0
    if processes is None:
        processes = min(os.cpu_count() or 1, MAX_PROCESSES) if total > PROCESSES_FROM_BYTES else 1
    for path, found in read_files([*charts, *others], folder, known_accounts, zone, processes):
        loader.take(path, found)
        done += path.stat().st_size
        if tick:
            tick(done, total, path.name)
    loader.finish()
    if not report.refused_count:
        _one_row_a_posting(connection, report)
    if report.refused_count:
        raise SnapshotRefused(_refusal(report), report)
    start, end, last = _period(connection, about, report)
    report.period_start, report.period_end = start.isoformat(), end.isoformat()
    report.unresolved = list(_unresolved(connection))
    report.rows = {name: int(connection.table(name).count().to_pyarrow().as_py()) for name in TABLES}
    report.seconds = round(time.monotonic() - started, 3)
    return Loaded(report, about, start, end, last)


def _look(folder: Path, report: LoadReport) -> tuple[About, list[Path]]:
    if not folder.is_dir():
        raise SnapshotRefused(f"{folder}: no such folder; name the folder that holds the exports", report)
    try:
        about = read_about(folder)
    except UnreadableAbout as error:
        report.refuse(ABOUT_NAME, None, "", str(error))
        raise SnapshotRefused(f"{error}; mend it or take it away", report) from error
    files = []
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        if path.name == ABOUT_NAME:
            continue
        if path.name.lower().endswith(_SUFFIXES):
            files.append(path)
        else:
            report.notes.append(f"{path.relative_to(folder)}: not .json, passed over")
    if not files:
        raise SnapshotRefused(f"{folder}: holds no .json or .json.gz; export OData answers into it", report)
    report.files = len(files)
    return about, files


def _refusal(report: LoadReport) -> str:
    first = report.refused[0]
    more = f", and {report.refused_count - 1} more" if report.refused_count > 1 else ""
    return f"{first}{more}; nothing was loaded"


class _Loader:
    def __init__(
        self, connection: BaseBackend, report: LoadReport, reread: Callable[[Path, str, set[int]], dict[str, pa.Table]]
    ) -> None:
        self._connection, self._report, self._reread = connection, report, reread
        self._sink = Sink(connection)
        self._entities: Counter[str] = Counter()
        self._repeated: Counter[str] = Counter()
        self._seen: dict[str, int] = {}
        self._unknown: Counter[str] = Counter()
        self._other: set[str] = set()
        self._told: Counter[str] = Counter()

    def take(self, path: Path, found: FileRead) -> None:
        """Keep what a file held. Pages of an export may overlap: the same record again is counted and dropped, another one under its reference refused."""
        for position, reason in found.refused:
            self._report.refuse(found.name, position, found.entity, reason)
        again: set[int] = set()
        for position, table, key, checksum in found.once:
            if f"{table}:{key}" not in self._seen:
                self._seen[f"{table}:{key}"] = checksum
                continue
            again.add(position)
            if self._seen[f"{table}:{key}"] == checksum:
                self._repeated[table] += 1
            else:
                reason = f"Ref_Key {key} stands twice with different contents; export both pages again"
                self._report.refuse(found.name, position, found.entity, reason)
        if again:
            found.rows = self._reread(path, found.name, again)
        self._entities[found.entity] += found.records
        if found.told is not None:
            self._told[found.entity] = max(self._told[found.entity], found.told)
        if found.kept_as_is:
            self._other.add(found.entity)
        self._unknown.update(found.unknown)
        for table, rows in found.rows.items():
            self._sink.add(table, rows)

    def finish(self) -> None:
        """Write what is held, and the report's counts."""
        self._sink.flush()
        t = self._connection.table("subconto")
        replace(
            self._connection,
            "subconto",
            t.group_by(["kind", "value_type", "value"]).aggregate(uses=t.uses.sum().cast("int64")),
        )
        self._report.entities = dict(sorted(self._entities.items()))
        self._report.repeated = dict(self._repeated)
        self._report.other_entities = sorted(self._other)
        self._report.unknown_accounts = sum(self._unknown.values())
        for entity, told in self._told.items():
            if told > self._entities[entity]:
                self._report.cut.append(
                    f"{entity}: {self._entities[entity]} of {told} records that 1C counted; export the missing pages"
                )


def _split(files: Iterable[Path]) -> tuple[list[Path], list[Path]]:
    """Charts, and the rest, by what each file's first bytes say."""
    charts: list[Path] = []
    others: list[Path] = []
    for path in files:
        (charts if is_chart(peek_entity(_first_bytes(path), path.name)) else others).append(path)
    return charts, others


def _charts(paths: Iterable[Path], zone: ZoneInfo) -> Charts:
    """Accounts and kinds; what is bad is passed over here and refused when the file is read for its rows."""
    reader = RecordReader(Charts(), zone)
    for path in paths:
        try:
            export = read_export(path.read_bytes(), path.name)
        except (UnreadableFile, OSError):
            continue
        for record in export.records:
            try:
                if isinstance(record, dict):
                    reader.chart(export.entity, record)
            except (ValueError, TypeError, AttributeError):
                continue
    return reader.charts


def _first_bytes(path: Path) -> bytes:
    with path.open("rb") as stream:
        start = stream.read(_PEEK)
    if start[:2] == b"\x1f\x8b":
        try:
            with gzip.open(path) as unpacked:
                start = unpacked.read(_PEEK)
        except (OSError, EOFError, zlib.error):
            return b""
    if start[:2] in (b"\xff\xfe", b"\xfe\xff"):
        try:
            return decode(start[: len(start) // 2 * 2])
        except UnreadableFile:
            return b""
    return start


def _one_row_a_posting(connection: BaseBackend, report: LoadReport) -> None:
    """The same row may come from a RecordSet and from RecordsWithExtDimensions: the one with analytics stays. Different sums are refused."""
    t = connection.table("posting")
    rows, ids = (int(v) for v in connection.execute(t.aggregate(rows=t.count(), ids=t.id.nunique())).iloc[0])
    if rows == ids:
        return
    twice = t.group_by("id").aggregate(low=t.amount.min(), high=t.amount.max())
    bad = connection.execute(twice.filter(twice.low != twice.high).order_by("id").limit(1))
    if len(bad):
        report.refuse(
            "AccountingRegister",
            None,
            "AccountingRegister",
            f"posting {bad.id[0]} stands twice with different sums; export the register again",
        )
        return
    best = ibis.row_number().over(group_by=t.id, order_by=[(t.dr_analytics.length() + t.cr_analytics.length()).desc()])
    ranked = t.mutate(best=best)
    replace(connection, "posting", ranked.filter(ranked.best == 0).drop("best"))
    report.repeated["posting"] = rows - ids


def _period(connection: BaseBackend, about: About, report: LoadReport) -> tuple[date, date, datetime | None]:
    """The period the snapshot names, else the months its postings (without any: its documents) cover; and the last moment within it."""
    p, d = connection.table("posting"), connection.table("document")
    moments: list[datetime] = []
    for table, column in ((p.filter(p.active), "period"), (d, "date")):
        found = connection.execute(table.aggregate(first=table[column].min(), last=table[column].max()))
        first, last = found["first"][0], found["last"][0]
        if first is not None and first == first:  # an empty table gives NaT, unequal to itself
            moments = [first.to_pydatetime(), last.to_pydatetime()]
            break
    if moments:
        report.first_moment, report.last_moment = (m.isoformat() for m in moments)
    if about.period:
        start, end = about.period.start, about.period.end
    elif moments:
        start, end = moments[0].date().replace(day=1), _month_end(moments[1].date())
    else:
        raise SnapshotRefused(
            f"{report.folder}: neither a document nor a posting, and {ABOUT_NAME} names no period", report
        )
    within = p.filter(
        p.active & (p.period >= ibis.timestamp(f"{start} 00:00:00")) & (p.period <= ibis.timestamp(f"{end} 23:59:59"))
    )
    last = connection.execute(within.period.max())
    return start, end, last.to_pydatetime() if last is not None and last == last else None


def _month_end(day: date) -> date:
    return (day.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)


def _unresolved(connection: BaseBackend) -> Iterable[Unresolved]:
    for name, column, target in known.REFERENCES:
        table = connection.table(name)
        named = table.filter(table[column].notnull() & (table[column] != "")).select(value=table[column])
        missing = named.anti_join(connection.table(target), named.value == connection.table(target).ref)
        found = connection.execute(missing.aggregate(count=missing.count(), example=missing.value.min()))
        if int(found["count"][0]):
            yield Unresolved(name, column, target, int(found["count"][0]), str(found["example"][0]))
