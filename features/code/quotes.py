"""Quoted stretches of a text, in one pass.

>>> find_quotes('раздел «Установка», файл `a b.txt`')
[Quote(start=7, end=18, mark='«'), Quote(start=25, end=34, mark='`')]
"""

from __future__ import annotations

import re
from typing import NamedTuple

_CLOSING = {"«": "»", "“": "”", "„": '“”"', '"': '"', "`": "`", "'": "'", "‘": "’"}
_OPENING = re.compile("[«“„\"`'‘]")
_LONGEST = 200
"""A longer stretch is no name of anything; looking no further keeps the pass linear."""

_MOST_APOSTROPHES = 4
"""Apostrophes inside words that may stand between two quotes."""


class Quote(NamedTuple):
    """``start`` is at the opening mark, ``end`` after the closing one."""

    start: int
    end: int
    mark: str


def find_quotes(text: str) -> list[Quote]:
    """Quoted stretches, left to right, none inside another; an apostrophe inside a word opens none."""
    found: list[Quote] = []
    position = 0
    while match := _OPENING.search(text, position):
        i = match.start()
        mark = match.group()
        position = i + 1
        if mark == "'" and i > 0 and text[i - 1].isalnum():
            continue
        stop = _closing(text, mark, i + 1)
        if stop > i + 1:
            found.append(Quote(i, stop + 1, mark))
            position = stop + 1
    return found


def _closing(text: str, mark: str, start: int) -> int:
    """Place of the mark that closes what ``mark`` opened; -1 where there is none near."""
    limit = start + _LONGEST
    if mark == "'":
        stop = start - 1
        for _ in range(_MOST_APOSTROPHES):
            stop = text.find("'", stop + 1, limit)
            if stop < 0 or not text[stop + 1 : stop + 2].isalnum():
                return stop
        return -1
    places = [at for c in _CLOSING[mark] if (at := text.find(c, start, limit)) >= 0]
    return min(places) if places else -1
