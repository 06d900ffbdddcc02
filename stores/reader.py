"""Reading a published store: by reference, by filter, balances, series, signs, ready aggregates.

Queries are written out and bound here, not made with ibis: it takes longer to compile a look-up than the engine to answer it.
A reader keeps its connection, since opening costs more than a look-up, and moves to a new version when it is told to look.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Any

import duckdb

from stores.errors import StoresError
from stores.metadata import STORE_FILE, metadata_of, read_manifest
from stores.schema import TABLES
from stores.versions import Version, current

Row = dict[str, Any]

MAX_ROWS = 1000
_OPERATORS = {"": "=", "from": ">=", "to": "<=", "starts": "starts_with"}


class StoreReader:
    """Reads the version that is current when it opens; `refresh` moves on. Threads may share it: each query has a cursor of its own."""

    def __init__(self, root: Path) -> None:
        """Raises `NoStore` or `StoresError`."""
        self._root, self._lock = root, threading.Lock()
        self.version: Version = current(root)
        self.manifest, self._connection = self._open(self.version)

    def _open(self, version: Version) -> tuple[dict[str, Any], duckdb.DuckDBPyConnection]:
        manifest = read_manifest(version)
        path = version.path / STORE_FILE
        try:
            return manifest, duckdb.connect(str(path), read_only=True)
        except duckdb.Error as error:
            raise StoresError(f"{path}: {error}; publish again: switchman snapshot load DIR") from error

    def refresh(self) -> bool:
        """Move to the current version; True where it is another one. Queries under way end on the old one."""
        newest = current(self._root)
        with self._lock:
            if newest.number == self.version.number:
                return False
            self.manifest, self._connection = self._open(newest)
            self.version = newest
            return True

    def query(self, text: str, values: list[Any] | None = None) -> list[Row]:
        """Rows of a written-out SELECT whose values are bound as ``?``; no part of its text may come from outside."""
        return self._ask(text, values or [])

    def close(self) -> None:
        """Let the store go."""
        self._connection.close()

    def metadata(self, as_of: datetime | None = None) -> dict[str, Any]:
        """Metadata of the version this reader has open."""
        return metadata_of(self.manifest, as_of)

    def by_ref(self, table: str, ref: str) -> Row | None:
        """The record of a canonical table with this reference, or None."""
        key = "id" if table == "posting" else "ref"
        found = self.rows(table, {key: ref}, limit=1)
        return found[0] if found else None

    @property
    def as_of(self) -> datetime | None:
        """The moment that stood for now when the version was built; None for the clock."""
        named = self.manifest["configured_as_of"]
        return datetime.fromisoformat(named) if named else None

    def postings_of(self, document: str) -> list[Row]:
        """Rows a document made, in their order."""
        return self.rows("posting", {"recorder": document}, order="line")

    def rows(self, table: str, where: Mapping[str, Any], *, order: str = "", limit: int = MAX_ROWS) -> list[Row]:
        """Rows of a table whose columns have given values; ``date__from``, ``date__to`` and ``account__starts`` bound instead. Raises `StoresError` for unknown names."""
        known = self._columns(table)
        conditions, values = [], []
        for name, value in where.items():
            column, _, operator = name.partition("__")
            if column not in known or operator not in _OPERATORS:
                raise StoresError(f"{table} has no {name}; columns: {', '.join(known)}")
            sign = _OPERATORS[operator]
            conditions.append(f'starts_with("{column}", ?)' if sign == "starts_with" else f'"{column}" {sign} ?')
            values.append(value)
        if order and order not in known:
            raise StoresError(f"{table} has no {order}; columns: {', '.join(known)}")
        text = f'SELECT * FROM "{table}"'  # noqa: S608  # names are checked against the table, values are bound
        text += f" WHERE {' AND '.join(conditions)}" if conditions else ""
        text += f' ORDER BY "{order}"' if order else ""
        return self._ask(f"{text} LIMIT {int(min(limit, MAX_ROWS))}", values)

    def balance(self, account: str, day: date | None = None) -> int:
        """Balance of an account and its subaccounts in kopecks, debit positive, at a day's end; at the period's end where none is named."""
        start = self.manifest["metadata"]["snapshot"]["period"]["start"]
        end = (
            min(day.isoformat(), self.manifest["metadata"]["snapshot"]["period"]["end"])
            if day
            else self.manifest["metadata"]["snapshot"]["period"]["end"]
        )
        found = self._ask(
            "SELECT coalesce(sum(value), 0)::BIGINT AS value FROM feature_series WHERE level = 'account' AND measure = 'balance' AND grain = 'day'"
            " AND start = ? AND (subject = ? OR starts_with(subject, ? || '.'))",
            [max(end, start), account, account],
        )
        return int(found[0]["value"])

    def series(self, measure: str, grain: str, level: str = "company", subject: str = "") -> list[Row]:
        """Values of a measure over time: ``start`` and ``value``."""
        return self._ask(
            "SELECT start, value FROM feature_series WHERE level = ? AND subject = ? AND measure = ? AND grain = ? ORDER BY start", [level, subject, measure, grain]
        )  # fmt: skip

    def feature(self, grouping: str, subject: str) -> Row | None:
        """Features of one subject."""
        found = self.rows(f"feature_{grouping}", {"subject": subject}, limit=1)
        return found[0] if found else None

    def signs(
        self,
        *,
        code: str | None = None,
        level: str | None = None,
        subject: str | None = None,
        topic: str | None = None,
        limit: int = MAX_ROWS,
    ) -> list[Row]:
        """Signs with their reasons and evidence, the heaviest first; ``level`` and ``subject`` find what touches a thing."""
        conditions, values = ["true"], []
        for column, value in (("s.code", code), ("s.topic", topic)):
            if value is not None:
                conditions.append(f"{column} = ?")
                values.append(value)
        if level is not None or subject is not None:
            inner = []
            for column, value in (("level", level), ("subject", subject)):
                if value is not None:
                    inner.append(f"{column} = ?")
                    values.append(value)
            conditions.append(f"s.id IN (SELECT sign FROM risk_subject WHERE {' AND '.join(inner)})")  # noqa: S608  # fixed names
        text = (
            "SELECT s.*, (SELECT list({'kind': e.kind, 'id': e.evidence} ORDER BY e.kind, e.evidence) FROM risk_evidence e WHERE e.sign = s.id) AS evidence"  # noqa: S608  # fixed names
            f" FROM risk_sign s WHERE {' AND '.join(conditions)} ORDER BY s.weight DESC, s.id LIMIT {int(min(limit, MAX_ROWS))}"
        )
        return self._ask(text, values)

    def score(self, level: str, subject: str) -> int:
        """Risk score of a subject, 0 to 100; 0 where no sign touches it."""
        found = self._ask("SELECT score FROM risk_score WHERE level = ? AND subject = ?", [level, subject])
        return int(found[0]["score"]) if found else 0

    def aggregate(self, kind: str, level: str, subject: str) -> list[Row] | None:
        """Rows of a ready aggregate in their order; None where it is not ready."""
        ready = {(a["kind"], a["level"], a["subject"]) for a in self.manifest["metadata"]["aggregates"]}
        if (kind, level, subject) not in ready:
            return None
        return self._ask(
            "SELECT * EXCLUDE (name) FROM aggregate_row WHERE name = ? ORDER BY place", [f"{kind}/{level}/{subject}"]
        )

    def _columns(self, table: str) -> tuple[str, ...]:
        if table in TABLES:
            return tuple(TABLES[table])
        if not table.isidentifier():
            raise StoresError(f"{table!r} is no table")
        try:
            return tuple(row["column_name"] for row in self._ask(f'DESCRIBE "{table}"', []))
        except duckdb.CatalogException as error:
            raise StoresError(f"{table!r} is no table of this store") from error

    def _ask(self, text: str, values: list[Any]) -> list[Row]:
        cursor = self._connection.cursor()
        try:
            cursor.execute(text, values)
            names = [d[0] for d in cursor.description]
            return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
        finally:
            cursor.close()
