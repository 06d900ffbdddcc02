"""``hybrid_store_plus_live``: chains between documents, postings and counterparties; the store first, the live system for what it lacks."""
