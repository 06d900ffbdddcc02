"""Flags: on the benchmark's questions, on plain cases of each kind, and what each key of parsed_intent moves."""

from __future__ import annotations

from typing import Any

import pytest

from models.heads import LEARNED_FLAGS
from router.contracts import FLAG_NAMES
from router.query_classifier import classify_query_for_route
from router.question_router import QuestionRouter

HEAVY = ("needs_full_period_aggregation", "needs_ranking", "needs_anomaly_summary")


def flags_of(
    router: QuestionRouter, store: dict[str, Any], text: str, intent: dict[str, Any] | None = None
) -> dict[str, bool]:
    return router.route(text, store, intent).flags


def test_benchmark_routes_all_match(
    router: QuestionRouter, reference_store: dict[str, Any], benchmark_questions: list[dict[str, Any]]
) -> None:
    chosen = {
        q["question_id"]: router.route(q["text"], reference_store, q["parsed_intent"]).route
        for q in benchmark_questions
    }
    assert {q["question_id"]: q["expected_route"] for q in benchmark_questions} == chosen


def test_benchmark_flags_agree_but_for_few(
    router: QuestionRouter, reference_store: dict[str, Any], benchmark_questions: list[dict[str, Any]]
) -> None:
    """Of 350 flags at least 95 % are as labelled; routes above are exact."""
    wrong = [
        (q["question_id"], flag)
        for q in benchmark_questions
        for flag in LEARNED_FLAGS
        if flags_of(router, reference_store, q["text"], q["parsed_intent"])[flag] != q["flags"][flag]
    ]
    assert len(wrong) <= 17, wrong


@pytest.mark.parametrize(
    ("text", "true", "false"),
    [
        ("Рейтинг кладовщиков по недостачам за июнь", ("needs_ranking", "needs_full_period_aggregation", "parsed_as_trend_or_risk"), ("needs_exact_object_trace",)),
        ("Сводный обзор ошибок по всем участкам учёта", ("needs_anomaly_summary", "needs_full_period_aggregation"), ("needs_ranking", "needs_exact_object_trace")),
        ("top ten customers by overdue debt", ("needs_ranking",), ("needs_exact_object_trace", "needs_cross_entity_join")),
        ("Покажи цепочку по накладной № 0000-000555", ("needs_exact_object_trace", "needs_causal_chain", "needs_runtime_truth"), HEAVY),
        ("Почему в этой проводке счёт 44?", ("needs_exact_object_trace", "needs_causal_chain", "needs_runtime_truth"), HEAVY),
        ("trace this entry back to its source document", ("needs_exact_object_trace", "needs_runtime_truth"), HEAVY),
        ("Какими проводками отражены возвраты покупателей?", ("needs_cross_entity_join", "needs_causal_chain"), ("needs_exact_object_trace", *HEAVY)),
        ("Link write-offs, warehouses and postings", ("needs_cross_entity_join", "needs_causal_chain"), ("needs_exact_object_trace", *HEAVY)),
        ("Динамика расходов на рекламу по дням", ("parsed_as_trend_or_risk",), ("needs_exact_object_trace", "needs_cross_entity_join", *HEAVY)),
        ("Сколько денег в кассе на сегодня", ("freshness_sensitive",), ("needs_exact_object_trace", "needs_ranking")),
    ],
)  # fmt: skip
def test_flags_of_plain_questions(
    router: QuestionRouter, reference_store: dict[str, Any], text: str, true: tuple[str, ...], false: tuple[str, ...]
) -> None:
    found = flags_of(router, reference_store, text)
    assert dict.fromkeys(true, True) | dict.fromkeys(false, False) == {f: found[f] for f in (*true, *false)}


@pytest.mark.usefixtures("bundle_path")
def test_the_function_of_the_source_gives_all_twelve_flags(reference_store: dict[str, Any]) -> None:
    flags = classify_query_for_route("Остаток по кассе", {}, reference_store)
    assert set(FLAG_NAMES) == set(flags.to_dict())
    assert flags.store_sufficiency_confident


def test_class_with_confidence_moves_the_class_head_and_through_it_flags(
    router: QuestionRouter, reference_store: dict[str, Any]
) -> None:
    text = "Долги покупателей за июнь"
    plain = router.route(text, reference_store).log
    told = router.route(text, reference_store, {"parsed_class": "heavy_analytical", "confidence": 0.95}).log
    assert told.class_probabilities["heavy_analytical"] > plain.class_probabilities["heavy_analytical"]
    assert (
        told.flag_probabilities["needs_full_period_aggregation"]
        > plain.flag_probabilities["needs_full_period_aggregation"]
    )


def test_a_class_without_confidence_moves_nothing(router: QuestionRouter, reference_store: dict[str, Any]) -> None:
    text = "Долги покупателей за июнь"
    plain, told = (
        router.route(text, reference_store),
        router.route(text, reference_store, {"parsed_class": "heavy_analytical"}),
    )
    assert plain.flag_probabilities == told.flag_probabilities


def test_an_object_moves_the_trace_flag(router: QuestionRouter, reference_store: dict[str, Any]) -> None:
    text = "Почему здесь такая сумма?"
    plain = router.route(text, reference_store).flag_probabilities
    pinned = router.route(
        text, reference_store, {"objects": [{"kind": "posting", "document_number": "0000-000901", "line_number": 3}]}
    ).flag_probabilities
    assert pinned["needs_exact_object_trace"] > plain["needs_exact_object_trace"]
    assert pinned["needs_runtime_truth"] > plain["needs_runtime_truth"]


def test_a_period_wins_over_the_words_and_moves_store_confidence(
    router: QuestionRouter, reference_store: dict[str, Any]
) -> None:
    text = "Остаток по кассе за июнь"
    plain = router.route(text, reference_store)
    told = router.route(text, reference_store, {"period": {"start": "2020-05-01", "end": "2020-05-31"}})
    assert (True, False) == (plain.flags["store_sufficiency_confident"], told.flags["store_sufficiency_confident"])
    assert told.log.scope["periods"] == [["2020-05-01", "2020-05-31"]]
    assert (plain.route, told.route) == ("store_canonical", "hybrid_store_plus_live")


def test_entity_kinds_set_the_level_and_so_whether_an_aggregate_is_ready(
    router: QuestionRouter, reference_store: dict[str, Any]
) -> None:
    text = "Сводка аномалий за июнь"
    company = router.route(text, reference_store)
    posting = router.route(text, reference_store, {"entity_kinds": ["posting"]})
    assert (company.log.scope["levels"], posting.log.scope["levels"]) == (["company"], ["posting"])
    assert (company.route, posting.route) == ("batch_refresh_then_store", "store_feature_risk")


def test_unknown_keys_are_kept_in_the_log_and_move_nothing(
    router: QuestionRouter, reference_store: dict[str, Any]
) -> None:
    intent = {"sentiment": "angry", "trace": {"id": 7}}
    plain, told = (
        router.route("Остаток по кассе", reference_store),
        router.route("Остаток по кассе", reference_store, intent),
    )
    assert told.log.parsed_intent == intent
    assert plain.flag_probabilities == told.flag_probabilities


@pytest.mark.parametrize(
    ("intent", "word"),
    [
        ({"parsed_class": "weather"}, "parsed_class"),
        ({"parsed_class": "ambiguous", "confidence": 7}, "confidence"),
        ({"period": "soon"}, "period"),
        ({"objects": "all"}, "objects"),
        ({"entity_kinds": [1]}, "entity_kinds"),
        ("text", "parsed_intent"),
    ],
)
def test_a_malformed_key_is_left_out_and_named(
    router: QuestionRouter, reference_store: dict[str, Any], intent: Any, word: str
) -> None:
    decision = router.route("Остаток по кассе", reference_store, intent)
    assert decision.route == "store_canonical"
    assert word in " ".join(decision.log.parsed_intent_problems)
