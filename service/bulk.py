"""Questions in, decisions out, as JSON lines; the order is kept and a bad line spoils nothing but itself."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import orjson

from models.bundle import Bundle
from router.question_router import QuestionRouter

LINES_A_CHUNK = 500


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
    return decision.to_json(question_id), True


def _error(question_id: object, number: int, message: str) -> bytes:
    return orjson.dumps({"question_id": question_id, "line": number, "error": message})


def route_file(
    router: QuestionRouter,
    source: Path,
    target: Path,
    store_metadata: Mapping[str, Any],
    jobs: int = 1,
) -> tuple[int, int]:
    """Route ``source`` into ``target``, which appears whole or not at all. Returns (good, bad) lines. Raises OSError.

    With ``jobs`` above one, and lines enough, other processes share the work; the output is the same.
    """
    good = bad = 0
    handle, name = tempfile.mkstemp(prefix=f".{target.name}-", dir=target.parent)
    building = Path(name)
    try:
        with source.open("rb") as lines, os.fdopen(handle, "wb") as out:
            for part, part_good, part_bad in _routed(router, _chunks(lines), store_metadata, jobs):
                out.write(part)
                good, bad = good + part_good, bad + part_bad
        building.chmod(0o644)
        building.replace(target)
    finally:
        building.unlink(missing_ok=True)
    return good, bad


Chunk = tuple[int, list[bytes]]


def _chunks(lines: Iterable[bytes]) -> Iterator[Chunk]:
    """(number of the first line, lines), some hundreds at a time."""
    numbered = enumerate(lines, 1)
    while part := list(islice(numbered, LINES_A_CHUNK)):
        yield part[0][0], [line for _, line in part]


def route_chunk(router: QuestionRouter, chunk: Chunk, store_metadata: Mapping[str, Any]) -> tuple[bytes, int, int]:
    """Output of a chunk with its good and bad lines; empty lines are passed over."""
    first, lines = chunk
    done = [route_line(router, line, first + i, store_metadata) for i, line in enumerate(lines) if line.strip()]
    good = sum(ok for _, ok in done)
    return b"".join(line + b"\n" for line, _ in done), good, len(done) - good


def _routed(
    router: QuestionRouter, chunks: Iterator[Chunk], store_metadata: Mapping[str, Any], jobs: int
) -> Iterator[tuple[bytes, int, int]]:
    """Chunks in order. The first is routed here: a file of one chunk starts no process."""
    for chunk in islice(chunks, 1):
        yield route_chunk(router, chunk, store_metadata)
    if jobs <= 1:
        yield from (route_chunk(router, chunk, store_metadata) for chunk in chunks)
        return
    second = next(chunks, None)
    if second is None:
        return
    context = get_context("spawn")
    with context.Pool(jobs, _start_worker, (router.bundle, dict(store_metadata))) as pool:
        yield from pool.imap(_work, chain([second], chunks))


_worker: dict[str, Any] = {}


def _start_worker(bundle: Bundle, store_metadata: dict[str, Any]) -> None:
    _worker.update(router=QuestionRouter(bundle), store_metadata=store_metadata)


def _work(chunk: Chunk) -> tuple[bytes, int, int]:
    return route_chunk(_worker["router"], chunk, _worker["store_metadata"])
