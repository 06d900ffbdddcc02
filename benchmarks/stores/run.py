"""Growth of the stores from ten thousand to a million postings: time, memory, size, and what answers take.

    python benchmarks/stores/run.py [--sizes 10000,100000,1000000] [--out benchmarks/stores]

Writes results.json, results.md and results.png beside itself. Each build runs in a process of its own, so that its memory is its own; memory is the peak of
the process and of its readers together, sampled ten times a second.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SIZES = (10_000, 30_000, 100_000, 300_000, 1_000_000)
LINES = 8
PER_SCALE = 2_400
"""Postings that one unit of the demo's scale makes at these lines, a little under."""

REPEATS = 60


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)))
    parser.add_argument("--out", type=Path, default=HERE)
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--root", help=argparse.SUPPRESS)
    given = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    if given.one:
        print(json.dumps(build_one(Path(given.one), Path(given.root))))
        return
    results = [measure(int(size)) for size in given.sizes.split(",")]
    about = {
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}",
        "load_average": os.getloadavg()[0],
    }
    (given.out / "results.json").write_text(
        json.dumps({"about": about, "results": results}, indent=2, ensure_ascii=False) + "\n", "utf-8"
    )
    (given.out / "results.md").write_text(table_of(results, about), "utf-8")
    plot(results, given.out / "results.png")


def measure(size: int) -> dict[str, Any]:
    """Generate, build in a process of its own, ask."""
    from stores.demo.generate import generate

    with tempfile.TemporaryDirectory(prefix="switchman-stores-") as folder:
        exports, root = Path(folder) / "exports", Path(folder) / "stores"
        scale = max(1, -(-size // PER_SCALE))
        written = generate(exports, scale=scale, lines=LINES)
        command = [
            sys.executable,
            "-W",
            "ignore",
            str(Path(__file__).resolve()),
            "--one",
            str(exports),
            "--root",
            str(root),
        ]
        found: dict[str, Any] = json.loads(
            subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[-1]
        )
        found.update(
            postings=written.postings,
            documents=written.documents,
            exports_mb=megabytes(exports),
            store_mb=megabytes(root),
            answers_ms=answers(root),
        )
        shutil.rmtree(root)
    print(json.dumps(found), file=sys.stderr)
    return found


def build_one(exports: Path, root: Path) -> dict[str, Any]:
    """Build and time the stages; memory of this process and its children."""
    from stores.build import build_store

    stages: dict[str, float] = {}
    peak, stop = [0], threading.Event()
    watcher = threading.Thread(target=watch_memory, args=(peak, stop))
    watcher.start()
    started = last = time.monotonic()

    def step(name: str) -> None:
        nonlocal last
        stages[name] = round(time.monotonic() - last, 2)
        last = time.monotonic()

    build_store(exports, root, step=step)
    total = time.monotonic() - started
    stop.set()
    watcher.join()
    cpu = sum(
        resource.getrusage(who).ru_utime + resource.getrusage(who).ru_stime
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return {
        "seconds": {
            "load": stages["loaded"],
            "balances": stages["canonical"],
            "features": stages["feature"],
            "risk": stages["risk"],
            "aggregates": stages["aggregate"],
            "publish": round(sum(stages[s] for s in ("built", "on disk", "named", "published")), 2),
            "total": round(total, 1),
        },
        "cpu_seconds": round(cpu, 1),
        "peak_mb": round(peak[0] / 1024),
    }


def watch_memory(peak: list[int], stop: threading.Event) -> None:
    """Largest sum of resident memory over this process and its descendants, in kB."""
    while not stop.wait(0.1):
        total = 0
        for pid in family(os.getpid()):
            try:
                status = Path(f"/proc/{pid}/status").read_text("utf-8")
            except OSError:
                continue
            total += next((int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")), 0)
        peak[0] = max(peak[0], total)


def family(pid: int) -> list[int]:
    found = [pid]
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
    except OSError:
        return found
    for child in children:
        found += family(int(child))
    return found


def answers(root: Path) -> dict[str, float]:
    """Median milliseconds of each kind of question, each time about something else."""
    from datetime import datetime

    from stores.reader import StoreReader

    reader = StoreReader(root)
    documents = [d["ref"] for d in reader.rows("document", {"type": "РеализацияТоваровУслуг"}, limit=REPEATS)]
    contracts = reader.rows("contract", {}, limit=REPEATS)
    partners = [c["owner"] for c in contracts if c["owner"]]

    def timed(ask: Callable[[int], object]) -> float:
        ask(0)
        spent = []
        for n in range(REPEATS):
            start = time.perf_counter()
            ask(n)
            spent.append((time.perf_counter() - start) * 1000)
        return round(statistics.median(spent), 2)

    def pick(values: list[str], n: int) -> str:
        return values[n % len(values)]

    def day(n: int, hour: int) -> datetime:
        return datetime(2020, 6, 1 + n % 30, hour)  # noqa: DTZ001  # 1C's dates are local

    found = {
        "document by reference": timed(lambda n: reader.by_ref("document", pick(documents, n))),
        "postings of a document": timed(lambda n: reader.postings_of(pick(documents, n))),
        "documents of a counterparty": timed(
            lambda n: reader.rows("document", {"counterparty": pick(partners, n)}, limit=100)
        ),
        "sales of a day": timed(
            lambda n: reader.rows(
                "document",
                {"type": "РеализацияТоваровУслуг", "date__from": day(n, 0), "date__to": day(n, 23)},
                limit=100,
            )
        ),
        "postings of an account on a day": timed(
            lambda n: reader.rows(
                "posting", {"cr_account__starts": "51", "period__from": day(n, 0), "period__to": day(n, 23)}, limit=100
            )
        ),
        "balance of an account": timed(lambda n: reader.balance(("51", "60.01", "62")[n % 3])),
        "series by week": timed(lambda n: reader.series(("revenue", "payable")[n % 2], "week")),
        "ready aggregate": timed(lambda _: reader.aggregate("summary", "posting", "anomaly")),
        "signs of a counterparty": timed(
            lambda n: reader.signs(level="counterparty", subject=pick(partners, n), limit=50)
        ),
    }
    reader.close()
    return found


def megabytes(folder: Path) -> float:
    return round(sum(p.stat().st_size for p in folder.rglob("*") if p.is_file()) / 1e6, 1)


def table_of(results: list[dict[str, Any]], about: dict[str, Any]) -> str:
    stages, questions = list(results[0]["seconds"]), list(results[0]["answers_ms"])
    lines = [
        f"Measured on {about['machine']}, shared with other work; made by `python benchmarks/stores/run.py`.",
        "",
        "| postings | " + " | ".join(f"{r['postings']:,}" for r in results) + " |",
        "|---|" + "---|" * len(results),
    ]
    for name, value in (
        ("documents", "documents"),
        ("exports, MB", "exports_mb"),
        ("store, MB", "store_mb"),
        ("peak memory, MB", "peak_mb"),
        ("CPU, s", "cpu_seconds"),
    ):
        lines.append(f"| {name} | " + " | ".join(f"{r[value]:,}" for r in results) + " |")
    lines += [f"| {s}, s | " + " | ".join(f"{r['seconds'][s]}" for r in results) + " |" for s in stages]
    lines += [f"| {q}, ms | " + " | ".join(f"{r['answers_ms'][q]}" for r in results) + " |" for q in questions]
    return "\n".join(lines) + "\n"


def plot(results: list[dict[str, Any]], path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(11, 4.2))
    sizes = [r["postings"] for r in results]
    for stage in results[0]["seconds"]:
        left.plot(sizes, [max(r["seconds"][stage], 0.01) for r in results], marker="o", label=stage)
    left.axhline(150, color="grey", linestyle="--", linewidth=0.8)
    left.set(xscale="log", yscale="log", xlabel="postings", ylabel="seconds", title="Build")
    left.set_ylim(top=5_000)
    left.legend(fontsize=7, ncols=3, loc="upper left")
    for question in results[0]["answers_ms"]:
        right.plot(sizes, [r["answers_ms"][question] for r in results], marker="o", label=question)
    right.axhline(10, color="grey", linestyle="--", linewidth=0.8)
    right.set(xscale="log", yscale="log", xlabel="postings", ylabel="milliseconds", title="Answers")
    right.set_ylim(top=120)
    right.legend(fontsize=7, ncols=2, loc="upper left")
    figure.tight_layout()
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main()
