"""The exam: questions by authors who wrote no training question, scored beside two rivals, every scoring kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from experiments.baseline import legacy_route
from models.bundle import Bundle
from models.heads import LEARNED_FLAGS, QUESTION_CLASSES
from router.question_router import QuestionRouter, RouteDecision
from training.checks import language
from training.dataset import Example
from training.evaluation import auroc, expected_calibration_error, route_report, wilson_interval


def score_exam(
    router: QuestionRouter, examples: Sequence[Example], store_metadata: Mapping[str, Any]
) -> dict[str, Any]:
    """Figures of one router on labelled questions under ``store_metadata``; ``wrong`` lists its mistakes, surest first."""
    return exam_figures(examples, decide_exam(router, examples, store_metadata))


def decide_exam(
    router: QuestionRouter, examples: Sequence[Example], store_metadata: Mapping[str, Any]
) -> list[RouteDecision]:
    """Decision of every question, in order."""
    return [router.route(e.text, store_metadata, question_id=e.id) for e in examples]


def exam_figures(examples: Sequence[Example], decisions: Sequence[RouteDecision]) -> dict[str, Any]:
    """What `score_exam` gives, for decisions already taken."""
    needed, chosen = [e.route for e in examples], [d.route for d in decisions]
    right = np.array([n == c for n, c in zip(needed, chosen, strict=True)])
    certainty = np.array([d.route_probabilities[d.route] for d in decisions])
    refused = np.array([c == "no_route" for c in chosen])
    outside = np.array([n == "no_route" for n in needed])
    by_language = {}
    for name, english in (("russian_and_mixed", False), ("english", True)):
        part = [i for i, e in enumerate(examples) if (language(e.text) == "en") == english]
        by_language[name] = {"questions": len(part), **_accuracy(int(right[part].sum()), len(part))}
    said = {f: np.array([d.flag_probabilities[f] for d in decisions]) for f in LEARNED_FLAGS}
    truth = {f: np.array([f in e.flags for e in examples]) for f in LEARNED_FLAGS}
    surest = np.argsort(-certainty, kind="stable")
    order = sorted((i for i in range(len(examples)) if not right[i]), key=lambda i: -certainty[i])
    return {
        "routes": route_report(needed, chosen),
        "by_language": by_language,
        "class_accuracy": round(sum(e.question_class == d.question_class for e, d in zip(examples, decisions, strict=True)) / len(examples), 4),
        "by_class": {c: {"questions": len(part), **_accuracy(int(right[part].sum()), len(part))} for c in QUESTION_CLASSES if (part := [i for i, e in enumerate(examples) if e.question_class == c])},
        "flag_f1": {f: _f1([f in e.flags for e in examples], [bool(d.flags.get(f)) for d in decisions]) for f in LEARNED_FLAGS},
        "flag_brier": {f: round(float(np.mean((said[f] - truth[f]) ** 2)), 4) for f in LEARNED_FLAGS},
        "flag_ece": {f: round(expected_calibration_error(said[f], truth[f]), 4) for f in LEARNED_FLAGS},
        "out_of_scope_auroc": round(auroc(np.array([d.log.out_of_scope_probability for d in decisions]), outside), 4),
        "heavy_or_drilldown_to_canonical": sum(e.question_class in ("heavy_analytical", "drilldown_explain") and c == "store_canonical" for e, c in zip(examples, chosen, strict=True)),
        "route_ece": round(expected_calibration_error(certainty, right), 4),
        "fallback_share": round(sum(d.log.decided_by == "fallback_low_confidence" for d in decisions) / len(decisions), 4),
        "accuracy_on_surest_90_percent": round(float(right[surest[: int(0.9 * len(examples))]].mean()), 4),
        "coverage_curve": [[share, round(float(right[surest[: max(1, int(share * len(examples)))]].mean()), 4)] for share in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)],
        "out_of_scope_recall": round(float(refused[outside].mean()), 4),
        "good_questions_refused": round(float(refused[~outside].mean()), 4),
        "wrong": [
            {"id": examples[i].id, "text": examples[i].text, "expected": needed[i], "chosen": chosen[i], "probability": round(float(certainty[i]), 3), "decided_by": decisions[i].log.decided_by,
             "wrong_flags": [f for f in LEARNED_FLAGS if bool(decisions[i].flags.get(f)) != (f in examples[i].flags)]}
            for i in order
        ],
    }  # fmt: skip


def score_rivals(training: Sequence[Example], examples: Sequence[Example]) -> dict[str, Any]:
    """Route reports of the legacy keyword router and of plain TF-IDF with one logistic regression over routes, trained on the same questions."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    needed = [e.route for e in examples]
    plain = make_pipeline(TfidfVectorizer(), LogisticRegression(C=10, max_iter=1000))
    plain.fit([e.text for e in training], [e.route for e in training])
    return {
        "legacy_baseline": route_report(needed, [legacy_route(e.text) for e in examples]),
        "tfidf_logistic_regression": route_report(needed, plain.predict([e.text for e in examples]).tolist()),
    }


def append_scoring(log: Path, bundle: Bundle, found: Mapping[str, Any], note: str) -> None:
    """One line: when, which bundle, what came out. Without the wrong questions, which would tempt to tune."""
    kept = {k: v for k, v in found.items() if k not in ("wrong", "rivals")}
    line = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "bundle_digest": bundle.digest,
        "dataset_digest": bundle.dataset_digest,
        "note": note,
        **kept,
    }
    with log.open("ab") as out:
        out.write(orjson.dumps(line) + b"\n")


def _accuracy(right: int, total: int) -> dict[str, Any]:
    low, high = wilson_interval(right, total)
    return {"accuracy": round(right / max(total, 1), 4), "interval": [round(low, 4), round(high, 4)]}


def _f1(truth: Sequence[bool], said: Sequence[bool]) -> float:
    hits = sum(t and s for t, s in zip(truth, said, strict=True))
    return round(2 * hits / (sum(truth) + sum(said)), 4) if hits else 0.0
