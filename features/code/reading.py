"""One reading of a developer's question: words with lemmas, and anchors, from the raw text.

>>> reading = CodeReader(Lemmatiser()).read("Кто вызывает метод `Cart.total` в shop/cart.py:88?")
>>> [(a.type, a.value) for a in reading.anchors]
[('KEY_TERM', 'метод'), ('SYMBOL', 'Cart.total'), ('FILE_PATH', 'shop/cart.py')]
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from features.code.anchors import find_anchors
from features.code.chunks import read_chunk
from features.code.company import Anchor
from features.code.pieces import WORDS, Piece
from features.code.quotes import find_quotes
from features.lemmas import Lemmatiser

MAX_CHARS = 4000
"""Code points of a question that are read; the rest is counted and left unread."""

_CHUNK = re.compile(r"\S+")
_QUOTES = re.compile("[«“„\"`'‘]")
_CACHE_SIZE = 50_000
_MOST_CACHED_CHARS = 64

Placed = tuple[Piece, str]


@dataclass(frozen=True, slots=True)
class CodeReading:
    """``raw`` is the question cut to what was read. ``lemmas[i]`` belongs to ``pieces[i]``, empty where that is no word."""

    raw: str
    pieces: Sequence[Piece]
    lemmas: Sequence[str]
    anchors: Sequence[Anchor]
    raw_length: int

    @property
    def truncated(self) -> bool:
        """Whether the question went on beyond what was read."""
        return self.raw_length > len(self.raw)


class CodeReader:
    """Reads questions; one per process is enough, threads may share it. What a chunk is made of is kept."""

    def __init__(self, lemmatiser: Lemmatiser) -> None:
        self.lemmatiser = lemmatiser
        self._known: dict[str, tuple[Placed, ...]] = {}

    def read(self, raw: str, max_chars: int = MAX_CHARS) -> CodeReading:
        """Read at most ``max_chars`` code points; time is linear in what is read."""
        cut = raw[:max_chars]
        known, new = self._known, tuple.__new__  # a NamedTuple's own constructor costs twice as much
        pieces: list[Piece] = []
        lemmas: list[str] = []
        for match in _CHUNK.finditer(cut):
            chunk = match.group()
            parts = known.get(chunk)
            if parts is None:
                parts = self._parts(chunk)
            start = match.start()
            for piece, lemma in parts:
                kind, a, b, key, role, subtype, confidence = piece
                pieces.append(new(Piece, (kind, a + start, b + start, key, role, subtype, confidence)))
                lemmas.append(lemma)
        quotes = find_quotes(cut) if _QUOTES.search(cut) else []
        return CodeReading(cut, pieces, lemmas, find_anchors(cut, pieces, quotes), len(raw))

    def _parts(self, chunk: str) -> tuple[Placed, ...]:
        lemma = self.lemmatiser.lemma
        parts = tuple((p, lemma(p.key, p.kind) if p.kind in WORDS else "") for p in read_chunk(chunk))
        if len(chunk) <= _MOST_CACHED_CHARS:
            if len(self._known) >= _CACHE_SIZE:
                self._known = {}
            self._known[chunk] = parts
        return parts
