"""Answers written from unified results: figures, table, evidence, as of when, what is missing; ranks kept, caps said."""

from __future__ import annotations

from typing import Any

import pytest

from orchestration.plain_values import CELL
from orchestration.synthesis import EVIDENCE, ROWS, TEXT, Part, overall, write_answer

DATED = {"as_of": "2020-07-01T06:00:00+03:00", "data_as_of": "2020-06-30T23:59:59+03:00", "timezone": "Europe/Moscow", "run_id": "risk-0007", "store_version": 7}  # fmt: skip


def result(route: str = "store_canonical", status: str = "ok", items: list[dict[str, Any]] | None = None, errors: list[str] | None = None, evidence: list[dict[str, Any]] | None = None, **summary: Any) -> dict[str, Any]:  # fmt: skip
    return {
        "fragment_id": "F1", "route": route, "status": status, "result_type": "list", "items": items or [], "summary": {**DATED, **summary},
        "evidence": evidence or [], "errors": errors or [],
    }  # fmt: skip


def ranked(*places: int) -> list[dict[str, Any]]:
    return [{"rank": p, "entity": f"e{p}", "name": f"Участник {p}", "score": 100 - p, "signs": p, "records_count": p} for p in places]  # fmt: skip


def money(name: str, kopecks: int) -> dict[str, Any]:
    return {name: f"{kopecks / 100:.2f}", f"{name}_kopecks": kopecks}


BALANCE = [{"account": "51", "name": "Расчетные счета", "period": "2020-06-30", "side": "дебет", **money("amount", 5126896507)}]  # fmt: skip


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("Остаток по счёту 51", ["51\u00a0268\u00a0965,07", "30.06.2020", "счёт: 51", "Данные на 30.06.2020 23:59 (Europe/Moscow), запуск risk-0007, версия хранилища 7."]),
        ("Balance of account 51", ["51,268,965.07", "2020-06-30", "account: 51", "Data as of 2020-06-30 23:59 (Europe/Moscow), run risk-0007, store version 7."]),
    ],
)  # fmt: skip
def test_a_figure_is_a_sentence_in_the_questions_language_with_its_data_time(question: str, says: list[str]) -> None:
    answer = write_answer(question, [Part(question, result(items=BALANCE, returned_records=1))])
    assert [s for s in says if s not in answer.text] == []
    assert "─" not in answer.text, "a table would say no more"
    assert (answer.timezone, answer.data_as_of) == ("Europe/Moscow", DATED["data_as_of"])


@pytest.mark.parametrize("places", [(1, 2, 3), (4, 5, 6), (2, 7, 11)])
def test_a_rating_keeps_its_ranks_and_its_order(places: tuple[int, ...]) -> None:
    answer = write_answer("Рейтинг", [Part("Рейтинг", result("batch_refresh_then_store", items=ranked(*places)))])
    assert answer.tables[0] is not None
    assert [row[0] for row in answer.tables[0]["rows"]] == [str(p) for p in places]
    lines = [line for line in answer.text.splitlines() if "Участник" in line and "Первое" not in line]
    assert [line.split()[0] for line in lines] == [str(p) for p in places]


def test_a_list_has_its_total_and_its_evidence_by_reference() -> None:
    items = [{"kind": "Реализация", "number": f"0000-00000{n}", **money("amount", n * 100)} for n in (1, 2, 3)]
    evidence = [{"kind": "document", "id": f"ref-{n}"} for n in range(EVIDENCE + 2)]
    answer = write_answer("Какие реализации", [Part("", result(items=items, evidence=evidence, returned_records=3, **money("total_amount", 600)))])  # fmt: skip
    assert "Найдено: 3, на сумму 6,00." in answer.text
    assert "Основание: document ref-0, document ref-1, document ref-2, document ref-3, document ref-4, и ещё 2." in answer.text  # fmt: skip
    assert answer.evidence == [f"document ref-{n}" for n in range(EVIDENCE + 2)]


@pytest.mark.parametrize(
    ("question", "status", "says"),
    [
        ("Есть ли дубли", "empty", "Ничего не найдено.\nТаких признаков нет"),
        ("Any duplicates", "empty", "Nothing was found.\nТаких признаков нет"),
        ("Рейтинг", "error", "Ответа нет.\nТаких признаков нет"),
        ("Rank them", "error", "There is no answer.\nТаких признаков нет"),
    ],
)
def test_an_empty_or_failed_result_says_so_and_why(question: str, status: str, says: str) -> None:
    answer = write_answer(question, [Part(question, result(status=status, errors=["Таких признаков нет"]))])
    assert answer.text.startswith(says)
    assert (answer.status, answer.missing) == (status, ["Таких признаков нет"])


def test_what_is_missing_stands_under_its_own_heading() -> None:
    answer = write_answer("Остаток", [Part("", result(status="partial", items=BALANCE, errors=["Нет данных за июль"]))])
    assert "Чего не хватает:\n- Нет данных за июль" in answer.text


def test_rows_over_the_cap_are_cut_and_the_cut_is_said() -> None:
    answer = write_answer("Рейтинг", [Part("", result("batch_refresh_then_store", items=ranked(*range(1, ROWS + 6))))])
    assert answer.cut and f"Показаны первые {ROWS} из {ROWS + 5}" in answer.text
    assert answer.tables[0] is not None and len(answer.tables[0]["rows"]) == ROWS


def test_the_whole_text_has_a_cap_that_says_that_it_cut() -> None:
    parts = [Part(f"вопрос {n}", result("batch_refresh_then_store", items=ranked(*range(1, 11)))) for n in range(20)]
    answer = write_answer("вопросы", parts)
    assert answer.cut and len(answer.text) < TEXT + 200
    assert answer.text.endswith("целиком он в полном результате (--json).")


def test_a_long_cell_is_shortened() -> None:
    items = [{"name": "очень " * 40, **money("amount", n)} for n in (1, 2)]
    answer = write_answer("Что", [Part("", result(items=items))])
    assert answer.tables[0] is not None and all(len(row[0]) == CELL and row[0].endswith("…") for row in answer.tables[0]["rows"])  # fmt: skip


def test_several_fragments_are_numbered_and_one_that_failed_leaves_the_others() -> None:
    parts = [Part("Остаток по 51", result(items=BALANCE)), Part("открой документ", result("live_mcp_drilldown", "error", errors=["сервер молчит"]))]  # fmt: skip
    answer = write_answer("Остаток по 51 и открой документ", parts)
    assert answer.status == "partial"
    assert answer.text.index("1. Остаток по 51") < answer.text.index("2. открой документ") < answer.text.index("сервер молчит")  # fmt: skip


@pytest.mark.parametrize(
    ("outcome", "says"),
    [
        ({"state": "fresh", "newer": False, "folder": "/s", "built": []}, ["Снимок перечитан: новее ничего нет."]),
        ({"state": "refreshed", "newer": False, "folder": "/s", "built": ["ranking/account/anomaly"]}, ["новее ничего нет", "Пересчитано перед ответом: рейтинг рисков по счетам."]),
        ({"state": "refreshed", "newer": True, "folder": "/s", "built": ["summary/company/anomaly"], "snapshot_id": "2020-07@1"}, ["Загружен новый снимок 2020-07@1.", "сводка рисков по компании"]),
        ({"state": "fresh", "newer": False, "folder": "", "built": []}, ["Папки снимка нет, отвечаем по загруженному."]),
    ],
)  # fmt: skip
def test_what_a_refresh_did_is_said(outcome: dict[str, Any], says: list[str]) -> None:
    answer = write_answer("Рейтинг", [Part("", result("batch_refresh_then_store", items=ranked(1, 2)), outcome)])
    assert [s for s in says if s not in answer.text] == []


def test_no_route_says_why() -> None:
    skipped = {**result("no_route", "empty"), "summary": {"skipped": True, "no_route_reason": "empty_question"}}
    assert write_answer("?", [Part("?", skipped)]).text == "The question is empty."
    skipped["summary"]["no_route_reason"] = "out_of_scope"
    assert "не о данных компании" in write_answer("Какая погода", [Part("", skipped)]).text


def test_broken_links_of_a_chain_are_told() -> None:
    gaps = [{"text": f"Реализация {n}: проводок нет"} for n in range(9)]
    items = [{"counterparty": n, "operations_count": 1, "relation_types": ["document→posting"]} for n in ("А", "Б")]
    answer = write_answer("Свяжи", [Part("", result("hybrid_store_plus_live", items=items, gaps=gaps, gaps_count=9))])
    assert "Разрывов связности: 9.\n- Реализация 0: проводок нет" in answer.text
    assert "документ→проводка" in answer.text


def test_a_drilled_object_shows_its_postings() -> None:
    posting = {"line": 1, "debit": "62.01", "credit": "90.01.1", **money("amount", 10702245), "content": "Реализация", "debit_analytics": [{"kind": "Контрагенты", "name": "Тихая гавань ООО"}]}  # fmt: skip
    item = {"guid": "dd71", "presentation": "Реализация 17 от 11.06.2020", "found_in": "live", "postings": [posting], **money("amount", 19206236)}  # fmt: skip
    answer = write_answer("Почему эта проводка", [Part("", result("live_mcp_drilldown", items=[item]))])
    assert "Реализация 17 от 11.06.2020, живая система." in answer.text
    assert "Тихая гавань ООО" in answer.text and "107\u00a0022,45" in answer.text and "62.01" in answer.text


@pytest.mark.parametrize("odd", ["2020-99-99", "2020-06-31T99:99", "", "--5.00", "1e400"])
def test_a_value_that_only_looks_like_a_date_or_sum_is_shown_as_it_is(odd: str) -> None:
    items = [{"period": odd, "amount": odd, "amount_kopecks": 1, "name": n} for n in ("a", "b")]
    assert odd in write_answer("Что", [Part("", result(items=items))]).text


def test_the_same_results_give_the_same_text_and_control_characters_never_pass() -> None:
    items = [{"name": "\x1b[31mred\x07\u202e", **money("amount", n)} for n in (1, 2)]
    one, two = (write_answer("Что", [Part("", result(items=items, errors=["a\nb\x00"]))]) for _ in range(2))
    assert one == two
    assert not set("\x1b\x07\x00\u202e") & set(one.text)


@pytest.mark.parametrize(
    ("statuses", "whole"),
    [
        (["ok"], "ok"), (["ok", "ok"], "ok"), (["ok", "empty"], "partial"), (["ok", "error"], "partial"), (["error", "empty"], "partial"), (["empty", "empty"], "empty"),
        (["error", "error"], "error"), (["partial", "ok"], "partial"),
    ],
)  # fmt: skip
def test_the_status_of_a_whole(statuses: list[str], whole: str) -> None:
    assert overall(statuses) == whole
