"""Tables of training, checks and benchmark for a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from experiments.benchmark import NOT_MEASURED, BenchmarkResult

if TYPE_CHECKING:
    from training.checks import DataReport
    from training.intent_checks import IntentDataReport

MOST_FINDINGS = 40


def findings_lines(report: DataReport | IntentDataReport) -> Iterator[str]:
    """One line a finding, the way to mend it after it, counts last."""
    shown = sorted(report.findings, key=lambda f: f.level != "error")
    for f in shown[:MOST_FINDINGS]:
        colour = "red" if f.level == "error" else "yellow"
        yield f"[{colour}]{f.level}[/{colour}] {f.code} {escape(f.where)}: {escape(f.message)} [dim]→ {escape(f.fix)}[/dim]"
    if len(shown) > MOST_FINDINGS:
        yield f"[dim]… {len(shown) - MOST_FINDINGS} more, all of them with --json[/dim]"
    tally = Counter((f.level, f.code) for f in report.findings)
    yield from _count_lines(report.counts)
    yield (
        "[bold]"
        + (", ".join(f"{n} × {code} ({level})" for (level, code), n in tally.items()) or "no findings")
        + "[/bold]"
    )


def _count_lines(counts: dict[str, Any]) -> Iterator[str]:
    """Counts of either domain."""
    head = f"{counts['questions']} questions by {counts['authors']} authors, {counts['languages']}"
    if "intents" in counts:
        yield f"{head}, {counts['with_anchors']} with anchors {counts['anchors']}"
        yield "intents: " + ", ".join(f"{k} {v}" for k, v in counts["intents"].items())
        yield f"{counts['conversations']} conversations, {counts['turns']} turns {counts['modes']}, {counts['false_switches']} false switches, {counts['greetings']} greetings"
        return
    yield f"{head}, {counts['other_period']} of another period, {counts['groups']} groups"
    yield "classes: " + ", ".join(f"{k} {v}" for k, v in counts["classes"].items())
    yield "flags: " + ", ".join(f"{k} {v}" for k, v in counts["flags"].items())


def training_tables(done: dict[str, Any]) -> Iterator[RenderableType]:
    """Figures a head and a route, out of fold."""
    found = done["out_of_fold"]
    heads = Table(title="Heads, on questions of authors they did not see", title_justify="left")
    for name in ("head", "positives", "threshold", "precision", "recall", "F1", "Brier", "ECE", "95 %"):
        heads.add_column(name, justify="left" if name == "head" else "right")
    for name, m in found["heads"].items():
        low, high = m["ece_interval"]
        heads.add_row(
            name,
            str(m["positives"]),
            f"{m['threshold']:.2f}",
            f"{m['precision']:.3f}",
            f"{m['recall']:.3f}",
            f"{m['f1']:.3f}",
            f"{m['brier']:.3f}",
            f"{m['ece']:.3f}",
            f"{low:.3f}–{high:.3f}",
        )
    yield heads
    routes = found["routes"]
    table = Table(title="Routes, the same way: expected in rows, chosen in columns", title_justify="left")
    names = sorted(routes["confusion"])
    table.add_column("")
    for name in names:
        table.add_column(_short(name), justify="right")
    table.add_column("recall", justify="right")
    for name in names:
        row = routes["confusion"][name]
        table.add_row(name, *(str(row.get(c, 0) or "·") for c in names), f"{routes['recall'][name]:.3f}")
    yield table
    low, high = routes["interval"]
    by = found["routes_by_language"]
    yield Text(
        f"route accuracy {routes['accuracy']:.3f} ({low:.3f}–{high:.3f}); Russian and mixed {by['ru']['accuracy']:.3f}, English {by['en']['accuracy']:.3f}; "
        f"class accuracy {found['question_class']['accuracy']:.3f}; route probability ECE {found['route_probability']['ece']:.3f}"
    )
    yield Text(
        f"{done['questions']} questions, {done['features']} features, {done['seconds']} s; bundle {done['bundle']}, digest {done['digest'][:16]}…; report {done['report'][0]}"
    )


def exam_tables(found: dict[str, Any]) -> Iterator[RenderableType]:
    """Accuracy beside the rivals, recall a route, the surest mistakes."""
    table = Table(title=f"Exam: {found['routes']['questions']} questions", title_justify="left")
    for name in ("", "switchman", "TF-IDF + logistic regression", "legacy baseline"):
        table.add_column(name, justify="left" if not name else "right")
    reports = (found["routes"], found["rivals"]["tfidf_logistic_regression"], found["rivals"]["legacy_baseline"])
    table.add_row(
        "route accuracy", *(f"{r['accuracy']:.3f} ({r['interval'][0]:.3f}–{r['interval'][1]:.3f})" for r in reports)
    )
    for route in found["routes"]["confusion"]:
        table.add_row(f"  recall {route}", *(f"{r['recall'].get(route, 0.0):.3f}" for r in reports))
    yield table
    by = found["by_language"]
    yield Text(
        f"Russian and mixed {by['russian_and_mixed']['accuracy']:.3f} ({by['russian_and_mixed']['questions']}), English {by['english']['accuracy']:.3f} ({by['english']['questions']}); "
        f"class {found['class_accuracy']:.3f}; route ECE {found['route_ece']:.3f}; surest 90 % {found['accuracy_on_surest_90_percent']:.3f}; fallbacks {found['fallback_share']:.3f}\n"
        f"out of scope recall {found['out_of_scope_recall']:.3f}, good questions refused {found['good_questions_refused']:.3f}; heavy or drilldown sent to canonical: {found['heavy_or_drilldown_to_canonical']}"
    )
    yield Text("flag F1: " + ", ".join(f"{f} {v:.3f}" for f, v in found["flag_f1"].items()))
    wrong = Table(title="Ten surest mistakes", title_justify="left")
    for name in ("id", "question", "expected", "chosen", "p", "wrong flags"):
        wrong.add_column(name)
    for w in found["wrong"][:10]:
        wrong.add_row(
            w["id"],
            Text(w["text"][:120]),
            w["expected"],
            w["chosen"],
            f"{w['probability']:.2f}",
            ", ".join(w["wrong_flags"]),
        )
    yield wrong
    yield Text(f"appended to {found['log']}")


def _short(route: str) -> str:
    return {
        "live_mcp_drilldown": "live",
        "batch_refresh_then_store": "batch",
        "hybrid_store_plus_live": "hybrid",
        "store_feature_risk": "feature",
        "store_canonical": "canonical",
        "no_route": "none",
    }[route]


def benchmark_tables(result: BenchmarkResult) -> Iterator[RenderableType]:
    """Criteria, routes and mismatches of a run, the legacy baseline beside it."""
    ours = result.to_dict()
    legacy = ours["legacy"]
    table = Table(title=f"{ours['questions']} benchmark questions", title_justify="left")
    for name in ("", "switchman", "legacy baseline"):
        table.add_column(name, justify="left" if not name else "right")
    table.add_row("route_mismatch_count", str(ours["route_mismatch_count"]), str(legacy["route_mismatch_count"]))
    classes = list(dict.fromkeys(q["question_class"] for q in result.questions))
    for name in classes:
        table.add_row(
            f"  {name}", str(ours["mismatches_by_class"].get(name, 0)), str(legacy["mismatches_by_class"].get(name, 0))
        )
    table.add_row(
        "batch_route_count", str(ours["batch_route_count"]), str(legacy["route_counts"]["batch_refresh_then_store"])
    )
    table.add_row("degraded_answers_count", NOT_MEASURED, NOT_MEASURED)
    table.add_section()
    for route, n in ours["route_counts"].items():
        table.add_row(f"→ {route}", str(n), str(legacy["route_counts"][route]))
    yield table
    pairs = Table(title="Confusion: expected -> chosen", title_justify="left")
    pairs.add_column("")
    pairs.add_column("switchman", justify="right")
    pairs.add_column("legacy baseline", justify="right")
    for pair in dict.fromkeys([*ours["confusion"], *legacy["confusion"]]):
        pairs.add_row(pair, str(ours["confusion"].get(pair, 0)), str(legacy["confusion"].get(pair, 0)))
    yield pairs
    for m in ours["mismatches"]:
        yield Text(
            f"{m['question_id']} {m['text']}: expected {m['expected']}, chosen {m['chosen']} by {m['decided_by']}",
            style="red",
        )
    for c in result.criteria:
        if c.recommendation and result.verdict != "not judged":
            yield Text(f"{c.name}: {c.recommendation}", style="yellow")
    colour = {"adopt": "bold green", "adopt_with_improvements": "bold green", "reject": "bold red"}.get(
        result.verdict, "bold"
    )
    yield Text(f"verdict: {result.verdict}", style=colour)
