"""Which kind of fact a fragment asks for: an ordered list of questions, the first that fits answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from executors.canonical import balances, catalogs, documents, postings
from executors.context import ExecutorContext
from executors.contracts import UnifiedResult
from executors.coverage import nothing_loaded, partly_loaded, several_partners, unknown_partners
from executors.lookup import Lookup

ROUTE = "store_canonical"


@dataclass(frozen=True, slots=True)
class Fact:
    """A kind of question: when it is asked, and what answers it. ``dated``: whether the asked period bounds the answer."""

    name: str
    asked: Callable[[Lookup], bool]
    answer: Callable[[Lookup, ExecutorContext], UnifiedResult]
    dated: bool = True


FACTS: Final = (
    Fact("document by number", documents.asks_for_one, documents.by_number, dated=False),
    Fact("details of a counterparty", catalogs.asks_for_details, catalogs.details, dated=False),
    Fact("contracts", catalogs.asks_for_contracts, catalogs.contracts, dated=False),
    Fact("movements of a register", postings.asks_for_register, postings.register),
    Fact("documents", documents.asks_for_list, documents.listed),
    Fact("turnover", balances.asks_for_turnover, balances.turnover),
    Fact("balance", balances.asks_for_balance, balances.balance, dated=False),
    Fact("postings", postings.asks_for_postings, postings.listed),
    Fact("measure of the company", balances.asks_for_flow, balances.flow),
    Fact("documents of a counterparty", documents.asks_for_partner, documents.listed),
    Fact("catalogue", catalogs.asks_for_list, catalogs.listed, dated=False),
    Fact("documents of a period", documents.asks_for_period, documents.listed),
)
"""In this order: what is pinned first, what is named by a kind next, what only a period or a name bounds last."""


def execute(lookup: Lookup, context: ExecutorContext) -> UnifiedResult:
    """Answer with records of the canonical store."""
    problems = unknown_partners(lookup)
    if problems and not lookup.partners:
        return UnifiedResult(
            ROUTE, "empty", "list", summary={"checked_records": 0, "returned_records": 0}, errors=problems
        )
    fact = next((f for f in FACTS if f.asked(lookup)), None)
    if fact is None:
        unclear = lookup.say(
            "Не понял, что искать: назовите вид документа, счёт, контрагента или показатель.",
            "It is not clear what to look up: name a kind of document, an account, a counterparty or a measure.",
        )
        return UnifiedResult(
            ROUTE, "empty", "list", summary={"checked_records": 0, "returned_records": 0}, errors=[unclear]
        )
    if fact.dated and lookup.within is None:
        return UnifiedResult(ROUTE, "empty", "list", summary={"checked_records": 0, "returned_records": 0, "fact": fact.name}, errors=[nothing_loaded(lookup)])  # fmt: skip
    result = fact.answer(lookup, context)
    missing = partly_loaded(lookup) if fact.dated else []
    notes = [*problems, *several_partners(lookup), *missing]
    status = "partial" if result.status == "ok" and (problems or missing) else result.status
    return UnifiedResult(
        ROUTE, status, "list", result.items, {**result.summary, "fact": fact.name}, result.evidence, [*notes, *result.errors]
    )  # fmt: skip


__all__ = ["FACTS", "ROUTE", "Fact", "execute"]
