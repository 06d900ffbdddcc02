"""What a training of the intent heads leaves beside its bundle: figures out of fold, a reliability plot, wrong questions and turns."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from models.heads import INTENTS
from training.evaluation import equal_mass_bins, expected_calibration_error, wilson_interval
from training.intent_fit import IntentOutOfFold, TextRow


def mode_figures(needed: Sequence[tuple[str, str]], said: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """Figures of turns from (intent, mode) pairs, beside a router that always continues what began."""
    turns = len(needed)
    switches = [i for i, (_, mode) in enumerate(needed) if mode == "SWITCH"]
    announced = [i for i, (_, mode) in enumerate(said) if mode == "SWITCH"]
    return {
        "turns": turns,
        "turn_intent_accuracy": _share(sum(n[0] == s[0] for n, s in zip(needed, said, strict=True)), turns),
        "mode_accuracy": _share(sum(n[1] == s[1] for n, s in zip(needed, said, strict=True)), turns),
        "switch_recall": _share(sum(said[i][1] == "SWITCH" for i in switches), len(switches)),
        "switch_precision": _share(sum(needed[i][1] == "SWITCH" for i in announced), len(announced)),
        "always_continue": {
            "mode_accuracy": _share(sum(mode != "SWITCH" for _, mode in needed), turns),
            "switch_recall": 0.0,
        },
    }


def intent_figures(needed: Sequence[str], said: Sequence[str], confidence: np.ndarray[Any, Any]) -> dict[str, Any]:
    """Accuracy with Wilson interval, recall an intent, confusion, calibration error of the stated confidence."""
    right = np.array([n == s for n, s in zip(needed, said, strict=True)])
    low, high = wilson_interval(int(right.sum()), len(needed))
    confusion = {
        n: {s: sum(a == n and b == s for a, b in zip(needed, said, strict=True)) for s in INTENTS} for n in INTENTS
    }
    return {
        "questions": len(needed),
        "accuracy": round(float(right.mean()), 4),
        "interval": [round(low, 4), round(high, 4)],
        "recall": {n: _share(row[n], sum(row.values())) for n, row in confusion.items()},
        "confusion": confusion,
        "ece": round(expected_calibration_error(confidence, right), 4),
    }


def turn_decision(row: TextRow, classes: Sequence[float], keep: float, other: str, limit: float) -> tuple[str, str]:
    """(intent, mode) that the out-of-fold figures of one turn lead to."""
    if row.active is None:
        return INTENTS[int(np.argmax(classes))], "START"
    return (row.active, "CONTINUE") if keep >= limit else (other, "SWITCH")


def intent_metrics(found: IntentOutOfFold) -> dict[str, Any]:
    """Figures of a training run, all on texts whose authors the scoring heads did not see. Greetings are left out of the turns."""
    alone = [i for i, r in enumerate(found.rows) if r.turn is None]
    said = [INTENTS[int(found.classes[i].argmax())] for i in alone]
    needed = [found.rows[i].intent for i in alone]
    questions = intent_figures(needed, said, found.classes[alone].max(axis=1))
    authors = sorted({found.rows[i].author for i in alone})
    by_author = {
        a: _share(sum(s == n for i, s, n in zip(alone, said, needed, strict=True) if found.rows[i].author == a), sum(found.rows[i].author == a for i in alone))
        for a in authors
    }  # fmt: skip
    turns = [(i, r, r.turn) for i, r in enumerate(found.rows) if r.turn is not None]
    pairs = [(turn.intent, str(turn.mode)) for _, _, turn in turns]
    told = [
        turn_decision(r, found.classes[i].tolist(), float(found.keep[i]), found.others[i], found.limit)
        for i, r, _ in turns
    ]
    modes = mode_figures(pairs, told) if turns else {}
    active = [i for i, r in enumerate(found.rows) if r.active is not None]
    kept = np.array([found.rows[i].intent == found.rows[i].active for i in active])
    return {
        "questions": questions,
        "by_author": by_author,
        "turns": modes,
        "turns_by_author": {
            a: mode_figures([p for (_, r, _), p in zip(turns, pairs, strict=True) if r.author == a], [t for (_, r, _), t in zip(turns, told, strict=True) if r.author == a])
            for a in sorted({r.author for _, r, _ in turns})
        },
        "keep_ece": round(expected_calibration_error(found.keep[active], kept), 4) if active else None,
        "limit": found.limit,
    }  # fmt: skip


def write_intent_report(folder: Path, found: IntentOutOfFold, metrics: dict[str, Any]) -> list[Path]:
    """Write ``metrics.json``, ``wrong.jsonl`` and ``reliability.png`` to ``folder``; return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    figures, wrong, plot = folder / "metrics.json", folder / "wrong.jsonl", folder / "reliability.png"
    figures.write_bytes(orjson.dumps(metrics, option=orjson.OPT_INDENT_2))
    with wrong.open("wb") as out:
        for i, row in enumerate(found.rows):
            classes = found.classes[i].tolist()
            if row.turn is None:
                expected, chosen = (row.intent, "START"), (INTENTS[int(np.argmax(classes))], "START")
            else:
                expected = (row.intent, row.turn.mode)
                chosen = turn_decision(row, classes, float(found.keep[i]), found.others[i], found.limit)
            if expected != chosen:
                line = {"author": row.author, "text": row.text, "active": row.active, "expected": expected, "chosen": chosen, "probabilities": [round(p, 3) for p in classes]}  # fmt: skip
                out.write(orjson.dumps(line) + b"\n")
    _plot(plot, found)
    return [figures, wrong, plot]


def _plot(path: Path, found: IntentOutOfFold) -> None:
    """Stated probability against frequency: the chosen intent of questions, and keeping the intent of turns."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    alone = [i for i, r in enumerate(found.rows) if r.turn is None]
    active = [i for i, r in enumerate(found.rows) if r.active is not None]
    right = np.array([found.rows[i].intent == INTENTS[int(found.classes[i].argmax())] for i in alone])
    kept = np.array([found.rows[i].intent == found.rows[i].active for i in active])
    panels = [("intent", found.classes[alone].max(axis=1), right), ("intent is kept", found.keep[active], kept)]
    figure, axes = plt.subplots(1, 2, figsize=(8, 4.2), layout="constrained")
    for axis, (name, probability, truth) in zip(axes.flat, panels, strict=True):
        parts = equal_mass_bins(probability) if probability.size else []
        axis.plot([0, 1], [0, 1], color="0.8", linewidth=1)
        axis.plot(
            [probability[p].mean() for p in parts], [truth[p].mean() for p in parts], marker="o", color="tab:blue"
        )
        axis.set_title(
            f"{name}, ECE {expected_calibration_error(probability, truth):.3f}" if parts else name, fontsize=9
        )
    figure.supxlabel("stated probability, out of fold")
    figure.supylabel("frequency")
    figure.savefig(path, dpi=110)
    plt.close(figure)


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0
