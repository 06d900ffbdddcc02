"""Routes that answer: one module per route, one unified result."""
