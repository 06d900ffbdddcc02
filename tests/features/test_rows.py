"""A question as the names of its features."""

from __future__ import annotations

import pytest
from hypothesis import given
from question_strategies import questions

from features.analysis import Analyser, Analysis
from features.lemmas import Lemmatiser
from features.rows import MASKS, char_features, char_ngrams, cue_features, pattern, word_features

READER = Analyser(Lemmatiser())
GUID = "5f0b7c1e-9a3d-11ea-80c1-00155d012345"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Остатки по счёту 51 за июнь", "остаток по счет <account> за <period>"),
        ("balance of account 51 in June 2020", "balanc of account <account> in <period>"),
        ("почему реализация №45 не проведена", "почему реализация <docno> не провести"),
        ("why isn't invoice 144 posted", "whi be not invoic <docno> post"),
        ("долг ООО «Торговый дом Восход»", "долг ооо <name>"),
        ("owed by Orion Trading", "owe by <name>"),
        ("аванс на 1 000 000,50 руб.", "аванс на <amount>"),
        ("$500 to Orion", "<amount> to <name>"),
        (f"документ {GUID}", "документ <guid>"),
        ("топ 10 клиентов", "топ <number> клиент"),
        ("top 10 customers", "top <number> custom"),
        ("с 1 по 15 июня, Дт 62 — Кт 90?", "<period> дт <account> кт <account>"),
        ("с 1 по 15 июня", "<period>"),
        ("??? 🙂", ""),
        ("", ""),
    ],
)
def test_names_dates_and_numbers_leave_their_kind_behind(analyser: Analyser, text: str, expected: str) -> None:
    assert expected.split() == pattern(analyser.analyse(text))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("остаток по счёту 51 за июнь", "остатки по счетам 62.01 за 2 квартал прошлого года"),
        ("долг ООО «Каравай» на 30.06.2020", "долги ООО «Торговый дом Восход» на 15 июня"),
        ("why is invoice 144 unpaid", "why is invoice INV-00045 unpaid"),
        ("payments to Orion in June", "payments to Sever-Trans in Q2 2019"),
        ("расчёты по счёту 51", "расчеты по cчету 60"),
    ],
)
def test_questions_that_differ_in_names_and_dates_have_the_same_words(analyser: Analyser, one: str, other: str) -> None:
    assert sorted(word_features(analyser.analyse(one))) == sorted(word_features(analyser.analyse(other)))


@pytest.mark.parametrize(
    ("text", "features"),
    [
        ("остаток по кассе", ["остаток", "по", "касса", "^ остаток", "остаток по", "по касса", "касса $"]),
        ("касса", ["касса", "^ касса", "касса $"]),
        ("касса касса", ["касса", "касса", "^ касса", "касса касса", "касса $"]),
        ("за июнь", ["за", "<period>", "^ за", "за <period>", "<period> $"]),
        ("", ["^ $"]),
    ],
)
def test_words_are_lemmas_and_pairs_of_neighbours(analyser: Analyser, text: str, features: list[str]) -> None:
    assert features == word_features(analyser.analyse(text))


def test_character_features_are_all_short_pieces_of_a_padded_word() -> None:
    word = " ндс "
    sizes = {len(gram) for gram in char_ngrams("ндс")}
    assert [word[i : i + n] for n in sorted(sizes) for i in range(len(word) - n + 1)] == list(char_ngrams("ндс"))
    assert 2 == min(sizes)
    assert max(sizes) < len(word)


def test_a_long_word_gives_no_more_pieces_than_one_of_forty_letters() -> None:
    assert char_ngrams("я" * 40) == char_ngrams("я" * 4000)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("остаток", "остатка"),
        ("счёт", "счет"),
        ("cчет", "счет"),
        ("ОСТАТОК", "остаток"),
    ],
)
def test_forms_of_a_word_share_pieces(analyser: Analyser, one: str, other: str) -> None:
    assert set(char_features(analyser.analyse(one))) & set(char_features(analyser.analyse(other)))


@pytest.mark.parametrize("text", ["62.01", "30.06.2020", "ООО «Каравай»", "за июнь 2020"])
def test_names_dates_and_numbers_give_no_pieces(analyser: Analyser, text: str) -> None:
    pieces = set(char_features(analyser.analyse(text)))
    assert pieces <= {gram for word in ("ооо", "за") for gram in char_ngrams(word)}


@pytest.mark.parametrize(
    ("text", "there", "absent"),
    [
        # concepts and their pairs
        (
            "почему остаток по складу",
            {"why", "balance", "warehouse", "balance&why", "balance&warehouse"},
            {"why&balance"},
        ),
        ("why the balance", {"why", "balance", "balance&why"}, {"count"}),
        ("остаток на счёте 51 за июнь", {"has:account", "has:period", "balance&has:period"}, {"no-mention"}),
        # one named thing against a kind
        ("контрагент Альфа", {"named:counterparty", "has:counterparty"}, {"counterparty"}),
        ("контрагенты", {"counterparty"}, {"named:counterparty", "has:counterparty"}),
        ("supplier Orion", {"named:counterparty"}, {"counterparty"}),
        ("счёт 62", {"named:account"}, {"account"}),
        ("реализация 45", {"named:sale", "pinned"}, {"sale"}),
        # what pins the question to one object
        (f"документ {GUID}", {"pinned", "has:guid"}, {"many:guid"}),
        ("откуда эта проводка", {"pinned", "pointing:проводка", "has:pointing"}, {"many:pointing"}),
        ("why this entry", {"pinned", "pointing:entri"}, {"many:pointing"}),
        ("проводки за июнь", {"has:period"}, {"pinned"}),
        # periods
        ("за июнь", {"period:months"}, {"period:dates"}),
        ("на 30.06.2020", {"period:dates"}, {"period:months"}),
        ("прошлый год", {"period:relative"}, {"period:year"}),
        ("last year", {"period:relative"}, {"period:year"}),
        ("июнь против мая", {"many:period", "period:months"}, {"many:account"}),
        ("с 60 на 62", {"many:account"}, {"many:period"}),
        # negation
        ("документ не проведён", {"unclosed"}, {"not:document"}),
        ("касса не бьётся", {"not:fine", "gap"}, {"not:money"}),
        ("cash doesn't match", {"not:link", "gap"}, {"not:money"}),
        ("без остатка", {"not:balance"}, {"not:missing"}),
        # how many kinds of things
        ("остаток", {"kinds:0"}, {"kinds:1"}),
        ("документы", {"kinds:1"}, {"kinds:0", "kinds:2"}),
        ("документы и договоры по складам", {"kinds:3"}, {"kinds:2"}),
        ("документы, проводки, договоры, склады, товары и сотрудники", {"kinds:4"}, {"kinds:5"}),
        # shape
        ("привет", {"no-mention", "first:привет", "last:привет", "first2:привет", "length:1"}, {"asks"}),
        ("где касса?", {"asks", "first:где", "first2:где касса", "last:касса", "length:2"}, {"no-mention"}),
        ("где касса ? ", {"asks"}, {"no-mention"}),
        ("", {"no-mention", "length:0", "kinds:0"}, {"asks", "pinned"}),
        ("слово " * 100, {"length:6"}, {"length:7"}),
    ],
)
def test_cues_say_what_a_question_is_about(analyser: Analyser, text: str, there: set[str], absent: set[str]) -> None:
    features = set(cue_features(analyser.analyse(text)))
    assert there <= features, sorted(features)
    assert set() == absent & features


def all_blocks(analysis: Analysis) -> tuple[list[str], list[str], list[str]]:
    return word_features(analysis), list(char_features(analysis)), cue_features(analysis)


@given(questions)
def test_there_is_one_more_pair_than_words(raw: str) -> None:
    """Every word stands between two neighbours, the marks of beginning and end included."""
    analysis = READER.analyse(raw)
    features, words = word_features(analysis), pattern(analysis)
    assert words == features[: len(words)]
    pairs = features[len(words) :]
    assert len(words) + 1 == len(pairs)
    assert pairs[0].startswith("^ ")
    assert pairs[-1].endswith(" $")


@given(questions)
def test_a_cue_is_named_once_and_a_mask_stands_for_each_mention(raw: str) -> None:
    analysis = READER.analyse(raw)
    features = cue_features(analysis)
    assert len(features) == len(set(features))
    masks = [MASKS[m.type] for m in analysis.mentions if m.type in MASKS]
    assert sorted(masks) == sorted(w for w in pattern(analysis) if w in MASKS.values())


@given(questions)
def test_rows_of_a_text_are_the_rows_of_its_canonical_text(raw: str) -> None:
    analysis = READER.analyse(raw)
    assert all_blocks(analysis) == all_blocks(READER.analyse(analysis.text))
