"""Keeping an intent or leaving it: a logistic regression with a limit."""

from __future__ import annotations

from math import exp

import pytest

from models.turn_policy import TurnPolicy, keep_features, likeliest_other

CODE, DOCS = "CODE_QA", "DOCS_QA"
#          own classes            leans  turn heads
LOGITS = [2.0, 0.0, -1.0, -1.0, 0.5, 1.0, 3.0, 0.0, -2.0]


def test_margins_are_of_the_active_intent_over_the_best_of_the_rest() -> None:
    found = keep_features(LOGITS, CODE, ["follow"])
    assert found["own_margin"] == pytest.approx(2.0)
    assert found["turn_margin"] == pytest.approx(-2.0)
    assert (0.5, 1.0, 0.5, 1.0) == (found["leans"], found["active:CODE_QA"], found["leans&CODE_QA"], found["follow"])


def test_probability_is_the_logistic_of_bias_and_weighted_features() -> None:
    policy = TurnPolicy({"bias": 0.25, "weights": {"own_margin": 0.5, "turn_margin": 1.0, "follow": 2.0}, "limit": 0.5})
    kept = policy.judge(LOGITS, CODE, ["follow"])
    assert kept.probability == pytest.approx(1 / (1 + exp(-(0.25 + 1.0 - 2.0 + 2.0))))
    assert kept.keeps
    assert sum(kept.contributions.values()) == pytest.approx(1.0)


@pytest.mark.parametrize(("limit", "keeps"), [(0.5, True), (0.51, False)])
def test_the_limit_itself_keeps(limit: float, keeps: bool) -> None:
    assert keeps == TurnPolicy({"bias": 0.0, "weights": {}, "limit": limit}).judge(LOGITS, CODE, []).keeps


def test_what_is_left_for_is_never_the_active_intent() -> None:
    assert likeliest_other(LOGITS, CODE) == DOCS
    assert likeliest_other(LOGITS, DOCS) == CODE


def test_an_unknown_cue_moves_nothing() -> None:
    policy = TurnPolicy({"bias": 0.0, "weights": {}, "limit": 0.5})
    assert policy.judge(LOGITS, CODE, ["never seen"]).probability == 0.5
