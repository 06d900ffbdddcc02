"""Concepts: which words mean what, and the word lists of the rules."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.analysis import Analyser
from features.lemmas import Lemmatiser
from features.lexicon import Concept, Hit, Lexicon, lexicon_words, load_lexicon
from features.tokens import tokenise
from features.wordlists import word_list

LEXICONS = Path(__file__).resolve().parents[2] / "data" / "lexicons"
CONCEPTS: list[dict[str, Any]] = json.loads((LEXICONS / "concepts.json").read_text("utf-8"))["concepts"]
WORD_LISTS: dict[str, dict[str, Any]] = json.loads((LEXICONS / "wordlists.json").read_text("utf-8"))["lists"]


def concepts_of(analyser: Analyser, text: str) -> set[str]:
    analysis = analyser.analyse(text)
    return {analysis.concept_ids[hit.concept] for hit in analysis.hits}


@pytest.mark.parametrize("entry", CONCEPTS, ids=lambda e: e["id"])
def test_every_concept_stands_in_its_own_example(analyser: Analyser, entry: dict[str, Any]) -> None:
    assert entry["id"] in concepts_of(analyser, entry["example"])


@pytest.mark.parametrize("entry", CONCEPTS, ids=lambda e: e["id"])
def test_every_phrase_of_a_concept_means_the_concept(analyser: Analyser, entry: dict[str, Any]) -> None:
    phrases = [*entry["ru"], *entry["en"]]
    assert phrases == [p for p in phrases if entry["id"] in concepts_of(analyser, p)]


@pytest.mark.parametrize("name", WORD_LISTS)
def test_a_word_of_every_list_stands_in_its_example(name: str) -> None:
    tokens = tokenise(WORD_LISTS[name]["example"].lower())
    lemmatiser = Lemmatiser()
    words = {t.key for t in tokens} | {lemmatiser.lemma(t.key, t.kind) for t in tokens}
    if name == "period_prefixes_ru":
        words = {word[:3] for word in words}
    assert words & word_list(name)


def test_a_list_that_is_not_there_is_an_error() -> None:
    with pytest.raises(KeyError):
        word_list("no_such_list")


@pytest.mark.parametrize(
    ("text", "concepts", "absent"),
    [
        ("остатки по каждому складу", {"balance", "each", "warehouse"}, {"trend"}),
        ("balance of each warehouse", {"balance", "each", "warehouse"}, {"trend"}),
        ("почему не закрыли аванс", {"why", "unclosed", "advance"}, {"overdue"}),
        ("why the advance isn't closed", {"why", "unclosed", "advance"}, {"overdue"}),
        ("касса не бьётся с банком", {"gap", "money"}, {"overdue"}),
        ("cash doesn't match the bank", {"gap", "money"}, {"fine"}),
        ("какой проводкой отразили", {"posting", "reflect"}, {"account"}),
        ("топ должников", {"rank", "counterparty"}, {"debt"}),
        ("top debtors", {"rank", "counterparty"}, {"debt"}),
        ("откуда взялась сумма", {"source", "count"}, {"why"}),
        ("where does the amount come from", {"source", "count"}, {"why"}),
        ("счёт-фактура без подписи", {"invoice", "missing"}, {"bill"}),
        ("сч/ф без подписи", {"invoice", "missing"}, {"bill"}),
        ("списание с расчётного счёта", {"bank_out"}, {"bank_in"}),
        ("как провести возврат", {"howto", "correction_doc"}, {"chitchat"}),
        ("how do I post a return", {"howto", "command"}, {"chitchat"}),
        ("прямо в 1С", {"onec"}, {"law"}),
        ("accountable person", {"employee"}, {"account"}),
        ("balance of account 51", {"balance", "account"}, {"accountable"}),
        ("accounting error", {"error"}, {"account", "accountable"}),
        ("customs duty", set(), {"counterparty"}),
        ("is everything good", set(), {"item"}),
        ("goods in the warehouse", {"item", "warehouse"}, {"fine"}),
        ("почему счёт не закрыт", {"why", "account", "unclosed"}, set()),
        ("погода", {"chitchat"}, {"balance"}),
        ("", set(), {"balance"}),
    ],
)
def test_a_question_is_about_what_a_person_reads_in_it(
    analyser: Analyser, text: str, concepts: set[str], absent: set[str]
) -> None:
    found = concepts_of(analyser, text)
    assert concepts <= found, found
    assert set() == absent & found


@pytest.fixture(scope="module")
def small() -> Lexicon:
    concepts = [Concept(name, "cue", None) for name in ("invoice", "account", "chart")]
    return Lexicon(concepts, {"счет": [(("фактура",), 0), ((), 1)], "план": [(("счет",), 2)]})


@pytest.mark.parametrize(
    ("lemmas", "hits"),
    [
        (["счет"], [Hit(1, 0, 0)]),
        (["счет", "фактура"], [Hit(0, 0, 1), Hit(1, 0, 0)]),
        (["счет", "-", "фактура"], [Hit(0, 0, 2), Hit(1, 0, 0)]),
        (["план", "счет", "фактура"], [Hit(2, 0, 1), Hit(0, 1, 2), Hit(1, 1, 1)]),
        (["счет", ",", "фактура"], [Hit(1, 0, 0)]),
        (["план"], []),
        (["счет", "-"], [Hit(1, 0, 0)]),
        (["фактура"], []),
        ([], []),
    ],
)
def test_phrases_are_found_by_position_over_a_hyphen_and_may_overlap(
    small: Lexicon, lemmas: list[str], hits: list[Hit]
) -> None:
    assert hits == small.match(lemmas)


def test_the_words_of_a_lexicon_are_those_of_its_phrases(small: Lexicon) -> None:
    assert {"счет", "фактура", "план"} == small.words()


def test_every_lemma_of_the_shipped_phrases_is_a_lemma_of_its_words(analyser: Analyser) -> None:
    assert {analyser.lemmatiser.lemma(key, kind) for key, kind in lexicon_words()} == analyser.lexicon.words()


def test_concepts_are_named_once_and_their_groups_are_known() -> None:
    lexicon = load_lexicon(Lemmatiser())
    assert len(lexicon.concepts) == len(lexicon.number)
    assert {"entity_kind", "document_kind", "measure", "cue"} == {c.group for c in lexicon.concepts}
    assert {c.id for c in lexicon.concepts} == {lexicon.concepts[n].id for n in lexicon.number.values()}


def test_only_document_kinds_have_a_1c_type() -> None:
    assert {"document_kind"} == {c.group for c in load_lexicon(Lemmatiser()).concepts if c.document_type}


lemmas_of_phrases = st.lists(st.sampled_from(["счет", "фактура", "-", "план", "сумма"]), max_size=12)


@given(lemmas_of_phrases)
def test_a_hit_spells_its_phrase(lemmas: list[str]) -> None:
    """Every hit is one of the phrases, and every place where a phrase stands is a hit."""
    phrases = {("счет", "фактура"): 0, ("счет",): 1, ("план", "счет"): 2}
    concepts = [Concept(str(n), "cue", None) for n in range(3)]
    lexicon = Lexicon(concepts, {"счет": [(("фактура",), 0), ((), 1)], "план": [(("счет",), 2)]})
    expected = {
        (number, i)
        for i in range(len(lemmas))
        for phrase, number in phrases.items()
        if re.match(" (?:- )?".join(phrase) + "(?: |$)", " ".join(lemmas[i:]))
    }
    hits = lexicon.match(lemmas)
    assert expected == {(hit.concept, hit.first) for hit in hits}
    assert all(phrases[tuple(w for w in lemmas[h.first : h.last + 1] if w != "-")] == h.concept for h in hits)
