"""Spoiled questions: what people type, in both languages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.perturbations import PERTURBATIONS
from experiments.robustness import parity_pairs, robustness
from router.contracts import ROUTES
from router.question_router import QuestionRouter

CASES = [
    ("wrong_layout", "какие проводки", "rfrbt ghjdjlrb"),
    ("wrong_layout", "Остаток по счёту 62.01 на 30.06.2020?", "Jcnfnjr gj cx`ne 62.01 yf 30.06.2020&"),
    ("wrong_layout", "Show unpaid invoices?", "Ырщц гтзфшв штмщшсуы,"),
    ("transliterated", "Остаток по счёту 51", "Ostatok po schetu 51"),
    ("transliterated", "Show the balance", "Show the balance"),
    ("no_punctuation", "Остаток по счёту 62.01, на 30.06.2020?", "Остаток по счёту 62.01 на 30.06.2020"),
    ("no_punctuation", "Who posted it, and why?", "Who posted it and why"),
    ("lower_case", "Договоры ООО", "договоры ооо"),
    ("upper_case", "who paid", "WHO PAID"),
    ("yo_and_ye", "по счёту", "по счету"),
    ("yo_and_ye", "Счета по учету", "Счёта по учёту"),
    ("latin_lookalikes", "остаток товара", "ocтaтoк товара"),
    ("latin_lookalikes", "stock balance", "stock balance"),
    ("code_mix", "Рейтинг поставщиков по риску", "ranking supplier по risk"),
    ("code_mix", "Ranking of suppliers", "рейтинг of поставщики"),
    ("polite_preamble", "Какие акты подписаны?", "Добрый день! Подскажите, пожалуйста, какие акты подписаны?"),
    ("polite_preamble", "Which acts?", "Hello! Could you please tell me, which acts?"),
    ("trailing_noise", "Which acts?", "Which acts? thanks in advance!!! quite urgent 🙏"),
]


@pytest.mark.parametrize(("name", "text", "expected"), CASES)
def test_a_perturbation_does_what_its_name_says(name: str, text: str, expected: str) -> None:
    assert expected == PERTURBATIONS[name](text)


@pytest.mark.parametrize("text", ["Какие проводки по счёту 62.01", "Which postings belong to it"])
def test_a_typo_is_one_slip_in_one_word(text: str) -> None:
    spoiled = PERTURBATIONS["typo"](text)
    changed = [(a, b) for a, b in zip(text.split(), spoiled.split(), strict=True) if a != b]
    assert len(changed) == 1
    assert abs(len(changed[0][0]) - len(changed[0][1])) <= 1


@given(st.text(max_size=60))
def test_any_text_can_be_spoiled_and_comes_out_the_same_twice(text: str) -> None:
    for spoil in PERTURBATIONS.values():
        assert spoil(text) == spoil(text)


def test_every_issue_of_the_suite_is_measured_on_the_questions_it_changes(
    router: QuestionRouter, reference_store: dict[str, object]
) -> None:
    texts = ["Какие акты подписаны 9 июня?", "Which acts were signed on June 9?"]
    routes = [router.route(t, reference_store).route for t in texts]
    found = robustness(router, texts, routes, reference_store)
    assert {*PERTURBATIONS, "ru_en_parity"} == set(found)
    assert (1, 2) == (found["transliterated"]["questions"], found["upper_case"]["questions"])
    wrong = robustness(router, texts, ["no_route", "no_route"], reference_store)
    assert (2, 0) == (found["upper_case"]["kept"], wrong["upper_case"]["kept"])


def test_parity_pairs_are_forty_and_name_known_routes() -> None:
    pairs = parity_pairs()
    assert (40, 40) == (len(pairs), len({p["id"] for p in pairs}))
    assert {p["route"] for p in pairs} == set(ROUTES)
