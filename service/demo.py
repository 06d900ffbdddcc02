"""The demo: six questions of six kinds, from nothing to answers out of the stores and the live system."""

from __future__ import annotations

from rich.console import Console

from router.question_router import load_router
from service.settings import Settings

QUESTIONS = (
    "Какие поступления от Техноснаба были 9 июня и какой остаток по счёту 51 на конец июня?",
    "откуда в реализации № 0000-000020 от 15 июня счёт 90.03, покажи проводки",
    "какими платежами закрыты июньские отгрузки и по каким договорам",
    "Are the receivables growing week by week in June?",
    "Топ 5 контрагентов по долгу",
    "сколько градусов завтра в Сочи",
)


def run_demo(settings: Settings, out: Console, err: Console) -> None:
    """Train if there is no bundle, load the demo snapshot if no store is published, then ask and show."""
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
    from service.answer_screen import answer_parts
    from service.answering import open_answerer
    from service.stores import load_and_publish

    if not (settings.stores / "CURRENT").exists():
        err.print(f"No store at {settings.stores}: loading {settings.demo_snapshot}.", soft_wrap=True)
        load_and_publish(settings.demo_snapshot, settings.stores, 3, settings, err)
    answerer = open_answerer(load_router(settings.bundle), settings.stores, settings)
    try:
        for question in QUESTIONS:
            for part in answer_parts(answerer.ask(question)):
                out.print(part)
    finally:
        answerer.close()
    out.print(
        '[dim]Try your own: .venv/bin/switchman ask "…"   Why that route: .venv/bin/switchman explain "…"   The 35 benchmark questions: .venv/bin/switchman benchmark[/dim]'
    )
