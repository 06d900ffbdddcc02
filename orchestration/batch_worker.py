"""A process that runs jobs, and takes over those of workers that are gone.

DBOS keeps a killed worker's jobs for a worker of the same id. So that any other may finish them, each worker writes a counter every few seconds, and each
watches the others': one whose counter stands still is gone, at once where its process is seen to be gone on this machine. The watcher uses its own clock only, and
forgets what it has seen whenever the database was away, so that an outage makes nobody look dead.
"""

from __future__ import annotations

import contextlib
import logging
import os
import secrets
import socket
import threading
import time
from pathlib import Path
from typing import Any, Final

from dbos import DBOS, DBOSPortableJSONSerializer
from sqlalchemy.exc import SQLAlchemyError

from orchestration import batch_runtime
from orchestration.batch_runtime import ANSWERS, APPLICATION, APPLICATION_VERSION, REFRESHES, Answerer, Synthesiser
from orchestration.batch_tables import JobTables, dbos_url
from stores.refresh import sweep_staging

BEAT_SECONDS: Final = 3.0
GONE_AFTER_SECONDS: Final = 30.0
POLL_SECONDS: Final = 0.2
ANSWERS_AT_ONCE: Final = 8
"""Most of a job is waiting for its refresh; answering itself takes a core only for moments."""


class Worker:
    """Runs jobs from `start` until `stop`. One a process, since DBOS is one a process."""

    def __init__(
        self,
        database_url: str,
        answer: Answerer,
        synthesise: Synthesiser,
        *,
        stores: Path | None = None,
        executor_id: str | None = None,
        beat_seconds: float = BEAT_SECONDS,
        gone_after_seconds: float = GONE_AFTER_SECONDS,
    ) -> None:
        """``stores``: where this worker sweeps what dead jobs left half built. Raises `JobsUnreachable`."""
        self.executor_id = executor_id or f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(3)}"
        self.tables = JobTables(database_url)
        self._beat_seconds, self._gone_after = beat_seconds, gone_after_seconds
        self._stores = stores
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        batch_runtime.parts.tables = self.tables
        batch_runtime.parts.answer = answer
        batch_runtime.parts.synthesise = synthesise

    def start(self) -> None:
        """Launch; jobs begin to run."""
        logging.getLogger("dbos").setLevel(logging.CRITICAL)
        DBOS(
            config={
                "name": APPLICATION,
                "system_database_url": dbos_url(self.tables.url),
                "application_version": APPLICATION_VERSION,
                "executor_id": self.executor_id,
                "serializer": DBOSPortableJSONSerializer(),
                "log_level": "CRITICAL",
                "console_log_level": "CRITICAL",
                "use_listen_notify": False,
            }
        )
        self._beat(0)
        DBOS.launch()
        # One refresh at a time, anywhere: a store has one publisher, and a batch one thread.
        DBOS.register_queue(REFRESHES, global_concurrency=1, polling_interval_sec=POLL_SECONDS)
        DBOS.register_queue(ANSWERS, worker_concurrency=ANSWERS_AT_ONCE, polling_interval_sec=POLL_SECONDS)
        self._thread = threading.Thread(target=self._watch, name="switchman-beat", daemon=True)
        self._thread.start()

    def stop(self, wait_seconds: int = 0) -> None:
        """Take no more jobs; those that run have ``wait_seconds`` to end, and are another worker's then."""
        self._stop.set()
        if self._thread:
            self._thread.join(self._beat_seconds)  # it may wait for a database that is away
        DBOS.destroy(workflow_completion_timeout_sec=wait_seconds)
        with contextlib.suppress(SQLAlchemyError):
            self.tables.goodbye(self.executor_id)
        self.tables.close()

    def _beat(self, number: int) -> None:
        self.tables.beat(self.executor_id, node(), os.getpid(), number)

    def _watch(self) -> None:
        watch = Watch(self._gone_after)
        number = 0
        swept = False
        while not self._stop.wait(self._beat_seconds if number else 0):
            number += 1
            try:
                self._beat(number)
                for gone in watch.gone(self.tables.workers(), self._holders(), self.executor_id):
                    # Conditional on the dead worker's id: a job that another has taken meanwhile is left alone.
                    DBOS._recover_pending_workflows([gone])
                    self.tables.goodbye(gone)
                    watch.drop(gone)
                if not swept and self._stores:
                    sweep_staging(self._stores, set(self._active()))
                    swept = True
            except Exception:  # whatever it is, a worker that stopped beating would be taken for dead
                watch.forget()

    def _holders(self) -> list[str]:
        """Workers that jobs in flight belong to."""
        found = DBOS.list_workflows(status="PENDING", load_input=False, load_output=False)
        return [w.executor_id for w in found if w.executor_id]

    def _active(self) -> list[str]:
        found = DBOS.list_workflows(status=["PENDING", "ENQUEUED", "DELAYED"], load_input=False, load_output=False)
        return [w.workflow_id for w in found]


class Watch:
    """Which workers are gone, by what one watcher has seen with its own clock."""

    def __init__(self, gone_after_seconds: float) -> None:
        self._gone_after = gone_after_seconds
        self._seen: dict[str, tuple[int, float]] = {}

    def forget(self) -> None:
        """Begin to watch anew: nobody could beat while the database was away."""
        self._seen.clear()

    def drop(self, name: str) -> None:
        """Forget one that has been dealt with: should it come back, it is watched anew."""
        self._seen.pop(name, None)

    def gone(self, workers: list[dict[str, Any]], holders: list[str], own: str, now: float | None = None) -> list[str]:
        """Ids among workers and holders of jobs that are gone; ``own`` never is."""
        moment = time.monotonic() if now is None else now
        beats = {w["executor_id"]: w["beat"] for w in workers}
        here = {w["executor_id"]: w["pid"] for w in workers if w["node"] == node()}
        found = []
        for name in {*beats, *holders} - {own}:
            if name in here and not _runs(here[name]):
                found.append(name)
                continue
            beat = beats.get(name, -1)
            before = self._seen.get(name)
            if before is None or before[0] != beat:
                self._seen[name] = (beat, moment)
            elif moment - before[1] > self._gone_after:
                found.append(name)
        return found


def live_workers(tables: JobTables) -> set[str]:
    """Workers that run: on this machine by their process, elsewhere as long as nobody has missed them."""
    return {w["executor_id"] for w in tables.workers() if w["node"] != node() or _runs(w["pid"])}


def node() -> str:
    """Name of the process space that process ids of this process belong to: the host, and within it the container."""
    try:
        space = os.stat("/proc/self/ns/pid").st_ino  # noqa: PTH116  # a link of the kernel's, not a path
    except OSError:
        space = 0
    return f"{socket.gethostname()}/{space}"


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
