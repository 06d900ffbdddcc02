"""What a worker does once the stores are refreshed: the batch executor reads them, and synthesis writes. Neither ever asks the live system."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

from orchestration.batch_payload import JobPayload
from orchestration.synthesis import Part, write_answer


def answer_job(payload: JobPayload, outcome: dict[str, Any]) -> dict[str, Any]:
    """The unified result of the batch route, from the stores as they are now."""
    import executors.feature_risk  # noqa: F401  # before the aggregates, which import from it and are imported by it
    from executors.context import ExecutorContext
    from executors.dispatch import execute_route
    from stores.reader import StoreReader

    store = StoreReader(Path(payload.stores))
    try:
        now = datetime.fromisoformat(payload.as_of) if payload.as_of else None
        context = ExecutorContext(store, live=None, refresh=None, now=now)
        found = execute_route("batch_refresh_then_store", payload.question_text, context=context, fragment_id=payload.fragment_id)  # fmt: skip
    finally:
        store.close()
    result = found.to_dict()
    result["summary"]["refreshed"] = bool(outcome.get("built"))
    return result


def synthesise_job(payload: JobPayload, outcome: dict[str, Any], result: dict[str, Any]) -> dict[str, Any]:
    """The answer in the question's language."""
    return write_answer(payload.question_text, [Part(payload.question_text, result, outcome)]).to_dict()
