"""Labelled questions, benchmarks, lexicons, the reference store: data only. This file lets importlib.resources find them."""
