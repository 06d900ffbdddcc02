"""What a person sees of jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from service.plain_text import printable

if TYPE_CHECKING:
    from orchestration.jobs import JobView

_STATES = {
    "waiting": "ждёт", "running": "идёт", "orphaned": "без работника", "done": "готово", "failed": "ошибка", "cancelled": "отменено",
    "killed_too_often": "прервано много раз",
}  # fmt: skip
_OUTCOMES = {
    "ok": "ответ есть", "partial": "ответ неполный", "empty": "пусто", "error": "ответ с ошибкой", "refreshed": "пересчитано", "fresh": "уже свежее",
    "failed": "не удалось",
}  # fmt: skip
_STAGES = {
    "begin": "начато", "refresh": "ждёт пересчёта", "look": "что устарело", "load": "чтение снимка", "features": "признаки", "risk": "риски",
    "aggregates": "итоги", "verify": "проверка", "publish": "публикация", "answer": "ответ", "done": "готово",
}  # fmt: skip
_QUESTION_SHOWN = 60


def stage_word(view: JobView) -> str:
    """Where a job is, in a word or two."""
    if view.state in ("waiting", "orphaned"):
        return _STATES[view.state]
    return _STAGES.get(view.stage, view.stage)


def jobs_table(found: list[JobView]) -> Table:
    """One line a job."""
    table = Table(title="Задания", title_justify="left")
    for name in ("id", "вопрос", "состояние", "итог", "с (UTC)"):
        table.add_column(name, overflow="fold", no_wrap=name == "id")
    for v in found:
        what = printable(v.question)[:_QUESTION_SHOWN] if v.kind == "question" else "пересчёт хранилищ"
        state = _STATES[v.state] if v.state != "running" else f"{stage_word(v)} {v.share:.0%}"
        table.add_row(
            Text(v.job_id, style="bold" if v.kind == "question" else "dim"),
            Text(what),
            state,
            _OUTCOMES.get(v.outcome, v.outcome),
            v.created_at[5:16].replace("T", " "),
        )
    return table


def answer_text(answer: dict[str, Any]) -> Text:
    """The answer as it was written, control characters taken out."""
    return Text(printable(answer["text"]))
