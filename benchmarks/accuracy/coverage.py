"""How right the router is on the questions it is surest of: the exam's last scoring as an accuracy-coverage curve. Writes coverage.png beside this file.

    .venv/bin/python benchmarks/accuracy/coverage.py

Draws what `switchman exam` appended to data/exam/scorings.jsonl; it takes no exam itself.
"""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import orjson

mpl.use("Agg")
import matplotlib.pyplot as plt

HERE = Path(__file__).resolve().parent
LOG = HERE.parent.parent / "data" / "exam" / "scorings.jsonl"


def main() -> None:
    """One curve."""
    last = orjson.loads(LOG.read_bytes().splitlines()[-1])
    shares, accuracies = zip(*last["coverage_curve"], strict=True)
    figure, axis = plt.subplots(figsize=(6, 4), layout="constrained")
    axis.plot(shares, accuracies, marker="o")
    axis.set_xlabel("share of exam questions, surest first")
    axis.set_ylabel("route accuracy")
    axis.set_title(
        f"bundle {last['bundle_digest'][:12]}, {last['at'][:10]}, route ECE {last['route_ece']:.3f}", fontsize=9
    )
    axis.grid(alpha=0.3)
    figure.savefig(HERE / "coverage.png", dpi=110)


if __name__ == "__main__":
    main()
