"""A folder of exports → a published store version: load, balances, features, risk, aggregates, metadata."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import orjson
from ibis.backends import BaseBackend

from stores.aggregates import READY, Wanted, build_aggregates
from stores.balances import balances, debts
from stores.engine import MEMORY_LIMIT, add_indexes, open_duckdb, settle
from stores.errors import BuildFailed
from stores.facts import Facts
from stores.features import build_features
from stores.load import Loaded, load_snapshot
from stores.metadata import MANIFEST, STORE_FILE, describe
from stores.risk.run import find_signs
from stores.schema import KEYS
from stores.source import fingerprint
from stores.versions import KEEP, Step, Version, publish

Clock = Callable[[], datetime]
Progress = Callable[[str, float], None]
"""Told the stage and its share done, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Built:
    """A published version and its manifest."""

    version: Version
    manifest: dict[str, Any]


def wall_clock() -> datetime:
    """Now, with an offset."""
    return datetime.now(ZoneInfo("UTC"))


def build_store(
    folder: Path, root: Path, *, as_of: datetime | None = None, wanted: tuple[Wanted, ...] = READY, keep: int = KEEP, memory_limit: str = MEMORY_LIMIT,
    progress: Progress = lambda _stage, _share: None, step: Step = lambda _: None,
) -> Built:  # fmt: skip
    """Build a version of ``folder``'s exports under ``root`` and publish it.

    ``as_of``, else the snapshot's own, stands for now in the times of the build too: data that is looked at as of a moment cannot have been built after
    it. Raises `SnapshotRefused` with the report, `StoreBusy`, or `BuildFailed`; then the version before stays.
    """
    manifest: dict[str, Any] = {}

    def build(target: Path, number: int) -> None:
        connection = open_duckdb(target / STORE_FILE, memory_limit=memory_limit)
        try:
            manifest.update(fill(connection, folder, number, as_of, wanted, progress, step))
            settle(connection)
        finally:
            connection.disconnect()
        (target / MANIFEST).write_bytes(orjson.dumps(manifest, option=orjson.OPT_INDENT_2))

    version = publish(root, build, keep, step)
    return Built(version, manifest)


def fill(  # the whole line, in order
    connection: BaseBackend, folder: Path, number: int, as_of: datetime | None, wanted: tuple[Wanted, ...] = READY,
    progress: Progress = lambda _stage, _share: None, step: Step = lambda _: None, processes: int | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Fill an empty database, on any engine, and give its manifest. ``processes`` that read files: by the snapshot's size where it is None."""
    source = fingerprint(folder) if folder.is_dir() else ""
    loaded = load_snapshot(
        folder, connection, lambda done, total, _name: progress("load", done / max(total, 1)), processes
    )
    moment = as_of or loaded.about.as_of
    clock: Clock = (lambda: moment) if moment else wall_clock
    times = {"loaded": clock()}
    step("loaded")
    facts = Facts(connection, loaded.start, loaded.end)
    connection.create_table("balance", balances(facts))
    connection.create_table("debt", debts(facts))
    add_indexes(connection, KEYS)
    times["canonical"] = clock()
    step("canonical")
    build_features(facts, counting(progress, "features", 10))
    times["feature"] = clock()
    step("feature")
    find_signs(facts, counting(progress, "risk", 32))
    times["risk"] = clock()
    step("risk")
    build_aggregates(facts, wanted, counting(progress, "aggregates", len(wanted)))
    times["aggregate"] = clock()
    step("aggregate")
    _check(facts, loaded)
    return describe(facts, loaded, number, times, wanted, source)


def counting(progress: Progress, stage: str, steps: int) -> Callable[[str], None]:
    """Tells ``progress`` the share of a stage that is done, a step at each call."""
    done = 0

    def tick(_: str) -> None:
        nonlocal done
        done += 1
        progress(stage, min(1.0, done / max(steps, 1)))

    return tick


def _check(facts: Facts, loaded: Loaded) -> None:
    """What is published is whole: double entry holds, and every posting of the period has its features."""
    c, b = facts.connection, facts.table("balance")
    both_sided = facts.postings.filter(lambda p: p.dr_account.notnull() & p.cr_account.notnull())
    posted = int(c.execute(both_sided.amount.sum().coalesce(0).cast("int64")))
    one_sided = int(c.execute(facts.postings.count())) - int(c.execute(both_sided.count()))
    dr, cr = (int(c.execute(b[side].sum().coalesce(0).cast("int64"))) for side in ("dr", "cr"))
    if not one_sided and not dr == cr == posted:
        raise BuildFailed(
            f"turnovers do not add up: debit {dr}, credit {cr}, posted {posted} kopecks; report this with the snapshot's load report"
        )
    rows, features = int(c.execute(facts.postings.count())), int(c.execute(facts.table("feature_posting").count()))
    if rows != features:
        raise BuildFailed(
            f"{rows} postings in the period, {features} with features; check documents that stand twice in {loaded.report.folder}"
        )
