"""Bulk routing: the same lines whatever the number of processes; a failure leaves the old output."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import service.bulk
from router.question_router import QuestionRouter
from service.bulk import LINES_A_CHUNK, route_file


def questions_file(folder: Path, count: int) -> Path:
    file = folder / "in.jsonl"
    lines = [
        json.dumps({"question_id": i, "text": f"Остаток по складу {i} на {i % 30 + 1} июня"}, ensure_ascii=False)
        for i in range(count)
    ]
    lines[count // 2] = "{broken"
    file.write_text("\n".join(lines) + "\n", "utf-8")
    return file


@pytest.mark.parametrize("brief", [False, True], ids=["with records", "brief"])
@pytest.mark.parametrize("threads", [1, 2], ids=["forked", "spawned"])
def test_two_processes_write_what_one_writes(
    router: QuestionRouter,
    reference_store: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    brief: bool,
    threads: int,
) -> None:
    """A process of one thread is copied, one of several is not: another may hold its locks."""
    monkeypatch.setattr(service.bulk, "active_count", lambda: threads)
    count = 2 * LINES_A_CHUNK + 7
    source = questions_file(tmp_path, count)
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    assert (count - 1, 1) == route_file(router, source, one, reference_store, jobs=1, brief=brief)
    assert (count - 1, 1) == route_file(router, source, two, reference_store, jobs=2, brief=brief)
    assert one.read_bytes() == two.read_bytes()


def test_brief_lines_have_the_route_of_the_whole_ones(
    router: QuestionRouter, reference_store: dict[str, Any], tmp_path: Path
) -> None:
    source = questions_file(tmp_path, 60)
    with source.open("a", encoding="utf-8") as more:
        for text in (
            "",
            "   ",
            "Открой реализацию 45 от 12 июня",
            "ыыыы щщщ",
            "which suppliers do we owe most",
            "Погода завтра?",
        ):
            more.write(json.dumps({"question_id": text, "text": text}) + "\n")
    whole, brief = tmp_path / "whole.jsonl", tmp_path / "brief.jsonl"
    assert route_file(router, source, whole, reference_store) == route_file(
        router, source, brief, reference_store, brief=True
    )
    for long, short in zip(*([json.loads(x) for x in f.read_text("utf-8").splitlines()] for f in (whole, brief)), strict=True):  # fmt: skip
        if "error" in long:
            assert long == short
            continue
        assert {
            "question_id": long["question_id"],
            "route": long["route"],
            "decided_by": long["decision"]["decided_by"],
            "question_class": long["question_class"],
            "probability": long["route_probabilities"][long["route"]],
            "flags": [name for name, value in long["flags"].items() if value],
        } == short


def test_a_failure_midway_keeps_the_old_output_and_leaves_no_litter(
    router: QuestionRouter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, target = questions_file(tmp_path, 9), tmp_path / "out.jsonl"
    target.write_text("old\n")

    def fail(*_: object) -> None:
        raise RuntimeError("disk on fire")

    monkeypatch.setattr(QuestionRouter, "route", fail)
    with pytest.raises(RuntimeError):
        route_file(router, source, target, {})
    assert target.read_text() == "old\n"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["in.jsonl", "out.jsonl"]
