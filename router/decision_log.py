"""The record of one decision: why this route, and why none of the others.

Section 10 of the source gives the first ten fields; the rest is what replays a decision: bundle, guards, store, row and inputs. The id is a
digest of those, so the same decision has the same id on every machine.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, NamedTuple

import orjson

from features.vectoriser import Row
from router.contracts import FLAG_NAMES, ROUTES, RouteDecisionFlags, StoreSufficiencyResult
from router.route_selector import GUARDS

LOG_VERSION = 2
"""Raise it with any change of the fields, of the id, or of how probabilities are rounded: records of another version do not replay byte for byte."""
EXECUTION_MODES = {
    "live_mcp_drilldown": "live",
    "hybrid_store_plus_live": "store_plus_live",
    "store_canonical": "store",
    "store_feature_risk": "store",
    "batch_refresh_then_store": "batch",
    "no_route": "none",
}


@dataclass(slots=True)  # not frozen: that costs 4 of a decision's 250 microseconds
class RouteDecisionLog:
    """``rejected_routes`` maps every route that was not chosen to a reason code, ``rejection_evidence`` the same routes to the fact behind it.

    ``row``: scored feature indices a block, lists of integers once written. ``masked``: names of fields whose content was taken out after the decision.
    """

    question_id: str
    question_text: str
    parsed_class: str
    decision_flags: dict[str, bool]
    sufficiency_snapshot: dict[str, Any]
    candidate_routes: list[str]
    rejected_routes: dict[str, str]
    chosen_route: str
    execution_mode: str
    batch_job_id: str | None
    decision_id: str = ""
    log_version: int = LOG_VERSION
    decided_by: str = ""
    no_route_reason: str | None = None
    rejection_evidence: dict[str, str] = field(default_factory=dict)
    flag_probabilities: dict[str, float] = field(default_factory=dict)
    class_probabilities: dict[str, float] = field(default_factory=dict)
    out_of_scope_probability: float = 0.0
    route_probabilities: dict[str, float] = field(default_factory=dict)
    uncertain_flags: list[str] = field(default_factory=list)
    scope: dict[str, Any] = field(default_factory=dict)
    bundle_digest: str = ""
    guard_revision: str = ""
    store_version: str = ""
    row: Row | tuple[()] = ()
    parsed_intent: dict[str, Any] = field(default_factory=dict)
    parsed_intent_problems: list[str] = field(default_factory=list)
    store_metadata: dict[str, Any] | None = None
    question_length: int = 0
    question_truncated: bool = False
    masked: list[str] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """Plain values in the order of the fields."""
        return {**self._values(), "row": self.row.to_lists() if self.row else []}

    def to_json(self) -> bytes:
        """One line of UTF-8 JSON, keys in the order of the fields."""
        return orjson.dumps(self.writable(), option=orjson.OPT_SERIALIZE_NUMPY)

    def writable(self) -> dict[str, Any]:
        """`to_dict` with arrays left for ``orjson.dumps(…, option=OPT_SERIALIZE_NUMPY)``, which writes them several times faster than lists."""
        return {**self._values(), "row": list(self.row.arrays()) if self.row else []}

    def _values(self) -> dict[str, Any]:
        return dict(zip(_FIELDS, _values_of(self), strict=True))


_FIELDS = tuple(RouteDecisionLog.__dataclass_fields__)
_values_of = attrgetter(*_FIELDS)


def decision_id(row: Row | None, inputs: object) -> str:
    """Digest of what a decision depends on, 32 hexadecimal digits: the scored row and ``inputs``, anything that is JSON."""
    words, chars, cues = row or ((), (), ())
    told = orjson.dumps([inputs, words, cues], option=orjson.OPT_SORT_KEYS, default=str)
    return hashlib.blake2b(b"".join((told, *chars)), digest_size=16).hexdigest()


class Reasons(NamedTuple):
    """``candidates``: the chosen route, then every route whose guard fires. ``codes`` and ``evidence`` by rejected route: why not, and the fact behind it."""

    candidates: list[str]
    codes: dict[str, str]
    evidence: dict[str, str]


def reasons_against(
    flags: RouteDecisionFlags | None, sufficiency: StoreSufficiencyResult | None, chosen_route: str, decided_by: str
) -> Reasons:
    """Reasons by guards and sufficiency; where the question was not read, every other route was decided against earlier."""
    others = [r for r in ROUTES if r != chosen_route]
    if flags is None or sufficiency is None:
        return Reasons([chosen_route], dict.fromkeys(others, "decided_earlier"), dict.fromkeys(others, decided_by))
    fired = [g.route for g in GUARDS if g.name != "fallback" and g.fires(flags, sufficiency)]
    found = {r: _why_not(r, chosen_route, decided_by, flags, sufficiency) for r in others}
    return Reasons(
        list(dict.fromkeys([chosen_route, *fired])),
        {r: code for r, (code, _) in found.items()},
        {r: evidence for r, (_, evidence) in found.items()},
    )


def build_route_decision_log(
    *,
    question_id: str,
    question_text: str,
    parsed_class: str,
    flags: RouteDecisionFlags | None,
    sufficiency: StoreSufficiencyResult | None,
    chosen_route: str,
    decided_by: str,
    rejected: Mapping[str, tuple[str, str]] | None = None,
    reasons: Reasons | None = None,
    **details: Any,
) -> RouteDecisionLog:
    """Record of a decision. ``rejected`` overrides the reasons that flags and sufficiency give, or ``reasons`` where they are known already;
    ``details`` are further fields of the log.
    """
    reasons = reasons or reasons_against(flags, sufficiency, chosen_route, decided_by)
    given = rejected or {}
    return RouteDecisionLog(
        question_id=question_id,
        question_text=question_text,
        parsed_class=parsed_class,
        decision_flags=flags.to_dict() if flags else dict.fromkeys(FLAG_NAMES, False),
        sufficiency_snapshot=sufficiency.to_dict() if sufficiency else {},
        candidate_routes=reasons.candidates.copy(),
        rejected_routes=reasons.codes | {route: code for route, (code, _) in given.items()},
        rejection_evidence=reasons.evidence | {route: evidence for route, (_, evidence) in given.items()},
        chosen_route=chosen_route,
        execution_mode=EXECUTION_MODES[chosen_route],
        decided_by=decided_by,
        batch_job_id=details.pop("batch_job_id", None),
        **details,
    )


def _why_not(
    route: str, chosen: str, decided_by: str, flags: RouteDecisionFlags, suff: StoreSufficiencyResult
) -> tuple[str, str]:
    """(reason code, evidence) for a route that was not chosen."""
    if route == "no_route":
        return "in_scope", "the question is about the company's data"
    if route == "live_mcp_drilldown":
        return "no_exact_object", "no single object is asked for by number, reference or pointing"
    if route == "batch_refresh_then_store":
        if not flags.heavy:
            return "not_heavy", "neither aggregation, ranking nor summary is needed"
        ready = flags.precomputed_aggregate_available and suff.freshness_ok and suff.aggregate_level_ok
        return (
            ("aggregate_ready", "a fresh aggregate of the needed level is ready")
            if ready
            else ("decided_earlier", decided_by)
        )
    if route == "store_feature_risk":
        return _why_not_feature(decided_by, flags, suff)
    if route == "store_canonical":
        if "wrong_query_shape" in suff.reason_codes:
            return "wrong_query_shape", _shape(flags)
        return _first_reason(suff, decided_by)
    return (
        ("store_sufficient", "the store answers by itself")
        if chosen in ("store_canonical", "store_feature_risk")
        else ("decided_earlier", decided_by)
    )


def _why_not_feature(decided_by: str, flags: RouteDecisionFlags, suff: StoreSufficiencyResult) -> tuple[str, str]:
    if flags.heavy and not suff.feature_sufficient:
        facts = [
            suff.evidence[c]
            for c in suff.reason_codes
            if "aggregate" in c or "level" in c or "stale" in c or c == "data_too_old"
        ]
        return "aggregate_not_sufficient", "; ".join(facts) or _first_reason(suff, decided_by)[1]
    if not flags.parsed_as_trend_or_risk and not flags.needs_anomaly_summary:
        return "not_trend_or_risk", "neither trend, deviation, error sign nor risk is asked for"
    if flags.needs_runtime_truth:
        return "runtime_truth_needed", "the accounting system itself must be asked"
    return _first_reason(suff, decided_by)


def _first_reason(suff: StoreSufficiencyResult, decided_by: str) -> tuple[str, str]:
    for code in suff.reason_codes:
        if code not in ("wrong_query_shape", "explanation_not_materialised"):
            return code, suff.evidence[code]
    return "decided_earlier", decided_by


_FORBIDDING = (
    "needs_exact_object_trace", "needs_full_period_aggregation", "needs_ranking", "needs_anomaly_summary", "needs_causal_chain",
    "needs_runtime_truth", "parsed_as_trend_or_risk", "ambiguous_object_scope",
)  # fmt: skip


def _shape(flags: RouteDecisionFlags) -> str:
    return "plain facts only; here " + ", ".join(f for f in _FORBIDDING if getattr(flags, f))
