"""Why a decision came out as it did, to the last word, and what would have changed it.

Contributions are exact: heads are linear in the row, so what the words add, with the bias, is the calibrated log-odds itself.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from features.attribution import by_token, occurrences
from models.heads import LEARNED_FLAGS, SCOPE_HEAD
from router.contracts import RouteDecisionFlags
from router.parsed_intent import read_parsed_intent
from router.query_classifier import Classification
from router.question_router import QuestionRouter, RouteDecision
from router.route_selector import GUARDS, choose_route
from router.store_metadata import read_metadata
from router.store_sufficiency import AggregateFact, StoreFacts, judged_flags, needed_aggregates, sufficiency_from_facts

_LEAST_SHOWN = 0.02


@dataclass(frozen=True, slots=True)
class WordPart:
    """What the text ``raw[start:end]`` adds to a head's log-odds."""

    text: str
    start: int
    end: int
    value: float


@dataclass(frozen=True, slots=True)
class HeadReason:
    """One head: its probability against its threshold, and where its log-odds ``logit`` = ``bias`` + ``shape`` + the words come from."""

    head: str
    probability: float
    threshold: float
    value: bool
    logit: float
    bias: float
    shape: float
    words: tuple[WordPart, ...]


@dataclass(frozen=True, slots=True)
class Flip:
    """A change after which the route would be ``route``: ``kind`` flag or store, ``what`` it is, ``distance`` in log-odds for flags."""

    kind: str
    what: tuple[str, ...]
    route: str
    distance: float | None


@dataclass(frozen=True, slots=True)
class Explanation:
    """A decision with its reasons; ``guards`` holds every guard, whether it fires, and whether it decided."""

    decision: RouteDecision
    heads: tuple[HeadReason, ...]
    guards: tuple[tuple[str, str, bool, bool], ...]
    flips: tuple[Flip, ...]

    def to_dict(self) -> dict[str, Any]:
        """A JSON object: the decision's own, with what explains it."""
        return {
            **self.decision.to_dict(),
            "heads": [
                {
                    "head": h.head, "probability": round(h.probability, 6), "threshold": h.threshold, "value": h.value,
                    "logit": round(h.logit, 4), "bias": round(h.bias, 4), "shape": round(h.shape, 4),
                    "words": [{"text": w.text, "start": w.start, "end": w.end, "value": round(w.value, 4)} for w in h.words],
                }
                for h in self.heads
            ],
            "guards": [{"guard": n, "route": r, "fires": f, "decided": d} for n, r, f, d in self.guards],
            "smallest_changes": [{"kind": f.kind, "change": list(f.what), "route": f.route, "distance": None if f.distance is None else round(f.distance, 3)} for f in self.flips],
        }  # fmt: skip


def explain(
    router: QuestionRouter,
    text: str,
    store_metadata: Mapping[str, Any] | None = None,
    parsed_intent: Mapping[str, Any] | None = None,
) -> Explanation:
    """Explain one question. A question that is empty or unreadable has no heads, guards or flips to show."""
    decision = router.route(text, store_metadata, parsed_intent)
    if not decision.was_read:
        return Explanation(decision, (), (), ())
    intent = read_parsed_intent(parsed_intent)
    classifier = router.classifier
    analysis = classifier.analyse(text, intent)
    row = classifier.vectoriser.row(analysis)
    found = classifier.classify(analysis, row, intent, read_metadata(store_metadata))
    heads = tuple(_head_reasons(router, analysis, row, found))
    suff = sufficiency_from_facts(found.flags, found.facts)
    guards = tuple((g.name, g.route, g.fires(found.flags, suff), g.name == decision.log.decided_by) for g in GUARDS)
    return Explanation(decision, heads, guards, smallest_changes(router, decision, found))


def _head_reasons(router: QuestionRouter, analysis: Any, row: Any, found: Classification) -> Iterator[HeadReason]:
    classifier, bundle = router.classifier, router.bundle
    spans = analysis.token_spans()
    places = occurrences(analysis, classifier.vectoriser.places)
    logits = classifier.scorer.logits(row)
    offset = len(bundle.heads.classes)
    for position, head in enumerate(bundle.heads.binary):
        column = offset + position
        parts, shape = by_token(places, classifier.scorer.contributions(row, column))
        words = tuple(
            WordPart(analysis.raw[a:b], a, b, value)
            for token, value in sorted(parts.items())
            for a, b in (spans[token],)
            if abs(value) >= _LEAST_SHOWN
        )
        hidden = sum(v for v in parts.values() if abs(v) < _LEAST_SHOWN)
        p, threshold = found.scores.binary[head], bundle.thresholds[head]
        yield HeadReason(
            head, p, threshold, p >= threshold, float(logits[column]), float(bundle.bias[column]), shape + hidden, words
        )


def smallest_changes(
    router: QuestionRouter, decision: RouteDecision, found: Classification, most: int = 3
) -> tuple[Flip, ...]:
    """The nearest changes that give another route: single flags by their distance, single store facts; pairs of those only where no single one does."""
    if found.out_of_scope:
        return (_scope_flip(router, found),)
    now = decision.route
    flips: list[Flip] = []
    changes = [*_flag_changes(router, found), *_store_changes(found)]
    for kind, what, flags, facts, distance in changes:
        route = _route(flags, facts)
        if route != now:
            flips.append(Flip(kind, (what,), route, distance))
    if not flips:
        for i, (kind, what, flags, _, distance) in enumerate(changes):
            for other_kind, other, _, facts, _ in changes[i + 1 :]:
                if (kind, other_kind) == ("flag", "store") and (route := _route(flags, facts)) != now:
                    flips.append(Flip("flag and store", (what, other), route, distance))
    flips.append(
        Flip(
            "flag",
            ("out_of_scope",),
            "no_route",
            _distance(found.scores.binary[SCOPE_HEAD], router.bundle.thresholds[SCOPE_HEAD]),
        )
    )
    flips.sort(key=lambda f: (len(f.what), f.distance if f.distance is not None else 1.5))
    return tuple(flips[:most])


def _scope_flip(router: QuestionRouter, found: Classification) -> Flip:
    distance = _distance(found.scores.binary[SCOPE_HEAD], router.bundle.thresholds[SCOPE_HEAD])
    return Flip("flag", ("not out_of_scope",), _route(found.flags, found.facts), distance)


def _distance(p: float, threshold: float) -> float:
    return abs(_log_odds(p) - _log_odds(threshold))


def _log_odds(p: float) -> float:
    inside = min(max(p, 1e-9), 1 - 1e-9)
    return math.log(inside / (1 - inside))


_Change = tuple[str, str, RouteDecisionFlags, StoreFacts, float | None]


def _flag_changes(router: QuestionRouter, found: Classification) -> Iterator[_Change]:
    for flag in LEARNED_FLAGS:
        value = getattr(found.flags, flag)
        opposite: dict[str, Any] = {flag: not value}
        changed = replace(found.flags, **opposite)
        distance = _distance(found.scores.binary[flag], router.bundle.thresholds[flag])
        yield "flag", f"{'not ' if value else ''}{flag}", _judged(changed, found.facts, found), found.facts, distance


def _store_changes(found: Classification) -> Iterator[_Change]:
    """Facts that could be otherwise, each set to what it is not."""
    flags, facts = found.flags, found.facts
    ready = AggregateFact(True, True, True)
    levels = ", ".join(flags.scope.levels)
    needed = needed_aggregates(flags)
    if needed and not all(facts.aggregates[k] == ready for k in needed):
        changed = replace(facts, aggregates={**facts.aggregates, **dict.fromkeys(needed, ready)})
        yield (
            "store",
            f"a fresh ready {' and '.join(needed)} of {flags.scope.subject} at level {levels}",
            _judged(flags, changed, found),
            changed,
            None,
        )
    elif needed:
        gone = replace(
            facts, aggregates={**facts.aggregates, **dict.fromkeys(needed, AggregateFact(False, False, False))}
        )
        yield "store", f"no ready {' and '.join(needed)} at level {levels}", _judged(flags, gone, found), gone, None
    single = (
        ("explanations", "causal links stored", "causal links not stored"),
        ("period_covered", "the asked period loaded", "the asked period not loaded"),
        ("complete", "the snapshot complete", "an incomplete snapshot"),
        ("canonical_current", "a canonical store of the current snapshot", "a stale canonical store"),
        ("feature_current", "a feature store of the current snapshot", "a stale feature store"),
        ("risk_current", "a risk store of the current snapshot", "a stale risk store"),
        ("age_ok", "younger data", "data older than allowed"),
        ("kinds_loaded", "the asked kinds loaded", "the asked kinds not loaded"),
        ("groupings_built", "the asked grouping built", "the asked grouping missing"),
    )
    for name, if_absent, if_present in single:
        value = getattr(facts, name)
        opposite: dict[str, Any] = {name: not value}
        changed = replace(facts, **opposite)
        yield "store", if_present if value else if_absent, _judged(flags, changed, found), changed, None


def _judged(flags: RouteDecisionFlags, facts: StoreFacts, found: Classification) -> RouteDecisionFlags:
    learned = {flag: getattr(flags, flag) for flag in LEARNED_FLAGS}
    return judged_flags(learned, facts, flags.scope, bool(found.uncertain))


def _route(flags: RouteDecisionFlags, facts: StoreFacts) -> str:
    return choose_route(flags, sufficiency_from_facts(flags, replace(facts, evidence=_AnyEvidence(facts.evidence))))


class _AnyEvidence(dict[str, str]):
    """Evidence of facts that were only supposed: there is none, so any code has an empty one."""

    def __missing__(self, key: str) -> str:
        return ""
