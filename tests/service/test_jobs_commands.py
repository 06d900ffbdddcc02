"""``switchman jobs`` and the batch of ``switchman ask`` as a person uses them, each command a process of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("dbos", reason="jobs need the extra 'batch'")
pytest.importorskip("duckdb", reason="jobs need the extra 'stores'")

from stores.build import build_store

ROOT = Path(__file__).resolve().parents[2]
SWITCHMAN = Path(sys.executable).with_name("switchman")


@pytest.fixture(scope="module")
def env(tmp_path_factory: pytest.TempPathFactory, bundle_path: Path) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("jobs")
    build_store(ROOT / "data" / "snapshot", folder / "stores")
    return {
        **os.environ, "SWITCHMAN_STORES": str(folder / "stores"), "DATABASE_URL": f"sqlite:///{folder / 'jobs.sqlite'}", "SWITCHMAN_BUNDLE": str(bundle_path),
        "COLUMNS": "120",
    }  # fmt: skip


def run(env: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([SWITCHMAN, *arguments], capture_output=True, text=True, check=False, env=env)
    assert "Traceback" not in done.stderr + done.stdout
    return done


def test_a_heavy_question_waits_for_its_job_and_shows_what_was_rebuilt(env: dict[str, str]) -> None:
    done = run(env, "ask", "Рейтинг риск-контрагентов")
    assert done.returncode == 0, done.stderr
    assert "batch_refresh_then_store" in done.stdout and "рейтинг рисков по контрагентам" in done.stdout
    again = run(env, "ask", "Рейтинг риск-контрагентов", "--text")
    assert again.stdout.startswith("В рейтинге 32")


def test_without_waiting_the_id_comes_at_once_and_the_answer_later(env: dict[str, str]) -> None:
    """Nobody works until someone follows: then that process does."""
    job_id = run(env, "ask", "Rank the contracts by risk", "--no-wait").stdout.strip()
    listed = {j["job_id"]: j for j in json.loads(run(env, "jobs", "--json").stdout)}
    assert (listed[job_id]["state"], listed[job_id]["question"]) == ("waiting", "Rank the contracts by risk")
    early = run(env, "jobs", "answer", job_id)
    assert (early.returncode, f"switchman jobs follow {job_id}" in early.stderr) == (2, True)
    followed = run(env, "jobs", "follow", job_id)
    assert followed.returncode == 0 and "in the rating" in followed.stdout
    assert run(env, "jobs", "answer", job_id).stdout == followed.stdout
    assert job_id in run(env, "jobs").stdout


def test_a_cancelled_job_is_retried(env: dict[str, str]) -> None:
    job_id = run(env, "ask", "Рейтинг складов по риску", "--no-wait").stdout.strip()
    assert run(env, "jobs", "cancel", job_id).returncode == 0
    refused = run(env, "jobs", "answer", job_id)
    assert refused.returncode == 1 and f"switchman jobs retry {job_id}" in refused.stdout
    assert run(env, "jobs", "retry", job_id).returncode == 0
    assert run(env, "jobs", "retry", job_id).returncode == 2


def test_a_worker_runs_what_is_put_in_and_ends_when_it_is_told(env: dict[str, str]) -> None:
    worker = subprocess.Popen([SWITCHMAN, "jobs", "worker", "--name", "w1"], env=env, stderr=subprocess.PIPE, text=True)
    try:
        assert worker.stderr is not None and worker.stderr.readline().startswith("w1: sqlite:")
        job_id = run(env, "ask", "Рейтинг номенклатуры по риску", "--no-wait").stdout.strip()
        patience = time.monotonic() + 60
        state = ""
        while state != "done" and time.monotonic() < patience:
            state = next(j["state"] for j in json.loads(run(env, "jobs", "--json").stdout) if j["job_id"] == job_id)
        assert state == "done"
        execution = json.loads(run(env, "jobs", "answer", job_id, "--json").stdout)["execution"]
        assert execution["executor_id"] == "w1"
    finally:
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(40) == 0


@pytest.mark.parametrize(
    ("arguments", "url", "says"),
    [
        (("jobs", "answer", "job-none"), None, "no such job; see them: switchman jobs"),
        (("jobs",), "mysql://a/b", "not one of sqlite, postgresql"),
        (("jobs",), "nonsense", "write sqlite:////path/jobs.sqlite"),
        (("jobs",), "postgresql://someone:secret@127.0.0.1:1/none", "check DATABASE_URL"),
    ],
)
def test_wrong_use_names_the_place_and_the_next_step(
    env: dict[str, str], arguments: tuple[str, ...], url: str | None, says: str
) -> None:
    done = run({**env, **({"DATABASE_URL": url} if url else {})}, *arguments)
    assert done.returncode == 2 and says in done.stderr
    assert "secret" not in done.stderr


def test_a_store_question_never_loads_the_durable_jobs(env: dict[str, str]) -> None:
    code = (
        "import sys; from service.cli import app; app(['ask', 'Остаток по счёту 51 на 30.06.2020', '--text'], standalone_mode=False);"
        "print(sorted({'dbos', 'sqlalchemy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env, cwd=ROOT)
    assert done.stdout.splitlines()[-1] == "[]"
    assert "51" in done.stdout
