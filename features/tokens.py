"""Canonical text to tokens with kinds, and where they stand.

>>> [(t.text, t.kind) for t in tokenise("Счёт 62.01 на 30.06.2020")]
[('Счёт', 'ru'), ('62.01', 'code'), ('на', 'ru'), ('30.06.2020', 'date')]
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from features.scripts import fold_lookalikes

TokenKind = Literal["ru", "en", "mixed", "other", "number", "code", "date", "docno", "guid", "mark", "punct"]


class Token(NamedTuple):
    """One token; ``glued``: it touches the one before.

    ``key`` is what lemmas are looked up by: lower case, ё as е, no slash inside «сч/ф», Latin look-alikes inside a Cyrillic word folded, "not" for "n't". Kinds: a word of one script (``ru``, ``en``), of both (``mixed``), of another
    (``other``); ``number``; ``code``, dotted as an account or a short date; ``date``; ``docno``, a document number;
    ``guid``; ``mark``, one of № # %; ``punct``.
    """

    text: str
    key: str
    kind: TokenKind
    glued: bool


_PATTERN = re.compile(
    r"""
      (?P<plain>[^\W\d_]+(?![\w'/-]))
    | (?P<guid>[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}(?![0-9a-fA-F-]))
    | (?P<date>\d{1,2}[./]\d{1,2}[./](?:\d{4}|\d{2})(?!\d) | \d{4}-\d{2}-\d{2}(?!\d))
    | (?P<docno>(?<![\w-])(?!(?:19|20)\d\d-(?:19|20)\d\d(?!\d))(?:\d{0,2}[A-Za-zА-ЯЁа-яё]{1,4}\d{0,2}|\d{1,4})-\d{3,11}(?![\w-]))
    | (?P<code>\d{2}\.(?:[0-9]{1,3}|(?:[A-ZА-ЯЁ]{1,2}|[abав]{2})(?![A-Za-zА-ЯЁа-яё]))(?:\.[0-9A-ZА-ЯЁ]{1,3}(?![A-Za-zА-ЯЁа-яё]))?(?![\d]))
    | (?P<number>[1-9]\d{0,2}(?:,\d{3})+(?:\.\d{1,2})?(?!\d) | \d{1,3}(?:[ ']\d{3})+(?:[.,]\d{1,2})?(?!\d) | \d+(?:[.,]\d+)?)
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


def _read_word(value: str) -> tuple[str, TokenKind]:
    key = value.lower().replace("ё", "е")
    if _RU.match(key):
        return key, "ru"
    if _EN.match(key):
        return key, "en"
    if not _BOTH.match(key):
        return key, "other"
    folded = fold_lookalikes(key)
    return (folded, "ru") if _RU.match(folded) else (key, "mixed")


_NEGATED = {"ca": "can", "wo": "will", "sha": "shall"}


def tokenise(text: str) -> list[Token]:
    """Tokens of canonical text, left to right, in time linear in its length. All but white space belongs to one."""
    tokens: list[Token] = []
    end = -1
    for match in _PATTERN.finditer(text):
        group = match.lastgroup
        value = match.group()
        glued = match.start() == end
        end = match.end()
        if group == "word" and len(value) > 3 and value[-3:].lower() == "n't":
            verb, kind = _read_word(value[:-3])
            tokens.append(Token(value[:-3], _NEGATED.get(verb, verb), kind, glued))
            tokens.append(Token(value[-3:], "not", "en", True))
        elif group in ("plain", "word"):
            key, kind = _read_word(value)
            tokens.append(Token(value, key, kind, glued))
        elif group == "abbr":
            tokens.append(Token(value, value.lower().replace("ё", "е").replace("/", ""), "ru", glued))
        else:
            tokens.append(Token(value, value, group, glued))  # type: ignore[arg-type]  # the other group names are kinds
    return tokens


def token_spans(text: str, tokens: Sequence[Token]) -> list[tuple[int, int]]:
    """Code points on which the tokens of ``text`` stand, in their order."""
    spans: list[tuple[int, int]] = []
    end = 0
    for token in tokens:
        start = text.index(token.text, end)
        end = start + len(token.text)
        spans.append((start, end))
    return spans
