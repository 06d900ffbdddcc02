"""A comparison as one HTML page: pictures inside, nothing fetched from anywhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from html import escape

from experiments.comparison import Change, Comparison, Line
from experiments.plots import bars_figure, confusion_figure, reliability_figure, svg_of

_STYLE = """
:root { color-scheme: light; --line: #d8dde3; --soft: #5b6570; --good: #1a7f37; --bad: #b42318; }
body { font: 15px/1.5 system-ui, sans-serif; color: #1c2126; max-width: 1080px; margin: 2.5rem auto; padding: 0 1.5rem; }
h1 { font-size: 1.5rem; margin-bottom: .2rem; } h2 { font-size: 1.1rem; margin-top: 2.4rem; }
p.sub { color: var(--soft); margin-top: 0; } code { font-size: .9em; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; } th { text-align: left; color: var(--soft); font-weight: 600; }
th, td { padding: .3rem .7rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; } td.r { white-space: nowrap; } td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
.good { color: var(--good); font-weight: 600; } .bad { color: var(--bad); font-weight: 600; } .soft { color: var(--soft); }
svg { max-width: 100%; height: auto; } .wide { overflow-x: auto; }
.sum { display: flex; gap: 2.5rem; flex-wrap: wrap; margin: 1.2rem 0; } .sum div { line-height: 1.25; } .sum b { display: block; font-size: 1.5rem; }
"""


def comparison_page(found: Comparison) -> str:
    """The whole page. Texts of questions are escaped."""
    return "\n".join(_parts(found))


def _parts(found: Comparison) -> Iterator[str]:
    a, b = escape(found.before), escape(found.after)
    yield f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{a} and {b}</title><style>{_STYLE}</style></head><body>'
    yield f"<h1>{a} → {b}</h1>"
    yield f'<p class="sub">bundles <code>{found.digests[0][:16]}</code> and <code>{found.digests[1][:16]}</code></p>'
    yield _summary(found)
    yield "<h2>Questions that changed route</h2>"
    yield _changes(found.changes)
    yield "<h2>Figures</h2>"
    yield _figures(found.lines)
    yield "<h2>Route accuracy by class, exam</h2>"
    classes = list(next(iter(found.by_class.values())))
    yield svg_of(
        bars_figure(
            classes,
            {name: [of[c] for c in classes] for name, of in found.by_class.items()},
            "share of right routes, 95 % interval",
        )
    )
    yield "<h2>Routes needed and chosen, exam</h2>"
    yield f'<div class="wide">{svg_of(confusion_figure(found.confusion))}</div>'
    yield "<h2>How sure, how right</h2>"
    yield svg_of(reliability_figure(found.reliability))
    yield "<h2>Robustness: routes kept under a spoiled question</h2>"
    names = list(next(iter(found.robustness.values())))
    yield svg_of(
        bars_figure(
            names,
            {
                label: [(of[n]["retention"], *of[n]["interval"]) for n in names]
                for label, of in found.robustness.items()
            },
            "share of routes kept, 95 % interval",
        )
    )
    yield "</body></html>"


def _summary(found: Comparison) -> str:
    verdicts = Counter(c.verdict for c in found.changes)
    causes = Counter(cause for c in found.changes for cause in c.causes)
    by_name = {line.name: line for line in found.lines}
    mismatches, accuracy = by_name["route_mismatch_count"], by_name["route_accuracy"]
    said = "more than chance" if accuracy.surely else "within chance"
    blamed = ", ".join(f"{n} {cause}" for cause, n in causes.most_common()) or "nothing"
    parts = (
        (f"{mismatches.before:.0f} → {mismatches.after:.0f}", "benchmark mismatches"),
        (f"{accuracy.before:.3f} → {accuracy.after:.3f}", f"exam route accuracy, {said} (p = {accuracy.p:.3g})"),
        (
            f"{verdicts['mended']} mended, {verdicts['broken']} broken",
            f"of {len(found.changes)} changed; blamed: {blamed}",
        ),
    )
    return (
        '<div class="sum">'
        + "".join(f"<div><b>{escape(figure)}</b>{escape(label)}</div>" for figure, label in parts)
        + "</div>"
    )


def _changes(changes: list[Change]) -> str:
    if not changes:
        return "<p>None.</p>"
    rows = []
    for c in changes:
        colour = {"mended": "good", "broken": "bad"}.get(c.verdict, "soft")
        rows.append(
            f'<tr><td><span class="{colour}">{c.verdict}</span><br><span class="soft">{escape(c.question_id)}</span></td><td>{escape(c.text)}</td>'
            f'<td class="r">{c.before}<br>→ {c.after}<br><span class="soft">needed {c.needed}</span></td><td><b>{escape(", ".join(c.causes))}</b><br>{escape(c.detail)}</td></tr>'
        )
    return f"<table><tr><th></th><th>question</th><th>route</th><th>blame</th></tr>{''.join(rows)}</table>"


def _figures(lines: list[Line]) -> str:
    rows = []
    for x in lines:
        interval = "" if x.low is None or x.high is None else f"{x.low:+.4f} … {x.high:+.4f}"
        p = "" if x.p is None else f"{x.p:.3g}"
        bold = ' class="n"' if not x.surely else ' class="n" style="font-weight:700"'
        rows.append(
            f'<tr><td>{escape(x.name)}</td><td class="n">{_shown(x.before)}</td><td class="n">{_shown(x.after)}</td><td{bold}>{x.after - x.before:+.4g}</td><td class="n">{interval}</td><td class="n">{p}</td></tr>'
        )
    head = '<tr><th>figure</th><th class="n">before</th><th class="n">after</th><th class="n">difference</th><th class="n">95 % of it</th><th class="n">McNemar p</th></tr>'
    return f"<table>{head}{''.join(rows)}</table>"


def _shown(value: float) -> str:
    return f"{value:g}" if value == int(value) else f"{value:.4f}" if abs(value) < 10 else f"{value:.1f}"
