"""The benchmark run whole: fragments, routes, executors, the real batch, synthesis; each batch on a copy of the store of its own, so that a second run gives the same.

Questions are routed by the frozen metadata they are given, and answered from a store of the demo that is built for the run. The legacy baseline's routes are executed
over the same store beside them, to compare what retrieval takes.
"""

from __future__ import annotations

import dataclasses
import shutil
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import orjson

from experiments.baseline import legacy_route
from router.contracts import ROUTES
from router.question_router import QuestionRouter

if TYPE_CHECKING:
    from executors.context import ExecutorContext
    from executors.contracts import UnifiedResult
    from orchestration.ask import Answer, BatchRunner

BATCH: Final = "batch_refresh_then_store"
BASE, PLANNED = "base", "planned.json"
REPEATS: Final = 5
Tick = Callable[[str], None]


@dataclass(frozen=True)
class Executed:
    """One question answered. ``degraded`` says why its answer counts as degraded, empty where it does not."""

    question_id: str
    answer: Answer
    degraded: str


@dataclass(frozen=True)
class Execution:
    """A whole run. Retrieval times by route, a figure a question: ours, and those of the baseline's own routes for the same questions."""

    questions: list[Executed]
    milliseconds: dict[str, list[float]]
    legacy_milliseconds: dict[str, list[float]]

    @property
    def degraded(self) -> list[Executed]:
        """Questions whose answer is degraded."""
        return [q for q in self.questions if q.degraded]

    @property
    def batch_count(self) -> int:
        """Questions that a durable job answered."""
        return sum(any(a.decision.log.batch_job_id for a in q.answer.fragments) for q in self.questions)

    def medians(self) -> dict[str, dict[str, Any]]:
        """Retrieval by route: how many and the median in milliseconds, ours and the baseline's."""
        return {
            route: {
                **_of("", self.milliseconds.get(route, [])),
                **_of("legacy_", self.legacy_milliseconds.get(route, [])),
            }
            for route in ROUTES
        }

    def to_dict(self) -> dict[str, Any]:
        """Figures for a script."""
        return {
            "degraded_answers_count": len(self.degraded),
            "degraded": [{"question_id": q.question_id, "why": q.degraded} for q in self.degraded],
            "batch_jobs_run": self.batch_count,
            "statuses": {q.question_id: q.answer.status for q in self.questions},
            "retrieval_ms": self.medians(),
        }


def _of(prefix: str, times: list[float]) -> dict[str, Any]:
    return {f"{prefix}count": len(times), f"{prefix}median_ms": round(statistics.median(times), 1) if times else None}


def read_planned(benchmark: Path) -> dict[str, dict[str, str]]:
    """Answers that are meant to be partial or empty, with the reason, from the file beside the benchmark."""
    path = benchmark.parent / PLANNED
    found: dict[str, dict[str, str]] = orjson.loads(path.read_bytes()) if path.exists() else {}
    return {"partial": found.get("partial", {}), "empty": found.get("empty", {})}


def degraded(question_id: str, status: str, planned: Mapping[str, Mapping[str, str]]) -> str:
    """Why an answer of this status counts as degraded; empty where it does not."""
    if status == "ok" or question_id in planned.get(status, {}):
        return ""
    return {"error": "error", "empty": "empty where data exists"}.get(
        status, f"{status}, not on the list of planned ones"
    )


def run_whole(
    router: QuestionRouter, questions: Sequence[Mapping[str, Any]], store_metadata: Mapping[str, Any], snapshot: Path, folder: Path,
    planned: Mapping[str, Mapping[str, str]], tick: Tick = lambda _: None,
) -> Execution:  # fmt: skip
    """Answer every question; ``folder`` is a place for stores and jobs that the caller throws away. ``tick`` is told each question's id."""
    from orchestration.ask import ask

    with _store(snapshot, folder, tick) as context:
        done = []
        with _worker(folder) as batch:
            for q in questions:
                tick(q["question_id"])
                answer = ask(
                    q["text"], router=router, context=context, parsed_intent=q.get("parsed_intent"), question_id=q["question_id"], batch=batch,
                    store_metadata=store_metadata,
                )  # fmt: skip
                done.append(Executed(q["question_id"], answer, degraded(q["question_id"], answer.status, planned)))
        tick("times")
        ours, legacy = _times(questions, done, context)
        return Execution(done, ours, legacy)


@contextmanager
def _store(snapshot: Path, folder: Path, tick: Tick) -> Iterator[ExecutorContext]:
    """A store of the snapshot, and the reference live system with nothing re-posted."""
    from executors.context import ExecutorContext
    from executors.live.embedded import late, own_live
    from stores.build import build_store
    from stores.reader import StoreReader

    tick("store")
    build_store(snapshot, folder / BASE)
    live = late("switchman-live", lambda: own_live(snapshot, folder / "changes.jsonl"))
    store = StoreReader(folder / BASE)
    try:
        yield ExecutorContext(store, live=live)
    finally:
        store.close()
        live.close()


@contextmanager
def _worker(folder: Path) -> Iterator[BatchRunner]:
    """Something that runs batches durably, each on a copy of the store."""
    from orchestration.batch_answer import answer_job, synthesise_job
    from orchestration.batch_worker import Worker
    from orchestration.jobs import Jobs

    url = f"sqlite:///{(folder / 'jobs.sqlite').resolve()}"
    worker, jobs = Worker(url, answer_job, synthesise_job), Jobs(url)
    worker.start()
    try:
        yield _on_a_copy(jobs, folder)
    finally:
        jobs.close()
        worker.stop()


def _on_a_copy(jobs: Any, folder: Path) -> BatchRunner:
    from orchestration.batch_answer import answer_job, synthesise_job
    from orchestration.batch_handoff import run_fragment
    from stores.reader import StoreReader

    number = 0

    def run(fragment: Any, decision: Any, context: ExecutorContext) -> UnifiedResult:
        nonlocal number
        number += 1
        copy = folder / f"copy-{number:02d}"
        shutil.copytree(folder / BASE, copy)
        store = StoreReader(copy)
        try:
            own = dataclasses.replace(context, store=store, live=None)
            return run_fragment(jobs, fragment, decision, own, answer=answer_job, synthesise=synthesise_job)
        finally:
            store.close()
            shutil.rmtree(copy, ignore_errors=True)

    return run


def _times(
    questions: Sequence[Mapping[str, Any]], done: Sequence[Executed], context: ExecutorContext
) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """What our routes and the baseline's take, turn by turn, the median of some repeats a question. A batch takes what its job took; the baseline knows none."""
    ours: dict[str, list[float]] = defaultdict(list)
    legacy: dict[str, list[float]] = defaultdict(list)
    for q, found in zip(questions, done, strict=True):
        runs: dict[tuple[bool, str, str], list[float]] = defaultdict(list)
        objects = tuple((q.get("parsed_intent") or {}).get("objects") or ())
        own = dataclasses.replace(context, objects=objects)
        for part in found.answer.fragments:
            if part.decision.route == BATCH:
                ours[BATCH].append(part.milliseconds)
        for _ in range(REPEATS):
            for part in found.answer.fragments:
                if part.decision.route != BATCH:
                    runs[True, part.decision.route, part.fragment.text].append(_timed(part.decision.route, part.fragment.text, own))  # fmt: skip
            route = legacy_route(q["text"])
            runs[False, route, q["text"]].append(_timed(route, q["text"], own))
        for (is_ours, route, _), times in runs.items():
            (ours if is_ours else legacy)[route].append(statistics.median(times))
    return dict(ours), dict(legacy)


def _timed(route: str, text: str, context: ExecutorContext) -> float:
    from executors.dispatch import execute_route

    began = time.perf_counter()
    execute_route(route, text, context=context)
    return (time.perf_counter() - began) * 1000


def save_answers(execution: Execution, folder: Path) -> list[Path]:
    """Decision records, execution records and answers, a line each; gives the files."""
    folder.mkdir(parents=True, exist_ok=True)
    parts = [(q, a) for q in execution.questions for a in q.answer.fragments]
    files = {
        "decisions.jsonl": [a.decision.log.to_dict() for _, a in parts],
        "executions.jsonl": [{"question_id": q.question_id, **a.execution_record(), "refresh": a.result.summary.get("refresh")} for q, a in parts],
        "answers.jsonl": [{"question_id": q.question_id, "degraded": q.degraded, **q.answer.to_dict()} for q in execution.questions],
    }  # fmt: skip
    for name, lines in files.items():
        (folder / name).write_bytes(b"".join(orjson.dumps(line) + b"\n" for line in lines))
    return [folder / name for name in files]
