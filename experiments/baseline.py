"""The legacy router, to compare with: keyword scores, the best score wins, no look at what the stores hold.

Section 1 of the source describes its faults (whole-slice questions end in the feature store, chains in the canonical one); the rules
below are general keyword weights that a first version of such a router has. None knows a question.
"""

from __future__ import annotations

import re

# (route, weight, stem pattern): every match adds its weight to its route
_KEYWORDS: tuple[tuple[str, float, str], ...] = (
    ("live_mcp_drilldown", 3.0, r"почему именно|именно эт"),
    ("live_mcp_drilldown", 2.0, r"№|\bnumber\b|по номеру|\bguid\b|ссылк"),
    ("live_mcp_drilldown", 2.0, r"цепочк|\btrace\b"),
    ("hybrid_store_plus_live", 2.5, r"источник|\bsource\b"),
    ("hybrid_store_plus_live", 2.0, r"через движени|объясни|\bexplain\b"),
    ("hybrid_store_plus_live", 2.0, r"почему|откуда|\bwhy\b"),
    ("hybrid_store_plus_live", 2.5, r"первичн|подтвержд"),
    ("hybrid_store_plus_live", 1.5, r"сходится|провер"),
    ("store_feature_risk", 2.5, r"риск|\brisk"),
    ("store_feature_risk", 2.5, r"аномал|anomal|отклонен|подозрит|suspicious|ошибк"),
    ("store_feature_risk", 2.5, r"динамик|менял|trend|рост|снижен"),
    ("store_feature_risk", 2.5, r"отрицательн|дубл|\bбез\b|не зачт|просроч|negative|duplicate|overdue"),
    ("store_feature_risk", 2.5, r"рейтинг|\bтоп\b|\btop\b|ranking|сводк|summary|срез"),
    ("store_feature_risk", 2.0, r"не так|проблем|налог|ндс|problem|\btax"),
    ("store_canonical", 1.0, r"документ|договор|контрагент|проводк|остат|спис|выведи|покажи|какие|list|show|which"),
    ("store_canonical", 2.0, r"свяжи|вместе|\blink\b"),
)
_ORDER = ("store_canonical", "store_feature_risk", "hybrid_store_plus_live", "live_mcp_drilldown")
_COMPILED = tuple((route, weight, re.compile(stem, re.IGNORECASE)) for route, weight, stem in _KEYWORDS)


def legacy_route(text: str) -> str:
    """Route with the highest keyword score; of equal ones the cheaper store. It knows neither batch nor refusal."""
    scores = dict.fromkeys(_ORDER, 0.0)
    for route, weight, stem in _COMPILED:
        if stem.search(text):
            scores[route] += weight
    return max(_ORDER, key=lambda route: scores[route])
