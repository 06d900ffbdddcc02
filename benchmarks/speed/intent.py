"""One query through the whole intent contract, beside TF-IDF with logistic regression that gives an intent alone; and hostile queries.

Rounds in which each answers every query in turn; medians and ratios, since the machine may be shared. One word in ten is replaced by a word
outside the lemma table. Writes intent.json beside this file.

    .venv/bin/python benchmarks/speed/intent.py [--rounds 5]
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import orjson
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from router.intent import load_intent_router
from training.intent_dataset import read_questions

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
QUERIES = 400
SEED = 7
HOSTILE_CHARS = 100_000
_SYLLABLES = ("ба", "ве", "гил", "до", "жу", "зан", "ки", "лор", "му", "нес", "пар", "рив", "сто", "ту", "фен", "хор")
REPO = {"languages": ["python", "go"], "available_layers": ["C0", "C1", "C2", "C3", "D1", "D2", "D3"]}
HOSTILE = {
    "one letter": "a",
    "quotes": '"a',
    "quotes and uneven spaces": '"a" \t ',
    "opening quotes": "«",
    "back-ticks": "`",
    "slashes": "a/",
    "dots": "a.",
    "scopes": "::",
    "key terms": "класс ",
    "marks of documents": "раздел 1.",
    "brackets in a path": "a/[",
    "colons": "a:",
    "combining marks": "e\u0301",
    "invisible": "\u200b",
    "camel humps": "aB",
    "apostrophes": "'a ",
    "quoted code": "`a b(` ",
    "marks and quotes": "раздел «а» ",
    "acronyms among symbols": "API a_b ",
}


def queries(texts: list[str]) -> list[str]:
    """Training queries with one word in ten replaced."""
    draw = random.Random(SEED)
    chosen = draw.sample(texts, QUERIES)
    return [
        " ".join("".join(draw.choices(_SYLLABLES, k=4)) if draw.random() < 0.1 else w for w in t.split())
        for t in chosen
    ]


def timed(answer: Callable[[str], object], asked: list[str]) -> list[float]:
    """Seconds of each call."""
    found = []
    for text in asked:
        start = time.perf_counter()
        answer(text)
        found.append(time.perf_counter() - start)
    return found


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    examples = read_questions(ROOT / "data" / "code_docs")
    router = load_intent_router()
    plain = make_pipeline(TfidfVectorizer(), LogisticRegression(C=10, max_iter=1000))
    plain.fit([e.text for e in examples], [e.intent for e in examples])
    state = router.decide("что делает класс UserService в src/app/users.py?").next_state
    rivals: dict[str, Callable[[str], object]] = {
        "decide(), first turn": lambda text: router.decide(text, None, REPO).output,
        "decide(), later turn": lambda text: router.decide(text, state, REPO).output,
        "decide() with details": lambda text: router.decide(text, state, REPO).details,
        "TF-IDF + logistic regression, intent alone": lambda text: plain.predict_proba([text]),
    }
    asked = queries([e.text for e in examples])
    for answer in rivals.values():
        timed(answer, asked)
    times: dict[str, list[float]] = {name: [] for name in rivals}
    for _ in range(rounds):
        for name, answer in rivals.items():
            times[name] += timed(answer, asked)
    ours = statistics.median(times["decide(), first turn"])
    found: dict[str, dict[str, float]] = {
        name: {
            "p50_us": round(statistics.median(t) * 1e6, 1),
            "p99_us": round(float(np.percentile(t, 99)) * 1e6, 1),
            "times_ours": round(statistics.median(t) / ours, 2),
        }
        for name, t in times.items()
    }
    hostile = {}
    for name, unit in HOSTILE.items():
        text = (unit * (HOSTILE_CHARS // len(unit) + 1))[:HOSTILE_CHARS]
        hostile[name] = round(statistics.median(timed(router.decide, [text] * 3)) * 1e3, 1)
    (HERE / "intent.json").write_bytes(
        orjson.dumps({"queries": found, "hostile_100k_ms": hostile}, option=orjson.OPT_INDENT_2)
    )
    for name, figures in found.items():
        print(
            f"{name:44} p50 {figures['p50_us']:8.1f} us   p99 {figures['p99_us']:8.1f} us   {figures['times_ours']:6.2f} x decide()"
        )
    print("hostile, 100,000 code points, ms: " + ", ".join(f"{name} {ms}" for name, ms in hostile.items()))


if __name__ == "__main__":
    main()
