"""The batch as a runtime path: a decision becomes a durable job, the job refreshes the stores and answers, and the router sees what it built."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("dbos", reason="jobs need the extra 'batch'")
pytest.importorskip("ibis", reason="stores need the extra 'stores'")

from executors.context import ExecutorContext
from executors.dispatch import execute_route
from orchestration import batch_runtime
from orchestration.ask import ask
from orchestration.batch_answer import answer_job, synthesise_job
from orchestration.batch_errors import JobNotDone, JobsError, NoSuchJob, PayloadBroken
from orchestration.batch_handoff import refresh_and_answer, run_fragment
from orchestration.batch_payload import JobPayload, build_payload, period_of_window, read_payload, window_of
from orchestration.batch_worker import Worker
from orchestration.jobs import Jobs
from router.question_router import QuestionRouter, RouteDecision
from stores.build import build_store
from stores.metadata import store_metadata
from stores.reader import StoreReader
from stores.versions import current, published

ROOT = Path(__file__).resolve().parent.parent
DEMO = ROOT / "data" / "snapshot"
BATCH, FEATURE_RISK = "batch_refresh_then_store", "store_feature_risk"


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("loaded")
    build_store(DEMO, root)
    return root


@pytest.fixture
def stores(loaded: Path, tmp_path: Path) -> Path:
    root = tmp_path / "stores"
    shutil.copytree(loaded, root)
    return root


@pytest.fixture(scope="module")
def jobs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Jobs]:
    """Jobs with a worker in this process."""
    url = f"sqlite:///{tmp_path_factory.mktemp('jobs') / 'jobs.sqlite'}"
    worker = Worker(url, answer_job, synthesise_job)
    worker.start()
    client = Jobs(url)
    yield client
    client.close()
    worker.stop()


def decide(router: QuestionRouter, question: str, stores: Path) -> RouteDecision:
    return router.route(question, store_metadata(stores))


def payload(decision: RouteDecision, stores: Path, **more: Any) -> JobPayload:
    return build_payload(decision.log.to_dict(), stores=str(stores), **more)


def test_the_payload_is_that_of_section_9(router: QuestionRouter, reference_store: dict[str, Any]) -> None:
    decision = router.route("Рейтинг риск-контрагентов", reference_store, question_id="Q28")
    made = build_payload(decision.log.to_dict(), stores="s").to_dict()
    assert {k: made[k] for k in ("job_type", "question_id", "slice_window", "requested_outputs", "reason")} == {
        "job_type": "refresh_and_answer",
        "question_id": "Q28",
        "slice_window": "2020-06",
        "requested_outputs": ["feature_store", "risk_store"],
        "reason": ["needs_full_period_aggregation", "needs_ranking", "aggregate_not_sufficient"],
    }
    assert made["aggregates"] == ["ranking/counterparty/anomaly"]
    assert read_payload(json.loads(json.dumps(made, default=str))).question_id == "Q28"


@pytest.mark.parametrize(
    ("question", "aggregates", "outputs"),
    [
        ("Полный риск-срез за июнь", ["summary/company/anomaly"], ["feature_store", "risk_store"]),
        ("Рейтинг риск-счетов", ["ranking/account/anomaly"], ["feature_store", "risk_store"]),
        ("Company anomaly summary", ["summary/company/anomaly"], ["feature_store", "risk_store"]),
        ("Топ контрагентов по выручке", ["ranking/counterparty/revenue"], ["feature_store"]),
        ("Top counterparties by revenue", ["ranking/counterparty/revenue"], ["feature_store"]),
    ],
)
def test_a_payload_asks_for_what_the_question_needs(
    router: QuestionRouter, reference_store: dict[str, Any], question: str, aggregates: list[str], outputs: list[str]
) -> None:
    made = build_payload(router.route(question, reference_store).log.to_dict(), stores="s")
    assert (made.aggregates, made.requested_outputs) == (aggregates, outputs)


@pytest.mark.parametrize(
    ("start", "end", "window"),
    [
        ("2020-06-01", "2020-06-30", "2020-06"),
        ("2020-02-01", "2020-02-29", "2020-02"),
        ("2020-06-01", "2020-06-15", "2020-06-01..2020-06-15"),
        ("2020-04-01", "2020-06-30", "2020-04-01..2020-06-30"),
    ],
)
def test_a_window_is_written_and_read_back(start: str, end: str, window: str) -> None:
    assert window_of(start, end) == window
    period = period_of_window(window)
    assert period is not None and tuple(d.isoformat() for d in period) == (start, end)


@pytest.mark.parametrize("window", ["июнь", "2020-13", "2020-06-01", "2020-06-31..2020-07-01"])
def test_a_window_that_cannot_be_meant_is_refused_with_the_way_to_write_it(window: str) -> None:
    with pytest.raises(PayloadBroken, match=r"write it as 2020-06"):
        period_of_window(window)


@pytest.mark.parametrize(("question", "level"), [("Рейтинг риск-контрагентов", "counterparty"), ("Top risky accounts", "account")])  # fmt: skip
def test_heavy_goes_to_the_batch_then_to_the_aggregate_it_built_and_after_a_new_load_to_the_batch_again(
    router: QuestionRouter, jobs: Jobs, stores: Path, question: str, level: str
) -> None:
    first = decide(router, question, stores)
    assert first.route == BATCH
    _, done = refresh_and_answer(jobs, payload(first, stores), answer_job, synthesise_job)
    assert done["status"] == "ok"
    assert first.log.decision_id == done["execution"]["decision_id"]

    second = decide(router, question, stores)
    assert second.route == FEATURE_RISK
    reader = StoreReader(stores)
    found = execute_route(FEATURE_RISK, question, context=ExecutorContext(reader)).to_dict()
    reader.close()

    def ranks(result: dict[str, Any]) -> list[tuple[Any, Any, Any]]:
        return [(i["rank"], i["entity"], i["score"]) for i in result["items"]]

    assert ranks(found) == ranks(done["result"]) != []
    assert [r[0] for r in ranks(found)] == list(range(1, len(found["items"]) + 1))
    assert found["summary"]["aggregate"] == f"ranking/{level}/anomaly"

    build_store(DEMO, stores)
    assert decide(router, question, stores).route == BATCH


@pytest.mark.parametrize("wait", [True, False])
def test_the_record_of_the_decision_names_the_job_that_executes_it(
    router: QuestionRouter, jobs: Jobs, stores: Path, wait: bool
) -> None:
    """The caller waits, or gets the id and comes back."""
    context = ExecutorContext(StoreReader(stores))

    def batch(fragment: Any, decision: RouteDecision, own: ExecutorContext) -> Any:
        return run_fragment(jobs, fragment, decision, own, answer=answer_job, synthesise=synthesise_job, wait=wait)

    found = ask("Рейтинг риск-контрагентов", router=router, context=context, batch=batch)
    (part,) = found.fragments
    log = part.decision.log
    assert (log.execution_mode, log.chosen_route) == ("batch", BATCH)
    assert log.batch_job_id and log.batch_job_id == part.execution_record()["batch_job_id"]
    assert part.result.status == ("ok" if wait else "partial")
    if not wait:
        assert f"switchman jobs answer {log.batch_job_id}" in found.written().text
        assert list(jobs.follow(log.batch_job_id))[-1].outcome == "ok"
    text = jobs.answer(log.batch_job_id, synthesise_job)["answer"]["text"]
    assert "Пересчитано перед ответом: рейтинг рисков по контрагентам." in text
    if wait:
        assert text == found.written().text
    context.store.close()


@pytest.mark.parametrize(
    ("question", "route"),
    [
        ("Рейтинг складов по пересорту", BATCH),
        ("Overview of all anomalies of the company", BATCH),
        ("Сводка аномалий по проводкам за июнь", FEATURE_RISK),
        ("Свяжи поступления, договоры и проводки", "hybrid_store_plus_live"),
        ("Link the contracts to the postings they caused", "hybrid_store_plus_live"),
        ("Откуда взялась эта проводка в документе № 0000-000031 от 12.06.2020", "live_mcp_drilldown"),
        ("Trace the chain of sales invoice No. 0000-000018 down to its postings", "live_mcp_drilldown"),
        ("Какие реализации были 16 июня", "store_canonical"),
        ("Balance of account 60 on 15 June 2020", "store_canonical"),
    ],
)
def test_the_five_cases_of_section_13_on_a_real_store(
    router: QuestionRouter, loaded: Path, question: str, route: str
) -> None:
    assert decide(router, question, loaded).route == route


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Рейтинг риск-счетов за май 2020", "Периода 01.05.2020 – 31.05.2020 в снимке нет: загружено 01.06.2020 – 30.06.2020"),
        ("Rank the accounts by risk for May 2020", "The period 2020-05-01 – 2020-05-31 is not in the snapshot: 2020-06-01 – 2020-06-30 is loaded"),
    ],
)  # fmt: skip
def test_a_slice_outside_the_snapshot_publishes_nothing_and_the_answer_says_what_is_missing(
    router: QuestionRouter, jobs: Jobs, stores: Path, question: str, said: str
) -> None:
    decision = decide(router, question, stores)
    assert decision.route == BATCH
    _, done = refresh_and_answer(jobs, payload(decision, stores), answer_job, synthesise_job)
    assert done["status"] == done["result"]["status"] == "error"
    assert done["result"]["items"] == []
    assert said in done["answer"]["text"]
    assert len(published(stores)) == 1
    assert done["execution"]["refresh"]["code"] == "slice_missing"


def test_a_snapshot_that_does_not_reach_the_slice_is_built_but_not_published(jobs: Jobs, stores: Path, tmp_path: Path) -> None:  # fmt: skip
    """The folder has something newer, so it is built to see; it still lacks July."""
    snapshot = tmp_path / "snapshot"
    shutil.copytree(DEMO, snapshot)
    about = json.loads((snapshot / "snapshot.json").read_text("utf-8"))
    (snapshot / "snapshot.json").write_text(json.dumps({**about, "snapshot_id": "2020-06@2"}), "utf-8")
    asked = JobPayload("Q", "2020-07", ["risk_store"], ["needs_ranking"], question_text="Рейтинг", aggregates=["ranking/account/anomaly"], stores=str(stores), snapshot=str(snapshot))  # fmt: skip
    _, done = refresh_and_answer(jobs, asked, answer_job, synthesise_job)
    assert done["execution"]["refresh"]["code"] == "slice_missing"
    assert len(published(stores)) == 1
    assert not list(stores.glob(".staging*"))


def test_a_newer_folder_is_loaded_and_an_unchanged_one_is_said_to_be_so(router: QuestionRouter, jobs: Jobs, stores: Path, tmp_path: Path) -> None:  # fmt: skip
    snapshot = tmp_path / "snapshot"
    shutil.copytree(DEMO, snapshot)
    question = "Рейтинг риск-счетов"
    decision = decide(router, question, stores)
    _, same = refresh_and_answer(jobs, payload(decision, stores, snapshot=str(snapshot)), answer_job, synthesise_job)
    assert "Снимок перечитан: новее ничего нет." in same["answer"]["text"]
    assert same["execution"]["refresh"]["run_ids"]["risk"] == "risk-0001"
    about = json.loads((snapshot / "snapshot.json").read_text("utf-8"))
    (snapshot / "snapshot.json").write_text(json.dumps({**about, "snapshot_id": "2020-06@2"}), "utf-8")
    _, newer = refresh_and_answer(jobs, payload(decision, stores, snapshot=str(snapshot)), answer_job, synthesise_job)
    assert "Загружен новый снимок 2020-06@2." in newer["answer"]["text"]
    assert newer["execution"]["refresh"]["run_ids"]["risk"] == "risk-0003"
    assert decide(router, question, stores).route == FEATURE_RISK


def test_a_refresh_with_nothing_to_do_publishes_nothing(router: QuestionRouter, jobs: Jobs, stores: Path) -> None:
    decision = decide(router, "Рейтинг риск-счетов", stores)
    refresh_and_answer(jobs, payload(decision, stores), answer_job, synthesise_job)
    before = current(stores).number
    _, again = refresh_and_answer(jobs, payload(decision, stores), answer_job, synthesise_job)
    assert (again["status"], again["execution"]["refresh"]["state"]) == ("ok", "fresh")
    assert current(stores).number == before


def test_a_job_that_does_not_end_in_time_answers_with_an_error(
    jobs: Jobs, stores: Path, router: QuestionRouter, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = batch_runtime.steps.build

    def slow(*args: Any) -> Any:
        time.sleep(3)
        return real(*args)

    monkeypatch.setattr(batch_runtime.steps, "build", slow)
    asked = payload(decide(router, "Рейтинг риск-счетов", stores), stores, timeout_seconds=0.5)
    _, done = refresh_and_answer(jobs, asked, answer_job, synthesise_job)
    assert done["status"] == "error" and "Пересчёт не успел" in done["answer"]["text"]
    patience = time.monotonic() + 30
    while len(published(stores)) == 1 and time.monotonic() < patience:
        time.sleep(0.1)
    assert len(published(stores)) == 2, "the refresh goes on for whoever asks next"


def test_a_cancelled_job_answers_with_an_error_and_goes_on_when_it_is_retried(
    jobs: Jobs, stores: Path, router: QuestionRouter, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = batch_runtime.steps.build

    def slow(*args: Any) -> Any:
        time.sleep(2)
        return real(*args)

    monkeypatch.setattr(batch_runtime.steps, "build", slow)
    job_id = jobs.enqueue(payload(decide(router, "Рейтинг риск-счетов", stores), stores))
    with pytest.raises(JobNotDone, match="switchman jobs follow"):
        jobs.answer(job_id, synthesise_job)
    jobs.cancel(job_id)
    done = jobs.answer(job_id, synthesise_job)
    assert done["status"] == "error" and f"switchman jobs retry {job_id}" in done["answer"]["text"]
    with pytest.raises(JobsError, match="already cancelled"):
        jobs.cancel(job_id)
    assert jobs.retry(job_id) == job_id
    for view in jobs.follow(job_id):
        assert view.state != "failed"
    assert jobs.answer(job_id, synthesise_job)["status"] == "ok"
    with pytest.raises(JobsError, match="switchman jobs answer"):
        jobs.retry(job_id)


def test_a_cancelled_refresh_is_told_to_those_who_wait_for_it(
    jobs: Jobs, stores: Path, router: QuestionRouter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch_runtime.steps, "build", lambda *_: time.sleep(2) or {"state": "failed", "code": "build_failed", "message": "late"})  # fmt: skip
    job_id = jobs.enqueue(payload(decide(router, "Рейтинг риск-счетов", stores), stores))
    patience = time.monotonic() + 30
    while not jobs.get(job_id).refresh_job_id and time.monotonic() < patience:
        time.sleep(0.05)
    jobs.cancel(jobs.get(job_id).refresh_job_id)
    last = list(jobs.follow(job_id))[-1]
    assert (last.state, last.outcome) == ("done", "error")
    assert "Пересчёт отменён" in jobs.answer(job_id, synthesise_job)["answer"]["text"]
    assert len(published(stores)) == 1


def test_a_failed_job_never_reaches_the_live_system(
    jobs: Jobs, stores: Path, router: QuestionRouter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The batch executor gets no live system, and a failure ends before any executor is called."""
    seen: list[ExecutorContext] = []
    import executors.dispatch as dispatch

    real = dispatch.execute_route

    def watched(route: str, text: str, **given: Any) -> Any:
        seen.append(given["context"])
        return real(route, text, **given)

    monkeypatch.setattr(dispatch, "execute_route", watched)
    asked = payload(decide(router, "Рейтинг риск-счетов", stores), stores)
    refresh_and_answer(jobs, asked, answer_job, synthesise_job)
    assert [(c.live, c.refresh) for c in seen] == [(None, None)]
    monkeypatch.setattr(batch_runtime.steps, "look", lambda *_: {"state": "failed", "code": "build_failed", "message": "no"})  # fmt: skip
    _, done = refresh_and_answer(jobs, asked, answer_job, synthesise_job)
    assert done["status"] == "error" and len(seen) == 1


def test_an_answerer_that_breaks_is_told_and_recorded(
    jobs: Jobs, stores: Path, router: QuestionRouter, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(*_: Any) -> dict[str, Any]:
        raise RuntimeError("the reader tripped")

    monkeypatch.setattr(batch_runtime.parts, "answer", breaks)
    job_id, done = refresh_and_answer(jobs, payload(decide(router, "Рейтинг риск-счетов", stores), stores), answer_job, synthesise_job)  # fmt: skip
    assert done["status"] == "error" and "the reader tripped" in done["answer"]["text"]
    assert jobs.tables.executions(job_id) == [done["execution"]]


def test_jobs_are_listed_newest_first_with_their_refreshes(jobs: Jobs, stores: Path, router: QuestionRouter) -> None:
    job_id, done = refresh_and_answer(jobs, payload(decide(router, "Рейтинг риск-счетов", stores), stores), answer_job, synthesise_job)  # fmt: skip
    refresh, question = jobs.list(limit=2)
    assert (question.job_id, question.kind, question.state, question.outcome) == (job_id, "question", "done", "ok")
    assert (refresh.job_id, refresh.kind, refresh.outcome) == (done["execution"]["refresh_job_id"], "refresh", "refreshed")  # fmt: skip
    assert question.question == "Рейтинг риск-счетов"
    with pytest.raises(JobsError, match="a refresh has no answer"):
        jobs.answer(refresh.job_id, synthesise_job)
    with pytest.raises(NoSuchJob, match="switchman jobs"):
        jobs.get("job-none")
