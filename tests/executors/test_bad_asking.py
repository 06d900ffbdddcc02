"""Documents that are not there, are ambiguous, or lie outside the period; counterparties nobody knows. A status and a sentence each, in the question's language."""

from __future__ import annotations

import pytest

from executors.context import ExecutorContext
from executors.dispatch import execute_route

CASES = [
    ("store_canonical", "Покажи реализацию № 0000-999999", "empty", "Документа 0000-999999 в загруженных данных нет"),
    ("store_canonical", "Show sale № 0000-999999", "empty", "No document 0000-999999 in the loaded data"),
    ("store_canonical", "Покажи документ № 0000-000017", "partial", "Номер 0000-000017 у 7 документов"),
    ("store_canonical", "Реализация № 0000-000017 от 12.06.2020", "empty", "вне названного срока: Реализация от 11.06.2020"),
    ("store_canonical", "Начисление зарплаты № 0000-000017", "empty", "Под номером 0000-000017 есть другие документы"),
    ("live_mcp_drilldown", "Открой реализацию № 0000-999999", "empty", "В живой базе 0000-999999 не найден"),
    ("live_mcp_drilldown", "Open document № 0000-000017", "partial", "Several documents bear 0000-000017"),
    ("live_mcp_drilldown", "Открой реализацию № 0000-000017 от 12.06.2020", "empty", "вне названного срока: Реализация 2020-06-11"),
    ("live_mcp_drilldown", "Открой документ 11111111-2222-3333-4444-555555555555", "empty", "не найден"),
    ("live_mcp_drilldown", "Покажи проводки", "empty", "Назовите один объект"),
    ("store_canonical", "Документы контрагента Альва", "empty", "Контрагента «Альва» в данных нет. Похожие: «Альфа ООО»"),
    ("store_canonical", "Invoices of supplier Vectra", "empty", "There is no counterparty «Vectra». Nearest: «Вектор ООО»"),
    ("store_feature_risk", "Риски по контрагенту Альва", "empty", "Похожие: «Альфа ООО»"),
    ("hybrid_store_plus_live", "Как связаны документы и проводки у контрагента Альва", "empty", "Похожие: «Альфа ООО»"),
    ("store_canonical", "Реализации за август 2020", "empty", "За 01.08.2020 – 31.08.2020 данных нет: загружено 01.06.2020 – 30.06.2020"),
    ("store_canonical", "Реализации с 25 июня по 5 июля 2020", "partial", "Нет данных за 01.07.2020 – 05.07.2020"),
    ("store_canonical", "Остаток по счёту 51 на 15.08.2020", "empty", "загружено 01.06.2020 – 30.06.2020"),
    ("store_feature_risk", "Выручка по дням с 25 июня по 5 июля 2020", "partial", "Нет данных за 01.07.2020 – 05.07.2020"),
    ("batch_refresh_then_store", "Топ контрагентов по погоде и курсу валют", "empty", "Такого рейтинга хранилище не строит"),
    ("store_canonical", "Документы контрагента Ромашка", "empty", "Имя «Ромашка» подходит нескольким"),
]  # fmt: skip


@pytest.mark.parametrize(("route", "question", "status", "sentence"), CASES, ids=[f"{r}: {q}" for r, q, *_ in CASES])
def test_a_status_and_a_sentence(
    route: str, question: str, status: str, sentence: str, context: ExecutorContext
) -> None:
    result = execute_route(route, question, context=context)
    assert any(sentence in e for e in result.errors), (result.status, result.errors)
    assert result.status == status


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "\x00\x01",
        "'; DROP TABLE document; --",
        "𝕏" * 5000,
        "№ " * 500,
        "% _ [a] {b} \\",
        "ООО «'»",
        "\ud800",
    ],
)
@pytest.mark.parametrize(
    "route",
    [
        "store_canonical",
        "store_feature_risk",
        "batch_refresh_then_store",
        "hybrid_store_plus_live",
        "live_mcp_drilldown",
    ],
)
def test_any_text_is_answered(route: str, text: str, context: ExecutorContext) -> None:
    result = execute_route(route, text, context=context)
    assert result.status != "error" or route == "batch_refresh_then_store", result.errors


def test_the_store_is_unharmed(context: ExecutorContext) -> None:
    assert execute_route("store_canonical", "Остаток по счёту 51", context=context).items[0]["amount"] == "51268965.07"
