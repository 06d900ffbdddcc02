"""Statuses of a live look-up as a result's status and a sentence that says what to do."""

from __future__ import annotations

from executors.contracts import Status
from executors.coverage import shown_days
from executors.document_kinds import type_name
from executors.live.plain_text import plain
from executors.live.system import LiveAnswer
from executors.lookup import Lookup


def told(lookup: Lookup, answer: LiveAnswer, server: str, said: str) -> tuple[Status, str]:
    """Status and sentence for an answer that is not ``found``. ``said`` is what was looked for."""
    note = plain(answer.note)
    if answer.status == "not_found" and answer.records:
        known = ", ".join(
            f"{type_name(str(r['entity']).removeprefix('Document_'), lookup.language)} {str(r['date'])[:10]}"
            for r in answer.records[:5]
        )
        return "empty", lookup.say(
            f"{said} в живой базе есть, но вне названного срока: {known}. Поправьте дату.",
            f"{said} exists in the live system, but outside the asked period: {known}. Correct the date.",
        )
    if answer.status == "not_found":
        days = f" за {shown_days(*lookup.period, 'ru')}" if lookup.period else ""
        in_days = f" within {shown_days(*lookup.period, 'en')}" if lookup.period else ""
        return "empty", lookup.say(
            f"В живой базе {said}{days} не найден. Проверьте номер, вид документа и дату.",
            f"The live system has no {said}{in_days}. Check the number, the kind of document and the date.",
        )
    if answer.status == "ambiguous":
        known = ", ".join(
            f"{type_name(str(r['entity']).removeprefix('Document_'), lookup.language)} {plain(r['number'], 40)} {str(r['date'])[:10]}"
            for r in answer.records[:8]
        )
        return "partial", lookup.say(
            f"Под {said} несколько документов: {known}. Назовите вид и дату, чтобы остался один.",
            f"Several documents bear {said}: {known}. Name the kind and the date to have one.",
        )
    if answer.status == "not_published":
        return "error", lookup.say(
            f"Вид документа не опубликован на сервере {server}: есть ли {said}, неизвестно. Добавьте его в состав OData и повторите. {note}".strip(),
            f"The kind of document is not published by {server}, so whether {said} exists is unknown. Publish it and ask again. {note}".strip(),
        )
    if answer.status == "unsupported":
        return "error", lookup.say(
            f"Сервер {server} так искать не умеет ({note}). Назовите вид и дату документа или подключите другой сервер.",
            f"{server} cannot look this up ({note}). Name the kind and date of the document, or connect another server.",
        )
    return "error", lookup.say(
        f"Живая база не ответила как следует: {note}. Проверьте сервер (SWITCHMAN_LIVE) и повторите вопрос; хранилище отвечает и без него.",
        f"The live system gave no good answer: {note}. Check the server (SWITCHMAN_LIVE) and ask again; the store answers without it.",
    )


def no_live(lookup: Lookup) -> str:
    """Sentence for a context without a live system."""
    return lookup.say(
        "Живая база не подключена. Укажите сервер в SWITCHMAN_LIVE или запустите switchman live-server.",
        "No live system is connected. Name a server in SWITCHMAN_LIVE or run switchman live-server.",
    )
