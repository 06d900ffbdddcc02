"""The record of a decision: complete, deterministic, and true to the route."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from typing import Any

import orjson
import pytest

from models.bundle import load_bundle
from router.contracts import FLAG_NAMES, ROUTES
from router.decision_log import EXECUTION_MODES
from router.question_router import QuestionRouter

SECTION_10 = [
    "question_id",
    "question_text",
    "parsed_class",
    "decision_flags",
    "sufficiency_snapshot",
    "candidate_routes",
    "rejected_routes",
    "chosen_route",
    "execution_mode",
    "batch_job_id",
]
QUESTIONS = (
    "Какие акты подписаны 9 июня?",
    "Рейтинг кладовщиков по недостачам",
    "Покажи движения по накладной № 0000-000555",
    "Which payments settled which shipments?",
    "Динамика возвратов по дням",
    "Какая завтра погода",
    "",
    "1234 5678",
)


@pytest.fixture(params=QUESTIONS, ids=lambda q: q[:20] or "empty")
def decision(request: pytest.FixtureRequest, router: QuestionRouter, reference_store: dict[str, Any]) -> Any:
    return router.route(request.param, reference_store, question_id="T1")


def test_the_record_begins_with_the_fields_of_section_10(decision: Any) -> None:
    assert SECTION_10 == list(decision.log.to_dict())[:10]


def test_every_route_but_the_chosen_one_is_rejected_with_a_reason_and_its_evidence(decision: Any) -> None:
    others = set(ROUTES) - {decision.route}
    assert others == set(decision.log.rejected_routes) == set(decision.log.rejection_evidence)
    assert all(decision.log.rejected_routes.values())
    assert all(decision.log.rejection_evidence.values())


def test_the_record_names_bundle_guards_and_store(decision: Any, router: QuestionRouter) -> None:
    assert decision.log.bundle_digest == router.bundle.digest
    assert decision.log.guard_revision
    assert decision.log.store_version
    assert EXECUTION_MODES[decision.route] == decision.log.execution_mode


def test_a_record_is_one_line_of_json_that_reads_back_the_same(decision: Any) -> None:
    line = decision.log.to_json()
    assert b"\n" not in line
    assert decision.log.to_dict() == orjson.loads(line)


@pytest.mark.parametrize("text", QUESTIONS)
def test_the_same_decision_has_the_same_id_and_bytes(
    router: QuestionRouter, bundle_path: Any, reference_store: dict[str, Any], text: str
) -> None:
    """Also with another router over the same bundle and an equal copy of the metadata."""
    again = QuestionRouter(load_bundle(bundle_path)).route(text, copy.deepcopy(reference_store))
    assert router.route(text, reference_store).log.to_json() == again.log.to_json()


def test_the_id_moves_with_question_store_and_bundle(router: QuestionRouter, reference_store: dict[str, Any]) -> None:
    text = "Остаток по кассе на 12 июня"
    first = router.route(text, reference_store).log.decision_id
    other_store = copy.deepcopy(reference_store)
    other_store["stores"]["canonical"]["run_id"] = "canonical-0002"
    other_bundle = QuestionRouter(replace(router.bundle, digest="0" * 64))
    ids = {
        first,
        router.route(text + "?", reference_store).log.decision_id,
        router.route(text, other_store).log.decision_id,
        other_bundle.route(text, reference_store).log.decision_id,
    }
    assert len(ids) == 4


def test_probabilities_of_routes_sum_to_one(router: QuestionRouter, reference_store: dict[str, Any]) -> None:
    for text in QUESTIONS:
        assert sum(router.route(text, reference_store).route_probabilities.values()) == pytest.approx(1, abs=1e-4)


def test_a_heavy_question_says_which_aggregate_is_missing(
    router: QuestionRouter, reference_store: dict[str, Any]
) -> None:
    log = router.route("Рейтинг кладовщиков по недостачам", reference_store).log
    assert log.rejected_routes["store_feature_risk"] == "aggregate_not_sufficient"
    assert "no ready ranking" in log.rejection_evidence["store_feature_risk"]
    assert log.rejected_routes["store_canonical"] == "wrong_query_shape"


def test_under_the_learned_limit_a_store_route_gives_way_to_the_fallback(
    router: QuestionRouter, reference_store: dict[str, Any]
) -> None:
    """The limit replaces store routes only; live, batch and refusal stay."""
    strict = QuestionRouter(replace(router.bundle, limits={**router.bundle.limits, "route_probability": 1.1}))
    for text in QUESTIONS:
        usual, careful = router.route(text, reference_store), strict.route(text, reference_store)
        if usual.route in ("store_canonical", "store_feature_risk"):
            assert (careful.route, careful.log.decided_by) == ("hybrid_store_plus_live", "fallback_low_confidence")
            assert careful.log.rejected_routes[usual.route] == "low_confidence"
        else:
            assert usual.route == careful.route


def test_a_flag_inside_its_uncertain_band_closes_the_stores(
    router: QuestionRouter, reference_store: dict[str, Any]
) -> None:
    text = "Какие акты подписаны 9 июня?"
    p = router.route(text, reference_store).flag_probabilities["needs_runtime_truth"]
    unsure = QuestionRouter(
        replace(
            router.bundle,
            limits={**router.bundle.limits, "uncertain_bands": {"needs_runtime_truth": [p - 0.01, p + 0.01]}},
        )
    )
    decision = unsure.route(text, reference_store)
    assert (decision.route, decision.log.uncertain_flags) == ("hybrid_store_plus_live", ["needs_runtime_truth"])
    assert "uncertain_flag" in decision.log.sufficiency_snapshot["reason_codes"]


def test_the_output_object_has_all_twelve_flags(router: QuestionRouter, reference_store: dict[str, Any]) -> None:
    found = json.loads(orjson.dumps(router.route("Остаток по кассе", reference_store).to_dict()))
    assert set(FLAG_NAMES) == set(found["flags"])
    assert list(found) == [
        "question_id",
        "route",
        "question_class",
        "flags",
        "flag_probabilities",
        "route_probabilities",
        "no_route_reason",
        "decision",
    ]
