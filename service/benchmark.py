"""The benchmark as a command: routed, answered, judged, its logs saved."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from router.question_router import QuestionRouter
from service.progress import progress_bar
from service.settings import Settings

if TYPE_CHECKING:
    from experiments.benchmark import BenchmarkResult
    from experiments.execution import Execution


def run_and_save(
    router: QuestionRouter, questions: Sequence[dict[str, Any]], metadata: Mapping[str, Any], settings: Settings, logs: Path,
    *, whole: bool, answered: bool, console: Console,
) -> tuple[BenchmarkResult, list[Path]]:  # fmt: skip
    """Result and log files. Without ``answered`` the questions are routed only. Raises `CommandError` where an extra is missing."""
    from experiments.benchmark import run_benchmark, save_decisions

    if not answered:
        result = run_benchmark(router, questions, metadata, whole=whole)
        save_decisions(result, logs / "decisions.jsonl")
        return result, [logs / "decisions.jsonl"]
    result, execution = answer_all(router, questions, metadata, settings, console, whole=whole)
    from experiments.execution import save_answers

    return result, save_answers(execution, logs)


def answer_all(
    router: QuestionRouter, questions: Sequence[dict[str, Any]], metadata: Mapping[str, Any], settings: Settings, console: Console, *, whole: bool = True
) -> tuple[BenchmarkResult, Execution]:  # fmt: skip
    """Answer every question on a store of its own, with a bar. Raises `CommandError` where an extra is missing."""
    from experiments.benchmark import executed_benchmark
    from service.cli import CommandError

    try:
        from experiments.execution import read_planned, run_whole

        with tempfile.TemporaryDirectory(prefix="switchman-benchmark-") as folder, progress_bar(console, 11) as bar:
            task = bar.add_task("store", total=len(questions) + 2)
            planned = read_planned(settings.benchmark)
            execution = run_whole(
                router, questions, metadata, settings.demo_snapshot, Path(folder), planned,
                tick=lambda name: bar.update(task, description=name, advance=1),
            )  # fmt: skip
    except ImportError as error:
        raise CommandError(
            f"answering needs the extras 'stores', 'live' and 'batch' ({error.name} is missing); routes alone: --routes-only"
        ) from error
    return executed_benchmark(router, questions, metadata, execution, whole=whole), execution
