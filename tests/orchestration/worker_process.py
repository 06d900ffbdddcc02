"""A worker in a process of its own, for tests that kill it.

    python worker_process.py URL STORES LOG POINT,POINT…

At each named point it kills itself once: a file beside LOG remembers. LOG gets a line for every step that ran to its end.
"""

from __future__ import annotations

import functools
import os
import resource
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from orchestration import batch_refresh, batch_runtime
from orchestration.batch_payload import JobPayload
from orchestration.batch_worker import Worker
from stores import refresh
from stores.reader import StoreReader

URL, STORES, LOG, POINTS = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4].split(",")


def log(line: str) -> None:
    with LOG.open("a") as stream:
        stream.write(line + "\n")


def die_at(point: str) -> None:
    marker = LOG.parent / f"died-{point.replace(' ', '_').replace(':', '_')}"
    if point in POINTS and not marker.exists():
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)


def around(module: Any, name: str) -> None:
    real = getattr(module, name)

    @functools.wraps(real)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        die_at(f"{name}:before")
        found = real(*args, **kwargs)
        if name != "read_payload":
            log(name)
        die_at(f"{name}:after")
        return found

    setattr(module, name, wrapped)


def stepping(name: str) -> None:
    """Kill inside building or publishing, at the points they name themselves."""
    real: Callable[..., Any] = getattr(refresh, name)

    def wrapped(*args: Any, **kwargs: Any) -> Any:
        return real(*args, **kwargs, step=lambda point: die_at(f"{name}:{point}"))

    setattr(refresh, name, wrapped)


def answer(payload: JobPayload, _outcome: dict[str, Any]) -> dict[str, Any]:
    die_at("answer:before")
    reader = StoreReader(Path(payload.stores))
    try:
        rows = reader.aggregate(*payload.aggregates[0].split("/")) or []
    finally:
        reader.close()
    log("answer")
    die_at("answer:after")
    return {
        "fragment_id": "F1", "route": "batch_refresh_then_store", "status": "ok", "result_type": "ranking",
        "items": [{"rank": r["place"], "entity": r["member"], "records_count": r["signs"]} for r in rows], "summary": {}, "evidence": [], "errors": [],
    }  # fmt: skip


def synthesise(_payload: JobPayload, outcome: dict[str, Any], result: dict[str, Any]) -> dict[str, Any]:
    die_at("synthesise:before")
    log("synthesise")
    return {"status": result["status"], "text": f"{outcome['state']} {len(result['items'])}"}


def slow(name: str, seconds: float) -> None:
    real = getattr(batch_refresh, name)

    def wrapped(*args: Any) -> Any:
        time.sleep(seconds)
        return real(*args)

    setattr(batch_refresh, name, wrapped)


for one in ("build", "publish_built"):
    stepping(one)
for one in ("look", "build", "verify", "publish", "runs"):
    around(batch_refresh, one)
around(batch_runtime, "read_payload")
if "SLOW_BUILD" in os.environ:
    slow("build", float(os.environ["SLOW_BUILD"]))
if "SLOW_LOOK" in os.environ:
    real_say = batch_runtime._say

    def say(stage: str, share: float) -> None:
        time.sleep(float(os.environ["SLOW_LOOK"]) if stage == "look" else 0)
        real_say(stage, share)

    batch_runtime._say = say
if "LARGEST_FILE" in os.environ:
    largest = int(os.environ["LARGEST_FILE"])
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))
worker = Worker(
    URL,
    answer,
    synthesise,
    stores=STORES,
    executor_id=os.environ.get("WORKER_NAME"),
    beat_seconds=0.3,
    gone_after_seconds=float(os.environ.get("GONE_AFTER", "30")),
)
real_record = worker.tables.record


def record(*args: Any) -> None:
    die_at("record:before")
    real_record(*args)
    log("record")
    die_at("record:after")


worker.tables.record = record  # type: ignore[method-assign]
worker.start()
log(f"worker {worker.executor_id}")
while True:
    time.sleep(1)
