"""Shared by tests of the durable batch: a store of the demo to spoil, and databases of jobs, SQLite and PostgreSQL."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("ibis", reason="stores need the extra 'stores'")
pytest.importorskip("dbos", reason="jobs need the extra 'batch'")

from stores.build import build_store
from tests.stores import postgres

ROOT = Path(__file__).resolve().parents[2]
DEMO = ROOT / "data" / "snapshot"


@pytest.fixture(scope="session")
def built_stores(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo, freshly loaded; nobody changes it."""
    root = tmp_path_factory.mktemp("built")
    build_store(DEMO, root)
    return root


@pytest.fixture
def stores(built_stores: Path, tmp_path: Path) -> Path:
    """A copy to refresh."""
    root = tmp_path / "stores"
    shutil.copytree(built_stores, root)
    return root


@pytest.fixture
def snapshot(tmp_path: Path) -> Path:
    """A copy of the demo's exports, the same bytes."""
    folder = tmp_path / "snapshot"
    shutil.copytree(DEMO, folder)
    return folder


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'jobs.sqlite'}"


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """A server of the tests' own; skips with a sentence where there can be none."""
    pytest.importorskip("psycopg", reason="PostgreSQL needs the extra 'postgres'")
    if postgres.why_not():
        pytest.skip(postgres.why_not())
    folder = Path(tempfile.mkdtemp(prefix="switchman-pg-"))
    try:
        with postgres.server(folder) as url:
            yield url
    finally:
        shutil.rmtree(folder, ignore_errors=True)
