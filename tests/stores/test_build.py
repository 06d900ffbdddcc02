"""The whole line: killed at a stage, read in several processes, told of a cut export."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import signal
import subprocess
import sys
from pathlib import Path

import ibis
import pytest

import stores
from stores.build import build_store
from stores.load import load_snapshot
from stores.metadata import store_metadata
from stores.reader import StoreReader
from stores.schema import TABLES
from stores.versions import current
from tests.stores.conftest import DEMO, Folder, june

BUILDER = """
import os, signal, sys
from pathlib import Path
from stores.build import build_store

def step(name):
    if name == sys.argv[3]:
        os.kill(os.getpid(), signal.SIGKILL)

build_store(Path(sys.argv[1]), Path(sys.argv[2]), step=step)
"""

BILL = {"Ref_Key": "8b9660f6-6332-11ec-ad72-000c29b45b09", "Number": "1", "Date": june(3)}


@pytest.mark.parametrize("stage", ["loaded", "risk", "named"])
def test_a_build_killed_at_a_stage_leaves_the_version_before(exports: Folder, tmp_path: Path, stage: str) -> None:
    folder, root = exports({"Document_СчетНаОплатуПокупателю.json": [BILL]}), tmp_path / "stores"
    build_store(folder, root)
    done = subprocess.run(
        [sys.executable, "-c", BUILDER, str(folder), str(root), stage], check=False, capture_output=True
    )
    assert done.returncode == -signal.SIGKILL
    assert StoreReader(root).by_ref("document", BILL["Ref_Key"])
    assert current(root).number == 1
    assert build_store(folder, root).version == current(root)
    assert sorted(p.name for p in root.iterdir()) == [".lock", "CURRENT", "v000001", "v000002"]


def test_several_processes_read_what_one_does() -> None:
    one, two = ibis.duckdb.connect(), ibis.duckdb.connect()
    alone, together = load_snapshot(DEMO, one, processes=1), load_snapshot(DEMO, two, processes=2)
    assert alone.report.rows == together.report.rows and alone.report.entities == together.report.entities
    for table in TABLES:
        found = [sorted(map(str, c.table(table).to_pyarrow().to_pylist())) for c in (one, two)]
        assert found[0] == found[1]


def test_a_cut_export_makes_no_complete_snapshot(exports: Folder, tmp_path: Path) -> None:
    folder = exports({"Document_СчетНаОплатуПокупателю.json": {"odata.count": "2", "value": [BILL]}})
    build_store(folder, tmp_path / "stores")
    assert store_metadata(tmp_path / "stores")["snapshot"]["complete"] is False


@pytest.mark.parametrize("name", sorted(m.name for m in pkgutil.walk_packages(stores.__path__, "stores.")))
def test_examples_in_docstrings_hold(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
