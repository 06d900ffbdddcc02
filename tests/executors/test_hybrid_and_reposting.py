"""Store first, live only for what it lacks: the period split once, gaps, and documents re-posted in the live system alone."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise
from typing import Any

import pytest

from executors.context import ExecutorContext
from executors.dispatch import execute_route
from executors.hybrid.live_half import MOST_CALLS, MOST_DOCUMENTS
from executors.live.reference_base import NoSuchDocument, ReferenceBase
from executors.live.system import LiveAnswer, LiveSystem

SALE = "Document_РеализацияТоваровУслуг"
HYBRID, LIVE = "hybrid_store_plus_live", "live_mcp_drilldown"


class Counted:
    """Counts what reaches a live system, and with which limits."""

    def __init__(self, live: LiveSystem) -> None:
        self._live, self.name = live, live.name
        self.calls: list[tuple[str, tuple[Any, ...]]] = []

    def __getattr__(self, method: str) -> Any:
        def call(*arguments: Any) -> LiveAnswer:
            self.calls.append((method, arguments))
            found: LiveAnswer = getattr(self._live, method)(*arguments)
            return found

        return call


@pytest.mark.parametrize(
    ("days", "parts"),
    [
        ("с 10 по 20 июня 2020", [("store", "2020-06-10", "2020-06-20")]),
        ("с 25 июня по 5 июля 2020", [("store", "2020-06-25", "2020-06-30"), ("live", "2020-07-01", "2020-07-05")]),
        ("с 20 мая по 10 июня 2020", [("store", "2020-06-01", "2020-06-10"), ("live", "2020-05-20", "2020-05-31")]),
        (
            "с 20 мая по 5 июля 2020",
            [
                ("store", "2020-06-01", "2020-06-30"),
                ("live", "2020-05-20", "2020-05-31"),
                ("live", "2020-07-01", "2020-07-05"),
            ],
        ),
        ("с 1 по 5 июля 2020", [("live", "2020-07-01", "2020-07-05")]),
    ],
)
def test_the_period_is_split_once_without_gap_or_overlap(
    days: str, parts: list[tuple[str, str, str]], context: ExecutorContext
) -> None:
    result = execute_route(HYBRID, f"Свяжи реализации и проводки {days}", context=context)
    found = [(p["source"], p["start"], p["end"]) for p in result.summary["parts"]]
    assert found == parts
    spans = sorted((date.fromisoformat(a), date.fromisoformat(b)) for _, a, b in found)
    assert all(a[1] + timedelta(days=1) == b[0] for a, b in pairwise(spans))
    assert {i["source"] for i in result.items} <= {source for source, *_ in parts}


def test_documents_before_the_slice_come_from_the_live_system_with_their_label(context: ExecutorContext) -> None:
    result = execute_route(HYBRID, "Свяжи реализации и проводки с 20 мая по 10 июня 2020", context=context)
    live = [s["source_id"] for i in result.items if i["source"] == "live" for s in i["samples"]]
    stored = [s["source_id"] for i in result.items if i["source"] == "store" for s in i["samples"]]
    assert live and stored and not set(live) & set(stored)


def test_a_live_part_that_cannot_be_had_is_missing_and_makes_the_answer_partial(context: ExecutorContext) -> None:
    result = execute_route(
        HYBRID, "Свяжи реализации и проводки с 25 июня по 5 июля 2020", context=replace(context, live=None)
    )
    assert (result.status, [p["source"] for p in result.summary["parts"]]) == ("partial", ["store", "missing"])
    assert any("Живая база не подключена" in e for e in result.errors)


@pytest.mark.parametrize(
    "question",
    [
        "Проверь, всё ли сходится",
        "Свяжи документы покупателей и проводки",
        "Свяжи реализации и проводки с 1 января по 31 декабря 2020",
        "Как связана реализация № 0000-000017 с проводками",
    ],
)
def test_no_uncapped_scan_reaches_the_live_system(question: str, context: ExecutorContext, live: LiveSystem) -> None:
    counted = Counted(live)
    result = execute_route(HYBRID, question, context=replace(context, live=counted))
    assert len(counted.calls) == result.summary["live_calls"] <= MOST_CALLS
    assert all(arguments[-1] <= MOST_DOCUMENTS for method, arguments in counted.calls if method == "documents")


@pytest.mark.parametrize(
    "question", ["Полный риск-срез за июнь", "Рейтинг риск-контрагентов", "Рейтинг сотрудников по зарплате"]
)
def test_a_batch_never_asks_the_live_system(question: str, context: ExecutorContext, live: LiveSystem) -> None:
    counted = Counted(live)
    execute_route("batch_refresh_then_store", question, context=replace(context, live=counted))
    assert counted.calls == []


@pytest.mark.parametrize(
    "question", ["Открой реализацию № 0000-000017", "Открой документы № 1, № 2, № 3, № 4, № 5, № 6, № 7, № 8"]
)
def test_a_drilldown_asks_a_few_times(question: str, context: ExecutorContext, live: LiveSystem) -> None:
    counted = Counted(live)
    execute_route(LIVE, question, context=replace(context, live=counted))
    assert 0 < len(counted.calls) <= 20
    assert "documents" not in {method for method, _ in counted.calls}


def test_a_document_reposted_only_there_changes_what_drilldown_says(
    context: ExecutorContext, base: ReferenceBase
) -> None:
    question = "Почему эта проводка по реализации № 0000-000017 от 11.06.2020?"
    before = execute_route(LIVE, question, context=context).items[0]
    base.repost(SALE, "0000-000017", amount=5_000_000)
    after = execute_route(LIVE, question, context=context).items[0]
    assert (before["amount"], before["differs_from_store"]) == ("192062.36", [])
    assert (after["amount"], after["store"]["amount"]) == ("50000.00", "192062.36")
    assert "Сумма в живой базе 50000.00, в хранилище 192062.36." in after["differs_from_store"]
    assert sum(p["amount_kopecks"] for p in after["postings"]) < sum(p["amount_kopecks"] for p in before["postings"])


def test_a_document_unposted_only_there_changes_what_drilldown_says(
    context: ExecutorContext, base: ReferenceBase
) -> None:
    base.repost(SALE, "0000-000017", unpost=True)
    item = execute_route(LIVE, "Открой реализацию № 0000-000017", context=context).items[0]
    assert (item["posted"], item["postings"]) == (False, [])
    assert "В живой базе документ не проведён, в хранилище проведён." in item["differs_from_store"]


def test_a_document_reposted_only_there_closes_its_gap_in_hybrid(context: ExecutorContext, base: ReferenceBase) -> None:
    question = "Свяжи документы покупателей и проводки"
    before = execute_route(HYBRID, question, context=context).summary
    base.repost(SALE, "0000-000131")
    after = execute_route(HYBRID, question, context=context).summary
    assert (before["gaps_open"], after["gaps_open"], after["gaps_count"]) == (5, 4, 5)
    (closed,) = [g for g in after["gaps"] if g.get("closed_in_live")]
    assert closed["gap"] == "no_postings" and "в живой базе разрыва уже нет" in closed["text"]


def test_a_pinned_document_is_compared_in_hybrid(context: ExecutorContext, base: ReferenceBase) -> None:
    question = "Как связана реализация № 0000-000017 с проводками"
    base.repost(SALE, "0000-000017", amount=5_000_000)
    sample = execute_route(HYBRID, question, context=context).items[0]["samples"][0]
    assert (sample["amount"], sample["live"]["amount"], sample["live"]["differs_from_store"]) == (
        "192062.36",
        "50000.00",
        True,
    )


@pytest.mark.parametrize("number", ["0000-999999", ""])
def test_reposting_what_is_not_there_says_so(number: str, base: ReferenceBase) -> None:
    with pytest.raises(NoSuchDocument, match="0 documents"):
        base.repost(SALE, number)
