"""Verdicts of the benchmark by section 14."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from experiments.baseline import legacy_route
from experiments.benchmark import BenchmarkError, read_benchmark, run_benchmark
from router.question_router import QuestionRouter


def mislead(questions: list[dict[str, Any]], *ids: str) -> list[dict[str, Any]]:
    """The questions with another expected route for ``ids``, as if the router had missed them."""
    return [{**q, "expected_route": "no_route"} if q["question_id"] in ids else q for q in questions]


@pytest.mark.parametrize(
    ("missed", "verdict"),
    [
        ((), "adopt_with_improvements"),
        (("Q01",), "adopt_with_improvements"),
        (("Q01", "Q02"), "adopt_with_improvements"),
        (("Q01", "Q02", "Q03"), "reject"),
        (("Q26",), "reject"),
        (("Q11",), "reject"),
        (("Q06",), "adopt_with_improvements"),
        (("Q06", "Q07"), "reject"),
    ],
)
def test_the_verdict_follows_the_minima_of_section_14(
    router: QuestionRouter,
    reference_store: dict[str, Any],
    benchmark_questions: list[dict[str, Any]],
    missed: tuple[str, ...],
    verdict: str,
) -> None:
    result = run_benchmark(router, mislead(benchmark_questions, *missed), reference_store)
    assert (len(missed), verdict) == (len(result.mismatches), result.verdict)
    assert all(c.recommendation for c in result.criteria if not c.meets_target)


def test_a_benchmark_without_batch_is_rejected(
    router: QuestionRouter, reference_store: dict[str, Any], benchmark_questions: list[dict[str, Any]]
) -> None:
    light = [q for q in benchmark_questions if q["expected_route"] != "batch_refresh_then_store"]
    assert run_benchmark(router, light, reference_store).verdict == "reject"


def test_the_legacy_baseline_never_reaches_the_batch(benchmark_questions: list[dict[str, Any]]) -> None:
    assert "batch_refresh_then_store" not in {legacy_route(q["text"]) for q in benchmark_questions}


def test_a_broken_benchmark_file_is_named_by_line(tmp_path: Path) -> None:
    file = tmp_path / "b.jsonl"
    file.write_text(
        '{"question_id": "Q1", "text": "x", "question_class": "ambiguous", "expected_route": "no_route"}\n{"question_id": "Q2"}\n'
    )
    with pytest.raises(BenchmarkError, match=r"b\.jsonl:2: .*text missing"):
        read_benchmark(file)
