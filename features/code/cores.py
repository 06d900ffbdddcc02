"""One core, a stretch without spaces, quotes and brackets, to pieces.

A list of readers is tried in order; the first that knows the core wins, and the last knows every core.
"""

from __future__ import annotations

from collections.abc import Callable

from features.code.paths import (
    blob_path,
    is_backslashed_name,
    is_file_name,
    path_subtype,
    read_path,
    without_line,
)
from features.code.pieces import Piece, PieceKind
from features.code.shapes import (
    KEYWORDS,
    PRODUCTS,
    ending_start,
    glued_word_end,
    has_hump,
    is_cyrillic,
    is_latin,
    is_name,
    is_title_name,
    looks_like_code,
    mixes_scripts_as_1c_does,
    symbol_subtype,
)
from features.code.terms import ROLES
from features.code.wordlists import code_words

_BARE_DOCUMENTS = code_words("bare_documents")
_TOP_DOMAINS = code_words("top_domains")
_ONE_C_ROOTS = code_words("one_c_roots")
_PREPROCESSOR = code_words("preprocessor")
_DOCUMENT_KINDS = code_words("document_kinds")
_AFTER_OPERATOR = frozenset("<>=+-*/[]()!&|^%~")
_ENGLISH_SENTENCE = frozenset(
    ("And", "But", "Can", "Does", "How", "If", "In", "Is", "It", "So", "The", "Then", "There", "This", "We", "What", "When", "Where", "Which", "Who", "Why", "Also")
)  # fmt: skip
_MOST_PARTS = 32
"""Parts of one core that are read alone; a core of more is no writing of a person."""

_SCHEMES = ("http://", "https://", "ssh://", "ftp://", "git://", "file://", "ws://", "wss://", "www.")

Pieces = list[Piece]


def read_core(text: str, call: bool = False) -> Pieces:
    """Pieces of a core; ``call``: whether ``()`` follows it."""
    bare = text.rstrip(".:") or text
    for reader in _READERS:
        found = reader(bare, call)
        if found is not None:
            return found
    return []


def _shifted(pieces: Pieces, by: int) -> Pieces:
    return [p._replace(start=p.start + by, end=p.end + by) for p in pieces] if by else pieces


def _path(start: int, end: int, value: str, confidence: float = 0.95) -> Piece:
    return Piece("path", start, end, "", "path", path_subtype(value), confidence)


def _symbol(start: int, end: int, value: str, confidence: float = 0.9) -> Piece:
    return Piece("symbol", start, end, "", "symbol", symbol_subtype(value), confidence)


def _mark(text: str) -> Pieces:
    return [Piece("mark", 0, len(text))]


# ── readers, in order ──


def _plain_word(text: str, call: bool) -> Pieces | None:
    return [word_or_symbol(text, call)] if text.isalpha() and not _two_scripts(text) else None


def _operator(text: str, _: bool) -> Pieces | None:
    end = len(text)
    return [_symbol(0, end, text, 0.9)] if text.startswith("operator") and end > 8 and text[8] in _AFTER_OPERATOR else None


def _command_flag(text: str, _: bool) -> Pieces | None:
    return _mark(text) if text.startswith("--") or (text[0] == "-" and text[1:2].isalpha()) else None


def _url(text: str, _: bool) -> Pieces | None:
    at = text.find("://")
    if at < 0 and not text.startswith("www."):
        return None
    if not text.lower().startswith(_SCHEMES):
        return _mark(text)
    found = blob_path(text)
    if found is None:
        return _mark(text)
    start, end = found
    end -= len(text[start:end]) - len(text[start:end].rstrip(".,:;"))
    return [_path(start, end, text[start:end], 0.97)]


def _with_at(text: str, call: bool) -> Pieces | None:
    at = text.find("@")
    if at < 0:
        return None
    rest = text[at + 1 :].rstrip(".:")
    if at > 0 or not rest:
        return _mark(text)
    named = rest.split(".")
    if "/" not in rest and all(is_name(s) for s in named) and ((len(named) > 1 and len(named[0]) > 1) or rest[0].isupper() or call):
        return [_symbol(1, 1 + len(rest), rest, 0.8)]
    return _mark(text)


def _glued_front(text: str, call: bool) -> Pieces | None:
    end = glued_word_end(text)
    if not end or mixes_scripts_as_1c_does(text):
        return None
    rest = _glued(text[end:], call)
    return [*read_core(text[:end]), *_shifted(rest, end)]


def _glued_end(text: str, call: bool) -> Pieces | None:
    end = ending_start(text)
    if end == len(text):
        return None
    front = text[:end]
    return _glued(front, call) if not any(is_cyrillic(c) for c in front) or "." in front or "/" in front else None


def _glued(name: str, call: bool) -> Pieces:
    """A name that a Russian ending touches: a capital alone tells a name here."""
    if is_title_name(name):
        return [_symbol(0, len(name), name, 0.8)]
    return read_core(name, call)


def _hyphen_end(text: str, call: bool) -> Pieces | None:
    """«UserService-а», «README-шка»."""
    front, hyphen, end = text.rpartition("-")
    if hyphen and front and end.islower() and all(is_cyrillic(c) for c in end) and is_latin(front[-1]) and len(end) < 6:
        return read_core(front, call)
    return None


def _slashed(text: str, call: bool) -> Pieces | None:
    if "/" not in text and "\\" not in text:
        return None
    test = text.find("::")
    if test > 0:
        path = read_path(text[:test])
        if path is not None and path.sure:
            return [_path(0, path.end, text[: path.end]), *_after_test_mark(text, test)]
    if "\\" in text and is_backslashed_name(text.split("::", 1)[0]) and not is_file_name(text.rsplit("\\", 1)[-1]):
        return [_symbol(0, len(text), text)]
    found = read_path(text)
    if found is None:
        return _alternatives(text)
    kind: PieceKind = "path" if found.sure else "maybe_path"
    value = text[: found.end]
    pieces = [Piece(kind, 0, found.end, "", kind, path_subtype(value), 0.95)]
    return [*pieces, *_section_mark(text, found.end)]


def _after_test_mark(text: str, at: int) -> Pieces:
    """``test_ok`` of ``tests/test_api.py::test_ok``."""
    name = text[at + 2 :].split("[", 1)[0]
    return [_symbol(at + 2, at + 2 + len(name), name, 0.95)] if all(is_name(s) for s in name.split("::")) else []


def _section_mark(text: str, at: int) -> Pieces:
    """``#ports`` of ``docs/install.md#ports``; a line mark is none."""
    if text[at : at + 1] != "#" or not _is_section(text[at + 1 :]):
        return []
    return [Piece("doc", at, len(text), "", "doc", "heading", 0.85)]


def _is_section(name: str) -> bool:
    if len(name) < 2 or not name[0].isalpha() or name.lower() in _PREPROCESSOR:
        return False
    if name[0] == "L" and name[1:].replace("-", "").replace("L", "").isdigit():
        return False
    return all(c.isalnum() or c in "-_." for c in name)


def _alternatives(text: str) -> Pieces:
    """Words with slashes between, each read alone."""
    if text.count("/") + text.count("\\") > _MOST_PARTS:
        return _mark(text)
    pieces: Pieces = []
    start = 0
    for i in range(len(text) + 1):
        if i == len(text) or text[i] in "/\\":
            part = text[start:i]
            if part and not (start == 0 and i == len(text)):
                pieces += [p._replace(start=p.start + start, end=p.end + start, role="" if p.role.startswith("term") else p.role) for p in read_core(part) if p.kind != "path"]  # fmt: skip
            start = i + 1
    return pieces if text[0] not in "/\\" else _mark(text)


def _scoped(text: str, _: bool) -> Pieces | None:
    if "::" not in text:
        return None
    left, _mark_, right = text.partition("::")
    if is_file_name(left):
        return [_path(0, len(left), left), *_after_test_mark(text, len(left))]
    if not left:
        name = right.rstrip(":")
        return [_symbol(2, 2 + len(name), name, 0.85)] if name and all(is_name(s) for s in name.split("::")) else []
    end = len(text.rstrip(":"))
    value = text[:end]
    operator = value.find("operator")
    names = value[:operator] if operator > 0 else value
    parts = names.replace("#", "::").replace(".", "::").replace("->", "::").split("::")
    good = all(is_name(s.strip("~!?$*&")) for s in parts if s) and any(parts)
    return [_symbol(0, end, value, 0.97)] if good else _mark(text)


def _hashed(text: str, _: bool) -> Pieces | None:
    at = text.find("#")
    if at < 0:
        return None
    left, right = text[:at], text[at + 1 :].rstrip(".:-")
    if not left:
        if _is_section(right):
            return [Piece("doc", 0, 1 + len(right), "", "doc", "heading", 0.8)]
        return _mark(text)
    if is_file_name(left):
        return [_path(0, at, left), *_section_mark(text[: at + 1 + len(right)], at)]
    if left in _BARE_DOCUMENTS:
        return [*read_core(left), *_section_mark(text[: at + 1 + len(right)], at)]
    names = left.split(".")
    if right and all(is_name(s) for s in names) and is_name(right.rstrip("!?")) and len(left) > 1:
        return [_symbol(0, at + 1 + len(right), text[: at + 1 + len(right)], 0.95)]
    return [word_or_symbol(left, False)] if left.isalpha() and len(left) > 1 else _mark(text)


def _paragraph(text: str, _: bool) -> Pieces | None:
    if text[0] != "§":
        return None
    number = text[1:].rstrip(".:")
    if number[:1].isdigit():
        return [Piece("doc", 0, 1 + len(number), "", "doc", "section", 0.97)]
    return [Piece("mark", 0, 1, "", "doc_mark")] if len(text) == 1 else None


def _arrow(text: str, _: bool) -> Pieces | None:
    if "->" not in text:
        return None
    start = len(text) - len(text.lstrip("$"))
    value = text[start:].rstrip("->.:")
    names = value.replace("->", ".").split(".")
    if len(names) > 1 and all(is_name(s.strip("$")) for s in names):
        return [_symbol(start, start + len(value), value)]
    return None


def _dotted(text: str, call: bool) -> Pieces | None:
    if "." not in text[:-1]:
        return None
    body = text.rstrip(".")
    line = without_line(body)
    if is_file_name(body[:line]) and not (call and line == len(body)):
        return [_path(0, line, body[:line], 0.93)]
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
        return _mark(text)
    if start and body[0] == ".":
        return [_symbol(start, len(body), value, 0.7)] if call and all(is_name(s) for s in names) else _mark(text)
    return _dotted_names(value, names, start, call)


def _dotted_names(value: str, names: list[str], start: int, call: bool) -> Pieces | None:
    whole = all(is_name(s.lstrip("$").rstrip("!?")) for s in names)
    cyrillic = any(is_cyrillic(c) for c in value)
    if not whole:
        host = any("-" in s for s in names) and not cyrillic
        return _mark(value) if host else None
    if cyrillic:
        capital = all(s[0].isupper() or not is_cyrillic(s[0]) for s in names)
        code = any(looks_like_code(s) for s in names) or len(names) > 2 or call or names[0] in _ONE_C_ROOTS
        return [_symbol(start, start + len(value), value, 0.95)] if capital and code else None
    if names[-1] in _TOP_DOMAINS and all(s.islower() for s in names) and not call:
        return _mark(value)
    if len(names) == 2 and names[1] in _ENGLISH_SENTENCE and names[0].islower() and not call:
        return None
    if len(names) == 2 and len(names[0]) == 1 and names[0].islower() and names[1].islower() and not call:
        return [Piece("maybe_path", start, start + len(value), "", "short_owner", "qualified", 0.6)]
    return [_symbol(start, start + len(value), value, 0.93)]


def _document_number(text: str, _: bool) -> Pieces | None:
    """``ADR-007``."""
    kind, hyphen, number = text.partition("-")
    number = number.rstrip(".:")
    if hyphen and kind.upper() in _DOCUMENT_KINDS and number.isdigit():
        return [Piece("doc", 0, len(kind) + 1 + len(number), "", "doc", "document", 0.97)]
    return None


def _hyphenated(text: str, call: bool) -> Pieces | None:
    if "-" not in text:
        return None
    if text.count("-") > _MOST_PARTS:
        return _mark(text)
    low = text.lower()
    if low in ROLES:
        return [Piece("ru", 0, len(text), low.replace("ё", "е"), ROLES[low])]
    left, _hyphen, right = text.partition("-")
    if left.isupper() and right.isdigit():
        return _mark(text)
    pieces: Pieces = []
    start = 0
    for part in text.split("-"):
        if part:
            for piece in read_core(part, call):
                kept = "" if piece.role.startswith(("term", "doc_mark")) else piece.role
                if piece.kind in ("path", "doc") and piece.kind != "doc":
                    continue
                pieces.append(piece._replace(start=piece.start + start, end=piece.end + start, role=kept))
        start += len(part) + 1
    return pieces


def _coloned(text: str, call: bool) -> Pieces | None:
    if ":" not in text:
        return None
    if text.count(":") > _MOST_PARTS:
        return _mark(text)
    pieces: Pieces = []
    start = 0
    parts = text.split(":")
    for i, part in enumerate(parts):
        if part:
            pieces += _shifted(read_core(part, call and i == len(parts) - 1), start)
        start += len(part) + 1
    return pieces


def _anything(text: str, call: bool) -> Pieces:
    core = text.strip("*~&$^+@%.:-_") if not is_name(text) else text
    if not core:
        return [Piece("mark", 0, len(text))] if text != "_" else []
    start = text.find(core)
    if core[0].isdigit():
        return [Piece("number", start, start + len(core))]
    if is_name(core):
        return _shifted([word_or_symbol(core, call)], start)
    pieces: Pieces = []
    begin = 0
    for i in range(len(core) + 1):
        if i == len(core) or not (core[i].isalnum() or core[i] == "_"):
            part = core[begin:i]
            if part and part != text:
                pieces += _shifted(read_core(part), start + begin)
            begin = i + 1
    return pieces


_READERS: tuple[Callable[[str, bool], Pieces | None], ...] = (
    _plain_word, _operator, _command_flag, _url, _with_at, _paragraph, _glued_front, _glued_end, _document_number, _hyphen_end, _slashed, _scoped,
    _hashed, _arrow, _dotted, _coloned, _hyphenated, _anything,
)  # fmt: skip


def _two_scripts(text: str) -> bool:
    latin = any(is_latin(c) for c in text)
    return latin and any(is_cyrillic(c) for c in text)


def word_or_symbol(text: str, call: bool) -> Piece:
    """A name of letters, digits and underscores: a symbol by its shape or a call, one of the documents and files known by name, or a word."""
    size = len(text)
    if looks_like_code(text):
        return _symbol(0, size, text)
    if text in _BARE_DOCUMENTS:
        return Piece("doc", 0, size, "", "doc", "document", 0.9)
    if is_file_name(text):
        return _path(0, size, text, 0.95)
    if call and text not in KEYWORDS and size > 1:
        return _symbol(0, size, text, 0.9)
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


def hump_or_underscore(text: str) -> bool:
    """Whether a name tells code by shape, products included."""
    return "_" in text or has_hump(text)
