"""What a refresh is asked for, and what of it is stale or missing."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any, Final, Literal

from stores.aggregates import UnknownAggregate, Wanted, check_wanted
from stores.engine import MEMORY_LIMIT
from stores.errors import BuildFailed, NoStore, StoresError
from stores.metadata import read_manifest
from stores.source import fingerprint
from stores.versions import KEEP, Version, current

STAGING: Final = ".staging-"

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


def can_be_made(name: str) -> bool:
    """Whether any store could make the aggregate with this name."""
    try:
        check_wanted(wanted_of(name))
    except UnknownAggregate:
        return False
    return True


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
    have = ready_aggregates(manifest)
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


def ready_aggregates(manifest: dict[str, Any]) -> set[str]:
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
