"""One core, a stretch without spaces, quotes and brackets, to pieces.

A list of readers is tried in order; the first that knows the core wins, and the last knows every core.
"""

from __future__ import annotations

from collections.abc import Callable

from features.code.names import (
    Pieces,
    after_test_mark,
    is_section,
    mark_piece,
    path_piece,
    read_arrow,
    read_dotted,
    read_operator,
    read_scoped,
    section_mark,
    shifted,
    symbol_piece,
    word_or_symbol,
)
from features.code.paths import blob_path, is_backslashed_name, is_file_name, path_subtype, read_path
from features.code.pieces import Piece, PieceKind
from features.code.shapes import (
    ending_start,
    glued_word_end,
    is_cyrillic,
    is_latin,
    is_name,
    is_title_name,
    mixes_scripts_as_1c_does,
)
from features.code.terms import ROLES
from features.code.wordlists import code_words

_BARE_DOCUMENTS = code_words("bare_documents")
_DOCUMENT_KINDS = code_words("document_kinds")
_MOST_PARTS = 32
"""Parts of one core that are read alone; a core of more is no writing of a person."""

_SCHEMES = ("http://", "https://", "ssh://", "ftp://", "git://", "file://", "ws://", "wss://", "www.")


def read_core(text: str, call: bool = False) -> Pieces:
    """Pieces of a core; ``call``: whether ``()`` follows it."""
    bare = text.rstrip(".:") or text
    for reader in _READERS:
        found = reader(bare, call)
        if found is not None:
            return found
    return []


# ── readers, in order ──


def _plain_word(text: str, call: bool) -> Pieces | None:
    return [word_or_symbol(text, call)] if text.isalpha() and not _two_scripts(text) else None


def _command_flag(text: str, _: bool) -> Pieces | None:
    return mark_piece(text) if text.startswith("--") or (text[0] == "-" and text[1:2].isalpha()) else None


def _url(text: str, _: bool) -> Pieces | None:
    at = text.find("://")
    if at < 0 and not text.startswith("www."):
        return None
    if not text.lower().startswith(_SCHEMES):
        return mark_piece(text)
    found = blob_path(text)
    if found is None:
        return mark_piece(text)
    start, end = found
    end -= len(text[start:end]) - len(text[start:end].rstrip(".,:;"))
    return [path_piece(start, end, text[start:end], 0.97)]


def _with_at(text: str, call: bool) -> Pieces | None:
    at = text.find("@")
    if at < 0:
        return None
    rest = text[at + 1 :].rstrip(".:")
    if at > 0 or not rest:
        return mark_piece(text)
    named = rest.split(".")
    if (
        "/" not in rest
        and all(is_name(s) for s in named)
        and ((len(named) > 1 and len(named[0]) > 1) or rest[0].isupper() or call)
    ):
        return [symbol_piece(1, 1 + len(rest), rest, 0.8)]
    return mark_piece(text)


def _glued_front(text: str, call: bool) -> Pieces | None:
    end = glued_word_end(text)
    if not end or mixes_scripts_as_1c_does(text):
        return None
    rest = _glued(text[end:], call)
    return [*read_core(text[:end]), *shifted(rest, end)]


def _glued_end(text: str, call: bool) -> Pieces | None:
    end = ending_start(text)
    if end == len(text):
        return None
    front = text[:end]
    return _glued(front, call) if not any(is_cyrillic(c) for c in front) or "." in front or "/" in front else None


def _glued(name: str, call: bool) -> Pieces:
    """A name that a Russian ending touches: a capital alone tells a name here."""
    if is_title_name(name):
        return [symbol_piece(0, len(name), name, 0.8)]
    return read_core(name, call)


def _hyphen_end(text: str, call: bool) -> Pieces | None:
    """«UserService-а», «README-шка»."""
    front, hyphen, end = text.rpartition("-")
    if hyphen and front and end.islower() and all(is_cyrillic(c) for c in end) and is_latin(front[-1]) and len(end) < 6:
        return read_core(front, call)
    return None


def _slashed(text: str, _: bool) -> Pieces | None:
    if "/" not in text and "\\" not in text:
        return None
    test = text.find("::")
    if test > 0:
        path = read_path(text[:test])
        if path is not None and path.sure:
            return [path_piece(0, path.end, text[: path.end]), *after_test_mark(text, test)]
    if "\\" in text and is_backslashed_name(text.split("::", 1)[0]) and not is_file_name(text.rsplit("\\", 1)[-1]):
        return [symbol_piece(0, len(text), text)]
    found = read_path(text)
    if found is None:
        return _alternatives(text)
    kind: PieceKind = "path" if found.sure else "maybe_path"
    value = text[: found.end]
    pieces = [Piece(kind, 0, found.end, "", kind, path_subtype(value), 0.95)]
    return [*pieces, *section_mark(text, found.end)]


def _alternatives(text: str) -> Pieces:
    """Words with slashes between, each read alone."""
    if text.count("/") + text.count("\\") > _MOST_PARTS:
        return mark_piece(text)
    pieces: Pieces = []
    start = 0
    for i in range(len(text) + 1):
        if i == len(text) or text[i] in "/\\":
            part = text[start:i]
            if part and not (start == 0 and i == len(text)):
                pieces += [p._replace(start=p.start + start, end=p.end + start, role="" if p.role.startswith("term") else p.role) for p in read_core(part) if p.kind != "path"]  # fmt: skip
            start = i + 1
    return pieces if text[0] not in "/\\" else mark_piece(text)


def _hashed(text: str, _: bool) -> Pieces | None:
    at = text.find("#")
    if at < 0:
        return None
    left, right = text[:at], text[at + 1 :].rstrip(".:-")
    if not left:
        if is_section(right):
            return [Piece("doc", 0, 1 + len(right), "", "doc", "heading", 0.8)]
        return mark_piece(text)
    if is_file_name(left):
        return [path_piece(0, at, left), *section_mark(text[: at + 1 + len(right)], at)]
    if left in _BARE_DOCUMENTS:
        return [*read_core(left), *section_mark(text[: at + 1 + len(right)], at)]
    names = left.split(".")
    if right and all(is_name(s) for s in names) and is_name(right.rstrip("!?")) and len(left) > 1:
        return [symbol_piece(0, at + 1 + len(right), text[: at + 1 + len(right)], 0.95)]
    return [word_or_symbol(left, False)] if left.isalpha() and len(left) > 1 else mark_piece(text)


def _paragraph(text: str, _: bool) -> Pieces | None:
    if text[0] != "§":
        return None
    number = text[1:].rstrip(".:")
    if number[:1].isdigit():
        return [Piece("doc", 0, 1 + len(number), "", "doc", "section", 0.97)]
    return [Piece("mark", 0, 1, "", "doc_mark")] if len(text) == 1 else None


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
        return mark_piece(text)
    low = text.lower()
    if low in ROLES:
        return [Piece("ru", 0, len(text), low.replace("ё", "е"), ROLES[low])]
    left, _hyphen, right = text.partition("-")
    if left.isupper() and right.isdigit():
        return mark_piece(text)
    pieces: Pieces = []
    start = 0
    for part in text.split("-"):
        if part:
            for piece in read_core(part, call):
                kept = "" if piece.role.startswith(("term", "doc_mark")) else piece.role
                if piece.kind != "path":
                    pieces.append(piece._replace(start=piece.start + start, end=piece.end + start, role=kept))
        start += len(part) + 1
    return pieces


def _coloned(text: str, call: bool) -> Pieces | None:
    if ":" not in text:
        return None
    if text.count(":") > _MOST_PARTS:
        return mark_piece(text)
    pieces: Pieces = []
    start = 0
    parts = text.split(":")
    for i, part in enumerate(parts):
        if part:
            pieces += shifted(read_core(part, call and i == len(parts) - 1), start)
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
        return shifted([word_or_symbol(core, call)], start)
    pieces: Pieces = []
    begin = 0
    for i in range(len(core) + 1):
        if i == len(core) or not (core[i].isalnum() or core[i] == "_"):
            part = core[begin:i]
            if part and part != text:
                pieces += shifted(read_core(part), start + begin)
            begin = i + 1
    return pieces


_READERS: tuple[Callable[[str, bool], Pieces | None], ...] = (
    _plain_word, read_operator, _command_flag, _url, _with_at, _paragraph, _glued_front, _glued_end, _document_number, _hyphen_end, _slashed, read_scoped,
    _hashed, read_arrow, read_dotted, _coloned, _hyphenated, _anything,
)  # fmt: skip


def _two_scripts(text: str) -> bool:
    latin = any(is_latin(c) for c in text)
    return latin and any(is_cyrillic(c) for c in text)
