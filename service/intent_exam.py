"""The exam of the intent router as a command."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from experiments.exam import append_scoring
from experiments.intent_exam import score_intent_exam, score_rival
from router.intent import IntentRouter
from service.settings import Settings
from training.intent_dataset import read_conversations, read_questions


def take_intent_exam(router: IntentRouter, settings: Settings, log: Path, note: str) -> dict[str, Any]:
    """Score the exam and append the scoring to ``log``."""
    examples = read_questions(settings.intent_exam)
    found = score_intent_exam(router, examples, read_conversations(settings.intent_exam))
    found["rivals"] = score_rival(read_questions(settings.intent_dataset), examples)
    append_scoring(log, router.bundle, found, note)
    return {**found, "log": str(log)}
