"""The query plan: canonical text, anchors, and all that helps retrieval in ``expansions`` and ``keyword_hints``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from features.code.company import Anchor
from features.code.pieces import WORDS
from features.code.reading import CodeReading
from features.code.shapes import PLAIN_PRODUCTS, PRODUCTS, is_latin
from features.code.terms import ROLES
from router.intent.contract import FROM_CONVERSATION, PlanAnchor, QueryPlan
from router.intent.dictionary import Dictionary
from router.intent.inputs import ConversationState
from router.intent.normalisation import normalise_query

MOST_EXPANSIONS = 64
MOST_HINTS = 32
MOST_CARRIED = 8
"""Anchors of earlier turns that a plan shows; the latest come first."""

_FADING = 0.85
"""Factor of an earlier anchor's confidence for each turn since it was named."""

_SEPARATORS = str.maketrans(dict.fromkeys("./\\:#->_$~!?@*", " "))


def plan_anchors(found: Sequence[Anchor], state: ConversationState) -> tuple[list[PlanAnchor], list[PlanAnchor]]:
    """(anchors of the query, anchors of earlier turns that it does not name again)."""
    own = [PlanAnchor(*_fields(a)) for a in found]
    if not state.anchors:
        return own, []
    named = {(a.type, a.value) for a in own}
    carried = [
        PlanAnchor(
            a.type,
            a.value,
            FROM_CONVERSATION,
            0,
            0,
            round(a.confidence * _FADING ** max(state.turns + 1 - a.turn, 1), 3),
        )
        for a in reversed(state.anchors)
        if (a.type, a.value) not in named
    ]
    return own, carried[:MOST_CARRIED]


def _fields(a: Anchor) -> tuple[str, str, str, int, int, float]:
    return a.type, a.value, a.subtype, a.start, a.end, a.confidence


def build_plan(
    raw: str,
    reading: CodeReading,
    own: list[PlanAnchor],
    carried: list[PlanAnchor],
    in_focus: Iterable[PlanAnchor],
    dictionary: Dictionary,
) -> QueryPlan:
    """The plan of one query. ``in_focus``: the anchors it is about, earlier ones included where it names none itself."""
    expansions: dict[str, None] = {}
    hints: dict[str, None] = {}
    for anchor in in_focus:
        _expand_anchor(anchor, expansions, hints, dictionary)
    ends = iter(own)
    covering = next(ends, None)
    for piece, lemma in zip(reading.pieces, reading.lemmas, strict=True):
        while covering is not None and covering.end <= piece.start:
            covering = next(ends, None)
        if piece.kind not in WORDS or (covering is not None and covering.start <= piece.start):
            continue
        if piece.kind == "ru":
            if english := dictionary.english(lemma):
                hints.setdefault(lemma)
                expansions.update(dict.fromkeys(english))
        elif not piece.role and _is_product_or_acronym(reading.raw[piece.start : piece.end]):
            hints.setdefault(reading.raw[piece.start : piece.end])
    return QueryPlan(
        raw, normalise_query(raw), list(expansions)[:MOST_EXPANSIONS], list(hints)[:MOST_HINTS], [*own, *carried]
    )


def _is_product_or_acronym(word: str) -> bool:
    return word in PRODUCTS or word in PLAIN_PRODUCTS or (word.isupper() and len(word) > 1 and is_latin(word[0]))


def _expand_anchor(
    anchor: PlanAnchor, expansions: dict[str, None], hints: dict[str, None], dictionary: Dictionary
) -> None:
    value = anchor.value
    if anchor.type == "KEY_TERM":
        words = dictionary.of_term.get(anchor.subtype) or dictionary.of_term.get(_term_of(value), ())
        if not value.isascii():
            expansions.update(dict.fromkeys(words))
        if words:
            hints.setdefault(words[0])
        return
    hints.setdefault(value)
    if anchor.type == "SYMBOL":
        expansions.setdefault(value)
        parts = name_parts(value)
        last = _last_name(value)
        if last != value:
            hints.setdefault(last)
            expansions.setdefault(last)
        expansions.update(dict.fromkeys(p for p in parts if p != value))
    elif anchor.type == "FILE_PATH":
        file = value.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]
        if file != value and "*" not in file:
            hints.setdefault(file)
        stem = file.lstrip(".").split(".", 1)[0]
        if "*" not in stem and len(stem) > 2:
            expansions.setdefault(stem)


def _term_of(value: str) -> str:
    """Key term id of a word that an earlier turn named."""
    return ROLES.get(value.lower(), "").removeprefix("term:")


def _last_name(value: str) -> str:
    """The last part of a qualified name; the whole of a single one."""
    for mark in ("::", "->", "#", ".", "\\"):
        if mark in value:
            return value.rsplit(mark, 1)[-1]
    return value


@lru_cache(maxsize=20_000)
def name_parts(name: str) -> tuple[str, ...]:
    """Words an identifier is made of, in small letters, those of three letters and more.

    >>> name_parts("app.UserService.load_by_id")
    ('app', 'user', 'service', 'load')
    """
    words: list[str] = []
    for part in name.translate(_SEPARATORS).split():
        start = 0
        for i in range(1, len(part) + 1):
            if i == len(part) or (part[i].isupper() and (not part[i - 1].isupper() or part[i + 1 : i + 2].islower())):
                if i - start > 2:
                    words.append(part[start:i].lower())
                start = i
    return tuple(dict.fromkeys(words))
