"""Decisions replayed a second, from the record alone and by another bundle, with one process and with two.

    .venv/bin/python benchmarks/experiments/replay.py [--records 40000]

Writes a log of training questions to a temporary folder, replays it, prints rates. Start of the processes is counted in.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import orjson

from experiments.replay import replay_file
from models.bundle import Bundle, load_bundle
from router.question_router import QuestionRouter
from service.settings import Settings, reference_store
from training.dataset import read_dataset


def write_log(path: Path, bundle: Bundle, records: int) -> None:
    """A log as bulk routing would leave it."""
    router, store = QuestionRouter(bundle), orjson.loads(reference_store())
    texts = [e.text for e in read_dataset(Settings().dataset)]
    with path.open("wb") as out:
        for i in range(records):
            out.write(router.route(texts[i % len(texts)], store, question_id=f"r{i}").log.to_json() + b"\n")


def cpu_seconds() -> float:
    """Of this process and of its ended children."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in used)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=40_000)
    records = parser.parse_args().records
    bundle = load_bundle(Settings().bundle)
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log.jsonl"
        write_log(log, bundle, records)
        print(f"{records} records, {log.stat().st_size / records:.0f} bytes each")
        for name, judged in (
            ("same bundle, from the record", bundle),
            ("another bundle, from the text", replace(bundle, digest="other")),
        ):
            for jobs in (1, 2):
                started, before = time.monotonic(), cpu_seconds()
                report = replay_file(log, judged, jobs)
                wall, cpu = time.monotonic() - started, cpu_seconds() - before
                assert report.identical == records, report.differences[:1]  # a benchmark of a wrong answer is none
                print(
                    f"{name}, {jobs} process{'es' if jobs > 1 else ''}: {records / wall:.0f} a second by the clock, {records / cpu * jobs:.0f} by CPU time on {jobs} core{'s' if jobs > 1 else ''}"
                )


if __name__ == "__main__":
    main()
