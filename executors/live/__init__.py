"""The live accounting system, asked over MCP: bounded, read-only, one kept session."""
