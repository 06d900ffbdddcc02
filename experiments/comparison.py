"""Two versions on the same questions: figures with paired significance, changed routes with blame."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import orjson

from experiments.blame import Blamer
from experiments.evaluation import Yardstick
from experiments.paired import Bools, Floats, Resampling, mcnemar
from experiments.robustness import robustness
from experiments.speed import decision_times
from models.bundle import Bundle
from models.heads import LEARNED_FLAGS, QUESTION_CLASSES
from router.question_router import QuestionRouter
from training.checks import language
from training.evaluation import expected_calibration_error, route_report, wilson_interval

Records = dict[str, dict[str, Any]]


@dataclass(frozen=True)
class Side:
    """One version: its bundle and its decision records of benchmark and exam, by question id."""

    label: str
    bundle: Bundle
    records: Records


@dataclass(frozen=True)
class Line:
    """One figure of both versions. ``low`` and ``high``: 95 % interval of the difference; ``p``: McNemar's p-value where it is a share of right answers."""

    name: str
    before: float
    after: float
    low: float | None = None
    high: float | None = None
    p: float | None = None

    @property
    def surely(self) -> bool:
        """Whether the interval of the difference excludes nought."""
        return self.low is not None and self.high is not None and (self.low > 0 or self.high < 0)


@dataclass(frozen=True)
class Change:
    """A question whose route is another: what was needed, why it changed."""

    question_id: str
    text: str
    needed: str
    before: str
    after: str
    causes: tuple[str, ...]
    detail: str

    @property
    def verdict(self) -> str:
        """``mended``, ``broken``, or ``still wrong``."""
        return "mended" if self.after == self.needed else "broken" if self.before == self.needed else "still wrong"


@dataclass(frozen=True)
class Comparison:
    """``confusion``, ``reliability`` and ``robustness`` by version's label, for pictures."""

    before: str
    after: str
    digests: tuple[str, str]
    lines: list[Line]
    changes: list[Change]
    confusion: Mapping[str, Mapping[str, Mapping[str, int]]]
    reliability: Mapping[str, tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]]
    robustness: Mapping[str, Mapping[str, Any]]
    by_class: Mapping[str, Mapping[str, tuple[float, float, float]]]

    def to_dict(self) -> dict[str, Any]:
        """For a script."""
        return {
            "before": {"label": self.before, "digest": self.digests[0]},
            "after": {"label": self.after, "digest": self.digests[1]},
            "figures": [
                {"name": x.name, "before": x.before, "after": x.after, "difference": round(x.after - x.before, 6), "interval": None if x.low is None else [x.low, x.high], "mcnemar_p": x.p, "significant": x.surely}
                for x in self.lines
            ],
            "changed": [
                {"question_id": c.question_id, "text": c.text, "needed": c.needed, "before": c.before, "after": c.after, "verdict": c.verdict, "blame": list(c.causes), "detail": c.detail}
                for c in self.changes
            ],
        }  # fmt: skip


def decide_all(bundle: Bundle, yardstick: Yardstick, store_metadata: Mapping[str, Any] | None = None) -> Records:
    """Records of every benchmark and exam question by ``bundle``, under another store state where one is given."""
    router, store = QuestionRouter(bundle), store_metadata or yardstick.store_metadata
    asked = [(q["question_id"], q["text"], q.get("parsed_intent")) for q in yardstick.questions]
    asked += [(e.id, e.text, None) for e in yardstick.exam]
    return {i: router.route(text, store, intent, i).log.to_dict() for i, text, intent in asked}


def read_records(folder: Path) -> Records:
    """Records of a run, as its artifacts hold them."""
    lines = [line for name in ("benchmark", "exam") for line in (folder / f"{name}.jsonl").read_bytes().splitlines()]
    return {r["question_id"]: r for r in map(orjson.loads, lines)}


def compare(
    before: Side, after: Side, yardstick: Yardstick, note: Callable[[str], None] = lambda _stage: None
) -> Comparison:
    """Compare two versions on the questions that both have records of."""
    note("figures")
    exam = [e for e in yardstick.exam if e.id in before.records and e.id in after.records]
    benchmark = [
        q for q in yardstick.questions if q["question_id"] in before.records and q["question_id"] in after.records
    ]
    pairs = [([s.records[e.id] for e in exam], s) for s in (before, after)]
    needed = [e.route for e in exam]
    right = [np.array([r["chosen_route"] == n for r, n in zip(records, needed, strict=True)]) for records, _ in pairs]
    certainty = [np.array([r["route_probabilities"][r["chosen_route"]] for r in records]) for records, _ in pairs]
    labels = _labels(before.label, after.label)
    lines = [
        _benchmark_line(benchmark, before, after),
        *_exam_lines(exam, [records for records, _ in pairs], right, certainty),
    ]
    note("robustness")
    kept = {}
    for label, side in zip(labels, (before, after), strict=True):
        router = QuestionRouter(side.bundle)
        texts = [e.text for e in exam]
        kept[label] = robustness(
            router, texts, [router.route(t, yardstick.store_metadata).route for t in texts], yardstick.store_metadata
        )
    lines += [
        Line(f"robustness/{name}", a["retention"], kept[labels[1]][name]["retention"])
        for name, a in kept[labels[0]].items()
    ]
    note("speed")
    times = decision_times([before.bundle, after.bundle], [e.text for e in exam], yardstick.store_metadata)
    lines.append(Line("speed/p50_us", times[0]["p50_us"], times[1]["p50_us"]))
    note("blame")
    expected = {q["question_id"]: q["expected_route"] for q in benchmark} | {e.id: e.route for e in exam}
    classes = np.array([e.question_class for e in exam])
    return Comparison(
        before=labels[0],
        after=labels[1],
        digests=(before.bundle.digest, after.bundle.digest),
        lines=lines,
        changes=_changes(expected, before, after),
        confusion={
            label: route_report(needed, [r["chosen_route"] for r in records])["confusion"]
            for label, (records, _) in zip(labels, pairs, strict=True)
        },
        reliability=dict(zip(labels, zip(certainty, right, strict=True), strict=True)),
        robustness=kept,
        by_class={
            label: {c: _share(part[classes == c]) for c in QUESTION_CLASSES if (classes == c).any()}
            for label, part in zip(labels, right, strict=True)
        },
    )


def _labels(first: str, second: str) -> tuple[str, str]:
    return (first, second) if first != second else (f"{first}, before", f"{second}, after")


def _share(right: Bools) -> tuple[float, float, float]:
    return (float(right.mean()), *wilson_interval(int(right.sum()), right.size))


def _benchmark_line(questions: Sequence[dict[str, Any]], before: Side, after: Side) -> Line:
    wrong = [
        np.array([s.records[q["question_id"]]["chosen_route"] != q["expected_route"] for q in questions])
        for s in (before, after)
    ]
    return Line("route_mismatch_count", float(wrong[0].sum()), float(wrong[1].sum()), p=mcnemar(~wrong[0], ~wrong[1]))


def _exam_lines(
    exam: Sequence[Any],
    records: Sequence[Sequence[Mapping[str, Any]]],
    right: Sequence[Bools],
    certainty: Sequence[Floats],
) -> list[Line]:
    english = np.array([language(e.text) == "en" for e in exam])
    classes = np.array([e.question_class for e in exam])
    parts = {
        "route_accuracy": np.ones(len(exam), bool),
        "route_accuracy/russian_and_mixed": ~english,
        "route_accuracy/english": english,
    }
    parts |= {f"route_accuracy/{c}": classes == c for c in QUESTION_CLASSES}
    lines = []
    for name, part in parts.items():
        if part.any():
            a, b = right[0][part], right[1][part]
            lines.append(
                Line(name, float(a.mean()), float(b.mean()), *Resampling(a.size).mean_difference(a, b), mcnemar(a, b))
            )
    said = [np.array([r["parsed_class"] == e.question_class for r, e in zip(rs, exam, strict=True)]) for rs in records]
    draw = Resampling(len(exam))
    lines.append(
        Line(
            "class_accuracy", float(said[0].mean()), float(said[1].mean()), *draw.mean_difference(*said), mcnemar(*said)
        )
    )
    for flag in LEARNED_FLAGS:
        truth = np.array([flag in e.flags for e in exam])
        stated = [np.array([bool(r["decision_flags"][flag]) for r in rs]) for rs in records]
        before, after, low, high = draw.f1_difference(truth, *stated)
        lines.append(Line(f"flag_f1/{flag}", before, after, low, high))
    ece = [expected_calibration_error(c, r) for c, r in zip(certainty, right, strict=True)]
    lines.append(Line("route_ece", ece[0], ece[1], *draw.ece_difference(certainty, right)))
    return lines


def _changes(expected: Mapping[str, str], before: Side, after: Side) -> list[Change]:
    blamer = Blamer(before.bundle, after.bundle)
    found = []
    for question_id, needed in expected.items():
        a, b = before.records[question_id], after.records[question_id]
        if a["chosen_route"] != b["chosen_route"]:
            why = blamer.blame(a, b)
            found.append(
                Change(
                    question_id,
                    str(a["question_text"]),
                    needed,
                    a["chosen_route"],
                    b["chosen_route"],
                    why.causes,
                    why.detail,
                )
            )
    order = {"broken": 0, "mended": 1, "still wrong": 2}
    return sorted(found, key=lambda c: (order[c.verdict], c.question_id))
