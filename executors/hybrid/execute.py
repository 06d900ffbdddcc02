"""Store first; the live system only for days the store has not and for what it cannot explain. The asked period is split once, each part labelled."""

from __future__ import annotations

from typing import Any

from executors.context import ExecutorContext
from executors.contracts import Status, UnifiedResult
from executors.coverage import several_partners, shown_days, unknown_partners
from executors.hybrid.chains import GAPS, by_counterparty, gaps
from executors.hybrid.focus import focus_of
from executors.hybrid.live_half import LiveHalf
from executors.live_sentences import no_live
from executors.lookup import Lookup

ROUTE = "hybrid_store_plus_live"


def execute(lookup: Lookup, context: ExecutorContext) -> UnifiedResult:
    """Chains by counterparty, gaps, and what the live system says of them."""
    focus = focus_of(lookup)
    problems = unknown_partners(lookup)
    if problems and not lookup.partners:
        empty = {"checked_records": 0, "matched_counterparties": 0, "route_focus": focus.name}
        return UnifiedResult(ROUTE, "empty", "chain", summary=empty, errors=problems)
    parts: list[dict[str, Any]] = []
    items: list[dict[str, Any]] = []
    found_gaps: list[dict[str, Any]] = []
    checked = 0
    notes = [*problems, *several_partners(lookup)]
    half = LiveHalf(context.live, lookup) if context.live is not None else None
    if lookup.within is not None:
        items, checked = by_counterparty(lookup, context, focus, lookup.within)
        found_gaps = gaps(lookup, context, focus, lookup.within)
        parts.append(_part("store", lookup.within))
    for days in lookup.outside:
        if half is None:
            notes.append(no_live(lookup))
            parts.append(_part("missing", days))
            continue
        live_items = half.documents(focus, days)
        items += live_items
        checked += sum(i["document_refs_count"] for i in live_items)
        parts.append(_part("missing" if half.failed else "live", days))
    if half is not None:
        if (lookup.numbers or lookup.guids) and items and items[0]["source"] == "store":
            _compare(half, context, items)
        for gap in found_gaps:
            half.explain(gap)
        notes += half.notes
    elif found_gaps or lookup.numbers:
        notes.append(no_live(lookup))
    open_gaps = [g for g in found_gaps if not g.get("closed_in_live")]
    partners = {i["counterparty_id"] for i in items if i["counterparty_id"]}
    summary = {
        "checked_records": checked,
        "matched_counterparties": len(partners),
        "route_focus": focus.name,
        "operations": sum(i["operations_count"] or 0 for i in items),
        "documents": sum(i["document_refs_count"] or 0 for i in items),
        "gaps_count": len(found_gaps),
        "gaps_open": len(open_gaps),
        "gaps": found_gaps[:GAPS],
        "parts": parts,
        "live_calls": half.calls if half else 0,
        "live_server": context.live.name if context.live else None,
    }
    if len(found_gaps) > GAPS:
        notes.append(
            lookup.say(
                f"Показаны первые {GAPS} разрывов из {len(found_gaps)}.",
                f"The first {GAPS} of {len(found_gaps)} gaps are shown.",
            )
        )
    evidence = [
        {"kind": "document", "id": s["source_id"], "source": i["source"]}
        for i in items
        for s in i["samples"]
        if s["source_id"]
    ]
    missing = any(p["source"] == "missing" for p in parts)
    status: Status = "empty" if not items and not found_gaps else "partial" if missing or notes else "ok"
    if not items and not found_gaps:
        notes.append(
            lookup.say(
                f"За {shown_days(*lookup.dates, 'ru')} связей не найдено. Проверьте вид документа, контрагента и период.",
                f"No links found for {shown_days(*lookup.dates, 'en')}. Check the kind of document, the counterparty and the period.",
            )
        )
    return UnifiedResult(ROUTE, status, "chain", items, summary, evidence, notes)


def _part(source: str, days: tuple[Any, Any]) -> dict[str, str]:
    return {"source": source, "start": days[0].isoformat(), "end": days[1].isoformat()}


def _compare(half: LiveHalf, context: ExecutorContext, items: list[dict[str, Any]]) -> None:
    """Pinned documents are looked at live too: causes are not stored, and the live system may have changed since."""
    for item in items:
        for sample in item["samples"]:
            own = context.store.by_ref("document", sample["source_id"])
            if own is not None:
                sample["live"] = half.compare(sample, f"Document_{own['type']}")
