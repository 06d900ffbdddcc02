"""What a fragment asks to look up, by its mentions: period, accounts, documents, counterparties, kinds of things, measures, cues.

Everything here was said in words; nothing is fetched but names of counterparties, which only the store knows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from executors.context import ExecutorContext
from executors.document_kinds import role_of, types_of
from executors.partners import NamedPartner, Partner, partner_index
from features.analysis import Analysis
from features.language import Language, language_of
from features.periods import resolve_period
from features.topics import FAULT_CONCEPTS, time_grain

_LINK = re.compile(r"e1cib/data/(?P<entity>[\wА-Яа-яЁё]+\.[\wА-Яа-яЁё]+)\?ref=(?P<hex>[0-9a-fA-F]{32})")
_NUMBER_WORDS = {"тройка": 3, "пятерка": 5, "десятка": 10, "three": 3, "five": 5, "ten": 10, "три": 3, "пять": 5, "десять": 10}  # fmt: skip
_MOST_ASKED = 1000
RISK_CUES: Final = FAULT_CONCEPTS | {"check"}
"""Concepts that ask for signs of risk, error or anomaly, a check among them."""


@dataclass(frozen=True, slots=True)
class Lookup:
    """``period`` is first and last day asked for, None where none is named; ``covered`` what the store has. ``links``: (entity, GUID) of 1C links.

    ``document_types`` are types of 1C, ``kinds`` entity kinds in the order they were named, ``words`` the lemmas, ``spoken`` the words as they
    stand in lower case, ``role`` the side of a counterparty.
    """

    text: str
    language: Language
    period: tuple[date, date] | None
    covered: tuple[date, date]
    accounts: tuple[str, ...]
    numbers: tuple[str, ...]
    guids: tuple[str, ...]
    links: tuple[tuple[str, str], ...]
    amounts: tuple[int, ...]
    names: tuple[NamedPartner, ...]
    document_kinds: tuple[str, ...]
    document_types: tuple[str, ...]
    kinds: tuple[str, ...]
    measures: tuple[str, ...]
    cues: frozenset[str]
    words: frozenset[str]
    spoken: frozenset[str]
    role: str | None
    grain: str | None
    top: int | None
    pointed: bool
    objects: tuple[Mapping[str, Any], ...]

    @property
    def partners(self) -> tuple[Partner, ...]:
        """All counterparties that the names mean."""
        return tuple(p for name in self.names for p in name.partners)

    @property
    def unknown_names(self) -> tuple[NamedPartner, ...]:
        """Names that no counterparty of the store bears."""
        return tuple(name for name in self.names if not name.partners)

    @property
    def dates(self) -> tuple[date, date]:
        """Days to read: the asked period, else the loaded slice."""
        return self.period or self.covered

    @property
    def within(self) -> tuple[date, date] | None:
        """The part of the asked period that the store has; None where it has none of it."""
        first, last = max(self.dates[0], self.covered[0]), min(self.dates[1], self.covered[1])
        return (first, last) if first <= last else None

    @property
    def outside(self) -> tuple[tuple[date, date], ...]:
        """The parts of the asked period that the store has not."""
        from datetime import timedelta

        first, last = self.dates
        start, end = self.covered
        parts = []
        if first < start:
            parts.append((first, min(last, start - timedelta(days=1))))
        if last > end:
            parts.append((max(first, end + timedelta(days=1)), last))
        return tuple(parts)

    def say(self, russian: str, english: str) -> str:
        """A sentence in the question's language."""
        return russian if self.language == "ru" else english

    def has(self, *words: str) -> bool:
        """Whether one of these lemmas was said."""
        return not self.words.isdisjoint(words)


def read_lookup(text: str, context: ExecutorContext) -> Lookup:
    """Look-up of a fragment."""
    analysis = context.analysis or context.analyser.analyse(text)
    covered, today = context.covered(), context.today()
    cues = frozenset(analysis.concept_ids[hit.concept] for hit in analysis.hits)
    of: dict[str, list[str]] = {}
    periods = []
    for mention in analysis.mentions:
        if not isinstance(mention.value, str):
            periods.append(resolve_period(mention.value, covered, today, compared="compare" in cues))
        else:
            of.setdefault(mention.type, []).append(mention.value)
    words = frozenset(analysis.lemmas)
    role = role_of(analysis)
    kinds = tuple(dict.fromkeys(_named_kinds(analysis)))
    document_kinds = tuple(dict.fromkeys(of.get("document_kind", ())))
    links = tuple((m["entity"], guid_of_hex(m["hex"])) for m in _LINK.finditer(analysis.raw))
    index = partner_index(context.store, context.analyser.lemmatiser)
    said = tuple(dict.fromkeys(of.get("counterparty", ()))) or index.named_in(
        [(t.text, lemma) for t, lemma in zip(analysis.tokens, analysis.lemmas, strict=True)]
    )
    document_types = types_of(document_kinds, role, words)
    if (not document_types and context.objects) or (
        context.objects and any("document_type" in o for o in context.objects)
    ):
        document_types = tuple(dict.fromkeys(str(o["document_type"]) for o in context.objects if "document_type" in o))
    return Lookup(
        text=text,
        language=language_of(text),
        period=(min(p[0] for p in periods), max(p[1] for p in periods)) if periods else None,
        covered=covered,
        accounts=tuple(dict.fromkeys(of.get("account", ()))),
        numbers=tuple(dict.fromkeys(of.get("document_number", ()))),
        guids=tuple(dict.fromkeys((*(g.lower() for g in of.get("guid", ())), *(g for _, g in links)))),
        links=links,
        amounts=tuple(round(float(a) * 100) for a in of.get("amount", ())),
        names=tuple(index.find(name) for name in said),
        document_kinds=document_kinds,
        document_types=document_types,
        kinds=kinds,
        measures=tuple(dict.fromkeys(of.get("measure", ()))),
        cues=cues,
        words=words,
        spoken=frozenset(t.key for t in analysis.tokens),
        role=role,
        grain=time_grain(analysis),
        top=_top(analysis, cues),
        pointed="pointing" in of,
        objects=context.objects,
    )


def guid_of_hex(h: str) -> str:
    """GUID of the 32 digits in a 1C link.

    >>> guid_of_hex("80c6cc1a7e58902811ebcda8cb07c0f5")
    'cb07c0f5-cda8-11eb-80c6-cc1a7e589028'
    """
    h = h.lower()
    return f"{h[24:32]}-{h[20:24]}-{h[16:20]}-{h[0:4]}-{h[4:16]}"


def hex_of_guid(guid: str) -> str:
    """The 32 digits by which a 1C link names a GUID.

    >>> hex_of_guid("cb07c0f5-cda8-11eb-80c6-cc1a7e589028")
    '80c6cc1a7e58902811ebcda8cb07c0f5'
    """
    a, b, c, d, e = guid.lower().split("-")
    return d + e + c + b + a


def _named_kinds(analysis: Analysis) -> list[str]:
    """Entity kinds, without the word «счёт» that only introduces an account's code."""
    introduced = {m.first - 1 for m in analysis.mentions if m.type == "account"}
    return [str(m.value) for m in analysis.mentions if m.type == "entity_kind" and m.last not in introduced]


def _top(analysis: Analysis, cues: frozenset[str]) -> int | None:
    """How many are asked for: «топ-5», «пять самых», "top 10"; None without a number."""
    if not cues & {"rank", "most", "priority"}:
        return None
    taken = {i for m in analysis.mentions if m.type in ("period", "account", "document_number", "amount") for i in range(m.first, m.last + 1)}  # fmt: skip
    for i, token in enumerate(analysis.tokens):
        if i not in taken and token.text.isdigit() and 0 < int(token.text[:6]) <= _MOST_ASKED:
            return int(token.text)
    return next((n for lemma in analysis.lemmas if (n := _NUMBER_WORDS.get(lemma))), None)
