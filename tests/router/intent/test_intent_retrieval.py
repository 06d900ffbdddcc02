"""Sections 7 and 8: domains, layers, filters, evidence."""

from __future__ import annotations

from typing import Any

import pytest

from models.heads import INTENTS
from router.intent import IntentRouter
from router.intent.contract import DOMAINS, RERANK_PROFILES
from router.intent.retrieval import load_catalogue


def spec(router: IntentRouter, text: str, repo: Any = None, active: str | None = None) -> dict[str, Any]:
    found: dict[str, Any] = router.decide(text, {"active_intent": active} if active else None, repo).output[
        "retrieval_spec"
    ]
    return found


def test_code_qa_has_domain_code_and_profile_code() -> None:
    assert (("CODE",), "code") == (DOMAINS["CODE_QA"], RERANK_PROFILES["CODE_QA"])


def test_docs_qa_has_domain_docs_and_profile_docs() -> None:
    assert (("DOCS",), "docs") == (DOMAINS["DOCS_QA"], RERANK_PROFILES["DOCS_QA"])


def test_generate_docs_from_code_has_domain_code_and_profile_generate() -> None:
    assert (("CODE",), "generate") == (DOMAINS["GENERATE_DOCS_FROM_CODE"], RERANK_PROFILES["GENERATE_DOCS_FROM_CODE"])


def test_project_misc_has_both_domains_and_profile_project() -> None:
    assert (("CODE", "DOCS"), "project") == (DOMAINS["PROJECT_MISC"], RERANK_PROFILES["PROJECT_MISC"])


@pytest.mark.parametrize(
    ("intent", "text"),
    [
        ("CODE_QA", "где вызывается Cart.total?"),
        ("DOCS_QA", "что сказано в README про лимиты?"),
        ("GENERATE_DOCS_FROM_CODE", "напиши докстринги к Cart.total"),
        ("PROJECT_MISC", "когда релиз?"),
    ],
)
def test_the_spec_follows_the_intent_and_asks_only_layers_of_its_domains(
    intent_router: IntentRouter, intent: str, text: str
) -> None:
    found = spec(intent_router, text)
    catalogue = load_catalogue()
    assert list(DOMAINS[intent]) == found["domains"]
    assert RERANK_PROFILES[intent] == found["rerank_profile"]
    assert {catalogue.domain_of[q["layer_id"]] for q in found["layer_queries"]} <= set(DOMAINS[intent])
    assert all(q["top_k"] > 0 for q in found["layer_queries"])


def test_the_catalogue_describes_c0_to_c3_and_d1_to_d4() -> None:
    catalogue = load_catalogue()
    assert ["C0", "C1", "C2", "C3", "D1", "D2", "D3", "D4"] == catalogue.order
    assert all(len(layer["holds"]) > 20 for layer in catalogue.layers)
    assert set(INTENTS) == set(catalogue.base)


def test_only_layers_that_the_repository_has_are_asked(intent_router: IntentRouter) -> None:
    repo = {"available_layers": ["C1", "D2", "Z9"]}
    assert ["C1"] == [q["layer_id"] for q in spec(intent_router, "где вызывается Cart.total?", repo)["layer_queries"]]
    assert [] == spec(intent_router, "где вызывается Cart.total?", {"available_layers": []})["layer_queries"]
    missing = intent_router.decide("где вызывается Cart.total?", None, repo).details["diagnostics"]["missing_layers"]
    assert ["C2", "C3"] == missing


def test_if_a_file_path_is_found_path_scope_is_added(intent_router: IntentRouter) -> None:
    found = spec(intent_router, "что делает src/app/main.py:42 и каталог docs/?")
    assert ["src/app/main.py", "docs/"] == found["filters"]["path_scope"]
    assert ["src\\app\\x.cs", "src/app/x.cs"] == spec(intent_router, "зачем src\\app\\x.cs?")["filters"]["path_scope"]
    assert [] == spec(intent_router, "кто дежурит?")["filters"]["path_scope"]


def test_a_bare_file_name_is_found_in_the_structure_of_the_repository(intent_router: IntentRouter) -> None:
    for structure in (["src/a/cart.py", "src/b/other.py"], {"src": {"a": ["cart.py"], "b": {"other.py": None}}}):
        assert ["cart.py", "src/a/cart.py"] == [p.rstrip("/") for p in spec(intent_router, "что в cart.py?", {"structure": structure})["filters"]["path_scope"]]  # fmt: skip


@pytest.mark.parametrize(
    ("term", "layer"),
    [("классе", "C1"), ("методе", "C2"), ("модуле", "C0"), ("пакете", "C0"), ("файле", "C0"), ("тестах", "C2")],
)
def test_key_terms_choose_layers(intent_router: IntentRouter, term: str, layer: str) -> None:
    plain = {
        q["layer_id"]: q["top_k"]
        for q in spec(intent_router, "где считается скидка?", active="CODE_QA")["layer_queries"]
    }
    named = {
        q["layer_id"]: q["top_k"]
        for q in spec(intent_router, f"в каком {term} считается скидка?", active="CODE_QA")["layer_queries"]
    }
    assert named[layer] > plain.get(layer, 0)


def test_key_terms_set_expected_evidence(intent_router: IntentRouter) -> None:
    texts = {"напиши описание методов Cart": True, "напиши описание модуля cart": False}
    for text, flow in texts.items():
        evidence = intent_router.decide(text, {"active_intent": "GENERATE_DOCS_FROM_CODE"}).output["evidence_policy"]
        assert (True, flow) == (evidence["require_def"], evidence["require_flow"])


@pytest.mark.parametrize(
    ("text", "policy"),
    [
        ("где считается скидка?", "EXCLUDE"),
        ("что делает Contest.latest_version?", "EXCLUDE"),
        ("какие тесты есть на скидку?", "INCLUDE"),
        ("what do the unit tests check?", "INCLUDE"),
        ("зачем tests/test_cart.py::test_empty?", "INCLUDE"),
        ("почему CartServiceTest падает?", "INCLUDE"),
        ("какое покрытие у корзины?", "INCLUDE"),
    ],
)
def test_tests_are_excluded_unless_the_question_is_about_them(
    intent_router: IntentRouter, text: str, policy: str
) -> None:
    assert policy == spec(intent_router, text)["filters"]["test_policy"]


@pytest.mark.parametrize(
    ("text", "languages", "expected"),
    [
        ("где считается скидка?", ["Python", "Go"], ["Python", "Go"]),
        ("что в cart.py?", ["Go", "Python"], ["Python"]),
        ("что в cart.py?", [], ["python"]),
        ("что делает Справочники.Товары.НайтиПоКоду?", ["1C", "python"], ["1C"]),
        ("что в a.cpp и b.go?", ["c++"], ["c++", "go"]),
        ("где считается скидка?", None, []),
        ("где считается скидка?", "rust", ["rust"]),
    ],
)
def test_language_comes_from_anchors_and_else_from_the_repository(
    intent_router: IntentRouter, text: str, languages: Any, expected: list[str]
) -> None:
    assert expected == spec(intent_router, text, {"languages": languages})["filters"]["language"]


@pytest.mark.parametrize(
    "given", ["x", 5, [1], {"languages": 5, "available_layers": "C1", "structure": 7}, {"languages": ["a", 3, None]}]
)
def test_broken_context_has_defaults_and_is_named(intent_router: IntentRouter, given: Any) -> None:
    decision = intent_router.decide("где считается скидка?", given, given)
    assert decision.output["conversation_mode"] == "START"
    assert decision.details["diagnostics"]["input_problems"]


def test_a_broken_anchor_of_the_state_spoils_only_itself(intent_router: IntentRouter) -> None:
    state = {
        "active_intent": "CODE_QA",
        "turns": 1,
        "anchors": [{"type": "SYMBOL"}, 7, {"type": "NOPE", "value": "x"}, {"type": "SYMBOL", "value": "Good"}],
    }
    decision = intent_router.decide("а подробнее?", state)
    assert ["Good"] == [a["value"] for a in decision.output["query_plan"]["anchors"]]
    assert 3 == len(decision.details["diagnostics"]["input_problems"])
