"""Raw question to canonical text, with every character traced back to where it stood.

>>> normalise("Остаток  по счёту\\u00a051").text
'Остаток по счёту 51'
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

MAX_CHARS = 4000
"""Code points of a question that are analysed; the rest is counted and left unread."""

_DASHES = "‐‑‒–—―−﹘﹣－"
_DOUBLE_QUOTES = "«»„“”‟″〝〞＂"
_SINGLE_QUOTES = "‘’‚‛′＇`´"
_SPACES = "\t\n\r\f\v\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"

_SAME_LENGTH = (
    {ord(c): "-" for c in _DASHES}
    | {ord(c): '"' for c in _DOUBLE_QUOTES}
    | {ord(c): "'" for c in _SINGLE_QUOTES}
    | {ord(c): " " for c in _SPACES}
    | {0x2116: "№", 0x2026: ".", 0x2192: ">"}
)
# Control, zero-width, bidi, variation selectors, lone surrogates, the stress mark over Cyrillic vowels.
_INVISIBLE = "\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb"
_PLAIN = "!-_a-~А-яЁё№"
_UNUSUAL = re.compile(f"[^ {_PLAIN}]|  ")
"""What a question may need to be rewritten for; most hold none of it."""
_UNCLEAN = re.compile(f"  |[{_INVISIBLE}\ud800-\udfff\u0300\u0301]")
_DROPPED = re.compile(f"[{_INVISIBLE}\ud800-\udfff]")
_COMPATIBILITY = re.compile("[\uff01-\uff5e\U0001d400-\U0001d7ff\u2460-\u24ff]")


class NormalisedText(NamedTuple):
    """Canonical text and the way back.

    ``offsets`` is None where every code point stands at its own place in the raw text; else ``offsets[i]`` is the
    raw span of ``text[i]``, its combining marks included.
    """

    text: str
    offsets: tuple[tuple[int, int], ...] | None
    raw_length: int
    truncated: bool

    def raw_span(self, start: int, end: int) -> tuple[int, int]:
        """Code point span in the raw text of ``text[start:end]``."""
        if self.offsets is None or start == end:
            return start, end
        return self.offsets[start][0], self.offsets[end - 1][1]


def normalise(raw: str, max_chars: int = MAX_CHARS) -> NormalisedText:
    """NFC, one kind of space, quote and dash, no invisible characters; letter case and ё are kept.

    Lone surrogates, controls, zero-width and bidi marks are dropped. At most ``max_chars`` code points are read.
    """
    cut = raw[:max_chars]
    truncated = len(raw) > max_chars
    if not _UNUSUAL.search(cut):
        return NormalisedText(cut, None, len(raw), truncated)
    text = cut.translate(_SAME_LENGTH)
    if not _UNCLEAN.search(text) and not _COMPATIBILITY.search(text) and unicodedata.is_normalized("NFC", text):
        return NormalisedText(text, None, len(raw), truncated)
    return _normalise_slowly(text, len(raw), truncated)


def _normalise_slowly(text: str, raw_length: int, truncated: bool) -> NormalisedText:
    out: list[str] = []
    offsets: list[tuple[int, int]] = []
    position, size = 0, len(text)
    while position < size:
        # a character with its marks, over invisible ones between them
        end = last = position + 1
        while end < size and ((marks := unicodedata.category(text[end])[0] == "M") or _DROPPED.match(text[end])):
            end += 1
            last = end if marks else last
        for char in _compose(_DROPPED.sub("", text[position:end])):
            if char == " " and (not out or out[-1] == " "):
                continue
            out.append(char)
            offsets.append((position, last))
        position = end
    return NormalisedText("".join(out), tuple(offsets), raw_length, truncated)


def _compose(cluster: str) -> str:
    if _COMPATIBILITY.search(cluster):
        cluster = unicodedata.normalize("NFKC", cluster)
    cluster = unicodedata.normalize("NFC", cluster).translate(_SAME_LENGTH)
    if cluster and "\u0400" <= cluster[0] <= "\u04ff":
        cluster = cluster.replace("\u0301", "").replace("\u0300", "")
    return cluster
