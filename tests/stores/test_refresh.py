"""A refresh builds only what is stale or missing, publishes only what is whole, and only over the version it started from."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import duckdb
import orjson
import pytest

from stores import refresh
from stores.aggregates import ANOMALY, UnknownAggregate, Wanted, check_wanted
from stores.build import build_store
from stores.errors import BuildFailed, NoStore
from stores.metadata import MANIFEST, STORE_FILE, read_manifest
from stores.reader import StoreReader
from stores.source import fingerprint
from stores.versions import current, published
from tests.stores.conftest import DEMO, Folder

RANKING = Wanted("ranking", "account", ANOMALY)
SUMMARY = Wanted("summary", "company", ANOMALY)
REVENUE = Wanted("ranking", "counterparty", "revenue")


@pytest.fixture
def stores(demo_stores: Path, tmp_path: Path) -> Path:
    root = tmp_path / "stores"
    shutil.copytree(demo_stores, root)
    return root


def refreshed(order: refresh.Order, job: str = "job") -> refresh.Plan:
    plan = refresh.look(order)
    refresh.build(order, plan, job)
    refresh.verify(order, plan, job)
    refresh.publish_built(order, plan, job)
    return plan


def edit(path: Path, change: Any) -> None:
    manifest = orjson.loads(path.read_bytes())
    change(manifest)
    path.write_bytes(orjson.dumps(manifest))


def aggregate(root: Path, wanted: Wanted) -> list[dict[str, Any]]:
    reader = StoreReader(root)
    found = reader.aggregate(wanted.kind, wanted.level, wanted.subject)
    reader.close()
    assert found is not None
    return found


def test_what_is_added_equals_what_a_whole_build_makes(stores: Path, tmp_path: Path) -> None:
    wanted = (RANKING, SUMMARY, REVENUE)
    plan = refreshed(refresh.Order(stores, wanted))
    assert (plan.mode, plan.number) == ("aggregates", 2)
    build_store(DEMO, tmp_path / "whole", wanted=wanted)
    for one in wanted:
        assert aggregate(stores, one) == aggregate(tmp_path / "whole", one) != []


def test_stores_that_are_current_keep_their_runs(stores: Path) -> None:
    before = read_manifest(current(stores))["metadata"]["stores"]
    refreshed(refresh.Order(stores, (RANKING,)))
    after = read_manifest(current(stores))["metadata"]
    assert after["stores"] == before
    assert [a["source_run_id"] for a in after["aggregates"]] == ["risk-0001", "risk-0001"]
    assert refresh.look(refresh.Order(stores, (RANKING,))).mode == "nothing"


@pytest.mark.parametrize(("stale", "mode", "anew"), [("feature", "features", {"feature", "risk"}), ("risk", "risk", {"risk"})])  # fmt: skip
def test_a_store_of_an_older_snapshot_is_made_anew_with_what_rests_on_it(stores: Path, stale: str, mode: str, anew: set[str]) -> None:  # fmt: skip
    before = aggregate(stores, Wanted("summary", "posting", ANOMALY))
    edit(current(stores).path / MANIFEST, lambda m: m["metadata"]["stores"][stale].update(snapshot_id="2020-06@0"))
    plan = refreshed(refresh.Order(stores, (RANKING,)))
    assert plan.mode == mode
    m = read_manifest(current(stores))["metadata"]
    assert {name for name in m["stores"] if m["stores"][name]["run_id"].endswith("0002")} == anew
    assert {m["stores"][name]["snapshot_id"] for name in m["stores"]} == {"2020-06@1"}
    assert aggregate(stores, Wanted("summary", "posting", ANOMALY)) == before


def test_a_changed_folder_is_loaded_whole_and_its_wanted_aggregates_with_it(stores: Path, tmp_path: Path) -> None:
    snapshot = tmp_path / "snapshot"
    shutil.copytree(DEMO, snapshot)
    assert refresh.look(refresh.Order(stores, (RANKING,), snapshot=snapshot)).newer is False
    about = json.loads((snapshot / "snapshot.json").read_text("utf-8"))
    (snapshot / "snapshot.json").write_text(json.dumps({**about, "snapshot_id": "2020-06@2"}), "utf-8")
    order = refresh.Order(stores, (RANKING,), snapshot=snapshot)
    assert refreshed(order).mode == "snapshot"
    m = read_manifest(current(stores))["metadata"]
    assert m["snapshot"]["snapshot_id"] == "2020-06@2"
    assert {a["kind"] for a in m["aggregates"]} == {"summary", "ranking"}
    assert refresh.look(order).mode == "nothing"


def test_a_folder_that_is_gone_leaves_what_is_loaded_to_be_asked(stores: Path) -> None:
    edit(current(stores).path / MANIFEST, lambda m: m["source"].update(folder="/nowhere"))
    plan = refresh.look(refresh.Order(stores, (RANKING,)))
    assert (plan.mode, plan.folder, plan.newer) == ("aggregates", "", False)


def test_neither_a_store_nor_a_folder_is_said(tmp_path: Path) -> None:
    with pytest.raises(NoStore, match="switchman snapshot load"):
        refresh.look(refresh.Order(tmp_path / "none", (RANKING,)))


def test_a_first_store_can_be_made_by_a_refresh(tmp_path: Path) -> None:
    order = refresh.Order(tmp_path / "stores", (RANKING,), snapshot=DEMO)
    assert refreshed(order).number == 1
    assert len(aggregate(order.root, RANKING)) == 15


def test_another_version_in_between_stops_the_publication(stores: Path) -> None:
    order = refresh.Order(stores, (RANKING,))
    plan = refresh.look(order)
    refresh.build(order, plan, "slow")
    refreshed(refresh.Order(stores, (SUMMARY,)), "quick")
    with pytest.raises(refresh.BaseMoved, match="look again"):
        refresh.publish_built(order, plan, "slow")
    assert [v.number for v in published(stores)] == [1, 2]
    assert refreshed(order, "slow").number == 3
    assert aggregate(stores, SUMMARY) and aggregate(stores, RANKING)


def test_publishing_again_finds_what_the_job_has_published(stores: Path) -> None:
    order = refresh.Order(stores, (RANKING,))
    plan = refreshed(order, "job")
    assert refresh.publish_built(order, plan, "job").number == 2
    assert len(published(stores)) == 2
    with pytest.raises(refresh.StagingLost, match="build again"):
        refresh.publish_built(order, plan, "another")


@pytest.mark.parametrize(
    ("harm", "says"),
    [
        ("DELETE FROM aggregate_row WHERE place = 3", "holds 14 rows of 15"),
        ("DELETE FROM feature_posting WHERE subject IN (SELECT subject FROM feature_posting LIMIT 1)", "1380 postings, 1379 with features"),
        ("DELETE FROM posting; DELETE FROM document", "is empty: no posting and no document"),
    ],
)  # fmt: skip
def test_a_build_that_is_not_whole_does_not_pass(stores: Path, harm: str, says: str) -> None:
    order = refresh.Order(stores, (RANKING,))
    plan = refresh.look(order)
    refresh.build(order, plan, "job")
    with duckdb.connect(str(refresh.staging(stores, "job") / STORE_FILE)) as connection:
        for statement in harm.split(";"):
            connection.execute(statement)
    with pytest.raises(BuildFailed, match=says):
        refresh.verify(order, plan, "job")


def test_an_aggregate_that_is_not_listed_does_not_pass(stores: Path) -> None:
    order = refresh.Order(stores, (RANKING,))
    plan = refresh.look(order)
    refresh.build(order, plan, "job")
    edit(refresh.staging(stores, "job") / MANIFEST, lambda m: m["metadata"]["aggregates"].pop())
    with pytest.raises(BuildFailed, match="not built at the level asked for"):
        refresh.verify(order, plan, "job")


def test_a_build_that_breaks_leaves_nothing(stores: Path) -> None:
    order = refresh.Order(stores, (RANKING,))
    plan = refresh.look(order)

    def full(point: str) -> None:
        if point == "aggregates":
            raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space left"):
        refresh.build(order, plan, "job", step=full)
    assert sorted(p.name for p in stores.iterdir()) == [".lock", "CURRENT", "v000001"]


def test_what_dead_jobs_left_is_swept_and_what_lives_is_not(stores: Path) -> None:
    order = refresh.Order(stores, (RANKING,))
    for job in ("dead", "alive"):
        refresh.build(order, refresh.look(order), job)
    refresh.sweep_staging(stores, {"alive"})
    assert len(list(stores.glob(".staging-*"))) == 2, "what is young may be another process's"
    refresh.sweep_staging(stores, {"alive"}, older_than_seconds=0)
    assert [p.name for p in stores.glob(".staging-*")] == [".staging-alive"]


@pytest.mark.parametrize(
    ("wanted", "says"),
    [
        (Wanted("top", "account", ANOMALY), "kinds are"),
        (Wanted("ranking", "subconto", ANOMALY), "levels are"),
        (Wanted("ranking", "account", "revenue"), "account has anomaly, turnover, balance"),
        (Wanted("ranking", "company", "revenue"), "summaries and breakdowns of"),
    ],
)
def test_an_aggregate_nobody_can_make_says_what_can_be_asked(stores: Path, wanted: Wanted, says: str) -> None:
    with pytest.raises(UnknownAggregate, match=says):
        check_wanted(wanted)
    plan = refresh.look(refresh.Order(stores, (wanted,)))
    assert plan.mode == "nothing" and says in plan.impossible[wanted.name]


def test_risks_of_the_company_are_ranked_by_sign_the_heaviest_first(stores: Path) -> None:
    one = Wanted("ranking", "company", ANOMALY)
    refreshed(refresh.Order(stores, (one,)))
    ranked = aggregate(stores, one)
    assert [r["place"] for r in ranked] == list(range(1, len(ranked) + 1))
    assert [(-r["score"], -r["signs"]) for r in ranked] == sorted((-r["score"], -r["signs"]) for r in ranked)


def test_a_fingerprint_is_of_names_and_bytes(exports: Folder, tmp_path: Path) -> None:
    folder = exports({"a.json": b"1", "b.json": b"2"})
    before = fingerprint(folder)
    shutil.copytree(folder, tmp_path / "copy")
    assert fingerprint(tmp_path / "copy") == before
    (tmp_path / "copy" / "b.json").rename(tmp_path / "copy" / "c.json")
    assert fingerprint(tmp_path / "copy") != before
    (folder / "b.json").write_bytes(b"3")
    assert fingerprint(folder) != before
