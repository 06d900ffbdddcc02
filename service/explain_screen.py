"""An explanation on a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from features.language import Language, language_of
from router.explanation import Explanation, HeadReason
from service.screen import decision_panel
from service.words import word

_MOST_HEADS = 6
_STRONG, _WEAK = 1.5, 0.4
"""Log-odds from which a word is shown bold, and under which it stays plain."""


def explanation_parts(found: Explanation) -> Iterator[RenderableType]:
    """Decision, flags with coloured words, guards, evidence, route probabilities, flips."""
    decision = found.decision
    language = language_of(decision.log.question_text)
    yield decision_panel(decision)
    if not found.heads:
        return
    yield _heads(found, language)
    yield _guards(found, language)
    yield _evidence(found, language)
    yield Text.assemble(
        (f"{word('route_probabilities', language)}: ", "bold"),
        ", ".join(f"{r} {p:.3f}" for r, p in sorted(decision.route_probabilities.items(), key=lambda item: -item[1])),
    )
    yield _flips(found, language)


def _heads(found: Explanation, language: Language) -> Table:
    """Flags nearest to deciding first: those that are true, then those closest to their threshold."""
    table = Table(title=word("flags_and_words", language), title_justify="left", show_lines=False)
    table.add_column(word("flag", language))
    table.add_column("p", justify="right")
    table.add_column(word("threshold", language), justify="right")
    table.add_column(word("words", language))
    shown = sorted(found.heads, key=lambda h: (not h.value, -h.logit))
    for head in shown[:_MOST_HEADS]:
        mark = "✓ " if head.value else "  "
        table.add_row(
            mark + word("out_of_scope" if head.head == "scope" else head.head, language),
            f"{head.probability:.3f}",
            f"{head.threshold:.2f}",
            coloured(head),
        )
    return table


def coloured(head: HeadReason) -> Text:
    """The question's words, green where they raise the flag, red where they lower it, each with its log-odds."""
    text = Text()
    for part in head.words:
        style = "green" if part.value > 0 else "red"
        size = abs(part.value)
        printable = "".join(c for c in part.text if c.isprintable())
        text.append(printable, style=f"bold {style}" if size >= _STRONG else style if size >= _WEAK else "dim")
        if size >= _WEAK:
            text.append(f"{part.value:+.1f}", style="dim")
        text.append(" ")
    text.append(f"({head.bias + head.shape:+.1f})", style="dim")
    return text


def _guards(found: Explanation, language: Language) -> Table:
    table = Table(title=word("guards", language), title_justify="left")
    for name in ("", word("guard", language), "→", ""):
        table.add_column(name)
    for name, route, fires, decided in found.guards:
        style = "bold" if decided else "" if fires else "dim"
        table.add_row(
            "▶" if decided else "·",
            Text(name, style),
            Text(route, style),
            Text(word(name, language) if fires else "", style),
        )
    return table


def _evidence(found: Explanation, language: Language) -> Table:
    table = Table(title=word("evidence", language), title_justify="left")
    for name in (word("why_not", language), "", ""):
        table.add_column(name)
    log = found.decision.log
    for route, code in log.rejected_routes.items():
        table.add_row(route, word(code, language), Text(log.rejection_evidence[route], "dim"))
    return table


def _flips(found: Explanation, language: Language) -> Text:
    text = Text.assemble((f"{word('flips', language)}: ", "bold"))
    for i, flip in enumerate(found.flips):
        what = " + ".join(_change(part, language) for part in flip.what)
        text.append(("; " if i else "") + what)
        text.append(f" → {flip.route}", "bold")
        if flip.distance is not None:
            text.append(f" ({flip.distance:.1f})", "dim")
    return text


def _change(what: str, language: Language) -> str:
    if what.startswith("not "):
        return f"{'без: ' if language == 'ru' else 'without: '}{word(what[4:], language)}"
    known = word(what, language)
    return known if known != what or language == "en" else _store_change(what)


def _store_change(what: str) -> str:
    """Store facts in Russian; the kinds and levels in them stay as the metadata names them."""
    for english, russian in _STORE_RU:
        what = what.replace(english, russian)
    return what


_STORE_RU = (
    ("a fresh ready ", "свежий готовый агрегат "), ("no ready ", "нет готового агрегата "), (" at level ", ", уровень "), (" of ", " по "),
    ("causal links not stored", "причинные связи не записаны"), ("causal links stored", "причинные связи записаны"),
    ("the asked period not loaded", "период не загружен"), ("the asked period loaded", "период загружен"),
    ("an incomplete snapshot", "снимок неполон"), ("the snapshot complete", "снимок полон"),
    ("a stale canonical store", "каноническое хранилище устарело"), ("a canonical store по the current snapshot", "каноническое хранилище по текущему снимку"),
    ("a stale feature store", "хранилище признаков устарело"), ("a feature store по the current snapshot", "хранилище признаков по текущему снимку"),
    ("a stale risk store", "хранилище рисков устарело"), ("a risk store по the current snapshot", "хранилище рисков по текущему снимку"),
    ("younger data", "данные свежее"), ("data older than allowed", "данные старше допустимого"),
    ("the asked kinds not loaded", "сущности не загружены"), ("the asked kinds loaded", "сущности загружены"),
    ("the asked grouping built", "группировка построена"), ("the asked grouping missing", "группировки нет"),
)  # fmt: skip
