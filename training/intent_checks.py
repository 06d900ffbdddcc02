"""What is wrong with labelled questions and conversations of CODE + DOCS, each finding with its place and the way to mend it.

Errors stop a training; warnings do not.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from pathlib import Path
from typing import Any

from features.code.reading import CodeReader, CodeReading
from features.code.rows import masked_words, word_features
from features.code.wordlists import code_words
from features.lemmas import Lemmatiser
from models.heads import INTENTS
from training.checks import LEAK, MOST_A_PATTERN, Finding, cosine_rows, plain_text, read_with_findings
from training.duplicates import near_pairs
from training.intent_dataset import (
    Conversation,
    IntentExample,
    MarkedAnchor,
    conversation_files,
    question_files,
)
from training.intent_matrix import code_lemma_table

_FIX_LINE = "mend the line by data/code_docs/README.md"
_LEAST_WORDS = 4
"""A text of fewer content words («а подробнее?», "who owns it") is anybody's: alike ones are no leak and no pattern."""


@dataclass(frozen=True)
class IntentDataReport:
    """Findings, what could be read, counts, and ``alike``: pairs of questions that say nearly the same."""

    findings: list[Finding]
    examples: list[IntentExample]
    conversations: list[Conversation]
    counts: dict[str, Any]
    alike: list[tuple[int, int]]

    @property
    def errors(self) -> list[Finding]:
        """Findings that stop a training."""
        return [f for f in self.findings if f.level == "error"]


@dataclass(frozen=True)
class IntentMinima:
    """What a training set must hold; shares of all questions or turns."""

    questions: int = 1500
    an_intent: int = 250
    english_or_mixed: float = 0.35
    with_anchors: int = 500
    conversations: int = 200
    switches: float = 0.25
    false_switches: int = 30


def check_intent_data(path: Path, held_out: Path | None = None, minima: IntentMinima | None = None) -> IntentDataReport:
    """Check the data at ``path`` against the guide, itself, and the questions and conversations in the folder ``held_out``, which may not be in it."""
    findings: list[Finding] = []
    examples = read_with_findings(IntentExample, question_files(path), findings, _FIX_LINE)
    conversations = read_with_findings(Conversation, conversation_files(path), findings, _FIX_LINE)
    findings += _anchors(examples, conversations)
    findings += _modes(conversations)
    findings += _same_ids(examples, conversations)
    held: list[tuple[str, str]] = []
    if held_out is not None and held_out.exists():
        held = [
            (e.text, e.where) for e in read_with_findings(IntentExample, question_files(held_out), findings, _FIX_LINE)
        ]
        for c in read_with_findings(Conversation, conversation_files(held_out), findings, _FIX_LINE):
            held += [(t.text, c.where) for t in c.turns if not t.greeting]
    turns = [(t.text, c.where) for c in conversations for t in c.turns if not t.greeting]
    texts = [(e.text, e.where) for e in examples] + turns
    reader = CodeReader(Lemmatiser(code_lemma_table(t for t, _ in (*texts, *held))))
    readings = [reader.read(text) for text, _ in texts]
    alike = list(
        near_pairs(cosine_rows([Counter(word_features(masked_words(r))) for r in readings[: len(examples)]])[0])
    )
    alike = [(a, b, v) for a, b, v in alike if len(_content(readings[a])) >= _LEAST_WORDS]
    findings += _duplicates(examples, alike)
    findings += _patterns(examples, readings)
    findings += _leaks(texts, readings, held, [reader.read(text) for text, _ in held])
    counts = count_intent_data(examples, conversations)
    findings += _balance(counts, path, minima or IntentMinima())
    return IntentDataReport(findings, examples, conversations, counts, [(a, b) for a, b, _ in alike])


def _anchors(examples: Sequence[IntentExample], conversations: Sequence[Conversation]) -> Iterator[Finding]:
    """Spans that do not hold their value, or meet."""
    marked: list[tuple[str, str, tuple[MarkedAnchor, ...]]] = [(e.where, e.text, e.anchors) for e in examples]
    marked += [(c.where, t.text, t.anchors) for c in conversations for t in c.turns]
    for where, text, anchors in marked:
        end = 0
        for a in sorted(anchors, key=lambda a: a.start):
            if text[a.start : a.end] != a.value:
                yield Finding("error", "anchor-span", where, f"{a.type} {a.value!r}: the text has {text[a.start : a.end]!r} there", "spans count code points of the text")  # fmt: skip
            if a.start < end:
                yield Finding("error", "anchor-overlap", where, f"{a.type} {a.value!r} stands over another", "the longer one wins")  # fmt: skip
            end = max(end, a.end)


def _modes(conversations: Sequence[Conversation]) -> Iterator[Finding]:
    """Modes and kept intents that do not follow from the turns before."""
    for c in conversations:
        active: str | None = None
        for number, turn in enumerate(c.turns, 1):
            intent = (active or "PROJECT_MISC") if turn.greeting else turn.intent
            mode = "START" if active is None else "CONTINUE" if intent == active else "SWITCH"
            if (turn.intent, turn.mode) != (intent, mode):
                yield Finding("error", "mode", c.where, f"turn {number} is {turn.intent} {turn.mode}, the turns before lead to {intent} {mode}", "the mode follows from the intents, a greeting changes nothing")  # fmt: skip
            if turn.false_switch and mode == "SWITCH":
                yield Finding("error", "false-switch", c.where, f"turn {number} is marked as a false switch and switches", "take the mark away, or correct the intent")  # fmt: skip
            if not turn.greeting:
                active = turn.intent


def _same_ids(examples: Sequence[IntentExample], conversations: Sequence[Conversation]) -> Iterator[Finding]:
    seen: dict[str, str] = {}
    for item in (*examples, *conversations):
        if item.id in seen:
            yield Finding("error", "same-id", item.where, f"id {item.id} stands at {seen[item.id]} too", "give it an id of its own")  # fmt: skip
        seen.setdefault(item.id, item.where)


def _duplicates(examples: Sequence[IntentExample], alike: Sequence[tuple[int, int, float]]) -> Iterator[Finding]:
    seen: dict[str, IntentExample] = {}
    for e in examples:
        first = seen.setdefault(plain_text(e.text), e)
        if first is not e and len(plain_text(e.text).split()) > 2:
            yield Finding("error", "duplicate", e.where, f"the same question as {first.where}", "drop one")
    for a, b, value in alike:
        one, two = examples[a], examples[b]
        if (one.group is None or one.group != two.group) and plain_text(one.text) != plain_text(two.text):
            yield Finding("warning", "near-duplicate", two.where, f"{value:.2f} alike to {one.where}: {one.text[:80]}", "reword it, or give both one group")  # fmt: skip


def _patterns(examples: Sequence[IntentExample], readings: Sequence[CodeReading]) -> Iterator[Finding]:
    by_pattern: dict[tuple[str, ...], list[IntentExample]] = defaultdict(list)
    for e, reading in zip(examples, readings, strict=False):
        words = tuple(word for word, _ in masked_words(reading))
        if len(words) >= _LEAST_WORDS:
            by_pattern[words].append(e)
    for words, found in by_pattern.items():
        for e in found[MOST_A_PATTERN:]:
            yield Finding("error", "pattern", e.where, f"{len(found)} questions share the pattern «{' '.join(words)[:80]}»", f"keep {MOST_A_PATTERN}, reword the rest")  # fmt: skip


@lru_cache(maxsize=1)
def _function_lemmas() -> frozenset[str]:
    """Lemmas of the words that shape a request and say nothing of its content."""
    lemmatiser = Lemmatiser()
    return frozenset(
        lemmatiser.lemma(w.replace("ё", "е"), "en" if w.isascii() else "ru") for w in code_words("function_words")
    )


def _content(reading: CodeReading) -> Counter[str]:
    """Lemmas and whole anchors: what a rewording would share."""
    words = Counter(word for word, key in masked_words(reading) if key and word not in _function_lemmas())
    words.update(a.value.lower() for a in reading.anchors if a.type != "KEY_TERM")
    return words


def _leaks(
    texts: Sequence[tuple[str, str]],
    readings: Sequence[CodeReading],
    held: Sequence[tuple[str, str]],
    held_readings: Sequence[CodeReading],
) -> Iterator[Finding]:
    ours, theirs = [_content(r) for r in readings], [_content(r) for r in held_readings]
    own = [i for i, c in enumerate(ours) if len(c) >= _LEAST_WORDS]
    far = [j for j, c in enumerate(theirs) if len(c) >= _LEAST_WORDS]
    if not own or not far:
        return
    rows, others = cosine_rows([ours[i] for i in own], [theirs[j] for j in far])
    best: dict[int, tuple[float, int]] = {}
    for i, j, value in near_pairs(rows, others, LEAK):
        best[i] = max(best.get(i, (0.0, 0)), (value, j))
    for i, (value, j) in sorted(best.items()):
        text, where = held[far[j]]
        yield Finding("error", "leak", texts[own[i]][1], f"{value:.2f} alike to held-out {where}: {text[:80]}", "drop it: held-out questions and their rewordings never train")  # fmt: skip


def count_intent_data(examples: Sequence[IntentExample], conversations: Sequence[Conversation]) -> dict[str, Any]:
    """Questions by intent, language, author, anchors; conversations and turns by mode."""
    turns = [t for c in conversations for t in c.turns]
    anchors = Counter(a.type for e in examples for a in e.anchors)
    return {
        "questions": len(examples),
        "authors": len({e.author for e in examples}),
        "intents": {i: sum(e.intent == i for e in examples) for i in INTENTS},
        "languages": dict(sorted(Counter(e.lang for e in examples).items())),
        "with_anchors": sum(bool(e.anchors) for e in examples),
        "anchors": dict(sorted(anchors.items())),
        "conversations": len(conversations),
        "turns": len(turns),
        "modes": dict(sorted(Counter(t.mode for t in turns).items())),
        "false_switches": sum(t.false_switch for t in turns),
        "greetings": sum(t.greeting for t in turns),
    }


def _balance(counts: dict[str, Any], path: Path, minima: IntentMinima) -> Iterator[Finding]:
    english = counts["questions"] - counts["languages"].get("ru", 0)
    wanted = [
        ("questions", counts["questions"], minima.questions),
        *((f"questions of intent {i}", n, minima.an_intent) for i, n in counts["intents"].items()),
        ("English or mixed questions", english, minima.english_or_mixed * counts["questions"]),
        ("questions with anchors", counts["with_anchors"], minima.with_anchors),
        ("conversations", counts["conversations"], minima.conversations),
        ("turns that switch", counts["modes"].get("SWITCH", 0), minima.switches * counts["turns"]),
        ("false switches", counts["false_switches"], minima.false_switches),
    ]
    for what, have, need in wanted:
        if have < need:
            yield Finding("warning", "balance", str(path), f"{have} {what}, at least {ceil(need)} are wanted", "write more of them")  # fmt: skip
