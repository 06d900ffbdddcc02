"""Data runs one way: executors know nothing of what stands to their right, and a process that only reads names of shapes loads neither DuckDB nor MCP."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FORBIDDEN = {
    "executors": {"orchestration", "service", "models", "training", "experiments"},
    "orchestration": {"service", "training", "experiments"},
}


@pytest.mark.parametrize("room", FORBIDDEN)
def test_a_room_imports_only_what_stands_to_its_left(room: str) -> None:
    found = []
    for path in (ROOT / room).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = (
                [a.name for a in node.names]
                if isinstance(node, ast.Import)
                else [node.module or ""]
                if isinstance(node, ast.ImportFrom)
                else []
            )
            found += [(path.name, n) for n in names if n.partition(".")[0] in FORBIDDEN[room]]
    assert found == []


@pytest.mark.parametrize(
    "module", ["executors.dispatch", "executors.contracts", "executors.shapes", "orchestration.ask"]
)
def test_heavy_libraries_load_when_first_needed(module: str) -> None:
    code = f"import sys, {module}; print(sorted({{m.split('.')[0] for m in sys.modules}} & {{'duckdb', 'ibis', 'mcp', 'dbos', 'mlflow', 'pandas', 'sklearn'}}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"
