"""The version 1.1 contract of the intent router, as the source gives it: sections 5 to 9. Everything else stands beside it, never inside."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

SCHEMA_VERSION = "1.1"

GRAPH_IDS = {
    "CODE_QA": "CodeQAGraph",
    "DOCS_QA": "DocsQAGraph",
    "GENERATE_DOCS_FROM_CODE": "GenerateDocsFromCodeGraph",
    "PROJECT_MISC": "ProjectMiscGraph",
}
DOMAINS = {
    "CODE_QA": ("CODE",),
    "DOCS_QA": ("DOCS",),
    "GENERATE_DOCS_FROM_CODE": ("CODE",),
    "PROJECT_MISC": ("CODE", "DOCS"),
}
RERANK_PROFILES = {
    "CODE_QA": "code",
    "DOCS_QA": "docs",
    "GENERATE_DOCS_FROM_CODE": "generate",
    "PROJECT_MISC": "project",
}
MODES = ("START", "CONTINUE", "SWITCH")
ANCHOR_TYPES = ("FILE_PATH", "SYMBOL", "DOC_REF", "KEY_TERM")
DEFAULT_INTENT = "PROJECT_MISC"
"""What an empty or unreadable query, or a pure greeting, is answered with while no intent is active."""

FROM_CONVERSATION = "conversation"
"""Subtype of an anchor that an earlier turn named; its span is empty."""


class PlanAnchor(NamedTuple):
    """An anchor of the contract: of the query, with its span in code points, or of an earlier turn, with an empty one."""

    type: str
    value: str
    subtype: str
    start: int
    end: int
    confidence: float

    def to_dict(self) -> dict[str, Any]:
        """Section 6."""
        return {
            "type": self.type,
            "value": self.value,
            "subtype": self.subtype,
            "span": {"start": self.start, "end": self.end},
            "confidence": self.confidence,
        }


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """Section 4: ``raw`` as it came, ``normalized`` from it alone, and all that is inferred in the rest."""

    raw: str
    normalized: str
    expansions: list[str]
    keyword_hints: list[str]
    anchors: list[PlanAnchor]


@dataclass(frozen=True, slots=True)
class RetrievalSpec:
    """Section 7. ``layer_queries``: (layer, top_k) pairs."""

    domains: tuple[str, ...]
    layer_queries: list[tuple[str, int]]
    test_policy: str
    path_scope: list[str]
    language: list[str]
    rerank_profile: str


@dataclass(frozen=True, slots=True)
class EvidencePolicy:
    """Section 8."""

    require_def: bool = False
    require_flow: bool = False
    require_spec: bool = False
    allow_answer_without_evidence: bool = False


@dataclass(frozen=True, slots=True)
class IntentContract:
    """Section 5, whole."""

    intent: str
    conversation_mode: str
    query_plan: QueryPlan
    retrieval_spec: RetrievalSpec
    evidence_policy: EvidencePolicy

    def to_dict(self) -> dict[str, Any]:
        """The contract as a JSON object: exactly the keys of the source, in its order."""
        plan, spec, evidence = self.query_plan, self.retrieval_spec, self.evidence_policy
        return {
            "schema_version": SCHEMA_VERSION,
            "intent": self.intent,
            "graph_id": GRAPH_IDS[self.intent],
            "conversation_mode": self.conversation_mode,
            "query_plan": {
                "raw": plan.raw,
                "normalized": plan.normalized,
                "expansions": plan.expansions,
                "keyword_hints": plan.keyword_hints,
                "anchors": [a.to_dict() for a in plan.anchors],
            },
            "retrieval_spec": {
                "domains": list(spec.domains),
                "layer_queries": [{"layer_id": layer, "top_k": top_k} for layer, top_k in spec.layer_queries],
                "filters": {"test_policy": spec.test_policy, "path_scope": spec.path_scope, "language": spec.language},
                "rerank_profile": spec.rerank_profile,
            },
            "evidence_policy": {
                "require_def": evidence.require_def,
                "require_flow": evidence.require_flow,
                "require_spec": evidence.require_spec,
                "allow_answer_without_evidence": evidence.allow_answer_without_evidence,
            },
        }
