"""The source's requirements, sentence by sentence; a test's name is the sentence."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from models.heads import INTENTS
from router.intent import GRAPH_IDS, IntentRouter
from router.intent.schema import IntentContractModel, contract_schema, published_schema

ROOT = Path(__file__).resolve().parents[3]

# One question an intent, in both languages.
EXAMPLES = {
    "CODE_QA": ("что делает метод Cart.total и кто его вызывает?", "where is the retry policy implemented?"),
    "DOCS_QA": ("что сказано в README про установку?", "what does section 3.2 of the guide say about limits?"),
    "GENERATE_DOCS_FROM_CODE": (
        "напиши докстринги для модуля billing",
        "write API reference for src/api/routes.py from the code",
    ),
    "PROJECT_MISC": ("кто отвечает за релиз на этой неделе?", "fix the typo in UserService and open a PR"),
}
ALL = [(intent, text) for intent, texts in EXAMPLES.items() for text in texts]
KEYS = {
    "": [
        "schema_version",
        "intent",
        "graph_id",
        "conversation_mode",
        "query_plan",
        "retrieval_spec",
        "evidence_policy",
    ],
    "query_plan": ["raw", "normalized", "expansions", "keyword_hints", "anchors"],
    "retrieval_spec": ["domains", "layer_queries", "filters", "rerank_profile"],
    "evidence_policy": ["require_def", "require_flow", "require_spec", "allow_answer_without_evidence"],
}


def output(router: IntentRouter, text: str, state: Any = None, repo: Any = None) -> dict[str, Any]:
    return router.decide(text, state, repo).output


# ── 1. Purpose ──


def test_the_router_takes_user_query_conversation_state_and_repo_context(intent_router: IntentRouter) -> None:
    found = output(
        intent_router,
        "а что делает метод total?",
        {"active_intent": "DOCS_QA", "turns": 1, "anchors": [{"type": "SYMBOL", "value": "Cart"}]},
        {"languages": ["go"], "structure": ["shop/cart.go"], "available_layers": ["C1", "C3"]},
    )
    assert ["go"] == found["retrieval_spec"]["filters"]["language"]
    assert {"C1", "C3"} >= {q["layer_id"] for q in found["retrieval_spec"]["layer_queries"]}
    assert "Cart" in [a["value"] for a in found["query_plan"]["anchors"]]


@pytest.mark.parametrize(("intent", "text"), ALL)
def test_the_router_returns_intent_graph_mode_plan_spec_and_policy_exactly_as_the_contract_gives_them(
    intent_router: IntentRouter, intent: str, text: str
) -> None:
    found = output(intent_router, text)
    assert (intent, GRAPH_IDS[intent]) == (found["intent"], found["graph_id"])
    assert KEYS[""] == list(found)
    for part in ("query_plan", "retrieval_spec", "evidence_policy"):
        assert KEYS[part] == list(found[part])
    assert ["test_policy", "path_scope", "language"] == list(found["retrieval_spec"]["filters"])


def test_the_router_does_no_retrieval_and_generates_no_answer() -> None:
    """Its modules import nothing that could fetch or generate: only data files, features, models and its own."""
    allowed = {"__future__", "collections", "dataclasses", "functools", "importlib", "math", "pathlib", "re", "sys", "typing", "unicodedata", "orjson", "pydantic", "features", "models", "router"}  # fmt: skip
    for file in (ROOT / "router" / "intent").glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            names = (
                [a.name for a in node.names]
                if isinstance(node, ast.Import)
                else [node.module or ""]
                if isinstance(node, ast.ImportFrom)
                else []
            )
            assert {n.split(".")[0] for n in names} <= allowed, file


# ── 2. Intents ──


def test_there_are_strictly_four_intents() -> None:
    assert ("CODE_QA", "DOCS_QA", "GENERATE_DOCS_FROM_CODE", "PROJECT_MISC") == INTENTS
    assert list(INTENTS) == contract_schema()["properties"]["intent"]["enum"]


@pytest.mark.parametrize(("intent", "text"), ALL)
def test_questions_on_code_on_docs_for_text_and_the_rest_get_their_intents(
    intent_router: IntentRouter, intent: str, text: str
) -> None:
    assert intent == output(intent_router, text)["intent"]


def test_each_intent_has_its_graph(intent_router: IntentRouter) -> None:
    assert {
        "CODE_QA": "CodeQAGraph",
        "DOCS_QA": "DocsQAGraph",
        "GENERATE_DOCS_FROM_CODE": "GenerateDocsFromCodeGraph",
        "PROJECT_MISC": "ProjectMiscGraph",
    } == GRAPH_IDS
    for intent, text in ALL:
        assert GRAPH_IDS[intent] == output(intent_router, text)["graph_id"]


# ── 5. Contract ──


def test_schema_version_is_1_1(intent_router: IntentRouter) -> None:
    assert output(intent_router, "привет")["schema_version"] == "1.1"


def test_the_published_schema_is_the_one_of_the_models() -> None:
    """Regenerate with ``python -m router.intent.schema``."""
    assert contract_schema() == published_schema()
    jsonschema.Draft202012Validator.check_schema(published_schema())


@pytest.mark.parametrize(("intent", "text"), ALL)
def test_the_contract_is_valid_by_the_published_schema_and_by_the_models(
    intent_router: IntentRouter, intent: str, text: str
) -> None:
    found = output(intent_router, text)
    jsonschema.validate(found, published_schema())
    assert intent == found["intent"]
    IntentContractModel.model_validate(found)


def test_the_example_of_the_source_is_valid() -> None:
    example = {
        "schema_version": "1.1", "intent": "CODE_QA", "graph_id": "CodeQAGraph", "conversation_mode": "CONTINUE",
        "query_plan": {"raw": "", "normalized": "", "expansions": [], "keyword_hints": [], "anchors": [{"type": "SYMBOL", "value": "x", "span": {"start": 0, "end": 0}, "confidence": 0.0}]},
        "retrieval_spec": {"domains": ["CODE", "DOCS"], "layer_queries": [{"layer_id": "C1", "top_k": 30}, {"layer_id": "C3", "top_k": 15}], "filters": {"test_policy": "EXCLUDE", "path_scope": [], "language": []}, "rerank_profile": "code"},
        "evidence_policy": {"require_def": False, "require_flow": False, "require_spec": False, "allow_answer_without_evidence": False},
    }  # fmt: skip
    jsonschema.validate(example, published_schema())


def test_a_key_beside_the_contract_is_refused_by_the_schema(intent_router: IntentRouter) -> None:
    found = output(intent_router, "привет")
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**found, "confidence": 0.9}, published_schema())


def test_everything_else_stands_beside_the_contract_never_inside(intent_router: IntentRouter) -> None:
    decision = intent_router.decide("что делает UserService?")
    details = decision.details
    assert {
        "decision_id",
        "bundle_digest",
        "policy_revision",
        "intent_probabilities",
        "mode_evidence",
        "contributions",
        "next_state",
        "diagnostics",
    } == set(details)
    assert not set(details) & set(decision.output)
    assert 1.0 == pytest.approx(sum(details["intent_probabilities"].values()), abs=1e-4)
    assert details["contributions"]
    json.dumps(details)


# ── 8. Evidence ──


@pytest.mark.parametrize(
    ("intent", "required"),
    [
        ("CODE_QA", {"require_def": True, "require_flow": True, "allow_answer_without_evidence": False}),
        ("DOCS_QA", {"require_spec": True, "allow_answer_without_evidence": False}),
        ("GENERATE_DOCS_FROM_CODE", {"require_def": True, "allow_answer_without_evidence": False}),
        ("PROJECT_MISC", {"allow_answer_without_evidence": True}),
    ],
)
def test_each_intent_requires_its_evidence(intent_router: IntentRouter, intent: str, required: dict[str, bool]) -> None:
    for text in EXAMPLES[intent]:
        assert required.items() <= output(intent_router, text)["evidence_policy"].items()


# ── 9. Always returned ──


@pytest.mark.parametrize("text", ["", " \n\t", "?", "🤷", "привет", "\x00", "\ud800", "а" * 9000, "класс"])
@pytest.mark.parametrize("state", [None, {}, {"active_intent": "DOCS_QA"}, {"active_intent": "nonsense"}, "broken"])
def test_every_mandatory_field_is_returned_for_any_input(intent_router: IntentRouter, text: str, state: Any) -> None:
    found = output(intent_router, text, state, "broken" if state == "broken" else None)
    for path in (
        "intent", "graph_id", "conversation_mode", "query_plan.raw", "query_plan.normalized", "query_plan.expansions", "query_plan.anchors",
        "retrieval_spec.domains", "retrieval_spec.layer_queries", "retrieval_spec.filters.test_policy", "retrieval_spec.rerank_profile",
        "evidence_policy.require_def", "evidence_policy.require_flow", "evidence_policy.require_spec", "evidence_policy.allow_answer_without_evidence",
    ):  # fmt: skip
        value: Any = found
        for key in path.split("."):
            value = value[key]
        assert value is not None
    assert text == found["query_plan"]["raw"]


def test_a_query_that_is_no_text_is_the_callers_mistake(intent_router: IntentRouter) -> None:
    with pytest.raises(TypeError, match="a query is a str, not NoneType"):
        intent_router.decide(None)  # type: ignore[arg-type]


def test_a_hostile_query_is_cut_visibly(intent_router: IntentRouter) -> None:
    diagnostics = intent_router.decide("a/" * 50_000).details["diagnostics"]
    assert (100_000, 4000, True) == (
        diagnostics["query_length"],
        diagnostics["analysed_length"],
        diagnostics["truncated"],
    )
