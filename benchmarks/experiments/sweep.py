"""Time of a sweep's trials on local processes and on a local Dask cluster, and whether both give the same figures.

    .venv/bin/python benchmarks/experiments/sweep.py [--trials 20] [--workers local dask]

Only the trials: reading the data is counted apart, training the best settings in full costs one `switchman train` more.
"""

from __future__ import annotations

import argparse
import time

import orjson

from experiments.sweep import Trial, sweep
from experiments.workers import workers
from service.settings import Settings, reference_store
from training.checks import check_data
from training.fit import FitSettings


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=20)
    parser.add_argument("--workers", nargs="+", default=["local", "dask"])
    given = parser.parse_args()
    settings = Settings()
    started = time.monotonic()
    report = check_data(settings.dataset, settings.held_out)
    print(f"data read and checked in {time.monotonic() - started:.0f} s")
    costs: dict[str, list[float]] = {}
    for where in given.workers:
        found: list[Trial] = []
        started = time.monotonic()
        with workers(where, -1) as said:
            sweep(report, orjson.loads(reference_store()), FitSettings(), [], given.trials, found.append)
        seconds = time.monotonic() - started
        costs[where] = [t.cost for t in found]
        print(
            f"{given.trials} trials on {said}: {seconds:.0f} s, {seconds / given.trials:.1f} s a trial, least cost {min(costs[where]):.4f}"
        )
    if len(costs) > 1:
        print("equal figures" if len({tuple(c) for c in costs.values()}) == 1 else "figures differ")


if __name__ == "__main__":
    main()
