"""Shared by tests of executors: the demo's store, its live system with changes of its own, a context over both."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("duckdb", reason="executors need the extra 'stores'")
pytest.importorskip("mcp", reason="executors need the extra 'live'")

from executors.context import ExecutorContext
from executors.live.connect import live_over
from executors.live.reference_base import ReferenceBase
from executors.live.reference_server import reference_server
from executors.live.system import LiveSystem
from stores.aggregates import COMPANY, RANKING, READY, SUMMARY, Wanted
from stores.build import build_store
from stores.reader import StoreReader

ROOT = Path(__file__).resolve().parents[2]
DEMO = ROOT / "data" / "snapshot"
RATED = (
    *READY,
    Wanted(SUMMARY, COMPANY, "anomaly"),
    Wanted(RANKING, "account", "anomaly"),
    Wanted(RANKING, "counterparty", "anomaly"),
    Wanted(RANKING, "counterparty", "debt"),
)


@pytest.fixture(scope="session")
def demo_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StoreReader]:
    """The demo with the ratings that the benchmark asks for."""
    root = tmp_path_factory.mktemp("stores")
    build_store(DEMO, root, wanted=RATED)
    reader = StoreReader(root)
    yield reader
    reader.close()


@pytest.fixture
def base(tmp_path: Path) -> ReferenceBase:
    """The reference live system's data, with nothing re-posted yet."""
    return ReferenceBase(DEMO, tmp_path / "changes.jsonl")


@pytest.fixture
def live(base: ReferenceBase) -> Iterator[LiveSystem]:
    """The reference server in this process, over ``base``."""
    found = live_over("switchman", lambda: reference_server(base))
    yield found
    found.close()


@pytest.fixture
def context(demo_store: StoreReader, live: LiveSystem) -> ExecutorContext:
    """Store and live system of the demo; aggregates that are not ready cannot be built."""
    return ExecutorContext(demo_store, live)
