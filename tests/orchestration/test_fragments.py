"""Which questions are cut, and where; and which only look compound. Russian and English side by side."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orchestration.fragments import MOST_FRAGMENTS, split_fragments

CUT = [
    "Топ контрагентов по риску | открой документ № 0000-000123",
    "Остаток по счёту 51 на 30.06.2020 | оборот по счёту 60 за июнь",
    "Покажи остаток по счёту 51 | найди документ № 17 | построй динамику выручки",
    "сколько реализаций за июнь | сколько поступлений",
    "Покажи документы ООО «Вектор» за июнь | остаток по счету 60",
    "Остаток по счёту 51 на 30.06? | Какие договоры у Альфы?",
    "Какие реализации были 15 июня | кто нам должен по счёту 62?",
    "Покажи реализации Альфы | покажи поступления Вектора",
    "Динамика выручки по неделям | топ контрагентов по долгу",
    "Список договоров Вектора | динамика кредиторской задолженности за июнь",
    "Открой поступление № 0000-000042 | раскрой реализацию № 0000-000017",
    "Рейтинг риск-счетов | рейтинг риск-контрагентов",
    "Сколько у нас поставщиков? | Сколько покупателей?",
    "Покажи дубли поступлений от Вектора | посчитай остаток по счёту 10",
    "Какой остаток на счёте 51 | какие платёжные поручения ушли Вектору за июнь?",
    "Свяжи документы покупателей и проводки | покажи остаток по счёту 62.01",
    "Проверь авансы по счёту 62.02 | выведи документы без договора за июнь",
    "Полный риск-срез за июнь | открой документ № 0000-000132",
    "Где отрицательные остатки по счёту 10? | Есть ли дубли поступлений?",
    "остаток по кассе | список реализаций за 10 июня",
    "Найди реализацию № 0000-000020 | посчитай выручку за июнь",
    "Сальдо по счёту 60.01 | сальдо по счёту 62.01",
    "Почему выросли расходы в июне? | Кто из поставщиков выставил больше счетов?",
    "Какие налоговые риски за июнь | какие договоры у контрагента Кедр",
    "покажи остатки на складе | выведи сотрудников",
    "Посмотри подозрительное по авансам. | Выведи остаток по счёту 51",
    "Show sales in June | open document № 0000-000017",
    "Balance of account 51 | top 5 debtors",
    "What is the balance of account 60? | Which contracts does Alpha have?",
    "List payment orders to Vector | show the turnover of account 51",
    "How many sales in June | how many purchases?",
    "Rank accounts by risk | open document № 0000-000123",
    "Show duplicate purchases | show overdue receivables",
    "Trend of revenue by week | top customers by debt",
    "Which invoices are missing? | Which advances are not offset?",
    "Find document № 0000-000042 | list postings of account 26",
    "Show the balance of account 62 | compare revenue of May and June",
    "List contracts of suppliers | count purchases for June 10",
    "Company anomaly summary | open document № 0000-000132",
    "Who owes us by account 62.01? | Who do we owe by account 60.01?",
]  # fmt: skip
"""Fragments are parted by a bar; how they are joined is below."""

JOINED = [
    (" и ", " and "), (" а также ", " as well as "), (", затем ", ", then "), (" и ещё ", " and also "), (". ", ". "), ("; ", "; "), ("\n", "\n"),
]  # fmt: skip

WHOLE = [
    "Найди документ по номеру 0000-000123 и дай его ссылку",
    "остаток и оборот по счёту 51",
    "Свяжи документы покупателей и проводки",
    "Свяжи контрагентов, договоры и проводки",
    "Остатки по счетам 51 и 62",
    "Остаток по счёту 51 и 52 на 30.06.2020",
    "Сравни выручку мая и июня",
    "Сравни обороты с 1 по 10 июня и с 15 по 20 июня",
    "Динамика выручки и расходов по неделям",
    "сколько реализаций и поступлений за июнь",
    "Кто должен и сколько",
    "Какие документы без договора и без контрагента",
    "откуда в накладной 217 от девятого июня счёт 44, покажи проводки",
    "по каким складам больше всего пересорта, хочу понять кого проверять",
    "какими платежами закрыты июньские отгрузки и по каким договорам",
    "Здравствуйте! Покажи остаток по счёту 51.",
    "Скажи, сколько реализаций за июнь",
    "Покажи, какие документы Вектора проведены 10 июня",
    "Проверь, есть ли дубли поступлений",
    "Объясни, почему по документу № 17 выбран счёт 26",
    "Открой документы № 17 и № 18",
    "Выведи контрагентов вместе с их договорами",
    "Объясни через движения, как оплаты поставщикам связаны с поступлениями",
    "Проверь, пожалуйста, всё ли там сходится",
    "Раскрой цепочку документ → проводки → субконто для поступления № 0000-000042",
    "Что не так с НДС и авансами?",
    "Покажи реализации и поступления Альфы за июнь",
    "Документы Вектора и Альфы за июнь",
    "Почему именно эта проводка и откуда это субконто?",
    "Какие авансы покупателей не зачтены по счёту 62.02 и почему?",
    "Остаток по счёту 51. Срочно!",
    "Покажи документ № 0000-000017 и его проводки",
    "Найди поступление № 42 от 19.06.2020 и объясни проводки",
    "У нас проблема с Вектором. Покажи поступления за июнь.",
    "Топ контрагентов по долгу и по риску",
    "Сколько мы должны поставщикам и кому именно",
    "Покажи договор с ООО «Рога и копыта»",
    "Открой документ № 0000-000017 и покажи, что там с НДС",
    "Find document № 0000-000123 and give its link",
    "balance and turnover of account 51",
    "Link documents of customers and postings",
    "Balances of accounts 51 and 62",
    "Compare revenue of May and June",
    "Which invoices are missing and why?",
    "How many sales and purchases in June",
    "Show the document № 0000-000017 and its postings",
    "Who owes us and how much",
    "Hello! Show the balance of account 51.",
    "Trend of revenue and expenses by week",
    "Are the overdue balances of our distributors growing week by week?",
    "Show documents of Vector and Alpha for June",
    "Explain why account 26 stands in document № 17",
    "Top customers by debt and by risk",
    "Company anomaly summary",
]  # fmt: skip


def joined(parts: list[str], russian: str, english: str) -> str:
    cyrillic = any("а" <= c <= "я" for c in parts[0].lower())
    joint = russian if cyrillic else english
    if joint.strip() in (".", ";", ""):
        return joint.join(p if i == 0 else p[0].upper() + p[1:] for i, p in enumerate(parts))
    return joint.join(p.rstrip("?.") if i < len(parts) - 1 else p for i, p in enumerate(parts))


CASES = [(case, JOINED[(n + k) % len(JOINED)]) for n, case in enumerate(CUT) for k in (0, 3)]


@pytest.mark.parametrize(("case", "joint"), CASES, ids=[f"{c[:40]}{j[0]!r}" for c, j in CASES])
def test_several_asks_are_cut(case: str, joint: tuple[str, str]) -> None:
    parts = case.split(" | ")
    if any(p.rstrip().endswith(("?", ".")) for p in parts[:-1]):
        joint = (" ", " ")
        question = " ".join(parts)
    else:
        question = joined(parts, *joint)
    found = split_fragments(question)
    assert [f.text.rstrip("?.").lower() for f in found] == [p.rstrip("?.").lower() for p in parts]
    assert [f.id for f in found] == [f"F{n}" for n in range(1, len(parts) + 1)]


@pytest.mark.parametrize("question", WHOLE)
def test_what_only_looks_compound_stays_whole(question: str) -> None:
    assert [f.text for f in split_fragments(question)] == [question.strip(" .")]


def test_benchmark_questions_stay_whole(benchmark_questions: list[dict[str, str]]) -> None:
    assert [q["text"] for q in benchmark_questions if len(split_fragments(q["text"])) != 1] == []


def test_numbered_lists_are_cut_and_lose_their_numbers() -> None:
    question = "1) остаток по счёту 51\n2) топ контрагентов по долгу\n3) открой документ № 0000-000017"
    assert [f.text for f in split_fragments(question)] == [
        "остаток по счёту 51",
        "топ контрагентов по долгу",
        "открой документ № 0000-000017",
    ]


def test_an_empty_question_has_no_fragment() -> None:
    assert split_fragments("  \n ") == ()


def test_many_asks_are_bounded() -> None:
    question = "; ".join(
        f"Покажи остаток по счёту {account}" for account in (10, 19, 20, 26, 41, 44, 50, 51, 60, 62, 68)
    )
    found = split_fragments(question)
    assert len(found) == MOST_FRAGMENTS
    assert found[-1].text.endswith("68")


@given(
    st.lists(
        st.sampled_from(
            [
                "и",
                "а",
                ",",
                ".",
                "?",
                "№",
                "51",
                "17",
                "Покажи",
                "остаток",
                "счёту",
                "документ",
                "Вектор",
                "and",
                "show",
                "balance",
                "\n",
                ";",
                "топ",
                "риск",
                "его",
                "10.06.2020",
                "«",
            ]
        ),
        max_size=30,
    )
)
@settings(max_examples=200, deadline=None)
def test_fragments_are_pieces_of_the_question_in_order(words: list[str]) -> None:
    """Nothing is invented or said twice: each fragment is what stands at its span, and spans do not overlap."""
    question = " ".join(words)
    found = split_fragments(question)
    assert all(question[f.start : f.end] == f.text for f in found)
    assert all(a.end <= b.start for a, b in pairwise(found))
