"""Names that have parts: scoped, dotted, with an arrow; and what a single word is."""

from __future__ import annotations

from features.code.paths import is_file_name, path_subtype, without_line
from features.code.pieces import Piece, PieceKind
from features.code.shapes import (
    KEYWORDS,
    PRODUCTS,
    is_cyrillic,
    is_latin,
    is_name,
    looks_like_code,
    symbol_subtype,
)
from features.code.terms import ROLES
from features.code.wordlists import code_words

_BARE_DOCUMENTS = code_words("bare_documents")
_TOP_DOMAINS = code_words("top_domains")
_ONE_C_ROOTS = code_words("one_c_roots")
_PREPROCESSOR = code_words("preprocessor")
_AFTER_OPERATOR = frozenset("<>=+-*/[]()!&|^%~")
_ENGLISH_SENTENCE = frozenset(
    ("And", "But", "Can", "Does", "How", "If", "In", "Is", "It", "So", "The", "Then", "There", "This", "We", "What", "When", "Where", "Which", "Who", "Why", "Also")
)  # fmt: skip

Pieces = list[Piece]


def shifted(pieces: Pieces, by: int) -> Pieces:
    """Pieces moved to the right."""
    return [p._replace(start=p.start + by, end=p.end + by) for p in pieces] if by else pieces


def path_piece(start: int, end: int, value: str, confidence: float = 0.95) -> Piece:
    """A path on a stretch of a core."""
    return Piece("path", start, end, "", "path", path_subtype(value), confidence)


def symbol_piece(start: int, end: int, value: str, confidence: float = 0.9) -> Piece:
    """A symbol on a stretch of a core."""
    return Piece("symbol", start, end, "", "symbol", symbol_subtype(value), confidence)


def mark_piece(text: str) -> Pieces:
    """A core that means nothing here."""
    return [Piece("mark", 0, len(text))]


def read_operator(text: str, _: bool) -> Pieces | None:
    """``operator<<`` and its like."""
    end = len(text)
    return (
        [symbol_piece(0, end, text, 0.9)]
        if text.startswith("operator") and end > 8 and text[8] in _AFTER_OPERATOR
        else None
    )


def read_scoped(text: str, _call: bool) -> Pieces | None:
    """Names with ``::`` between, and ids of tests."""
    if "::" not in text:
        return None
    left, _, right = text.partition("::")
    if is_file_name(left):
        return [path_piece(0, len(left), left), *after_test_mark(text, len(left))]
    if not left:
        name = right.rstrip(":")
        return (
            [symbol_piece(2, 2 + len(name), name, 0.85)] if name and all(is_name(s) for s in name.split("::")) else []
        )
    end = len(text.rstrip(":"))
    value = text[:end]
    operator = value.find("operator")
    names = value[:operator] if operator > 0 else value
    parts = names.replace("#", "::").replace(".", "::").replace("->", "::").split("::")
    good = all(is_name(s.strip("~!?$*&")) for s in parts if s) and any(parts)
    return [symbol_piece(0, end, value, 0.97)] if good else mark_piece(text)


def after_test_mark(text: str, at: int) -> Pieces:
    """``test_ok`` of ``tests/test_api.py::test_ok``."""
    name = text[at + 2 :].split("[", 1)[0]
    return [symbol_piece(at + 2, at + 2 + len(name), name, 0.95)] if all(is_name(s) for s in name.split("::")) else []


def section_mark(text: str, at: int) -> Pieces:
    """``#ports`` of ``docs/install.md#ports``; a line mark is none."""
    if text[at : at + 1] != "#" or not is_section(text[at + 1 :]):
        return []
    return [Piece("doc", at, len(text), "", "doc", "heading", 0.85)]


def is_section(name: str) -> bool:
    """Whether the word after # names a section, and no line, colour or directive."""
    if len(name) < 2 or not name[0].isalpha() or name.lower() in _PREPROCESSOR:
        return False
    if name[0] == "L" and name[1:].replace("-", "").replace("L", "").isdigit():
        return False
    return all(c.isalnum() or c in "-_." for c in name)


def read_arrow(text: str, _: bool) -> Pieces | None:
    """``$order->total``."""
    if "->" not in text:
        return None
    start = len(text) - len(text.lstrip("$"))
    value = text[start:].rstrip("->.:")
    names = value.replace("->", ".").split(".")
    if len(names) > 1 and all(is_name(s.strip("$")) for s in names):
        return [symbol_piece(start, start + len(value), value)]
    return None


def read_dotted(text: str, call: bool) -> Pieces | None:
    """Names with dots between: a file, a version, a symbol."""
    if "." not in text[:-1]:
        return None
    body = text.rstrip(".")
    line = without_line(body)
    if is_file_name(body[:line]) and not (call and line == len(body)):
        return [path_piece(0, line, body[:line], 0.93)]
    if body in PRODUCTS:
        return [Piece("en", 0, len(body), body.lower())]
    start = len(body) - len(body.lstrip(".$"))
    value = body[start:]
    if ":" in value:
        return None
    names = value.split(".")
    if names[0].lstrip("vVвВ").isdigit() or all(s.isdigit() for s in names):
        return [Piece("number", 0, len(body))]
    if all(len(s) < 2 for s in names) or not all(names):
        return mark_piece(text)
    if start and body[0] == ".":
        return (
            [symbol_piece(start, len(body), value, 0.7)]
            if call and all(is_name(s) for s in names)
            else mark_piece(text)
        )
    return _dotted_names(value, names, start, call)


def _dotted_names(value: str, names: list[str], start: int, call: bool) -> Pieces | None:
    """A symbol of names with dots between, unless it is a host, two sentences without a space, or a login."""
    whole = all(is_name(s.lstrip("$").rstrip("!?")) for s in names)
    cyrillic = any(is_cyrillic(c) for c in value)
    if not whole:
        host = any("-" in s for s in names) and not cyrillic
        return mark_piece(value) if host else None
    if cyrillic:
        capital = all(s[0].isupper() or not is_cyrillic(s[0]) for s in names)
        code = any(looks_like_code(s) for s in names) or len(names) > 2 or call or names[0] in _ONE_C_ROOTS
        return [symbol_piece(start, start + len(value), value, 0.95)] if capital and code else None
    if names[-1] in _TOP_DOMAINS and all(s.islower() for s in names) and not call:
        return mark_piece(value)
    if len(names) == 2 and names[1] in _ENGLISH_SENTENCE and names[0].islower() and not call:
        return None
    if len(names) == 2 and len(names[0]) == 1 and names[0].islower() and names[1].islower() and not call:
        return [Piece("symbol", start, start + len(value), "", "short_owner", "qualified", 0.6)]
    return [symbol_piece(start, start + len(value), value, 0.93)]


def word_or_symbol(text: str, call: bool) -> Piece:
    """A name of letters, digits and underscores: a symbol by its shape or a call, one of the documents and files known by name, or a word."""
    size = len(text)
    if looks_like_code(text):
        return symbol_piece(0, size, text)
    if text in _BARE_DOCUMENTS:
        return Piece("doc", 0, size, "", "doc", "document", 0.9)
    if is_file_name(text):
        return path_piece(0, size, text, 0.95)
    if call and text not in KEYWORDS and size > 1:
        return symbol_piece(0, size, text, 0.9)
    key = text.lower().replace("ё", "е")
    return Piece(word_kind(key), 0, size, key, ROLES.get(key, ""))


def word_kind(key: str) -> PieceKind:
    """Script of a word in small letters."""
    if key.isascii():
        return "en" if key.isalpha() else "mixed"
    if all("а" <= c <= "я" for c in key):
        return "ru"
    return "mixed" if any(is_latin(c) for c in key) or any(is_cyrillic(c) for c in key) else "other"


def is_operator_char(char: str) -> bool:
    """Whether ``char`` may stand in the name of a C++ operator."""
    return char in _AFTER_OPERATOR
