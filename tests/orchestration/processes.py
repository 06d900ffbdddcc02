"""Workers as processes: started, killed, waited for."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from orchestration.batch_payload import JobPayload
from orchestration.jobs import Jobs, JobView
from stores.metadata import read_manifest
from stores.versions import published

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PATIENCE_SECONDS = 90.0
"""How long a test waits before it says that something never came."""


def payload(stores: Path, *aggregates: str, window: str = "2020-06", **more: Any) -> JobPayload:
    return JobPayload(
        question_id="Q27", slice_window=window, requested_outputs=["feature_store", "risk_store"], reason=["needs_ranking", "aggregate_not_sufficient"],
        question_text="Рейтинг риск-счетов", aggregates=list(aggregates or ("ranking/account/anomaly",)), stores=str(stores), **more,
    )  # fmt: skip


def start(url: str, stores: Path, log: Path, points: str = "", **env: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, HERE / "worker_process.py", url, str(stores), str(log), points],
        env={**os.environ, "PYTHONPATH": str(ROOT), **env}, stderr=(log.parent / "errors").open("ab"),
    )  # fmt: skip


@contextmanager
def worker(url: str, stores: Path, log: Path, points: str = "", **env: str) -> Iterator[subprocess.Popen[bytes]]:
    process = start(url, stores, log, points, **env)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def until(condition: Callable[[], Any], what: str) -> Any:
    """What ``condition`` gives once it gives something."""
    patience = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < patience:
        found = condition()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError(f"never came: {what}")


def ended(jobs: Jobs, job_id: str) -> JobView:
    def look() -> JobView | None:
        view = jobs.get(job_id)
        return view if view.ended else None

    found: JobView = until(look, f"the end of {job_id}")
    return found


def lines(log: Path) -> list[str]:
    return log.read_text().splitlines() if log.exists() else []


def builders(stores: Path) -> list[str]:
    """Jobs that published versions, one entry a version."""
    return [m["built_by"] for m in map(read_manifest, published(stores)) if "built_by" in m]


def leftovers(stores: Path) -> list[str]:
    """What a half-done refresh would leave."""
    return sorted(p.name for p in stores.iterdir() if p.name.startswith((".staging", ".building", ".dropped")) or p.name.endswith(".new"))  # fmt: skip


class Gate:
    """A way to a database that can be shut: what goes through it is cut off, and nobody new gets in."""

    def __init__(self, host: str, port: int) -> None:
        self._target = (host, port)
        self._open: set[socket.socket] = set()
        self._listener = self._listen(0)
        self.port = self._listener.getsockname()[1]

    def _listen(self, port: int) -> socket.socket:
        listener = socket.create_server(("127.0.0.1", port), reuse_port=False)
        threading.Thread(target=self._accept, args=(listener,), daemon=True).start()
        return listener

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                inside, _ = listener.accept()
                outside = socket.create_connection(self._target)
            except OSError:
                return
            self._open |= {inside, outside}
            for a, b in ((inside, outside), (outside, inside)):
                threading.Thread(target=self._pump, args=(a, b), daemon=True).start()

    def _pump(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while chunk := source.recv(65536):
                target.sendall(chunk)
        for end in (source, target):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def shut(self) -> None:
        """The database is gone."""
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        while self._open:
            end = self._open.pop()
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def open(self) -> None:
        """It is back where it was."""
        self._listener = self._listen(self.port)
