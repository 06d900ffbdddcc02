"""A decision on a terminal: what was understood, which route, why, and why not the others."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from features.language import Language, language_of
from router.question_router import RouteDecision
from service.words import word

MOST_QUESTION_CHARS = 300
_COLOURS = {
    "no_route": "red",
    "live_mcp_drilldown": "magenta",
    "batch_refresh_then_store": "yellow",
    "hybrid_store_plus_live": "blue",
}


def decision_panel(decision: RouteDecision) -> Panel:
    """The decision in the language of its question."""
    log = decision.log
    language = language_of(log.question_text)
    colour = _COLOURS.get(decision.route, "green")
    head = Text.assemble(
        ("→ ", colour),
        (decision.route, f"bold {colour}"),
        f"  {word(decision.route, language)}",
    )
    if decision.was_read:
        head.append(f"  {word('probability', language)} {decision.route_probabilities[decision.route]:.2f}", "dim")
    facts = Table.grid(padding=(0, 2))
    facts.add_column(style="dim", no_wrap=True)
    facts.add_column()
    if decision.was_read:
        facts.add_row(word("class", language), word(decision.question_class, language))
    if decision.route != "no_route":
        facts.add_row(word("needs", language), _needs(decision, language))
        facts.add_row(word("period", language), _period(decision, language))
        facts.add_row(word("stores", language), _stores(decision, language))
    facts.add_row(
        word("why", language), f"{word(log.no_route_reason or log.decided_by, language)}  [dim]{log.decided_by}[/dim]"
    )
    parts: list[RenderableType] = [head, facts]
    if decision.route != "no_route":
        parts.append(_rejected(decision, language))
    return Panel(
        Group(*parts),
        title=Text(one_line(log.question_text), style="bold"),
        title_align="left",
        subtitle=Text(
            f"{word('decision', language)} {log.decision_id[:12]}" + _cut_note(decision, language), style="dim"
        ),
        subtitle_align="right",
        border_style=colour,
    )


def one_line(text: str) -> str:
    """The question on one line, without characters that would disturb a terminal."""
    plain = "".join(c if c.isprintable() else " " for c in text[:MOST_QUESTION_CHARS])
    return " ".join(plain.split()) + ("…" if len(text) > MOST_QUESTION_CHARS else "")


def _cut_note(decision: RouteDecision, language: Language) -> str:
    log = decision.log
    return (
        f", {word('truncated', language)}: {len(log.question_text)}/{log.question_length}"
        if log.question_truncated
        else ""
    )


def _needs(decision: RouteDecision, language: Language) -> str:
    named = [f"{word(f, language)} {p:.2f}" for f, p in decision.flag_probabilities.items() if decision.flags[f]]
    return ", ".join(named) or word("nothing_special", language)


def _period(decision: RouteDecision, language: Language) -> str:
    periods = decision.log.scope["periods"]
    return ", ".join(a if a == b else f"{a} – {b}" for a, b in periods) or word("loaded_slice", language)


def _stores(decision: RouteDecision, language: Language) -> str:
    codes = [c for c in decision.log.sufficiency_snapshot["reason_codes"] if c != "wrong_query_shape"]
    return "; ".join(word(c, language) for c in codes) or word("sufficient", language)


def _rejected(decision: RouteDecision, language: Language) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(style="dim")
    for i, (route, code) in enumerate(decision.log.rejected_routes.items()):
        table.add_row(word("why_not", language) if i == 0 else "", route, word(code, language))
    return table
