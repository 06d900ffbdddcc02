"""What a worker does once the stores are refreshed: the batch executor reads them, and synthesis writes. Neither ever asks the live system."""

from __future__ import annotations

import dataclasses
import threading
from collections import OrderedDict
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from orchestration.batch_payload import JobPayload
from orchestration.synthesis import Part, write_answer

if TYPE_CHECKING:
    from stores.reader import StoreReader


def answer_job(payload: JobPayload, outcome: dict[str, Any]) -> dict[str, Any]:
    """The unified result of the batch route, from the stores as they are now."""
    from executors.context import ExecutorContext
    from executors.dispatch import execute_route
    from router.parsed_intent import read_parsed_intent
    from router.query_classifier import with_intent

    context = ExecutorContext(_reader(Path(payload.stores)), live=None, refresh=None)
    intent = read_parsed_intent(payload.decision.get("parsed_intent"))
    context = dataclasses.replace(
        context,
        now=datetime.fromisoformat(payload.as_of) if payload.as_of else None,
        analysis=with_intent(context.analyser.analyse(payload.question_text), intent),
        objects=tuple(intent.objects),
    )
    found = execute_route("batch_refresh_then_store", payload.question_text, context=context, fragment_id=payload.fragment_id)  # fmt: skip
    result = found.to_dict()
    result["summary"]["refreshed"] = bool(outcome.get("built"))
    return result


_lock = threading.Lock()
_readers: OrderedDict[Path, StoreReader] = OrderedDict()
READERS_KEPT = 4
"""Stores a worker keeps open: opening one costs more than reading it."""


def _reader(root: Path) -> StoreReader:
    """Reader of a folder of versions, on its current one."""
    from stores.reader import StoreReader

    with _lock:
        found = _readers.pop(root, None) or StoreReader(root)
        _readers[root] = found
        while len(_readers) > READERS_KEPT:
            _readers.popitem(last=False)
        found.refresh()
        return found


def synthesise_job(payload: JobPayload, outcome: dict[str, Any], result: dict[str, Any]) -> dict[str, Any]:
    """The answer in the question's language."""
    return write_answer(payload.question_text, [Part(payload.question_text, result, outcome)]).to_dict()
