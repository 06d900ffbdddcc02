"""A chunk, a stretch without white space, to pieces with spans.

>>> [(p.kind, "`shop/cart.py`:88,"[p.start:p.end]) for p in read_chunk("`shop/cart.py`:88,")]
[('path', 'shop/cart.py')]
"""

from __future__ import annotations

from features.code.cores import read_core
from features.code.names import is_operator_char, shifted
from features.code.pieces import Piece
from features.code.shapes import is_cyrillic, is_latin, is_title_name

_BREAKS = frozenset("\"'`«»“”„‟‘’,;|(){}[]<>=!?…—–&%^№\u2192")
_PLAIN_END = ".,:;!?)"
_PATH_BRACKETS = {"[": "]", "{": "}", "(": ")"}
_APOSTROPHES = "'’"
_ENGLISH_TAILS = frozenset(("s", "re", "ve", "ll", "d", "m"))
_MOST_GLUED = 6
_LONGEST_BRACKET = 40


def read_chunk(chunk: str) -> list[Piece]:
    """Pieces of a chunk, left to right, in time linear in its length."""
    if chunk.isalpha():
        return read_core(chunk)
    bare = chunk.rstrip(_PLAIN_END)
    if bare.isalpha() and not chunk.startswith("()", len(bare)):
        return read_core(bare)
    pieces: list[Piece] = []
    i, size = 0, len(chunk)
    while i < size:
        if chunk[i] in _BREAKS:
            if chunk[i] in _APOSTROPHES and i > 0:
                i = _after_apostrophe(chunk, i, pieces)
            else:
                i += 1
            continue
        end = _core_end(chunk, i)
        core = chunk[i:end]
        call = chunk.startswith("()", end) or ("." in core and chunk.startswith("(", end))
        pieces += shifted(read_core(core, call), i)
        i = end
    return pieces


def _core_end(chunk: str, start: int) -> int:
    """Where a core ends: at a break, but for brackets inside a path, an arrow, and what an operator is named by."""
    i, size = start, len(chunk)
    slash = False
    while i < size:
        char = chunk[i]
        if char in "/\\":
            slash = True
        elif char in _BREAKS:
            stop = _bracket_end(chunk, i, slash) if i > start else 0
            if stop:
                i = stop
                continue
            if (
                char == ">"
                and chunk[i - 1] == "-"
                and i > start
                and (chunk[i + 1 : i + 2].isalpha() or chunk[i + 1 : i + 2] == "_")
            ):
                i += 1
                continue
            if char == "!" and "#" in chunk[start:i]:
                return i + 1
            return _operator_end(chunk, i) if is_operator_char(char) and chunk.endswith("operator", start, i) else i
        elif is_operator_char(char) and char not in "-*" and chunk.endswith("operator", start, i):
            return _operator_end(chunk, i)
        i += 1
    return i


def _bracket_end(chunk: str, i: int, slash: bool) -> int:
    """Past a bracket that belongs to a path, as in ``pages/[id].tsx`` and ``*.{ts,tsx}``; 0 where it does not."""
    closing = _PATH_BRACKETS.get(chunk[i])
    before = chunk[i - 1]
    if closing is None or not ((slash and before in "/*") or (before == "." and chunk[i] == "{")):
        return 0
    stop = chunk.find(closing, i + 1, i + _LONGEST_BRACKET)
    return stop + 1 if stop > i + 1 else 0


def _operator_end(chunk: str, i: int) -> int:
    stop = i
    while stop < len(chunk) and stop < i + 3 and is_operator_char(chunk[stop]):
        stop += 1
    return stop


def _after_apostrophe(chunk: str, i: int, pieces: list[Piece]) -> int:
    """Past an apostrophe and what is glued by it: a Russian ending («UserService'а») or an English one ("Config's", "don't")."""
    before = chunk[i - 1]
    stop = i + 1
    while stop < len(chunk) and chunk[stop].isalpha():
        stop += 1
    tail = chunk[i + 1 : stop]
    if not tail or not (before.isalnum() or before in "_`)"):
        return i + 1
    if all(is_cyrillic(c) and c.islower() for c in tail):
        if pieces and pieces[-1].kind == "en" and pieces[-1].end == i and is_title_name(chunk[pieces[-1].start : i]):
            pieces[-1] = Piece("symbol", pieces[-1].start, i, "", "symbol", "class", 0.8)
        return stop if len(tail) <= _MOST_GLUED and not is_cyrillic(before) else i + 1
    low = tail.lower()
    if low in _ENGLISH_TAILS and is_latin(before):
        return stop
    if low == "t" and pieces and pieces[-1].kind == "en" and pieces[-1].key.endswith("n"):
        verb = pieces[-1]
        pieces[-1] = verb._replace(key={"can": "can", "won": "will", "shan": "shall"}.get(verb.key, verb.key[:-1]))
        pieces.append(Piece("en", i + 1, stop, "not"))
        return stop
    return i + 1
