"""One call for every route: `execute_route` picks the executor, holds its result to the route's shape, and turns failures into results.

>>> execute_route("store_canonical", "Остаток по счёту 51 на 30.06.2020").items[0]["amount"]  # doctest: +SKIP
'51268965.07'
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import orjson

from executors.context import ExecutorContext, default_context
from executors.contracts import UnifiedResult
from executors.lookup import Lookup, read_lookup
from executors.shapes import COMMON_SUMMARY, EVIDENCE_CAP, SHAPES

logger = logging.getLogger(__name__)
Executor = Callable[[Lookup, ExecutorContext], UnifiedResult]
NO_ROUTE = "no_route"


def _executor(route: str) -> Executor:
    """Executor of a route; its libraries are loaded when it is first needed."""
    if route == "store_canonical":
        from executors.canonical.execute import execute
    elif route == "store_feature_risk":
        from executors.feature_risk.execute import execute
    elif route == "batch_refresh_then_store":
        from executors.batch import execute
    elif route == "hybrid_store_plus_live":
        from executors.hybrid.execute import execute
    else:
        from executors.drilldown import execute
    return execute


def execute_route(
    route: str,
    fragment_text: str,
    *,
    context: ExecutorContext | None = None,
    fragment_id: str = "F1",
    no_route_reason: str | None = None,
) -> UnifiedResult:
    """Answer a fragment by its route.

    Never raises for what a question, a store or a live server does: the result then has the status ``error`` and a sentence in ``errors``. Without a
    ``context`` the configured store and the embedded live server are used.
    """
    if route == NO_ROUTE:
        return _held(UnifiedResult(route, "empty", "summary", summary={"skipped": True, "no_route_reason": no_route_reason or "out_of_scope"}), fragment_id)  # fmt: skip
    if route not in SHAPES:
        return _failed(route, fragment_id, f"{route!r} is no route; routes are {', '.join(SHAPES)}")
    try:
        context = context or default_context()
        lookup = read_lookup(fragment_text, context)
        result = _executor(route)(lookup, context)
        return _held(result, fragment_id, lookup, context)
    except Exception as error:  # the contract: what an executor raises is told in the result, and other fragments go on
        logger.info("executor of %s failed", route, exc_info=True)
        return _failed(route, fragment_id, f"{type(error).__name__}: {error}" if not str(error) else str(error))


def _failed(route: str, fragment_id: str, why: str) -> UnifiedResult:
    shape = SHAPES.get(route)
    summary = dict.fromkeys(shape.summary_fields) if shape else {}
    return UnifiedResult(
        route,
        "error",
        shape.result_type if shape else "summary",
        summary=summary,
        errors=[why],
        fragment_id=fragment_id,
    )


def _held(
    result: UnifiedResult, fragment_id: str, lookup: Lookup | None = None, context: ExecutorContext | None = None
) -> UnifiedResult:
    """The result with every listed field, within the route's bounds, stamped."""
    shape = SHAPES[result.route]
    items = [{**dict.fromkeys(shape.item_fields), **item} for item in result.items]
    summary: dict[str, Any] = {**dict.fromkeys(shape.summary_fields), **result.summary}
    if lookup is not None and context is not None:
        summary = {**summary, **_dated(result.route, lookup, context, summary)}
    errors, evidence = list(result.errors), result.evidence[:EVIDENCE_CAP]
    total = len(items)
    kept = items[: shape.items]
    room = shape.bytes - len(orjson.dumps([summary, evidence, errors], default=str))
    sizes = [len(orjson.dumps(item, default=str)) + 1 for item in kept]
    while kept and sum(sizes) > room:
        kept.pop()
        sizes.pop()
    status = result.status
    if len(kept) < total and lookup is not None:
        status = "partial" if status == "ok" else status
        errors.append(
            lookup.say(
                f"Показаны первые {len(kept)} из {total}: таков предел ответа; сузьте вопрос периодом, счётом или контрагентом.",
                f"The first {len(kept)} of {total} are shown, which is the answer's bound; narrow the question by period, account or counterparty.",
            )
        )
    return UnifiedResult(result.route, status, shape.result_type, kept, summary, evidence, errors, fragment_id)


def _dated(route: str, lookup: Lookup, context: ExecutorContext, summary: dict[str, Any]) -> dict[str, Any]:
    """As of when the data is, from which run, and for which days."""
    m = context.metadata()
    store = {"store_feature_risk": "risk", "batch_refresh_then_store": "risk"}.get(route, "canonical")
    first, last = lookup.dates
    known = {
        "as_of": m["as_of"],
        "data_as_of": m["snapshot"]["data_as_of"],
        "timezone": m["timezone"],
        "run_id": m["stores"][store]["run_id"],
        "store_version": context.store.version.number,
        "period": {"start": first.isoformat(), "end": last.isoformat(), "named": lookup.period is not None},
    }
    return {name: summary.get(name, known[name]) for name in COMMON_SUMMARY}
