"""Raw text to canonical text, and every character's way back."""

from __future__ import annotations

import itertools
import re

import pytest
from hypothesis import given
from question_strategies import questions

from features.normalisation import MAX_CHARS, normalise


@pytest.mark.parametrize(
    ("raw", "canonical"),
    [
        # spaces
        ("Остаток  по   счёту\t51", "Остаток по счёту 51"),
        ("остаток\u00a0по\u202fсчёту\u200951", "остаток по счёту 51"),
        ("остаток\nпо\r\nсчёту", "остаток по счёту"),
        ("1\u00a0000\u00a0000", "1 000 000"),
        # quotes
        ("ООО «Каравай»", 'ООО "Каравай"'),
        ("ООО „Каравай“", 'ООО "Каравай"'),
        ("supplier “Orion”", 'supplier "Orion"'),
        ("the supplier’s debt", "the supplier's debt"),
        ("doesn`t match", "doesn't match"),
        # dashes and dots
        ("1–15 июня", "1-15 июня"),
        ("май — июнь", "май - июнь"),
        ("сальдо −500", "сальдо -500"),
        ("и так далее…", "и так далее."),
        # what no one sees
        ("сч\u200bёт\ufeff 5\u00ad1", "счёт 51"),
        ("\u202eсчёт\u202c 51", "счёт 51"),
        ("счёт\x00 51\x1b", "счёт 51"),
        ("счёт\ud800 51\udfff", "счёт 51"),
        ("ok\ufe0f", "ok"),
        # one way to write a letter
        ("сче\u0308т", "счёт"),
        ("сво\u0438\u0306", "свой"),
        ("cafe\u0301", "café"),
        ("e\u200d\u0301", "é"),
        ("e\u0f73\u0301", "é\u0f71\u0f72"),
        ("сче\u0301т", "счет"),
        ("за\u0301мок", "замок"),
        ("счё\u0301т", "счёт"),
        # full-width, circled and mathematical forms
        ("счёт ５１", "счёт 51"),
        ("Ａ／Ｂ", "A/B"),
        ("①", "1"),
        ("𝟔𝟐", "62"),
        ("doesn｀t", "doesn't"),
        # left alone
        ("Счёт и СЧЕТ", "Счёт и СЧЕТ"),
        ("№ 45 # 45", "№ 45 # 45"),
        ("שלום 62", "שלום 62"),
        ("🙂 62", "🙂 62"),
        ("", ""),
    ],
)
def test_text_is_brought_to_one_way_of_writing(raw: str, canonical: str) -> None:
    assert canonical == normalise(raw).text


@pytest.mark.parametrize(
    ("raw", "piece", "stands_on"),
    [
        ("остаток по счёту 51", "счёту", "счёту"),
        ("остаток   по \u200b счёту 51", "счёту", "счёту"),
        ("сче\u0308т 51", "счёт", "сче\u0308т"),
        ("мо\u0438\u0306", "мой", "мо\u0438\u0306"),
        ("сче\u0301т 51", "счет", "сче\u0301т"),
        ("сч\u200bёт 51", "счёт", "сч\u200bёт"),
        ("счёт\u200b 51", "счёт", "счёт"),
        ("счёт ５１", "51", "５１"),
        ("«Каравай»", "Каравай", "Каравай"),
        ("a ⑴ b", "(1)", "⑴"),
    ],
)
def test_a_piece_is_traced_back_to_all_it_was_written_with(raw: str, piece: str, stands_on: str) -> None:
    normal = normalise(raw)
    start = normal.text.index(piece)
    begin, end = normal.raw_span(start, start + len(piece))
    assert stands_on == raw[begin:end]


@pytest.mark.parametrize(
    ("raw", "limit", "text", "truncated"),
    [
        ("остаток по кассе", 100, "остаток по кассе", False),
        ("остаток по кассе", 16, "остаток по кассе", False),
        ("остаток по кассе", 7, "остаток", True),
        ("balance  of 51", 11, "balance of", True),
        ("", 0, "", False),
        ("62", 0, "", True),
    ],
)
def test_no_more_than_the_limit_is_read_and_the_rest_is_counted(
    raw: str, limit: int, text: str, truncated: bool
) -> None:
    normal = normalise(raw, limit)
    assert (text, truncated, len(raw)) == (normal.text, normal.truncated, normal.raw_length)


def test_the_limit_of_a_question_is_four_thousand_characters() -> None:
    assert (4000, False) == (len(normalise("я" * MAX_CHARS).text), normalise("я" * MAX_CHARS).truncated)
    assert (4000, True) == (len(normalise("я" * (MAX_CHARS + 1)).text), normalise("я" * (MAX_CHARS + 1)).truncated)


def test_clean_text_keeps_its_places_without_a_table_of_offsets() -> None:
    assert normalise("Остаток по счёту «51» — июнь").offsets is None
    assert normalise("Остаток  по счёту").offsets is not None


@given(questions)
def test_canonical_text_is_its_own_canonical_text(raw: str) -> None:
    once = normalise(raw).text
    assert once == normalise(once).text


@given(questions)
def test_canonical_text_has_no_invisible_character_and_no_double_space(raw: str) -> None:
    assert (
        re.search(
            "  |[\x00-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff«»—–`]",
            normalise(raw).text,
        )
        is None
    )


@given(questions)
def test_every_character_is_traced_to_its_own_place_in_the_raw_text(raw: str) -> None:
    """Spans are not empty, lie inside the raw text and never go back."""
    normal = normalise(raw)
    spans = [normal.raw_span(i, i + 1) for i in range(len(normal.text))]
    assert all(0 <= start < end <= len(raw) for start, end in spans)
    assert spans == sorted(spans)
    assert all(b[0] >= a[1] or a == b for a, b in itertools.pairwise(spans))
