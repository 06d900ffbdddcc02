"""The exam as a command."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from experiments.exam import append_scoring, score_exam, score_rivals
from router.question_router import QuestionRouter
from service.settings import Settings
from training.dataset import read_dataset


def take_exam(
    router: QuestionRouter, settings: Settings, store_metadata: Mapping[str, Any], log: Path, note: str
) -> dict[str, Any]:
    """Score the exam and append the scoring to ``log``."""
    examples = [e for file in sorted(settings.exam.glob("exam*.jsonl")) for e in read_dataset(file)]
    found = score_exam(router, examples, store_metadata)
    found["rivals"] = score_rivals(read_dataset(settings.dataset), examples)
    append_scoring(log, router.bundle, found, note)
    return {**found, "log": str(log)}
