"""Sections 4 and 6: the canonical text, expansions, hints, anchors."""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

import pytest

from features.lemmas import Lemmatiser
from router.intent import IntentRouter
from router.intent.dictionary import Dictionary, DictionaryError
from router.intent.normalisation import normalise_query
from router.intent.query_plan import name_parts


def plan(router: IntentRouter, text: str, state: Any = None) -> dict[str, Any]:
    found: dict[str, Any] = router.decide(text, state).output["query_plan"]
    return found


@pytest.mark.parametrize(
    "text", ["  Где   UserService? ", "\ufeffкласс\u200b\n\n", "Cafe\u0301 `a  b`", "\ud800", "ВСЁ КАПСОМ"]
)
def test_raw_keeps_the_users_string_unchanged(intent_router: IntentRouter, text: str) -> None:
    assert text == plan(intent_router, text)["raw"]


@pytest.mark.parametrize(
    ("raw", "normalized"),
    [
        ("  где\t лежит \n\n UserService ?  ", "где лежит UserService ?"),
        ("where\u00a0is\u2003it", "where is it"),
        ("\ufeffкласс\u200b Foo", "класс Foo"),
        ("cafe\u0301", "café"),
        # case, paths, code, quotes and numbers stay
        ("Класс UserService в SRC\\App\\Main.py:42", "Класс UserService в SRC\\App\\Main.py:42"),
        ("`a  b`   и  «в  кавычках»", "`a  b` и «в  кавычках»"),
        ("```\ndef f():\n    return 1\n```   что  это", "```\ndef f():\n    return 1\n``` что это"),
        ('"docs/my  dir/a.md"  есть?', '"docs/my  dir/a.md" есть?'),
        ("don't   panic", "don't panic"),
        ("3.11.2   1 000,50", "3.11.2 1 000,50"),
        ("незакрытая «кавычка   и  всё", "незакрытая «кавычка и всё"),
        ("\ud800 x", "\ufffd x"),
        ("", ""),
    ],
)
def test_normalized_is_canonical_and_preserves_meaning(raw: str, normalized: str) -> None:
    assert normalized == normalise_query(raw)
    assert normalized == normalise_query(normalized)


def test_normalized_is_made_from_raw_alone() -> None:
    assert ["raw"] == list(inspect.signature(normalise_query).parameters)


def test_normalized_holds_no_expansions_synonyms_or_guessed_keywords(intent_router: IntentRouter) -> None:
    found = plan(intent_router, "какой метод в классе UserService падает?")
    assert "какой метод в классе UserService падает?" == found["normalized"]
    assert {"class", "method"} <= set(found["expansions"])
    assert not {"class", "method"} & set(found["normalized"].split())


def test_all_enrichment_lives_only_in_expansions_keyword_hints_and_anchors(intent_router: IntentRouter) -> None:
    text = "где в модуле UserService ловится исключение?"
    decision = intent_router.decide(text)
    found = decision.output["query_plan"]
    assert (text, text) == (found["raw"], found["normalized"])
    inferred = {"module", "exception", "user", "service"}
    assert inferred <= {*found["expansions"], *found["keyword_hints"]}
    rest = {k: v for k, v in decision.output.items() if k != "query_plan"}
    assert not [word for word in inferred if f'"{word}"' in json.dumps(rest)]


def test_anchors_are_extracted_from_the_query_and_from_the_conversation_state(intent_router: IntentRouter) -> None:
    state = {"active_intent": "CODE_QA", "turns": 1, "anchors": [{"type": "FILE_PATH", "value": "src/a.py", "turn": 1}]}
    found = plan(intent_router, "а что там делает load_all?", state)["anchors"]
    assert [("SYMBOL", "load_all", "function"), ("FILE_PATH", "src/a.py", "conversation")] == [
        (a["type"], a["value"], a["subtype"]) for a in found
    ]


@pytest.mark.parametrize(
    ("russian", "english"),
    [
        ("класс", ["class"]),
        ("метод", ["method"]),
        ("функция", ["function", "def"]),
        ("модуль", ["module"]),
        ("пакет", ["package"]),
        ("файл", ["file"]),
        ("тест", ["test", "unit test"]),
        ("юнит-тест", ["test", "unit test"]),
        # every inflection
        ("классами", ["class"]),
        ("методе", ["method"]),
        ("функциям", ["function", "def"]),
        ("модулей", ["module"]),
        ("пакету", ["package"]),
        ("файлах", ["file"]),
        ("теста", ["test", "unit test"]),
        ("юнит-тестов", ["test", "unit test"]),
    ],
)
def test_the_minimal_dictionary_is_supported_as_expansions(
    intent_router: IntentRouter, russian: str, english: list[str]
) -> None:
    found = plan(intent_router, f"где тут {russian} для платежей")
    assert english == [e for e in found["expansions"] if e in english]
    (anchor,) = found["anchors"]
    assert ("KEY_TERM", russian) == (anchor["type"], anchor["value"])


def test_the_mapping_goes_into_expansions_only(intent_router: IntentRouter) -> None:
    found = plan(intent_router, "почему исключение не ловится в обработчике")
    assert {"exception", "handler"} <= set(found["expansions"])
    assert not {"exception", "handler"} & {
        *found["normalized"].split(),
        *found["keyword_hints"],
        *(a["value"] for a in found["anchors"]),
    }


def test_a_users_dictionary_extends_the_shipped_one_in_all_inflections(
    intent_bundle_path: Path, tmp_path: Path
) -> None:
    from router.intent import load_intent_router

    extension = tmp_path / "words.json"
    extension.write_text(json.dumps({"words": {"витрина": ["mart"], "класс": ["type"]}}), "utf-8")
    router = load_intent_router(intent_bundle_path, dictionary=extension)
    assert "mart" in plan(router, "откуда берутся строки витрины?")["expansions"]
    assert ["class", "type"] == [e for e in plan(router, "какие тут классы")["expansions"] if e in ("class", "type")]
    assert "exception" in plan(router, "кто ловит исключения")["expansions"]


@pytest.mark.parametrize(
    "content", ["{", "[]", '{"words": []}', '{"words": {"витрина": []}}', '{"words": {"витрина": [1]}}']
)
def test_a_broken_dictionary_is_refused_by_name_with_the_shape_that_is_expected(tmp_path: Path, content: str) -> None:
    path = tmp_path / "words.json"
    path.write_text(content, "utf-8")
    with pytest.raises(DictionaryError, match=r"words\.json.*expected"):
        Dictionary.shipped(Lemmatiser(), path)


def test_the_required_terms_are_mandatory_keys_of_the_dictionary() -> None:
    shipped = Dictionary.shipped(Lemmatiser())
    for word, english in (("класс", ("class",)), ("функция", ("function", "def")), ("тест", ("test", "unit test"))):
        assert english == shipped.english(word)


def test_every_anchor_is_structured(intent_router: IntentRouter) -> None:
    for anchor in plan(intent_router, "метод Cart.total в shop/cart.py, см. раздел «Цены»")["anchors"]:
        assert ["type", "value", "subtype", "span", "confidence"] == list(anchor)
        assert ["start", "end"] == list(anchor["span"])
        assert 0 < anchor["confidence"] <= 1


@pytest.mark.parametrize(
    "path", ["src\\App\\MAIN.py", "./a/../b.py", "docs/Мой файл.md".replace(" ", "_"), "src/**/*.ts", "README.md"]
)
def test_file_path_value_keeps_the_path_as_in_the_query(intent_router: IntentRouter, path: str) -> None:
    (anchor,) = plan(intent_router, f"что лежит в {path}?")["anchors"]
    assert ("FILE_PATH", path) == (anchor["type"], anchor["value"])


@pytest.mark.parametrize(
    "symbol",
    ["UserService", "parse_query", "HTTPServer.doGet", "ns::Class::method", "Справочники.Контрагенты.НайтиПоКоду"],
)
def test_symbol_value_keeps_its_case_and_goes_into_hints_and_expansions(
    intent_router: IntentRouter, symbol: str
) -> None:
    found = plan(intent_router, f"что делает {symbol}?")
    assert [symbol] == [a["value"] for a in found["anchors"] if a["type"] == "SYMBOL"]
    assert symbol in found["keyword_hints"]
    assert symbol in found["expansions"]


def test_anchors_may_be_empty(intent_router: IntentRouter) -> None:
    assert [] == plan(intent_router, "как дела?")["anchors"]


def test_hints_hold_symbols_paths_and_terms_of_the_domain(intent_router: IntentRouter) -> None:
    hints = plan(intent_router, "почему миграция в db/init.sql роняет Orders.total, это PostgreSQL?")["keyword_hints"]
    assert {"db/init.sql", "Orders.total", "миграция", "PostgreSQL"} <= set(hints)


def test_an_identifier_is_taken_apart_for_expansions() -> None:
    assert ("user", "service", "load", "all") == name_parts("UserService.load_all")
    assert ("http", "server", "parse") == name_parts("HTTPServer::parse")


def test_lists_hold_nothing_twice(intent_router: IntentRouter) -> None:
    found = plan(intent_router, "класс Foo_bar, класс Foo_bar и a/b.py и a/b.py")
    for name in ("expansions", "keyword_hints"):
        assert len(found[name]) == len(set(found[name]))
