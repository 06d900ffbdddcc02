"""Bulk routing: the same lines whatever the number of processes; a failure leaves the old output."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

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


def test_two_processes_write_what_one_writes(
    router: QuestionRouter, reference_store: dict[str, Any], tmp_path: Path
) -> None:
    count = 2 * LINES_A_CHUNK + 7
    source = questions_file(tmp_path, count)
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    assert (count - 1, 1) == route_file(router, source, one, reference_store, jobs=1)
    assert (count - 1, 1) == route_file(router, source, two, reference_store, jobs=2)
    assert one.read_bytes() == two.read_bytes()


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
