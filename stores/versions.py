"""Store versions: built aside, published whole, pruned by count.

    root/CURRENT            name of the version readers open, replaced in one step
    root/v000007/           a published version: the store file and its manifest
    root/.building-…        what a publisher is at, or left behind when it was killed
    root/.lock              held by the publisher

A kill at any point leaves CURRENT as it was. What was left behind is swept by the next publisher, which alone holds the lock, so repeating is harmless: nothing
under a ``.building`` name and no version above CURRENT has ever been seen by a reader.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from stores.errors import NoStore, StoreBusy, StoresError

CURRENT, LOCK, BUILDING, DROPPED = "CURRENT", ".lock", ".building-", ".dropped-"
KEEP = 3

_NAME = re.compile(r"v(\d{6,})")

Step = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Version:
    """A published version."""

    number: int
    path: Path


def current(root: Path) -> Version:
    """The version readers open. Raises `NoStore`."""
    try:
        name = (root / CURRENT).read_text("ascii").strip()
    except FileNotFoundError as error:
        raise NoStore(f"{root}: no store is published; run: switchman snapshot load DIR") from error
    match = _NAME.fullmatch(name)
    if not match:
        raise StoresError(f"{root / CURRENT}: {name!r} is no version; publish again: switchman snapshot load DIR")
    return Version(int(match.group(1)), root / name)


def published(root: Path) -> list[Version]:
    """All versions kept, oldest first."""
    found = [(m, path) for path in root.iterdir() if (m := _NAME.fullmatch(path.name))] if root.is_dir() else []
    return sorted((Version(int(m.group(1)), path) for m, path in found), key=lambda v: v.number)


def publish(root: Path, build: Callable[[Path, int], None], keep: int = KEEP, step: Step = lambda _: None) -> Version:
    """Let ``build`` fill a folder for the next number, then make it the current version; ``keep`` versions stay, this one among them.

    ``step`` is told each point passed. Whatever ``build`` raises passes through, and nothing of it stays. Raises `StoreBusy` where another process publishes.
    """
    root.mkdir(parents=True, exist_ok=True)
    with _alone(root):
        _sweep(root)
        number = max((v.number for v in published(root)), default=0) + 1
        folder = root / f"{BUILDING}{number:06d}"
        folder.mkdir()
        step("begun")
        try:
            build(folder, number)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        step("built")
        _to_disk(folder)
        step("on disk")
        final = root / f"v{number:06d}"
        folder.rename(final)
        _sync(root)
        step("named")
        _point(root, final.name, step)
        step("published")
        for old in published(root)[: -max(keep, 1)]:
            _drop(root, old.path)
            step("pruned")
        return Version(number, final)


def _point(root: Path, name: str, step: Step) -> None:
    new = root / f"{CURRENT}.new"
    with new.open("w", encoding="ascii") as stream:
        stream.write(name + "\n")
        stream.flush()
        os.fsync(stream.fileno())
    step("pointer written")
    new.replace(root / CURRENT)
    _sync(root)


@contextmanager
def _alone(root: Path) -> Iterator[None]:
    """The kernel lets go of the lock when its holder dies, however it dies."""
    with (root / LOCK).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise StoreBusy(f"{root}: another process is publishing; wait for it and try again") from error
        yield


def _sweep(root: Path) -> None:
    try:
        shown = current(root).number
    except StoresError:
        shown = 0
    for path in list(root.iterdir()):
        match = _NAME.fullmatch(path.name)
        if path.name.startswith((BUILDING, DROPPED)) or (match and int(match.group(1)) > shown):
            shutil.rmtree(path, ignore_errors=True)


def _drop(root: Path, path: Path) -> None:
    """Out of sight in one step, then away; readers that have it open keep their files."""
    gone = root / f"{DROPPED}{path.name}"
    path.rename(gone)
    shutil.rmtree(gone, ignore_errors=True)


def _to_disk(folder: Path) -> None:
    for path in folder.rglob("*"):
        if path.is_file():
            _sync(path)
    _sync(folder)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
