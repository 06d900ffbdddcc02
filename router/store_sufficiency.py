"""Whether the stores can answer a question of this shape: the only module that draws conclusions from store metadata.

`read_facts` reads what metadata says about a scope, whatever the flags; `check_store_sufficiency` puts flags and facts together. What section 6
of the source forbids beyond the guards stands here: the canonical store never answers heavy questions, runtime truth, chains, trends
or risks, or an ambiguous scope.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from router.contracts import RouteDecisionFlags, Scope, StoreSufficiencyResult
from router.store_metadata import AggregateState, ReadMetadata, StoreMetadata, read_metadata

RANKING, SUMMARY, BREAKDOWN = "ranking", "summary", "breakdown"
_LEVEL_OF_KIND = {"register_record": "posting", "subconto": "account"}
_ANOMALY_SUBJECTS = frozenset(("anomaly", "risk", "error"))


@dataclass(frozen=True, slots=True)
class AggregateFact:
    """One kind of aggregate for a scope: ``available`` it covers subject and period, ``level_ok`` at the needed level too, ``current`` built from the current run."""

    available: bool
    level_ok: bool
    current: bool

    @property
    def ready(self) -> bool:
        """All of it."""
        return self.available and self.level_ok and self.current


@dataclass(frozen=True, slots=True)
class StoreFacts:
    """What metadata says about a scope before any flag is looked at; ``evidence`` by reason code for everything that is not so."""

    trusted: bool
    complete: bool
    period_covered: bool
    kinds_loaded: bool
    groupings_built: bool
    grain_built: bool
    risk_levels_built: bool
    canonical_current: bool
    feature_current: bool
    risk_current: bool
    age_ok: bool
    open_period: bool
    aggregates: Mapping[str, AggregateFact]
    explanations: bool
    evidence: Mapping[str, str]

    def stale(self, freshness_sensitive: bool) -> bool:
        """Whether the data is too old for a question that is ``freshness_sensitive`` or asks for a period still open."""
        return (freshness_sensitive or self.open_period) and not self.age_ok

    def fresh(self, freshness_sensitive: bool) -> bool:
        """``freshness_ok`` but for the aggregate: every store from the current snapshot, and data young enough where that is asked."""
        return (
            self.trusted
            and self.canonical_current
            and self.feature_current
            and self.risk_current
            and not self.stale(freshness_sensitive)
        )

    @property
    def confident(self) -> bool:
        """``store_sufficiency_confident`` but for uncertain flags: metadata whole, snapshot complete, period known and covered."""
        return self.trusted and self.complete and self.period_covered


_NO_AGGREGATES = {kind: AggregateFact(False, False, False) for kind in (RANKING, SUMMARY, BREAKDOWN)}


def needed_aggregates(flags: RouteDecisionFlags) -> tuple[str, ...]:
    """Kinds of aggregate that flags ask for; aggregation alone is a breakdown."""
    kinds = ((RANKING, flags.needs_ranking), (SUMMARY, flags.needs_anomaly_summary))
    named = tuple(kind for kind, needed in kinds if needed)
    return named or ((BREAKDOWN,) if flags.needs_full_period_aggregation else ())


def judged_flags(learned: Mapping[str, bool], facts: StoreFacts, scope: Scope, uncertain: bool) -> RouteDecisionFlags:
    """All twelve flags: the ten ``learned``, and the two that are facts. ``uncertain``: a deciding flag is inside its uncertain band."""
    flags = RouteDecisionFlags(
        **learned,
        store_sufficiency_confident=facts.confident and not uncertain,
        precomputed_aggregate_available=False,
        scope=scope,
    )
    needed = needed_aggregates(flags)
    if needed and all(facts.aggregates[kind].available for kind in needed):
        return replace(flags, precomputed_aggregate_available=True)
    return flags


_FACTS_REMEMBERED = 4096
_facts: dict[tuple[object, ...], StoreFacts] = {}
"""Facts already read, by metadata version and scope: most questions of a day share a few scopes. Emptied when full."""


def read_facts(scope: Scope, read: ReadMetadata) -> StoreFacts:
    """Facts of ``read`` for ``scope``."""
    key = (read.version, *scope.bounds)
    found = _facts.get(key)
    if found is None:
        if len(_facts) >= _FACTS_REMEMBERED:
            _facts.clear()
        found = _facts[key] = _read_facts(scope, read)
    return found


def _read_facts(scope: Scope, read: ReadMetadata) -> StoreFacts:
    m = read.metadata
    if m is None or read.covered is None or read.today is None:
        return StoreFacts(
            False, False, False, False, False, False, False, False, False, False, False, False, _NO_AGGREGATES, False,
            {read.problem or "metadata_broken": read.detail},
        )  # fmt: skip
    evidence: dict[str, str] = {}

    def fact(holds: bool, code: str, detail: str) -> bool:
        if not holds:
            evidence[code] = detail
        return holds

    start, end = read.covered
    uncovered = [p for p in scope.periods if p[0] < start or p[1] > end]
    period_covered = fact(
        not uncovered and not scope.period_unresolved and start <= end,
        "period_not_covered",
        f"snapshot covers {start} to {end}" + "".join(f", asked {a} to {b}" for a, b in uncovered),
    )
    levels = {_LEVEL_OF_KIND.get(kind, kind) for kind in scope.entity_kinds}
    missing_kinds = sorted(set(scope.entity_kinds) - m.snapshot.entity_kinds)
    missing_groupings = sorted(levels - m.stores.feature.groupings)
    missing_risk = sorted(levels - m.stores.risk.levels)
    current = m.snapshot.snapshot_id
    stores = m.stores
    hours = m.age.total_seconds() / 3600
    trusted = fact(read.problem is None, read.problem or "", read.detail)
    return StoreFacts(
        trusted=trusted,
        complete=fact(m.snapshot.complete, "snapshot_incomplete", f"snapshot {current} is marked incomplete"),
        period_covered=period_covered,
        kinds_loaded=fact(not missing_kinds and bool(m.snapshot.entity_kinds), "entity_kind_missing", f"not in the snapshot: {', '.join(missing_kinds) or 'any kind'}"),
        groupings_built=fact(not missing_groupings and bool(stores.feature.groupings), "grouping_missing", f"feature store has no grouping by {', '.join(missing_groupings) or 'anything'}"),
        grain_built=fact(scope.time_grain is None or scope.time_grain in stores.feature.time_grains, "time_grain_missing", f"feature store has no series by {scope.time_grain}"),
        risk_levels_built=fact(not missing_risk and bool(stores.risk.levels), "risk_level_missing", f"risk store has no level {', '.join(missing_risk) or 'at all'}"),
        canonical_current=fact(stores.canonical.snapshot_id == current, "canonical_stale", f"canonical store is of snapshot {stores.canonical.snapshot_id}, current is {current}"),
        feature_current=fact(stores.feature.snapshot_id == current, "feature_stale", f"feature store is of snapshot {stores.feature.snapshot_id}, current is {current}"),
        risk_current=fact(stores.risk.snapshot_id == current, "risk_stale", f"risk store is of snapshot {stores.risk.snapshot_id}, current is {current}"),
        age_ok=fact(hours <= m.freshness.max_age_hours, "data_too_old", f"data is {hours:.1f} h old at {m.as_of.isoformat()}, allowed {m.freshness.max_age_hours:g} h"),
        open_period=_is_open(scope, read.today),
        aggregates={kind: _aggregate_fact(kind, scope, m, (start, end), evidence) for kind in (RANKING, SUMMARY, BREAKDOWN)} if trusted else _NO_AGGREGATES,
        explanations=fact(m.explanations.materialised and trusted, "explanation_not_materialised", "causal links are not stored"),
        evidence=evidence,
    )  # fmt: skip


def _is_open(scope: Scope, today: date) -> bool:
    return any(last >= today for _, last in scope.periods)


def _aggregate_fact(
    kind: str, scope: Scope, m: StoreMetadata, covered: tuple[date, date], evidence: dict[str, str]
) -> AggregateFact:
    """The needed aggregate for each level; a filtered scope has none, since aggregates are over whole slices."""
    name = f"{kind} of {scope.subject}"
    if scope.filtered:
        evidence[f"{kind}_aggregate_missing"] = f"a ready {name} is over the whole slice, the question is bounded"
        return AggregateFact(False, False, False)
    fitting = [
        a
        for a in m.aggregates
        if a.kind == kind and _same_subject(a.subject, scope.subject) and _covers(a, scope, covered)
    ]
    if not fitting:
        evidence[f"{kind}_aggregate_missing"] = f"no ready {name} for the period"
        return AggregateFact(False, False, False)
    at_level = [a for a in fitting if a.level in scope.levels]
    level_ok = {a.level for a in at_level} == set(scope.levels)
    if not level_ok:
        have, need = ", ".join(sorted({a.level for a in fitting})), ", ".join(scope.levels)
        evidence[f"{kind}_level_missing"] = f"ready {name} stands at level {have}, needed level={need}"
    by_run = {store.run_id: store.snapshot_id for store in (m.stores.canonical, m.stores.feature, m.stores.risk)}
    current = all(by_run.get(a.source_run_id) == m.snapshot.snapshot_id for a in (at_level or fitting))
    if not current:
        evidence[f"{kind}_aggregate_stale"] = (
            f"ready {name} comes from run {(at_level or fitting)[0].source_run_id}, which is not a current store run"
        )
    return AggregateFact(True, level_ok, current)


def _same_subject(a: str, b: str) -> bool:
    return a == b or (a in _ANOMALY_SUBJECTS and b in _ANOMALY_SUBJECTS)


def _covers(aggregate: AggregateState, scope: Scope, covered: tuple[date, date]) -> bool:
    """Exactly the asked period, or the whole loaded slice when none is named: a total cannot be cut to a part of its period."""
    wanted = scope.periods or (covered,)
    return all((aggregate.period.start, aggregate.period.end) == period for period in wanted)


def check_store_sufficiency(
    question_shape: RouteDecisionFlags, store_metadata: Mapping[str, Any] | None
) -> StoreSufficiencyResult:
    """Sufficiency of each store for a question, a reason code with evidence for everything that is missing.

    Never raises: missing, broken or contradictory metadata makes every store insufficient, under a code of that name.
    """
    return sufficiency_from_facts(question_shape, read_facts(question_shape.scope, read_metadata(store_metadata)))


def sufficiency_from_facts(flags: RouteDecisionFlags, facts: StoreFacts) -> StoreSufficiencyResult:
    """`check_store_sufficiency` for facts that are already read."""
    needed = needed_aggregates(flags)
    aggregates = [facts.aggregates[kind] for kind in needed]
    freshness_ok = facts.fresh(flags.freshness_sensitive) and all(a.current for a in aggregates if a.available)
    aggregate_level_ok = all(a.level_ok for a in aggregates)
    ranking = facts.aggregates[RANKING]
    ranking_ready = ranking.level_ok and ranking.current and facts.fresh(flags.freshness_sensitive)
    confident = flags.store_sufficiency_confident and facts.confident
    young = not facts.stale(flags.freshness_sensitive)
    about_risk = flags.scope.subject == "anomaly"

    risk_sufficient = confident and young and facts.risk_current and facts.risk_levels_built
    if flags.heavy:
        feature_sufficient = confident and freshness_ok and aggregate_level_ok and flags.precomputed_aggregate_available
    else:
        built = facts.groupings_built and facts.grain_built and facts.feature_current
        feature_sufficient = confident and young and built and (risk_sufficient or not about_risk)
    explanation_ready = facts.explanations and confident and facts.canonical_current and young
    canonical_facts = confident and young and facts.canonical_current and facts.kinds_loaded
    shape_allows = not (
        flags.heavy
        or flags.needs_exact_object_trace
        or flags.needs_causal_chain
        or flags.needs_runtime_truth
        or flags.parsed_as_trend_or_risk
        or flags.ambiguous_object_scope
    )
    codes = _reason_codes(flags, facts, needed, shape_allows)
    return StoreSufficiencyResult(
        canonical_sufficient=canonical_facts and shape_allows,
        feature_sufficient=feature_sufficient,
        risk_sufficient=risk_sufficient,
        freshness_ok=freshness_ok,
        aggregate_level_ok=aggregate_level_ok,
        ranking_ready=ranking_ready,
        explanation_ready=explanation_ready,
        reason_codes=codes,
        evidence={code: facts.evidence.get(code) or _SHAPE_EVIDENCE[code] for code in codes},
    )


_ALWAYS = (
    "metadata_missing", "metadata_broken", "metadata_contradictory", "snapshot_incomplete", "period_not_covered", "entity_kind_missing",
    "canonical_stale", "feature_stale", "risk_stale",
)  # fmt: skip
_SHAPE_EVIDENCE = {
    "wrong_query_shape": "the canonical store answers plain facts only",
    "uncertain_flag": "a flag that decides is inside its uncertain band",
}


def _reason_codes(
    flags: RouteDecisionFlags, facts: StoreFacts, needed: tuple[str, ...], shape_allows: bool
) -> list[str]:
    """Codes that bear on this question, the general ones first."""
    codes = [code for code in _ALWAYS if code in facts.evidence]
    if facts.stale(flags.freshness_sensitive) and "data_too_old" in facts.evidence:
        codes.append("data_too_old")
    for kind in needed:
        codes += [
            c
            for c in (f"{kind}_aggregate_missing", f"{kind}_level_missing", f"{kind}_aggregate_stale")
            if c in facts.evidence
        ]
    if flags.parsed_as_trend_or_risk and not flags.heavy:
        codes += [c for c in ("grouping_missing", "time_grain_missing") if c in facts.evidence]
        if flags.scope.subject == "anomaly" and "risk_level_missing" in facts.evidence:
            codes.append("risk_level_missing")
    if flags.needs_causal_chain and "explanation_not_materialised" in facts.evidence:
        codes.append("explanation_not_materialised")
    if not shape_allows:
        codes.append("wrong_query_shape")
    if facts.confident and not flags.store_sufficiency_confident:
        codes.append("uncertain_flag")
    return codes
