"""Question text to `RouteDecisionFlags`: what a good answer needs, as learned, and what the store metadata says about its scope."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from features.analysis import Analyser, Analysis
from features.lemmas import Lemmatiser
from features.mentions import Mention, MentionType
from features.periods import PeriodSpec
from features.vectoriser import Row, Vectoriser
from models.bundle import Bundle
from models.heads import LEARNED_FLAGS, OUT_OF_SCOPE, SCOPE_HEAD
from models.scorer import Scorer, Scores
from router.contracts import RouteDecisionFlags, Scope
from router.parsed_intent import ParsedIntent, read_parsed_intent
from router.scope import read_scope
from router.store_metadata import ReadMetadata, read_metadata
from router.store_sufficiency import StoreFacts
from router.verdicts import Verdict, Verdicts

DECIDING_FLAGS = tuple(f for f in LEARNED_FLAGS if f not in ("freshness_sensitive", "needs_cross_entity_join"))
"""Flags that alone can forbid a store route; inside its uncertain band one of them makes the stores' sufficiency unsure."""


class Classification(NamedTuple):
    """Everything the router knows about a question before a route is chosen."""

    verdict: Verdict
    scope: Scope
    scores: Scores
    question_class: str
    out_of_scope: bool
    uncertain: tuple[str, ...]

    @property
    def flags(self) -> RouteDecisionFlags:
        """The twelve flags with the question's own scope."""
        return replace(self.verdict.flags, scope=self.scope)

    @property
    def facts(self) -> StoreFacts:
        """What the metadata says about the scope."""
        return self.verdict.facts


class QueryClassifier:
    """Flags by the heads of one bundle. Holds caches only: threads may share it."""

    def __init__(self, bundle: Bundle) -> None:
        self.bundle = bundle
        self.analyser = Analyser(Lemmatiser(bundle.lemmas))
        self.vectoriser = Vectoriser(bundle.vocabulary)
        self.scorer = Scorer(bundle)
        self._verdicts = Verdicts()
        bands: Mapping[str, list[float]] = bundle.limits.get("uncertain_bands", {})
        self._bands = [(flag, bands[flag][0], bands[flag][1]) for flag in DECIDING_FLAGS if flag in bands]
        self._scope_threshold = bundle.thresholds[SCOPE_HEAD]
        self._thresholds = [(flag, bundle.thresholds[flag]) for flag in LEARNED_FLAGS]
        self._in_scope = [c for c in bundle.heads.classes if c != OUT_OF_SCOPE]

    def analyse(self, question_text: str, intent: ParsedIntent) -> Analysis:
        """One reading of the question; objects and period of ``intent`` take the place of what the words say."""
        return with_intent(self.analyser.analyse(question_text), intent)

    def classify(self, analysis: Analysis, row: Row, intent: ParsedIntent, read: ReadMetadata) -> Classification:
        """Flags of an analysed question under the metadata ``read``."""
        scope = read_scope(analysis, intent, read.covered, read.today)
        return self.judge(self.scorer.scores(row, intent.class_evidence()), scope, read)

    def judge(self, scores: Scores, scope: Scope, read: ReadMetadata) -> Classification:
        """Flags of a question whose heads are scored and whose scope is known."""
        p = scores.binary
        out_of_scope = p[SCOPE_HEAD] >= self._scope_threshold
        question_class = OUT_OF_SCOPE if out_of_scope else max(self._in_scope, key=scores.classes.__getitem__)
        uncertain = tuple([flag for flag, low, high in self._bands if low < p[flag] < high])
        learned = tuple([p[flag] >= threshold for flag, threshold in self._thresholds])
        verdict = self._verdicts.verdict(scope, learned, bool(uncertain), read)
        return Classification(verdict, scope, scores, question_class, out_of_scope, uncertain)


def with_intent(analysis: Analysis, intent: ParsedIntent) -> Analysis:
    """The analysis with objects and period of ``intent`` in place of what the words say."""
    if not intent.objects and intent.period is None:
        return analysis
    replaced: set[str] = set()
    given: list[Mention] = []
    if intent.period is not None:
        a, b = intent.period.start, intent.period.end
        replaced.add("period")
        given.append(_beside("period", PeriodSpec("dates", (a.year, a.month, a.day, b.year, b.month, b.day))))
    for thing in intent.objects:
        mention = _mention_of(thing)
        if mention is not None:
            replaced.add(mention.type)
            given.append(mention)
    kept = [m for m in analysis.mentions if m.type not in replaced]
    return analysis._replace(mentions=[*given, *kept])


def _mention_of(thing: Mapping[str, Any]) -> Mention | None:
    for keys, kind in _OBJECT_KEYS:
        for key in keys:
            if thing.get(key):
                return _beside(kind, str(thing[key]))
    return None


_OBJECT_KEYS: tuple[tuple[tuple[str, ...], MentionType], ...] = (
    (("guid", "ref"), "guid"),
    (("document_number", "number", "line_number"), "document_number"),
    (("account", "code"), "account"),
    (("counterparty", "name"), "counterparty"),
)


def _beside(kind: MentionType, value: str | PeriodSpec) -> Mention:
    """A mention that stands in no word of the question."""
    return Mention(kind, value, -1, -1)


def classify_query_for_route(
    question_text: str, parsed_intent: Mapping[str, Any] | None, store_metadata: Mapping[str, Any] | None
) -> RouteDecisionFlags:
    """Flags of a question by the default bundle. Raises `models.bundle.BundleError` where there is none."""
    from router.question_router import load_router  # the router holds the default bundle; it imports this module

    classifier = load_router().classifier
    intent = read_parsed_intent(parsed_intent)
    analysis = classifier.analyse(question_text, intent)
    return classifier.classify(
        analysis, classifier.vectoriser.row(analysis), intent, read_metadata(store_metadata)
    ).flags
