"""What holds for every input: the schema, and that nothing inferred enters the canonical text."""

from __future__ import annotations

import unicodedata
from typing import Any

import jsonschema
from hypothesis import HealthCheck, given, settings
from intent_strategies import EXAMPLES, anything, queries, repos, states

from router.intent import IntentRouter
from router.intent.normalisation import normalise_query
from router.intent.schema import published_schema

_SETTINGS = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
_VALIDATOR = jsonschema.Draft202012Validator(published_schema())


@_SETTINGS
@given(query=queries, state=states, repo=repos)
def test_every_input_gives_a_contract_that_the_published_schema_accepts(
    intent_router: IntentRouter, query: str, state: Any, repo: Any
) -> None:
    decision = intent_router.decide(query, state, repo)
    _VALIDATOR.validate(decision.output)
    plan = decision.output["query_plan"]
    assert query == plan["raw"]
    for anchor in plan["anchors"]:
        span = anchor["span"]
        assert (span == {"start": 0, "end": 0} and anchor["subtype"] == "conversation") or query[
            span["start"] : span["end"]
        ] == anchor["value"]


@settings(_SETTINGS, max_examples=300)
@given(query=queries, state=anything, repo=anything)
def test_any_json_at_all_as_state_and_repository_is_answered_the_same_twice(
    intent_router: IntentRouter, query: str, state: Any, repo: Any
) -> None:
    first, second = (intent_router.decide(query, state, repo) for _ in range(2))
    assert first.output == second.output
    assert first.next_state == second.next_state
    assert first.decision_id == second.decision_id
    _VALIDATOR.validate(intent_router.decide("а подробнее?", first.next_state, repo).output)


def _visible(text: str) -> str:
    """Letters, marks and signs of a text, without white space and what has no width: by Unicode's own categories."""
    composed = unicodedata.normalize(
        "NFC",
        "".join(
            "\ufffd" if unicodedata.category(c) == "Cs" else c
            for c in text
            if unicodedata.category(c) not in ("Cf", "Cc") or c.isspace()
        ),
    )
    return "".join(c for c in composed if not c.isspace() and unicodedata.category(c) not in ("Cf", "Cc"))


@_SETTINGS
@given(query=queries, state=states, repo=repos)
def test_nothing_inferred_ever_enters_normalized(
    intent_router: IntentRouter, query: str, state: Any, repo: Any
) -> None:
    normalized = intent_router.decide(query, state, repo).output["query_plan"]["normalized"]
    assert _visible(query) == _visible(normalized)
    assert normalise_query(query) == normalized


@_SETTINGS
@given(query=queries)
def test_normalized_is_deterministic_and_idempotent(query: str) -> None:
    once = normalise_query(query)
    assert once == normalise_query(query)
    assert once == normalise_query(once)
