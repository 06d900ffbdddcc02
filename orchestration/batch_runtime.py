"""The durable job: a ``refresh_and_answer`` for each question, one ``refresh_stores`` for all that need the same slice and outputs.

    refresh_and_answer   begin → look → (refresh_stores → wait, where something is stale or missing) → answer → synthesise → record
    refresh_stores       look → build → verify → publish → record run ids

Every arrow is a step that is kept when it is done; the one in flight when a process is killed is done again. Repeating is harmless: building starts its folder anew,
publishing finds what the same job has published, records replace themselves. The child is shared by a key while it is in flight; a later question starts another, which finds
everything fresh. A failed refresh is an outcome, not an exception: the question is then answered with an error or from what is there, never with a live scan.

Importing this module imports DBOS; whatever only routes questions must not.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final

from dbos import DBOS, DBOSClient, SetEnqueueOptions, SetWorkflowTimeout, error

from orchestration import batch_refresh as steps
from orchestration.batch_payload import JobPayload, read_payload
from orchestration.batch_refresh import Outcome
from orchestration.batch_tables import JobTables
from orchestration.failed_answers import failed_result, with_outcome

ANSWERS, REFRESHES = "answers", "refreshes"
APPLICATION, APPLICATION_VERSION = "switchman", "batch/1"
"""The version is pinned: with DBOS's own, a new release of this program would leave the jobs of the old one waiting. Raise it when a workflow's steps change."""
ATTEMPTS_AFTER_KILLS: Final = 10
ATTEMPTS_TO_PUBLISH: Final = 5
_ENDED = ("SUCCESS", "ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED")
_SAY_EVERY_SECONDS = 0.25

Answerer = Callable[[JobPayload, Outcome], dict[str, Any]]
"""Payload and the refresh's outcome → a unified result, from the refreshed stores. Must not ask the live system."""
Synthesiser = Callable[[JobPayload, Outcome, dict[str, Any]], dict[str, Any]]
"""… and that result → the answer a person reads, with ``text`` and ``status``."""


class Parts:
    """What a worker process brings to its jobs; set by `orchestration.batch_worker.Worker`."""

    tables: JobTables
    answer: Answerer
    synthesise: Synthesiser


parts = Parts()


def enqueue_refresh_and_answer_job(client: DBOSClient, payload: JobPayload, job_id: str | None = None) -> str:
    """Put a job in the queue and give its id. The same ``job_id`` again is the same job."""
    named = job_id or f"job-{secrets.token_hex(5)}"
    client.enqueue(
        {
            "workflow_name": "refresh_and_answer",
            "queue_name": ANSWERS,
            "workflow_id": named,
            "app_version": APPLICATION_VERSION,
            "attributes": {"question_id": payload.question_id, "question": payload.question_text[:200]},
        },
        payload.to_dict(),
    )
    return named


@DBOS.workflow(name="refresh_and_answer", max_recovery_attempts=ATTEMPTS_AFTER_KILLS)
def run_refresh_and_answer_job(given: dict[str, Any]) -> dict[str, Any]:
    """The job of one question. Gives ``status``, ``result`` (unified), ``answer`` and ``execution``, the record."""
    started = _begin(given)
    refresh_id, outcome = "", _look_first(given)
    if outcome["state"] == "stale":
        # No time limit of this question may reach a refresh that others wait for.
        with SetWorkflowTimeout(None), SetEnqueueOptions(deduplication_id=outcome["key"], duplication_policy="return-existing"):  # fmt: skip
            child = DBOS.enqueue_workflow(REFRESHES, refresh_stores, outcome["order"])
        refresh_id = child.get_workflow_id()
        outcome = _wait(given, refresh_id, started)
    result = _answer(given, outcome)
    answer = _synthesise(given, outcome, result)
    execution = _record(given, outcome, result, refresh_id, started)
    return {"status": result["status"], "result": result, "answer": answer, "execution": execution}


@DBOS.step(name="begin")
def _begin(given: dict[str, Any]) -> float:
    read_payload(given)
    _say("begin", 0.0)
    return time.time()


@DBOS.step(name="look first")
def _look_first(given: dict[str, Any]) -> Outcome:
    """``fresh`` or ``failed`` where no refresh would help; else ``stale`` with the order and what it has in common with others: store, folder's bytes, slice, outputs."""
    payload = read_payload(given)
    order = steps.order_of(payload)
    planned = steps.look(order)
    if planned["state"] == "failed":
        return {**planned, "notes": []}
    plan = planned["plan"]
    if plan["mode"] == "nothing":
        return _outcome("fresh", plan, steps.runs(order), [], payload.aggregates)
    about = (payload.stores, plan["fingerprint"], payload.slice_window, *sorted(payload.requested_outputs), *sorted(payload.aggregates), str(payload.as_of))  # fmt: skip
    return {"state": "stale", "order": order, "key": hashlib.blake2b("\x1f".join(about).encode(), digest_size=16).hexdigest()}  # fmt: skip


@DBOS.step(name="wait for refresh")
def _wait(given: dict[str, Any], refresh_id: str, started: float) -> Outcome:
    """Outcome of the refresh, however it ends. Waiting can be done again at no cost."""
    own, deadline, pause = _own_id(), started + read_payload(given).timeout_seconds, 0.05
    _say("refresh", 0.0)
    while True:
        found = DBOS.get_workflow_status(refresh_id)
        status = found.status if found else "ERROR"
        if found and status == "SUCCESS":
            return dict(found.output or {})
        if status in _ENDED:
            code = "refresh_cancelled" if status == "CANCELLED" else "refresh_failed"
            return {"state": "failed", "code": code, "message": str(found.error or status) if found else status}
        if time.time() > deadline:
            return {"state": "failed", "code": "timed_out", "message": f"{refresh_id} still runs"}
        _stop_if_cancelled(own)
        time.sleep(pause)
        pause = min(pause * 1.5, 0.5)


@DBOS.step(name="answer")
def _answer(given: dict[str, Any], outcome: Outcome) -> dict[str, Any]:
    """The unified result. An answerer that fails gives an error result, as an executor that fails does."""
    payload = read_payload(given)
    _say("answer", 0.9)
    if outcome["state"] == "failed":
        return failed_result(payload, outcome)
    try:
        found = parts.answer(payload, outcome)
    except Exception as error:  # an answer that cannot be made is said, and the record is still written
        return failed_result(payload, {"state": "failed", "code": "answer_failed", "message": str(error) or type(error).__name__})  # fmt: skip
    return with_outcome(found, payload, outcome)


@DBOS.step(name="synthesise")
def _synthesise(given: dict[str, Any], outcome: Outcome, result: dict[str, Any]) -> dict[str, Any]:
    return parts.synthesise(read_payload(given), outcome, result)


@DBOS.step(name="record")
def _record(
    given: dict[str, Any], outcome: Outcome, result: dict[str, Any], refresh_id: str, started: float
) -> dict[str, Any]:
    """What was done, beside the decision record: it refers to it by id."""
    payload, job_id = read_payload(given), _own_id()
    record = {
        "job_id": job_id,
        "job_type": payload.job_type,
        "question_id": payload.question_id,
        "fragment_id": payload.fragment_id,
        "decision_id": payload.decision.get("decision_id", ""),
        "execution_mode": "batch",
        "slice_window": payload.slice_window,
        "requested_outputs": payload.requested_outputs,
        "reason": payload.reason,
        "refresh_job_id": refresh_id,
        "refresh": {k: v for k, v in outcome.items() if k != "order"},
        "status": result["status"],
        "errors": result["errors"],
        "executor_id": DBOS.executor_id,
        "started_at": _clock(started),
        "finished_at": _clock(time.time()),
    }
    parts.tables.record(job_id, payload.question_id, record["decision_id"], record)
    _say("done", 1.0)
    return record


@DBOS.workflow(name="refresh_stores", max_recovery_attempts=ATTEMPTS_AFTER_KILLS)
def refresh_stores(order: Outcome) -> Outcome:
    """Bring the stores to what ``order`` needs; gives an outcome."""
    notes: list[Outcome] = []
    for _ in range(ATTEMPTS_TO_PUBLISH):
        planned = _look(order)
        if planned["state"] == "failed":
            return {**planned, "notes": notes}
        plan, own = planned["plan"], order["aggregates"]
        if plan["mode"] == "nothing":
            return _outcome("fresh", plan, _runs(order), notes, own)
        done = _build(order, plan)
        if done["state"] == "built":
            done = _verify(order, plan)
        if done["state"] == "verified":
            counts = done["counts"]
            done = _publish(order, plan)
            if done["state"] == "published":
                return {**_outcome("refreshed", plan, _runs(order), notes, own), "counts": counts}
        if done["code"] == "snapshot_refused" and plan["base"]:
            # What is in the folder cannot be taken. The store before stands, and can still be asked.
            notes.append({"code": done["code"], "message": done["message"]})
            order = {**order, "reread": False}
        elif done["code"] not in ("base_moved", "staging_lost"):
            return {**done, "notes": notes}
    return {**done, "notes": notes}


def _outcome(state: str, plan: Outcome, runs: Outcome, notes: list[Outcome], own: list[str]) -> Outcome:
    """``built`` are aggregates of the order's own; what was built with them for others is ``also_built``."""
    if runs["state"] == "failed":
        return {**runs, "notes": notes}
    return {
        **runs,
        "state": state,
        "mode": plan["mode"],
        "newer": plan["newer"],
        "folder": plan["folder"],
        "built": [name for name in plan["missing"] if name in own],
        "also_built": [name for name in plan["missing"] if name not in own],
        "ready": list(plan["ready"]),
        "impossible": plan["impossible"],
        "notes": notes,
    }


@DBOS.step(name="look")
def _look(order: Outcome) -> Outcome:
    """The plan, for all that waits for the same store: what others need is built along, and their refreshes then find it fresh."""
    _say("look", 0.0)
    queued = DBOS.list_workflows(name="refresh_stores", status="ENQUEUED", queue_name=REFRESHES, load_output=False)
    others = [w.input["args"][0] for w in queued if w.input and w.input["args"]]
    return steps.look(steps.together(order, others))


_STAGES = {"load": (0.02, 0.45), "features": (0.47, 0.15), "risk": (0.62, 0.2), "aggregates": (0.82, 0.05)}


@DBOS.step(name="build")
def _build(order: Outcome, plan: Outcome) -> Outcome:
    own, said = _own_id(), 0.0

    def progress(stage: str, share: float) -> None:
        nonlocal said
        if time.monotonic() - said >= _SAY_EVERY_SECONDS:
            said = time.monotonic()
            start, width = _STAGES[stage]
            parts.tables.say(own, stage, start + width * share)
            _stop_if_cancelled(own)

    return steps.build(order, plan, own, progress)


@DBOS.step(name="verify")
def _verify(order: Outcome, plan: Outcome) -> Outcome:
    _say("verify", 0.88)
    return steps.verify(order, plan, _own_id())


@DBOS.step(name="publish")
def _publish(order: Outcome, plan: Outcome) -> Outcome:
    _say("publish", 0.95)
    own = _own_id()
    return steps.publish(order, plan, own, lambda: _stop_if_cancelled(own))


@DBOS.step(name="record run ids")
def _runs(order: Outcome) -> Outcome:
    _say("done", 1.0)
    return steps.runs(order)


def _own_id() -> str:
    found = DBOS.workflow_id
    assert found is not None  # noqa: S101  # steps run inside workflows
    return found


def _say(stage: str, share: float) -> None:
    parts.tables.say(_own_id(), stage, share)


def _stop_if_cancelled(job_id: str) -> None:
    """Leave a step with no outcome kept, so that it is done again when the job is resumed."""
    found = DBOS.get_workflow_status(job_id)
    if found and found.status == "CANCELLED":
        raise error.DBOSWorkflowCancelledError(job_id)


def _clock(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
