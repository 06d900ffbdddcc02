"""Who is taken for gone, by a watcher with its own clock."""

from __future__ import annotations

import os
from typing import Any

import pytest

pytest.importorskip("dbos", reason="jobs need the extra 'batch'")

from orchestration.batch_worker import Watch, node

NOBODY = 2**22 + 1
"""No process has this number."""


def row(name: str, beat: int, where: str = "elsewhere", pid: int = 1) -> dict[str, Any]:
    return {"executor_id": name, "node": where, "pid": pid, "beat": beat}


def test_one_elsewhere_is_gone_when_its_counter_has_stood_still_for_long() -> None:
    watch = Watch(30)
    seen = [watch.gone([row("a", 7)], [], "me", now) for now in (0, 29, 31)]
    assert seen == [[], [], ["a"]]


def test_a_counter_that_moves_keeps_its_worker() -> None:
    watch = Watch(30)
    assert [watch.gone([row("a", now)], [], "me", now) for now in range(0, 200, 20)] == [[]] * 10


def test_one_on_this_machine_is_gone_at_once_when_its_process_is() -> None:
    rows = [row("dead", 1, node(), NOBODY), row("living", 1, node(), os.getpid())]
    assert Watch(30).gone(rows, [], "me", 0) == ["dead"]


def test_who_holds_jobs_and_never_beat_is_gone_after_the_same_time() -> None:
    watch = Watch(30)
    assert [watch.gone([], ["ghost"], "me", now) for now in (0, 31)] == [[], ["ghost"]]


def test_nobody_is_gone_after_an_outage_that_kept_all_from_beating() -> None:
    watch = Watch(30)
    watch.gone([row("a", 7)], [], "me", 0)
    watch.forget()
    assert watch.gone([row("a", 7)], [], "me", 100) == []


def test_one_never_takes_itself_for_gone() -> None:
    watch = Watch(0)
    assert [watch.gone([row("me", 1)], ["me"], "me", now) for now in (0, 100)] == [[], []]
