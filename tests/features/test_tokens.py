"""Canonical text to tokens."""

from __future__ import annotations

import pytest
from hypothesis import given
from question_strategies import questions

from features.normalisation import normalise
from features.tokens import TokenKind, token_spans, tokenise


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Счёт 62.01 на 30.06.2020", [("Счёт", "ru"), ("62.01", "code"), ("на", "ru"), ("30.06.2020", "date")]),
        ("balance on 51", [("balance", "en"), ("on", "en"), ("51", "number")]),
        # accounts
        ("90.02.1", [("90.02.1", "code")]),
        ("76.АВ", [("76.АВ", "code")]),
        ("76.ав", [("76.ав", "code")]),
        ("76.AB", [("76.AB", "code")]),
        ("62.01.", [("62.01", "code"), (".", "punct")]),
        ("60.01,62.01", [("60.01", "code"), (",", "punct"), ("62.01", "code")]),
        ("Дт62", [("Дт", "ru"), ("62", "number")]),
        ("76.авансы", [("76", "number"), (".", "punct"), ("авансы", "ru")]),
        # dates
        ("30/06/2020", [("30/06/2020", "date")]),
        ("1.6.20", [("1.6.20", "date")]),
        ("2020-06-30", [("2020-06-30", "date")]),
        ("10.06", [("10.06", "code")]),
        ("1-15", [("1", "number"), ("-", "punct"), ("15", "number")]),
        ("2018-2020", [("2018", "number"), ("-", "punct"), ("2020", "number")]),
        # numbers
        ("1 000 000,50", [("1 000 000,50", "number")]),
        ("1'000'000", [("1'000'000", "number")]),
        ("1,250,000.00", [("1,250,000.00", "number")]),
        ("12345.67", [("12345.67", "number")]),
        ("12 34", [("12", "number"), ("34", "number")]),
        ("20%", [("20", "number"), ("%", "mark")]),
        ("№45", [("№", "mark"), ("45", "number")]),
        # numbers of documents
        ("0000-000123", [("0000-000123", "docno")]),
        ("ООБП-000045", [("ООБП-000045", "docno")]),
        ("00ЦБ-000045", [("00ЦБ-000045", "docno")]),
        ("КС00-000809", [("КС00-000809", "docno")]),
        ("INV-00045", [("INV-00045", "docno")]),
        ("К-41", [("К", "ru"), ("-", "punct"), ("41", "number")]),
        ("5f0b7c1e-9a3d-11ea-80c1-00155d012345", [("5f0b7c1e-9a3d-11ea-80c1-00155d012345", "guid")]),
        # words
        ("сч/ф п/п", [("сч/ф", "ru"), ("п/п", "ru")]),
        ("сч/фактура", [("сч/фактура", "ru")]),
        ("и/или", [("и", "ru"), ("/", "punct"), ("или", "ru")]),
        ("счёт-фактура", [("счёт", "ru"), ("-", "punct"), ("фактура", "ru")]),
        ("supplier's", [("supplier's", "en")]),
        ("doesn't", [("does", "en"), ("n't", "en")]),
        ("НДС20", [("НДС", "ru"), ("20", "number")]),
        ("1С", [("1", "number"), ("С", "ru")]),
        ("שלום", [("שלום", "other")]),
        ("счетq", [("счетq", "mixed")]),
        ("a_b", [("a", "en"), ("_", "punct"), ("b", "en")]),
        ("🙂", [("🙂", "punct")]),
        ("", []),
        (" ", []),
    ],
)
def test_text_falls_into_tokens_of_their_kinds(text: str, tokens: list[tuple[str, TokenKind]]) -> None:
    assert tokens == [(t.text, t.kind) for t in tokenise(text)]


@pytest.mark.parametrize(
    ("word", "key", "kind"),
    [
        ("Счёт", "счет", "ru"),
        ("СЧЕТ", "счет", "ru"),
        ("Ёлка", "елка", "ru"),
        ("Balance", "balance", "en"),
        ("сч/ф", "счф", "ru"),
        ("Сч/Ф", "счф", "ru"),
        # Latin letters that look Cyrillic
        ("cчёт", "счет", "ru"),
        ("ОCTATOK", "остаток", "ru"),
        ("каcce", "кассе", "ru"),
        ("Oриона", "ориона", "ru"),
        # not look-alikes
        ("cost", "cost", "en"),
        ("счетq", "счетq", "mixed"),
        ("Straße", "straße", "other"),
    ],
)
def test_a_word_is_looked_up_in_small_letters_without_yo_and_in_one_script(
    word: str, key: str, kind: TokenKind
) -> None:
    assert [(key, kind)] == [(t.key, t.kind) for t in tokenise(word)]


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("doesn't match", ["does", "not", "match"]),
        ("isn't closed", ["is", "not", "closed"]),
        ("can't find", ["can", "not", "find"]),
        ("won't pay", ["will", "not", "pay"]),
        ("HASN'T", ["has", "not"]),
        ("don't", ["do", "not"]),
        ("n't", ["n't"]),
        ("the client's", ["the", "client's"]),
    ],
)
def test_an_english_negation_is_a_word_of_its_own(text: str, keys: list[str]) -> None:
    assert keys == [t.key for t in tokenise(text)]


@pytest.mark.parametrize(
    "text",
    [
        "5f0b7c1e-9a3d-11ea-80c1-00155d01234",
        "5f0b7c1e-9a3d-11ea-80c1-00155d0123456",
        "5f0b7c1e-9a3d-11ea-80c1",
        "5g0b7c1e-9a3d-11ea-80c1-00155d012345",
    ],
)
def test_what_is_almost_a_guid_is_neither_a_guid_nor_a_document_number(text: str) -> None:
    assert {"guid", "docno"}.isdisjoint(t.kind for t in tokenise(text))


@given(questions)
def test_tokens_cover_the_text_in_order_without_overlap(raw: str) -> None:
    """Each token is the text on its span, and between two tokens there are only spaces."""
    text = normalise(raw).text
    end = 0
    tokens = tokenise(text)
    for token, (start, stop) in zip(tokens, token_spans(text, tokens), strict=True):
        assert token.text == text[start:stop]
        assert token.text
        assert text[end:start].strip() == ""
        assert start >= end
        assert (start == end and start > 0) == token.glued
        end = stop
    assert text[end:].strip() == ""


@given(questions)
def test_a_key_keeps_no_capital_letter_and_no_yo(raw: str) -> None:
    words = [t for t in tokenise(normalise(raw).text) if t.kind in ("ru", "en", "mixed")]
    assert [t.key for t in words] == [t.key.lower().replace("ё", "е") for t in words]
