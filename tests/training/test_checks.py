"""Every kind of fault in labelled data is found, at its file and line, and sound data is left alone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from training.checks import DataReport, Minima, check_data, count, language
from training.dataset import DatasetError, parse_example

ANY_AMOUNT = Minima(questions=0, a_class=0, a_flag=0, english_or_mixed=0.0, other_period=0.0)


def fact(text: str, **changes: Any) -> dict[str, Any]:
    """A line with the labels of a plain fact."""
    labels = {"question_class": "simple_factual", "flags": [], "route": "store_canonical", "author": "a01"}
    return {"id": text, "text": text, **labels, **changes}


def write(file: Path, lines: Sequence[dict[str, Any] | str]) -> Path:
    written = [line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines]
    file.write_text("\n".join(written), "utf-8")
    return file


def check(tmp_path: Path, lines: Sequence[dict[str, Any] | str], held: Sequence[str] = ()) -> DataReport:
    data = write(tmp_path / "data.jsonl", lines)
    held_out = write(tmp_path / "held.jsonl", [{"text": text} for text in held])
    return check_data(data, [held_out], ANY_AMOUNT)


def found(report: DataReport) -> list[tuple[str, str, str]]:
    """(level, code, file:line without the folder)."""
    return [(f.level, f.code, f.where.rpartition("/")[2]) for f in report.findings]


SOUND = [
    fact("Остаток сахара на складе"),
    fact("Кто подписал отчёт о сверке", id="2"),
    fact("Показать журнал операций", id="3", flags=["needs_runtime_truth"], route="hybrid_store_plus_live"),
    fact("Which bank do we use", id="4"),
]


def test_sound_data_has_no_findings(tmp_path: Path) -> None:
    report = check(tmp_path, SOUND, ["Рейтинг покупателей по выручке"])
    assert [] == found(report)
    assert ["Остаток сахара на складе", "2", "3", "4"] == [e.id for e in report.examples]
    assert [] == report.alike


@pytest.mark.parametrize(
    ("line", "code", "says"),
    [
        ("{", "schema", "not JSON"),
        ("[]", "schema", "a list, not an object"),
        (fact("Долг", flags=["needs_truth"]), "schema", "flags.0"),
        (fact("Долг", question_class="fact"), "schema", "question_class"),
        (fact("Долг", extra=1), "schema", "extra"),
        (fact("Долг", flags=["needs_causal_chain"]), "fact-is-plain", "flags needs_causal_chain"),
        (fact("Долг", question_class="cross_entity"), "link-needs-join", "cross_entity"),
        (fact("Долг", route="store_feature_risk"), "route", "labels lead to store_canonical"),
        (fact("Долг", route="store"), "route", "the line says store"),
        (fact("Долг", other_period=True), "route", "labels lead to hybrid_store_plus_live"),
        (fact("Долг", id="2"), "same-id", "data.jsonl:2"),
        (fact("Кто «подписал» ОТЧЕТ  о сверке?"), "duplicate", "data.jsonl:2"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_fault_of_one_line_is_an_error_at_that_line(tmp_path: Path, line: Any, code: str, says: str) -> None:
    report = check(tmp_path, [*SOUND, "", line])
    assert [("error", code, "data.jsonl:6")] == found(report)
    assert says in report.findings[0].message
    assert report.findings[0].fix
    assert report.findings == report.errors


def test_a_line_that_cannot_be_read_does_not_hide_the_others(tmp_path: Path) -> None:
    report = check(tmp_path, ["{", SOUND[0], fact("Долг", route="no_route")])
    assert [("error", "schema", "data.jsonl:1"), ("error", "route", "data.jsonl:3")] == found(report)
    assert ["Остаток сахара на складе", "Долг"] == [e.text for e in report.examples]


def test_data_of_unreadable_lines_only_is_findings_not_a_failure(tmp_path: Path) -> None:
    assert [("error", "schema", "data.jsonl:1"), ("error", "schema", "data.jsonl:2")] == found(
        check(tmp_path, ["{", "}"], ["Остаток по кассе"])
    )


def test_a_line_that_breaks_two_rules_is_told_both(tmp_path: Path) -> None:
    line = fact("Долг", flags=["needs_causal_chain", "needs_ranking"], route="batch_refresh_then_store")
    assert [("error", "heavy-only", "data.jsonl:1"), ("error", "fact-is-plain", "data.jsonl:1")] == found(
        check(tmp_path, [line])
    )


def test_faults_are_found_across_the_files_of_a_folder(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", [SOUND[0], SOUND[1]])
    write(tmp_path / "b.jsonl", [SOUND[2], fact("остаток сахара на складе!", id="2")])
    report = check_data(tmp_path, (), ANY_AMOUNT)
    assert [("error", "same-id", "b.jsonl:2"), ("error", "duplicate", "b.jsonl:2")] == found(report)
    assert [f"id 2 stands at {tmp_path}/a.jsonl:2 too", f"the same question as {tmp_path}/a.jsonl:1"] == [
        f.message for f in report.findings
    ]


def test_an_empty_folder_is_an_error_of_its_own(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"no \*\.jsonl here"):
        check_data(tmp_path)


@pytest.mark.parametrize(
    ("text", "twin"),
    [
        ("Остаток сахара на складе", "Остатки сахара на складах"),
        ("Акты сверки с покупателями", "С покупателем акты сверки, акт сверки с покупателем"),
        # ten words make 21 features, one changed word changes three: 18 / 21 = 0.857
        (
            "склад касса цена заказ сахар мука соль чай кофе рис",
            "склад касса цена заказ сахар мука соль хлеб кофе рис",
        ),
    ],
    ids=["inflected", "inflected and repeated", "one word of ten"],
)
def test_nearly_the_same_question_is_a_warning_at_the_later_line(tmp_path: Path, text: str, twin: str) -> None:
    report = check(tmp_path, [fact(text), *SOUND[1:], fact(twin)])
    assert [("warning", "near-duplicate", "data.jsonl:5")] == found(report)
    assert f"{tmp_path}/data.jsonl:1: {text}" in report.findings[0].message
    assert [] == report.errors
    assert [(0, 4)] == report.alike


@pytest.mark.parametrize(
    ("text", "neighbour"),
    [
        # nine words make 19 features, one changed word changes three: 16 / 19 = 0.842
        ("склад касса цена заказ сахар мука соль чай кофе", "склад касса цена заказ сахар мука соль хлеб кофе"),
        ("Остаток сахара на складе", "Остаток муки на складе"),
        ("Кто подписал акт сверки", "Когда подписали акт сверки"),
    ],
)
def test_a_question_with_a_word_of_its_own_is_no_near_duplicate(tmp_path: Path, text: str, neighbour: str) -> None:
    report = check(tmp_path, [fact(text), fact(neighbour)])
    assert [] == found(report)
    assert [] == report.alike


def test_rewordings_of_one_group_are_meant_and_still_kept_in_one_fold(tmp_path: Path) -> None:
    lines = [fact("Остаток сахара на складе", group="g1"), fact("Остатки сахара на складах", group="g1")]
    report = check(tmp_path, lines)
    assert [] == found(report)
    assert [(0, 1)] == report.alike
    assert [("warning", "near-duplicate", "data.jsonl:2")] == found(
        check(tmp_path, [lines[0], lines[1] | {"group": "g2"}])
    )


OF_ONE_PATTERN = [fact(f"Остаток по счёту {account} на конец дня", group="g1") for account in (51, 60, 62, 41, 10)]


@pytest.mark.parametrize(
    ("questions", "places"),
    [(3, []), (4, ["data.jsonl:4"]), (5, ["data.jsonl:4", "data.jsonl:5"])],
    ids=["three", "four", "five"],
)
def test_the_fourth_question_of_one_pattern_is_an_error(tmp_path: Path, questions: int, places: list[str]) -> None:
    """Only the account differs, so they differ in nothing that a router learns."""
    report = check(tmp_path, OF_ONE_PATTERN[:questions])
    assert [("error", "pattern", place) for place in places] == found(report)
    assert all("<account>" in f.message for f in report.findings)


def test_names_dates_and_numbers_are_one_pattern_and_words_are_not(tmp_path: Path) -> None:
    """Three share a pattern; the fourth has a word of its own."""
    texts = ["Счёт 51 за июнь", "Счёт 62 за май", "Счета 60 за 10.06.2020", "Карточка счёта 62 за июнь"]
    assert [] == found(check(tmp_path, [fact(text, group="g1") for text in texts]))
    texts[3] = "счету 41 за 2019 год"
    assert [("error", "pattern", "data.jsonl:4")] == found(check(tmp_path, [fact(text, group="g1") for text in texts]))


HELD = [
    "Какие документы реализации проведены 15 июня 2020?",
    "Рейтинг покупателей по выручке",
    "Документы без договора за июнь",
    "Overdue debts of customers",
    "Покажи все склады",
]


@pytest.mark.parametrize(
    ("text", "held_line"),
    [
        ("Какие документы реализации проведены 15 июня 2020?", 1),
        ("15 июня 2020 проведены какие документы реализации", 1),
        ("какой документ реализации проведён 15 июня 2020", 1),
        ("Какие документы реализации проведены в мае 2019", 1),
        ("по выручке рейтинг покупателя", 2),
        ("Покажи, пожалуйста, рейтинг наших покупателей по выручке", 2),
        ("Ranking of customers by revenue", 2),
        ("Show customers ranking by revenue for 2019", 2),
        ("Documents without a contract for June", 3),
        ("Просроченная задолженность покупателей", 4),
    ],
    ids=[
        "word for word",
        "in another order",
        "inflected",
        "of another period",
        "inflected, in another order",
        "asked politely",
        "translated",
        "translated, in another order, of another period",
        "translated, of the same period",
        "translated from English",
    ],
)
def test_a_held_out_question_in_other_words_is_a_leak(tmp_path: Path, text: str, held_line: int) -> None:
    report = check(tmp_path, [*SOUND, fact(text)], HELD)
    assert [("error", "leak", "data.jsonl:5")] == found(report)
    assert f"held-out {tmp_path}/held.jsonl:{held_line}: {HELD[held_line - 1]}" in report.findings[0].message


@pytest.mark.parametrize(
    "text",
    [
        "Рейтинг поставщиков по числу договоров",
        "Выручка по кассе за 15 июня 2020",
        "Какие договоры заключены 15 июня 2020",
        "Документы, которые не подписал директор, за июнь",
        "Ranking of warehouses by stock",
        "Ranking of customers by revenue forecast",
        "Which warehouse is it",
        "За июнь 2020",
    ],
)
def test_an_innocent_neighbour_is_no_leak(tmp_path: Path, text: str) -> None:
    """It shares a period, a class or a word or two with held-out questions, and asks for something else."""
    assert [] == found(check(tmp_path, [fact(text)], HELD))


@pytest.mark.parametrize(
    ("held", "text", "leaks"),
    [
        ("склад касса цена", "мука склад касса", True),  # two of three: 0.667
        ("склад касса цена заказ", "сахар мука цена заказ", False),  # two of four: 0.5
        ("склад касса цена заказ сахар", "мука соль цена заказ сахар", False),  # three of five: 0.6
        ("Покажи, пожалуйста, какой у нас аванс", "Покажи, пожалуйста, какой у нас долг", False),  # none of one
        ("аванс", "Покажи мне, пожалуйста, какой у нас там аванс", True),  # one of one
    ],
)
def test_two_of_three_words_in_common_are_a_leak_and_words_of_any_request_do_not_count(
    tmp_path: Path, held: str, text: str, leaks: bool
) -> None:
    assert ([("error", "leak", "data.jsonl:1")] if leaks else []) == found(check(tmp_path, [fact(text)], [held]))


@pytest.mark.parametrize("closest", [1, 2, 3])
def test_of_several_held_out_questions_the_closest_is_named(tmp_path: Path, closest: int) -> None:
    held = ["склад касса цена", "склад касса заказ"]
    held.insert(closest - 1, "склад касса цена заказ")
    report = check(tmp_path, [fact("заказ цена касса склад")], held)
    assert [f"1.00 alike to held-out {tmp_path}/held.jsonl:{closest}: склад касса цена заказ"] == [
        f.message for f in report.findings
    ]


def test_without_held_out_files_nothing_leaks(tmp_path: Path) -> None:
    assert [] == found(check(tmp_path, [fact(HELD[1])]))


THREE = [
    fact("Остаток сахара на складе"),
    fact("Which bank do we use", other_period=True, route="hybrid_store_plus_live"),
    fact("Кто начальник склада", question_class="out_of_scope", route="no_route"),
]


@pytest.mark.parametrize(
    ("wanted", "messages"),
    [
        ({}, []),
        ({"questions": 3}, []),
        ({"questions": 4}, ["3 questions, at least 4 are wanted"]),
        (
            {"a_class": 1},
            [
                f"0 questions of class {c}, at least 1 are wanted"
                for c in ("drilldown_explain", "cross_entity", "trend_anomaly", "heavy_analytical", "ambiguous")
            ],
        ),
        ({"english_or_mixed": 1 / 3}, []),
        ({"english_or_mixed": 0.5}, ["1 English or mixed questions, at least 2 are wanted"]),
        ({"other_period": 1 / 3}, []),
        ({"other_period": 0.34}, ["1 questions of another period, at least 2 are wanted"]),
    ],
    ids=str,
)
def test_too_few_of_anything_is_a_warning_with_both_numbers(
    tmp_path: Path, wanted: dict[str, Any], messages: list[str]
) -> None:
    data = write(tmp_path / "data.jsonl", THREE)
    report = check_data(data, (), Minima(**(vars(ANY_AMOUNT) | wanted)))
    expected = [("warning", "balance", str(data), message) for message in messages]
    assert expected == [(f.level, f.code, f.where, f.message) for f in report.findings]


def test_too_few_of_a_flag_is_a_warning_that_names_it(tmp_path: Path) -> None:
    data = write(tmp_path / "data.jsonl", [fact("Долг", flags=["freshness_sensitive"])])
    report = check_data(data, (), Minima(**(vars(ANY_AMOUNT) | {"a_flag": 1})))
    named = {f.message.removeprefix("0 positives of ").partition(",")[0] for f in report.findings}
    assert 9 == len(report.findings) == len(named)
    assert "needs_ranking" in named
    assert "freshness_sensitive" not in named


def test_counts_are_by_class_flag_route_language_and_author() -> None:
    lines = [
        *THREE,
        fact("Итог в USD", author="a02", flags=["freshness_sensitive"], group="g1"),
        fact("Сумма в USD", author="a02", group="g1"),
        fact("Сальдо", author="a02", group="g2"),
    ]
    counts = count([parse_example(json.dumps(line).encode(), "a.jsonl", n) for n, line in enumerate(lines, 1)])
    assert {"simple_factual": 5, "out_of_scope": 1} == {c: n for c, n in counts.pop("classes").items() if n}
    assert {"freshness_sensitive": 1} == {f: n for f, n in counts.pop("flags").items() if n}
    assert {
        "questions": 6,
        "authors": 2,
        "routes": {"hybrid_store_plus_live": 1, "no_route": 1, "store_canonical": 4},
        "languages": {"en": 1, "mixed": 2, "ru": 3},
        "other_period": 1,
        "groups": 1,
    } == counts


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Остаток по кассе", "ru"),
        ("Cash balance", "en"),
        ("Остаток в USD", "mixed"),
        ("Остаток в $ за Q2", "ru"),
        ("VAT за Q2", "en"),
        ("51?", "ru"),
    ],
)
def test_the_language_is_that_of_words_of_three_letters_and_more(text: str, expected: str) -> None:
    assert expected == language(text)
