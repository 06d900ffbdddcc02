"""The router's batch route handed to the durable job: the caller waits for the answer, or takes the id and comes back."""

from __future__ import annotations

import dataclasses
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from executors.contracts import UnifiedResult
from orchestration.batch_errors import JobsError
from orchestration.batch_payload import TIMEOUT_SECONDS, JobPayload, build_payload
from orchestration.batch_runtime import Answerer, Synthesiser
from orchestration.batch_worker import GONE_AFTER_SECONDS, Worker
from orchestration.batch_worker import Watch as Others
from orchestration.failed_answers import queued_result
from orchestration.jobs import Jobs, JobView
from router.decision_log import RouteDecisionLog
from stores.refresh import can_be_made

if TYPE_CHECKING:
    from executors.context import ExecutorContext
    from orchestration.fragments import Fragment
    from router.question_router import RouteDecision

LOOK_FOR_WORKERS_SECONDS: Final = 2.0
LET_END_SECONDS: Final = 30

Watch = Callable[[JobView], None]


def payload_for(
    log: RouteDecisionLog, context: ExecutorContext, *, question_text: str | None = None, fragment_id: str = "F1", snapshot: Path | None = None,
    timeout_seconds: float = TIMEOUT_SECONDS,
) -> JobPayload:  # fmt: skip
    """Payload for a decision whose route is the batch: what the router needs to find it ready next time, and what the executor reads to answer.

    ``context`` is the store that the question was routed over; the job works on that folder of versions, as of the same moment.
    """
    from executors.aggregates import aggregates_needed

    made = build_payload(
        log.to_dict(), stores=str(context.store.version.path.parent.resolve()), snapshot=str(snapshot.resolve()) if snapshot else None,
        as_of=context.now.isoformat() if context.now else None, question_text=question_text, fragment_id=fragment_id, timeout_seconds=timeout_seconds,
    )  # fmt: skip
    read = [w.name for w in aggregates_needed(made.question_text, context).aggregates]
    possible = [name for name in made.aggregates if can_be_made(name)]
    wanted = list(dict.fromkeys((*possible, *read)))
    return dataclasses.replace(made, aggregates=wanted or made.aggregates)


def run_fragment(
    jobs: Jobs, fragment: Fragment, decision: RouteDecision, context: ExecutorContext, *, answer: Answerer, synthesise: Synthesiser,
    snapshot: Path | None = None, wait: bool = True, watch: Watch = lambda _: None,
) -> UnifiedResult:  # fmt: skip
    """The result of a fragment whose route is the batch: its summary names the job and says what the refresh did.

    Without ``wait`` the job is put in and the result says where to come back for it.
    """
    made = payload_for(decision.log, context, question_text=fragment.text, fragment_id=fragment.id, snapshot=snapshot)
    job_id = jobs.enqueue(made)
    if not wait:
        return queued_result(made, job_id)
    done = wait_for(jobs, job_id, answer, synthesise, stores=Path(made.stores), watch=watch)
    context.store.refresh()
    told = done["execution"].get("refresh", {})
    summary = {**done["result"]["summary"], "batch_job_id": job_id, "refresh": told}
    return UnifiedResult(**{**done["result"], "summary": summary})


def wait_for(
    jobs: Jobs, job_id: str, answer: Answerer, synthesise: Synthesiser, *, stores: Path | None = None, watch: Watch = lambda _: None
) -> dict[str, Any]:  # fmt: skip
    """Answer of a question's job, waiting for its end."""
    follow(jobs, job_id, answer, synthesise, stores=stores, watch=watch)
    return jobs.answer(job_id, synthesise)


def follow(
    jobs: Jobs, job_id: str, answer: Answerer, synthesise: Synthesiser, *, stores: Path | None = None, watch: Watch = lambda _: None
) -> JobView:  # fmt: skip
    """A job of either kind to its end. Where no worker runs, or the last one goes, this process runs the jobs itself until then."""
    own, looked = False, -LOOK_FOR_WORKERS_SECONDS
    others = Others(GONE_AFTER_SECONDS)
    try:
        for view in jobs.follow(job_id):
            watch(view)
            if not own and time.monotonic() - looked >= LOOK_FOR_WORKERS_SECONDS:
                looked = time.monotonic()
                rows = jobs.tables.workers()
                living = {w["executor_id"] for w in rows} - set(others.gone(rows, [], ""))
                own = not living and _shared.join(jobs, answer, synthesise, stores)
    finally:
        if own:
            _shared.leave()
    return view


class _SharedWorker:
    """The worker of a process that has no other: several threads may wait for jobs at once, and DBOS runs once a process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._worker: Worker | None = None
        self._users = 0

    def join(self, jobs: Jobs, answer: Answerer, synthesise: Synthesiser, stores: Path | None) -> bool:
        """Start it where it does not run yet; the caller now holds it. Raises `JobsError` where it works on another database."""
        with self._lock:
            if self._worker is None:
                worker = Worker(jobs.tables.url, answer, synthesise, stores=stores)
                worker.start()
                self._worker = worker
            elif self._worker.tables.url != jobs.tables.url:
                raise JobsError("this process already runs jobs of another database; start a worker for it: switchman jobs worker")  # fmt: skip
            self._users += 1
            return True

    def leave(self) -> None:
        """Let it go; the last one stops it."""
        with self._lock:
            self._users -= 1
            if self._users == 0 and self._worker is not None:
                self._worker.stop(LET_END_SECONDS)
                self._worker = None


_shared = _SharedWorker()


def refresh_and_answer(
    jobs: Jobs, payload: JobPayload, answer: Answerer, synthesise: Synthesiser, *, watch: Watch = lambda _: None
) -> tuple[str, dict[str, Any]]:
    """Put a job in and wait for it: its id and its answer."""
    job_id = jobs.enqueue(payload)
    return job_id, wait_for(jobs, job_id, answer, synthesise, stores=Path(payload.stores), watch=watch)
