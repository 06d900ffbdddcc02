"""``store_feature_risk``: risk signs, series, ready aggregates."""
