"""A question from fragments to answers: each routed and answered on its own, a failure kept to its fragment, both records beside the result."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest

from executors import dispatch
from executors.context import ExecutorContext
from executors.contracts import UnifiedResult
from orchestration.ask import ask
from router.question_router import QuestionRouter
from tests.executors.conftest import base, context, demo_store, live

__all__ = ["base", "context", "demo_store", "live"]
COMPOUND = "Топ контрагентов по долгу и открой документ № 0000-000123"


def test_each_fragment_has_its_route_and_result(router: QuestionRouter, context: ExecutorContext) -> None:
    answer = ask(COMPOUND, router=router, context=context)
    assert [(a.fragment.id, a.result.fragment_id, a.decision.route) for a in answer.fragments] == [
        ("F1", "F1", "store_feature_risk"),  # the rating is ready
        ("F2", "F2", "live_mcp_drilldown"),
    ]
    assert answer.status == "ok"
    assert answer.fragments[0].result.items[0]["name"] == "Янтарь Торг ООО"


def test_one_failing_fragment_leaves_the_others(
    router: QuestionRouter, context: ExecutorContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = dispatch._executor

    def failing(route: str) -> Any:
        def fail(*_: Any) -> UnifiedResult:
            raise RuntimeError("no luck")

        return fail if route == "live_mcp_drilldown" else real(route)

    monkeypatch.setattr(dispatch, "_executor", failing)
    answer = ask(COMPOUND, router=router, context=context)
    assert [(a.result.status, a.result.errors) for a in answer.fragments] == [("ok", []), ("error", ["no luck"])]
    assert answer.status == "partial"


def test_records_stand_beside_each_result(router: QuestionRouter, context: ExecutorContext) -> None:
    answer = ask("Остаток по счёту 51 на 30.06.2020", router=router, context=context, question_id="Q02")
    (only,) = orjson.loads(orjson.dumps(answer.to_dict()))["fragments"]
    assert (
        only["decision"]["chosen_route"] == only["execution"]["route"] == only["result"]["route"] == "store_canonical"
    )
    assert only["execution"]["decision_id"] == only["decision"]["decision_id"]
    assert (only["execution"]["status"], only["execution"]["items"], only["execution"]["run_id"]) == (
        "ok",
        1,
        "canonical-0001",
    )
    assert (answer.question_id, only["decision"]["question_id"]) == ("Q02", "Q02")


def test_a_period_holds_for_the_fragments_that_name_none(router: QuestionRouter, context: ExecutorContext) -> None:
    answer = ask(
        "Список реализаций за 15 июня 2020 и список поступлений от поставщика Вектор", router=router, context=context
    )
    assert [a.result.summary["period"]["start"] for a in answer.fragments] == ["2020-06-15", "2020-06-15"]


def test_parsed_intent_reaches_router_and_executor(
    router: QuestionRouter, context: ExecutorContext, benchmark_questions: list[dict[str, Any]]
) -> None:
    question = benchmark_questions[6]
    answer = ask(question["text"], router=router, context=context, parsed_intent=question["parsed_intent"])
    assert answer.fragments[0].result.items[0]["focus"]["register"] == "НДСПродажи"


def test_a_batch_runner_takes_the_place_of_the_executor(router: QuestionRouter, context: ExecutorContext) -> None:
    def job(fragment: Any, decision: Any, own: ExecutorContext) -> UnifiedResult:  # noqa: ARG001
        return UnifiedResult("batch_refresh_then_store", "ok", "ranking", summary={"batch_job_id": "job-1"})

    def broken(*_: Any) -> UnifiedResult:
        raise RuntimeError("the queue is full")

    asked = "Рейтинг сотрудников по зарплате"
    done = ask(asked, router=router, context=context, batch=job).fragments[0]
    assert (done.decision.route, done.execution_record()["batch_job_id"], done.result.fragment_id) == (
        "batch_refresh_then_store",
        "job-1",
        "F1",
    )
    failed = ask(asked, router=router, context=context, batch=broken).fragments[0]
    assert (failed.result.status, failed.result.errors) == ("error", ["the queue is full"])


@pytest.mark.parametrize("question", ["", "  ", "какая завтра погода в Сочи", "\x00"])
def test_what_is_not_about_the_books_is_skipped(
    question: str, router: QuestionRouter, context: ExecutorContext
) -> None:
    (only,) = ask(question, router=router, context=context).fragments
    assert (only.decision.route, only.result.status, only.result.summary["skipped"]) == ("no_route", "empty", True)


def test_every_benchmark_question_is_answered(
    router: QuestionRouter, context: ExecutorContext, benchmark_questions: list[dict[str, Any]]
) -> None:
    """None comes back with an error."""
    found = {
        q["question_id"]: ask(q["text"], router=router, context=context, parsed_intent=q["parsed_intent"]).status
        for q in benchmark_questions
    }
    assert {q for q, status in found.items() if status not in ("ok", "partial")} == set()


def test_the_embedded_refresh_builds_what_is_missing(router: QuestionRouter, tmp_path: Path) -> None:
    from executors.refresh import rebuild_with
    from stores.build import build_store
    from stores.reader import StoreReader
    from tests.executors.conftest import DEMO

    build_store(DEMO, tmp_path)
    reader = StoreReader(tmp_path)
    own = ExecutorContext(reader, refresh=rebuild_with(reader))
    answer = ask("Рейтинг риск-счетов", router=router, context=replace(own))
    (only,) = answer.fragments
    assert (only.decision.route, only.result.status, only.result.summary["store_version"]) == (
        "batch_refresh_then_store",
        "ok",
        2,
    )
    assert {a["kind"] for a in reader.metadata()["aggregates"]} == {"summary", "ranking"}
    again = ask("Рейтинг риск-счетов", router=router, context=own).fragments[0]
    assert (again.decision.route, again.result.items[0]["rank"]) == ("store_feature_risk", 1)
    reader.close()
