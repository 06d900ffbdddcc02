"""Hypothesis strategies of this folder, each named for what it draws."""

from __future__ import annotations

from hypothesis import strategies as st

QUESTIONS = (
    "Остаток по счёту 51 на 30.06.2020",
    "Дт 62.01 Кт 90.01.1 на 1 000 000,50 руб. за июнь",
    "реализация №45 от 15 июня 2020 г. ООО «Каравай»",
    "почему не закрыт аванс поставщику Ромашка-Плюс с 1 по 15 июня",
    "эта проводка, 5f0b7c1e-9a3d-11ea-80c1-00155d012345",
    "топ 10 клиентов за 2 квартал прошлого года, договор № 15/2020",
    "счета-фактуры от контрагента Альфа без оплаты свыше 90 дней",
    "Which of our June payments to Orion Trading Ltd were the biggest?",
    "why doesn't account 76.AB match the $1,250,000.00 invoice no. 144",
    "year to date vs last summer, Q2'20, from June 1 to 15",
    "pokazhi ostatki po kasse",
    "rfrbt ljrevtyns gj cxtne 62",
)

_LETTERS = "абвеёийосунАВСОX aceopxyABTq"
_MARKS = "\u0301\u0300\u0308\u0306\u0327\u20e3\u0f73\u0e33"
_INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u034f\ufe0f"
_RIGHT_TO_LEFT = "שלום مرحبا\u200f\u202e\u2066\u2069٣٤"
_CONTROLS = "\x00\x01\x07\x08\x1b\x7f\x85\r\n\t"
_SURROGATES = "\ud800\udbff\udc00\udfff"
_EMOJI = "🙂👍🏽👨‍👩‍👧🇷🇺①⑴"
_WIDE = "１２（Ａ）＇｀　"
_SIGNS = "0123456789.,'`-–—/\\№#%«»„“\"…$€₽()[]{}:;!? _"

any_text = st.text(st.characters(exclude_categories=[]), max_size=60)
"""Every code point there is, unassigned ones and lone surrogates included."""

hostile_characters = st.sampled_from(
    _LETTERS + _MARKS + _INVISIBLE + _RIGHT_TO_LEFT + _CONTROLS + _SURROGATES + _EMOJI + _WIDE + _SIGNS
)
hostile_text = st.text(hostile_characters, max_size=60)
"""Letters among controls, surrogates, combining marks, emoji, right-to-left and zero-width characters."""

words_of_questions = st.sampled_from(sorted({word for question in QUESTIONS for word in question.split()}))
shuffled_questions = st.lists(words_of_questions | hostile_text, max_size=14).map(" ".join)
"""Words of real questions in any order, among hostile text."""


@st.composite
def spoilt_questions(draw: st.DrawFn) -> str:
    """A real question with hostile characters put between its own."""
    question = draw(st.sampled_from(QUESTIONS))
    spots = draw(st.lists(st.tuples(st.integers(0, len(question)), hostile_characters), max_size=8))
    for place, character in sorted(spots, reverse=True):
        question = question[:place] + character + question[place:]
    return question


questions = any_text | hostile_text | shuffled_questions | spoilt_questions()
"""Anything that could be typed, pasted or sent."""
