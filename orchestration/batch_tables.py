"""The tables that stand beside the durable jobs in their database: live workers, progress, execution records.

``DATABASE_URL`` names the database; ``sqlite:///…`` and ``postgresql://…`` are the same to everything here.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, OperationalError

from orchestration.batch_errors import JobsUnreachable

_meta = sa.MetaData()
WORKER = sa.Table(
    "switchman_worker", _meta, sa.Column("executor_id", sa.Text, primary_key=True), sa.Column("node", sa.Text), sa.Column("pid", sa.Integer), sa.Column("beat", sa.BigInteger),
)  # fmt: skip
PROGRESS = sa.Table(
    "switchman_progress", _meta, sa.Column("job_id", sa.Text, primary_key=True), sa.Column("stage", sa.Text), sa.Column("share", sa.Float), sa.Column("at", sa.Float),
)  # fmt: skip
EXECUTION = sa.Table(
    "switchman_execution", _meta, sa.Column("job_id", sa.Text, primary_key=True), sa.Column("question_id", sa.Text), sa.Column("decision_id", sa.Text), sa.Column("record", sa.Text),
)  # fmt: skip

BUSY_MILLISECONDS = 30_000
AWAY_SECONDS, AGAIN_SECONDS = 600.0, 0.5


def engine_url(url: str) -> sa.URL:
    """The URL with the driver that is installed. Raises `JobsUnreachable` where it is none."""
    try:
        found = sa.make_url(url.replace("postgres://", "postgresql://", 1))
    except sa.exc.ArgumentError as error:
        raise JobsUnreachable(
            f"DATABASE_URL: no database URL; write sqlite:////path/jobs.sqlite or postgresql://user@host/name ({error})"
        ) from error
    if found.get_backend_name() == "postgresql":
        return found.set(drivername="postgresql+psycopg")
    if found.get_backend_name() == "sqlite":
        return found
    raise JobsUnreachable(f"DATABASE_URL: {found.get_backend_name()} is not one of sqlite, postgresql")


def dbos_url(url: str) -> str:
    """The same URL as DBOS reads it."""
    found = engine_url(url)
    name = "sqlite" if found.get_backend_name() == "sqlite" else "postgresql"
    return found.set(drivername=name).render_as_string(hide_password=False)


def shown_url(url: str) -> str:
    """The URL for a person: no password."""
    return engine_url(url).render_as_string(hide_password=True)


class JobTables:
    """Reads and writes the tables. Threads may share it; each call is a transaction of its own."""

    def __init__(self, url: str) -> None:
        """Creates what is missing. Raises `JobsUnreachable`."""
        self.url = url
        target = engine_url(url)
        if target.get_backend_name() == "sqlite" and target.database:
            _prepare_file(Path(target.database))
        arguments = {"timeout": BUSY_MILLISECONDS / 1000} if target.get_backend_name() == "sqlite" else {}
        self.engine = sa.create_engine(target, pool_pre_ping=True, connect_args=arguments)
        try:
            _create(self.engine)
        except DBAPIError as error:
            raise JobsUnreachable(f"{shown_url(url)}: {error.orig}; check DATABASE_URL and that it runs") from error

    def close(self) -> None:
        """Let the connections go."""
        self.engine.dispose()

    def beat(self, executor_id: str, node: str, pid: int, beat: int) -> None:
        """Say that a worker lives."""
        self._put(WORKER, "executor_id", executor_id, node=node, pid=pid, beat=beat)

    def workers(self) -> list[dict[str, Any]]:
        """All workers that have not said goodbye."""
        with self.engine.connect() as c:
            return [dict(row._mapping) for row in c.execute(sa.select(WORKER))]

    def goodbye(self, executor_id: str) -> None:
        """A worker ends, or is known to be gone."""
        with self.engine.begin() as c:
            c.execute(sa.delete(WORKER).where(WORKER.c.executor_id == executor_id))

    def say(self, job_id: str, stage: str, share: float) -> None:
        """Progress of a job: its stage and the share of it that is done. Where the database is away nobody sees it, and the job goes on."""
        with contextlib.suppress(DBAPIError):
            self._put(PROGRESS, "job_id", job_id, stage=stage, share=share, at=time.time())

    def progress(self, job_ids: Sequence[str]) -> dict[str, tuple[str, float]]:
        """Stage and share by job; a job that has not begun has none."""
        asked = sa.select(PROGRESS).where(PROGRESS.c.job_id.in_(job_ids))
        with self.engine.connect() as c:
            return {row.job_id: (str(row.stage), float(row.share)) for row in c.execute(asked)}

    def record(self, job_id: str, question_id: str, decision_id: str, record: dict[str, Any]) -> None:
        """Keep what a job did; written again it replaces itself. Waits while the database is away."""
        text = orjson.dumps(record).decode()
        patience = time.monotonic() + AWAY_SECONDS
        while True:
            try:
                self._put(EXECUTION, "job_id", job_id, question_id=question_id, decision_id=decision_id, record=text)
                return
            except OperationalError:
                if time.monotonic() > patience:
                    raise
                time.sleep(AGAIN_SECONDS)

    def executions(self, job_id: str | None = None) -> list[dict[str, Any]]:
        """Execution records, of one job or of all."""
        asked = sa.select(EXECUTION.c.record)
        if job_id is not None:
            asked = asked.where(EXECUTION.c.job_id == job_id)
        with self.engine.connect() as c:
            return [orjson.loads(text) for text in c.execute(asked).scalars()]

    def _put(self, table: sa.Table, key: str, value: str, **columns: Any) -> None:
        from sqlalchemy.dialects import postgresql, sqlite

        insert = sqlite.insert if self.engine.dialect.name == "sqlite" else postgresql.insert
        with self.engine.begin() as c:
            c.execute(
                insert(table)
                .values(**{key: value}, **columns)
                .on_conflict_do_update(index_elements=[key], set_=columns)
            )


def _prepare_file(path: Path) -> None:
    """Writers do not wait for readers: a property of the file, set once for every process."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with sqlite3.connect(path, timeout=BUSY_MILLISECONDS / 1000) as connection:
            connection.execute("PRAGMA journal_mode=WAL")
        connection.close()
    except (OSError, sqlite3.Error) as error:
        raise JobsUnreachable(f"{path}: {error}; name another database with DATABASE_URL") from error


def _create(engine: sa.Engine) -> None:
    try:
        _meta.create_all(engine)
    except DBAPIError:
        # Two processes may create a table at the same moment: the second finds it made.
        _meta.create_all(engine)
