"""Explanations add up, name the guard, and their smallest change really changes the route."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from router.explanation import explain
from router.question_router import QuestionRouter
from router.route_selector import GUARDS

QUESTIONS = (
    "Рейтинг кладовщиков по недостачам за июнь",
    "Остаток по кассе на 12 мая",
    "почему в накладной 45 от третьего счёт 44",
    "which payments settled which shipments",
    "Динамика возвратов по дням",
    "pokazhi ostatki po kasse",
    "сч/ф\u200b 144: ё\u0301лка 🙂 «Альфа» не бьётся, 12 500,00 руб",
    "Какая завтра погода",
)


@pytest.mark.parametrize("text", QUESTIONS)
def test_words_shape_and_bias_add_up_to_each_heads_log_odds(
    router: QuestionRouter, reference_store: dict[str, Any], text: str
) -> None:
    for head in explain(router, text, reference_store).heads:
        assert head.logit == pytest.approx(head.bias + head.shape + sum(w.value for w in head.words), abs=2e-3)


@pytest.mark.parametrize("text", QUESTIONS)
def test_word_spans_stand_in_the_raw_question(
    router: QuestionRouter, reference_store: dict[str, Any], text: str
) -> None:
    for head in explain(router, text, reference_store).heads:
        assert [text[w.start : w.end] for w in head.words] == [w.text for w in head.words]


@pytest.mark.parametrize("text", QUESTIONS)
def test_the_decision_is_the_routers_own_and_one_guard_decided(
    router: QuestionRouter, reference_store: dict[str, Any], text: str
) -> None:
    found = explain(router, text, reference_store)
    assert router.route(text, reference_store).log.to_json() == found.decision.log.to_json()
    assert [g.name for g in GUARDS] == [name for name, *_ in found.guards]
    decided = [name for name, _, _, decided in found.guards if decided]
    assert decided == ([] if found.decision.route == "no_route" else [found.decision.log.decided_by])


@pytest.mark.parametrize("text", QUESTIONS)
def test_every_smallest_change_names_another_route(
    router: QuestionRouter, reference_store: dict[str, Any], text: str
) -> None:
    found = explain(router, text, reference_store)
    assert found.flips
    assert all(flip.route != found.decision.route for flip in found.flips)


def test_the_store_fact_that_is_named_really_flips_the_route(
    router: QuestionRouter, reference_store: dict[str, Any]
) -> None:
    """A fresh company-level risk summary turns a batch into the feature store, as the explanation says."""
    text = "Сводный обзор ошибок по всем участкам учёта за июнь"
    flip = next(f for f in explain(router, text, reference_store).flips if f.kind == "store")
    assert flip.what == ("a fresh ready summary of anomaly at level company",)
    ready = copy.deepcopy(reference_store)
    ready["aggregates"].append({**ready["aggregates"][0], "level": "company"})
    assert (flip.route, router.route(text, ready).route) == ("store_feature_risk", "store_feature_risk")


@pytest.mark.parametrize("text", ["", "12345", "🙂"])
def test_an_unread_question_has_nothing_to_explain(
    router: QuestionRouter, reference_store: dict[str, Any], text: str
) -> None:
    found = explain(router, text, reference_store)
    assert (found.heads, found.guards, found.flips) == ((), (), ())


def test_json_of_an_explanation_can_be_written(router: QuestionRouter, reference_store: dict[str, Any]) -> None:
    import orjson

    found = orjson.loads(orjson.dumps(explain(router, QUESTIONS[0], reference_store).to_dict()))
    assert {"heads", "guards", "smallest_changes", "decision"} <= set(found)
