"""What this process can answer: the question router always, the others where their bundle or store is there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from models.bundle import BundleError
from router.question_router import QuestionRouter, load_router
from service.settings import Settings

if TYPE_CHECKING:
    from router.intent import IntentRouter
    from service.answering import Answerer


@dataclass(frozen=True)
class Capabilities:
    """``missing``: what cannot be answered, and what to do about it. ``store_metadata``: what the stores hold now."""

    router: QuestionRouter
    store_metadata: Callable[[], dict[str, Any]]
    store_source: str
    intent: IntentRouter | None
    answerer: Answerer | None
    missing: dict[str, str]

    def close(self) -> None:
        """Let stores and live session go."""
        if self.answerer is not None:
            self.answerer.close()


def open_capabilities(
    bundle: Path | None,
    digest: str | None,
    intent_bundle: Path | None,
    stores: Path | None,
    store_metadata: Path | None,
) -> Capabilities:
    """Load what is there. Raises `models.bundle.BundleError` and `CommandError` for what was named and cannot be used."""
    from service.answering import open_answerer
    from service.cli import CommandError, read_store_metadata

    settings = Settings()
    router = load_router(bundle or settings.bundle, digest)
    missing: dict[str, str] = {}
    intent = answerer = None
    try:
        from router.intent import load_intent_router

        intent = load_intent_router(intent_bundle)
    except BundleError as error:
        if intent_bundle is not None:
            raise
        missing["intent"] = str(error)
    try:
        answerer = open_answerer(router, stores or settings.stores, settings)
    except CommandError as error:
        if stores is not None:
            raise
        missing["ask"] = str(error)
    if store_metadata is None and answerer is not None:
        reader = answerer.context

        def published() -> dict[str, Any]:
            reader.store.refresh()
            return reader.metadata()

        return Capabilities(router, published, "published stores", intent, answerer, missing)
    given = read_store_metadata(store_metadata)
    return Capabilities(router, lambda: given, str(store_metadata or "reference store"), intent, answerer, missing)
