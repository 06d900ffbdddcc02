"""Every expression compiles for engines that spread over machines; none of them is needed for that.

What this cannot show is that they give the same rows: `stores/README.md` says how to see that on an engine of one's own.
"""

from __future__ import annotations

from collections.abc import Iterator

import ibis
import pytest

from stores import aggregates, features, series
from stores.balances import balances, debts
from stores.build import fill
from stores.facts import Facts
from stores.metadata import period_of
from stores.risk import run
from tests.stores.conftest import DEMO

ENGINES = ("databricks", "clickhouse", "snowflake")
WANTED = tuple(
    aggregates.Wanted(kind, level, subject)
    for kind in aggregates.KINDS
    for level, subject in (
        ("posting", "anomaly"),
        ("account", "anomaly"),
        ("counterparty", "revenue"),
        ("company", "payable"),
    )
    if (kind, level) != ("ranking", "company")
)


@pytest.fixture(scope="module")
def facts() -> Iterator[Facts]:
    connection = ibis.duckdb.connect()
    manifest = fill(connection, DEMO, 1, None)
    yield Facts(connection, *period_of(manifest))
    connection.disconnect()


def expressions(facts: Facts) -> dict[str, ibis.Table]:
    return {
        "balance": balances(facts),
        "debt": debts(facts),
        **{f"rule {number}, {n}": rule(facts) for n, (number, rule) in enumerate(run.RULES)},
        **{f"features per {name}": maker(facts) for name, maker in features.GROUPINGS.items()},
        "series": series.daily(facts),
        "evidence": run.evidence(facts),
        "touched": run.touched(facts.table("risk_sign")),
        "scores": run.scores(facts.table("risk_subject")),
        "levels": run.looked_at(facts),
        **{wanted.name: aggregates.rows(facts, wanted) for wanted in WANTED},
    }


@pytest.mark.parametrize("engine", ENGINES)
def test_every_expression_compiles(facts: Facts, engine: str) -> None:
    texts = {name: str(ibis.to_sql(expression, dialect=engine)) for name, expression in expressions(facts).items()}
    assert len(texts) == 2 + len(run.RULES) + len(features.GROUPINGS) + 5 + len(WANTED)
    assert [name for name, text in texts.items() if "SELECT" not in text] == []
