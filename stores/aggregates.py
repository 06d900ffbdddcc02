"""Ready aggregates: kind × level × subject × period.

A *summary* counts and weighs what there is of a subject at a level, a *ranking* orders the level's members, a *breakdown* gives each its share. The subject is
``anomaly`` (risk signs and scores) or a measure of the features. Aggregates are over the whole slice. Where no level is named, risks themselves are ranked: by sign.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import ibis

from stores.engine import schema_of
from stores.errors import StoresError
from stores.facts import Facts, total
from stores.features import GROUPINGS
from stores.series import BALANCES, FLOWS

SUMMARY, RANKING, BREAKDOWN = "summary", "ranking", "breakdown"
KINDS: Final = (SUMMARY, RANKING, BREAKDOWN)
ANOMALY: Final = "anomaly"
COMPANY: Final = "company"
RANKED: Final = 1000
"""Members a ranking or breakdown keeps; the rest is in its totals."""

MEASURES: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    "account": {"turnover": ("dr", "cr"), "balance": ("closing",)},
    "counterparty": {
        "revenue": ("sales",), "receivable": ("receivable",), "payable": ("payable",), "advance": ("advances_received",), "purchase": ("purchases",),
        "debt": ("receivable",), "turnover": ("sales", "purchases"),
    },
    "contract": {
        "revenue": ("sales",), "receivable": ("receivable",), "payable": ("payable",), "advance": ("advances_received",), "purchase": ("purchases",),
        "debt": ("receivable",), "turnover": ("sales", "purchases"),
    },
    "item": {"stock": ("closing",), "turnover": ("received", "issued")},
    "warehouse": {"stock": ("closing",), "turnover": ("received", "issued")},
    "employee": {"salary": ("accrued",)},
    "document": {"turnover": ("turnover",), "vat": ("vat",)},
    "posting": {"turnover": ("amount",)},
    "organisation": {name: (name,) for name in FLOWS},
}  # fmt: skip
"""Subject → columns of the level's features whose sum it is."""

COLUMNS: Final = {
    "name": "string", "place": "int64", "member": "string", "measure": "string", "value": "int64", "share": "float64", "score": "int64", "signs": "int64",
}  # fmt: skip


class UnknownAggregate(StoresError):
    """No such aggregate can be made of this store."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which aggregate; ``level`` is a grouping or ``company``."""

    kind: str
    level: str
    subject: str

    @property
    def name(self) -> str:
        """Key within a store version."""
        return f"{self.kind}/{self.level}/{self.subject}"


READY: Final = (Wanted(SUMMARY, "posting", ANOMALY),)
"""What a freshly loaded snapshot has; the rest is built when it is asked for."""


def check_wanted(wanted: Wanted) -> None:
    """Raises `UnknownAggregate`, which says what can be asked for, where no store could make ``wanted``."""
    if wanted.kind not in KINDS or wanted.level not in (*GROUPINGS, COMPANY):
        raise UnknownAggregate(
            f"{wanted.name}: kinds are {', '.join(KINDS)}; levels are {', '.join((*GROUPINGS, COMPANY))}"
        )
    if wanted.subject == ANOMALY:
        return
    if wanted.level == COMPANY and (wanted.subject not in (*FLOWS, *BALANCES) or wanted.kind == RANKING):
        raise UnknownAggregate(
            f"{wanted.name}: a company has summaries and breakdowns of {', '.join((*FLOWS, *BALANCES))}"
        )
    if wanted.level != COMPANY and wanted.subject not in MEASURES[wanted.level]:
        raise UnknownAggregate(f"{wanted.name}: {wanted.level} has {', '.join((ANOMALY, *MEASURES[wanted.level]))}")


def rows(facts: Facts, wanted: Wanted) -> ibis.Table:
    """Rows of an aggregate, in `COLUMNS`. Raises `UnknownAggregate`."""
    check_wanted(wanted)
    return _anomalies(facts, wanted) if wanted.subject == ANOMALY else _measures(facts, wanted)


def _anomalies(facts: Facts, wanted: Wanted) -> ibis.Table:
    subjects, scores = facts.table("risk_subject"), facts.table("risk_score")
    if wanted.kind == RANKING and wanted.level != COMPANY:
        s = scores.filter(scores.level == wanted.level)
        place = ibis.row_number().over(order_by=[s.score.desc(), s.signs.desc(), s.subject])
        s = s.mutate(place=place + 1)
        s = s.filter(s.place <= RANKED)
        return _shaped(
            wanted, s, place=s.place, member=s.subject, measure="score", value=s.score, score=s.score, signs=s.signs
        )
    own = facts.table("risk_sign") if wanted.level == COMPANY else None
    s = (
        subjects.filter(subjects.level == wanted.level)
        if own is None
        else own.select(sign=own.id, code=own.code, topic=own.topic, weight=own.weight, subject=own.subject)
    )
    group = "topic" if wanted.kind == BREAKDOWN else "code"
    g = s.group_by(group).aggregate(
        signs=s.sign.nunique().cast("int64"),
        members=s.subject.nunique().cast("int64"),
        weight=s.weight.max().cast("int64"),
    )
    g = g.mutate(
        place=ibis.row_number().over(
            order_by=[g.weight.desc(), *([g.signs.desc()] if wanted.kind == RANKING else []), g[group]]
        )
        + 1,
        share=g.signs / g.signs.sum().over(ibis.window()),
    )
    return _shaped(
        wanted,
        g,
        place=g.place,
        member=g[group],
        measure="members",
        value=g.members,
        score=g.weight,
        signs=g.signs,
        share=g.share,
    )


def _measures(facts: Facts, wanted: Wanted) -> ibis.Table:
    if wanted.level == COMPANY:
        series = facts.table("feature_series")
        grain = "month" if wanted.kind == SUMMARY else "week"
        s = series.filter((series.level == COMPANY) & (series.measure == wanted.subject) & (series.grain == grain))
        s = s.mutate(place=ibis.row_number().over(order_by=s.start) + 1)
        return _shaped(wanted, s, place=s.place, member=s.start.cast("string"), measure=wanted.subject, value=s.value)
    columns = MEASURES[wanted.level][wanted.subject]
    t = facts.table(f"feature_{wanted.level}")
    value = t[columns[0]]
    for more in columns[1:]:
        value = value + t[more]
    t = t.select("subject", value=value.cast("int64"))
    t = t.filter(t.value != 0)
    if wanted.kind == SUMMARY:
        g = t.aggregate(value=total(t.value), members=t.count().cast("int64"), largest=t.value.max().cast("int64"))
        return (
            _shaped(wanted, g, place=1, member="", measure="total", value=g.value)
            .union(_shaped(wanted, g, place=2, member="", measure="members", value=g.members))
            .union(_shaped(wanted, g, place=3, member="", measure="largest", value=g.largest))
        )
    t = t.mutate(
        place=ibis.row_number().over(order_by=[t.value.desc(), t.subject]) + 1,
        share=t.value / t.value.sum().over(ibis.window()).cast("float64").nullif(0.0),
    )
    t = t.filter(t.place <= RANKED)
    return _shaped(wanted, t, place=t.place, member=t.subject, measure=wanted.subject, value=t.value, share=t.share)


def _shaped(wanted: Wanted, t: ibis.Table, **given: Any) -> ibis.Table:
    def column(name: str, dtype: str) -> Any:
        value = given.get(name)
        return value.cast(dtype) if isinstance(value, ibis.expr.types.Value) else ibis.literal(value, dtype)

    return t.select(name=ibis.literal(wanted.name), **{n: column(n, d) for n, d in COLUMNS.items() if n != "name"})


def build_aggregates(facts: Facts, wanted: tuple[Wanted, ...], tick: Callable[[str], None] | None = None) -> None:
    """Create ``aggregate_row`` with every wanted aggregate. Raises `UnknownAggregate`."""
    c = facts.connection
    c.create_table("aggregate_row", schema=schema_of(COLUMNS))
    for one in wanted:
        c.insert("aggregate_row", rows(facts, one))
        if tick:
            tick(f"aggregate {one.name}")
