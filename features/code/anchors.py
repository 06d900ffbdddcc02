"""Anchors of a developer's question: what it names explicitly, with exact spans in the raw text.

Pieces are read one by one (`chunks`); this module looks at their company: quotes around them, key terms before them, marks of documents.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from features.code.paths import is_file_name, path_subtype
from features.code.pieces import WORDS, Piece
from features.code.quotes import Quote
from features.code.shapes import KEYWORDS, PRODUCTS, is_latin, is_name, is_title_name
from features.code.wordlists import code_words

AnchorType = Literal["FILE_PATH", "SYMBOL", "DOC_REF", "KEY_TERM"]

_AFTER_TERM = code_words("english_after_terms") | KEYWORDS
_BEFORE_MODULE = code_words("english_before_module") | code_words("english_after_terms")
_GREETINGS = code_words("greeting_heads")
_TYPES: dict[str, AnchorType] = {"path": "FILE_PATH", "symbol": "SYMBOL", "doc": "DOC_REF"}
_NAMED_BY_TERM = frozenset(("term:class", "term:method", "term:function", "term:module", "term:package"))
_TO_DO = frozenset(("to", "can", "should", "must", "will", "we", "i", "you", "let's", "lets", "please", "pls", "would", "could", "ll", "they"))
_DONE_TO = frozenset(("it", "this", "that", "whether", "if", "them", "these", "those"))
_ARTICLES = frozenset(("a", "an", "the", "this", "that", "one", "another", "unit", "new", "each", "every"))
_ASKING = frozenset(("which", "what", "a", "an", "any", "each", "every", "this", "that", "whose", "another", "same", "no", "per", "one", "every", "some"))
_FUNCTION_WORDS = code_words("russian_term_stop")
_NO_TITLE = _FUNCTION_WORDS | _ASKING | frozenset(("who", "how", "why", "when", "where", "does", "do", "can", "should", "will", "these", "those", "all", "so", "see", "there"))
_FILED = frozenset(("bug", "issue", "ticket", "report", "pr", "request", "complaint", "rfc"))
_ROMAN = frozenset("IVXLC")


class Anchor(NamedTuple):
    """``value`` is ``raw[start:end]``. ``subtype``: a hint at what the value names; ``confidence``: how sure its kind is, 0 to 1."""

    type: AnchorType
    value: str
    subtype: str
    start: int
    end: int
    confidence: float


class _Company:
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


def find_anchors(raw: str, pieces: Sequence[Piece], quotes: Sequence[Quote]) -> list[Anchor]:
    """Anchors of ``raw`` by position, none over another: where two meet, the longer one wins."""
    company = _Company(raw, pieces, quotes)
    found: list[Anchor] = []
    for quote in quotes:
        _quoted(company, quote, found)
    for i, piece in enumerate(pieces):
        if piece.role:
            _by_role(company, i, piece, found)
    if len(found) < 2:
        return found
    return _without_overlaps(found)


def _anchor(kind: AnchorType, raw: str, start: int, end: int, subtype: str, confidence: float) -> Anchor:
    return Anchor(kind, raw[start:end], subtype, start, end, confidence)


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


def _quoted(company: _Company, quote: Quote, found: list[Anchor]) -> None:
    """A path with spaces in quotes; a plain word in back-ticks."""
    raw = company.raw
    start, end = quote.start + 1, quote.end - 1
    inside = raw[start:end]
    if " " in inside:
        if quote.mark == "`":
            _code_words(company, quote, found)
        if ("/" in inside or "\\" in inside) and _is_spaced_path(inside):
            found.append(_anchor("FILE_PATH", raw, start, end, path_subtype(inside), 0.9))
    elif quote.mark == "`" and inside not in KEYWORDS:
        name = inside.removesuffix("()")
        bare = name.lstrip("$@&*")
        if bare and all(is_name(s) for s in bare.split(".")) and not is_file_name(bare) and not bare.isdigit():
            at = start + len(name) - len(bare)
            found.append(_anchor("SYMBOL", raw, at, at + len(bare), "name", 0.85))


def _code_words(company: _Company, quote: Quote, found: list[Anchor]) -> None:
    """In a piece of code: names that are called, names written as classes are."""
    for piece in company.pieces:
        if piece.kind == "en" and not piece.role and quote.start < piece.start and piece.end < quote.end:
            value = company.raw[piece.start : piece.end]
            called = company.raw[piece.end : piece.end + 1] == "(" and value not in KEYWORDS and len(value) > 1
            if called or is_title_name(value):
                found.append(_anchor("SYMBOL", company.raw, piece.start, piece.end, "name", 0.7))


def _is_spaced_path(text: str) -> bool:
    last = text.replace("\\", "/").rsplit("/", 1)[-1]
    return (not last or is_file_name(last.strip())) and "://" not in text and text == text.strip() and ", " not in text


def _by_role(company: _Company, i: int, piece: Piece, found: list[Anchor]) -> None:
    role = piece.role
    kind = _TYPES.get(role)
    if kind is not None:
        if kind == "SYMBOL":
            kind, piece = _in_company(company, i, piece)
        if kind == "SYMBOL" and i and company.pieces[i - 1].role == "login_cue" and piece.subtype != "qualified":
            return
        found.append(_anchor(kind, company.raw, piece.start, piece.end, piece.subtype, piece.confidence))
    elif role.startswith("term"):
        _key_term(company, i, piece, found)
    elif role == "maybe_path":
        if _announced(company, i, piece):
            found.append(_anchor("FILE_PATH", company.raw, piece.start, piece.end, piece.subtype, 0.7))
    elif role == "short_owner":
        before = company.pieces[i - 1].role if i else ""
        if before != "login_cue":
            found.append(_anchor("SYMBOL", company.raw, piece.start, piece.end, piece.subtype, piece.confidence))
    elif role == "code_noun":
        _title_names_near(company, i, found)
    elif role in ("doc_mark", "doc_kind"):
        _document(company, i, piece, found)


def _in_company(company: _Company, i: int, piece: Piece) -> tuple[AnchorType, Piece]:
    """A symbol after «файл» with one dot is a file («файл project.moth»); a Ruby name keeps its question mark inside a sentence."""
    raw = company.raw
    value = raw[piece.start : piece.end]
    if i and company.pieces[i - 1].role == "term:file" and value.count(".") == 1 and value.islower() and company.near(i - 1, i):
        return "FILE_PATH", piece._replace(subtype="file")
    if "#" in value and raw[piece.end : piece.end + 1] == "?" and raw[piece.end + 1 : piece.end + 3].strip()[:1].islower():
        return "SYMBOL", piece._replace(end=piece.end + 1)
    return "SYMBOL", piece


def _announced(company: _Company, i: int, piece: Piece) -> bool:
    """Whether a folder without an extension is called one: a word before it says so, or back-ticks hold it."""
    quote = company.quoted_alone(piece)
    if quote is not None and quote.mark == "`":
        return True
    before = company.pieces[i - 1] if i else None
    return before is not None and (before.role == "path_cue" or before.role.startswith("term")) and company.near(i - 1, i)


# ── documents ──


def _document(company: _Company, i: int, piece: Piece, found: list[Anchor]) -> None:
    """From the mark to the closing quote or the number that names the place."""
    raw = company.raw
    at = piece.end
    while at < len(raw) and raw[at] in " .\u00a0№":
        at += 1
    for quote in company.quotes:
        if quote.start == at and piece.role == "doc_mark":
            found.append(_anchor("DOC_REF", raw, piece.start, quote.end, "section", 0.95))
            return
    end = _number_end(raw, at)
    for quote in company.quotes:
        if quote.start == end + 1 and end > at and quote.mark in "«“„\"":
            end = quote.end
    if end > at and at > piece.end - (raw[piece.start] == "§"):
        if piece.role == "doc_kind" and not raw[piece.start].isupper():
            return
        subtype = "section" if piece.role == "doc_mark" else "document"
        found.append(_anchor("DOC_REF", raw, piece.start, end, subtype, 0.93))


def _number_end(raw: str, at: int) -> int:
    """End of a section number at ``at``: ``3``, ``3.2``, ``IV``, ``B``; ``at`` itself where there is none."""
    i = at
    while i < len(raw) and (raw[i].isdigit() or (raw[i] in ".-" and i > at and raw[i + 1 : i + 2].isdigit() and raw[i - 1].isdigit())):
        i += 1
    if i > at:
        return i if not raw[i : i + 1].isalpha() else at
    while i < len(raw) and raw[i] in _ROMAN:
        i += 1
    if i > at and not raw[i : i + 1].isalnum():
        return i
    letter = raw[at : at + 1]
    if letter.isupper() and not raw[at + 1 : at + 2].isalnum() and (letter in "ABCDEFGАБВГДЕЖ") and raw[at + 1 : at + 2] not in "'’":
        return at + 1
    return at


# ── key terms and what they name ──


def _key_term(company: _Company, i: int, piece: Piece, found: list[Anchor]) -> None:
    raw, pieces = company.raw, company.pieces
    _named_after(company, i, piece, found)
    _named_before(company, i, piece, found)
    if piece.role == "term:class" and piece.kind == "en":
        _title_names_near(company, i, found)
    if _is_no_term(company, i, piece):
        return
    start = piece.start
    if piece.role == "term:test" and piece.kind == "en" and i and pieces[i - 1].key == "unit" and company.near(i - 1, i):
        start = pieces[i - 1].start
    before = raw[start - 1 : start]
    after = raw[piece.end : piece.end + 1]
    if before in ("-", ".", "_") and before or after in ("-", "_") and after:
        return
    found.append(_anchor("KEY_TERM", raw, start, piece.end, piece.role[5:], 0.98))


def _is_no_term(company: _Company, i: int, piece: Piece) -> bool:
    """«Класс, спасибо», "file a bug", "to test"."""
    raw, pieces = company.raw, company.pieces
    following = pieces[i + 1] if i + 1 < len(pieces) else None
    previous = pieces[i - 1] if i else None
    if piece.key in ("класс", "class"):
        first = previous is None or any(c in ".!?;\n" for c in raw[previous.end : piece.start])
        mark = raw[piece.end : piece.end + 1]
        if (first and (mark in (",", "!", ".", ")", "") or following is None)) or (
            following is not None and following.key in _GREETINGS and following.key != "класс" and following.kind == "ru"
        ):
            return True
        if piece.key == "class":
            return False
        return following is None and previous is not None and previous.key in ("просто", "это", "вообще", "ну", "высший", "экстра")
    if piece.kind != "en":
        return False
    if previous is not None and previous.key in _TO_DO and piece.key in ("test", "file", "package", "function", "class"):
        return company.near(i - 1, i)
    if piece.key == "file" and following is not None:
        skipped = 1 if following.key in ("a", "an", "the", "this", "that") else 0
        thing = pieces[i + 1 + skipped] if i + 1 + skipped < len(pieces) else None
        return thing is not None and thing.key in _FILED
    noun = previous is not None and previous.key in _ARTICLES
    return piece.key == "test" and not noun and following is not None and following.key in _DONE_TO


def _named_after(company: _Company, i: int, piece: Piece, found: list[Anchor]) -> None:
    """The plain name after a key term: «метод approve», "package zpl"."""
    if i + 1 >= len(company.pieces) or piece.role not in _NAMED_BY_TERM:
        return
    following = company.pieces[i + 1]
    if following.kind not in WORDS or following.role or not company.near(i, i + 1):
        return
    value = company.raw[following.start : following.end]
    if company.raw[following.end : following.end + 1] in ("-", "/", "+", "#") or value in PRODUCTS:
        return
    if not is_name(value):
        return
    if is_latin(value[0]):
        if piece.kind == "ru" and following.key in _FUNCTION_WORDS:
            return
        if piece.kind == "en" and not value[0].isupper() and not _names_what_follows(company, i, following):
            return
        if value[0].isupper() and (following.key in _NO_TITLE or (value.isupper() and len(value) < 6 and piece.role != "term:class")):
            return
        if piece.kind == "en" and value[0].islower() and piece.key.endswith("s") and piece.key != "class":
            return
        found.append(_anchor("SYMBOL", company.raw, following.start, following.end, piece.role[5:], 0.8))
    elif value[0].isupper() and not value.isupper() and piece.kind == "ru" and following.start > 0:
        found.append(_anchor("SYMBOL", company.raw, following.start, following.end, piece.role[5:], 0.65))


def _names_what_follows(company: _Company, i: int, following: Piece) -> bool:
    """Whether an English term is followed by a name and not by the rest of its sentence."""
    if following.key in _AFTER_TERM or ":" in company.raw[company.pieces[i].end : following.start]:
        return False
    return not i or company.pieces[i - 1].key not in _ASKING


def _title_names_near(company: _Company, i: int, found: list[Anchor]) -> None:
    """Names written as classes are, beside a noun of code: «интерфейса Backend», "the Stage enum", "the Hold and Reservation classes"."""
    pieces = company.pieces
    places = [i + 1] if i + 1 < len(pieces) and company.near(i, i + 1) else []
    if pieces[i].kind == "en" and i and company.near(i - 1, i):
        places.append(i - 1)
        if i > 2 and pieces[i - 2].key in ("and", "or") and company.near(i - 3, i - 2):
            places.append(i - 3)
    for place in places:
        piece = pieces[place]
        value = company.raw[piece.start : piece.end]
        if piece.kind == "en" and not piece.role and is_title_name(value) and piece.key not in _NO_TITLE and piece.start > 0:
            found.append(_anchor("SYMBOL", company.raw, piece.start, piece.end, "class", 0.75))


def _named_before(company: _Company, i: int, piece: Piece, found: list[Anchor]) -> None:
    """The plain name before "module": "the qr module"."""
    if piece.key != "module" or not i:
        return
    before = company.pieces[i - 1]
    if before.kind != "en" or before.role or not company.near(i - 1, i) or before.key in _BEFORE_MODULE:
        return
    value = company.raw[before.start : before.end]
    if value in PRODUCTS or value[0].isupper() or company.raw[before.start - 1 : before.start] == "-":
        return
    found.append(_anchor("SYMBOL", company.raw, before.start, before.end, "module", 0.7))


