"""The steps of a refresh, each with an outcome in plain values: what is expected to fail is told, not raised.

An outcome has ``state`` (``refreshed``, ``fresh``, ``failed``), ``code`` and ``message`` where something is wrong, and what was found and done.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

from orchestration.batch_payload import JobPayload, period_of_window
from stores import refresh
from stores.errors import NoStore, SnapshotRefused, StoreBusy, StoresError
from stores.metadata import metadata_of, read_manifest
from stores.versions import current

Outcome = dict[str, Any]
BUSY_SECONDS = 900.0
_LOOK_AGAIN_SECONDS = 0.3


def order_of(payload: JobPayload) -> Outcome:
    """What a refresh needs of a payload, in plain values."""
    return {
        "stores": payload.stores,
        "snapshot": payload.snapshot,
        "slice_window": payload.slice_window,
        "aggregates": payload.aggregates,
        "requested_outputs": payload.requested_outputs,
        "as_of": payload.as_of,
    }


def together(given: Outcome, others: list[Outcome]) -> Outcome:
    """The order with the aggregates that other orders need of the same store, slice and folder, where they can be made at all."""
    same = [o for o in others if all(o.get(k) == given.get(k) for k in ("stores", "snapshot", "slice_window", "as_of"))]
    wanted = [name for o in same for name in o["aggregates"] if refresh.can_be_made(name)]
    return {**given, "aggregates": list(dict.fromkeys((*given["aggregates"], *wanted)))}


def _order(given: Outcome) -> refresh.Order:
    return refresh.Order(
        root=Path(given["stores"]),
        wanted=tuple(refresh.wanted_of(name) for name in given["aggregates"]),
        period=period_of_window(given["slice_window"]),
        snapshot=Path(given["snapshot"]) if given["snapshot"] else None,
        as_of=datetime.fromisoformat(given["as_of"]) if given["as_of"] else None,
        reread=given.get("reread", True),
    )


def look(given: Outcome) -> Outcome:
    """Plan of a refresh: ``plan``, or a ``failed`` outcome. A slice that cannot be there fails before anything is built."""
    order = _order(given)
    try:
        plan = refresh.look(order)
        if not plan.newer:
            refresh.check_slice(order, read_manifest(current(order.root)))
    except (StoresError, OSError) as error:
        return _failed(error)
    return {"state": "planned", "plan": asdict(plan)}


def build(given: Outcome, plan: Outcome, job: str, progress: Callable[[str, float], None]) -> Outcome:
    """Build what the plan says."""
    try:
        refresh.build(_order(given), _plan(plan), job, progress)
    except SnapshotRefused as refused:
        return _failed(refused, code="snapshot_refused")
    except Exception as error:  # whatever the engine meets: full disks have many names
        return _failed(error)
    return {"state": "built"}


def verify(given: Outcome, plan: Outcome, job: str) -> Outcome:
    """Judge the build; what does not pass is dropped."""
    try:
        counts = refresh.verify(_order(given), _plan(plan), job)
    except refresh.StagingLost as error:
        return _failed(error)
    except (StoresError, OSError) as error:
        refresh.discard(Path(given["stores"]), job)
        return _failed(error)
    return {"state": "verified", "counts": counts}


def publish(given: Outcome, plan: Outcome, job: str, stop: Callable[[], None]) -> Outcome:
    """Publish the build, waiting while another process publishes."""
    patience = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            version = refresh.publish_built(_order(given), _plan(plan), job)
            return {"state": "published", "version": version.number}
        except StoreBusy as error:
            if time.monotonic() > patience:
                return _failed(error)
            stop()
            time.sleep(_LOOK_AGAIN_SECONDS)
        except (StoresError, OSError) as error:
            return _failed(error)


def runs(given: Outcome) -> Outcome:
    """Run ids, version and data time of the store that readers see now."""
    try:
        version = current(Path(given["stores"]))
        manifest = read_manifest(version)
    except StoresError as error:
        return _failed(error)
    as_of = datetime.fromisoformat(given["as_of"]) if given["as_of"] else None
    m = metadata_of(manifest, as_of)
    return {
        "state": "recorded",
        "version": version.number,
        "run_ids": {name: m["stores"][name]["run_id"] for name in ("canonical", "feature", "risk")},
        "snapshot_id": m["snapshot"]["snapshot_id"],
        "period": m["snapshot"]["period"],
        "data_as_of": m["snapshot"]["data_as_of"],
        "timezone": m["timezone"],
        "as_of": m["as_of"],
    }


def _plan(plan: Outcome) -> refresh.Plan:
    known = {**plan, "missing": tuple(plan["missing"]), "ready": tuple(plan["ready"])}
    return refresh.Plan(**known)


_CODES: tuple[tuple[type[BaseException], str], ...] = (
    (refresh.SliceMissing, "slice_missing"),
    (refresh.BaseMoved, "base_moved"),
    (refresh.StagingLost, "staging_lost"),
    (SnapshotRefused, "snapshot_refused"),
    (StoreBusy, "store_busy"),
    (NoStore, "no_store"),
    (StoresError, "not_whole"),
)


def _failed(error: BaseException, code: str | None = None) -> Outcome:
    found = code or next((c for kind, c in _CODES if isinstance(error, kind)), "build_failed")
    outcome: Outcome = {"state": "failed", "code": found, "message": str(error) or type(error).__name__}
    if isinstance(error, refresh.SliceMissing):
        outcome["covered"] = [d.isoformat() for d in error.covered]
        outcome["asked"] = [d.isoformat() for d in error.asked]
    return outcome
