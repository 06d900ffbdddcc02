"""``batch_refresh_then_store``: a rating, breakdown or summary from the store's aggregate, built first where it is not ready. Never a live scan."""

from __future__ import annotations

from executors.aggregates import aggregate_meant, read_aggregate
from executors.context import ExecutorContext
from executors.contracts import Status, UnifiedResult
from executors.coverage import nothing_loaded, partly_loaded
from executors.lookup import Lookup
from stores.aggregates import MEASURES

ROUTE = "batch_refresh_then_store"


def execute(lookup: Lookup, context: ExecutorContext) -> UnifiedResult:
    """Rows of the aggregate with rank, entity and count. What `ExecutorContext.refresh` raises is the dispatch's to tell."""
    summary: dict[str, object] = {"checked_records": 0, "ranked_entities": 0}
    if lookup.within is None:
        return UnifiedResult(ROUTE, "empty", "ranking", summary=summary, errors=[nothing_loaded(lookup)])
    wanted = aggregate_meant(lookup)
    if wanted is None:
        return UnifiedResult(ROUTE, "empty", "ranking", summary=summary, errors=[_cannot(lookup)])
    found = read_aggregate(context, wanted, lookup)
    refreshed = False
    if found is None and context.refresh is not None:
        context.refresh((wanted,))
        context.store.refresh()
        refreshed = True
        found = read_aggregate(context, wanted, lookup)
    summary["aggregate"] = wanted.name
    if found is None:
        missing = lookup.say(
            f"Готового агрегата {wanted.name} нет, его должен построить пакетный пересчёт; запустите его и повторите вопрос.",
            f"The aggregate {wanted.name} is not ready; the batch has to build it. Run the batch and ask again.",
        )
        return UnifiedResult(ROUTE, "error", "ranking", summary=summary, errors=[missing])
    errors = partly_loaded(lookup)
    narrower = lookup.within != lookup.covered
    if narrower:
        errors.append(
            lookup.say(
                "Агрегаты строятся по всему загруженному сроку: ответ по нему, а не по названной части.",
                "Aggregates are over the whole loaded slice: the answer is of it, not of the asked part.",
            )
        )
    summary |= {"checked_records": found.checked, "ranked_entities": found.members, "refreshed": refreshed}
    evidence = [{"kind": "aggregate", "id": wanted.name}]
    status: Status = "empty" if not found.items else "partial" if errors else "ok"
    if not found.items:
        errors.append(lookup.say("В этом срезе ранжировать нечего.", "There is nothing to rank in this slice."))
    return UnifiedResult(ROUTE, status, "ranking", found.items, summary, evidence, errors)


def _cannot(lookup: Lookup) -> str:
    can = "; ".join(f"{level}: {', '.join(measures)}" for level, measures in MEASURES.items())
    return lookup.say(
        f"Такого рейтинга хранилище не строит. Есть рейтинги риска по всем уровням и показателей: {can}.",
        f"The store makes no such rating. It rates risk at every level, and these measures: {can}.",
    )
