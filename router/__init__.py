"""The question router: `load_router` gives it, `route` decides, the record says why.

Flags are learned (`query_classifier`), what the stores can do is read from their metadata (`store_sufficiency`), guards choose (`route_selector`),
`decision_log` records, `question_router` joins them.
"""

from router.contracts import ROUTES, RouteDecisionFlags, StoreSufficiencyResult
from router.decision_log import RouteDecisionLog, build_route_decision_log
from router.query_classifier import classify_query_for_route
from router.question_router import QuestionRouter, RouteDecision, load_router
from router.route_selector import choose_route
from router.store_sufficiency import check_store_sufficiency

__all__ = [
    "ROUTES",
    "QuestionRouter",
    "RouteDecision",
    "RouteDecisionFlags",
    "RouteDecisionLog",
    "StoreSufficiencyResult",
    "build_route_decision_log",
    "check_store_sufficiency",
    "choose_route",
    "classify_query_for_route",
    "load_router",
]
