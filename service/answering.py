"""What answers a question: the router, the configured store, the live system. One `Answerer` a process; commands and the HTTP API share it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from router.question_router import QuestionRouter
from service.settings import Settings

if TYPE_CHECKING:
    from executors.context import ExecutorContext
    from orchestration.ask import Answer, BatchRunner


class Answerer:
    """Holds a router and an executor context; threads may share it."""

    def __init__(self, router: QuestionRouter, context: ExecutorContext, batch: BatchRunner | None = None) -> None:
        self.router, self.context, self._batch = router, context, batch

    def ask(
        self, question: str, parsed_intent: Mapping[str, Any] | None = None, question_id: str | None = None
    ) -> Answer:
        """Answer by the newest published version."""
        from orchestration.ask import ask

        self.context.store.refresh()
        return ask(
            question, router=self.router, context=self.context, parsed_intent=parsed_intent, question_id=question_id, batch=self._batch
        )  # fmt: skip

    def close(self) -> None:
        """Let the store and the live session go."""
        self.context.store.close()
        if self.context.live is not None:
            self.context.live.close()


def open_answerer(
    router: QuestionRouter, stores: Path, settings: Settings, batch: BatchRunner | None = None
) -> Answerer:
    """An answerer over the store versions under ``stores``. Raises `CommandError` where there is none or an extra is missing."""
    from service.cli import CommandError

    try:
        from executors.context import ExecutorContext
        from executors.live.embedded import embedded_live
        from executors.refresh import rebuild_with
        from stores.errors import StoresError
        from stores.reader import StoreReader
    except ImportError as error:
        raise CommandError(
            f"answers need the extras 'stores' and 'live' ({error.name} is missing): pip install 'switchman[stores,live]'"
        ) from error
    try:
        store = StoreReader(stores)
    except StoresError as error:
        raise CommandError(str(error)) from error
    context = ExecutorContext(store, embedded_live(store), now=settings.as_of, refresh=rebuild_with(store))
    return Answerer(router, context, batch)
