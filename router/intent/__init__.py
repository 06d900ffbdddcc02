"""The intent router for CODE + DOCS: a query and its conversation to the version 1.1 contract.

Read in this order: `contract`, `inputs`, `conversation`, `normalisation`, `dictionary`, `query_plan`, `retrieval`, `intent_router`.
"""

from router.intent.contract import GRAPH_IDS, IntentContract
from router.intent.intent_router import IntentDecision, IntentRouter, load_intent_router

__all__ = ["GRAPH_IDS", "IntentContract", "IntentDecision", "IntentRouter", "load_intent_router"]
