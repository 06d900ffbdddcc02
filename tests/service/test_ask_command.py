"""The commands `ask`, `live-server` and `live-repost` as a person meets them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("duckdb", reason="answers need the extra 'stores'")
pytest.importorskip("mcp", reason="answers need the extra 'live'")

from stores.build import build_store

ROOT = Path(__file__).resolve().parents[2]
COMMAND = str(Path(sys.executable).parent / "switchman")


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("stores")
    build_store(ROOT / "data" / "snapshot", root)
    return root


def run(stores: Path, bundle: Path, tmp_path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    own = {
        "SWITCHMAN_STORES": str(stores),
        "SWITCHMAN_BUNDLE": str(bundle),
        "SWITCHMAN_VAR": str(tmp_path),
        "COLUMNS": "120",
    }
    return subprocess.run([COMMAND, *arguments], capture_output=True, text=True, env={**os.environ, **own}, timeout=120)


def test_a_compound_question_in_two_panels_with_as_of(stores: Path, bundle_path: Path, tmp_path: Path) -> None:
    done = run(
        stores, bundle_path, tmp_path, "ask", "Остаток по счёту 51 на 30.06.2020 и открой документ № 0000-000123"
    )
    assert done.returncode == 0, done.stderr
    for words in (
        "F1",
        "F2",
        "51 268 965,07",
        "88 791,82",
        "Данные на 2020-06-30 23:59 Europe/Moscow",
        "прогон canonical-0001",
    ):
        assert words in done.stdout


def test_an_english_question_has_english_labels(stores: Path, bundle_path: Path, tmp_path: Path) -> None:
    done = run(stores, bundle_path, tmp_path, "ask", "What is the balance of account 51 on June 30?")
    assert "51,268,965.07" in done.stdout and "Data as of" in done.stdout and "Account" in done.stdout


def test_json_holds_result_decision_and_execution(stores: Path, bundle_path: Path, tmp_path: Path) -> None:
    found = json.loads(run(stores, bundle_path, tmp_path, "ask", "Остаток по счёту 51", "--json").stdout)
    (only,) = found["fragments"]
    assert set(only) == {"fragment_id", "text", "start", "end", "route", "result", "decision", "execution"}
    assert only["result"]["items"][0]["amount_kopecks"] == 5126896507


def test_without_a_store_one_message_says_how_to_load_one(bundle_path: Path, tmp_path: Path) -> None:
    done = run(tmp_path / "none", bundle_path, tmp_path, "ask", "Остаток по счёту 51")
    assert (done.returncode, "snapshot load" in done.stderr, "Traceback" in done.stderr) == (2, True, False)


def test_a_reposted_document_changes_the_answer(stores: Path, bundle_path: Path, tmp_path: Path) -> None:
    asked = ("ask", "Открой реализацию № 0000-000017", "--json")
    changed = run(
        stores, bundle_path, tmp_path, "live-repost", "РеализацияТоваровУслуг", "0000-000017", "--amount", "50000"
    )
    assert changed.returncode == 0, changed.stderr
    item = json.loads(run(stores, bundle_path, tmp_path, *asked).stdout)["fragments"][0]["result"]["items"][0]
    assert (item["amount"], item["store"]["amount"]) == ("50000.00", "192062.36")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("live-repost", "РеализацияТоваровУслуг", "0000-999999"), "0 documents"),
        (("live-repost", "РеализацияТоваровУслуг", "0000-000017", "--amount", "много"), "write it as 50000.00"),
        (("live-repost", "РеализацияТоваровУслуг", "0000-000017", "--date", "вчера"), "write YYYY-MM-DD"),
        (("live-server", "--data", "/nonexistent"), "no such folder"),
    ],
)
def test_mistakes_get_one_message(
    arguments: tuple[str, ...], told: str, stores: Path, bundle_path: Path, tmp_path: Path
) -> None:
    done = run(stores, bundle_path, tmp_path, *arguments)
    assert (done.returncode, told in done.stderr, "Traceback" in done.stderr) == (2, True, False)


def test_the_live_server_over_standard_input_and_output(
    bundle_path: Path, stores: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SWITCHMAN_LIVE", f"{COMMAND} live-server --stdio --changes {tmp_path / 'changes.jsonl'}")
    found = json.loads(run(stores, bundle_path, tmp_path, "ask", "Открой реализацию № 0000-000017", "--json").stdout)
    assert found["status"] == "ok", found["fragments"][0]["result"]["errors"]
