"""The demo: six questions of six classes, from nothing to explained decisions."""

from __future__ import annotations

import orjson
from rich.console import Console

from router.question_router import load_router
from service.screen import decision_panel
from service.settings import Settings, reference_store

QUESTIONS = (
    "Какие акты от подрядчика Монтажспецстрой приняты 8 июня?",
    "откуда в накладной 217 от девятого июня счёт 44, покажи проводки",
    "какими платежами закрыты июньские отгрузки и по каким договорам",
    "Are the overdue balances of our distributors growing week by week?",
    "по каким складам больше всего пересорта, хочу понять кого проверять",
    "сколько градусов завтра в Сочи",
)


def run_demo(settings: Settings, out: Console, err: Console) -> None:
    """Train if there is no bundle, then route and show."""
    if not (settings.bundle / "manifest.json").exists():
        from service.training import train_and_save

        err.print(
            f"No bundle at {settings.bundle}: training one from {settings.dataset} (about a minute).", soft_wrap=True
        )
        done = train_and_save(settings.dataset, settings.bundle, settings, -1, err)
        accuracy = done["out_of_fold"]["routes"]["accuracy"]
        err.print(
            f"Trained on {done['questions']} questions in {done['seconds']} s; right route for {accuracy:.1%} of questions by authors it had not read."
        )
    router = load_router(settings.bundle)
    metadata = orjson.loads(reference_store())
    for question in QUESTIONS:
        out.print(decision_panel(router.route(question, metadata)))
    out.print(
        '[dim]Try your own: .venv/bin/switchman route "…"   All of a record: --json   The 35 benchmark questions: .venv/bin/switchman benchmark[/dim]'
    )
