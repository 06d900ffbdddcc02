"""``store_feature_risk``: risk signs, series, ready aggregates."""

from executors.feature_risk.execute import execute

__all__ = ["execute"]
