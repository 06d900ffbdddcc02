"""Ready aggregates: which one a fragment needs, and how its rows read.

A batch job asks `aggregates_needed` what to build before `execute_route` is called; the executor of the batch and that of the feature store read them alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from executors.context import ExecutorContext
from executors.lookup import Lookup, read_lookup
from executors.money import money
from executors.names import names_of, title_of
from features.topics import FAULT_CONCEPTS
from stores.aggregates import ANOMALY, BREAKDOWN, COMPANY, MEASURES, RANKING, SUMMARY, Wanted
from stores.features import GROUPINGS
from stores.series import BALANCES, FLOWS

_RANKING_CUES: Final = frozenset(("rank", "most", "priority"))
_DEFAULT_RANKED: Final = {ANOMALY: "document"}
_SAME: Final = {("item", "balance"): "stock", ("warehouse", "balance"): "stock", ("employee", "turnover"): "salary"}
"""What a measure is called at a level."""
_TRADED: Final = {"sale": "revenue", "purchase": "purchase"}
"""What a kind of document measures where something else is rated by it: «топ поставщиков по закупкам»."""
_OWED: Final = {"receivable": ("дебитор", "должник", "debtor"), "payable": ("кредитор", "creditor")}
"""What a word for a counterparty measures it by, where no measure is named: «топ-5 дебиторов»."""
_COUNTED_BY: Final = {
    "account": "postings", "counterparty": "documents", "contract": "documents", "item": "postings", "warehouse": "postings", "employee": "postings", "document": "postings",
    "organisation": "documents",
}  # fmt: skip
"""Column of a level's features that says how many records stand behind a member."""


@dataclass(frozen=True, slots=True)
class ReadAggregate:
    """Items in the aggregate's order, how many records were looked at, how many members it has, how many records bear a sign (None for measures)."""

    items: list[dict[str, Any]]
    checked: int
    members: int
    risky: int | None


@dataclass(frozen=True, slots=True)
class Needed:
    """What a fragment's answer needs built: the aggregates, and the slice as section 9 of the source writes it (a month, else first/last day)."""

    aggregates: tuple[Wanted, ...]
    slice_window: str


def aggregates_needed(fragment_text: str, context: ExecutorContext) -> Needed:
    """What a batch must have built before the fragment can be answered; no aggregate where the store can make none of that kind."""
    lookup = read_lookup(fragment_text, context)
    wanted = aggregate_meant(lookup)
    first, last = lookup.dates
    whole = (
        (first.year, first.month) == (last.year, last.month)
        and first.day == 1
        and (last.month == 12 or last.replace(day=1) != last)
    )
    window = f"{first:%Y-%m}" if whole else f"{first.isoformat()}/{last.isoformat()}"
    return Needed((wanted,) if wanted else (), window)


def aggregate_meant(lookup: Lookup) -> Wanted | None:
    """Kind × level × subject that answers the fragment; None where no store can make it."""
    measures = [m for m in lookup.measures if m not in ("payment", "money")]
    if not measures:
        measures = [_TRADED[kind] for kind in lookup.document_kinds if kind in _TRADED and lookup.kinds]
    measures = measures or [measure for measure, words in _OWED.items() if lookup.has(*words)]
    risk = bool(lookup.cues & FAULT_CONCEPTS)
    subject = ANOMALY if risk or not measures else measures[0]
    levels = [k for k in lookup.kinds if k in GROUPINGS]
    if lookup.document_types and "document" not in levels:
        levels.append("document")
    if (
        lookup.cues & _RANKING_CUES - ({"most"} if "overview" in lookup.cues else set())
        and "overview" not in lookup.cues
    ):
        kind = RANKING
    elif "each" in lookup.cues or (levels and not risk):
        kind = BREAKDOWN if subject != ANOMALY else SUMMARY
    else:
        kind = SUMMARY
    level = COMPANY if not levels else levels[-1] if kind == BREAKDOWN else levels[0]
    if level == COMPANY and kind == RANKING:
        level = _DEFAULT_RANKED.get(subject, "counterparty")
    subject = _SAME.get((level, subject), subject)
    if subject != ANOMALY:
        if level == COMPANY and (subject not in (*FLOWS, *BALANCES)):
            return None
        if level != COMPANY and subject not in MEASURES[level]:
            return None
    return Wanted(kind, level, subject)


def read_aggregate(context: ExecutorContext, wanted: Wanted, lookup: Lookup) -> ReadAggregate | None:
    """Rows of a ready aggregate as items with their rank kept; None where it is not ready."""
    rows = context.store.aggregate(wanted.kind, wanted.level, wanted.subject)
    if rows is None:
        return None
    top = lookup.top
    shown = rows[:top] if top else rows
    anomaly = wanted.subject == ANOMALY
    by_code = anomaly and wanted.kind == SUMMARY
    members = [r["member"] for r in shown]
    names = {} if anomaly and wanted.kind != RANKING else names_of(context, wanted.level, members, lookup.language)
    counts = {} if anomaly else _counts(context, wanted.level, members)
    items = []
    for row in shown:
        name = title_of(row["member"], lookup.language) if by_code else names.get(row["member"], row["member"])
        item = {
            "rank": row["place"],
            "entity": row["member"] or wanted.level,
            "records_count": row["signs"]
            if anomaly
            else counts.get(row["member"], row["value"] if row["measure"] == "members" else None),
            "name": name or row["measure"],
            "score": row["score"],
            "signs": row["signs"],
            "share": row["share"],
        }
        if anomaly:
            items.append({**item, **({"members": row["value"]} if wanted.kind != RANKING else {})})
        elif row["measure"] == "members":
            items.append({**item, "members": row["value"]})
        else:
            items.append({**item, "measure": row["measure"], **money("amount", row["value"])})
    return ReadAggregate(items, _checked(context, wanted), len(rows), _risky(context, wanted) if anomaly else None)


def _counts(context: ExecutorContext, level: str, members: list[str]) -> dict[str, int]:
    column = _COUNTED_BY.get(level)
    if column is None or not members:
        return {}
    rows = context.store.query(f'SELECT subject, "{column}" AS n FROM "feature_{level}"')  # names of this module
    return {r["subject"]: r["n"] for r in rows}


def _risky(context: ExecutorContext, wanted: Wanted) -> int:
    """Records of the level that bear a sign; for the company, whatever a sign is found on."""
    if wanted.level == COMPANY:
        rows = context.store.query("SELECT count(DISTINCT (level, subject)) AS n FROM risk_sign")
    else:
        rows = context.store.query("SELECT count(*) AS n FROM risk_score WHERE level = ?", [wanted.level])
    return int(rows[0]["n"])


def _checked(context: ExecutorContext, wanted: Wanted) -> int:
    """Subjects of the level that were looked at; of all levels together for the company."""
    if wanted.level == COMPANY:
        rows = context.store.query("SELECT coalesce(sum(subjects), 0)::BIGINT AS n FROM risk_level")
    else:
        rows = context.store.query(f'SELECT count(*) AS n FROM "feature_{wanted.level}"')  # a grouping of the store
    return int(rows[0]["n"])
