"""References to documents and sections: from the mark to the closing quote or the number that names the place."""

from __future__ import annotations

from features.code.company import Anchor, Company, make_anchor
from features.code.pieces import Piece

_ROMAN = frozenset("IVXLC")


def find_document(company: Company, piece: Piece, found: list[Anchor]) -> None:
    """From the mark to the closing quote or the number that names the place."""
    raw = company.raw
    at = piece.end
    while at < len(raw) and raw[at] in " .\u00a0№":
        at += 1
    quote = company.quote_at(at)
    if quote is not None and piece.role == "doc_mark":
        found.append(make_anchor("DOC_REF", raw, piece.start, quote.end, "section", 0.95))
        return
    end = _number_end(raw, at)
    quote = company.quote_at(end + 1) if end > at else None
    if quote is not None and quote.mark in '«“„"':
        end = quote.end
    if end > at and at > piece.end - (raw[piece.start] == "§"):
        if piece.role == "doc_kind" and not raw[piece.start].isupper():
            return
        subtype = "section" if piece.role == "doc_mark" else "document"
        found.append(make_anchor("DOC_REF", raw, piece.start, end, subtype, 0.93))


def _number_end(raw: str, at: int) -> int:
    """End of a section number at ``at``: ``3``, ``3.2``, ``IV``, ``B``; ``at`` itself where there is none."""
    i = at
    while i < len(raw) and (
        raw[i].isdigit() or (raw[i] in ".-" and i > at and raw[i + 1 : i + 2].isdigit() and raw[i - 1].isdigit())
    ):
        i += 1
    if i > at:
        return i if not raw[i : i + 1].isalpha() else at
    while i < len(raw) and raw[i] in _ROMAN:
        i += 1
    if i > at and not raw[i : i + 1].isalnum():
        return i
    letter = raw[at : at + 1]
    if (
        letter.isupper()
        and not raw[at + 1 : at + 2].isalnum()
        and (letter in "ABCDEFGАБВГДЕЖ")
        and raw[at + 1 : at + 2] not in "'’"
    ):
        return at + 1
    return at
