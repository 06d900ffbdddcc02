"""Shared fixtures: the reference store, and one trained bundle for the whole run."""

from __future__ import annotations

import fcntl
import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from router.intent import IntentRouter, load_intent_router
from router.question_router import QuestionRouter, load_router
from service.settings import Settings

ROOT = Path(__file__).resolve().parent.parent


def _trained(settings: Settings, bundle: Path, sources: Iterable[Path], train: Callable[[], object]) -> Path:
    """``bundle``, trained first where there is none or one of its ``sources`` has changed."""
    manifest = bundle / "manifest.json"
    newest = max(p.stat().st_mtime for p in sources)
    with _one_at_a_time(settings):
        if not manifest.exists() or manifest.stat().st_mtime < newest:
            train()
    return bundle


@pytest.fixture(scope="session")
def bundle_path() -> Path:
    """The default bundle, trained from data/ where there is none or the data has changed."""
    from service.training import train_and_save

    settings = Settings()
    sources = (
        *settings.dataset.glob("*.jsonl"),
        *(ROOT / "data" / "lexicons").glob("*.json"),
        *(ROOT / "features").glob("*.py"),
    )
    return _trained(
        settings,
        settings.bundle,
        sources,
        lambda: train_and_save(settings.dataset, settings.bundle, settings, -1, Console(stderr=True)),
    )


@contextmanager
def _one_at_a_time(settings: Settings) -> Iterator[None]:
    """Processes that run tests side by side wait here for the one that trains."""
    settings.var.mkdir(parents=True, exist_ok=True)
    with (settings.var / "training.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@pytest.fixture(scope="session")
def router(bundle_path: Path) -> QuestionRouter:
    return load_router(bundle_path)


@pytest.fixture(scope="session")
def intent_bundle_path() -> Path:
    """The default bundle of CODE + DOCS, trained from data/ where there is none or the data has changed."""
    from service.intent_training import train_intent_and_save

    settings = Settings()
    sources = (
        *settings.intent_dataset.glob("*.jsonl"),
        *(ROOT / "data" / "lexicons").glob("code_*.json"),
        *(ROOT / "features" / "code").glob("*.py"),
    )
    return _trained(
        settings,
        settings.intent_bundle,
        sources,
        lambda: train_intent_and_save(
            settings.intent_dataset, settings.intent_bundle, settings, -1, Console(stderr=True)
        ),
    )


@pytest.fixture(scope="session")
def intent_router(intent_bundle_path: Path) -> IntentRouter:
    return load_intent_router(intent_bundle_path)


@pytest.fixture
def reference_store() -> dict[str, Any]:
    """A copy that a test may change."""
    found: dict[str, Any] = json.loads((ROOT / "data" / "reference_store.json").read_text("utf-8"))
    return found


@pytest.fixture(scope="session")
def benchmark_questions() -> list[dict[str, Any]]:
    lines = (ROOT / "data" / "benchmark" / "benchmark35.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]
