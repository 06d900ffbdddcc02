"""A question in, a decision with its record out.

>>> router = load_router()  # doctest: +SKIP
>>> router.route("Остаток по счёту 51 на 30.06.2020", store_metadata).route  # doctest: +SKIP
'store_canonical'
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from features.analysis import Analysis
from features.vectoriser import Row, row_from_lists
from models.bundle import Bundle, BundleUnsupported, default_bundle_path, load_bundle
from models.heads import ACCOUNTING_HEADS, FALLBACK_ROUTE, LEARNED_FLAGS, OUT_OF_SCOPE, SCOPE_HEAD
from models.scorer import Scores
from router.contracts import ROUTES, STORE_ROUTES, Scope
from router.decision_log import RouteDecisionLog, build_route_decision_log, decision_id
from router.parsed_intent import ParsedIntent, read_parsed_intent
from router.query_classifier import Classification, QueryClassifier
from router.route_probability import calibrate_routes, guard_probabilities
from router.route_selector import GUARD_REVISION
from router.scope import read_scope
from router.store_metadata import ReadMetadata, read_metadata

_FALLBACK = "fallback_low_confidence"
_STEPS = 1_000_000
"""Probabilities in a record are rounded to one part in so many, below which sums may differ between processors."""


@dataclass(frozen=True, slots=True)
class RouteDecision:
    """``route`` and what stands behind it; ``log`` is the whole record. ``flags`` holds all twelve; where nothing could be read all are false."""

    question_id: str
    route: str
    question_class: str
    flags: dict[str, bool]
    flag_probabilities: dict[str, float]
    route_probabilities: dict[str, float]
    no_route_reason: str | None
    log: RouteDecisionLog

    @property
    def was_read(self) -> bool:
        """Whether the question had anything to score."""
        return bool(self.log.row)

    def to_dict(self) -> dict[str, Any]:
        """The record that bulk routing writes, a JSON object."""
        return {**self._values(), "decision": self.log.to_dict()}

    def to_json(self, question_id: object = None) -> bytes:
        """`to_dict` as one line of UTF-8 JSON; a ``question_id`` that is no string, as a caller gave it, stands on its outside."""
        values = self._values()
        if question_id is not None:
            values["question_id"] = question_id
        return orjson.dumps({**values, "decision": self.log.writable()}, option=orjson.OPT_SERIALIZE_NUMPY)

    def _values(self) -> dict[str, Any]:
        return {
            "question_id": self.question_id,
            "route": self.route,
            "question_class": self.question_class,
            "flags": self.flags,
            "flag_probabilities": self.flag_probabilities,
            "route_probabilities": self.route_probabilities,
            "no_route_reason": self.no_route_reason,
        }


class RouteChoice(NamedTuple):
    """A decision without its record. ``flags``: the names of those that are true; ``probability``: of the route."""

    route: str
    decided_by: str
    question_class: str
    probability: float
    flags: tuple[str, ...]


class QuestionRouter:
    """Routes questions with one bundle. Holds caches only: threads may share it."""

    def __init__(self, bundle: Bundle) -> None:
        if bundle.heads != ACCOUNTING_HEADS:
            raise BundleUnsupported(
                f"a bundle of domain {bundle.domain!r} holds other heads than the question router needs; train one with 'switchman train'"
            )
        self.bundle = bundle
        self.classifier = QueryClassifier(bundle)
        scaling = bundle.limits["route_scaling"]
        self._temperature: float = scaling["temperature"]
        self._biases: list[float] = scaling["biases"]
        self._least: float = bundle.limits["route_probability"]

    def route(
        self,
        text: str,
        store_metadata: Mapping[str, Any] | None = None,
        parsed_intent: Mapping[str, Any] | None = None,
        question_id: str | None = None,
    ) -> RouteDecision:
        """Decide one question.

        ``store_metadata`` has the structure of the reference store; without it no store route is taken. ``question_id`` defaults to the
        decision id. Any text is answered: what cannot be read is `no_route` with a reason. Raises TypeError where ``text`` is not a str.
        """
        intent, analysis, reason = self._read(text, parsed_intent)
        details: dict[str, Any] = {
            "question_length": analysis.raw_length,
            "question_truncated": analysis.truncated,
            "parsed_intent": dict(parsed_intent) if isinstance(parsed_intent, Mapping) else {},
            "parsed_intent_problems": list(intent.problems),
            "store_metadata": dict(store_metadata) if isinstance(store_metadata, Mapping) else None,
        }
        question = _writable(analysis.raw)
        if reason:
            return self._refuse_unread(question, question_id, reason, details)
        row = self.classifier.vectoriser.row(analysis)
        read = read_metadata(store_metadata)
        found = self.classifier.classify(analysis, row, intent, read)
        return self._decide(question, question_id, row, found, read, details)

    def routes(
        self, questions: Sequence[tuple[str, Mapping[str, Any] | None]], store_metadata: Mapping[str, Any] | None = None
    ) -> list[RouteChoice]:
        """Decide many questions without their records, (text, ``parsed_intent``) each: the routes are those of `route`, quicker.

        Some hundreds at a time are best. Raises TypeError where a text is not a str.
        """
        asked = [self._read(text, parsed_intent) for text, parsed_intent in questions]
        read = read_metadata(store_metadata)
        readable = [(intent, analysis) for intent, analysis, reason in asked if not reason]
        rows = [self.classifier.vectoriser.row(analysis) for _, analysis in readable]
        evidence = [intent.class_evidence() for intent, _ in readable]
        scored = iter(self.classifier.scorer.scores_of_many(rows, evidence))
        found: list[RouteChoice] = []
        for intent, analysis, reason in asked:
            if reason:
                found.append(RouteChoice("no_route", reason, OUT_OF_SCOPE, 1.0, ()))
                continue
            scope = read_scope(analysis, intent, read.covered, read.today)
            judged = self.classifier.judge(next(scored), scope, read)
            probabilities = self._route_probabilities(judged)
            route, decided_by = self._choose(judged, probabilities)
            found.append(
                RouteChoice(route, decided_by, judged.question_class, probabilities[route], judged.verdict.true_flags)
            )
        return found

    def _read(self, text: str, parsed_intent: Mapping[str, Any] | None) -> tuple[ParsedIntent, Analysis, str | None]:
        """(what the caller knows, the question read, why it cannot be read)."""
        if not isinstance(text, str):
            raise TypeError(f"a question is a str, not {type(text).__name__}")
        intent = read_parsed_intent(parsed_intent)
        analysis = self.classifier.analyse(text, intent)
        if not analysis.tokens:
            return intent, analysis, "empty_question"
        return intent, analysis, None if analysis.readable or intent.pins_object else "unreadable_question"

    def replay(self, record: Mapping[str, Any]) -> RouteDecision:
        """Decide again from a record alone: its row, scope, metadata and inputs; the question's text is not read.

        The record must have been made with this bundle: row indices mean nothing to another. What was added to it after the decision (``batch_job_id``,
        ``masked``) is kept, and with a masked text so is its id, which only the text could give. Raises KeyError or ValueError where it is no whole record.
        """
        intent = read_parsed_intent(record["parsed_intent"])
        details: dict[str, Any] = {
            "question_length": record["question_length"],
            "question_truncated": record["question_truncated"],
            "parsed_intent": record["parsed_intent"],
            "parsed_intent_problems": record["parsed_intent_problems"],  # what was no object is not in the record
            "store_metadata": record["store_metadata"],
            "batch_job_id": record["batch_job_id"],
            "masked": record["masked"],
        }
        question, question_id = record["question_text"], record["question_id"]
        identity = record["decision_id"] if "question_text" in record["masked"] else None
        if not record["row"]:
            return self._refuse_unread(question, question_id, record["decided_by"], details, identity)
        read = read_metadata(record["store_metadata"])
        row = row_from_lists(record["row"])
        scores = self.classifier.scorer.scores(row, intent.class_evidence())
        found = self.classifier.judge(scores, Scope.from_dict(record["scope"]), read)
        return self._decide(question, question_id, row, found, read, details, identity)

    def route_for(self, scores: Scores, scope: Scope, read: ReadMetadata) -> tuple[str, str]:
        """(route, what decided) for heads scored elsewhere, by the thresholds and limits of this bundle."""
        found = self.classifier.judge(scores, scope, read)
        return self._choose(found, self._route_probabilities(found))

    def _route_probabilities(self, found: Classification) -> dict[str, float]:
        p, verdict = found.scores.binary, found.verdict
        raw = guard_probabilities(
            p, p[SCOPE_HEAD], verdict.facts, verdict.flags.store_sufficiency_confident, found.scope.subject
        )
        return _rounded(calibrate_routes(raw, self._temperature, self._biases))

    def _decide(
        self,
        question: str,
        question_id: str | None,
        row: Row,
        found: Classification,
        read: ReadMetadata,
        details: dict[str, Any],
        identity: str | None = None,
    ) -> RouteDecision:
        verdict = found.verdict
        p = found.scores.binary
        routes = self._route_probabilities(found)
        route, decided_by = self._choose(found, routes)
        binary = p.copy()
        scope = {**verdict.scope_values, "objects": list(found.scope.objects)}
        identity = identity or decision_id(
            row, [self.bundle.digest, GUARD_REVISION, read.version, question, details["parsed_intent"], scope]
        )
        log = build_route_decision_log(
            question_id=question_id or identity,
            question_text=question,
            parsed_class=found.question_class,
            flags=verdict.flags,
            sufficiency=verdict.sufficiency,
            chosen_route=route,
            decided_by=decided_by,
            rejected=self._own_reasons(found, routes, decided_by),
            reasons=verdict.reasons(route, decided_by),
            decision_id=identity,
            no_route_reason=OUT_OF_SCOPE if found.out_of_scope else None,
            out_of_scope_probability=binary.pop(SCOPE_HEAD),
            flag_probabilities=binary,
            class_probabilities=found.scores.classes,
            route_probabilities=routes,
            uncertain_flags=list(found.uncertain),
            scope=scope,
            bundle_digest=self.bundle.digest,
            guard_revision=GUARD_REVISION,
            store_version=read.version,
            row=row,
            **details,
        )
        return _decision(log)

    def _choose(self, found: Classification, routes: Mapping[str, float]) -> tuple[str, str]:
        """(route, what decided)."""
        if found.out_of_scope:
            return "no_route", OUT_OF_SCOPE
        guard = found.verdict.guard
        if guard.route in STORE_ROUTES and routes[guard.route] < self._least:
            return FALLBACK_ROUTE, _FALLBACK
        return guard.route, guard.name

    def _own_reasons(
        self, found: Classification, routes: Mapping[str, float], decided_by: str
    ) -> dict[str, tuple[str, str]]:
        """Reasons for rejected routes that the guards do not give."""
        scope_probability = found.scores.binary[SCOPE_HEAD]
        threshold = self.bundle.thresholds[SCOPE_HEAD]
        if found.out_of_scope:
            evidence = f"probability {scope_probability:.3f} that the question is not about the company's data, threshold {threshold:.3f}"
            return {r: (OUT_OF_SCOPE, evidence) for r in routes if r != "no_route"}
        evidence = f"probability {scope_probability:.3f} of being out of scope, threshold {threshold:.3f}"
        reasons = {"no_route": ("in_scope", evidence)}
        if decided_by == _FALLBACK:
            refused = found.verdict.guard.route
            reasons[refused] = (
                "low_confidence",
                f"probability {routes[refused]:.3f} is under the limit {self._least:.3f}",
            )
        return reasons

    def _refuse_unread(
        self, question: str, question_id: str | None, reason: str, details: dict[str, Any], identity: str | None = None
    ) -> RouteDecision:
        identity = identity or decision_id(None, [self.bundle.digest, GUARD_REVISION, reason, question])
        log = build_route_decision_log(
            question_id=question_id or identity,
            question_text=question,
            parsed_class=OUT_OF_SCOPE,
            flags=None,
            sufficiency=None,
            chosen_route="no_route",
            decided_by=reason,
            decision_id=identity,
            no_route_reason=reason,
            flag_probabilities=dict.fromkeys(LEARNED_FLAGS, 0.0),
            route_probabilities={r: float(r == "no_route") for r in ROUTES},
            bundle_digest=self.bundle.digest,
            guard_revision=GUARD_REVISION,
            store_version=read_metadata(details["store_metadata"]).version,
            **details,
        )
        return _decision(log)


def _rounded(probabilities: Mapping[str, float]) -> dict[str, float]:
    """``round(probability, 6)`` of each at a third of its time."""
    return {name: int(p * _STEPS + 0.5) / _STEPS for name, p in probabilities.items()}


def _decision(log: RouteDecisionLog) -> RouteDecision:
    return RouteDecision(
        log.question_id, log.chosen_route, log.parsed_class, log.decision_flags, log.flag_probabilities, log.route_probabilities, log.no_route_reason, log
    )  # fmt: skip


def _writable(text: str) -> str:
    """``text`` with lone surrogates replaced: JSON and UTF-8 cannot hold them."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text


def load_router(path: str | Path | None = None, expected_digest: str | None = None) -> QuestionRouter:
    """Router over the bundle at ``path``; with no path the default one, loaded once a process.

    Raises `models.bundle.BundleMissing`, `BundleCorrupt` or `BundleUnsupported`.
    """
    if path is None and expected_digest is None:
        return _default_router(default_bundle_path())
    return QuestionRouter(load_bundle(Path(path) if path is not None else default_bundle_path(), expected_digest))


@lru_cache(maxsize=1)
def _default_router(path: Path) -> QuestionRouter:
    return QuestionRouter(load_bundle(path))
