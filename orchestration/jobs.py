"""Jobs as a person or a caller sees them: put in, listed, followed, cancelled, retried, answered. Runs none itself."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, Final, Literal

from dbos import DBOS, DBOSClient, DBOSPortableJSONSerializer
from sqlalchemy.exc import DBAPIError

from orchestration.batch_errors import JobNotDone, JobsError, JobsUnreachable, NoSuchJob
from orchestration.batch_payload import JobPayload, read_payload
from orchestration.batch_runtime import ANSWERS, REFRESHES, Synthesiser, enqueue_refresh_and_answer_job
from orchestration.batch_tables import JobTables, dbos_url, shown_url
from orchestration.batch_worker import live_workers
from orchestration.failed_answers import failed_result

State = Literal["waiting", "running", "orphaned", "done", "failed", "cancelled", "killed_too_often"]
ENDED: Final = frozenset(("done", "failed", "cancelled", "killed_too_often"))
_NAMES = ("refresh_and_answer", "refresh_stores")
_STATES: Final[dict[str, State]] = {
    "ENQUEUED": "waiting", "DELAYED": "waiting", "PENDING": "running", "SUCCESS": "done", "ERROR": "failed", "CANCELLED": "cancelled",
    "MAX_RECOVERY_ATTEMPTS_EXCEEDED": "killed_too_often",
}  # fmt: skip
_SHARE_OF_REFRESH: Final = 0.9
LOOK_SECONDS: Final = 0.2


@dataclass(frozen=True, slots=True)
class JobView:
    """One job. ``outcome``: the answer's status, or a refresh's state, once it is done. ``orphaned``: its worker is gone and no other has taken it yet.

    ``share``: of the whole job, 0 to 1. Times are UTC.
    """

    job_id: str
    kind: Literal["question", "refresh"]
    state: State
    outcome: str
    question_id: str
    question: str
    stage: str
    share: float
    created_at: str
    ended_at: str | None
    worker: str
    refresh_job_id: str = ""

    @property
    def ended(self) -> bool:
        """Whether nothing will change any more by itself."""
        return self.state in ENDED

    def to_dict(self) -> dict[str, Any]:
        """A JSON object."""
        return asdict(self)


class Jobs:
    """A client of the jobs in one database."""

    def __init__(self, database_url: str) -> None:
        """Raises `JobsUnreachable`."""
        self.tables = JobTables(database_url)
        try:
            DBOS.migrate(dbos_url(database_url))
            self._client = DBOSClient(
                system_database_url=dbos_url(database_url), serializer=DBOSPortableJSONSerializer()
            )
        except DBAPIError as error:
            raise JobsUnreachable(
                f"{shown_url(database_url)}: {error.orig}; check DATABASE_URL and that it runs"
            ) from error

    def close(self) -> None:
        """Let the connections go."""
        self._client.destroy()
        self.tables.close()

    def enqueue(self, payload: JobPayload, job_id: str | None = None) -> str:
        """Put a job in; gives its id."""
        return enqueue_refresh_and_answer_job(self._client, payload, job_id)

    def list(self, limit: int = 50, only_open: bool = False) -> list[JobView]:
        """Jobs, the newest first."""
        found = self._client.list_workflows(
            name=list(_NAMES), limit=limit, sort_desc=True, load_input=False, status=["ENQUEUED", "DELAYED", "PENDING"] if only_open else None
        )  # fmt: skip
        living = live_workers(self.tables)
        said = self.tables.progress([w.workflow_id for w in found])
        return [_view(w, living, said) for w in found]

    def get(self, job_id: str) -> JobView:
        """One job, with the progress of the refresh it waits for. Raises `NoSuchJob`."""
        view = self._see(self._status(job_id))
        if view.kind == "refresh" or view.ended:
            return view
        refresh_id = self._refresh_of(job_id)
        said = self.tables.progress([refresh_id]).get(refresh_id) if refresh_id else None
        if said is None or view.stage not in ("refresh", "begin"):
            return view
        return JobView(**{**asdict(view), "refresh_job_id": refresh_id, "stage": said[0], "share": said[1] * _SHARE_OF_REFRESH})  # fmt: skip

    def follow(self, job_id: str) -> Iterator[JobView]:
        """The job, again and again, until it has ended."""
        while True:
            view = self.get(job_id)
            yield view
            if view.ended:
                return
            time.sleep(LOOK_SECONDS)

    def cancel(self, job_id: str) -> None:
        """Stop a job. A refresh that it waits for goes on, since others may wait for it too: it has an id of its own. Raises `JobsError` where it has ended."""
        view = self.get(job_id)
        if view.ended:
            raise JobsError(f"{job_id}: already {view.state}; nothing to cancel")
        self._client.cancel_workflow(job_id)

    def retry(self, job_id: str) -> str:
        """Run a job again; gives the id to follow: the same one goes on where it was cancelled, a new one where it had ended badly.

        Raises `JobsError` where it still runs, or ended well.
        """
        status = self._status(job_id)
        view = self._see(status)
        queue = ANSWERS if view.kind == "question" else REFRESHES
        if view.state in ("cancelled", "killed_too_often"):
            self._client.resume_workflow(job_id, queue_name=queue)
            return job_id
        if not view.ended:
            raise JobsError(f"{job_id}: still {view.state}; follow it: switchman jobs follow {job_id}")
        if view.kind == "refresh":
            raise JobsError(f"{job_id}: a refresh that has ended; retry the question that needs it: switchman jobs")
        if view.outcome in ("ok", "empty"):
            raise JobsError(f"{job_id}: answered; see it: switchman jobs answer {job_id}")
        return self.enqueue(self.payload(job_id))

    def payload(self, job_id: str) -> JobPayload:
        """What a question's job was given."""
        given = self._status(job_id).input
        if not given or not given["args"]:
            raise JobsError(f"{job_id}: its payload cannot be read")
        return read_payload(given["args"][0])

    def answer(self, job_id: str, synthesise: Synthesiser) -> dict[str, Any]:
        """``status``, ``result``, ``answer`` and ``execution`` of a job that has ended, however it has. Raises `JobNotDone`, `NoSuchJob`, or `JobsError` for a refresh."""
        status = self._status(job_id)
        view = self._see(status)
        if view.kind == "refresh":
            raise JobsError(f"{job_id}: a refresh has no answer; name the question's job: switchman jobs")
        if not view.ended:
            raise JobNotDone(f"{job_id}: {view.state}; follow it: switchman jobs follow {job_id}")
        if view.state == "done":
            return dict(status.output or {})
        payload = self.payload(job_id)
        code = "refresh_failed" if view.state == "failed" else view.state
        message = str(status.error) if view.state == "failed" else job_id
        outcome = {"state": "failed", "code": code, "message": message}
        result = failed_result(payload, outcome)
        answer = synthesise(payload, outcome, result)
        return {"status": "error", "result": result, "answer": answer, "execution": {}}

    def _see(self, status: Any) -> JobView:
        return _view(status, live_workers(self.tables), self.tables.progress([status.workflow_id]))

    def _status(self, job_id: str) -> Any:
        found = self._client.list_workflows(workflow_ids=[job_id], name=list(_NAMES))
        if not found:
            raise NoSuchJob(f"{job_id}: no such job; see them: switchman jobs")
        return found[0]

    def _refresh_of(self, job_id: str) -> str:
        for step in self._client.list_workflow_steps(job_id):
            if step["child_workflow_id"]:
                return str(step["child_workflow_id"])
        return ""


def _view(w: Any, living: set[str], said: dict[str, tuple[str, float]]) -> JobView:
    kind: Literal["question", "refresh"] = "question" if w.name == _NAMES[0] else "refresh"
    state = _STATES[w.status]
    if state == "running" and w.executor_id not in living:
        state = "orphaned"
    output = w.output if isinstance(w.output, dict) else {}
    about = w.attributes or {}
    stage, share = said.get(w.workflow_id, ("", 0.0))
    return JobView(
        job_id=w.workflow_id,
        kind=kind,
        state=state,
        outcome=str(output.get("status" if kind == "question" else "state", "")),
        question_id=about.get("question_id", ""),
        question=about.get("question", ""),
        stage=stage,
        share=1.0 if state == "done" else share,
        created_at=_clock(w.created_at),
        ended_at=_clock(w.completed_at) if w.completed_at else None,
        worker=w.executor_id or "" if state not in ("waiting",) else "",
        refresh_job_id=(output.get("execution") or {}).get("refresh_job_id", "") if kind == "question" else "",
    )


def _clock(milliseconds: int) -> str:
    return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="seconds")
