"""Tables of training and exam of the intent router for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text


def intent_training_tables(done: dict[str, Any]) -> Iterator[RenderableType]:
    """Figures out of fold: questions by intent and author, turns."""
    found = done["out_of_fold"]
    yield _confusion(
        "Intents, on questions of authors they did not see: expected in rows, chosen in columns", found["questions"]
    )
    yield Text("by author: " + ", ".join(f"{a} {v:.3f}" for a, v in found["by_author"].items()))
    if found["turns"]:
        yield _turns(found["turns"])
        yield Text(f"keeping: limit {found['limit']:.2f}, ECE {found['keep_ece']:.3f}")
    yield Text(
        f"{done['questions']} questions, {done['conversations']} conversations, {done['features']} features, {done['seconds']} s; bundle {done['bundle']}, digest {done['digest'][:16]}…; report {done['report'][0]}"
    )


def intent_exam_tables(found: dict[str, Any]) -> Iterator[RenderableType]:
    """Intents, turns, anchors, and the rival."""
    yield _confusion(f"Exam: {found['intent']['questions']} questions", found["intent"])
    yield Text(
        "by language: "
        + ", ".join(f"{k} {v['accuracy']:.3f} ({v['questions']})" for k, v in found["by_language"].items())
    )
    rival = found["rivals"]["tfidf_logistic_regression"]["accuracy"]
    yield Text(f"TF-IDF + logistic regression on the same questions: intent {rival:.3f}")
    yield _turns(found["conversations"])
    anchors = Table(title="Anchors, exact type and span", title_justify="left")
    for name in ("", "anchors", "precision", "recall", "F1"):
        anchors.add_column(name, justify="left" if not name else "right")
    for kind, f in found["anchors"].items():
        anchors.add_row(kind, str(f["anchors"]), f"{f['precision']:.3f}", f"{f['recall']:.3f}", f"{f['f1']:.3f}")
    yield anchors
    yield Text(f"appended to {found['log']}")


def _confusion(title: str, found: dict[str, Any]) -> Table:
    table = Table(title=title, title_justify="left")
    table.add_column("")
    names = list(found["confusion"])
    for name in names:
        table.add_column(name.removesuffix("_DOCS_FROM_CODE"), justify="right")
    table.add_column("recall", justify="right")
    for name, row in found["confusion"].items():
        table.add_row(name, *(str(row[c] or "·") for c in names), f"{found['recall'][name]:.3f}")
    low, high = found["interval"]
    table.caption = f"accuracy {found['accuracy']:.3f} ({low:.3f}–{high:.3f}), ECE {found['ece']:.3f}"
    return table


def _turns(found: dict[str, Any]) -> Text:
    beside = found["always_continue"]
    return Text(
        f"{found['turns']} turns: intent {found['turn_intent_accuracy']:.3f}, mode {found['mode_accuracy']:.3f} (always CONTINUE {beside['mode_accuracy']:.3f}), "
        f"SWITCH recall {found['switch_recall']:.3f} (0), precision {found['switch_precision']:.3f}"
    )
