"""One question through the whole router with its record, beside scikit-learn's own pipeline on the same features and fastText.

Rounds in which each answers every question in turn, in a process of its own as in production; medians and ratios, since the machine may be shared. "best" is the median
over questions of the quickest round of each: what is left when others are quiet. Questions are mixed Russian and English, with
one word in ten replaced by a word outside the lemma table. Writes route.json beside this file.

    .venv/bin/python benchmarks/speed/route.py [--rounds 5]

fastText joins where the package ``fasttext-wheel`` or ``fasttext`` is installed; it is no dependency.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier

from models.heads import LEARNED_FLAGS
from router.explanation import explain
from router.question_router import load_router
from training.dataset import default_dataset, read_dataset
from training.fit import targets
from training.matrix import build_matrix, rows_to_matrix

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
QUESTIONS = 400
SEED = 7
OURS = "route() with record"
_SYLLABLES = [
    "ба",
    "ве",
    "гил",
    "до",
    "жу",
    "зан",
    "ки",
    "лор",
    "му",
    "нес",
    "пар",
    "рив",
    "сто",
    "ту",
    "фен",
    "хор",
    "цил",
    "чем",
    "шан",
    "юр",
]


def unseen_word(draw: random.Random) -> str:
    """A Russian-looking word that no lemma table holds."""
    return "".join(draw.choice(_SYLLABLES) for _ in range(4)) + draw.choice(("ами", "ого", "ение", "ка"))


def questions(texts: list[str]) -> list[str]:
    """Training questions with one word in ten replaced, new in every call."""
    draw = random.Random(SEED)
    chosen = draw.sample(texts, QUESTIONS)
    return [" ".join(unseen_word(draw) if draw.random() < 0.1 else w for w in t.split()) for t in chosen]


def timed(answer: Callable[[str], object], asked: list[str]) -> list[float]:
    """Seconds of each call."""
    found = []
    for text in asked:
        start = time.perf_counter()
        answer(text)
        found.append(time.perf_counter() - start)
    return found


def sklearn_pipeline(examples: list[Any], router: Any) -> Callable[[str], object]:
    """The same analyser and rows, then scikit-learn: one-vs-rest logistic regressions and ``predict_proba``."""
    data = build_matrix([e.text for e in examples])
    truth = targets(examples)
    model = OneVsRestClassifier(LogisticRegression(C=30, solver="liblinear", tol=1e-2)).fit(
        data.matrix, truth.astype(int)
    )
    classifier = router.classifier

    def answer(text: str) -> object:
        row = data.vectoriser.row(classifier.analyser.analyse(text))
        return model.predict_proba(rows_to_matrix([row], data.idf, data.scale))

    return answer


def fasttext_pipeline(examples: list[Any]) -> Callable[[str], object] | None:
    """fastText supervised with default word n-grams, labels are classes and flags; None where it is not installed."""
    try:
        import fasttext
    except ImportError:
        return None
    file = ROOT / "var" / "fasttext.train"
    file.parent.mkdir(exist_ok=True)
    file.write_text(
        "\n".join(
            f"__label__{e.question_class} "
            + " ".join(f"__label__{f}" for f in e.flags)
            + " "
            + " ".join(e.text.split())
            for e in examples
        ),
        "utf-8",
    )
    model = fasttext.train_supervised(input=str(file), loss="ova", wordNgrams=2, epoch=15, verbose=0)
    file.unlink()
    return lambda text: model.f.predict(text.replace("\n", " ") + "\n", 1 + len(LEARNED_FLAGS), 0.0, "strict")


def rival(name: str) -> Callable[[str], object] | None:
    """What answers under ``name``."""
    if name == OURS or name == "explain()":
        router = load_router()
        store = orjson.loads((ROOT / "data" / "reference_store.json").read_bytes())
        return (lambda text: router.route(text, store)) if name == OURS else lambda text: explain(router, text, store)
    examples = read_dataset(default_dataset())
    return fasttext_pipeline(examples) if name == "fastText predict" else sklearn_pipeline(examples, load_router())


def work(name: str, asked: list[str], line: Connection) -> None:
    """A process: says whether there is such a rival, then answers a round of questions each time that it is told to, with the seconds of each."""
    answer = rival(name)
    line.send(answer is not None)
    if answer is None:
        return
    timed(answer, asked)
    while line.recv():
        line.send(timed(answer, asked))


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    asked = questions([e.text for e in read_dataset(default_dataset())])
    lines: dict[str, Connection] = {}
    for name in (OURS, "scikit-learn predict_proba, same features", "explain()", "fastText predict"):
        here, there = Pipe()
        get_context("spawn").Process(target=work, args=(name, asked, there), daemon=True).start()
        if here.recv():
            lines[name] = here
        else:
            print("fastText is not installed: pip install fasttext-wheel to see it here")
    times: dict[str, list[float]] = {name: [] for name in lines}
    for _ in range(rounds):
        for name, line in lines.items():
            line.send(True)
            times[name] += line.recv()
    for line in lines.values():
        line.send(False)
    ours = statistics.median(times[OURS])
    found = {
        name: {
            "p50_us": round(statistics.median(t) * 1e6, 1),
            "p50_of_best_us": round(float(np.median(np.array(t).reshape(rounds, -1).min(axis=0))) * 1e6, 1),
            "p99_us": round(float(np.percentile(t, 99)) * 1e6, 1),
            "times_ours": round(statistics.median(t) / ours, 2),
        }
        for name, t in times.items()
    }
    (HERE / "route.json").write_bytes(orjson.dumps(found, option=orjson.OPT_INDENT_2))
    for name, figures in found.items():
        print(
            f"{name:44} p50 {figures['p50_us']:8.1f} us   best {figures['p50_of_best_us']:8.1f} us   p99 {figures['p99_us']:8.1f} us   {figures['times_ours']:6.2f} x route()"
        )


if __name__ == "__main__":
    main()
