"""``query_plan.normalized``: the query in canonical form, from the raw text alone.

Only formatting changes: Unicode composition, invisible characters, white space. Letter case, words, quotes, paths and numbers stay, and
what stands in quotes or back-ticks keeps its spaces. Doing it twice changes nothing more.

>>> normalise_query("  где   класс \\u200bUserService \\n `a  b` ")
'где класс UserService `a  b`'
"""

from __future__ import annotations

import re
import unicodedata

_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]"
)
_SURROGATE = re.compile("[\ud800-\udfff]")
_SPACES = re.compile(r"\s+")
_UNEVEN = re.compile(r"\s\s|[^\S ]|^\s|\s\Z")
_OPENING = re.compile('```|[`"«“„]')
_MOST_QUOTED = 1000
"""Quoted stretches whose spaces are kept; no question has so many, a hostile one stays cheap."""

_CLOSING = {"```": ("```",), "`": ("`",), '"': ('"',), "«": ("»",), "“": ("”",), "„": ("“", "”")}


def normalise_query(raw: str) -> str:
    """Canonical form of a query, in time linear in its length. A lone surrogate, which no encoding holds, becomes U+FFFD."""
    text = raw
    if not text.isascii():
        text = _SURROGATE.sub("\ufffd", text)
        text = unicodedata.normalize("NFC", _INVISIBLE.sub("", text))
    elif _INVISIBLE.search(text):
        text = _INVISIBLE.sub("", text)
    if not _UNEVEN.search(text):
        return text
    if not _OPENING.search(text):
        return " ".join(text.split())
    return _outside_quotes(text)


def _outside_quotes(text: str) -> str:
    """``text`` with white space made even outside of quotes and back-ticks."""
    out: list[str] = []
    position = 0
    closed_never: set[str] = set()
    for_next = _OPENING.search(text)
    while for_next is not None and len(out) < 2 * _MOST_QUOTED:
        mark = for_next.group()
        start, inside = for_next.start(), for_next.end()
        end = -1 if mark in closed_never else _closing_end(text, mark, inside)
        if end < 0:
            closed_never.add(mark)
            for_next = _OPENING.search(text, inside)
            continue
        out += (_SPACES.sub(" ", text[position:start]), text[start:end])
        position = end
        for_next = _OPENING.search(text, end)
    out.append(_SPACES.sub(" ", text[position:]))
    return "".join(out).strip()


def _closing_end(text: str, mark: str, inside: int) -> int:
    found = [at + len(c) for c in _CLOSING[mark] if (at := text.find(c, inside)) >= 0]
    return min(found) if found else -1
