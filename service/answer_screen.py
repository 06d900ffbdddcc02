"""An answer on a terminal: each fragment with its route, table, notes, and as of when its data is. Texts of data and servers are never markup."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from features.language import Language, language_of
from orchestration.ask import Answer, FragmentAnswer
from orchestration.plain_values import day, grouped
from orchestration.synthesis import refresh_lines
from service.answer_words import HEADINGS, LABELS, STATUSES, SUMMARY, VALUES, said
from service.fitting_table import Column, FittingTable
from service.words import word

SHOWN_ROWS = 15
SHOWN_LINES = 12
_COLOURS = {"ok": "green", "partial": "yellow", "empty": "yellow", "error": "red"}
_MONEY = frozenset(
    ("amount", "vat", "value", "change", "opening", "closing", "paid", "tied_to_documents", "shipped", "turnover", "total_amount", "total_vat", "total_debit", "total_credit", "total_value", "closing_value")
)  # fmt: skip
_NUMBERS = _MONEY | frozenset(("rank", "risk_score", "score", "records_count", "members", "operations_count", "document_refs_count", "term_days", "share", "line"))  # fmt: skip
_HIDDEN = {
    "store_canonical": frozenset(("source", "side", "comment", "content", "vat")),
    "store_feature_risk": frozenset(("period", "account", "document", "score", "rank", "share", "measure")),
    "hybrid_store_plus_live": frozenset(("vat", "amount", "samples", "relation_types")),
    "batch_refresh_then_store": frozenset(("measure",)),
}


def answer_parts(answer: Answer) -> Iterator[RenderableType]:
    """One panel a fragment."""
    language = language_of(answer.question)
    for part in answer.fragments:
        yield fragment_panel(part, language, alone=len(answer.fragments) == 1)


def fragment_panel(part: FragmentAnswer, language: Language, alone: bool) -> Panel:
    """A fragment in the question's language."""
    result = part.result
    colour = _COLOURS[result.status]
    head = Text.assemble(
        ("→ ", colour), (result.route, f"bold {colour}"), f"  {word(result.route, language)}", (f"  {said(STATUSES, result.status, language)}", "dim")
    )  # fmt: skip
    body: list[RenderableType] = [head]
    if result.route == "live_mcp_drilldown":
        body += list(_objects(result.items, language))
    elif result.items:
        body += list(_table(result.route, result.items, language))
        links = dict.fromkeys(
            said(VALUES, link, language) for i in result.items for link in i.get("relation_types") or ()
        )
        if links:
            body.append(Text(f"{said(LABELS, 'relation_types', language)}: {', '.join(links)}", "dim"))
    if result.summary.get("skipped"):
        body.append(Text(word(str(result.summary["no_route_reason"]), language)))
    body += list(_summary(result.summary, language))
    body += list(_gaps(result.summary, language))
    body += [Text(line, "dim") for line in refresh_lines(result.summary.get("refresh"), language)]
    body += [Text(f"• {_plain(e)}", colour if result.status in ("error", "empty") else "yellow") for e in result.errors]
    title = Text(("" if alone else f"{part.fragment.id}  ") + _plain(part.fragment.text), style="bold")
    return Panel(
        Group(*body), title=title, title_align="left", subtitle=_dated(result.summary, part, language), subtitle_align="right", border_style=colour
    )  # fmt: skip


def _table(route: str, items: list[dict[str, Any]], language: Language) -> Iterator[RenderableType]:
    hidden = _HIDDEN.get(route, frozenset())
    columns = [c for c in LABELS if c not in hidden and any(i.get(c) not in (None, "", []) for i in items)]
    if len({i.get("measure") for i in items}) > 1 and "measure" not in columns:
        columns.insert(1, "measure")
    if "document" in columns and "kind" in columns:
        columns.remove("document")
    if route == "store_canonical" and "posted" in columns and all(i.get("posted") for i in items):
        columns.remove("posted")
    if len({i.get("source") for i in items}) == 1 and "source" in columns:
        columns.remove("source")
    yield FittingTable(
        [
            Column(
                said(LABELS, column, language),
                [_cell(column, item.get(column), language) for item in items[:SHOWN_ROWS]],
                right=(column in _NUMBERS and not isinstance(items[0].get(column), str | None)) or column in _MONEY,
                whole=column in _NUMBERS or column in ("period", "start", "number"),
            )
            for column in columns
        ],
        said(HEADINGS, "columns", language),
    )
    if len(items) > SHOWN_ROWS:
        yield Text(f"… {said(HEADINGS, 'more', language)} {len(items) - SHOWN_ROWS} (--json)", "dim")


def _cell(column: str, value: Any, language: Language) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return said(HEADINGS, "yes" if value else "no", language)
    if column in _MONEY and isinstance(value, str):
        return shown_money(value, language)
    if column == "share":
        return f"{float(value):.1%}"
    if column == "reasons":
        return "; ".join(_plain(v) for v in value[:3]) + (f" +{len(value) - 3}" if len(value) > 3 else "")
    if column == "relation_types":
        return ", ".join(said(VALUES, v, language) for v in value)
    if column == "samples":
        return "; ".join(_plain(s.get("document") or s.get("source_id")) for s in value[:2])
    if column in ("period", "start", "date"):
        return _day(str(value), language)
    if column in ("measure", "source"):
        return said(VALUES, str(value), language)
    return _plain(said(VALUES, str(value), language) if column == "name" else value)


def shown_money(value: str, language: Language) -> str:
    """Roubles with groups: «51 268 965,07», "51,268,965.07"."""
    return grouped(value, language).replace("\u00a0", " ")


def _day(value: str, language: Language) -> str:
    return _plain(" – ".join(dict.fromkeys(day(part[:10], language) for part in value.split("/"))))


def _objects(items: list[dict[str, Any]], language: Language) -> Iterator[RenderableType]:
    for item in items:
        facts = Table.grid(padding=(0, 2))
        facts.add_column(style="dim", no_wrap=True)
        facts.add_column(overflow="fold")
        for name in (
            "presentation",
            "date",
            "posted",
            "counterparty",
            "contract",
            "amount",
            "reposted_at",
            "link",
            "guid",
        ):
            if item.get(name) not in (None, ""):
                facts.add_row(said(LABELS, name, language), Text(_cell(name, item[name], language)))
        yield facts
        if item.get("focus"):
            yield from _lines(said(HEADINGS, "pointed", language), [_focus(item["focus"], language)])
        if len(item.get("chain") or ()) > 1:
            yield from _lines(said(HEADINGS, "chain", language), item["chain"][1:])
        if item.get("register_records"):
            rows = [_register(r, language) for r in item["register_records"]]
            yield from _lines(said(HEADINGS, "registers", language), rows)
        if item.get("related"):
            yield from _lines(
                said(HEADINGS, "related", language), [r.get("presentation") or r["ref"] for r in item["related"]]
            )
        if item.get("differs_from_store"):
            yield from _lines(said(HEADINGS, "differs", language), item["differs_from_store"], "yellow")
        elif item.get("store"):
            yield Text(said(HEADINGS, "agrees", language), "green")


def _focus(row: Mapping[str, Any], language: Language) -> str:
    if row["kind"] == "register_record":
        return _register(row, language)
    return f"{row['debit']} → {row['credit']}  {shown_money(str(row['amount']), language)}  {row['content']}"


def _register(row: Mapping[str, Any], language: Language) -> str:
    from executors.money import roubles

    vat = shown_money(roubles(row.get("vat_kopecks") or 0), language)
    amount = shown_money(roubles(row.get("amount_kopecks") or 0), language)
    source = row.get("document_presentation") or ""
    return f"{row['register']}, {row['line']}: {amount} + {vat} {row.get('rate') or ''} ← {source}"


def _lines(heading: str, lines: list[Any], style: str = "") -> Iterator[RenderableType]:
    yield Text(heading, "dim")
    for line in lines[:SHOWN_LINES]:
        yield Text(f"  {_plain(line, 400)}", style)
    if len(lines) > SHOWN_LINES:
        yield Text(f"  … +{len(lines) - SHOWN_LINES} (--json)", "dim")


def _summary(summary: Mapping[str, Any], language: Language) -> Iterator[RenderableType]:
    shown = []
    for name in SUMMARY:
        value = summary.get(name)
        if value is None or (
            name in ("total_vat", "posted_records") and not summary.get("total_vat_kopecks") and name == "total_vat"
        ):
            continue
        if (
            name == "returned_records"
            and summary.get("matched_records") in (None, value)
            and summary.get("matched_records") is not None
        ):
            continue
        text = (
            shown_money(value, language)
            if name in _MONEY and isinstance(value, str)
            else said(VALUES, str(value), language)
        )
        shown.append(f"{said(SUMMARY, name, language)} {text}")
    if shown:
        yield Text(", ".join(shown), "dim")
    parts = summary.get("parts") or []
    if len(parts) > 1 or any(p["source"] != "store" for p in parts):
        said_parts = ", ".join(
            f"{_day(p['start'] + '/' + p['end'], language)}: {said(VALUES, p['source'], language)}" for p in parts
        )
        yield Text(f"{said(HEADINGS, 'parts', language)}: {said_parts}", "dim")


def _gaps(summary: Mapping[str, Any], language: Language) -> Iterator[RenderableType]:
    gaps = summary.get("gaps") or []
    if gaps:
        yield from _lines(said(HEADINGS, "gaps", language), [g["text"] for g in gaps], "yellow")


def _dated(summary: Mapping[str, Any], part: FragmentAnswer, language: Language) -> Text:
    if not summary.get("data_as_of"):
        return Text(f"{word('decision', language)} {part.decision.log.decision_id[:12]}", "dim")
    moment = str(summary["data_as_of"])[:16].replace("T", " ")
    return Text(
        f"{said(HEADINGS, 'as_of', language)} {moment} {summary['timezone']}, {said(HEADINGS, 'run', language)} {summary['run_id']}, {part.milliseconds:.0f} ms",
        "dim",
    )


def _plain(value: object, most: int = 300) -> str:
    from executors.live.plain_text import plain

    return plain(value, most)
