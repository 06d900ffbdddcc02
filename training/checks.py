"""What is wrong with labelled data, each finding with its place and the way to mend it.

Errors stop a training; warnings do not.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from pathlib import Path
from typing import Any, Literal

import orjson
import scipy.sparse as sp

from features.analysis import Analyser, Analysis
from features.lemmas import Lemmatiser
from features.rows import pattern, word_features
from features.tokens import tokenise
from features.wordlists import word_list
from models.heads import LEARNED_FLAGS, QUESTION_CLASSES
from training.dataset import DatasetError, Example, L, dataset_files, parse_line, read_lines
from training.duplicates import near_pairs
from training.guide import broken_rules, route_by_guide
from training.matrix import lemma_table

MOST_A_PATTERN = 3
"""Questions that may share a pattern: a lemma sequence with mentions replaced by their type."""

LEAK = 0.65
"""Cosine of content lemmas from which a training question counts as a rewording of a benchmark or exam question."""


@dataclass(frozen=True)
class Finding:
    """``where`` is file:line; an error stops training."""

    level: Literal["error", "warning"]
    code: str
    where: str
    message: str
    fix: str


@dataclass(frozen=True)
class DataReport:
    """Findings, the examples that could be read, counts, and ``alike``: pairs of examples that say nearly the same."""

    findings: list[Finding]
    examples: list[Example]
    counts: dict[str, Any]
    alike: list[tuple[int, int]]

    @property
    def errors(self) -> list[Finding]:
        """Findings that stop a training."""
        return [f for f in self.findings if f.level == "error"]


@dataclass(frozen=True)
class Minima:
    """What a training set must hold; shares of all questions."""

    questions: int = 700
    a_class: int = 80
    a_flag: int = 50
    english_or_mixed: float = 0.25
    other_period: float = 0.10


def check_data(path: Path, held_out: Sequence[Path] = (), minima: Minima | None = None) -> DataReport:
    """Check the data at ``path`` against the guide, itself, and the ``held_out`` files (benchmark, exam), whose questions may not be in it."""
    findings: list[Finding] = []
    examples = read_with_findings(Example, dataset_files(path), findings, "mend the line by data/accounting/README.md")
    findings += _by_guide(examples)
    held = [(t, f"{file}:{n}") for file in held_out for t, n in _texts(file)]
    lemmas = lemma_table([e.text for e in examples] + [t for t, _ in held])
    analyser = Analyser(Lemmatiser(lemmas))
    analyses = [analyser.analyse(e.text) for e in examples]
    alike = list(near_pairs(cosine_rows([Counter(word_features(a)) for a in analyses])[0]))
    findings += _duplicates(examples, alike)
    findings += _patterns(examples, analyses)
    findings += _leaks(examples, analyses, [(analyser.analyse(t), where) for t, where in held])
    counts = count(examples)
    findings += _balance(counts, path, minima or Minima())
    return DataReport(findings, examples, counts, [(a, b) for a, b, _ in alike])


def read_with_findings(model: type[L], files: Sequence[Path], findings: list[Finding], fix: str) -> list[L]:
    """Lines of ``files`` that can be read; one that cannot is an error among ``findings``, with how to ``fix`` it."""
    found = []
    for file in files:
        for number, line in read_lines(file):
            try:
                found.append(parse_line(model, line, str(file), number))
            except DatasetError as error:
                where, _, message = str(error).partition(": ")
                findings.append(Finding("error", "schema", where, message, fix))
    return found


def _texts(file: Path) -> Iterator[tuple[str, int]]:
    for number, line in read_lines(file):
        yield orjson.loads(line)["text"], number


def _by_guide(examples: Sequence[Example]) -> Iterator[Finding]:
    seen: dict[str, str] = {}
    for e in examples:
        for rule in broken_rules(e):
            yield Finding(
                "error",
                rule.name,
                e.where,
                f"{rule.says}; here class {e.question_class}, flags {', '.join(e.flags) or 'none'}",
                rule.fix,
            )
        expected = route_by_guide(e.question_class, frozenset(e.flags), e.other_period, e.ready_summary)
        if e.route != expected:
            yield Finding(
                "error",
                "route",
                e.where,
                f"labels lead to {expected}, the line says {e.route}",
                "correct the route, or the labels",
            )
        if e.id in seen:
            yield Finding(
                "error", "same-id", e.where, f"id {e.id} stands at {seen[e.id]} too", "give it an id of its own"
            )
        seen.setdefault(e.id, e.where)


def plain_text(text: str) -> str:
    """Words of a text in small letters, without marks."""
    return re.sub(r"\W+", " ", text.lower().replace("ё", "е")).strip()


def _duplicates(examples: Sequence[Example], alike: Sequence[tuple[int, int, float]]) -> Iterator[Finding]:
    seen: dict[str, Example] = {}
    for e in examples:
        first = seen.setdefault(plain_text(e.text), e)
        if first is not e:
            yield Finding("error", "duplicate", e.where, f"the same question as {first.where}", "drop one")
    for a, b, value in alike:
        one, two = examples[a], examples[b]
        if (one.group is None or one.group != two.group) and plain_text(one.text) != plain_text(two.text):
            yield Finding(
                "warning",
                "near-duplicate",
                two.where,
                f"{value:.2f} alike to {one.where}: {one.text[:80]}",
                "reword it, or give both one group",
            )


def _patterns(examples: Sequence[Example], analyses: Sequence[Analysis]) -> Iterator[Finding]:
    by_pattern: dict[tuple[str, ...], list[Example]] = defaultdict(list)
    for e, a in zip(examples, analyses, strict=True):
        by_pattern[tuple(pattern(a))].append(e)
    for words, found in by_pattern.items():
        for e in found[MOST_A_PATTERN:]:
            yield Finding(
                "error",
                "pattern",
                e.where,
                f"{len(found)} questions share the pattern «{' '.join(words)[:80]}»",
                f"keep {MOST_A_PATTERN}, reword the rest",
            )


def _leaks(
    examples: Sequence[Example], analyses: Sequence[Analysis], held: Sequence[tuple[Analysis, str]]
) -> Iterator[Finding]:
    """Rewordings of held-out questions: alike in content lemmas, or, across languages, in the concepts they name and nothing else."""
    if not held:
        return
    rows, others = cosine_rows([_content(a) for a in analyses], [_content(a) for a, _ in held])
    best: dict[int, tuple[float, int]] = {}
    for i, j, value in near_pairs(rows, others, LEAK):
        best[i] = max(best.get(i, (0.0, 0)), (value, j))
    meanings: dict[tuple[frozenset[str], frozenset[str]], int] = {}
    for j, (a, _) in enumerate(held):
        meaning = _meaning(a)
        if len(meaning[0]) > 1:
            meanings.setdefault(meaning, j)
    for i, a in enumerate(analyses):
        same = meanings.get(_meaning(a))
        if same is not None and i not in best:
            best[i] = (1.0, same)
    for i, (value, j) in sorted(best.items()):
        analysis, where = held[j]
        yield Finding(
            "error",
            "leak",
            examples[i].where,
            f"{value:.2f} alike to held-out {where}: {analysis.text[:80]}",
            "drop it: held-out questions and their rewordings never train",
        )


@lru_cache(maxsize=1)
def _stop_lemmas() -> frozenset[str]:
    """Lemmas of the words that shape a request and say nothing of its content."""
    lemmatiser = Lemmatiser()
    return frozenset(lemmatiser.lemma(t.key, t.kind) for word in word_list("request_words") for t in tokenise(word))


def _content(a: Analysis) -> Counter[str]:
    return Counter(w for w in pattern(a) if w not in _stop_lemmas() and not w.startswith("<"))


def _meaning(a: Analysis) -> tuple[frozenset[str], frozenset[str]]:
    """Concepts named, without the ones that only shape a request, and content lemmas that no concept covers."""
    concepts = frozenset(a.concept_ids[h.concept] for h in a.hits) - {
        "list",
        "greeting",
        "check",
        "company",
        "all",
        "now",
        "who",
    }
    covered = {i for h in a.hits for i in range(h.first, h.last + 1)}
    rest = frozenset(
        lemma for i, (lemma, token) in enumerate(zip(a.lemmas, a.tokens, strict=True))
        if i not in covered and token.kind in ("ru", "en") and lemma not in _stop_lemmas()
    )  # fmt: skip
    masked = {i for m in a.mentions if m.type == "period" for i in range(m.first, m.last + 1)}
    spoken = frozenset(a.lemmas[i] for i in masked)
    return concepts, rest - spoken


def cosine_rows(documents: Sequence[Counter[str]], others: Sequence[Counter[str]] = ()) -> tuple[Any, Any]:
    """CSR rows of length one of both lists over one vocabulary."""
    vocabulary: dict[str, int] = {}
    for d in (*documents, *others):
        for word in d:
            vocabulary.setdefault(word, len(vocabulary))

    def rows(part: Sequence[Counter[str]]) -> Any:
        data, indices, starts = [], [], [0]
        for d in part:
            norm = sum(v * v for v in d.values()) ** 0.5
            indices += [vocabulary[w] for w in d]
            data += [v / norm for v in d.values()]
            starts.append(len(indices))
        return sp.csr_matrix((data, indices, starts), shape=(len(part), len(vocabulary)))

    return rows(documents), rows(others)


def language(text: str) -> str:
    """``ru``, ``en`` or ``mixed``, by the scripts of its words of three letters and more."""
    latin, cyrillic = bool(re.search("[a-zA-Z]{3}", text)), bool(re.search("[а-яёА-ЯЁ]{3}", text))
    return "mixed" if latin and cyrillic else "en" if latin else "ru"


def count(examples: Sequence[Example]) -> dict[str, Any]:
    """Questions by class, flag, route, language, author; share of another period; minimal pairs."""
    groups = Counter(e.group for e in examples if e.group)
    return {
        "questions": len(examples),
        "authors": len({e.author for e in examples}),
        "classes": {c: sum(e.question_class == c for e in examples) for c in QUESTION_CLASSES},
        "flags": {f: sum(f in e.flags for e in examples) for f in LEARNED_FLAGS},
        "routes": dict(sorted(Counter(e.route for e in examples).items())),
        "languages": dict(sorted(Counter(language(e.text) for e in examples).items())),
        "other_period": sum(e.other_period for e in examples),
        "groups": sum(n > 1 for n in groups.values()),
    }


def _balance(counts: dict[str, Any], path: Path, minima: Minima) -> Iterator[Finding]:
    total = counts["questions"]
    english = total - counts["languages"].get("ru", 0)
    wanted = [
        ("questions", total, minima.questions),
        *((f"questions of class {c}", n, minima.a_class) for c, n in counts["classes"].items()),
        *((f"positives of {f}", n, minima.a_flag) for f, n in counts["flags"].items()),
        ("English or mixed questions", english, minima.english_or_mixed * total),
        ("questions of another period", counts["other_period"], minima.other_period * total),
    ]
    for what, have, need in wanted:
        if have < need:
            yield Finding(
                "warning",
                "balance",
                str(path),
                f"{have} {what}, at least {ceil(need)} are wanted",
                "write more of them",
            )
