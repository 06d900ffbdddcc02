"""Routes that answer: one module per route, one unified result.

`execute_route` is the way in; `ExecutorContext` says which store and which live system; `SHAPES` what each route's result holds. Modules load when first used:
a process that only routes questions never imports DuckDB or MCP.
"""
