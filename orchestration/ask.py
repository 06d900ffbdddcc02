"""A question → fragments → routes → results. One fragment's failure leaves the others alone.

Beside each result stand two records: the decision (why this route) and the execution (what the executor did).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from executors.context import ExecutorContext
from executors.contracts import Status, UnifiedResult
from executors.dispatch import execute_route
from orchestration.fragments import Fragment, split_fragments
from router.parsed_intent import read_parsed_intent
from router.question_router import QuestionRouter, RouteDecision

BatchRunner = Callable[[Fragment, RouteDecision, ExecutorContext], UnifiedResult]
"""Runs a fragment whose route is batch; a durable job takes this place."""
BATCH = "batch_refresh_then_store"


@dataclass(frozen=True, slots=True)
class FragmentAnswer:
    """A fragment, why its route was chosen, what came of it, and how long that took."""

    fragment: Fragment
    decision: RouteDecision
    result: UnifiedResult
    milliseconds: float

    def execution_record(self) -> dict[str, Any]:
        """What the executor did, to stand beside the decision record."""
        summary = self.result.summary
        return {
            "decision_id": self.decision.log.decision_id,
            "fragment_id": self.fragment.id,
            "route": self.result.route,
            "execution_mode": self.decision.log.execution_mode,
            "batch_job_id": summary.get("batch_job_id") or self.decision.log.batch_job_id,
            "status": self.result.status,
            "items": len(self.result.items),
            "errors": list(self.result.errors),
            "run_id": summary.get("run_id"),
            "store_version": summary.get("store_version"),
            "as_of": summary.get("as_of"),
            "live_server": summary.get("server") or summary.get("live_server"),
            "milliseconds": self.milliseconds,
        }

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "fragment_id": self.fragment.id,
            "text": self.fragment.text,
            "start": self.fragment.start,
            "end": self.fragment.end,
            "route": self.decision.route,
            "result": self.result.to_dict(),
            "decision": self.decision.log.to_dict(),
            "execution": self.execution_record(),
        }


@dataclass(frozen=True, slots=True)
class Answer:
    """Answers of all fragments, in their order."""

    question: str
    question_id: str
    fragments: tuple[FragmentAnswer, ...]

    @property
    def status(self) -> Status:
        """``ok``, ``empty`` or ``error`` where all fragments are; else ``partial``."""
        found = {a.result.status for a in self.fragments}
        return found.pop() if len(found) == 1 else "partial" if found else "empty"

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "question": self.question,
            "question_id": self.question_id,
            "status": self.status,
            "fragments": [a.to_dict() for a in self.fragments],
        }


def ask(
    question: str,
    *,
    router: QuestionRouter,
    context: ExecutorContext,
    parsed_intent: Mapping[str, Any] | None = None,
    question_id: str | None = None,
    batch: BatchRunner | None = None,
) -> Answer:
    """Answer a question by the stores and the live system of ``context``; store metadata comes from its open version.

    ``parsed_intent`` is of the whole question: with several fragments its class is left out, and a period that one fragment names holds for the following
    that name none. ``batch`` runs fragments of the batch route; without it the executor does, with `ExecutorContext.refresh`. Raises TypeError where
    ``question`` is not a str.
    """
    if not isinstance(question, str):
        raise TypeError(f"a question is a str, not {type(question).__name__}")
    context = replace(context, analyser=router.classifier.analyser)
    fragments = split_fragments(question, context.analyser) or (Fragment("F1", question, 0, len(question)),)
    metadata = context.metadata()
    given = dict(parsed_intent or {})
    if len(fragments) > 1:
        given.pop("parsed_class", None)
        given.pop("confidence", None)
    answers: list[FragmentAnswer] = []
    for fragment in fragments:
        own = dict(given)
        intent = read_parsed_intent(own)
        analysis = router.classifier.analyse(fragment.text, intent)
        named = [m for m in analysis.mentions if m.type == "period" and m.first >= 0]
        if len(fragments) > 1 and "period" not in given and not named and answers and (last := _period_of(answers[-1])):
            own["period"] = last
        answers.append(_answered(fragment, own, question_id, router, context, metadata, batch))
    whole_id = question_id or answers[0].decision.log.decision_id
    return Answer(question, whole_id, tuple(answers))


def _answered(
    fragment: Fragment,
    parsed_intent: dict[str, Any],
    question_id: str | None,
    router: QuestionRouter,
    context: ExecutorContext,
    metadata: dict[str, Any],
    batch: BatchRunner | None,
) -> FragmentAnswer:
    decision = router.route(fragment.text, metadata, parsed_intent, question_id)
    intent = read_parsed_intent(parsed_intent)
    own = replace(context, analysis=router.classifier.analyse(fragment.text, intent), objects=intent.objects)
    began = time.perf_counter()
    if decision.route == BATCH and batch is not None:
        result = _by_batch(batch, fragment, decision, own)
    else:
        result = execute_route(
            decision.route,
            fragment.text,
            context=own,
            fragment_id=fragment.id,
            no_route_reason=decision.no_route_reason,
        )
    return FragmentAnswer(fragment, decision, result, round((time.perf_counter() - began) * 1000, 2))


def _by_batch(
    batch: BatchRunner, fragment: Fragment, decision: RouteDecision, context: ExecutorContext
) -> UnifiedResult:
    try:
        return replace(batch(fragment, decision, context), fragment_id=fragment.id)
    except Exception as error:  # a failed batch is this fragment's error, and the others go on
        why = str(error) or type(error).__name__
        empty = {"checked_records": None, "ranked_entities": None}
        return UnifiedResult(BATCH, "error", "ranking", summary=empty, errors=[why], fragment_id=fragment.id)


def _period_of(answer: FragmentAnswer) -> dict[str, str] | None:
    periods = answer.decision.log.scope.get("periods") or []
    return {"start": periods[0][0], "end": periods[-1][1]} if periods else None
