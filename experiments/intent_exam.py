"""The exam of the intent router: questions and conversations by authors who wrote no training line, every scoring kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from features.code.terms import ROLES
from router.intent import IntentRouter
from training.intent_dataset import Conversation, IntentExample, MarkedAnchor
from training.intent_report import intent_figures, mode_figures

Span = tuple[str, int, int]


def score_intent_exam(
    router: IntentRouter, examples: Sequence[IntentExample], conversations: Sequence[Conversation]
) -> dict[str, Any]:
    """Figures of one router; ``wrong`` lists its mistakes."""
    decisions = [router.decide(e.text) for e in examples]
    said = [d.contract.intent for d in decisions]
    confidence = np.array([d.intent_probabilities[d.contract.intent] for d in decisions])
    needed = [str(e.intent) for e in examples]
    wrong: list[dict[str, Any]] = [
        {"id": e.id, "text": e.text, "expected": e.intent, "chosen": s, "probability": round(float(p), 3)}
        for e, s, p in zip(examples, said, confidence, strict=True) if s != e.intent
    ]  # fmt: skip
    pairs: list[tuple[str, str]] = []
    told: list[tuple[str, str]] = []
    spans = [(required_spans(e.anchors), _found(d)) for e, d in zip(examples, decisions, strict=True)]
    for c in conversations:
        state: Mapping[str, Any] | None = None
        for number, turn in enumerate(c.turns, 1):
            decision = router.decide(turn.text, state, {"languages": list(c.languages)})
            pair = (decision.contract.intent, decision.contract.conversation_mode)
            pairs.append((turn.intent, turn.mode))
            told.append(pair)
            spans.append((required_spans(turn.anchors), _found(decision)))
            if pair != pairs[-1]:
                wrong.append({"id": f"{c.id}-{number}", "text": turn.text, "active": state and state["active_intent"], "expected": pairs[-1], "chosen": pair})  # fmt: skip
            state = decision.next_state
    by_language = {
        lang: _accuracy([(n, s) for e, n, s in zip(examples, needed, said, strict=True) if e.lang == lang])
        for lang in sorted({e.lang for e in examples})
    }
    return {
        "intent": intent_figures(needed, said, confidence),
        "by_language": by_language,
        "conversations": mode_figures(pairs, told),
        "anchors": anchor_figures(spans),
        "wrong": wrong,
    }


def required_spans(anchors: Sequence[MarkedAnchor]) -> set[Span]:
    """Anchors that are scored: of key terms only the required ones."""
    return {(a.type, a.start, a.end) for a in anchors if a.type != "KEY_TERM" or _required(a.value)}


def _found(decision: Any) -> set[Span]:
    return {
        (a.type, a.start, a.end)
        for a in decision.contract.query_plan.anchors
        if a.end > a.start and (a.type != "KEY_TERM" or _required(a.value))
    }


def _required(value: str) -> bool:
    return ROLES.get(value.lower().replace("ё", "е"), "").startswith("term")


def anchor_figures(spans: Sequence[tuple[set[Span], set[Span]]]) -> dict[str, Any]:
    """Precision, recall and F1 by exact type and span, over all and a type."""
    found: dict[str, Any] = {}
    for kind in ("all", "FILE_PATH", "SYMBOL", "DOC_REF", "KEY_TERM"):
        pairs = [({s for s in n if kind in ("all", s[0])}, {s for s in g if kind in ("all", s[0])}) for n, g in spans]
        hits = sum(len(n & g) for n, g in pairs)
        needed, given = sum(len(n) for n, _ in pairs), sum(len(g) for _, g in pairs)
        found[kind] = {
            "anchors": needed,
            "precision": round(hits / max(given, 1), 4),
            "recall": round(hits / max(needed, 1), 4),
            "f1": round(2 * hits / max(needed + given, 1), 4),
        }
    return found


def _accuracy(pairs: Sequence[tuple[str, str]]) -> dict[str, Any]:
    return {"questions": len(pairs), "accuracy": round(sum(n == s for n, s in pairs) / max(len(pairs), 1), 4)}


def score_rival(training: Sequence[IntentExample], examples: Sequence[IntentExample]) -> dict[str, Any]:
    """Plain TF-IDF with one logistic regression, trained on the same questions."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    plain = make_pipeline(TfidfVectorizer(), LogisticRegression(C=10, max_iter=1000))
    plain.fit([e.text for e in training], [e.intent for e in training])
    said = plain.predict([e.text for e in examples]).tolist()
    return {"tfidf_logistic_regression": _accuracy([(e.intent, s) for e, s in zip(examples, said, strict=True)])}
