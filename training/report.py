"""What a training run leaves beside its bundle: figures a head, reliability plots, confusion of routes, wrong questions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from models.heads import LEARNED_FLAGS, QUESTION_CLASSES, ROUTES, SCOPE_HEAD
from training.checks import language
from training.dataset import Example
from training.evaluation import auroc, binary_report, equal_mass_bins, expected_calibration_error, route_report
from training.fit import BASE, OutOfFold, targets

BINARY = (SCOPE_HEAD, *LEARNED_FLAGS)


def out_of_fold_metrics(examples: Sequence[Example], found: OutOfFold) -> dict[str, Any]:
    """Figures of a training run, all on questions whose authors the scoring heads did not see."""
    truth = targets(examples)
    columns = [BASE.index("out_of_scope"), *range(len(QUESTION_CLASSES), len(BASE))]
    heads = {
        name: binary_report(found.binary[:, i], truth[:, column], found.decided.thresholds[name])
        for i, (name, column) in enumerate(zip(BINARY, columns, strict=True))
    }
    labels = truth[:, : len(QUESTION_CLASSES)].argmax(axis=1)
    said = found.classes.argmax(axis=1)
    confidence = found.classes.max(axis=1)
    needed = [e.route for e in examples]
    by_language = {
        lang: route_report(
            [e.route for e in examples if _is(e, lang)],
            [r for e, r in zip(examples, found.routes, strict=True) if _is(e, lang)],
        )
        for lang in ("ru", "en")
    }
    right = np.array([a == b for a, b in zip(needed, found.routes, strict=True)])
    certainty = np.array([found.route_probabilities[i, ROUTES.index(r)] for i, r in enumerate(found.routes)])
    return {
        "heads": heads,
        "question_class": {
            "accuracy": round(float((said == labels).mean()), 4),
            "ece": round(expected_calibration_error(confidence, said == labels), 4),
        },
        "routes": route_report(needed, found.routes),
        "routes_by_language": {
            lang: {k: r[k] for k in ("questions", "accuracy", "interval")} for lang, r in by_language.items()
        },
        "route_probability": {
            "ece": round(expected_calibration_error(certainty, right), 4),
            "accuracy_on_surest_90_percent": round(
                float(right[np.argsort(-certainty, kind="stable")[: int(0.9 * right.size)]].mean()), 4
            ),
        },
        "out_of_scope_auroc": round(auroc(found.binary[:, 0], truth[:, columns[0]]), 4),
        "mean_cost": round(found.decided.cost, 4),
    }


def _is(example: Example, lang: str) -> bool:
    """Mixed questions count with Russian, whose grammar they follow."""
    return (language(example.text) == "en") == (lang == "en")


def write_report(folder: Path, examples: Sequence[Example], found: OutOfFold, metrics: dict[str, Any]) -> list[Path]:
    """Write ``metrics.json``, ``wrong.jsonl`` and ``reliability.png`` to ``folder``; return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    figures, wrong = folder / "metrics.json", folder / "wrong.jsonl"
    figures.write_bytes(orjson.dumps(metrics, option=orjson.OPT_INDENT_2))
    with wrong.open("wb") as out:
        for e, route in zip(examples, found.routes, strict=True):
            if e.route != route:
                out.write(
                    orjson.dumps({"id": e.id, "text": e.text, "expected": e.route, "chosen": route, "where": e.where})
                    + b"\n"
                )
    plot = folder / "reliability.png"
    plot_reliability(plot, examples, found)
    return [figures, wrong, plot]


def plot_reliability(path: Path, examples: Sequence[Example], found: OutOfFold) -> None:
    """One panel a binary head and one for the route: stated probability against frequency, ten bins of equal mass."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    truth = targets(examples)
    columns = [BASE.index("out_of_scope"), *range(len(QUESTION_CLASSES), len(BASE))]
    panels = [(name, found.binary[:, i], truth[:, c]) for i, (name, c) in enumerate(zip(BINARY, columns, strict=True))]
    right = np.array([e.route == r for e, r in zip(examples, found.routes, strict=True)])
    certainty = np.array([found.route_probabilities[i, ROUTES.index(r)] for i, r in enumerate(found.routes)])
    panels.append(("route", certainty, right))
    figure, axes = plt.subplots(3, 4, figsize=(13, 9.5), layout="constrained")
    for axis, (name, probability, is_true) in zip(axes.flat, panels, strict=True):
        parts = equal_mass_bins(probability)
        axis.plot([0, 1], [0, 1], color="0.8", linewidth=1)
        axis.plot(
            [probability[p].mean() for p in parts], [is_true[p].mean() for p in parts], marker="o", color="tab:blue"
        )
        axis.set_title(f"{name}\nECE {expected_calibration_error(probability, is_true):.3f}", fontsize=9)
        axis.set_xlim(-0.02, 1.02)
        axis.set_ylim(-0.02, 1.02)
    figure.supxlabel("stated probability, out of fold")
    figure.supylabel("frequency")
    figure.savefig(path, dpi=110)
    plt.close(figure)
