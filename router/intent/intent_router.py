"""A developer's query in, the version 1.1 contract out. It neither retrieves nor answers.

>>> router = load_intent_router()  # doctest: +SKIP
>>> decision = router.decide("где реализован класс UserService?")  # doctest: +SKIP
>>> decision.output["intent"], decision.output["query_plan"]["expansions"]  # doctest: +SKIP
('CODE_QA', ['class', 'UserService', 'user', 'service'])
>>> router.decide("а в документации?", decision.next_state).output["conversation_mode"]  # doctest: +SKIP
'SWITCH'
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import exp
from pathlib import Path
from typing import Any

from features.code.reading import CodeReader, CodeReading
from features.code.rows import masked_words
from features.code.turns import turn_cues
from features.code.vectoriser import CodeVectoriser
from features.lemmas import Lemmatiser
from features.vectoriser import Row
from models.bundle import Bundle, BundleUnsupported, default_intent_bundle_path, load_bundle
from models.heads import INTENT_HEADS, INTENTS
from models.scorer import Scorer
from models.turn_policy import TurnPolicy
from router.decision_log import decision_id
from router.intent.contract import IntentContract, PlanAnchor
from router.intent.conversation import ModeDecision, decide_mode
from router.intent.dictionary import Dictionary
from router.intent.inputs import ConversationState, RepoContext, read_repo, read_state, remembered
from router.intent.query_plan import build_plan, plan_anchors
from router.intent.retrieval import build_evidence, build_retrieval, load_catalogue

POLICY_REVISION = "intent/1"
"""Name of the rules around the heads; it is part of a decision's id. Change it with anything that changes what they decide."""

_MOST_CONTRIBUTIONS = 12


@dataclass(frozen=True, slots=True, eq=False)
class IntentDecision:
    """``output`` is the contract, exactly; everything else about the decision stands beside it."""

    output: dict[str, Any]
    contract: IntentContract
    mode: ModeDecision
    intent_probabilities: dict[str, float]
    next_state: dict[str, Any]
    reading: CodeReading = field(repr=False)
    state: ConversationState = field(repr=False)
    repo: RepoContext = field(repr=False)
    row: Row = field(repr=False)
    router: IntentRouter = field(repr=False)

    @property
    def decision_id(self) -> str:
        """Digest of everything the decision depends on, 32 hexadecimal digits; equal decisions have equal ids."""
        repo, raw = self.repo, self.contract.query_plan.raw.encode("utf-8", "surrogatepass").hex()
        layers = None if repo.available_layers is None else sorted(repo.available_layers)
        given = [self.state.to_dict(), list(repo.languages), layers, list(repo.paths)]
        return decision_id(self.row, [self.router.bundle.digest, POLICY_REVISION, raw, given])

    @property
    def contributions(self) -> dict[str, float]:
        """The features that moved the head of the decided intent most, with their log-odds."""
        names = self.router.vectoriser.names
        head = INTENTS.index(self.contract.intent)
        found = self.router.scorer.contributions(self.row, head)
        weighty = sorted(found.items(), key=lambda item: -abs(item[1]))[:_MOST_CONTRIBUTIONS]
        return {names[feature]: round(value, 4) for feature, value in weighty}

    @property
    def diagnostics(self) -> dict[str, Any]:
        """What was read, and what of the inputs could not be used."""
        return {
            "query_length": self.reading.raw_length,
            "analysed_length": len(self.reading.raw),
            "cut_stretches": self.reading.cut_chunks,
            "truncated": self.reading.truncated,
            "input_problems": [*self.state.problems, *self.repo.problems],
            "missing_layers": self.router.missing_layers(self.contract.intent, self.repo),
        }

    @property
    def details(self) -> dict[str, Any]:
        """Everything beside the contract, as a JSON object."""
        return {
            "decision_id": self.decision_id,
            "bundle_digest": self.router.bundle.digest,
            "policy_revision": POLICY_REVISION,
            "intent_probabilities": {k: round(v, 6) for k, v in self.intent_probabilities.items()},
            "mode_evidence": {**self.mode.evidence(), "active_intent": self.state.active_intent},
            "contributions": self.contributions,
            "next_state": self.next_state,
            "diagnostics": self.diagnostics,
        }


class IntentRouter:
    """Decides with one bundle. Holds caches only: threads may share it."""

    def __init__(self, bundle: Bundle, dictionary: Path | None = None) -> None:
        if bundle.heads != INTENT_HEADS:
            raise BundleUnsupported(
                f"a bundle of domain {bundle.domain!r} holds other heads than the intent router needs; train one with 'switchman train --domain code_docs'"
            )
        self.bundle = bundle
        lemmatiser = Lemmatiser(bundle.lemmas)
        self.reader = CodeReader(lemmatiser)
        self.vectoriser = CodeVectoriser(bundle.vocabulary, lemmatiser)
        self.scorer = Scorer(bundle)
        self.policy = TurnPolicy(bundle.limits["turn_policy"])
        self.dictionary = Dictionary.shipped(lemmatiser, dictionary)
        self.catalogue = load_catalogue()

    def decide(
        self,
        user_query: str,
        conversation_state: Mapping[str, Any] | None = None,
        repo_context: Mapping[str, Any] | RepoContext | None = None,
    ) -> IntentDecision:
        """Decide one turn.

        ``conversation_state``: what the turn before returned as ``next_state``; without it a conversation begins. ``repo_context``: ``languages``,
        ``structure``, ``available_layers``, each with a default; for many queries read it once with `router.intent.inputs.read_repo`. Any text is answered. Raises TypeError where ``user_query`` is not a str.
        """
        if not isinstance(user_query, str):
            raise TypeError(f"a query is a str, not {type(user_query).__name__}")
        state, repo = read_state(conversation_state), read_repo(repo_context)
        reading = self.reader.read(user_query)
        words = masked_words(reading)
        row, concepts = self.vectoriser.row_and_concepts(reading, words)
        logits = self.scorer.logits(row)
        probabilities = dict(zip(INTENTS, _softmax(logits[: len(INTENTS)]), strict=True))
        likeliest = max(INTENTS, key=probabilities.__getitem__)
        mode = decide_mode(
            state.active_intent, reading, likeliest, logits, turn_cues(reading, words, concepts), self.policy
        )
        own, carried = plan_anchors(reading.anchors, state)
        alone = mode.reason == "greeting" or any(a.type != "KEY_TERM" for a in own)
        in_focus = own if alone else [*own, *_in_focus(carried, own)]
        contract = IntentContract(
            mode.intent,
            mode.mode,
            build_plan(user_query, reading, own, carried, in_focus, self.dictionary),
            build_retrieval(mode.intent, in_focus, reading, repo, self.catalogue),
            build_evidence(mode.intent, in_focus, self.catalogue),
        )
        turn = state.turns + 1
        next_state = ConversationState(mode.next_active, turn, remembered(state, own, turn)).to_dict()
        return IntentDecision(
            contract.to_dict(), contract, mode, probabilities, next_state, reading, state, repo, row, self
        )

    def missing_layers(self, intent: str, repo: RepoContext) -> list[str]:
        """Layers that the intent asks for and the repository lacks."""
        have = repo.available_layers
        return [] if have is None else [layer for layer in self.catalogue.base[intent] if layer not in have]


def _in_focus(carried: Sequence[PlanAnchor], own: Sequence[PlanAnchor]) -> list[PlanAnchor]:
    """Of earlier turns, what a query without names of its own is about; its own key terms take the place of earlier ones."""
    return [a for a in carried if a.type != "KEY_TERM" or not own]


def _softmax(values: Sequence[float]) -> list[float]:
    highest = max(values)
    raw = [exp(v - highest) for v in values]
    total = sum(raw)
    return [v / total for v in raw]


def load_intent_router(
    path: str | Path | None = None, expected_digest: str | None = None, dictionary: Path | None = None
) -> IntentRouter:
    """Router over the bundle at ``path``; with no path the default one, loaded once a process. ``dictionary``: a file that extends the shipped one.

    Raises `models.bundle.BundleMissing`, `BundleCorrupt`, `BundleUnsupported`, `router.intent.dictionary.DictionaryError`.
    """
    if path is None and expected_digest is None and dictionary is None:
        return _default_router(default_intent_bundle_path())
    chosen = Path(path) if path is not None else default_intent_bundle_path()
    return IntentRouter(load_bundle(chosen, expected_digest), dictionary)


@lru_cache(maxsize=1)
def _default_router(path: Path) -> IntentRouter:
    return IntentRouter(load_bundle(path))
