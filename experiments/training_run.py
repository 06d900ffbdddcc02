"""One experiment into a run folder: train, measure, keep every record. Knows nothing of tracking servers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from experiments.baseline import legacy_route
from experiments.benchmark import BenchmarkResult
from experiments.errors import ExperimentError
from experiments.evaluation import Evaluation, Yardstick, evaluate
from experiments.execution import Execution, save_answers
from experiments.metric_names import flat_metrics
from experiments.plots import confusion_figure, reliability_figure, save_figure
from experiments.provenance import code_revisions, file_digest, git_revision
from experiments.run_folder import COMPLETE, RunFolder
from features.rows import BLOCKS
from models.bundle import save_bundle
from router.offline import ReferenceJudge
from router.query_classifier import DECIDING_FLAGS
from router.question_router import QuestionRouter
from training.checks import DataReport
from training.evaluation import route_report
from training.fit import FitSettings, Progress, train_bundle
from training.report import out_of_fold_metrics, write_report

LEGACY = "legacy"
AnsweredBenchmark = Callable[
    [QuestionRouter, Sequence[dict[str, Any]], Mapping[str, Any]], tuple[BenchmarkResult, Execution]
]
"""Answers benchmark questions under a store state: the result, and what was answered."""


def fit_settings(assignments: Sequence[str]) -> FitSettings:
    """Settings of a training from ``KEY=VALUE`` texts. Raises `ExperimentError` that lists the keys."""
    known = {f.name: f for f in fields(FitSettings)}
    values: dict[str, Any] = {}
    for assignment in assignments:
        key, equals, text = assignment.partition("=")
        if not equals or key not in known:
            listed = ", ".join(f"{n}={_written(getattr(FitSettings(), n))}" for n in known)
            raise ExperimentError(f"--set {assignment}: write KEY=VALUE; keys with their defaults: {listed}")
        values[key] = _read_value(key, text, getattr(FitSettings(), key))
    return replace(FitSettings(), **values)


def _written(value: object) -> str:
    return ",".join(value) if isinstance(value, tuple) else str(value).lower()


def _read_value(key: str, text: str, default: object) -> object:
    try:
        if isinstance(default, bool):
            return {"true": True, "false": False}[text.lower()]
        if isinstance(default, tuple):
            parts = tuple(text.split(","))
            if unknown := [p for p in parts if p not in BLOCKS]:
                raise ExperimentError(
                    f"--set {key}={text}: {', '.join(unknown)} is no block; blocks are {', '.join(BLOCKS)}"
                )
            return parts
        number = int(text) if isinstance(default, int) else float(text)
    except (ValueError, KeyError) as error:
        raise ExperimentError(f"--set {key}={text}: write it as {_written(default)}") from error
    least = {"folds": 2, "seed": 0, "min_documents": 1}.get(key, 1e-9)
    if not least <= number < 1e9:
        raise ExperimentError(f"--set {key}={text}: out of range, at least {least:g}")
    return number


def train_into(
    folder: RunFolder,
    report: DataReport,
    settings: FitSettings,
    yardstick: Yardstick,
    sources: Mapping[str, Path],
    progress: Progress,
    answered: AnsweredBenchmark | None = None,
) -> dict[str, Any]:
    """Train on the examples of ``report``, measure, write everything to ``folder`` and mark it complete. Returns the figures.

    ``sources``: where the data lies, by the names of `datasets`. ``answered`` runs the benchmark whole, its batches too; without it the questions are
    routed only and degraded answers stay unmeasured.
    """
    judge = ReferenceJudge(yardstick.store_metadata)
    bundle, found = train_bundle(report.examples, judge, DECIDING_FLAGS, report.alike, settings, progress)
    metrics = out_of_fold_metrics(report.examples, found)
    bundle = replace(bundle, metrics={"out_of_fold": metrics})
    digest = save_bundle(bundle, folder.bundle)
    progress("measuring", 0, 1)
    bundle = replace(bundle, digest=digest)
    measured = evaluate(bundle, yardstick)
    if answered is not None:
        result, execution = answered(QuestionRouter(bundle), yardstick.questions, yardstick.store_metadata)
        zeros = measured.figures["benchmark"]["mismatches_by_class"]
        whole = result.to_dict()
        measured.figures["benchmark"] = {**whole, "mismatches_by_class": {**zeros, **whole["mismatches_by_class"]}}
        save_answers(execution, folder.artifacts / "benchmark_answers")
    write_report(folder.artifacts / "out_of_fold", report.examples, found, metrics)
    _write_decisions(folder, yardstick, measured)
    figures = {"out_of_fold": metrics, **measured.figures}
    wrong = figures["exam"].pop("wrong")
    (folder.artifacts / "exam_wrong.jsonl").write_bytes(b"".join(orjson.dumps(w) + b"\n" for w in wrong))
    _write_common(folder, figures, sources)
    folder.write(
        "params.json",
        {
            **bundle.training["settings"],
            "blocks": ",".join(settings.blocks),
            "min_documents": settings.min_documents,
            "notes": folder.read("state.json")["notes"],
        },
    )
    tags = {**folder.read("tags.json"), "bundle_digest": digest, "dataset_digest": bundle.dataset_digest}
    folder.write("tags.json", tags)
    folder.mark(state=COMPLETE)
    progress("measuring", 1, 1)
    return figures


def legacy_into(folder: RunFolder, yardstick: Yardstick, sources: Mapping[str, Path]) -> dict[str, Any]:
    """The legacy keyword router on the same questions, so that its mismatches stand in the same list. It has no bundle."""
    questions, exam = yardstick.questions, yardstick.exam
    expected = [q["expected_route"] for q in questions]
    chosen = [legacy_route(q["text"]) for q in questions]
    wrong = [(q, c) for q, c in zip(questions, chosen, strict=True) if q["expected_route"] != c]
    by_class = dict.fromkeys([q["question_class"] for q in questions], 0)
    for q, _ in wrong:
        by_class[q["question_class"]] += 1
    figures: dict[str, Any] = {
        "benchmark": {
            "route_mismatch_count": len(wrong),
            "mismatches_by_class": by_class,
            "batch_route_count": chosen.count("batch_refresh_then_store"),
            "confusion": {
                f"{q['expected_route']} -> {c}": sum(
                    w[0]["expected_route"] == q["expected_route"] and w[1] == c for w in wrong
                )
                for q, c in wrong
            },
        },
        "exam": {"routes": route_report([e.route for e in exam], [legacy_route(e.text) for e in exam])},
    }
    folder.artifacts.mkdir()
    lines = [
        {"question_id": q["question_id"], "text": q["text"], "expected": e, "chosen": c}
        for q, e, c in zip(questions, expected, chosen, strict=True)
    ]
    (folder.artifacts / "benchmark_routes.jsonl").write_bytes(b"".join(orjson.dumps(line) + b"\n" for line in lines))
    save_figure(
        confusion_figure({"legacy baseline, exam": figures["exam"]["routes"]["confusion"]}),
        folder.artifacts / "exam_confusion.png",
    )
    _write_common(folder, figures, sources)
    folder.write("params.json", {"router": LEGACY})
    folder.mark(state=COMPLETE)
    return figures


def _write_common(folder: RunFolder, figures: Mapping[str, Any], sources: Mapping[str, Path]) -> None:
    folder.write("figures.json", figures)
    (folder.artifacts / "figures.json").write_bytes(orjson.dumps(figures, option=orjson.OPT_INDENT_2))
    folder.write("metrics.json", run_metrics(figures))
    folder.write("datasets.json", datasets(sources))
    folder.write("tags.json", {**git_revision(Path(__file__).parent), **code_revisions()})


def run_metrics(figures: Mapping[str, Any]) -> dict[str, float]:
    """Flat metrics of a run: the benchmark's by their own names (without those of the baseline, which is a run itself), the rest under their part."""
    rest = {k: v for k, v in figures.items() if k != "benchmark"}
    benchmark = {k: v for k, v in figures.get("benchmark", {}).items() if k != "legacy"}
    return {**flat_metrics(rest), **flat_metrics(benchmark)}


def datasets(sources: Mapping[str, Path]) -> list[dict[str, str]]:
    """Name, digest, path and use of everything a run reads: what is called ``training`` trains, the rest judges."""
    found = []
    for name, path in sources.items():
        files = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
        found.append(
            {
                "name": name,
                "digest": file_digest(files),
                "path": str(path),
                "use": "training" if name == "training" else "evaluation",
            }
        )
    return found


def _write_decisions(folder: RunFolder, yardstick: Yardstick, measured: Evaluation) -> None:
    decisions = folder.artifacts / "decisions"
    decisions.mkdir()
    for name, taken in (("benchmark", measured.benchmark), ("exam", measured.exam)):
        (decisions / f"{name}.jsonl").write_bytes(b"".join(d.log.to_json() + b"\n" for d in taken))
    needed = [e.route for e in yardstick.exam]
    certainty = np.array([d.route_probabilities[d.route] for d in measured.exam])
    right = np.array([n == d.route for n, d in zip(needed, measured.exam, strict=True)])
    save_figure(reliability_figure({"exam": (certainty, right)}), folder.artifacts / "exam_reliability.png")
    benchmark = route_report([q["expected_route"] for q in yardstick.questions], [d.route for d in measured.benchmark])
    panels = {"exam": measured.figures["exam"]["routes"]["confusion"], "benchmark": benchmark["confusion"]}
    save_figure(confusion_figure(panels), folder.artifacts / "confusion.png")
