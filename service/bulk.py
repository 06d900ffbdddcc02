"""Questions in, decisions out, as JSON lines; the order is kept and a bad line spoils nothing but itself."""

from __future__ import annotations

import gc
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from multiprocessing import get_context
from multiprocessing.pool import Pool
from pathlib import Path
from threading import active_count
from typing import Any, NamedTuple

import orjson

from models.bundle import Bundle
from router.question_router import QuestionRouter

LINES_A_CHUNK = 500


class _Line(NamedTuple):
    """A line that can be routed."""

    question_id: Any
    text: str
    parsed_intent: Any


def _read_line(line: bytes, number: int) -> _Line | bytes:
    """What a line asks; an error record with its number where it cannot be read."""
    try:
        given = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        return _error(None, number, f"not JSON: {error}")
    if not isinstance(given, dict):
        return _error(None, number, f"a {type(given).__name__}, not an object with question_id and text")
    question_id, text = given.get("question_id"), given.get("text")
    if not isinstance(text, str):
        return _error(question_id, number, "'text' is missing or not a string")
    if question_id is None:
        return _error(None, number, "'question_id' is missing")
    return _Line(question_id, text, given.get("parsed_intent"))


def _error(question_id: object, number: int, message: str) -> bytes:
    return orjson.dumps({"question_id": question_id, "line": number, "error": message})


def route_file(
    router: QuestionRouter,
    source: Path,
    target: Path,
    store_metadata: Mapping[str, Any],
    jobs: int = 1,
    brief: bool = False,
) -> tuple[int, int]:
    """Route ``source`` into ``target``, which appears whole or not at all. Returns (good, bad) lines. Raises OSError.

    With ``jobs`` above one, and lines enough, other processes share the work; the output is the same. ``brief``: routes without their records.
    """
    good = bad = 0
    handle, name = tempfile.mkstemp(prefix=f".{target.name}-", dir=target.parent)
    building = Path(name)
    try:
        with source.open("rb") as lines, os.fdopen(handle, "wb") as out:
            for part, part_good, part_bad in _routed(_Work(router, store_metadata, brief), _chunks(lines), jobs):
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


class _Work(NamedTuple):
    """How lines are to be routed."""

    router: QuestionRouter
    store_metadata: Mapping[str, Any]
    brief: bool


def _route_chunk(work: _Work, chunk: Chunk) -> tuple[bytes, int, int]:
    """Output of a chunk with its good and bad lines; empty lines are passed over."""
    first, lines = chunk
    read = [_read_line(line, first + i) for i, line in enumerate(lines) if line.strip()]
    good = [line for line in read if isinstance(line, _Line)]
    decided = _brief(work, good) if work.brief else _whole(work, good)
    done = [next(decided) if isinstance(line, _Line) else line for line in read]
    return b"".join(line + b"\n" for line in done), len(good), len(read) - len(good)


def _whole(work: _Work, lines: Iterable[_Line]) -> Iterator[bytes]:
    """Each decision with its record."""
    route, store_metadata = work.router.route, work.store_metadata
    for question_id, text, parsed_intent in lines:
        yield route(text, store_metadata, parsed_intent, str(question_id)).to_json(question_id)


def _brief(work: _Work, lines: Sequence[_Line]) -> Iterator[bytes]:
    """Each decision without one."""
    choices = work.router.routes([(text, parsed_intent) for _, text, parsed_intent in lines], work.store_metadata)
    for (question_id, _, _), choice in zip(lines, choices, strict=True):
        yield orjson.dumps({"question_id": question_id, **choice._asdict()})


def _routed(work: _Work, chunks: Iterator[Chunk], jobs: int) -> Iterator[tuple[bytes, int, int]]:
    """Chunks in order. The first is routed here: a file of one chunk starts no process."""
    for chunk in islice(chunks, 1):
        yield _route_chunk(work, chunk)
    if jobs <= 1:
        yield from (_route_chunk(work, chunk) for chunk in chunks)
        return
    second = next(chunks, None)
    if second is None:
        return
    with _start_pool(work, jobs) as pool:
        yield from pool.imap(_work_on, chain([second], chunks))


def _start_pool(work: _Work, jobs: int) -> Pool:
    """Workers that hold the router: copies of this process where it has one thread alone, else new ones, which cost a second."""
    if sys.platform == "linux" and active_count() == 1:  # elsewhere a fork is unsafe or unknown
        _worker.append(work)  # what a fork takes along
        try:
            return get_context("fork").Pool(jobs, _spare_collector)
        finally:
            _worker.clear()
    bundle, settings = work.router.bundle, (dict(work.store_metadata), work.brief)
    return get_context("spawn").Pool(jobs, _start_worker, (bundle, *settings))


_worker: list[_Work] = []


def _start_worker(bundle: Bundle, store_metadata: dict[str, Any], brief: bool) -> None:
    _worker.append(_Work(QuestionRouter(bundle), store_metadata, brief))
    _spare_collector()


def _spare_collector() -> None:
    """Routing makes no cycles: what the router holds need not be looked through again for them, and what a chunk makes, seldom."""
    gc.freeze()
    gc.set_threshold(100_000)


def _work_on(chunk: Chunk) -> tuple[bytes, int, int]:
    return _route_chunk(_worker[0], chunk)
