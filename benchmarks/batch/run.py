"""Fifty heavy questions at once on two cores: how fast they are answered, how many refreshes run, and what plain store questions feel of it.

    python benchmarks/batch/run.py [--questions 50] [--scale 1] [--out benchmarks/batch]

Writes results.json and results.md beside itself. A worker runs in a process of its own, as in production; this process asks store questions without a pause, before
and meanwhile, and notes how long each takes from the words to the result. Twice: with what is missing built from the loaded store, and with a newer snapshot to load.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from datetime import datetime
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT))

_LEVELS = (("счетов", "accounts"), ("контрагентов", "counterparties"), ("договоров", "contracts"), ("документов", "documents"), ("складов", "warehouses"), ("номенклатуры", "items"))  # fmt: skip
_MEASURES = (("контрагентов по выручке", "counterparties by revenue"), ("контрагентов по долгу", "counterparties by debt"), ("сотрудников по зарплате", "employees by salary"))  # fmt: skip
HEAVY = [
    *(q for ru, en in _LEVELS for q in (f"Рейтинг {ru} по риску за июнь 2020", f"Rank the {en} by risk for June 2020", f"Топ рискованных {ru}", f"Top risky {en}")),
    *(q for ru, en in _MEASURES for q in (f"Рейтинг {ru}", f"Top {en}")),
    "Сводка рисков по компании", "Overview of all risks of the company",
]  # fmt: skip
PLAIN = (
    "Остаток по счёту 60 на 20 июня 2020", "Какие реализации были 17 июня 2020?", "Balance of account 62 on 25 June 2020", "Поступления от поставщика Вектор 16 июня 2020",
    "Документы без контрагента за июнь", "Динамика закупок по неделям июня", "Отрицательные остатки по счёту 41", "Postings on weekends",
)  # fmt: skip
QUIET_SECONDS = 10.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--questions", type=int, default=50)
    parser.add_argument("--scale", type=int, default=1)
    parser.add_argument("--out", type=Path, default=HERE)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="switchman-batch-") as folder:
        found = measure(Path(folder), given.questions, given.scale)
    (given.out / "results.json").write_text(json.dumps(found, indent=2, ensure_ascii=False) + "\n", "utf-8")
    (given.out / "results.md").write_text(table_of(found), "utf-8")
    print(table_of(found))


def measure(folder: Path, questions: int, scale: int) -> dict[str, Any]:
    from executors.context import ExecutorContext
    from router import load_router
    from stores.build import build_store
    from stores.reader import StoreReader

    snapshot, stores = folder / "snapshot", folder / "stores"
    if scale == 1:
        shutil.copytree(ROOT / "data" / "snapshot", snapshot)
    else:
        command = [sys.executable, "-m", "stores.demo.generate", str(snapshot), "--scale", str(scale)]
        subprocess.run(command, check=True, cwd=ROOT, capture_output=True)
    manifest = build_store(snapshot, stores).manifest
    url = f"sqlite:///{folder / 'jobs.sqlite'}"
    env = {**os.environ, "DATABASE_URL": url, "SWITCHMAN_STORES": str(stores), "SWITCHMAN_SNAPSHOT": str(snapshot)}
    worker = subprocess.Popen(
        [sys.executable, "-c", "from service.cli import main; main()", "jobs", "worker"], cwd=ROOT, env=env
    )
    context = ExecutorContext(StoreReader(stores))
    router = load_router()
    probe = Probe(router, context)
    try:
        probe.run(3)
        runs = []
        for name, change in (("missing aggregates", False), ("a newer snapshot", True)):
            if change:
                about = json.loads((snapshot / "snapshot.json").read_text("utf-8"))
                (snapshot / "snapshot.json").write_text(json.dumps({**about, "snapshot_id": "2020-06@2"}), "utf-8")
            before = probe.run(QUIET_SECONDS)
            runs.append({"name": name, **at_once(url, router, context, probe, questions, snapshot), "before": before})
            context.store.refresh()
    finally:
        worker.terminate()
        worker.wait(30)
    for run in runs:
        run["p95_ratio"] = round(run["meanwhile"]["p95_ms"] / run["before"]["p95_ms"], 2)
    return {
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}", "load_average": os.getloadavg()[0],
        "postings": manifest["report"]["rows"]["posting"], "questions": questions, "runs": runs,
    }  # fmt: skip


def at_once(url: str, router: Any, context: Any, probe: Probe, questions: int, snapshot: Path) -> dict[str, Any]:
    """Every question enqueued at the same moment; plain questions meanwhile."""
    from orchestration.batch_handoff import payload_for
    from orchestration.jobs import Jobs

    heavy = [HEAVY[i % len(HEAVY)] for i in range(questions)]
    metadata = context.metadata()
    payloads = []
    for text in heavy:
        decision = router.route(text, metadata)
        payloads.append(payload_for(decision.log, context, snapshot=snapshot))
    jobs = Jobs(url)
    known = {v.job_id for v in jobs.list(1000)}
    stop = threading.Event()
    asking = threading.Thread(target=probe.until, args=(stop,))
    asking.start()
    started = time.time()
    ids = {jobs.enqueue(p) for p in payloads}
    done: list[dict[str, Any]] = []
    while len(done) < len(ids):
        time.sleep(2)  # rarely: this process is the one that is measured
        done = [r for r in jobs.tables.executions() if r["job_id"] in ids]
    stop.set()
    asking.join()
    ends = [datetime.fromisoformat(r["finished_at"]).timestamp() - started for r in done]
    seconds = max(ends)
    views = [v for v in jobs.list(1000) if v.job_id not in known]
    refreshes = [v for v in views if v.kind == "refresh"]
    outcomes = [v.outcome for v in views if v.kind == "question"]
    jobs.close()
    return {
        "seconds": round(seconds, 1), "questions_a_second": round(len(ids) / seconds, 2), "median_answer_s": round(statistics.median(ends), 1),
        "refreshes": len(refreshes), "refreshes_that_built": sum(v.outcome == "refreshed" for v in refreshes),
        "distinct_needs": len({tuple(sorted(p.aggregates)) for p in payloads}), "answered_ok": outcomes.count("ok"), "outcomes": {o: outcomes.count(o) for o in sorted(set(outcomes))},
        "meanwhile": figures(probe.last),
    }  # fmt: skip


class Probe:
    """Asks plain questions one after another and notes how long each takes."""

    def __init__(self, router: Any, context: Any) -> None:
        self.router, self.context = router, context
        self.last: list[float] = []

    def once(self, number: int) -> float:
        from executors.dispatch import execute_route

        text = PLAIN[number % len(PLAIN)]
        started = time.perf_counter()
        decision = self.router.route(text, self.context.metadata())
        route = decision.route if decision.route in ("store_canonical", "store_feature_risk") else "store_canonical"
        execute_route(route, text, context=self.context)
        return (time.perf_counter() - started) * 1000

    def run(self, seconds: float) -> dict[str, Any]:
        stop = threading.Event()
        timer = threading.Timer(seconds, stop.set)
        timer.start()
        self.until(stop)
        return figures(self.last)

    def until(self, stop: threading.Event) -> None:
        self.last = []
        number = 0
        while not stop.is_set() or number < len(PLAIN):
            self.last.append(self.once(number))
            number += 1
            time.sleep(0.01)


def figures(times: list[float]) -> dict[str, Any]:
    ordered = sorted(times)
    return {"asked": len(ordered), "p50_ms": round(statistics.median(ordered), 1), "p95_ms": round(ordered[int(0.95 * (len(ordered) - 1))], 1)}  # fmt: skip


def table_of(found: dict[str, Any]) -> str:
    """The results as Markdown."""
    lines = [
        f"Measured on {found['machine']}, shared with other work (load average {found['load_average']:.1f} at the end); made by `python benchmarks/batch/run.py`.",
        "", f"{found['questions']} heavy questions at once over a store of {found['postings']:,} postings, one worker; every aggregate they need is missing at first.", "",
        "| | " + " | ".join(r["name"] for r in found["runs"]) + " |", "|---|" + "---|" * len(found["runs"]),
    ]  # fmt: skip

    def row(name: str, key: str, inner: str | None = None) -> None:
        lines.append(f"| {name} | " + " | ".join(str(r[key][inner] if inner else r[key]) for r in found["runs"]) + " |")

    row("all answered in, s", "seconds")
    row("questions a second", "questions_a_second")
    row("median time to an answer, s", "median_answer_s")
    row("different needs among the questions", "distinct_needs")
    row("refreshes run", "refreshes")
    row("… of them built something", "refreshes_that_built")
    row("answered ok", "answered_ok")
    row("store routes before: p50, ms", "before", "p50_ms")
    row("store routes before: p95, ms", "before", "p95_ms")
    row("store routes meanwhile: p50, ms", "meanwhile", "p50_ms")
    row("store routes meanwhile: p95, ms", "meanwhile", "p95_ms")
    row("ratio of p95 (limit 2)", "p95_ratio")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
