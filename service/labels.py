"""The commands ``switchman data doubts`` and ``switchman data pick``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import orjson
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from experiments.label_doubts import Doubt, label_doubts
from experiments.workers import workers
from experiments.worth_labelling import Picked, pick_questions
from router.offline import ReferenceJudge
from router.query_classifier import DECIDING_FLAGS
from router.question_router import QuestionRouter
from service.screen import one_line
from service.settings import Settings, reference_store
from service.training import TrainingRefused, check
from training.dataset import read_dataset
from training.fit import FitSettings, choose
from training.matrix import build_matrix


def find_doubts(data: Path, jobs: int, console: Console) -> list[Doubt]:
    """Doubtful labels of ``data``. Raises `TrainingRefused` for data with errors, which come first."""
    with console.status("checking data") as status:
        report = check(data, Settings())
        if report.errors:
            raise TrainingRefused(report)
        status.update("cross-validation")
        fit = FitSettings()
        with workers("local", jobs):
            matrix = build_matrix([e.text for e in report.examples], fit.blocks, fit.min_documents)
            judge = ReferenceJudge(orjson.loads(reference_store()))
            found = choose(matrix, report.examples, judge, DECIDING_FLAGS, report.alike, fit).found
        status.update("label doubts")
        return label_doubts(report.examples, found)


def write_lines(path: Path, lines: Sequence[dict[str, Any]]) -> None:
    """JSON lines, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    building = path.with_name(f".{path.name}")
    building.write_bytes(b"".join(orjson.dumps(line) + b"\n" for line in lines))
    building.replace(path)


def doubts_parts(doubts: Sequence[Doubt], target: Path, most: int = 20) -> Iterator[RenderableType]:
    """The most doubtful labels."""
    table = Table(title=f"{len(doubts)} labels to look at, the most doubtful first", title_justify="left")
    for name in ("where", "question", "head", "label", "rather", "p of the label"):
        table.add_column(name)
    for d in doubts[:most]:
        where = f"{Path(d.example.file).name}:{d.example.line}"
        table.add_row(where, Text(one_line(d.example.text)), d.head, d.label, d.suggested, f"{d.confidence:.3f}")
    yield table
    yield Text(
        f"all of them: {target}. A doubt is no error: read the labelling guide's rule, then mend the line or leave it."
    )


def pick_from_log(router: QuestionRouter, log: Path, count: int) -> Picked:
    """The questions of ``log`` that are most worth a label."""
    from service.cli import CommandError

    settings = Settings()
    known = [e.text for e in read_dataset(settings.dataset)]
    held_out = [
        orjson.loads(line)["text"]
        for file in settings.held_out
        for line in file.read_bytes().splitlines()
        if line.strip()
    ]
    try:
        with log.open("rb") as lines:
            return pick_questions(router, lines, known, held_out, count)
    except OSError as error:
        raise CommandError(f"{log}: {error.strerror}; name a log of decision records") from error


def picked_parts(found: Picked, target: Path) -> Iterator[RenderableType]:
    """What was picked and what to do with it."""
    table = Table(title=f"{len(found.picks)} of {found.seen} questions", title_justify="left")
    for name in ("question", "route", "unsure", "new"):
        table.add_column(name)
    for p in found.picks[:20]:
        table.add_row(
            Text(one_line(str(p.record["question_text"]))),
            p.record["chosen_route"],
            f"{p.uncertainty:.2f}",
            f"{p.distance:.2f}",
        )
    yield table
    yield Text(
        f"left out: {found.known} labelled already, {found.held_out} near a benchmark or exam question, {len(found.problems)} unreadable lines"
    )
    yield Text(
        f"{target}: read each line, mend class, flags and route by the labelling guide, move the file to data/accounting/, then 'switchman data check'"
    )
