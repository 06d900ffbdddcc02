"""Median time of each route's executor on the demo store, live routes over a local server of another process.

    .venv/bin/python benchmarks/executors/run.py

The fragment is read, looked up, answered and held to its shape; routing is not counted (benchmarks/speed). Targets are the project's own.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles

from executors.context import ExecutorContext
from executors.dispatch import execute_route
from executors.live.connect import connect
from executors.live.embedded import embedded_live
from router import load_router
from stores.aggregates import RANKING, READY, Wanted
from stores.build import build_store
from stores.reader import StoreReader

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
ROUNDS = 30
QUESTIONS = {
    "store_canonical": ("Остаток по счёту 51 на 30.06.2020", "Какие документы реализации проведены 15 июня 2020?", "Какие договоры заключены с контрагентом Альфа?", "Список платёжных поручений поставщику Вектор за июнь"),
    "store_feature_risk": ("Что не так с НДС?", "Документы без договора за июнь", "Нет ли проблем с поставщиками?", "Где есть отрицательные остатки по счёту 10?"),
    "batch_refresh_then_store": ("Рейтинг риск-счетов",),
    "hybrid_store_plus_live": ("Свяжи документы покупателей и проводки", "Какими первичными документами подтверждены записи регистра НДС покупки?", "Объясни через движения, как оплаты поставщикам связаны с поступлениями"),
    "live_mcp_drilldown": ("Почему именно эта проводка по документу реализации № 0000-000017 от 11.06.2020?", "Найди документ по номеру 0000-000123 и дай его ссылку"),
}  # fmt: skip
TARGETS = {"store_canonical": 20, "store_feature_risk": 100, "hybrid_store_plus_live": 150, "live_mcp_drilldown": 50}


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


def measure(route: str, context: ExecutorContext) -> dict[str, float]:
    for question in QUESTIONS[route]:
        result = execute_route(route, question, context=context)
        assert result.items, (question, result.errors)
    times = []
    for _ in range(ROUNDS):
        for question in QUESTIONS[route]:
            began = time.perf_counter()
            execute_route(route, question, context=context)
            times.append((time.perf_counter() - began) * 1000)
    return {"p50": round(median(times), 2), "p95": round(quantiles(times, n=20)[-1], 2)}


def main() -> None:
    analyser = load_router().classifier.analyser
    found: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        build_store(ROOT / "data" / "snapshot", Path(folder), wanted=(*READY, Wanted(RANKING, "account", "anomaly")))
        store = StoreReader(Path(folder))
        port = free_port()
        command = str(Path(sys.executable).parent / "switchman")
        server = subprocess.Popen([command, "live-server", "--port", str(port)], cwd=ROOT, stderr=subprocess.DEVNULL)
        try:
            for _ in range(200):
                with socket.socket() as s:
                    if s.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.1)
            http = ExecutorContext(store, connect(f"http://127.0.0.1:{port}/mcp"), analyser=analyser)
            embedded = ExecutorContext(store, embedded_live(store), analyser=analyser)
            for route in QUESTIONS:
                found[route] = measure(route, http)
            for route in ("hybrid_store_plus_live", "live_mcp_drilldown"):
                found[f"{route}, embedded server"] = measure(route, embedded)
            assert http.live is not None
            assert embedded.live is not None
            http.live.close()
            embedded.live.close()
        finally:
            server.terminate()
            server.wait(10)
    (HERE / "results.json").write_text(json.dumps(found, indent=2, ensure_ascii=False) + "\n", "utf-8")
    load = os.getloadavg()[0]
    rows = [
        f"| {name} | {t['p50']} | {t['p95']} | {TARGETS.get(name.partition(',')[0], '')} |" for name, t in found.items()
    ]
    text = (
        "# Executors: time of one answer\n\n`.venv/bin/python benchmarks/executors/run.py`\n\n"
        f"Milliseconds over {ROUNDS} rounds on the demo store, 2 shared cores with a load average of {load:.0f} at the end of the run (under 2 is idle); live routes speak streamable HTTP to `switchman live-server` on this machine.\n\n"
        "| route | p50 | p95 | must be under (p50) |\n|---|---:|---:|---:|\n" + "\n".join(rows) + "\n"
    )
    (HERE / "results.md").write_text(text, "utf-8")
    print(text)


if __name__ == "__main__":
    main()
