"""Queries and conversations in, contracts out, as JSON lines; the order is kept and a bad line spoils nothing but itself."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson

from router.intent import IntentRouter
from router.intent.inputs import read_repo

Answer = Callable[[IntentRouter, dict[str, Any]], dict[str, Any]]


class _BadLine(Exception):
    """A line cannot be answered; the message says what is expected."""


def json_bytes(value: Any) -> bytes:
    """JSON of ``value``; a lone surrogate, which UTF-8 cannot hold, is escaped, so the raw query survives."""
    try:
        return orjson.dumps(value)
    except TypeError:
        return json.dumps(value, ensure_ascii=True, separators=(",", ":")).encode("ascii")


def answer_query(router: IntentRouter, given: dict[str, Any]) -> dict[str, Any]:
    """``question_id``, ``text``, maybe ``conversation_state`` and ``repo_context`` → ``question_id`` and ``output``."""
    if given.get("question_id") is None:
        raise _BadLine("'question_id' is missing")
    if not isinstance(given.get("text"), str):
        raise _BadLine("'text' is missing or not a string")
    decision = router.decide(given["text"], given.get("conversation_state"), given.get("repo_context"))
    return {"question_id": given["question_id"], "output": decision.output}


def answer_conversation(router: IntentRouter, given: dict[str, Any]) -> dict[str, Any]:
    """``conversation_id``, ``turns`` of ``text``, maybe ``repo_context`` → ``conversation_id`` and ``turns`` of ``output``."""
    if given.get("conversation_id") is None:
        raise _BadLine("'conversation_id' is missing")
    turns = given.get("turns")
    if not isinstance(turns, list) or not all(isinstance(t, dict) and isinstance(t.get("text"), str) for t in turns):
        raise _BadLine("'turns' is not a list of objects with a string 'text'")
    state: dict[str, Any] | None = None
    repo = read_repo(given.get("repo_context"))
    outputs = []
    for turn in turns:
        decision = router.decide(turn["text"], state, repo)
        state = decision.next_state
        outputs.append({"output": decision.output})
    return {"conversation_id": given["conversation_id"], "turns": outputs}


def answer_file(router: IntentRouter, source: Path, target: Path, answer: Answer, name: str) -> tuple[int, int]:
    """Answer every line of ``source`` into ``target``, which appears whole or not at all. ``name``: field of a line's id. Returns (good, bad) lines. Raises OSError."""
    good = bad = 0
    handle, temporary = tempfile.mkstemp(prefix=f".{target.name}-", dir=target.parent)
    building = Path(temporary)
    try:
        with source.open("rb") as lines, os.fdopen(handle, "wb") as out:
            for number, line in enumerate(lines, 1):
                if not line.strip():
                    continue
                record, ok = _answer_line(router, line, number, answer, name)
                out.write(json_bytes(record) + b"\n")
                good, bad = good + ok, bad + (not ok)
        building.chmod(0o644)
        building.replace(target)
    finally:
        building.unlink(missing_ok=True)
    return good, bad


def _answer_line(
    router: IntentRouter, line: bytes, number: int, answer: Answer, name: str
) -> tuple[dict[str, Any], bool]:
    try:
        given = json.loads(line)  # orjson refuses an escaped lone surrogate, which a query may hold
    except (ValueError, RecursionError) as error:
        return {name: None, "line": number, "error": f"not JSON: {error}"}, False
    if not isinstance(given, dict):
        return {name: None, "line": number, "error": f"a {type(given).__name__}, not an object"}, False
    try:
        return answer(router, given), True
    except _BadLine as error:
        return {name: given.get(name), "line": number, "error": str(error)}, False
