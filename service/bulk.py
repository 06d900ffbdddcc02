"""Questions in, decisions out, as JSON lines; the order is kept and a bad line spoils nothing but itself."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson

from router.question_router import QuestionRouter


def route_line(
    router: QuestionRouter, line: bytes, number: int, store_metadata: Mapping[str, Any]
) -> tuple[bytes, bool]:
    """(output line, whether the input was good). A bad line gives an error record with its number."""
    try:
        given = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        return _error(None, number, f"not JSON: {error}"), False
    if not isinstance(given, dict):
        return _error(None, number, f"a {type(given).__name__}, not an object with question_id and text"), False
    question_id, text = given.get("question_id"), given.get("text")
    if not isinstance(text, str):
        return _error(question_id, number, "'text' is missing or not a string"), False
    if question_id is None:
        return _error(None, number, "'question_id' is missing"), False
    decision = router.route(text, store_metadata, given.get("parsed_intent"), str(question_id))
    return orjson.dumps({**decision.to_dict(), "question_id": question_id}), True


def _error(question_id: object, number: int, message: str) -> bytes:
    return orjson.dumps({"question_id": question_id, "line": number, "error": message})


def route_lines(
    router: QuestionRouter, lines: Iterable[bytes], store_metadata: Mapping[str, Any]
) -> Iterator[tuple[bytes, bool]]:
    """`route_line` over a file, numbers from 1, empty lines passed over."""
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield route_line(router, line, number, store_metadata)


def route_file(
    router: QuestionRouter,
    source: Path,
    target: Path,
    store_metadata: Mapping[str, Any],
    tick: Callable[[], None] = lambda: None,
) -> tuple[int, int]:
    """Route ``source`` into ``target``, which appears whole or not at all. Returns (good, bad) lines. Raises OSError."""
    good = bad = 0
    handle, name = tempfile.mkstemp(prefix=f".{target.name}-", dir=target.parent)
    building = Path(name)
    try:
        with source.open("rb") as lines, os.fdopen(handle, "wb") as out:
            for line, ok in route_lines(router, lines, store_metadata):
                out.write(line + b"\n")
                good, bad = good + ok, bad + (not ok)
                tick()
        building.chmod(0o644)
        building.replace(target)
    finally:
        building.unlink(missing_ok=True)
    return good, bad
