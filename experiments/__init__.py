"""Benchmark runs and the legacy baseline to compare with."""
