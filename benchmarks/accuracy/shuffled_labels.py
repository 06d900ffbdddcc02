"""Training on shuffled labels falls to the base rate: what the figures would be if the questions said nothing.

    .venv/bin/python benchmarks/accuracy/shuffled_labels.py

Labels are permuted whole (class, flags and route together), so every share stays as it is.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import orjson
from joblib import parallel_config
from variants import cross_validate, load

from training.fit import FitSettings

SEED = 11
LABELS = ("question_class", "flags", "route", "other_period", "ready_summary")


def main() -> None:
    """Route accuracy with true and with shuffled labels, and the share of the commonest route. Writes shuffled_labels.json."""
    examples, judge = load()
    order = np.random.default_rng(SEED).permutation(len(examples))
    shuffled = [
        e.model_copy(update={name: getattr(examples[i], name) for name in LABELS})
        for e, i in zip(examples, order, strict=True)
    ]
    settings = replace(FitSettings(), cost_thresholds=False)
    with parallel_config(backend="loky", n_jobs=-1, inner_max_num_threads=1):
        true, false = cross_validate(examples, judge, settings), cross_validate(shuffled, judge, settings)
    commonest = Counter(e.route for e in examples).most_common(1)[0][1] / len(examples)
    found = {
        "true_labels": round(true.accuracy, 4),
        "shuffled_labels": round(false.accuracy, 4),
        "commonest_route_share": round(commonest, 4),
    }
    Path(__file__).with_suffix(".json").write_bytes(orjson.dumps(found, option=orjson.OPT_INDENT_2))
    print(found)


if __name__ == "__main__":
    main()
