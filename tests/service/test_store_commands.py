"""``snapshot load`` and ``store status`` as a person and a script use them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("ibis", reason="stores need the extra 'stores'")

SWITCHMAN = str(Path(sys.executable).with_name("switchman"))


def run(*arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [SWITCHMAN, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "COLUMNS": "120", **env},
    )


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, subprocess.CompletedProcess[str]]:
    """Folder of stores, and what loading the demo into it said."""
    stores = str(tmp_path_factory.mktemp("cli") / "stores")
    return stores, run("snapshot", "load", "--stores", stores)


def test_a_load_tells_counts_period_and_what_leads_nowhere(
    loaded: tuple[str, subprocess.CompletedProcess[str]],
) -> None:
    _, done = loaded
    assert done.returncode == 0
    for text in (
        "Document_РеализацияТоваровУслуг",
        "147",
        "2020-06-01 … 2020-06-30",
        "document.base → document: 1",
        "v000001",
    ):
        assert text in done.stdout


def test_status_shows_data_time_apart_from_build_time(
    loaded: tuple[str, subprocess.CompletedProcess[str]],
) -> None:
    shown = run("store", "status", "--stores", loaded[0]).stdout
    for text in (
        "2020-06-30T23:59:59+03:00",
        "2020-07-01T06:00:00+03:00",
        "свежие",
        "risk-0001",
        "summary × posting × anomaly",
    ):
        assert text in shown


def test_the_configured_moment_decides_what_is_fresh(
    loaded: tuple[str, subprocess.CompletedProcess[str]],
) -> None:
    later = run("store", "status", "--stores", loaded[0], SWITCHMAN_AS_OF="2020-07-09T06:00:00+03:00")
    assert "устарели" in later.stdout


def test_status_json_is_what_the_router_takes(
    loaded: tuple[str, subprocess.CompletedProcess[str]], tmp_path: Path, bundle_path: Path
) -> None:
    """The benchmark's questions meet the same routes with the demo's own metadata as with the reference."""
    metadata = tmp_path / "metadata.json"
    metadata.write_text(run("store", "status", "--stores", loaded[0], "--json").stdout, "utf-8")
    routes = []
    for more in ([], ["--store-metadata", str(metadata)]):
        result = json.loads(
            run(
                "benchmark", "--json", "--bundle", str(bundle_path), "--routes-only", "--logs", str(tmp_path), *more
            ).stdout
        )
        records = [json.loads(line) for line in (tmp_path / "decisions.jsonl").read_text("utf-8").splitlines()]
        routes.append((result["verdict"], [(r["question_id"], r["chosen_route"]) for r in records]))
    assert routes[0] == routes[1]
    assert len(routes[0][1]) == 35


def test_a_refused_folder_is_named_place_by_place(tmp_path: Path) -> None:
    folder = tmp_path / "exports"
    folder.mkdir()
    (folder / "login.json").write_text("<html>Вход</html>", "utf-8")
    (folder / "Document_Х.json").write_text('{"value": [{"Ref_Key": "x"}]}', "utf-8")
    done = run("snapshot", "load", str(folder), "--stores", str(tmp_path / "stores"))
    assert done.returncode == 1
    for text in ("Document_Х.json, запись 1: 'x' is no GUID", "login.json: an HTML page", "nothing was loaded"):
        assert text in done.stderr
    as_json = run("snapshot", "load", str(folder), "--stores", str(tmp_path / "stores"), "--json")
    assert json.loads(as_json.stdout)["refused_count"] == 2


@pytest.mark.parametrize(
    ("arguments", "env", "said"),
    [
        (("store", "status"), {}, "no store is published; run: switchman snapshot load DIR"),
        (("snapshot", "load", "no/such/folder"), {}, "no such folder"),
        (("store", "status"), {"SWITCHMAN_AS_OF": "2020-07-01T06:00:00"}, "no offset"),
        (("store", "status"), {"SWITCHMAN_AS_OF": "вчера"}, "SWITCHMAN_AS_OF"),
    ],
)
def test_what_cannot_be_done_says_what_to_do(
    arguments: tuple[str, ...], env: dict[str, str], said: str, tmp_path: Path
) -> None:
    done = run(*arguments, "--stores", str(tmp_path), **env)
    assert done.returncode in (1, 2)
    assert said in done.stderr and "Traceback" not in done.stderr
