"""Decisions computed again from their records: byte for byte with the bundle that made them, or what another bundle would decide.

With the same bundle only the record is read: its row, scope, metadata and inputs. Another bundle numbers its features differently, so it reads the question's
text again; a record whose text is masked cannot be asked then, and is counted as unreadable.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import orjson

from models.bundle import Bundle
from router.question_router import QuestionRouter

_LINES_A_CHUNK = 400
_NOT_COMPARED = frozenset(("bundle_digest", "decision_id", "row"))
"""Fields that differ with every other bundle and so say nothing."""
_WHOLE = frozenset(("question_id", "question_text", "bundle_digest", "chosen_route", "row", "scope", "store_metadata", "parsed_intent", "masked", "decided_by"))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Difference:
    """One record that came out otherwise: ``fields`` that differ, and both routes."""

    line: int
    question_id: str
    text: str
    fields: tuple[str, ...]
    route_before: str
    route_after: str

    def to_dict(self) -> dict[str, Any]:
        """For a script."""
        return {
            "line": self.line,
            "question_id": self.question_id,
            "text": self.text,
            "fields": list(self.fields),
            "route_before": self.route_before,
            "route_after": self.route_after,
        }


@dataclass(slots=True)
class ReplayReport:
    """``from_row``: decisions from the record alone; ``from_text``: by another bundle; ``problems``: lines that could not be replayed, (line, why)."""

    records: int = 0
    identical: int = 0
    from_row: int = 0
    from_text: int = 0
    differences: list[Difference] = field(default_factory=list)
    problems: list[tuple[int, str]] = field(default_factory=list)

    @property
    def rerouted(self) -> list[Difference]:
        """Differences whose route is another."""
        return [d for d in self.differences if d.route_before != d.route_after]

    def add(self, other: ReplayReport) -> None:
        """Count ``other`` in."""
        self.records += other.records
        self.identical += other.identical
        self.from_row += other.from_row
        self.from_text += other.from_text
        self.differences += other.differences
        self.problems += other.problems


def read_record(line: bytes) -> dict[str, Any]:
    """The decision record of a line: bare, or inside what bulk routing writes. Raises ValueError that says what is wrong."""
    found = orjson.loads(line)
    if isinstance(found, dict) and isinstance(found.get("decision"), dict):
        found = found["decision"]
    if not isinstance(found, dict):
        raise ValueError(f"a {type(found).__name__}, not a decision record")
    if "error" in found and "line" in found:
        raise ValueError("an error line of bulk routing, not a decision")
    if missing := sorted(_WHOLE - found.keys()):
        raise ValueError(f"no whole decision record: {', '.join(missing)} missing")
    return found


def replay_lines(router: QuestionRouter, lines: Iterable[tuple[int, bytes]]) -> ReplayReport:
    """Replay numbered lines."""
    report = ReplayReport()
    for number, line in lines:
        report.records += 1
        try:
            _replay_line(router, number, line, report)
        except (ValueError, KeyError, TypeError, IndexError) as error:
            report.problems.append((number, str(error) or type(error).__name__))
    return report


def _replay_line(router: QuestionRouter, number: int, line: bytes, report: ReplayReport) -> None:
    record = read_record(line)
    if record["bundle_digest"] == router.bundle.digest:
        report.from_row += 1
        log = router.replay(record).log
        if log.to_json() == line or orjson.dumps(record) == log.to_json():
            report.identical += 1
            return
        ignored: frozenset[str] = frozenset()
    else:
        if "question_text" in record["masked"]:
            raise ValueError("its text is masked, and another bundle needs the text")
        report.from_text += 1
        log = router.route(
            record["question_text"], record["store_metadata"], record["parsed_intent"], record["question_id"]
        ).log
        log.batch_job_id, log.masked, log.question_length, log.question_truncated = (record[k] for k in ("batch_job_id", "masked", "question_length", "question_truncated"))  # fmt: skip
        ignored = _NOT_COMPARED
    after = log.to_dict()
    fields = tuple(k for k in dict.fromkeys((*record, *after)) if k not in ignored and record.get(k) != after.get(k))
    if not fields:
        report.identical += 1
        return
    report.differences.append(
        Difference(
            number,
            str(record["question_id"]),
            str(record["question_text"]),
            fields,
            record["chosen_route"],
            log.chosen_route,
        )
    )


def replay_file(log: Path, bundle: Bundle, jobs: int = 1) -> ReplayReport:
    """Replay a log of JSON lines; empty lines are passed over. Raises OSError where it cannot be read."""
    report = ReplayReport()
    with log.open("rb") as stream:
        numbered = ((n, line.rstrip(b"\r\n")) for n, line in enumerate(stream, 1) if line.strip())
        for part in _replayed(bundle, _chunks(numbered), jobs):
            report.add(part)
    return report


Chunk = list[tuple[int, bytes]]


def _chunks(numbered: Iterator[tuple[int, bytes]]) -> Iterator[Chunk]:
    while part := list(islice(numbered, _LINES_A_CHUNK)):
        yield part


def _replayed(bundle: Bundle, chunks: Iterator[Chunk], jobs: int) -> Iterator[ReplayReport]:
    """Reports in order; a log of one chunk starts no process."""
    router = QuestionRouter(bundle)
    for first in islice(chunks, 1):
        yield replay_lines(router, first)
    second = next(chunks, None)
    if second is None:
        return
    rest = chain([second], chunks)
    if jobs <= 1:
        yield from (replay_lines(router, chunk) for chunk in rest)
        return
    with get_context("spawn").Pool(jobs, _start_worker, (bundle,)) as pool:
        yield from pool.imap(_work, rest)


_worker: dict[str, QuestionRouter] = {}


def _start_worker(bundle: Bundle) -> None:
    _worker["router"] = QuestionRouter(bundle)


def _work(chunk: Chunk) -> ReplayReport:
    return replay_lines(_worker["router"], chunk)


def report_dict(report: ReplayReport, most: int | None = None) -> Mapping[str, Any]:
    """The report for a script."""
    return {
        "records": report.records,
        "identical": report.identical,
        "from_row": report.from_row,
        "from_text": report.from_text,
        "rerouted": len(report.rerouted),
        "differences": [d.to_dict() for d in report.differences[:most]],
        "problems": [{"line": n, "why": why} for n, why in report.problems],
    }
