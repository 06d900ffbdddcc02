"""What each route's result holds: its type, the fields of its items and of its summary, and its bounds.

The dispatch holds every result to this table: a listed field is always there, null where unknown, and what goes over a bound is cut and said to be cut.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from executors.contracts import ResultType

KB = 1024


@dataclass(frozen=True, slots=True)
class Shape:
    """``items`` and ``bytes`` are the most that a result of the route may hold, ``bytes`` counted as compact JSON of items, summary and evidence."""

    result_type: ResultType
    item_fields: tuple[str, ...]
    summary_fields: tuple[str, ...]
    items: int
    bytes: int


SHAPES: Final[dict[str, Shape]] = {
    "store_canonical": Shape(
        "list",
        ("source_entity", "source_id", "period", "counterparty_id", "recorder"),
        ("checked_records", "returned_records"),
        items=200,
        bytes=512 * KB,
    ),
    "store_feature_risk": Shape(
        "list",
        ("risk_score", "reasons", "indicators"),
        ("checked_records", "risky_records", "average_risk_score"),
        items=200,
        bytes=512 * KB,
    ),
    "batch_refresh_then_store": Shape(
        "ranking",
        ("rank", "entity", "records_count"),
        ("checked_records", "ranked_entities"),
        items=100,
        bytes=256 * KB,
    ),
    "hybrid_store_plus_live": Shape(
        "chain",
        ("operations_count", "document_refs_count", "relation_types", "samples"),
        ("checked_records", "matched_counterparties", "route_focus"),
        items=100,
        bytes=512 * KB,
    ),
    "live_mcp_drilldown": Shape(
        "object",
        ("guid", "entity", "found_in"),
        ("query_guids", "matched_records"),
        items=20,
        bytes=512 * KB,
    ),
    "no_route": Shape("summary", (), ("skipped", "no_route_reason"), items=0, bytes=4 * KB),
}
"""One line for every route. A table of another route's shape is never borrowed: consumers switch on ``route``."""

EVIDENCE_CAP: Final = 100
"""References kept as evidence of one result."""

COMMON_SUMMARY: Final = ("as_of", "data_as_of", "timezone", "run_id", "store_version", "period")
"""Beside the listed fields, every summary of an executed route says as of when its data is and from which run."""
