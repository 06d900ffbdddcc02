"""Canonical text to tokens with spans and kinds.

>>> [(t.text, t.kind) for t in tokenise("Счёт 62.01 на 30.06.2020")]
[('Счёт', 'ru'), ('62.01', 'code'), ('на', 'ru'), ('30.06.2020', 'date')]
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

TokenKind = Literal["ru", "en", "mixed", "other", "number", "code", "date", "docno", "guid", "mark", "punct"]


class Token(NamedTuple):
    """One token; ``start`` and ``end`` are code points of the canonical text.

    ``key`` is what lemmas are looked up by: lower case, ё as е, no slash inside «сч/ф». Kinds: a word of one script (``ru``, ``en``), of both (``mixed``), of another
    (``other``); ``number``; ``code``, dotted as an account or a short date; ``date``; ``docno``, a document number;
    ``guid``; ``mark``, one of № # %; ``punct``.
    """

    text: str
    key: str
    start: int
    end: int
    kind: TokenKind


_PATTERN = re.compile(
    r"""
      (?P<guid>[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}(?![0-9a-fA-F-]))
    | (?P<date>\d{1,2}[./]\d{1,2}[./](?:\d{4}|\d{2})(?!\d) | \d{4}-\d{2}-\d{2}(?!\d))
    | (?P<docno>(?:[A-Za-zА-ЯЁа-яё]{1,4}\d{0,2}|\d{1,4})-\d{3,11}(?![\d-]))
    | (?P<code>\d{2}\.(?:[0-9]{1,3}|[A-ZА-ЯЁ]{1,2}(?![A-Za-zА-ЯЁа-яё]))(?:\.[0-9A-ZА-ЯЁ]{1,3}(?![A-Za-zА-ЯЁа-яё]))?(?![\d]))
    | (?P<number>\d{1,3}(?:[ ']\d{3})+(?:[.,]\d{1,2})?(?!\d) | \d+(?:[.,]\d+)?)
    | (?P<abbr>(?:[Сс]ч|[СсПпЗзРрКкТт])/(?:[Фф]актур[а-яё]*|[ФфПпСсНн]|[Сс]ч)(?![^\W\d_]))
    | (?P<word>[^\W\d_]+(?:'[^\W\d_]+)?)
    | (?P<mark>[№#%])
    | (?P<punct>[^\w\s] | _)
    """,
    re.VERBOSE,
)
_RU = re.compile(r"[а-яё']+\Z")
_EN = re.compile(r"[a-z']+\Z")
_BOTH = re.compile(r"[a-zа-яё']+\Z")


def _word_kind(key: str) -> TokenKind:
    if _RU.match(key):
        return "ru"
    if _EN.match(key):
        return "en"
    return "mixed" if _BOTH.match(key) else "other"


def tokenise(text: str) -> list[Token]:
    """Tokens of canonical text, left to right, in time linear in its length."""
    tokens: list[Token] = []
    for match in _PATTERN.finditer(text):
        kind = match.lastgroup
        value = match.group()
        if kind == "abbr":
            key = value.lower().replace("ё", "е").replace("/", "")
            tokens.append(Token(value, key, match.start(), match.end(), "ru"))
        elif kind == "word":
            key = value.lower().replace("ё", "е")
            tokens.append(Token(value, key, match.start(), match.end(), _word_kind(key)))
        else:
            tokens.append(Token(value, value, match.start(), match.end(), kind))  # type: ignore[arg-type]  # group names are kinds
    return tokens
