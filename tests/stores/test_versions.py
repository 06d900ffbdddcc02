"""Versions: seen whole or not at all, whatever happens to the publisher."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from stores.errors import NoStore, StoreBusy, StoresError
from stores.versions import current, publish, published

STEPS = ("begun", "built", "on disk", "named", "pointer written", "published", "pruned")

PUBLISHER = """
import os, signal, sys
from pathlib import Path
from stores.versions import publish

def build(folder, number):
    (folder / "a").write_text(f"{number} {sys.argv[3]}")
    if sys.argv[2] == "half built":
        os.kill(os.getpid(), signal.SIGKILL)
    (folder / "b").write_text(f"{number} {sys.argv[3]}")

def step(name):
    if name == sys.argv[2]:
        os.kill(os.getpid(), signal.SIGKILL)

publish(Path(sys.argv[1]), build, keep=2, step=step)
"""


def run_publisher(root: Path, die_at: str, said: str) -> int:
    return subprocess.run([sys.executable, "-c", PUBLISHER, str(root), die_at, said], check=False).returncode


def seen(root: Path) -> str:
    """What a reader finds: both files of the current version, which must agree."""
    version = current(root)
    a, b = (version.path / "a").read_text(), (version.path / "b").read_text()
    assert a == b == f"{version.number} {a.split()[1]}"
    return a.split()[1]


@pytest.mark.parametrize("point", ["half built", *STEPS])
def test_a_kill_at_any_point_leaves_a_whole_version_and_the_next_run_publishes(tmp_path: Path, point: str) -> None:
    for said in ("one", "two"):
        assert run_publisher(tmp_path, "never", said) == 0
    assert run_publisher(tmp_path, point, "three") == -signal.SIGKILL
    after_the_switch = point in ("published", "pruned")
    assert seen(tmp_path) == ("three" if after_the_switch else "two")
    assert run_publisher(tmp_path, "never", "four") == 0
    assert seen(tmp_path) == "four"
    left = sorted(p.name for p in tmp_path.iterdir() if not p.name.startswith("v"))
    assert left == [".lock", "CURRENT"]
    assert len(published(tmp_path)) == 2


def test_readers_never_see_a_half_built_version(tmp_path: Path) -> None:
    """A reader that looks all the time while versions come and go finds whole ones, in order."""
    run_publisher(tmp_path, "never", "0")
    found: list[int] = []
    stop = threading.Event()

    def look() -> None:
        while not stop.is_set():
            try:
                found.append(int(seen(tmp_path)))
            except FileNotFoundError:
                found.append(-1)

    def build(folder: Path, number: int) -> None:
        (folder / "a").write_text(f"{number} {number}")
        (folder / "b").write_text(f"{number} {number}")

    reader = threading.Thread(target=look)
    reader.start()
    for _ in range(40):
        publish(tmp_path, build, keep=3)
    stop.set()
    reader.join()
    assert -1 not in found and found == sorted(found)


def test_a_build_that_fails_leaves_nothing(tmp_path: Path) -> None:
    def build(folder: Path, number: int) -> None:
        (folder / "a").write_text(str(number))
        raise StoresError("no")

    with pytest.raises(StoresError, match="no"):
        publish(tmp_path, build)
    assert published(tmp_path) == []
    with pytest.raises(NoStore, match="switchman snapshot load"):
        current(tmp_path)


def test_two_publishers_do_not_meet(tmp_path: Path) -> None:
    def build(_folder: Path, _number: int) -> None:
        with pytest.raises(StoreBusy, match="another process is publishing"):
            publish(tmp_path, lambda _f, _n: None)

    publish(tmp_path, build)


@pytest.mark.parametrize(("keep", "left"), [(1, [5]), (3, [3, 4, 5]), (9, [1, 2, 3, 4, 5])])
def test_old_versions_stay_by_count(tmp_path: Path, keep: int, left: list[int]) -> None:
    for _ in range(5):
        publish(tmp_path, lambda _f, _n: None, keep=keep)
    assert [v.number for v in published(tmp_path)] == left


def test_an_edited_pointer_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "CURRENT").write_text("../elsewhere\n")
    with pytest.raises(StoresError, match="is no version"):
        current(tmp_path)
