"""What a stretch of text without spaces is made of."""

from __future__ import annotations

from typing import Literal, NamedTuple

PieceKind = Literal["ru", "en", "mixed", "other", "number", "path", "maybe_path", "symbol", "doc", "mark"]


class Piece(NamedTuple):
    """One piece; ``start`` and ``end`` are code points from where the reader was told to count.

    ``key``: what a word's lemma is looked up by (lower case, ё as е), empty for others. ``role``: why the pass over the sequence
    must look at it, empty for most. ``maybe_path``: names with a slash between, a path only in the right company.
    ``mark``: what is read and means nothing here (URL, e-mail, flag of a command, ticket).
    """

    kind: PieceKind
    start: int
    end: int
    key: str = ""
    role: str = ""
    subtype: str = ""
    confidence: float = 1.0


WORDS = frozenset(("ru", "en", "mixed", "other"))
