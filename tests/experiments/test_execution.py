"""The benchmark run whole: what counts as degraded, and that a second run gives the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("dbos", reason="the whole benchmark needs the extra 'batch'")
pytest.importorskip("duckdb", reason="the whole benchmark needs the extra 'stores'")
pytest.importorskip("mcp", reason="the whole benchmark needs the extra 'live'")

from experiments.benchmark import executed_benchmark
from experiments.execution import Execution, degraded, read_planned, run_whole
from router.question_router import QuestionRouter

ROOT = Path(__file__).resolve().parents[2]
SUBSET = ("Q02", "Q10", "Q11", "Q18", "Q27", "Q29", "Q30")


@pytest.mark.parametrize(
    ("status", "planned", "why"),
    [
        ("ok", {}, ""),
        ("error", {}, "error"),
        ("error", {"partial": {"Q1": "x"}, "empty": {"Q1": "x"}}, "error"),
        ("empty", {}, "empty where data exists"),
        ("empty", {"empty": {"Q1": "there is none in the demo"}}, ""),
        ("partial", {}, "partial, not on the list of planned ones"),
        ("partial", {"partial": {"Q1": "half of it is in July"}}, ""),
        ("partial", {"partial": {"Q2": "another"}}, "partial, not on the list of planned ones"),
    ],
)
def test_what_counts_as_degraded(status: str, planned: dict[str, dict[str, str]], why: str) -> None:
    assert degraded("Q1", status, planned) == why


def test_the_list_of_planned_partials_stands_beside_the_benchmark() -> None:
    assert set(read_planned(ROOT / "data" / "benchmark" / "benchmark35.jsonl")) == {"partial", "empty"}


@pytest.fixture(scope="module")
def questions() -> list[dict[str, Any]]:
    lines = (ROOT / "data" / "benchmark" / "benchmark35.jsonl").read_text("utf-8").splitlines()
    return [q for q in map(json.loads, lines) if q["question_id"] in SUBSET]


def without_job_and_time(execution: Execution) -> list[Any]:
    """What two runs must have in common: everything but ids of jobs and what the clock says."""
    found = []
    for q in execution.questions:
        for a in q.answer.fragments:
            decision = {**a.decision.log.to_dict(), "batch_job_id": bool(a.decision.log.batch_job_id)}
            result = a.result.to_dict()
            summary = {k: v for k, v in result["summary"].items() if k not in ("batch_job_id", "refresh")}
            refresh = {k: v for k, v in result["summary"].get("refresh", {}).items() if k in ("state", "version", "run_ids", "built", "counts")}  # fmt: skip
            found.append([q.question_id, decision, {**result, "summary": summary}, refresh, q.answer.written().text])
    return found


def test_a_second_run_gives_the_same_and_each_batch_has_a_copy_of_its_own(
    router: QuestionRouter, reference_store: dict[str, Any], questions: list[dict[str, Any]], tmp_path: Path
) -> None:
    runs = []
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        runs.append(run_whole(router, questions, reference_store, ROOT / "data" / "snapshot", tmp_path / name, {}))
    assert without_job_and_time(runs[0]) == without_job_and_time(runs[1])
    assert (runs[0].batch_count, runs[0].degraded) == (2, [])
    batches = [a.result.summary for q in runs[0].questions for a in q.answer.fragments if a.decision.log.batch_job_id]
    assert [s["refresh"]["version"] for s in batches] == [2, 2]
    result = executed_benchmark(router, questions, reference_store, runs[0], whole=True)
    assert result.verdict == "adopt"
