"""What a question is about: its mentions, overridden by ``parsed_intent``, with periods resolved to dates."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from features.analysis import Analysis
from features.periods import resolve_period
from router.contracts import Scope
from router.parsed_intent import ParsedIntent

_RISK_CUES = frozenset(
    (
        "risk",
        "error",
        "anomaly",
        "negative",
        "duplicate",
        "missing",
        "unclosed",
        "overdue",
        "gap",
        "late_entry",
        "worry",
        "problem",
        "overview",
    )
)
_BOUNDING_MENTIONS = frozenset(("account", "counterparty", "document_number", "guid", "pointing"))
_GRAIN_OF = {
    grain_word: grain
    for grain, words in (
        ("day", "день сутки day daili ежедневно подневно"),
        ("week", "неделя week weekli понедельно еженедельно"),
        ("month", "месяц month monthli помесячно ежемесячно"),
    )
    for grain_word in words.split()
}
_GRAIN_BEFORE = frozenset(("по", "by", "per", "each", "каждый", "за", "every"))
_NOT_A_SUBJECT = frozenset(("payment", "money", "turnover"))


def read_scope(
    analysis: Analysis, intent: ParsedIntent, covered: tuple[date, date] | None, today: date | None
) -> Scope:
    """Scope of an analysed question. ``covered`` and ``today`` come from the store metadata; None leaves a worded period unresolved."""
    cues = {analysis.concept_ids[hit.concept] for hit in analysis.hits}
    specs = [m.value for m in analysis.mentions if m.type == "period" and not isinstance(m.value, str)]
    periods: tuple[tuple[date, date], ...] = ()
    unresolved = False
    if intent.period is not None:
        periods = ((intent.period.start, intent.period.end),)
    elif specs and (covered is None or today is None):
        unresolved = True
    elif covered is not None and today is not None:
        periods = tuple(dict.fromkeys(resolve_period(s, covered, today, compared="compare" in cues) for s in specs))
    kinds = tuple(intent.entity_kinds) if intent.entity_kinds is not None else tuple(_unique(_kinds(analysis)))
    objects = (
        tuple(intent.object_names)
        if intent.objects
        else tuple(str(m.value) for m in analysis.mentions if m.type in _BOUNDING_MENTIONS)
    )
    measures = list(
        _unique(str(m.value) for m in analysis.mentions if m.type == "measure" and m.value not in _NOT_A_SUBJECT)
    )
    return Scope(
        periods=periods,
        period_unresolved=unresolved,
        entity_kinds=kinds,
        levels=kinds or ("company",),
        subject=measures[0]
        if measures
        else "anomaly"
        if cues & _RISK_CUES or not cues & _VALUE_CUES
        else "unspecified",
        filtered=bool(objects),
        time_grain=_grain(analysis),
        objects=objects,
    )


_VALUE_CUES = frozenset(("rank", "most", "each", "count"))


def _unique(values: Iterable[str]) -> Iterable[str]:
    return dict.fromkeys(values)


def _kinds(analysis: Analysis) -> Iterable[str]:
    accounts = {m.first - 1 for m in analysis.mentions if m.type == "account"}
    for mention in analysis.mentions:
        if mention.type == "entity_kind" and mention.last not in accounts:
            yield str(mention.value)
        elif mention.type == "document_kind":
            yield "document"


def _grain(analysis: Analysis) -> str | None:
    lemmas = analysis.lemmas
    for i, lemma in enumerate(lemmas):
        grain = _GRAIN_OF.get(lemma)
        if grain and (lemma.endswith(("но", "li")) or (i and lemmas[i - 1] in _GRAIN_BEFORE)):
            return grain
    return None
