"""Unified results of the batch route where something went wrong: what is missing, in the question's language, and what to do next."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from executors.contracts import UnifiedResult
from features.language import Language, language_of
from orchestration.batch_payload import JobPayload

ROUTE = "batch_refresh_then_store"

_SENTENCES: dict[str, tuple[str, str]] = {
    "slice_missing": (
        "Периода {asked} в снимке нет: загружено {covered}. Выгрузите этот период из 1С и загрузите: switchman snapshot load ПАПКА",
        "The period {asked} is not in the snapshot: {covered} is loaded. Export that period from 1C and load it: switchman snapshot load DIR",
    ),
    "no_store": (
        "Хранилища ещё нет. Загрузите снимок: switchman snapshot load ПАПКА",
        "There is no store yet. Load a snapshot: switchman snapshot load DIR",
    ),
    "snapshot_refused": (
        "Новый снимок не принят, поэтому не загружено ничего: {message}. Исправьте и загрузите снова",
        "The new snapshot was refused, so nothing of it was loaded: {message}. Mend it and load again",
    ),
    "build_failed": (
        "Пересчёт не удался, прежние хранилища целы: {message}. Устраните причину и повторите: switchman jobs retry",
        "The refresh failed, the stores before it are whole: {message}. Mend the cause and retry: switchman jobs retry",
    ),
    "not_whole": (
        "Пересчитанное не прошло проверку и не опубликовано: {message}",
        "What was rebuilt did not pass verification and was not published: {message}",
    ),
    "store_busy": (
        "Хранилища долго занимал другой процесс: {message}. Повторите: switchman jobs retry",
        "Another process held the stores for long: {message}. Retry: switchman jobs retry",
    ),
    "base_moved": (
        "Хранилища всё время обновляли другие: {message}. Повторите: switchman jobs retry",
        "Others kept publishing the stores: {message}. Retry: switchman jobs retry",
    ),
    "staging_lost": (
        "Пересчитанное пропало с диска: {message}. Повторите: switchman jobs retry",
        "What was rebuilt is gone from the disk: {message}. Retry: switchman jobs retry",
    ),
    "refresh_cancelled": (
        "Пересчёт отменён ({message}). Повторите: switchman jobs retry",
        "The refresh was cancelled ({message}). Retry: switchman jobs retry",
    ),
    "refresh_failed": (
        "Пересчёт оборвался: {message}. Повторите: switchman jobs retry",
        "The refresh broke off: {message}. Retry: switchman jobs retry",
    ),
    "timed_out": (
        "Пересчёт не успел за отведённое время ({message}), он продолжается. Спросите ещё раз позже: switchman jobs retry",
        "The refresh did not end in its time ({message}); it goes on. Ask again later: switchman jobs retry",
    ),
    "cancelled": (
        "Задание отменено. Повторите: switchman jobs retry {message}",
        "The job was cancelled. Retry: switchman jobs retry {message}",
    ),
    "killed_too_often": (
        "Задание прерывалось слишком много раз. Посмотрите, хватает ли памяти и места, и повторите: switchman jobs retry {message}",
        "The job was killed too often. See whether memory and disk suffice, and retry: switchman jobs retry {message}",
    ),
    "answer_failed": (
        "Хранилища обновлены, но ответ не собран: {message}",
        "The stores are refreshed, but the answer could not be made: {message}",
    ),
    "queued": (
        "Ответ готовит задание {message}. Вернуться за ним: switchman jobs answer {message}",
        "The job {message} prepares the answer. Come back for it: switchman jobs answer {message}",
    ),
    "impossible": (
        "Такой итог не строится: {message}",
        "Such an aggregate cannot be made: {message}",
    ),
}  # fmt: skip


def sentence(code: str, outcome: dict[str, Any], language: Language) -> str:
    """What went wrong and what to do, for a person."""
    said = _SENTENCES.get(code, ("{message}", "{message}"))[0 if language == "ru" else 1]
    return said.format(
        message=str(outcome.get("message", "")).rstrip("."),
        asked=_days(outcome.get("asked", ()), language),
        covered=_days(outcome.get("covered", ()), language),
    )


def _days(span: Sequence[str], language: Language) -> str:
    days = [f"{date.fromisoformat(d):%d.%m.%Y}" if language == "ru" else d for d in span]
    return " – ".join(days)


def failed_result(payload: JobPayload, outcome: dict[str, Any]) -> dict[str, Any]:
    """An error result that says why; the refresh's earlier remarks come with it."""
    language = language_of(payload.question_text)
    errors = [sentence(outcome["code"], outcome, language)]
    errors += [sentence(n["code"], n, language) for n in outcome.get("notes", ())]
    return UnifiedResult(
        route=ROUTE,
        status="error",
        result_type="ranking",
        summary={"checked_records": None, "ranked_entities": None},
        errors=errors,
        fragment_id=payload.fragment_id,
    ).to_dict()


def queued_result(payload: JobPayload, job_id: str) -> UnifiedResult:
    """What is said while the job waits: where to come back for the answer."""
    said = sentence("queued", {"message": job_id}, language_of(payload.question_text))
    summary = {"checked_records": None, "ranked_entities": None, "batch_job_id": job_id}
    return UnifiedResult(ROUTE, "partial", "ranking", summary=summary, errors=[said], fragment_id=payload.fragment_id)


def with_outcome(found: dict[str, Any], payload: JobPayload, outcome: dict[str, Any]) -> dict[str, Any]:
    """``found`` with what the refresh could not do: an answer that lacks something is partial. Where there is none, the executor has said why."""
    language = language_of(payload.question_text)
    said = [sentence(n["code"], n, language) for n in outcome.get("notes", ())]
    if found["status"] in ("ok", "partial"):
        said += [sentence("impossible", {"message": m}, language) for m in outcome.get("impossible", {}).values()]
    fresh = [s for s in said if s not in found["errors"]]
    status = "partial" if said and found["status"] == "ok" else found["status"]
    return {**found, "fragment_id": payload.fragment_id, "status": status, "errors": [*found["errors"], *fresh]}
