"""Faults that the batch survives, each with real processes: nothing lost, nothing twice, no half-published store."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from orchestration.jobs import Jobs
from stores.metadata import read_manifest
from stores.versions import current
from tests.orchestration.processes import Gate, builders, ended, leftovers, lines, payload, until, worker

CHAINS = {
    "the question's own steps": ("read_payload:before", "look:after", "answer:before", "answer:after", "synthesise:before", "record:before", "record:after"),
    "the refresh's steps": ("look:after", "build:before", "build:copied", "build:aggregates", "build:after", "verify:after", "publish:before", "publish:after", "runs:after"),
    "within publishing": ("publish_built:begun", "publish_built:built", "publish_built:on disk", "publish_built:named", "publish_built:pointer written", "publish_built:published"),
}  # fmt: skip
STEPS_DONE_ONCE = {"the question's own steps": (), "the refresh's steps": ("verify",), "within publishing": ("build", "verify")}  # fmt: skip


def no_synthesis(*_: object) -> dict[str, object]:
    return {"status": "error", "text": "-"}


@pytest.mark.parametrize("chain", CHAINS)
@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_a_job_killed_at_every_step_is_finished_by_the_next_worker_and_publishes_once(
    chain: str, database: str, stores: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if database == "postgres" and chain != "the refresh's steps":
        pytest.skip("the steps are the same code; PostgreSQL keeps the chain that has most of them")
    url = request.getfixturevalue(f"{database}_url")
    log, points = tmp_path / "log", CHAINS[chain]
    jobs = Jobs(url)
    job_id = jobs.enqueue(payload(stores))
    for number, _ in enumerate(points):
        with worker(url, stores, log, ",".join(points)) as process:
            until(lambda p=process: p.poll() is not None, f"death {number} of {points}")
            assert process.returncode == -signal.SIGKILL
            read_manifest(current(stores))  # whatever happened, readers have a whole version
    with worker(url, stores, log, ",".join(points)):
        view = ended(jobs, job_id)
    assert (view.state, view.outcome) == ("done", "ok")
    done = jobs.answer(job_id, no_synthesis)
    assert done["answer"]["text"] == "refreshed 15"
    refresh_id = done["execution"]["refresh_job_id"]
    assert builders(stores) == [refresh_id]
    assert leftovers(stores) == []
    assert len(jobs.tables.executions(job_id)) == 1
    for step in STEPS_DONE_ONCE[chain]:
        assert lines(log).count(step) <= (2 if step == "verify" else 1), f"{step} was kept and must not be done again"
    jobs.close()


@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_two_identical_questions_at_once_do_one_refresh_and_get_two_answers(
    database: str, stores: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    url = request.getfixturevalue(f"{database}_url")
    log = tmp_path / "log"
    jobs = Jobs(url)
    ids = [jobs.enqueue(payload(stores)) for _ in range(2)]
    with worker(url, stores, log, SLOW_BUILD="1"), worker(url, stores, log, SLOW_BUILD="1"):
        assert [ended(jobs, i).outcome for i in ids] == ["ok", "ok"]
    answers = [jobs.answer(i, no_synthesis) for i in ids]
    assert answers[0]["result"]["items"] == answers[1]["result"]["items"] != []
    assert {a["execution"]["refresh_job_id"] for a in answers} == set(builders(stores))
    assert (lines(log).count("build"), lines(log).count("answer")) == (1, 2)
    jobs.close()


def test_what_others_wait_for_is_built_along(stores: Path, sqlite_url: str, tmp_path: Path) -> None:
    """Three questions of three needs, put in before any worker runs: one build, each told what was built for it."""
    log = tmp_path / "log"
    jobs = Jobs(sqlite_url)
    needs = [f"ranking/{level}/anomaly" for level in ("account", "contract", "document")]
    ids = [jobs.enqueue(payload(stores, need)) for need in needs]
    with worker(sqlite_url, stores, log, SLOW_LOOK="3"):
        assert [ended(jobs, i).outcome for i in ids] == ["ok", "ok", "ok"]
    told = [jobs.answer(i, no_synthesis)["execution"]["refresh"] for i in ids]
    assert len(builders(stores)) == 1
    (first,) = [t for t in told if t["state"] == "refreshed"]
    assert sorted([*first["built"], *first["also_built"]]) == needs
    assert len(first["built"]) == 1
    jobs.close()


def test_a_worker_that_is_gone_for_good_is_replaced_by_another_that_was_there(stores: Path, sqlite_url: str, tmp_path: Path) -> None:  # fmt: skip
    """Both run from the start; the one that holds the refresh is killed and never comes back."""
    log = tmp_path / "log"
    jobs = Jobs(sqlite_url)
    with worker(sqlite_url, stores, log, WORKER_NAME="first", SLOW_BUILD="600") as first:
        job_id = jobs.enqueue(payload(stores))
        until(lambda: [v for v in jobs.list() if v.kind == "refresh" and v.state == "running"], "the refresh to begin")
        with worker(sqlite_url, stores, log, WORKER_NAME="second"):
            until(lambda: "worker second" in lines(log), "the second worker")
            first.kill()
            first.wait()
            assert ended(jobs, job_id).outcome == "ok"
    assert jobs.answer(job_id, no_synthesis)["execution"]["executor_id"] == "second"
    jobs.close()


def stop_between_writes(process: subprocess.Popen[bytes], url: str) -> None:
    """Stop a process at a moment when it does not write: stopped in the middle, it would hold all of a SQLite file."""

    def stopped() -> bool:
        process.send_signal(signal.SIGSTOP)
        os.waitpid(process.pid, os.WUNTRACED)  # the signal is sent, the process may still run for a moment
        connection = sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None, timeout=0.5)
        try:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("ROLLBACK")
            return True
        except sqlite3.OperationalError:
            process.send_signal(signal.SIGCONT)
            return False
        finally:
            connection.close()

    until(stopped, "a moment between writes")


def test_a_worker_that_stands_still_is_replaced_and_its_late_work_changes_nothing(stores: Path, sqlite_url: str, tmp_path: Path) -> None:  # fmt: skip
    """Stopped, as a machine that hangs; then it wakes up in the middle of a job that another has finished."""
    log = tmp_path / "log"
    jobs = Jobs(sqlite_url)
    with worker(sqlite_url, stores, log, WORKER_NAME="first", SLOW_BUILD="8") as first:
        job_id = jobs.enqueue(payload(stores))
        until(lambda: lines(log).count("look") == 2, "the build to begin: the question has looked, and the refresh")
        stop_between_writes(first, sqlite_url)
        with worker(sqlite_url, stores, log, WORKER_NAME="second", GONE_AFTER="2"):
            assert ended(jobs, job_id).outcome == "ok"
            before = current(stores).number
            first.send_signal(signal.SIGCONT)
            until(lambda: lines(log).count("build") == 2, "the late build")
            time.sleep(2)
    assert current(stores).number == before
    assert len(builders(stores)) == 1 and len(jobs.tables.executions(job_id)) == 1
    jobs.close()


def test_no_space_while_building_leaves_the_store_and_says_what_to_do(
    stores: Path, sqlite_url: str, tmp_path: Path
) -> None:
    """No file may grow over 6 MB; the store is larger."""
    log = tmp_path / "log"
    jobs = Jobs(sqlite_url)
    job_id = jobs.enqueue(payload(stores))
    before = current(stores).number
    with worker(sqlite_url, stores, log, LARGEST_FILE=str(6_000_000)):
        assert ended(jobs, job_id).outcome == "error"
    done = jobs.answer(job_id, no_synthesis)
    assert done["execution"]["refresh"]["code"] == "build_failed"
    assert "прежние хранилища целы" in done["result"]["errors"][0]
    assert "switchman jobs retry" in done["result"]["errors"][0]
    assert (current(stores).number, leftovers(stores)) == (before, [])
    again = jobs.retry(job_id)
    with worker(sqlite_url, stores, log):
        assert ended(jobs, again).outcome == "ok"
    jobs.close()


def test_a_poisoned_record_in_the_slice_publishes_nothing_of_it_and_is_named(
    stores: Path, snapshot: Path, sqlite_url: str, tmp_path: Path
) -> None:
    """The folder got newer and has one posting with an impossible date; the store before it still answers, and the answer is partial."""
    file = next(snapshot.glob("Document_РеализацияТоваровУслуг.json"))
    export = json.loads(file.read_text("utf-8"))
    export["value"][4]["Date"] = "2020-06-31T10:00:00"
    file.write_text(json.dumps(export, ensure_ascii=False), "utf-8")
    log = tmp_path / "log"
    jobs = Jobs(sqlite_url)
    job_id = jobs.enqueue(payload(stores, snapshot=str(snapshot)))
    with worker(sqlite_url, stores, log):
        assert ended(jobs, job_id).outcome == "partial"
    done = jobs.answer(job_id, no_synthesis)
    assert "Document_РеализацияТоваровУслуг.json, record 5" in done["result"]["errors"][0]
    assert len(done["result"]["items"]) == 15
    manifest = read_manifest(current(stores))
    assert manifest["metadata"]["stores"]["risk"]["run_id"] == "risk-0001"
    assert leftovers(stores) == []
    jobs.close()


OUTAGE_SECONDS = 10.0


@pytest.mark.parametrize("moment", ["while it builds", "while it waits in the queue"])
def test_a_database_that_is_gone_for_ten_seconds_loses_nothing(
    moment: str, stores: Path, postgres_url: str, tmp_path: Path
) -> None:
    """The worker's way to PostgreSQL is cut and refused for ten seconds; nobody is taken for dead, the job ends once."""
    straight = urlsplit(postgres_url)
    gate = Gate(str(straight.hostname), int(straight.port or 0))
    through = postgres_url.replace(f":{straight.port}/", f":{gate.port}/")
    log = tmp_path / "log"
    jobs = Jobs(postgres_url)
    with worker(through, stores, log, SLOW_BUILD="3"):
        until(lambda: any(line.startswith("worker") for line in lines(log)), "the worker")
        if moment == "while it builds":
            job_id = jobs.enqueue(payload(stores))
            until(lambda: lines(log).count("look"), "the build to begin")
        gate.shut()
        if moment != "while it builds":
            job_id = jobs.enqueue(payload(stores))
        time.sleep(OUTAGE_SECONDS)
        gate.open()
        assert ended(jobs, job_id).outcome == "ok"
    assert (lines(log).count("build"), lines(log).count("answer")) == (1, 1)
    assert len(builders(stores)) == 1 and len(jobs.tables.executions(job_id)) == 1
    jobs.close()


def test_a_file_of_jobs_that_another_process_holds_for_ten_seconds_loses_nothing(
    stores: Path, sqlite_url: str, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    jobs = Jobs(sqlite_url)
    job_id = jobs.enqueue(payload(stores))
    with worker(sqlite_url, stores, log, SLOW_BUILD="2"):
        until(lambda: lines(log).count("look"), "the build to begin")
        with sqlite3.connect(sqlite_url.removeprefix("sqlite:///"), isolation_level=None, timeout=30) as held:
            held.execute("BEGIN EXCLUSIVE")
            time.sleep(OUTAGE_SECONDS)
            held.execute("ROLLBACK")
        held.close()
        assert ended(jobs, job_id).outcome == "ok"
    assert (lines(log).count("build"), len(builders(stores))) == (1, 1)
    jobs.close()
