"""An intent decision on a terminal: mode, intent, anchors highlighted, what retrieval is asked for, and why."""

from __future__ import annotations

from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from features.language import Language, language_of
from router.intent import IntentDecision
from service.intent_words import intent_word

MOST_QUERY_CHARS = 600
_ANCHOR_STYLES = {
    "FILE_PATH": "bold cyan",
    "SYMBOL": "bold green",
    "DOC_REF": "bold magenta",
    "KEY_TERM": "bold yellow",
}
_MODE_STYLES = {"START": "blue", "CONTINUE": "green", "SWITCH": "yellow"}


def highlighted(decision: IntentDecision) -> Text:
    """The query with its anchors coloured, without characters that would disturb a terminal."""
    plan = decision.contract.query_plan
    shown = plan.raw[:MOST_QUERY_CHARS]
    text = Text("".join(c if c.isprintable() else " " for c in shown))
    for anchor in plan.anchors:
        if anchor.end > anchor.start:
            text.stylize(_ANCHOR_STYLES[anchor.type], anchor.start, min(anchor.end, MOST_QUERY_CHARS))
    if len(plan.raw) > MOST_QUERY_CHARS:
        text.append("…")
    return text


def intent_panel(decision: IntentDecision) -> Panel:
    """The decision in the language of its query."""
    contract = decision.contract
    language = language_of(contract.query_plan.raw)
    colour = _MODE_STYLES[contract.conversation_mode]
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", no_wrap=True)
    table.add_column()

    def row(code: str, value: Text | str) -> None:
        table.add_row(intent_word(code, language), value if isinstance(value, Text) else Text(value))

    probability = decision.intent_probabilities[contract.intent]
    row(
        "intent",
        Text.assemble(
            (contract.intent, "bold"), f"  {intent_word(contract.intent, language)}  ", (f"{probability:.2f}", "dim")
        ),
    )
    row(
        "mode",
        Text.assemble(
            (contract.conversation_mode, f"bold {colour}"), f"  {intent_word(contract.conversation_mode, language)}"
        ),
    )
    row("why", _why(decision, language))
    own = [a for a in contract.query_plan.anchors if a.end > a.start]
    earlier = [a for a in contract.query_plan.anchors if a.end == a.start]
    for code, anchors in (("anchors", own), ("earlier", earlier)):
        if anchors:
            parts = [
                Text.assemble((_clean(a.value), _ANCHOR_STYLES[a.type]), (f" {intent_word(a.type, language)}", "dim"))
                for a in anchors
            ]
            row(code, Text("   ").join(parts))
    spec = contract.retrieval_spec
    row("layers", ", ".join(f"{layer} × {top_k}" for layer, top_k in spec.layer_queries) or "–")
    filters = [f"tests {spec.test_policy}"]
    filters += [f"paths {', '.join(map(_clean, spec.path_scope))}"] if spec.path_scope else []
    filters += [f"languages {', '.join(map(_clean, spec.language))}"] if spec.language else []
    row("filters", "; ".join(filters))
    row("evidence", ", ".join(name for name, on in decision.output["evidence_policy"].items() if on))
    if contract.query_plan.expansions:
        row("expansions", ", ".join(map(_clean, contract.query_plan.expansions[:16])))
    diagnostics = decision.diagnostics
    if diagnostics["missing_layers"]:
        row("missing_layers", ", ".join(diagnostics["missing_layers"]))
    if diagnostics["input_problems"]:
        row("problems", "; ".join(map(_clean, diagnostics["input_problems"])))
    note = f", {intent_word('truncated', language)}: {diagnostics['analysed_length']}/{diagnostics['query_length']}" if diagnostics["truncated"] else ""  # fmt: skip
    return Panel(
        table,
        title=highlighted(decision),
        title_align="left",
        subtitle=Text(f"{intent_word('decision', language)} {decision.decision_id[:12]}{note}", style="dim"),
        subtitle_align="right",
        border_style=colour,
    )


def turn_lines(decision: IntentDecision) -> list[Text]:
    """One turn of a chat in two lines: mode and intent, then the query with its anchors coloured."""
    contract = decision.contract
    language = language_of(contract.query_plan.raw)
    head = Text.assemble((contract.conversation_mode, f"bold {_MODE_STYLES[contract.conversation_mode]}"), "  ", (contract.intent, "bold"), "  ", (_why(decision, language), "dim"))  # fmt: skip
    line = Text("  ") + highlighted(decision)
    earlier = [a for a in contract.query_plan.anchors if a.end == a.start]
    if earlier:
        line.append("   ← " + ", ".join(_clean(a.value) for a in earlier), "dim")
    return [head, line]


def _why(decision: IntentDecision, language: Language) -> str:
    mode = decision.mode
    why = intent_word(mode.reason, language)
    if mode.kept_probability is None:
        return why
    return f"{why}  ({intent_word('kept_probability', language)} {mode.kept_probability:.2f}, {mode.limit:.2f})"


def _clean(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text)
