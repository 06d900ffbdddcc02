"""One reading of a question: spans, scripts, limits and the work it takes."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from question_strategies import QUESTIONS, questions

import features
from features.analysis import Analyser, Analysis
from features.lemmas import Lemmatiser
from features.normalisation import MAX_CHARS, normalise
from features.tokens import token_spans

FEATURES = str(Path(features.__file__).parent)
READER = Analyser(Lemmatiser())


def concepts_of(analysis: Analysis) -> list[str]:
    return [analysis.concept_ids[hit.concept] for hit in analysis.hits]


def lines_run(work: Callable[[], object]) -> int:
    """Lines of the package that ``work`` runs: its cost, whatever the machine does meanwhile."""
    count = 0

    def inside(_frame: FrameType, event: str, _arg: Any) -> Any:
        nonlocal count
        count += event == "line"
        return inside

    def entering(frame: FrameType, _event: str, _arg: Any) -> Any:
        return inside if frame.f_code.co_filename.startswith(FEATURES) else None

    before = sys.gettrace()
    sys.settrace(entering)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


@given(questions)
def test_a_mention_stands_on_its_own_words_inside_the_raw_text(raw: str) -> None:
    """``raw[start:end]`` of a mention, brought to canonical form, holds the words that the mention was read from."""
    analysis = READER.analyse(raw)
    assert raw == analysis.raw
    spans = token_spans(analysis.spelt, analysis.tokens)
    for mention in analysis.mentions:
        start, end = analysis.span(mention)
        assert 0 <= start < end <= len(raw)
        words = analysis.text[spans[mention.first][0] : spans[mention.last][1]]
        assert words in normalise(raw[start:end]).text


@given(questions)
def test_lemmas_hits_and_mentions_belong_to_the_tokens(raw: str) -> None:
    analysis = READER.analyse(raw)
    size = len(analysis.tokens)
    assert size == len(analysis.lemmas)
    assert all(analysis.lemmas)
    assert all(0 <= hit.first <= hit.last < size for hit in analysis.hits)
    assert all(0 <= m.first <= m.last < size for m in analysis.mentions)
    spans = [analysis.span(m) for m in analysis.mentions]
    assert sorted(spans) == spans


@given(questions)
def test_a_token_is_traced_back_to_the_raw_text(raw: str) -> None:
    analysis = READER.analyse(raw)
    for token, (start, end) in zip(analysis.tokens, analysis.token_spans(), strict=True):
        assert token.text in normalise(raw[start:end]).text or analysis.spelt != analysis.text


@given(st.sampled_from(QUESTIONS), st.text(" \t\u00a0\u200b\ufeff\u00ad", max_size=4))
def test_invisible_characters_around_a_question_change_nothing(question: str, around: str) -> None:
    plain, padded = READER.analyse(question), READER.analyse(around + question + around)
    assert plain.lemmas == padded.lemmas
    assert [(m.type, m.value) for m in plain.mentions] == [(m.type, m.value) for m in padded.mentions]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        # transliterated
        ("pokazhi ostatki po kasse", "покажи остатки по кассе"),
        ("skolko dolzhen postavschik", "сколько должен поставщик"),
        ("kakie dokumenty za iyun", "какие документы за июнь"),
        ("otkuda provodka", "откуда проводка"),
        ("provodki po schetu 62.01", "проводки по счету 62.01"),
        ("kto nam dolzhen", "кто нам должен"),
        ("nakladnaya 118", "накладная 118"),
        ("realizatsiya 45", "реализация 45"),
        ("oborot po 62", "оборот по 62"),
        # typed on a Latin keyboard
        ("rfrbt ljrevtyns", "какие документы"),
        ("jcnfnrb gj rfcct", "остатки по кассе"),
        ("ghjdjlrb gj cxtne 62", "проводки по счету 62"),
        ("Jcnfnjr yf 51", "Остаток на 51"),
        ("crjkmrj ljk;ty gjcnfdobr", "сколько должен поставщик"),
        # Latin letters that look Cyrillic
        ("cчёт 62", "счёт 62"),
        ("ОCTATOK по кaccе", "ОСТАТОК по кассе"),
        ("прoводки пo cчёту", "проводки по счёту"),
        pytest.param(
            "c 1 по 15 июня",
            "с 1 по 15 июня",
            marks=pytest.mark.xfail(reason="a word of one Latin look-alike letter is taken for English"),
        ),
        # ё and е, capital and small
        ("расчёты по счёту", "расчеты по счету"),
        ("чёрный отчёт", "черный отчет"),
        ("ОСТАТОК ПО КАССЕ", "остаток по кассе"),
        # marks and invisible characters
        ("сче\u0301т 62", "счёт 62"),
        ("оста\u00adток по\u200b кассе", "остаток по кассе"),
        ("счёт ６２", "счёт 62"),
    ],
)
def test_a_question_in_another_writing_is_read_as_it_was_meant(analyser: Analyser, typed: str, meant: str) -> None:
    found, expected = analyser.analyse(typed), analyser.analyse(meant)
    assert expected.lemmas == found.lemmas
    assert concepts_of(expected) == concepts_of(found)
    assert [(m.type, m.value) for m in expected.mentions] == [(m.type, m.value) for m in found.mentions]


@pytest.mark.parametrize(
    "text",
    [
        "what is the balance of cash",
        "balance 51",
        "trial balance",
        "payables overdue",
        "show ostatki",
        "sales in June",
        "Orion Ltd",
        "invoice 144",
        "ok",
    ],
)
def test_english_stays_english(analyser: Analyser, text: str) -> None:
    assert "ru" not in {t.kind for t in analyser.analyse(text).tokens}


@pytest.mark.parametrize("text", ["покажи balance по 51", "документы Orion", "открой invoice 144"])
def test_latin_words_among_cyrillic_ones_stay_latin(analyser: Analyser, text: str) -> None:
    assert {"ru", "en"} <= {t.kind for t in analyser.analyse(text).tokens}


def test_mentions_of_a_respelt_question_stand_on_what_was_typed(analyser: Analyser) -> None:
    raw = "ghjdjlrb  gj cxtne 62"
    analysis = analyser.analyse(raw)
    assert [("entity_kind", "ghjdjlrb"), ("entity_kind", "cxtne"), ("account", "62")] == [
        (m.type, raw[slice(*analysis.span(m))]) for m in analysis.mentions
    ]


@pytest.mark.parametrize(
    ("text", "readable"),
    [
        ("остаток", True),
        ("balance", True),
        ("62.01", True),
        ("реализация", True),
        ("0000-000123", True),
        ("5f0b7c1e-9a3d-11ea-80c1-00155d012345", True),
        ("", False),
        ("   ", False),
        ("???", False),
        ("🙂🙂", False),
        ("12", False),
        ("שלום", False),
        ("\u200b\ufeff", False),
        ("a", False),
    ],
)
def test_a_question_is_readable_when_it_holds_a_word_or_a_number_with_a_meaning(
    analyser: Analyser, text: str, readable: bool
) -> None:
    assert readable == analyser.analyse(text).readable


def test_of_a_megabyte_four_thousand_characters_are_read() -> None:
    """A long text costs what its beginning costs, and is marked as cut."""
    text = ("Остаток по счёту 51 на 30.06.2020, ООО «Каравай» " * 22_000)[: 1 << 20]
    analysis = READER.analyse(text)
    assert (text[:MAX_CHARS], 1 << 20, True) == (analysis.raw, analysis.raw_length, analysis.truncated)
    assert max(end for _, end in analysis.token_spans()) <= MAX_CHARS
    assert max(analysis.span(m)[1] for m in analysis.mentions[-20:]) <= MAX_CHARS
    beginning = text[:MAX_CHARS]
    assert lines_run(lambda: READER.analyse(beginning)) == lines_run(lambda: READER.analyse(text))


def test_a_question_of_the_limit_is_not_cut() -> None:
    analysis = READER.analyse("я" * MAX_CHARS)
    assert (MAX_CHARS, MAX_CHARS, False) == (len(analysis.raw), analysis.raw_length, analysis.truncated)


def test_the_limit_may_be_lowered() -> None:
    analysis = READER.analyse("остаток по счёту 51", 7)
    assert ("остаток", True, ["остаток"]) == (analysis.raw, analysis.truncated, analysis.lemmas)


@pytest.mark.parametrize(
    "piece",
    [
        "остаток по счёту 51 ",
        "с ",
        "за ",
        "прошлый ",
        "за 2 ",
        "15 июня ",
        "с 1 по ",
        "июнь-",
        "2020-",
        "1 000 ",
        "1,000",
        "62 и ",
        "Дт 62 ",
        "№ 15/",
        "15/",
        "К-",
        "«",
        '"а ',
        "ООО ",
        "Ltd ",
        "Ромашка ",
        "Ромашка Ltd ",
        "Ромашка-",
        "от Ромашки-",
        "контрагент ",
        "эта ",
        "эта проводка ",
        "счет-",
        "счет фактура ",
        "не ",
        "isn't ",
        "pokazhi ",
        "ghjdjlrb ",
        "а\u0301",
        "\u200b",
        "\u0301\u0300",
        "🙂",
        "１",
        "(",
        "a'",
        "5f0b7c1e-",
        "_",
        "я",
    ],
)
def test_work_grows_in_step_with_the_text(piece: str) -> None:
    """Four times the text runs about four times the lines, whatever piece it repeats."""
    short, long = piece * (600 // len(piece)), piece * (2400 // len(piece))
    READER.analyse(long)  # words met for the first time cost more
    once, four_times = (lines_run(lambda text=text: READER.analyse(text)) for text in (short, long))  # type: ignore[misc]
    assert four_times < 4.5 * once + 500


def test_threads_may_share_an_analyser(analyser: Analyser) -> None:
    expected = [analyser.analyse(q) for q in QUESTIONS]
    found: list[list[Analysis]] = []
    threads = [
        threading.Thread(target=lambda: found.append([analyser.analyse(q) for q in QUESTIONS])) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [expected] * 4 == found


def test_an_analysis_reads_the_same_each_time() -> None:
    assert [READER.analyse(q) for q in QUESTIONS] == [Analyser(Lemmatiser()).analyse(q) for q in QUESTIONS]
