"""Accuracy against the number of questions and of authors, judged on authors who wrote no training data. Writes learning_curve.json and .png beside this file.

.venv/bin/python benchmarks/accuracy/learning_curve.py
"""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import numpy as np
import orjson
from joblib import parallel_config
from variants import load, train_and_test

from training.fit import FitSettings
from training.folds import author_folds
from training.matrix import build_matrix

mpl.use("Agg")
import matplotlib.pyplot as plt

HERE = Path(__file__).resolve().parent
SIZES = (150, 300, 600, 1200, 2400, 4800)
AUTHORS = (1, 2, 4, 8, 16)
QUESTIONS_OF_AUTHORS = 300
"""With any number of authors the same number of questions is trained on: what more voices alone bring."""
SEED = 20
TEST_FOLDS = 2


def main() -> None:
    """Some test folds of authors; in each, training sets of growing size drawn from the other authors."""
    examples, judge = load()
    data = build_matrix([e.text for e in examples])
    folds = author_folds(examples, (), 5)
    settings = FitSettings(folds=3)
    random = np.random.default_rng(SEED)
    by_size: dict[int, list[tuple[int, int]]] = {}
    by_authors: dict[int, list[tuple[int, int]]] = {}
    with parallel_config(backend="loky", n_jobs=-1, inner_max_num_threads=1):
        for fold in range(TEST_FOLDS):
            outside = np.flatnonzero(folds == fold)
            pool = np.flatnonzero(folds != fold)
            for size in (*SIZES, len(pool)):
                part = np.sort(random.choice(pool, min(size, len(pool)), replace=False))
                o = train_and_test(examples, judge, data, part, outside, settings)
                by_size.setdefault(size if size in SIZES else -1, []).append((o.right, o.total))
                print(f"fold {fold}  {len(part):5} questions  route {o.accuracy:.4f}", flush=True)
            names = np.array([examples[i].author for i in pool])
            authors = sorted(set(names.tolist()))
            for count in AUTHORS:
                chosen = random.choice(authors, count, replace=False)
                members = pool[np.isin(names, chosen)]
                part = np.sort(random.choice(members, min(QUESTIONS_OF_AUTHORS, len(members)), replace=False))
                o = train_and_test(examples, judge, data, part, outside, settings)
                by_authors.setdefault(count, []).append((o.right, o.total))
                print(f"fold {fold}  {count:2} authors, {len(part)} questions  route {o.accuracy:.4f}", flush=True)
    whole = int(np.mean([np.sum(folds != f) for f in range(TEST_FOLDS)]))
    sizes = {(whole if size < 0 else size): sum(r for r, _ in v) / sum(t for _, t in v) for size, v in by_size.items()}
    voices = {count: sum(r for r, _ in v) / sum(t for _, t in v) for count, v in by_authors.items()}
    slope, start = np.polyfit(np.log2([s for s in sizes if s >= 600]), [a for s, a in sizes.items() if s >= 600], 1)
    found = {
        "by_questions": {str(k): round(v, 4) for k, v in sizes.items()},
        f"by_authors_at_{QUESTIONS_OF_AUTHORS}_questions": {str(k): round(v, 4) for k, v in voices.items()},
        "gain_a_doubling": round(float(slope), 4),
    }
    (HERE / "learning_curve.json").write_bytes(orjson.dumps(found, option=orjson.OPT_INDENT_2))
    print(orjson.dumps(found).decode())
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained", sharey=True)
    left.plot(list(sizes), list(sizes.values()), marker="o")
    ahead = np.array([min(s for s in sizes if s >= 600), 2 * whole])
    left.plot(ahead, slope * np.log2(ahead) + start, linestyle="--", color="0.6")
    left.set_xscale("log", base=2)
    left.set_xlabel("training questions")
    left.set_ylabel("route accuracy, authors not trained on")
    right.plot(list(voices), list(voices.values()), marker="o", color="tab:orange")
    right.set_xlabel(f"authors of {QUESTIONS_OF_AUTHORS} training questions")
    figure.savefig(HERE / "learning_curve.png", dpi=110)


if __name__ == "__main__":
    main()
