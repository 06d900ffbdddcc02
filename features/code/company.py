"""An anchor, and the company of a piece: what stands around it in its text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from features.code.pieces import Piece
from features.code.quotes import Quote

AnchorType = Literal["FILE_PATH", "SYMBOL", "DOC_REF", "KEY_TERM"]


class Anchor(NamedTuple):
    """``value`` is ``raw[start:end]``. ``subtype``: a hint at what the value names; ``confidence``: how sure its kind is, 0 to 1."""

    type: AnchorType
    value: str
    subtype: str
    start: int
    end: int
    confidence: float


class Company:
    """Pieces of one text with what stands around them."""

    def __init__(self, raw: str, pieces: Sequence[Piece], quotes: Sequence[Quote]) -> None:
        self.raw = raw
        self.pieces = pieces
        self.quotes = quotes

    def near(self, i: int, j: int) -> bool:
        """Whether pieces ``i`` and ``j`` follow each other over nothing but spaces, an opening quote or back-tick, a colon."""
        return not self.raw[self.pieces[i].end : self.pieces[j].start].strip(" \t\n\u00a0`'\"«“:")

    def quoted_alone(self, piece: Piece) -> Quote | None:
        """The quote that holds this piece and nothing else."""
        for quote in self.quotes:
            if quote.start < piece.start and piece.end < quote.end:
                inside = self.raw[quote.start + 1 : quote.end - 1].strip()
                return quote if inside in (self.raw[piece.start : piece.end], f"{self.raw[piece.start : piece.end]}()") else None  # fmt: skip
        return None


def make_anchor(kind: AnchorType, raw: str, start: int, end: int, subtype: str, confidence: float) -> Anchor:
    """The anchor that stands on ``raw[start:end]``."""
    return Anchor(kind, raw[start:end], subtype, start, end, confidence)
