"""Building what a plan says, aside: a whole store, or a copy of the current one with what it lacks. On one thread."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

import orjson

from stores.aggregates import ANOMALY, COLUMNS, READY, Wanted, rows
from stores.build import Progress, counting, fill, wall_clock
from stores.engine import open_duckdb, schema_of, settle
from stores.facts import Facts
from stores.features import build_features
from stores.metadata import MANIFEST, STORE_FILE, aggregate_entry, read_manifest
from stores.refresh.plan import BaseMoved, Order, Plan, staging, wanted_of
from stores.risk.run import find_signs
from stores.versions import current

THREADS: Final = 1
"""A refresh leaves the other cores to those who ask meanwhile."""


def build(
    order: Order, plan: Plan, job: str, progress: Progress = lambda _stage, _share: None, step: Callable[[str], None] = lambda _: None
) -> None:  # fmt: skip
    """Build what ``plan`` says into the job's staging folder, on one thread. Raises `SnapshotRefused`, `BuildFailed`, or OSError where the disk is full."""
    folder = staging(order.root, job)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        if plan.mode == "snapshot":
            manifest = _anew(order, plan, folder / STORE_FILE, progress, step)
        else:
            manifest = _add(order, plan, folder / STORE_FILE, progress, step)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    manifest["built_by"] = job
    (folder / MANIFEST).write_bytes(orjson.dumps(manifest, option=orjson.OPT_INDENT_2))


def _anew(order: Order, plan: Plan, path: Path, progress: Progress, step: Callable[[str], None]) -> dict[str, Any]:
    connection = open_duckdb(path, memory_limit=order.memory_limit, threads=THREADS)
    try:
        wanted = tuple(dict.fromkeys((*READY, *map(wanted_of, plan.missing))))
        manifest = fill(connection, Path(plan.folder), plan.number, order.as_of, wanted, progress, step, processes=1)
        settle(connection)
    finally:
        connection.disconnect()
    return manifest


_MADE_FROM = {
    "features": ("feature_", "risk_", "aggregate_row"),
    "risk": ("risk_", "aggregate_row"),
    "aggregates": (),
    "nothing": (),
}
"""Tables that a mode makes anew, by how their names start."""


def _add(order: Order, plan: Plan, path: Path, progress: Progress, step: Callable[[str], None]) -> dict[str, Any]:
    """A copy of the current version with what it lacks; run ids of what stays are kept."""
    base = current(order.root)
    if base.number != plan.base:
        raise BaseMoved(f"{order.root}: version {base.number} was published meanwhile; look again")
    shutil.copyfile(base.path / STORE_FILE, path)
    manifest = read_manifest(base)
    m = manifest["metadata"]
    zone = ZoneInfo(m["timezone"])
    configured = datetime.fromisoformat(manifest["configured_as_of"]) if manifest["configured_as_of"] else None
    moment = order.as_of or configured

    def now() -> str:
        return (moment or wall_clock()).astimezone(zone).replace(microsecond=0).isoformat()

    def made(store: str) -> None:
        run = {"run_id": f"{store}-{plan.number:04d}", "snapshot_id": m["snapshot"]["snapshot_id"], "built_at": now()}
        m["stores"][store].update(run)

    connection = open_duckdb(path, memory_limit=order.memory_limit, threads=THREADS)
    try:
        period = m["snapshot"]["period"]
        facts = Facts(connection, date.fromisoformat(period["start"]), date.fromisoformat(period["end"]))
        step("copied")
        for table in _tables(connection):
            if table.startswith(_MADE_FROM[plan.mode]):
                connection.drop_table(table)
        names = list(plan.missing)
        if plan.mode in ("features", "risk"):
            if plan.mode == "features":
                build_features(facts, counting(progress, "features", 10))
                made("feature")
            find_signs(facts, counting(progress, "risk", 32))
            made("risk")
            names = list(dict.fromkeys((*_names(manifest), *names)))
            m["aggregates"] = []
        step("stores")
        _aggregates(facts, [wanted_of(n) for n in names], m, period, now, counting(progress, "aggregates", len(names)))
        step("aggregates")
        settle(connection)
    finally:
        connection.disconnect()
    manifest["version"] = plan.number
    manifest["built_by_clock"] = wall_clock().astimezone(zone).replace(microsecond=0).isoformat()
    return manifest


def _aggregates(
    facts: Facts,
    wanted: list[Wanted],
    m: dict[str, Any],
    period: dict[str, str],
    now: Callable[[], str],
    tick: Callable[[str], None],
) -> None:
    c: Any = facts.connection
    if "aggregate_row" not in _tables(c):
        c.create_table("aggregate_row", schema=schema_of(COLUMNS))
    for one in wanted:
        c.raw_sql(f"DELETE FROM aggregate_row WHERE name = '{one.name}'")  # noqa: S608  # a checked name, no quote can be in it
        c.insert("aggregate_row", rows(facts, one))
        run_id = m["stores"]["risk" if one.subject == ANOMALY else "feature"]["run_id"]
        others = [
            a for a in m["aggregates"] if (a["kind"], a["level"], a["subject"]) != (one.kind, one.level, one.subject)
        ]
        m["aggregates"] = [*others, aggregate_entry(one, period, run_id, now())]
        tick(one.name)


def _tables(connection: Any) -> list[str]:
    # ibis 12 asks DuckDB 2 for a method that is gone
    return [name for (name,) in connection.raw_sql("SELECT table_name FROM duckdb_tables()").fetchall()]


def _names(manifest: dict[str, Any]) -> list[str]:
    return [Wanted(a["kind"], a["level"], a["subject"]).name for a in manifest["metadata"]["aggregates"]]
