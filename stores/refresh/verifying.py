"""Whether a build is whole: the slice covered, every posting with its features, every wanted aggregate with all its rows."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from stores.aggregates import rows
from stores.engine import open_duckdb
from stores.errors import BuildFailed
from stores.facts import Facts
from stores.metadata import MANIFEST, STORE_FILE, read_manifest
from stores.refresh.building import THREADS
from stores.refresh.plan import Order, Period, Plan, SliceMissing, StagingLost, ready_aggregates, staging, wanted_of
from stores.versions import Version


def covered(manifest: dict[str, Any]) -> Period:
    """First and last day with data: the snapshot's period, cut where its data ends."""
    s = manifest["metadata"]["snapshot"]
    data_day = datetime.fromisoformat(s["data_as_of"]).date()
    return date.fromisoformat(s["period"]["start"]), min(date.fromisoformat(s["period"]["end"]), data_day)


def check_slice(order: Order, manifest: dict[str, Any]) -> None:
    """Raises `SliceMissing` where the asked slice does not lie in what the store covers."""
    start, end = covered(manifest)
    if order.period and (order.period[0] < start or order.period[1] > end):
        raise SliceMissing(order.period, (start, end))


def verify(order: Order, plan: Plan, job: str) -> dict[str, Any]:
    """Judge what was built; gives the counts that were compared. Raises `SliceMissing`, `BuildFailed` naming what is not whole, or `StagingLost`."""
    folder = staging(order.root, job)
    if not (folder / MANIFEST).exists():
        raise StagingLost(f"{folder}: what was built is gone; build again")
    manifest = read_manifest(Version(plan.number, folder))
    check_slice(order, manifest)
    connection = open_duckdb(folder / STORE_FILE, read_only=True, memory_limit=order.memory_limit, threads=THREADS)
    try:
        return _count(connection, manifest, plan)
    finally:
        connection.disconnect()


def _count(connection: Any, manifest: dict[str, Any], plan: Plan) -> dict[str, Any]:
    period = manifest["metadata"]["snapshot"]["period"]
    facts = Facts(connection, date.fromisoformat(period["start"]), date.fromisoformat(period["end"]))

    def count(expression: Any) -> int:
        return int(connection.execute(expression.count()))

    found = {
        "postings": count(facts.postings),
        "documents": count(facts.documents),
        "features": count(facts.table("feature_posting")),
    }
    if not found["postings"] and not found["documents"]:
        raise BuildFailed(
            f"the slice {period['start']} to {period['end']} is empty: no posting and no document; look at {plan.folder}"
        )
    if found["postings"] != found["features"]:
        raise BuildFailed(f"{found['postings']} postings, {found['features']} with features; load the snapshot again")
    listed = ready_aggregates(manifest)
    held = facts.table("aggregate_row")
    for name in plan.missing:
        if name not in listed:
            raise BuildFailed(f"aggregate {name} was not built at the level asked for; ask again")
        have, want = count(held.filter(held.name == name)), count(rows(facts, wanted_of(name)))
        if have != want:
            raise BuildFailed(f"aggregate {name} holds {have} rows of {want}; ask again")
        found[name] = have
    return found
