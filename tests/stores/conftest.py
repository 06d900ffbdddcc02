"""Shared by tests of stores: a demo store built once, and small exports written by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("ibis", reason="stores need the extra 'stores'")
pytest.importorskip("duckdb", reason="stores need the extra 'stores'")

from stores.build import build_store
from stores.reader import StoreReader

ROOT = Path(__file__).resolve().parents[2]
DEMO = ROOT / "data" / "snapshot"
Folder = Callable[[dict[str, Any]], Path]


@pytest.fixture(scope="session")
def demo_stores(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of versions with one version of the demo."""
    root = tmp_path_factory.mktemp("stores")
    build_store(DEMO, root)
    return root


@pytest.fixture(scope="session")
def demo(demo_stores: Path) -> StoreReader:
    return StoreReader(demo_stores)


@pytest.fixture
def exports(tmp_path: Path) -> Folder:
    """Writes files of a snapshot folder: bytes as they are, anything else as JSON."""

    def write(files: dict[str, Any]) -> Path:
        folder = tmp_path / "exports"
        folder.mkdir(exist_ok=True)
        for name, content in files.items():
            data = content if isinstance(content, bytes) else json.dumps(content, ensure_ascii=False).encode()
            (folder / name).write_bytes(data)
        return folder

    return write


def june(day: int, hour: int = 12) -> str:
    return datetime(2020, 6, day, hour).isoformat()
