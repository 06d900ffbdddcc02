"""What the words of a question say of its subject, beyond its mentions: faults, the grain of time."""

from __future__ import annotations

from features.analysis import Analysis

FAULT_CONCEPTS = frozenset(
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
    )
)
"""Concepts that speak of risk, error or anomaly, one subject all."""

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


def time_grain(analysis: Analysis) -> str | None:
    """Day, week or month by which something is asked for: «по неделям», «помесячно», "daily"; None without one."""
    lemmas = analysis.lemmas
    if _GRAIN_OF.keys().isdisjoint(lemmas):
        return None
    for i, lemma in enumerate(lemmas):
        grain = _GRAIN_OF.get(lemma)
        if grain and (lemma.endswith(("но", "li")) or (i and lemmas[i - 1] in _GRAIN_BEFORE)):
            return grain
    return None
