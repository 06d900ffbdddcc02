"""Writes the answer that a person reads, from unified results: figures, a table where it says more, evidence by reference, as of when, and what is missing.

Deterministic and without a language model: the same results give the same text. Rows stay in their order and ratings keep their rank. Every part has a cap, and a cut says that it cut.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from features.language import Language, language_of
from orchestration import synthesis_words as words
from orchestration.plain_values import aligned, clean, moment, money, short, shown

ROWS: Final = 10
BUCKETS: Final = 31
COLUMNS: Final = 7
EVIDENCE: Final = 5
GAPS: Final = 5
RELATIONS: Final = 3
TEXT: Final = 6000
"""Caps: rows of a table, of a series over time, columns, characters of a cell, references named, broken links and kinds of relation told, characters of the whole text."""


Result = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Part:
    """One fragment: its text, its unified result, and the refresh's outcome where a batch answered it."""

    text: str
    result: Result
    outcome: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """``text`` is for people; the rest is the same for a page or a script. ``tables``: one a fragment, None where a sentence says as much."""

    language: Language
    status: str
    text: str
    tables: list[dict[str, Any] | None]
    missing: list[str]
    evidence: list[str]
    as_of: str | None
    data_as_of: str | None
    timezone: str | None
    cut: bool

    def to_dict(self) -> dict[str, Any]:
        """A JSON object."""
        return asdict(self)


def write_answer(question: str, parts: Sequence[Part]) -> Answer:
    """Answer to a question that was cut into ``parts``, in the question's language."""
    language = language_of(question)
    written = [_Written(part, language) for part in parts]
    blocks = []
    for number, (part, one) in enumerate(zip(parts, written, strict=True), 1):
        heading = [f"{number}. {clean(part.text)}"] if len(parts) > 1 else []
        blocks.append("\n".join([*heading, *one.lines]))
    text = "\n\n".join(blocks)
    cut = any(one.cut for one in written)
    if len(text) > TEXT:
        cut, text = True, text[:TEXT].rsplit("\n", 1)[0] + "\n" + words.say("cut_text", language, shown=TEXT)
    dated: Mapping[str, Any] = next(
        (p.result["summary"] for p in parts if p.result.get("summary", {}).get("data_as_of")), {}
    )
    return Answer(
        language=language,
        status=overall([str(p.result["status"]) for p in parts]),
        text=text,
        tables=[one.table for one in written],
        missing=[m for one in written for m in one.missing],
        evidence=[e for one in written for e in one.evidence],
        as_of=dated.get("as_of"),
        data_as_of=dated.get("data_as_of"),
        timezone=dated.get("timezone"),
        cut=cut,
    )


def overall(statuses: Sequence[str]) -> str:
    """Status of a whole: what all parts have in common, else partial."""
    kinds = set(statuses)
    return kinds.pop() if len(kinds) == 1 else "partial"


class _Written:
    """One fragment's lines."""

    def __init__(self, part: Part, language: Language) -> None:
        self.language, self.result = language, part.result
        self.summary: Mapping[str, Any] = part.result.get("summary") or {}
        found: list[Mapping[str, Any]] = list(part.result.get("items") or ())
        self.whole = found[0] if len(found) == 1 and found[0].get("postings") and isinstance(found[0]["postings"], list) else None  # fmt: skip
        self.items: list[Mapping[str, Any]] = list(self.whole["postings"]) if self.whole else found
        self.missing = [clean(e) for e in part.result.get("errors") or ()]
        self.rows = BUCKETS if "grain" in self.summary else ROWS
        self.cut = len(self.items) > self.rows
        self.table = self._table() if self.items else None
        self.evidence = self._evidence()
        self.lines = [line for line in self._lines(part.outcome) if line]

    def _say(self, code: str, **values: object) -> str:
        return words.say(code, self.language, **values)

    def _lines(self, outcome: Mapping[str, Any] | None) -> list[str]:
        status = self.result["status"]
        if self.result["route"] == "no_route":
            reason = str(self.summary.get("no_route_reason"))
            return [self._say(reason) if words.knows(reason) else self._say("no_route")]
        lines = [self._say(status)] if status in ("error", "empty") else self._headline()
        if status in ("error", "empty"):
            lines += self.missing
        elif self.table is None or (len(self.items) == 1 and not self.whole):
            lines += [self._sentence(item) for item in self.items[:1]]
        else:
            lines += ["", *aligned(self.table["columns"], self.table["rows"]), ""]
            if self.cut:
                lines.append(self._say("cut_rows", shown=self.rows, total=len(self.items)))
        lines += self._gaps()
        if self.missing and status not in ("error", "empty"):
            lines += [self._say("missing"), *(f"- {m}" for m in self.missing)]
        lines.append(self._evidence_line())
        return [*lines, *self._when(outcome)]

    def _headline(self) -> list[str]:
        """One sentence with the figures that stand above the rows; none where a single row says it all."""
        if self.result["route"] == "store_canonical" and len(self.items) == 1:
            return []
        return [self._figures()]

    def _figures(self) -> str:
        s, route = self.summary, self.result["route"]
        if self.items and "rank" in self.items[0]:
            return self._ranked()
        if route == "store_feature_risk" and "grain" in s:
            closing = "closing_value" in s
            value = s.get("closing_value" if closing else "total_value")
            return self._say(
                "series", measure=words.measure(str(s.get("measure")), self.language).capitalize(),
                figure=self._say("series_closing" if closing else "series_total"), value=money(value, self.language),
            )  # fmt: skip
        if route == "store_feature_risk":
            average = s.get("average_risk_score")
            return self._say("risk", risky=shown(s.get("risky_records"), self.language), checked=shown(s.get("checked_records"), self.language), average=shown(average, self.language))  # fmt: skip
        if route == "hybrid_store_plus_live":
            return self._say("chain", matched=shown(s.get("matched_counterparties"), self.language), checked=shown(s.get("checked_records"), self.language))  # fmt: skip
        if self.whole:
            pairs = [(words.column(c, self.language), self._cell(self.whole, c)) for c in ("counterparty", "contract", "amount", "guid") if self.whole.get(c)]  # fmt: skip
            title = clean(str(self.whole.get("presentation") or self.whole.get("number") or self.whole.get("guid")))
            source = words.SOURCES.get(str(self.whole.get("found_in")), ("–", "–"))[self.language == "en"]
            return self._say("one_object", title=title, source=source) + "\n" + "; ".join(f"{n}: {v}" for n, v in pairs)  # fmt: skip
        if route == "live_mcp_drilldown":
            return self._say("object", matched=shown(s.get("matched_records"), self.language))
        total = s.get("total_amount")
        amounting = self._say("total", total=money(total, self.language)) if total and len(self.items) > 1 else ""
        return self._say(
            "list", returned=shown(s.get("returned_records", len(self.items)), self.language), total=amounting
        )

    def _gaps(self) -> list[str]:
        """What a chain could not link."""
        gaps = self.summary.get("gaps") or ()
        if not gaps:
            return []
        count = self.summary.get("gaps_count", len(gaps))
        return [self._say("gaps", count=count), *(f"- {short(clean(str(g.get('text') or g.get('gap'))))}" for g in gaps[:GAPS])]  # fmt: skip

    def _ranked(self) -> str:
        first, s = self.items[0], self.summary
        members = s.get("ranked_entities") or s.get("risky_records") or len(self.items)
        score = self._say("score", score=first["score"]) if first.get("score") is not None else ""
        kind = "summary" if str(s.get("aggregate", "")).startswith("summary") else "ranking"
        name = self._cell(first, "name" if first.get("name") else "entity")
        return self._say(kind, members=shown(members, self.language), checked=shown(s.get("checked_records"), self.language), first=name, score=score)  # fmt: skip

    def _columns(self) -> list[str]:
        """Fields that any item has, in the order of the words; an entity's name stands for the entity."""
        shown = [c for c in words.COLUMNS if any(i.get(c) not in (None, "", [], {}) for i in self.items)]
        if "name" in shown and "entity" in shown:
            shown.remove("entity")
        if "risk_score" in shown and "score" in shown:
            shown.remove("score")
        if {"records_count", "signs"} <= set(shown):
            shown.remove("records_count")
        if len(self.items) > 1:
            shown = [c for c in shown if c not in ("measure", "side", "source", "period") or len({str(i.get(c)) for i in self.items}) > 1]  # fmt: skip
        if "rank" in shown and "reasons" in shown:
            shown.remove("reasons")
        if len(shown) > COLUMNS and "reasons" in shown:
            return [*[c for c in shown if c != "reasons"][: COLUMNS - 1], "reasons"]
        return shown[:COLUMNS]

    def _table(self) -> dict[str, Any] | None:
        shown = self._columns()
        if not shown:
            return None
        rows = [[self._cell(item, c) for c in shown] for item in self.items[: self.rows]]
        return {"fields": shown, "columns": [words.column(c, self.language) for c in shown], "rows": rows}

    def _sentence(self, item: Mapping[str, Any]) -> str:
        pairs = [(words.column(c, self.language), self._cell(item, c)) for c in self._columns()]
        return "; ".join(f"{name}: {value}" for name, value in pairs if value)

    def _cell(self, item: Mapping[str, Any], field: str) -> str:
        value = item.get(field)
        if field == "share" and isinstance(value, (int, float)):
            return f"{value * 100:.1f} %".replace(".", "," if self.language == "ru" else ".")
        if field == "measure" and isinstance(value, str):
            return words.measure(value, self.language)
        if field == "relation_types" and isinstance(value, list):
            more = len(value) - RELATIONS
            said = ", ".join(words.relation(str(v), self.language) for v in value[:RELATIONS])
            return said + (self._say("more", count=more) if more > 0 else "")
        if field.endswith("_analytics") and isinstance(value, list):
            return short(clean("; ".join(str(v.get("name") or v.get("ref")) for v in value if isinstance(v, Mapping))))
        if field in ("source", "found_in") and value in words.SOURCES:
            return words.SOURCES[str(value)][self.language == "en"]
        return money(value, self.language) if f"{field}_kopecks" in item else shown(value, self.language)

    def _evidence(self) -> list[str]:
        named = [
            f"{e.get('kind', '')} {e.get('id') or e.get('ref') or ''}".strip()
            for e in self.result.get("evidence") or ()
        ]
        if not named:
            named = [str(i[k]) for i in self.items for k in ("source_id", "guid", "document") if i.get(k)]
        return [short(clean(n)) for n in dict.fromkeys(named)]

    def _evidence_line(self) -> str:
        if not self.evidence:
            return ""
        more = len(self.evidence) - EVIDENCE
        return self._say("evidence", shown=", ".join(self.evidence[:EVIDENCE]), more=self._say("more", count=more) if more > 0 else "")  # fmt: skip

    def _when(self, outcome: Mapping[str, Any] | None) -> list[str]:
        """What a refresh did, and as of when the data is."""
        s, lines = self.summary, refresh_lines(outcome, self.language)
        known = s if s.get("data_as_of") else outcome or {}
        if known.get("data_as_of"):
            run = s.get("run_id") or (known.get("run_ids") or {}).get("risk", "–")
            version = s.get("store_version") or known.get("version", "–")
            when = moment(str(known["data_as_of"]), self.language)
            lines.append(self._say("as_of", data=when, zone=known.get("timezone"), run=run, version=version))
        return lines


def refresh_lines(outcome: Mapping[str, Any] | None, language: Language) -> list[str]:
    """What a refresh found and did before the answer; nothing where there was none."""
    if not outcome or outcome.get("state") not in ("refreshed", "fresh"):
        return []
    lines = []
    if outcome.get("newer"):
        lines.append(words.say("snapshot", language, snapshot=clean(str(outcome["snapshot_id"]))))
    elif outcome.get("folder"):
        lines.append(words.say("nothing_newer", language))
    elif not outcome.get("notes"):
        lines.append(words.say("folder_gone", language))
    built = ", ".join(words.aggregate(n, language) for n in outcome.get("built", ()))
    return [*lines, words.say("refreshed", language, built=built)] if built else lines
