"""The 35 benchmark questions: routes against expectation, beside the legacy baseline, judged by section 14 of the source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import orjson

from experiments.baseline import legacy_route
from router.contracts import ROUTES
from router.question_router import QuestionRouter, RouteDecision

if TYPE_CHECKING:
    from experiments.execution import Execution

NOT_MEASURED = "not measured"
Verdict = Literal["adopt", "adopt_with_improvements", "reject", "not judged"]


class BenchmarkError(Exception):
    """The benchmark file or the choice of questions cannot be read; the message says what to do."""


@dataclass(frozen=True)
class Criterion:
    """One line of section 14. ``value`` is None where it was not measured."""

    name: str
    value: int | None
    minimum: str
    target: str
    meets_minimum: bool
    meets_target: bool
    recommendation: str


@dataclass(frozen=True)
class BenchmarkResult:
    """Outcome of a run; ``decisions`` in the order of ``questions``. ``execution`` is None where questions were only routed."""

    questions: list[dict[str, Any]]
    decisions: list[RouteDecision]
    legacy: list[str]
    criteria: list[Criterion]
    verdict: Verdict
    execution: Execution | None = None

    @property
    def mismatches(self) -> list[tuple[dict[str, Any], RouteDecision]]:
        """Questions whose route is not the expected one."""
        return [(q, d) for q, d in zip(self.questions, self.decisions, strict=True) if q["expected_route"] != d.route]

    def to_dict(self) -> dict[str, Any]:
        """Figures for a script."""
        expected = [q["expected_route"] for q in self.questions]
        chosen = [d.route for d in self.decisions]
        return {
            "questions": len(self.questions),
            "route_mismatch_count": len(self.mismatches),
            "mismatches_by_class": _by_class(self.questions, chosen),
            "mismatches": [
                {
                    "question_id": q["question_id"],
                    "text": q["text"],
                    "expected": q["expected_route"],
                    "chosen": d.route,
                    "decided_by": d.log.decided_by,
                }
                for q, d in self.mismatches
            ],
            "degraded_answers_count": NOT_MEASURED if self.execution is None else len(self.execution.degraded),
            **({} if self.execution is None else {"execution": self.execution.to_dict()}),
            "batch_route_count": chosen.count("batch_refresh_then_store"),
            "route_counts": _counts(chosen),
            "confusion": _confusion(expected, chosen),
            "legacy": {
                "route_mismatch_count": sum(e != c for e, c in zip(expected, self.legacy, strict=True)),
                "mismatches_by_class": _by_class(self.questions, self.legacy),
                "route_counts": _counts(self.legacy),
                "confusion": _confusion(expected, self.legacy),
            },
            "criteria": [
                {
                    "name": c.name,
                    "value": NOT_MEASURED if c.value is None else c.value,
                    "minimum": c.minimum,
                    "target": c.target,
                    "meets_minimum": c.meets_minimum,
                    "meets_target": c.meets_target,
                    "recommendation": c.recommendation,
                }
                for c in self.criteria
            ],
            "verdict": self.verdict,
        }


def read_benchmark(path: Path, only: str | None = None) -> list[dict[str, Any]]:
    """Questions of the file, or those of ``only``, ids and ranges such as ``Q06-Q12,Q26``."""
    if not path.is_file():
        raise BenchmarkError(f"{path}: no such file; name a benchmark in JSON lines")
    questions: list[dict[str, Any]] = []
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        if not line.strip():
            continue
        try:
            question = orjson.loads(line)
            missing = {"question_id", "text", "question_class", "expected_route"} - set(question)
        except (orjson.JSONDecodeError, TypeError) as error:
            raise BenchmarkError(f"{path}:{number}: {error}") from error
        if missing:
            raise BenchmarkError(f"{path}:{number}: {', '.join(sorted(missing))} missing")
        questions.append(question)
    return questions if only is None else _select(questions, only)


def _select(questions: list[dict[str, Any]], only: str) -> list[dict[str, Any]]:
    ids = [q["question_id"] for q in questions]
    wanted: set[str] = set()
    for part in only.replace(" ", "").split(","):
        first, _, last = part.partition("-")
        last = last or first
        for end in (first, last):
            if end not in ids:
                raise BenchmarkError(
                    f"--only: no question {end!r}; ids run from {ids[0]} to {ids[-1]}, as in Q06-Q12,Q26"
                )
        a, b = ids.index(first), ids.index(last)
        wanted.update(ids[min(a, b) : max(a, b) + 1])
    return [q for q in questions if q["question_id"] in wanted]


def run_benchmark(
    router: QuestionRouter,
    questions: Sequence[dict[str, Any]],
    store_metadata: Mapping[str, Any],
    *,
    whole: bool = True,
) -> BenchmarkResult:
    """Route every question. Only a ``whole`` benchmark gets a verdict."""
    decisions = [router.route(q["text"], store_metadata, q.get("parsed_intent"), q["question_id"]) for q in questions]
    criteria = _criteria(questions, [d.route for d in decisions], None)
    return BenchmarkResult(
        list(questions),
        decisions,
        [legacy_route(q["text"]) for q in questions],
        criteria,
        _verdict(criteria) if whole else "not judged",
    )


def executed_benchmark(
    router: QuestionRouter, questions: Sequence[dict[str, Any]], store_metadata: Mapping[str, Any], execution: Execution, *, whole: bool = True
) -> BenchmarkResult:  # fmt: skip
    """The result of a run whose questions were answered too. A question cut into several fragments counts by the route of the whole."""
    routed = run_benchmark(router, questions, store_metadata, whole=whole)
    criteria = _criteria(questions, [d.route for d in routed.decisions], execution)
    return replace(
        routed, criteria=criteria, verdict=_verdict(criteria) if whole else "not judged", execution=execution
    )


def save_decisions(result: BenchmarkResult, path: Path) -> None:
    """One decision record a line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(d.log.to_json() + b"\n" for d in result.decisions))


def _criteria(
    questions: Sequence[dict[str, Any]], chosen: Sequence[str], execution: Execution | None
) -> list[Criterion]:
    by_class = _by_class(questions, chosen)
    batches = chosen.count("batch_refresh_then_store") if execution is None else execution.batch_count
    needed = [q["expected_route"] for q in questions].count("batch_refresh_then_store")
    lost = None if execution is None else len(execution.degraded)
    advice = "see the decision record of each mismatch: a wrong flag asks for labelled questions of its kind, a wrong fact for store metadata"

    def at_most(name: str, value: int, minimum: int, target: int) -> Criterion:
        return Criterion(
            name,
            value,
            f"<= {minimum}",
            f"<= {target}",
            value <= minimum,
            value <= target,
            "" if value <= target else advice,
        )

    return [
        at_most("route_mismatch_count", sum(by_class.values()), 2, 0),
        at_most("heavy_analytical mismatches", by_class.get("heavy_analytical", 0), 0, 0),
        at_most("cross_entity mismatches", by_class.get("cross_entity", 0), 0, 0),
        at_most("drilldown_explain mismatches", by_class.get("drilldown_explain", 0), 1, 0),
        Criterion(
            "batch_route_count",
            batches,
            "> 0",
            f"= {needed}",
            batches > 0,
            batches == needed,
            ""
            if batches == needed
            else f"{batches} questions were answered by a batch, {needed} need one: look at the aggregates in the store metadata and at switchman jobs",
        ),
        Criterion(
            "degraded_answers_count",
            lost,
            "0",
            "0",
            not lost,
            lost == 0,
            "not measured: the questions were only routed, not answered"
            if lost is None
            else "see the errors of each degraded answer"
            if lost
            else "",
        ),
    ]


def _verdict(criteria: Sequence[Criterion]) -> Verdict:
    """What was not measured does not reject, and does not adopt either."""
    if not all(c.meets_minimum for c in criteria):
        return "reject"
    return "adopt" if all(c.meets_target for c in criteria) else "adopt_with_improvements"


def _by_class(questions: Sequence[dict[str, Any]], chosen: Sequence[str]) -> dict[str, int]:
    return dict(
        Counter(q["question_class"] for q, c in zip(questions, chosen, strict=True) if q["expected_route"] != c)
    )


def _counts(chosen: Sequence[str]) -> dict[str, int]:
    return {route: chosen.count(route) for route in ROUTES}


def _confusion(expected: Sequence[str], chosen: Sequence[str]) -> dict[str, int]:
    pairs = Counter(f"{e} -> {c}" for e, c in zip(expected, chosen, strict=True) if e != c)
    return dict(sorted(pairs.items(), key=lambda item: (-item[1], item[0])))
