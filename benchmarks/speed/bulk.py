"""Bulk routing: questions a second with one process and with all cores, with the records and without, output written. Writes bulk.json beside this file.

.venv/bin/python benchmarks/speed/bulk.py [--questions 40000]
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from pathlib import Path

import orjson

from router.question_router import load_router
from service.bulk import route_file
from training.dataset import default_dataset, read_dataset

HERE = Path(__file__).resolve().parent
STORE = HERE.parent.parent / "data" / "reference_store.json"
ROUNDS = 3


def main() -> None:
    """Rounds in turn, medians."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--questions", type=int, default=40_000)
    count = parser.parse_args().questions
    router, store = load_router(), orjson.loads(STORE.read_bytes())
    texts = [e.text for e in read_dataset(default_dataset())]
    cores = os.cpu_count() or 1
    ways = [(jobs, brief) for brief in (False, True) for jobs in (1, cores)]
    seconds: dict[tuple[int, bool], list[float]] = {way: [] for way in ways}
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "in.jsonl"
        source.write_bytes(
            b"".join(orjson.dumps({"question_id": i, "text": texts[i % len(texts)]}) + b"\n" for i in range(count))
        )
        for _ in range(ROUNDS):
            for (jobs, brief), taken in seconds.items():
                start = time.perf_counter()
                route_file(router, source, Path(folder) / "out.jsonl", store, jobs, brief)
                taken.append(time.perf_counter() - start)
    found = {
        f"{jobs} processes{', brief' if brief else ''}": round(count / statistics.median(taken))
        for (jobs, brief), taken in seconds.items()
    }
    (HERE / "bulk.json").write_bytes(
        orjson.dumps({"questions": count, "questions_a_second": found}, option=orjson.OPT_INDENT_2)
    )
    print(found)


if __name__ == "__main__":
    main()
