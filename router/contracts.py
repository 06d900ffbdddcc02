"""What the router's parts say to each other. Field names of the source are fixed; fields may be added, with defaults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from operator import attrgetter
from typing import Any, NamedTuple

from models.heads import ROUTES, STORE_ROUTES

__all__ = ["FLAG_NAMES", "ROUTES", "STORE_ROUTES", "RouteDecisionFlags", "Scope", "StoreSufficiencyResult"]


class Scope(NamedTuple):
    """What a question is about, by its mentions and ``parsed_intent``.

    ``periods``: resolved (first day, last day) pairs, empty when none is named; ``period_unresolved``: one is named, but without a loaded slice and an as-of
    date it has no dates. ``entity_kinds`` in the store's words. ``levels``: at which an aggregate would have to stand. ``subject``: ``anomaly`` for
    risk, error and anomaly alike, else the measure. ``filtered``: bounded by an account, a counterparty, an object. ``time_grain``: day, week, month, or None. ``objects``: what bounds it, for the record.
    """

    periods: tuple[tuple[date, date], ...] = ()
    period_unresolved: bool = False
    entity_kinds: tuple[str, ...] = ()
    levels: tuple[str, ...] = ("company",)
    subject: str = "anomaly"
    filtered: bool = False
    time_grain: str | None = None
    objects: tuple[str, ...] = ()

    @property
    def bounds(self) -> tuple[object, ...]:
        """All but ``objects``: what the stores can do does not depend on which object it is."""
        return self[:-1]

    def to_dict(self) -> dict[str, Any]:
        """Plain values for a record."""
        return {
            "periods": [[a.isoformat(), b.isoformat()] for a, b in self.periods],
            "period_unresolved": self.period_unresolved,
            "entity_kinds": list(self.entity_kinds),
            "levels": list(self.levels),
            "subject": self.subject,
            "filtered": self.filtered,
            "time_grain": self.time_grain,
            "objects": list(self.objects),
        }

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> Scope:
        """The scope that `to_dict` wrote down."""
        return cls(
            periods=tuple((date.fromisoformat(a), date.fromisoformat(b)) for a, b in given["periods"]),
            period_unresolved=given["period_unresolved"],
            entity_kinds=tuple(given["entity_kinds"]),
            levels=tuple(given["levels"]),
            subject=given["subject"],
            filtered=given["filtered"],
            time_grain=given["time_grain"],
            objects=tuple(given["objects"]),
        )


_WHOLE = Scope()


@dataclass(frozen=True, slots=True)
class RouteDecisionFlags:
    """The twelve flags of a question, and its scope.

    Ten are learned. ``store_sufficiency_confident`` and ``precomputed_aggregate_available`` are facts of the store metadata for this scope.
    """

    needs_exact_object_trace: bool
    needs_causal_chain: bool
    needs_cross_entity_join: bool
    needs_full_period_aggregation: bool
    needs_ranking: bool
    needs_anomaly_summary: bool
    needs_runtime_truth: bool
    freshness_sensitive: bool
    ambiguous_object_scope: bool
    store_sufficiency_confident: bool
    precomputed_aggregate_available: bool
    parsed_as_trend_or_risk: bool = False
    scope: Scope = _WHOLE

    @property
    def heavy(self) -> bool:
        """Aggregation, ranking or summary is needed."""
        return self.needs_full_period_aggregation or self.needs_ranking or self.needs_anomaly_summary

    def to_dict(self) -> dict[str, bool]:
        """The twelve flags by name."""
        return dict(zip(FLAG_NAMES, _all_flags(self), strict=True))


FLAG_NAMES = tuple(name for name in RouteDecisionFlags.__dataclass_fields__ if name != "scope")
"""All twelve, in the order of the record."""
_all_flags = attrgetter(*FLAG_NAMES)


@dataclass(frozen=True, slots=True)
class StoreSufficiencyResult:
    """What the stores can do for one question. ``evidence`` holds, by reason code, the fact behind it."""

    canonical_sufficient: bool
    feature_sufficient: bool
    risk_sufficient: bool
    freshness_ok: bool
    aggregate_level_ok: bool
    ranking_ready: bool
    explanation_ready: bool
    reason_codes: list[str] = field(default_factory=list)
    evidence: Mapping[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for a record."""
        return {
            "canonical_sufficient": self.canonical_sufficient,
            "feature_sufficient": self.feature_sufficient,
            "risk_sufficient": self.risk_sufficient,
            "freshness_ok": self.freshness_ok,
            "aggregate_level_ok": self.aggregate_level_ok,
            "ranking_ready": self.ranking_ready,
            "explanation_ready": self.explanation_ready,
            "reason_codes": list(self.reason_codes),
            "evidence": dict(self.evidence),
        }
