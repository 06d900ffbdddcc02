"""What a store version holds, in the structure the router's sufficiency checker reads.

The contents are asked of the built tables and kept in the version's manifest; ``as_of`` is configuration and comes in when they are read.
"""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

import orjson

from stores.aggregates import ANOMALY, Wanted
from stores.errors import StoresError
from stores.facts import Facts
from stores.features import GROUPINGS
from stores.load import Loaded
from stores.risk.run import LEVELS
from stores.series import GRAINS
from stores.versions import Version, current

MANIFEST, STORE_FILE = "manifest.json", "store.duckdb"
FORMAT_VERSION = 1
"""Layout of a version: its tables and manifest. Raise it with any change of a table's columns; a reader refuses what is newer than itself."""

ENTITY_KINDS: Final = (
    "document", "posting", "account", "counterparty", "contract", "register_record", "subconto", "item", "organisation", "warehouse", "employee",
)  # fmt: skip


def describe(
    facts: Facts, loaded: Loaded, number: int, times: dict[str, datetime], wanted: tuple[Wanted, ...], source: str = ""
) -> dict[str, Any]:
    """Manifest of a built version. ``times`` has ``loaded``, ``canonical``, ``feature``, ``risk``, ``aggregate``; ``source`` is the folder's fingerprint."""
    zone = ZoneInfo(loaded.about.timezone)
    snapshot_id = loaded.about.snapshot_id or f"{loaded.start:%Y-%m}@{number}"
    period = {"start": loaded.start.isoformat(), "end": loaded.end.isoformat()}
    last = loaded.last_moment or datetime.combine(loaded.end, datetime.min.time())

    def said(moment: datetime) -> str:
        return moment.astimezone(zone).replace(microsecond=0).isoformat()

    def run(name: str) -> dict[str, Any]:
        return {"run_id": f"{name}-{number:04d}", "snapshot_id": snapshot_id, "built_at": said(times[name])}

    return {
        "format": FORMAT_VERSION,
        "version": number,
        "source": {"folder": str(Path(loaded.report.folder).resolve()), "fingerprint": source},
        "configured_as_of": loaded.about.as_of.isoformat() if loaded.about.as_of else None,
        "metadata": {
            "timezone": loaded.about.timezone,
            "snapshot": {
                "snapshot_id": snapshot_id,
                "period": period,
                "data_as_of": last.replace(tzinfo=zone).isoformat(),
                "loaded_at": said(times["loaded"]),
                "complete": not loaded.report.refused_count and not loaded.report.cut,
                "entity_kinds": [kind for kind in ENTITY_KINDS if _filled(facts, kind)],
            },
            "stores": {
                "canonical": run("canonical"),
                "feature": {
                    **run("feature"),
                    "groupings": [g for g in GROUPINGS if _filled(facts, f"feature_{g}")],
                    "time_grains": [g for g in GRAINS if g in _distinct(facts, "feature_series", "grain")],
                },
                "risk": {
                    **run("risk"),
                    "levels": [level for level in LEVELS if level in _distinct(facts, "risk_level", "level")],
                },
            },
            "aggregates": [
                aggregate_entry(
                    w,
                    period,
                    run("risk" if w.subject == ANOMALY else "feature")["run_id"],
                    said(times["aggregate"]),
                )
                for w in wanted
            ],
            "explanations": {"materialised": False},
            "freshness": {"max_age_hours": _whole(loaded.about.max_age_hours)},
        },
        "built_by_clock": datetime.now(zone).replace(microsecond=0).isoformat(),
        "report": loaded.report.to_dict(),
    }


def aggregate_entry(wanted: Wanted, period: dict[str, str], run_id: str, built_at: str) -> dict[str, Any]:
    """What metadata says of one ready aggregate; ``run_id`` is of the store it was made from."""
    return {
        "kind": wanted.kind,
        "level": wanted.level,
        "subject": wanted.subject,
        "period": period,
        "source_run_id": run_id,
        "built_at": built_at,
    }


def read_manifest(version: Version) -> dict[str, Any]:
    """Manifest of a version. Raises `StoresError` where it is unreadable or newer than this program."""
    path = version.path / MANIFEST
    try:
        found: dict[str, Any] = orjson.loads(path.read_bytes())
    except (OSError, orjson.JSONDecodeError) as error:
        raise StoresError(f"{path}: {error}; publish again: switchman snapshot load DIR") from error
    if found.get("format", 0) > FORMAT_VERSION:
        raise StoresError(f"{path}: format {found['format']}, this program reads up to {FORMAT_VERSION}; update it")
    return found


def store_metadata(root: Path, as_of: datetime | None = None) -> dict[str, Any]:
    """Metadata of the current version. ``as_of`` (with an offset) stands for now; else the snapshot's own, else the clock. Raises `StoresError`."""
    return metadata_of(read_manifest(current(root)), as_of)


def metadata_of(manifest: dict[str, Any], as_of: datetime | None = None) -> dict[str, Any]:
    """Metadata that a manifest gives at a moment."""
    metadata: dict[str, Any] = manifest["metadata"]
    if as_of is None and manifest["configured_as_of"]:
        as_of = datetime.fromisoformat(manifest["configured_as_of"])
    now = (as_of or datetime.now(ZoneInfo("UTC"))).astimezone(ZoneInfo(metadata["timezone"])).replace(microsecond=0)
    return {"as_of": now.isoformat(), **metadata}


def _filled(facts: Facts, table: str) -> bool:
    t = facts.table(table)
    return len(facts.connection.execute(t.limit(1).select(t.columns[0]))) > 0


def _distinct(facts: Facts, table: str, column: str) -> set[str]:
    t = facts.table(table)
    return set(facts.connection.to_pyarrow(t.select(column).distinct())[column].to_pylist())


def _whole(hours: float) -> float | int:
    return int(hours) if hours == int(hours) else hours


def period_of(manifest: dict[str, Any]) -> tuple[date, date]:
    """First and last day a version covers."""
    period = manifest["metadata"]["snapshot"]["period"]
    return date.fromisoformat(period["start"]), date.fromisoformat(period["end"])
