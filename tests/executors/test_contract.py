"""One contract over all executors: shape, fields, bounds, dates, failures that stay inside."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import orjson
import pytest

from executors import dispatch
from executors.context import ExecutorContext
from executors.contracts import UnifiedResult
from executors.dispatch import execute_route
from executors.shapes import COMMON_SUMMARY, EVIDENCE_CAP, SHAPES, Shape
from stores.errors import NoStore

ANSWERED = {
    "store_canonical": ("Какие документы реализации проведены 15 июня 2020?", "Which sales were posted on June 15?", "Остаток по счёту 51", "Договоры Альфы", "Проводки по счёту 26", "Записи регистра НДС покупки", "Выручка за июнь", "Список сотрудников"),
    "store_feature_risk": ("Что не так с НДС?", "What is wrong with VAT?", "Динамика выручки по неделям июня", "Сводка аномалий по проводкам из готового отчёта"),
    "batch_refresh_then_store": ("Рейтинг риск-счетов", "Rank counterparties by risk", "Company anomaly summary", "Топ контрагентов по долгу"),
    "hybrid_store_plus_live": ("Свяжи документы покупателей и проводки", "Link payments to suppliers and purchases", "Какими документами подтверждены записи регистра НДС покупки?"),
    "live_mcp_drilldown": ("Почему эта проводка по реализации № 0000-000017?", "Open sale № 0000-000017"),
}  # fmt: skip
CASES = [(route, question) for route, questions in ANSWERED.items() for question in questions]
NOTHING = {
    "store_canonical": "Реализации Альфы за август 2020",
    "store_feature_risk": "Риски за август 2020",
    "batch_refresh_then_store": "Рейтинг риск-счетов за август 2020",
    "hybrid_store_plus_live": "Как связаны платежи и поступления у контрагента Кракозябра",
    "live_mcp_drilldown": "Открой реализацию № 0000-999999",
}


def holds(result: UnifiedResult, route: str) -> None:
    """What every result owes its reader."""
    shape = SHAPES[route]
    assert (result.route, result.result_type, result.fragment_id) == (route, shape.result_type, "F7")
    assert result.status in ("ok", "empty", "partial", "error")
    assert all(set(shape.item_fields) <= set(item) for item in result.items)
    assert set(shape.summary_fields) <= set(result.summary)
    assert len(result.items) <= shape.items and len(result.evidence) <= EVIDENCE_CAP
    assert len(orjson.dumps([result.items, result.summary, result.evidence], default=str)) <= shape.bytes
    assert all("kind" in e and "id" in e for e in result.evidence)
    assert result.errors or result.status in ("ok",) or result.summary.get("skipped")
    orjson.dumps(result.to_dict())


@pytest.mark.parametrize(("route", "question"), CASES, ids=[f"{r}: {q}" for r, q in CASES])
def test_an_answer(route: str, question: str, context: ExecutorContext) -> None:
    result = execute_route(route, question, context=context, fragment_id="F7")
    holds(result, route)
    assert result.status in ("ok", "partial"), result.errors
    assert result.items
    assert set(COMMON_SUMMARY) <= set(result.summary)
    assert result.summary["data_as_of"] == "2020-06-30T23:59:59+03:00"
    assert result.summary["run_id"].endswith("-0001")


@pytest.mark.parametrize("route", NOTHING)
def test_nothing_is_empty_and_says_what_to_do(route: str, context: ExecutorContext) -> None:
    result = execute_route(route, NOTHING[route], context=context, fragment_id="F7")
    holds(result, route)
    assert (result.status, result.items) == ("empty", [])
    assert result.errors


@pytest.mark.parametrize("route", ANSWERED)
def test_a_failing_executor_is_an_error_with_its_text(
    route: str, context: ExecutorContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> Any:
        raise RuntimeError("the disk is on fire")

    monkeypatch.setattr(dispatch, "_executor", lambda _route: fail)
    result = execute_route(route, "что угодно", context=context, fragment_id="F7")
    holds(result, route)
    assert (result.status, result.errors) == ("error", ["the disk is on fire"])


def test_no_route_calls_nothing() -> None:
    result = execute_route("no_route", "какая завтра погода", fragment_id="F2", no_route_reason="out_of_scope")
    assert result == UnifiedResult(
        "no_route", "empty", "summary", [], {"skipped": True, "no_route_reason": "out_of_scope"}, [], [], "F2"
    )


def test_an_unknown_route_is_an_error_that_names_the_routes() -> None:
    assert "store_canonical" in execute_route("store_magic", "что угодно").errors[0]


@pytest.mark.parametrize("route", ANSWERED)
def test_two_arguments_suffice(route: str, monkeypatch: pytest.MonkeyPatch, context: ExecutorContext) -> None:
    monkeypatch.setattr(dispatch, "default_context", lambda: context)
    assert execute_route(route, ANSWERED[route][0]).status in ("ok", "partial")


def test_without_a_store_the_answer_says_how_to_load_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> Any:
        raise NoStore("var/stores: no store is published; run: switchman snapshot load DIR")

    monkeypatch.setattr(dispatch, "default_context", missing)
    result = execute_route("store_canonical", "Остаток по счёту 51")
    assert (result.status, "snapshot load" in result.errors[0]) == ("error", True)


@pytest.mark.parametrize(("items", "size"), [(3, 10**6), (1000, 60_000)], ids=["by count", "by size"])
def test_a_bound_cuts_and_says_that_it_cut(
    items: int, size: int, context: ExecutorContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = SHAPES["store_canonical"]
    monkeypatch.setitem(
        SHAPES, "store_canonical", Shape(own.result_type, own.item_fields, own.summary_fields, items, size)
    )
    result = execute_route("store_canonical", "Список реализаций за июнь", context=context)
    assert result.status == "partial"
    assert 0 < len(result.items) < 143
    assert any("Показаны первые" in e for e in result.errors)
    assert result.summary["matched_records"] == 143


def test_a_batch_without_its_aggregate_builds_it_or_says_that_the_batch_must(context: ExecutorContext) -> None:
    asked = "Рейтинг сотрудников по зарплате"
    without = execute_route("batch_refresh_then_store", asked, context=context)
    assert (without.status, "пакетный пересчёт" in without.errors[0]) == ("error", True)
    built: list[Any] = []
    refreshed = execute_route(
        "batch_refresh_then_store", asked, context=replace(context, refresh=lambda wanted: built.extend(wanted))
    )
    assert [w.name for w in built] == ["ranking/employee/salary"]
    assert refreshed.status == "error"  # what was promised was not built


def test_a_batch_whose_refresh_fails_tells_why(context: ExecutorContext) -> None:
    def busy(_: Any) -> None:
        raise RuntimeError("another process is publishing; wait for it and try again")

    result = execute_route(
        "batch_refresh_then_store", "Рейтинг сотрудников по зарплате", context=replace(context, refresh=busy)
    )
    assert (result.status, result.errors) == ("error", ["another process is publishing; wait for it and try again"])
