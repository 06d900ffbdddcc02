"""A verified build becomes the current version, once; and what jobs left behind is swept."""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from stores.errors import NoStore
from stores.metadata import MANIFEST, STORE_FILE, read_manifest
from stores.refresh.plan import STAGING, BaseMoved, Order, Plan, StagingLost, staging
from stores.versions import Version, current, publish, published

ABANDONED_SECONDS: Final = 3600.0


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


def sweep_staging(root: Path, alive: set[str], older_than_seconds: float = ABANDONED_SECONDS) -> None:
    """Drop what jobs left behind that are not in ``alive``; what is young may be of a process that keeps its jobs elsewhere."""
    for path in list(root.glob(f"{STAGING}*")) if root.is_dir() else ():
        with contextlib.suppress(FileNotFoundError):
            age = time.time() - max(p.stat().st_mtime for p in (path, *path.iterdir()))
            if path.name.removeprefix(STAGING) not in alive and age > older_than_seconds:
                shutil.rmtree(path, ignore_errors=True)
