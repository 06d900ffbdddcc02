"""Anchors of a developer's question: what it names explicitly, with exact spans in the raw text.

Pieces are read one by one (`chunks`); this module looks at their company: quotes around them, key terms before them, marks of documents.
"""

from __future__ import annotations

from collections.abc import Sequence

from features.code.company import Anchor, AnchorType, Company, make_anchor
from features.code.documents import find_document
from features.code.key_terms import find_key_term, find_title_names
from features.code.paths import is_file_name, path_subtype
from features.code.pieces import Piece
from features.code.quotes import Quote
from features.code.shapes import KEYWORDS, is_name, is_title_name

_TYPES: dict[str, AnchorType] = {"path": "FILE_PATH", "symbol": "SYMBOL", "doc": "DOC_REF"}


def find_anchors(raw: str, pieces: Sequence[Piece], quotes: Sequence[Quote]) -> list[Anchor]:
    """Anchors of ``raw`` by position, none over another: where two meet, the longer one wins."""
    company = Company(raw, pieces, quotes)
    found: list[Anchor] = []
    for quote in quotes:
        _quoted(company, quote, found)
    for i, piece in enumerate(pieces):
        if piece.role:
            _by_role(company, i, piece, found)
    if len(found) < 2:
        return found
    return _without_overlaps(found)


def _without_overlaps(found: list[Anchor]) -> list[Anchor]:
    found.sort(key=lambda a: (a.start, a.start - a.end))
    kept: list[Anchor] = []
    for anchor in found:
        if kept and anchor.start < kept[-1].end:
            if anchor.end - anchor.start > kept[-1].end - kept[-1].start:
                kept[-1] = anchor
            continue
        kept.append(anchor)
    return kept


def _quoted(company: Company, quote: Quote, found: list[Anchor]) -> None:
    """A path with spaces in quotes; a plain word in back-ticks."""
    raw = company.raw
    start, end = quote.start + 1, quote.end - 1
    inside = raw[start:end]
    if " " in inside:
        if quote.mark == "`":
            _code_words(company, quote, found)
        if ("/" in inside or "\\" in inside) and _is_spaced_path(inside):
            found.append(make_anchor("FILE_PATH", raw, start, end, path_subtype(inside), 0.9))
    elif quote.mark == "`" and inside not in KEYWORDS:
        name = inside.removesuffix("()")
        bare = name.lstrip("$@&*")
        if bare and all(is_name(s) for s in bare.split(".")) and not is_file_name(bare) and not bare.isdigit():
            at = start + len(name) - len(bare)
            found.append(make_anchor("SYMBOL", raw, at, at + len(bare), "name", 0.85))


def _code_words(company: Company, quote: Quote, found: list[Anchor]) -> None:
    """In a piece of code: names that are called, names written as classes are."""
    for piece in company.inside(quote):
        if piece.kind == "en" and not piece.role:
            value = company.raw[piece.start : piece.end]
            called = company.raw[piece.end : piece.end + 1] == "(" and value not in KEYWORDS and len(value) > 1
            if called or is_title_name(value):
                found.append(make_anchor("SYMBOL", company.raw, piece.start, piece.end, "name", 0.7))


def _is_spaced_path(text: str) -> bool:
    last = text.replace("\\", "/").rsplit("/", 1)[-1]
    return (not last or is_file_name(last.strip())) and "://" not in text and text == text.strip() and ", " not in text


def _by_role(company: Company, i: int, piece: Piece, found: list[Anchor]) -> None:
    role = piece.role
    kind = _TYPES.get(role)
    if kind is not None:
        if kind == "SYMBOL":
            kind, piece = _in_company(company, i, piece)
        if kind == "SYMBOL" and i and company.pieces[i - 1].role == "login_cue" and piece.subtype != "qualified":
            return
        found.append(make_anchor(kind, company.raw, piece.start, piece.end, piece.subtype, piece.confidence))
    elif role.startswith("term"):
        find_key_term(company, i, piece, found)
    elif role == "maybe_path":
        if _announced(company, i, piece):
            found.append(make_anchor("FILE_PATH", company.raw, piece.start, piece.end, piece.subtype, 0.7))
    elif role == "short_owner":
        before = company.pieces[i - 1].role if i else ""
        if before != "login_cue":
            found.append(make_anchor("SYMBOL", company.raw, piece.start, piece.end, piece.subtype, piece.confidence))
    elif role == "code_noun":
        find_title_names(company, i, found)
    elif role in ("doc_mark", "doc_kind"):
        find_document(company, piece, found)


def _in_company(company: Company, i: int, piece: Piece) -> tuple[AnchorType, Piece]:
    """A symbol after «файл» with one dot is a file («файл project.moth»); a Ruby name keeps its question mark inside a sentence."""
    raw = company.raw
    value = raw[piece.start : piece.end]
    if (
        i
        and company.pieces[i - 1].role == "term:file"
        and value.count(".") == 1
        and value.islower()
        and company.near(i - 1, i)
    ):
        return "FILE_PATH", piece._replace(subtype="file")
    if (
        "#" in value
        and raw[piece.end : piece.end + 1] == "?"
        and raw[piece.end + 1 : piece.end + 3].strip()[:1].islower()
    ):
        return "SYMBOL", piece._replace(end=piece.end + 1)
    return "SYMBOL", piece


def _announced(company: Company, i: int, piece: Piece) -> bool:
    """Whether a folder without an extension is called one: a word before it says so, or back-ticks hold it."""
    quote = company.quoted_alone(piece)
    if quote is not None and quote.mark == "`":
        return True
    before = company.pieces[i - 1] if i else None
    return (
        before is not None and (before.role == "path_cue" or before.role.startswith("term")) and company.near(i - 1, i)
    )
