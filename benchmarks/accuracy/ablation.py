"""What helps: each way to train, cross-validated over authors. Writes ablation.json and ablation.png beside this file.

.venv/bin/python benchmarks/accuracy/ablation.py
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import matplotlib as mpl
import orjson
from joblib import parallel_config
from variants import Outcome, cross_validate, load

from training.fit import FitSettings

mpl.use("Agg")
import matplotlib.pyplot as plt

HERE = Path(__file__).resolve().parent
FULL = FitSettings()
VARIANTS: dict[str, FitSettings] = {
    "as shipped": FULL,
    "no cues (concepts, mentions, shape)": replace(FULL, blocks=("words", "chars")),
    "no character n-grams": replace(FULL, blocks=("words", "cues")),
    "no lemma n-grams": replace(FULL, blocks=("chars", "cues")),
    "lemma n-grams alone": replace(FULL, blocks=("words",)),
    "class-flag consistency: heads calibrated on all logits": replace(FULL, stacked=True),
    "thresholds 0.5, not by cost": replace(FULL, cost_thresholds=False),
    "features of two questions too": replace(FULL, min_documents=2),
    "weaker L2 penalty (C = 100)": replace(FULL, strength=100.0),
    "stronger L2 penalty (C = 5)": replace(FULL, strength=5.0),
}


def main() -> None:
    """Run all variants, or those whose name contains an argument."""
    examples, judge = load()
    wanted = [name for name in VARIANTS if not sys.argv[1:] or any(a in name for a in sys.argv[1:])]
    found: dict[str, Outcome] = {}
    with parallel_config(backend="loky", n_jobs=-1, inner_max_num_threads=1):
        for name in wanted:
            found[name] = cross_validate(examples, judge, VARIANTS[name])
            low, high = found[name].interval
            print(
                f"{name:58} route {found[name].accuracy:.4f} ({low:.4f}-{high:.4f})  cost {found[name].cost:.4f}",
                flush=True,
            )
    if wanted == list(VARIANTS):
        table = {
            name: {
                "accuracy": round(o.accuracy, 4),
                "interval": [round(v, 4) for v in o.interval],
                "cost": round(o.cost, 4),
                "questions": o.total,
            }
            for name, o in found.items()
        }
        (HERE / "ablation.json").write_bytes(orjson.dumps(table, option=orjson.OPT_INDENT_2))
        plot(found)


def plot(found: dict[str, Outcome]) -> None:
    """Accuracy with its interval, a row a variant."""
    figure, axis = plt.subplots(figsize=(9, 4.5), layout="constrained")
    names = list(found)[::-1]
    values = [found[n].accuracy for n in names]
    spread = [
        [v - found[n].interval[0] for n, v in zip(names, values, strict=True)],
        [found[n].interval[1] - v for n, v in zip(names, values, strict=True)],
    ]
    axis.errorbar(values, range(len(names)), xerr=spread, fmt="o", color="tab:blue", capsize=3)
    axis.axvline(found["as shipped"].accuracy, color="0.8", zorder=0)
    axis.set_yticks(range(len(names)), names)
    axis.set_xlabel("route accuracy on authors not trained on, 95 % interval")
    figure.savefig(HERE / "ablation.png", dpi=110)


if __name__ == "__main__":
    main()
