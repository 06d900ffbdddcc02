"""Names of what is learned and decided: the heads of a domain in the order of their columns, and the routes."""

from __future__ import annotations

from dataclasses import dataclass

QUESTION_CLASSES = (
    "simple_factual",
    "drilldown_explain",
    "cross_entity",
    "trend_anomaly",
    "heavy_analytical",
    "ambiguous",
    "out_of_scope",
)
LANGUAGE_FLAGS = (
    "needs_exact_object_trace",
    "needs_causal_chain",
    "needs_cross_entity_join",
    "needs_full_period_aggregation",
    "needs_ranking",
    "needs_anomaly_summary",
    "needs_runtime_truth",
    "freshness_sensitive",
    "ambiguous_object_scope",
)
LEARNED_FLAGS = (*LANGUAGE_FLAGS, "parsed_as_trend_or_risk")
OUT_OF_SCOPE = "out_of_scope"

ROUTES = (
    "live_mcp_drilldown",
    "batch_refresh_then_store",
    "hybrid_store_plus_live",
    "store_feature_risk",
    "store_canonical",
    "no_route",
)
"""Every route, in the order of a bundle's route scaling."""
STORE_ROUTES = frozenset(("store_canonical", "store_feature_risk"))
FALLBACK_ROUTE = "hybrid_store_plus_live"


@dataclass(frozen=True, slots=True)
class Heads:
    """``classes`` share one probability; each of ``binary`` has its own. Columns: classes first, then binary."""

    classes: tuple[str, ...]
    binary: tuple[str, ...]

    @property
    def count(self) -> int:
        """Number of columns."""
        return len(self.classes) + len(self.binary)


SCOPE_HEAD = "scope"
"""Binary head: the question is out of scope. It decides `no_route`; the class named out_of_scope only describes."""

ACCOUNTING_HEADS = Heads(QUESTION_CLASSES, (SCOPE_HEAD, *LEARNED_FLAGS))

INTENTS = ("CODE_QA", "DOCS_QA", "GENERATE_DOCS_FROM_CODE", "PROJECT_MISC")
LEANS_HEAD = "leans"
"""Binary head: the turn leans on what was said before; alone it would not tell its intent."""

TURN_HEADS = tuple(f"turn:{intent}" for intent in INTENTS)
"""Binary heads: the intent of a turn, learned from continuing turns too, whose words alone do not tell it."""

INTENT_HEADS = Heads(INTENTS, (LEANS_HEAD, *TURN_HEADS))
