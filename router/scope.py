"""What a question is about: its mentions, overridden by ``parsed_intent``, with periods resolved to dates."""

from __future__ import annotations

from datetime import date

from features.analysis import Analysis
from features.periods import PeriodSpec, resolve_period
from features.topics import FAULT_CONCEPTS, time_grain
from router.contracts import Scope
from router.parsed_intent import ParsedIntent

_RISK_CUES = FAULT_CONCEPTS | {"overview"}
_BOUNDING_MENTIONS = frozenset(("account", "counterparty", "document_number", "guid", "pointing"))
_NOT_A_SUBJECT = frozenset(("payment", "money", "turnover"))


def read_scope(
    analysis: Analysis, intent: ParsedIntent, covered: tuple[date, date] | None, today: date | None
) -> Scope:
    """Scope of an analysed question. ``covered`` and ``today`` come from the store metadata; None leaves a worded period unresolved."""
    cues = {analysis.concept_ids[hit.concept] for hit in analysis.hits}
    specs: list[PeriodSpec] = []
    kinds: dict[str, None] = {}
    objects: list[str] = []
    measure = ""
    before_account = {m.first - 1 for m in analysis.mentions if m.type == "account"}
    for kind, value, _, last in analysis.mentions:
        if not isinstance(value, str):
            specs.append(value)
        elif kind == "entity_kind":
            if last not in before_account:
                kinds[value] = None
        elif kind == "document_kind":
            kinds["document"] = None
        elif kind == "measure":
            if not measure and value not in _NOT_A_SUBJECT:
                measure = value
        elif kind in _BOUNDING_MENTIONS:
            objects.append(value)
    periods: tuple[tuple[date, date], ...] = ()
    unresolved = False
    if intent.period is not None:
        periods = ((intent.period.start, intent.period.end),)
    elif specs and (covered is None or today is None):
        unresolved = True
    elif covered is not None and today is not None and specs:
        periods = tuple(dict.fromkeys([resolve_period(s, covered, today, compared="compare" in cues) for s in specs]))
    named = tuple(kinds) if intent.entity_kinds is None else tuple(intent.entity_kinds)
    bounded_by = tuple(intent.object_names) if intent.objects else tuple(objects)
    about_risk = not cues.isdisjoint(_RISK_CUES) or cues.isdisjoint(_VALUE_CUES)
    subject = measure or ("anomaly" if about_risk else "unspecified")
    levels, grain = named or ("company",), time_grain(analysis)
    return Scope(periods, unresolved, named, levels, subject, bool(bounded_by), grain, bounded_by)


_VALUE_CUES = frozenset(("rank", "most", "each", "count"))
