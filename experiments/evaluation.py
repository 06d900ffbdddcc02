"""Everything that is measured of one bundle: benchmark, exam, robustness, speed, with the decision records behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from experiments.benchmark import run_benchmark
from experiments.exam import decide_exam, exam_figures
from experiments.robustness import robustness
from experiments.speed import decision_times
from models.bundle import Bundle
from router.question_router import QuestionRouter, RouteDecision
from training.dataset import Example


@dataclass(frozen=True)
class Yardstick:
    """What every version is measured by: benchmark ``questions``, ``exam`` and the store state that both are asked under."""

    questions: Sequence[dict[str, Any]]
    exam: Sequence[Example]
    store_metadata: Mapping[str, Any]


@dataclass(frozen=True)
class Evaluation:
    """``figures`` by part: ``benchmark``, ``exam``, ``robustness``, ``speed``; the decisions in the order of the yardstick's questions."""

    figures: dict[str, Any]
    benchmark: list[RouteDecision]
    exam: list[RouteDecision]


def evaluate(bundle: Bundle, yardstick: Yardstick) -> Evaluation:
    """Ask ``bundle`` every question of ``yardstick``."""
    router = QuestionRouter(bundle)
    store = yardstick.store_metadata
    benchmark = run_benchmark(router, yardstick.questions, store)
    exam = decide_exam(router, yardstick.exam, store)
    texts = [e.text for e in yardstick.exam]
    of_benchmark = benchmark.to_dict()
    zeros = dict.fromkeys((q["question_class"] for q in yardstick.questions), 0)
    of_benchmark["mismatches_by_class"] = {**zeros, **of_benchmark["mismatches_by_class"]}
    figures = {
        "benchmark": of_benchmark,
        "exam": exam_figures(yardstick.exam, exam),
        "robustness": robustness(router, texts, [d.route for d in exam], store),
        "speed": decision_times([bundle], texts, store)[0],
    }
    return Evaluation(figures, benchmark.decisions, exam)
