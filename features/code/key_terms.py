"""Key terms, and the plain names that they announce: «метод approve», "the qr module", "the Stage enum"."""

from __future__ import annotations

from features.code.company import Anchor, Company, make_anchor
from features.code.pieces import WORDS, Piece
from features.code.shapes import KEYWORDS, PRODUCTS, is_latin, is_name, is_title_name
from features.code.wordlists import code_words

_AFTER_TERM = code_words("english_after_terms") | KEYWORDS
_BEFORE_MODULE = code_words("english_before_module") | code_words("english_after_terms")
_GREETINGS = code_words("greeting_heads")
_NAMED_BY_TERM = frozenset(("term:class", "term:method", "term:function", "term:module", "term:package"))
_TO_DO = code_words("verb_before_term")
_DONE_TO = code_words("object_after_verb")
_ARTICLES = code_words("article_before_term")
_ASKING = code_words("asking_before_term")
_FUNCTION_WORDS = code_words("russian_term_stop")
_NO_TITLE = _FUNCTION_WORDS | _ASKING | code_words("sentence_words")
_FILED = code_words("filed_things")
_EXCLAIMING = code_words("exclaiming_before_class")


def find_key_term(company: Company, i: int, piece: Piece, found: list[Anchor]) -> None:
    """The term that piece ``i`` is, unless it only looks like one, and the names beside it."""
    raw, pieces = company.raw, company.pieces
    _named_after(company, i, piece, found)
    _named_before(company, i, piece, found)
    if piece.role == "term:class" and piece.kind == "en":
        find_title_names(company, i, found)
    if _is_no_term(company, i, piece):
        return
    start = piece.start
    if (
        piece.role == "term:test"
        and piece.kind == "en"
        and i
        and pieces[i - 1].key == "unit"
        and company.near(i - 1, i)
    ):
        start = pieces[i - 1].start
    before = raw[start - 1 : start]
    after = raw[piece.end : piece.end + 1]
    if (before in ("-", ".", "_") and before) or (after in ("-", "_") and after):
        return
    found.append(make_anchor("KEY_TERM", raw, start, piece.end, piece.role[5:], 0.98))


def _is_no_term(company: Company, i: int, piece: Piece) -> bool:
    """«Класс, спасибо», "file a bug", "to test"."""
    raw, pieces = company.raw, company.pieces
    following = pieces[i + 1] if i + 1 < len(pieces) else None
    previous = pieces[i - 1] if i else None
    if piece.key in ("класс", "class"):
        first = previous is None or any(c in ".!?;\n" for c in raw[previous.end : piece.start])
        mark = raw[piece.end : piece.end + 1]
        if (first and (mark in (",", "!", ".", ")", "") or following is None)) or (
            following is not None
            and following.key in _GREETINGS
            and following.key != "класс"
            and following.kind == "ru"
        ):
            return True
        if piece.key == "class":
            return False
        return following is None and previous is not None and previous.key in _EXCLAIMING
    if piece.kind != "en":
        return False
    if (
        previous is not None
        and previous.key in _TO_DO
        and piece.key in ("test", "file", "package", "function", "class")
    ):
        return company.near(i - 1, i)
    if piece.key == "file" and following is not None:
        skipped = 1 if following.key in ("a", "an", "the", "this", "that") else 0
        thing = pieces[i + 1 + skipped] if i + 1 + skipped < len(pieces) else None
        return thing is not None and thing.key in _FILED
    noun = previous is not None and previous.key in _ARTICLES
    return piece.key == "test" and not noun and following is not None and following.key in _DONE_TO


def _named_after(company: Company, i: int, piece: Piece, found: list[Anchor]) -> None:
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
        if value[0].isupper() and (
            following.key in _NO_TITLE or (value.isupper() and len(value) < 6 and piece.role != "term:class")
        ):
            return
        if piece.kind == "en" and value[0].islower() and piece.key.endswith("s") and piece.key != "class":
            return
        found.append(make_anchor("SYMBOL", company.raw, following.start, following.end, piece.role[5:], 0.8))
    elif value[0].isupper() and not value.isupper() and piece.kind == "ru" and following.start > 0:
        found.append(make_anchor("SYMBOL", company.raw, following.start, following.end, piece.role[5:], 0.65))


def _names_what_follows(company: Company, i: int, following: Piece) -> bool:
    """Whether an English term is followed by a name and not by the rest of its sentence."""
    if following.key in _AFTER_TERM or ":" in company.raw[company.pieces[i].end : following.start]:
        return False
    return not i or company.pieces[i - 1].key not in _ASKING


def find_title_names(company: Company, i: int, found: list[Anchor]) -> None:
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
        if (
            piece.kind == "en"
            and not piece.role
            and is_title_name(value)
            and piece.key not in _NO_TITLE
            and piece.start > 0
        ):
            found.append(make_anchor("SYMBOL", company.raw, piece.start, piece.end, "class", 0.75))


def _named_before(company: Company, i: int, piece: Piece, found: list[Anchor]) -> None:
    """The plain name before "module": "the qr module"."""
    if piece.key != "module" or not i:
        return
    before = company.pieces[i - 1]
    if before.kind != "en" or before.role or not company.near(i - 1, i) or before.key in _BEFORE_MODULE:
        return
    value = company.raw[before.start : before.end]
    if value in PRODUCTS or value[0].isupper() or company.raw[before.start - 1 : before.start] == "-":
        return
    found.append(make_anchor("SYMBOL", company.raw, before.start, before.end, "module", 0.7))
