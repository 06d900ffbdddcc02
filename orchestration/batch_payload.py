"""The payload of a ``refresh_and_answer`` job: made of a decision record, and all that a worker on another machine needs.

The first five fields are section 9 of the source.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from datetime import date
from typing import Any, Final

from orchestration.batch_errors import PayloadBroken
from router.contracts import RouteDecisionFlags
from router.store_sufficiency import needed_aggregates

JOB_TYPE: Final = "refresh_and_answer"
FEATURE, RISK = "feature_store", "risk_store"
TIMEOUT_SECONDS: Final = 900.0

_ANOMALY_SUBJECTS = frozenset(("anomaly", "risk", "error"))
_REASONS = ("needs_full_period_aggregation", "needs_ranking", "needs_anomaly_summary")


@dataclass(frozen=True, slots=True)
class JobPayload:
    """``slice_window``: ``2020-06`` for a calendar month, else ``2020-06-01..2020-06-15``, empty where neither question nor store says one.

    ``aggregates``: names ``kind/level/subject`` that the question needs. ``decision`` is the router's record, so that the job is answered as it was decided.
    ``stores`` and ``snapshot`` are folders as the worker sees them; without ``snapshot`` it is the folder the store was loaded from.
    """

    question_id: str
    slice_window: str
    requested_outputs: list[str]
    reason: list[str]
    job_type: str = JOB_TYPE
    question_text: str = ""
    fragment_id: str = "F1"
    aggregates: list[str] = field(default_factory=list)
    decision: dict[str, Any] = field(default_factory=dict)
    stores: str = ""
    snapshot: str | None = None
    as_of: str | None = None
    timeout_seconds: float = TIMEOUT_SECONDS

    def to_dict(self) -> dict[str, Any]:
        """A JSON object."""
        return asdict(self)


def build_payload(
    decision: Mapping[str, Any], *, stores: str, snapshot: str | None = None, as_of: str | None = None, question_text: str | None = None,
    fragment_id: str = "F1", timeout_seconds: float = TIMEOUT_SECONDS,
) -> JobPayload:  # fmt: skip
    """Payload for a decision record (`RouteDecisionLog.to_dict`) whose route is the batch."""
    flags = RouteDecisionFlags(**decision["decision_flags"])
    scope = decision["scope"]
    about_risk = scope["subject"] in _ANOMALY_SUBJECTS
    subject = "anomaly" if about_risk else scope["subject"]
    rejected = decision["rejected_routes"].get("store_feature_risk", "aggregate_not_sufficient")
    return JobPayload(
        question_id=decision["question_id"],
        slice_window=_window(decision),
        requested_outputs=[FEATURE, RISK] if about_risk else [FEATURE],
        reason=[*(r for r in _REASONS if decision["decision_flags"][r]), rejected],
        question_text=decision["question_text"] if question_text is None else question_text,
        fragment_id=fragment_id,
        aggregates=[f"{kind}/{level}/{subject}" for kind in needed_aggregates(flags) for level in scope["levels"]],
        decision=dict(decision),
        stores=stores,
        snapshot=snapshot,
        as_of=as_of,
        timeout_seconds=timeout_seconds,
    )


def read_payload(given: Mapping[str, Any]) -> JobPayload:
    """The payload that a job carries. Raises `PayloadBroken`; fields of a newer program are passed over."""
    known = {f.name for f in fields(JobPayload)}
    missing = {"question_id", "slice_window", "requested_outputs", "reason"} - set(given)
    if missing or given.get("job_type") != JOB_TYPE:
        raise PayloadBroken(
            f"a payload of type {given.get('job_type')!r} without {', '.join(sorted(missing)) or 'nothing'}; a job has the type {JOB_TYPE!r} and the fields of section 9"
        )
    payload = JobPayload(**{k: v for k, v in given.items() if k in known})
    period_of_window(payload.slice_window)
    return payload


def _window(decision: Mapping[str, Any]) -> str:
    """The named period from its first to its last day, else the loaded slice."""
    periods = decision["scope"]["periods"]
    if periods:
        return window_of(min(p[0] for p in periods), max(p[1] for p in periods))
    loaded = ((decision.get("store_metadata") or {}).get("snapshot") or {}).get("period") or {}
    return window_of(loaded["start"], loaded["end"]) if {"start", "end"} <= set(loaded) else ""


def window_of(start: str, end: str) -> str:
    """``2020-06`` where the days are a calendar month, else both.

    >>> window_of("2020-06-01", "2020-06-30"), window_of("2020-06-01", "2020-06-15")
    ('2020-06', '2020-06-01..2020-06-15')
    """
    a, b = date.fromisoformat(start), date.fromisoformat(end)
    whole = a.day == 1 and (a.year, a.month) == (b.year, b.month) and b.day == monthrange(b.year, b.month)[1]
    return f"{a:%Y-%m}" if whole else f"{a}..{b}"


def period_of_window(window: str) -> tuple[date, date] | None:
    """First and last day of a window, None for the empty one. Raises `PayloadBroken`."""
    if not window:
        return None
    month = re.fullmatch(r"(\d{4})-(\d{2})", window)
    try:
        if month:
            year, number = int(month[1]), int(month[2])
            return date(year, number, 1), date(year, number, monthrange(year, number)[1])
        start, end = map(date.fromisoformat, window.split(".."))
    except ValueError as error:
        raise PayloadBroken(f"slice_window {window!r}: write it as 2020-06 or 2020-06-01..2020-06-15") from error
    return start, end
