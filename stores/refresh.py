"""A refresh: look what is stale or missing, build only that aside, verify it, publish it.

    look     the folder's fingerprint against the store's; which wanted aggregates are not ready    → a plan
    build    into ``root/.staging-<job>``: a whole store, or a copy of the current one with what it lacks
    verify   rows, coverage of the slice, every wanted aggregate with all its rows
    publish  as the next version, unless another version came between

Each may be repeated after a kill: building starts its folder anew, and what a job has published carries the job's name, so that it is found and not published twice.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any, Final, Literal
from zoneinfo import ZoneInfo

import orjson

from stores.aggregates import ANOMALY, READY, UnknownAggregate, Wanted, check_wanted, rows
from stores.build import Progress, fill, wall_clock
from stores.engine import MEMORY_LIMIT, open_duckdb, settle
from stores.errors import BuildFailed, NoStore, StoresError
from stores.facts import Facts
from stores.features import build_features
from stores.metadata import MANIFEST, STORE_FILE, aggregate_entry, read_manifest
from stores.risk.run import find_signs
from stores.source import fingerprint
from stores.versions import KEEP, Version, current, publish, published

STAGING: Final = ".staging-"
THREADS: Final = 1
"""A refresh leaves the other cores to those who ask meanwhile."""

Mode = Literal["nothing", "aggregates", "features", "risk", "snapshot"]
Period = tuple[date, date]


class SliceMissing(BuildFailed):
    """The asked slice is not in the snapshot; ``covered`` is."""

    def __init__(self, asked: Period, covered: Period) -> None:
        super().__init__(
            f"the snapshot covers {covered[0]} to {covered[1]}, asked {asked[0]} to {asked[1]}; export that period from 1C and load it: switchman snapshot load DIR"
        )
        self.asked, self.covered = asked, covered


class BaseMoved(StoresError):
    """Another version was published since the plan was made; plan again."""


class StagingLost(StoresError):
    """What was built is no longer there; build again."""


@dataclass(frozen=True, slots=True)
class Order:
    """What a refresh is asked for. ``snapshot`` is the folder to look at again, None for the one the store was loaded from; ``period`` None means the loaded slice.

    ``as_of`` stands for now, as in `stores.build.build_store`. Without ``reread`` the folder is left alone: what the store lacks is made of what it holds.
    """

    root: Path
    wanted: tuple[Wanted, ...]
    period: Period | None = None
    snapshot: Path | None = None
    as_of: datetime | None = None
    keep: int = KEEP
    memory_limit: str = MEMORY_LIMIT
    reread: bool = True


@dataclass(frozen=True, slots=True)
class Plan:
    """What a refresh will do. ``base`` is the version it starts from, 0 for none; ``missing`` are wanted aggregates to build, ``impossible`` those no store can make, with the reason.

    ``newer``: the folder holds other data than the store; ``folder`` empty: it is gone, and the store answers as of what it holds.
    """

    mode: Mode
    base: int
    folder: str
    fingerprint: str
    newer: bool
    missing: tuple[str, ...]
    ready: tuple[str, ...]
    impossible: dict[str, str]

    @property
    def number(self) -> int:
        """Number of the version it would publish."""
        return self.base + 1


def wanted_of(name: str) -> Wanted:
    """The aggregate with this name."""
    kind, level, subject = name.split("/", 2)
    return Wanted(kind, level, subject)


def look(order: Order) -> Plan:
    """Compare the folder and the wanted aggregates with the current version. Raises `NoStore` where there is neither a store nor a folder."""
    try:
        version: Version | None = current(order.root)
    except NoStore:
        version = None
    manifest = read_manifest(version) if version else None
    folder = order.snapshot or (Path(manifest["source"]["folder"]) if manifest and "source" in manifest else None)
    if folder is not None and (not folder.is_dir() or (manifest and not order.reread)):
        folder = None
    possible, impossible = _possible(order.wanted)
    if manifest is None or version is None:
        if folder is None:
            raise NoStore(
                f"{order.root}: no store is published and no snapshot is named; run: switchman snapshot load DIR"
            )
        names = tuple(w.name for w in possible)
        return Plan("snapshot", 0, str(folder), fingerprint(folder), True, names, (), impossible)
    found = fingerprint(folder) if folder else ""
    newer = bool(found) and found != manifest.get("source", {}).get("fingerprint")
    have = _ready(manifest)
    missing = tuple(w.name for w in possible if newer or w.name not in have)
    ready = tuple(w.name for w in possible if not newer and w.name in have)
    mode = _mode(manifest, newer, missing)
    if mode == "snapshot" and folder is None:
        raise BuildFailed(
            f"{order.root}: the canonical store is of an older snapshot and its folder is gone; name it: switchman snapshot load DIR"
        )
    return Plan(mode, version.number, str(folder or ""), found, newer, missing, ready, impossible)


def _possible(wanted: tuple[Wanted, ...]) -> tuple[list[Wanted], dict[str, str]]:
    possible, impossible = [], {}
    for one in dict.fromkeys(wanted):
        try:
            check_wanted(one)
            possible.append(one)
        except UnknownAggregate as error:
            impossible[one.name] = str(error)
    return possible, impossible


def _ready(manifest: dict[str, Any]) -> set[str]:
    """Aggregates over the whole slice that come from the version's own store runs."""
    m = manifest["metadata"]
    runs = {m["stores"][s]["run_id"] for s in ("canonical", "feature", "risk")}
    return {
        Wanted(a["kind"], a["level"], a["subject"]).name
        for a in m["aggregates"]
        if a["source_run_id"] in runs and a["period"] == m["snapshot"]["period"]
    }


def _mode(manifest: dict[str, Any], newer: bool, missing: tuple[str, ...]) -> Mode:
    m = manifest["metadata"]
    snapshot = m["snapshot"]["snapshot_id"]
    if newer or m["stores"]["canonical"]["snapshot_id"] != snapshot:
        return "snapshot"
    if m["stores"]["feature"]["snapshot_id"] != snapshot:
        return "features"
    if m["stores"]["risk"]["snapshot_id"] != snapshot:
        return "risk"
    return "aggregates" if missing else "nothing"


def staging(root: Path, job: str) -> Path:
    """Where a job builds."""
    return root / f"{STAGING}{job}"


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
                build_features(facts, _share(progress, "features", 10))
                made("feature")
            find_signs(facts, _share(progress, "risk", 32))
            made("risk")
            names = list(dict.fromkeys((*_names(manifest), *names)))
            m["aggregates"] = []
        step("stores")
        _aggregates(facts, [wanted_of(n) for n in names], m, period, now, _share(progress, "aggregates", len(names)))
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
    from stores.aggregates import COLUMNS
    from stores.engine import schema_of

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


def _share(progress: Progress, stage: str, steps: int) -> Callable[[str], None]:
    done = 0

    def tick(_: str) -> None:
        nonlocal done
        done += 1
        progress(stage, min(1.0, done / max(steps, 1)))

    return tick


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
    listed = _ready(manifest)
    held = facts.table("aggregate_row")
    for name in plan.missing:
        if name not in listed:
            raise BuildFailed(f"aggregate {name} was not built at the level asked for; ask again")
        have, want = count(held.filter(held.name == name)), count(rows(facts, wanted_of(name)))
        if have != want:
            raise BuildFailed(f"aggregate {name} holds {have} rows of {want}; ask again")
        found[name] = have
    return found


def publish_built(order: Order, plan: Plan, job: str, step: Callable[[str], None] = lambda _: None) -> Version:
    """Make the staged build the current version; what this job published before is found and given back.

    Raises `BaseMoved` where another version came between, `StagingLost`, or `StoreBusy`.
    """
    before = published_by(order.root, job)
    if before is not None:
        discard(order.root, job)
        return before
    folder = staging(order.root, job)
    if not (folder / MANIFEST).exists():
        raise StagingLost(f"{folder}: what was built is gone; build again")

    def place(target: Path, number: int) -> None:
        if number != plan.number:
            raise BaseMoved(f"{order.root}: version {number - 1} was published meanwhile; look again")
        for name in (STORE_FILE, MANIFEST):
            _link(folder / name, target / name)

    version = publish(order.root, place, order.keep, step)
    discard(order.root, job)
    return version


def published_by(root: Path, job: str) -> Version | None:
    """The version that a job published, None where it has not, or where that version is no longer kept."""
    try:
        shown = current(root).number
    except NoStore:
        return None
    for version in reversed(published(root)):
        if version.number <= shown and read_manifest(version).get("built_by") == job:
            return version
    return None


def _link(source: Path, target: Path) -> None:
    """The staged file under a second name, so that a kill between leaves it staged; a copy where the disk has no links."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)


def discard(root: Path, job: str) -> None:
    """Drop what a job built and did not publish."""
    shutil.rmtree(staging(root, job), ignore_errors=True)


def sweep_staging(root: Path, alive: set[str]) -> None:
    """Drop what jobs left behind that are not in ``alive``."""
    if root.is_dir():
        for path in list(root.glob(f"{STAGING}*")):
            if path.name.removeprefix(STAGING) not in alive:
                shutil.rmtree(path, ignore_errors=True)
