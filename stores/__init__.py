"""A snapshot of 1C data → canonical tables, features, risk signs and aggregates, published as versions that a reader sees whole or not at all."""
