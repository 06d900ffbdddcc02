"""Runs in MLflow: whole or marked, never lost."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from experiments.errors import ExperimentError, RunIncomplete, TrackingUnavailable, VersionUnknown
from experiments.evaluation import Yardstick
from experiments.gates import Limits
from experiments.process_identity import is_gone, this_process
from experiments.registry import current_champion, promote, pull, rollback
from experiments.run_folder import COMPLETE, KILLED, RunFolder
from experiments.tracking import MODEL_TAG, STATE_TAG, Tracking, log_folder
from experiments.versions import aliases, find_version
from models.bundle import Bundle, load_bundle
from tests.experiments.conftest import failed_gates, with_threshold

WriteRun = Callable[[Bundle, str], RunFolder]
Logged = Callable[[Bundle, str], str]
EASY = Limits(slowdown=10.0, route_ece=0.2, flag_ece=0.2, ece_worse=0.1)
"""Speed and calibration have tests of their own; here they would measure the machine, and so few questions."""


@pytest.fixture(scope="module")
def first(logged: Logged, good: Bundle) -> str:
    return logged(good, "first")


def test_a_run_holds_figures_datasets_records_and_the_bundle(
    first: str, tracking: Tracking, good: Bundle, tmp_path: Path
) -> None:
    client = tracking.client()
    run = client.get_run(first)
    assert ("FINISHED", COMPLETE) == (run.info.status, run.data.tags[STATE_TAG])
    assert 0 == run.data.metrics["route_mismatch_count"]
    assert {
        "batch_route_count",
        "mismatches_by_class/heavy_analytical",
        "exam/routes/accuracy",
        "exam/routes/interval/low",
        "exam/by_language/english/accuracy",
        "robustness/typo/retention",
        "speed/p50_us",
    } <= set(run.data.metrics)
    assert [("training", "0" * 32)] == [(d.dataset.name, d.dataset.digest) for d in run.inputs.dataset_inputs]
    assert {"bundle", "decisions"} <= {a.path for a in client.list_artifacts(first)}
    assert good.digest == find_version(first[:8], tracking, tmp_path).bundle.digest


def test_logging_a_folder_again_changes_nothing(write_run: WriteRun, good: Bundle, tracking: Tracking) -> None:
    folder = write_run(good, "twice")
    assert log_folder(tracking, folder) == log_folder(tracking, folder)


@pytest.mark.parametrize("uri", ["http://127.0.0.1:9", "sqlite:////proc/none/mlflow.db", "nonsense://x"])
def test_a_server_that_is_away_loses_nothing_and_the_run_is_logged_later(
    uri: str, write_run: WriteRun, good: Bundle, tracking: Tracking
) -> None:
    folder = write_run(good, "stranded")
    with pytest.raises(TrackingUnavailable, match="tracking server"):
        log_folder(Tracking(uri, folder.path), folder)
    assert good.digest == load_bundle(folder.bundle).digest
    run_id = log_folder(tracking, folder)
    assert COMPLETE == tracking.client().get_run(run_id).data.tags[STATE_TAG]


KILLED_RUN = """
import sys, time
from pathlib import Path
from experiments.run_folder import RunFolder
from experiments.tracking import Tracking, begin_run
folder = RunFolder.begin(Path(sys.argv[1]), "doomed", "router", "")
print(begin_run(Tracking(sys.argv[2], Path(sys.argv[3])), folder), folder.path, flush=True)
time.sleep(60)
"""


def test_a_run_killed_midway_is_marked_and_nothing_of_it_can_be_promoted(
    tracking: Tracking, small_yardstick: Yardstick, tmp_path: Path
) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", KILLED_RUN, str(tmp_path), tracking.uri, str(tracking.artifacts)],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    run_id, folder = child.stdout.readline().split()
    child.send_signal(signal.SIGKILL)
    child.wait()
    for _ in range(2):
        with pytest.raises(RunIncomplete, match="killed"):
            promote(run_id, tracking, tmp_path / "cache", small_yardstick)
    run = tracking.client().get_run(run_id)
    assert ("KILLED", KILLED) == (run.info.status, run.data.tags[STATE_TAG])
    assert KILLED == RunFolder.open(Path(folder)).state()["state"]
    with pytest.raises(RunIncomplete, match="run it again"):
        log_folder(tracking, RunFolder.open(Path(folder)))
    with pytest.raises(RunIncomplete):
        find_version(folder, tracking, tmp_path)


def test_a_run_killed_while_it_is_logged_is_not_complete(
    write_run: WriteRun,
    good: Bundle,
    tracking: Tracking,
    small_yardstick: Yardstick,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = write_run(good, "half logged")
    monkeypatch.setattr("experiments.tracking._log_model", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        log_folder(tracking, folder)
    run_id = folder.read("state.json")["mlflow"]["run_id"]
    with pytest.raises(RunIncomplete):
        promote(run_id, tracking, tmp_path, small_yardstick)
    monkeypatch.undo()
    assert run_id == log_folder(tracking, folder)
    assert run_id == find_version(run_id, tracking, tmp_path).run_id


def test_processes_are_told_apart() -> None:
    assert not is_gone(this_process())
    assert is_gone(this_process().rpartition(":")[0] + ":1")
    assert not is_gone("another-host:1:1")
    assert not is_gone("")
    child = subprocess.Popen(
        [sys.executable, "-c", "from experiments.process_identity import this_process; print(this_process())"],
        stdout=subprocess.PIPE,
        text=True,
    )
    said = child.communicate()[0].strip()
    assert is_gone(said)


def test_promotion_rollback_and_pull(
    first: str, logged: Logged, good: Bundle, tracking: Tracking, small_yardstick: Yardstick, tmp_path: Path
) -> None:
    """One story: a dry run, a champion, a spoiled run refused, a run whose model is another's, a second champion, and back."""
    cache, client = tmp_path / "cache", tracking.client()
    with pytest.raises(ExperimentError, match="no champion yet"):
        rollback(tracking, cache)
    tried = promote(first, tracking, cache, small_yardstick, dry_run=True, limits=EASY)
    assert ([], None) == (failed_gates(tried.results), tried.version)
    assert {} == aliases(client)

    done = promote(first, tracking, cache, small_yardstick, limits=EASY)
    assert ([], "1", None) == (failed_gates(done.results), done.version, done.champion_before)
    assert {"champion": "1"} == aliases(client)

    bad = logged(with_threshold(good, needs_exact_object_trace=1.1), "spoiled")
    refused = promote(bad, tracking, cache, small_yardstick, limits=EASY)
    assert not refused.passed
    assert (None, "1") == (refused.version, refused.champion_before)
    assert {"champion": "1"} == aliases(client)
    assert 1 == len(client.search_model_versions("name = 'switchman'"))

    second = logged(replace(good, training={**good.training, "note": "second"}), "second")
    client.set_tag(second, MODEL_TAG, client.get_run(bad).data.tags[MODEL_TAG])
    crossed = promote(second, tracking, cache, small_yardstick, limits=EASY)
    assert "registry_model" in failed_gates(crossed.results)
    second = logged(replace(good, training={**good.training, "note": "third"}), "third")
    moved = promote(second, tracking, cache, small_yardstick, limits=EASY)
    assert ("2", "1") == (moved.version, moved.champion_before), failed_gates(moved.results)
    assert {"champion": "2", "previous": "1"} == aliases(client)

    target = tmp_path / "bundle"
    pulled = pull("models:/switchman@champion", target, tracking, cache)
    assert pulled.bundle.digest == load_bundle(target).digest != good.digest
    assert ("2", "1") == rollback(tracking, cache)
    assert {"champion": "1"} == aliases(client)
    pull("champion", target, tracking, cache)
    assert good.digest == load_bundle(target).digest
    with pytest.raises(ExperimentError, match="first champion"):
        rollback(tracking, cache)
    champion = current_champion(tracking, cache)
    assert champion is not None
    assert good.digest == champion.bundle.digest


@pytest.mark.usefixtures("first")
@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("nobody", "neither a bundle folder, an alias nor a run"),
        ("@nobody", "no such version"),
        ("models:/switchman@nobody", "no such version"),
        ("models:/switchman/99", "no version 99"),
    ],
)
def test_an_unknown_version_is_named(name: str, says: str, tracking: Tracking, tmp_path: Path) -> None:
    with pytest.raises(VersionUnknown, match=says):
        find_version(name, tracking, tmp_path)


def test_a_folder_cannot_be_promoted_for_no_run_vouches_for_it(
    bundle_path: Path, tracking: Tracking, small_yardstick: Yardstick, tmp_path: Path
) -> None:
    with pytest.raises(ExperimentError, match="a folder, not a run"):
        promote(str(bundle_path), tracking, tmp_path, small_yardstick)


def test_pull_leaves_a_folder_of_other_things_alone(first: str, tracking: Tracking, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("mine")
    with pytest.raises(ExperimentError, match="left alone"):
        pull(first, tmp_path / "mine", tracking, tmp_path / "cache")
    assert "mine" == (tmp_path / "mine" / "letter.txt").read_text()


def test_a_bundle_tampered_with_in_the_server_is_refused(
    write_run: WriteRun, good: Bundle, tracking: Tracking, tmp_path: Path
) -> None:
    run_id = log_folder(tracking, write_run(good, "tampered"))
    stored = next(p for p in tracking.artifacts.rglob("vocabulary.json") if run_id in str(p))
    stored.write_bytes(stored.read_bytes() + b" ")
    with pytest.raises(Exception, match="edited or truncated"):
        find_version(run_id, tracking, tmp_path)


PRODUCTION = """
import json, sys
for name in ("mlflow", "sklearn", "pandas", "scipy", "joblib"):
    sys.modules[name] = None  # importing it raises, as where it is not installed
from router import load_router
router = load_router(sys.argv[1])
print(router.route("Остаток по кассе на 12 июня", json.load(open(sys.argv[2]))).route)
"""


def test_production_loads_a_pulled_bundle_where_nothing_heavy_is_installed(
    first: str, tracking: Tracking, tmp_path: Path
) -> None:
    pull(first, tmp_path / "bundle", tracking, tmp_path / "cache")
    store = Path(__file__).parents[2] / "data" / "reference_store.json"
    done = subprocess.run(
        [sys.executable, "-c", PRODUCTION, str(tmp_path / "bundle"), str(store)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "store_canonical" == done.stdout.strip(), done.stderr
