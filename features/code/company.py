"""An anchor, and the company of a piece: what stands around it in its text."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from operator import attrgetter
from typing import Literal, NamedTuple

from features.code.pieces import Piece
from features.code.quotes import Quote

_start = attrgetter("start")

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
        self._starts = [q.start for q in quotes]

    def inside(self, quote: Quote) -> Sequence[Piece]:
        """The pieces between the marks of a quote."""
        first = bisect_left(self.pieces, quote.start, key=_start)
        last = bisect_left(self.pieces, quote.end, key=_start)
        return self.pieces[first:last]

    def near(self, i: int, j: int) -> bool:
        """Whether pieces ``i`` and ``j`` follow each other over nothing but spaces, an opening quote or back-tick, a colon."""
        return not self.raw[self.pieces[i].end : self.pieces[j].start].strip(" \t\n\u00a0`'\"«“:")

    def quoted_alone(self, piece: Piece) -> Quote | None:
        """The quote that holds this piece and nothing else."""
        quote = self.quote_before(piece.start)
        if quote is None or piece.end >= quote.end:
            return None
        return quote if self.raw[quote.start + 1 : quote.end - 1].strip() == self.raw[piece.start : piece.end] else None

    def quote_before(self, place: int) -> Quote | None:
        """The last quote that opens before ``place``."""
        i = bisect_left(self._starts, place)
        return self.quotes[i - 1] if i else None

    def quote_at(self, place: int) -> Quote | None:
        """The quote that opens at ``place``."""
        i = bisect_left(self._starts, place)
        return self.quotes[i] if i < len(self._starts) and self._starts[i] == place else None


def make_anchor(kind: AnchorType, raw: str, start: int, end: int, subtype: str, confidence: float) -> Anchor:
    """The anchor that stands on ``raw[start:end]``."""
    return Anchor(kind, raw[start:end], subtype, start, end, confidence)
