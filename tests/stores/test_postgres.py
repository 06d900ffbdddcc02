"""The same expressions on PostgreSQL give the same stores."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import ibis
import pytest
from ibis.backends import BaseBackend

from stores.aggregates import ANOMALY, Wanted
from stores.build import fill
from stores.features import GROUPINGS
from tests.stores import postgres
from tests.stores.conftest import DEMO

pytest.importorskip("psycopg", reason="PostgreSQL needs the extra 'postgres'")
pytestmark = pytest.mark.skipif(bool(postgres.why_not()), reason=postgres.why_not() or "PostgreSQL is here")

WANTED = (
    Wanted("summary", "posting", ANOMALY), Wanted("ranking", "account", ANOMALY), Wanted("breakdown", "company", ANOMALY), Wanted("ranking", "counterparty", "revenue"),
    Wanted("summary", "document", "vat"), Wanted("breakdown", "company", "payable"),
)  # fmt: skip
TABLES = (
    "document", "posting", "opening", "balance", "debt", *(f"feature_{g}" for g in GROUPINGS), "feature_series", "risk_sign", "risk_evidence", "risk_subject",
    "risk_score", "risk_level", "aggregate_row",
)  # fmt: skip


@pytest.fixture(scope="module")
def both() -> Iterator[tuple[BaseBackend, BaseBackend, Any, Any]]:
    """The demo on DuckDB and on PostgreSQL, with the manifests."""
    folder = Path(
        tempfile.mkdtemp(prefix="switchman-pg-")
    )  # outside pytest's folders, which only their owner may enter
    try:
        with postgres.server(folder) as url:
            duck, pg = ibis.duckdb.connect(), ibis.connect(url)
            yield duck, pg, fill(duck, DEMO, 1, None, WANTED), fill(pg, DEMO, 1, None, WANTED)
            pg.disconnect()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        value = float(value)
    return round(value, 6) + 0.0 if isinstance(value, float) else "" if value is None else value


def rows(connection: BaseBackend, table: str) -> list[tuple[str, ...]]:
    found = connection.table(table).to_pyarrow().to_pylist()
    return sorted(tuple(str(plain(r[k])) for k in sorted(r)) for r in found)


@pytest.mark.parametrize("table", TABLES)
def test_a_table_is_the_same_on_both(both: tuple[BaseBackend, BaseBackend, Any, Any], table: str) -> None:
    duck, pg, _, _ = both
    assert rows(duck, table) == rows(pg, table)
    assert rows(pg, table)


def test_the_metadata_is_the_same(both: tuple[BaseBackend, BaseBackend, Any, Any]) -> None:
    _, _, on_duck, on_pg = both
    assert on_duck["metadata"] == on_pg["metadata"]
