"""Agreement of two labellers: Cohen's kappa for class, route and each flag. Writes agreement.json beside this file.

    .venv/bin/python benchmarks/agreement/agreement.py

``labels.jsonl`` holds both labellings as they were given, before any dispute was settled.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson

from models.heads import LEARNED_FLAGS
from training.guide import route_by_guide

HERE = Path(__file__).resolve().parent


def kappa(first: Sequence[object], second: Sequence[object]) -> float:
    """Cohen's kappa: agreement beyond what the two shares of each value give by chance."""
    total = len(first)
    seen = sum(a == b for a, b in zip(first, second, strict=True)) / total
    chance = sum((first.count(v) / total) * (second.count(v) / total) for v in {*first, *second})
    return 1.0 if chance == 1 else round((seen - chance) / (1 - chance), 4)


def route(labels: dict[str, Any]) -> str:
    """Route that labels imply under the reference store."""
    return route_by_guide(
        labels["question_class"], frozenset(labels["flags"]), labels["other_period"], labels["ready_summary"]
    )


def main() -> None:
    """Both sets, and the minimal pairs of each alone."""
    pairs = [orjson.loads(line) for line in (HERE / "labels.jsonl").read_bytes().splitlines()]
    found: dict[str, Any] = {}
    for name in ("training sample", "exam"):
        for hard in (False, True):
            part = [p for p in pairs if p["set"] == name and (p["minimal_pair"] or not hard)]
            first, second = [p["first"] for p in part], [p["second"] for p in part]
            found[name + (", minimal pairs" if hard else "")] = {
                "questions": len(part),
                "disputed": sum(a != b for a, b in zip(first, second, strict=True)),
                "class": kappa([x["question_class"] for x in first], [x["question_class"] for x in second]),
                "route": kappa([route(x) for x in first], [route(x) for x in second]),
                **{
                    f: kappa([f in x["flags"] for x in first], [f in x["flags"] for x in second]) for f in LEARNED_FLAGS
                },
            }
    (HERE / "agreement.json").write_bytes(orjson.dumps(found, option=orjson.OPT_INDENT_2))
    for name, figures in found.items():
        print(name, figures)


if __name__ == "__main__":
    main()
