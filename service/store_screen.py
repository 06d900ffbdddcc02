"""What a person sees of a load and of the stores."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from rich.markup import escape
from rich.table import Table

_SHOWN = 12


def load_parts(done: dict[str, Any]) -> Iterator[Any]:
    """Counts by entity, references that lead nowhere, and what was published."""
    report = done["report"]
    table = Table(title=f"Загружено: {report['folder']}", title_justify="left")
    table.add_column("Сущность")
    table.add_column("Записей", justify="right")
    for entity, count in report["entities"].items():
        table.add_row(escape(entity), f"{count:,}".replace(",", " "))
    yield table
    yield f"Период {report['period_start']} … {report['period_end']}, {report['files']} файлов, {report['seconds']} с"
    yield from _remarks(report)
    yield f"Опубликовано: {escape(done['path'])}"


def refusal_lines(report: dict[str, Any]) -> Iterator[str]:
    """Each refusal with its place."""
    yield f"[red]switchman:[/red] {escape(report['message'])}"
    for refused in report["refused"]:
        place = refused["file"] if refused["position"] is None else f"{refused['file']}, запись {refused['position']}"
        yield f"  {escape(place)}: {escape(refused['reason'])}"
    if report["refused_count"] > len(report["refused"]):
        yield f"  … всего отказов {report['refused_count']}"


def status_parts(found: dict[str, Any]) -> Iterator[Any]:
    """The metadata for a person, data time and build times apart."""
    m = found["metadata"]
    snapshot, stores = m["snapshot"], m["stores"]
    table = Table(title=f"Хранилища: {found['path']}", title_justify="left", show_header=False)
    table.add_column(style="bold")
    table.add_column()
    age = datetime.fromisoformat(m["as_of"]) - datetime.fromisoformat(snapshot["data_as_of"])
    hours = age.total_seconds() / 3600
    fresh = "свежие" if hours <= m["freshness"]["max_age_hours"] else "устарели"
    for name, value in (
        ("Снимок", f"{snapshot['snapshot_id']}, {'полный' if snapshot['complete'] else 'НЕПОЛНЫЙ'}"),
        ("Период", f"{snapshot['period']['start']} … {snapshot['period']['end']}"),
        ("Данные на", f"{snapshot['data_as_of']} ({m['timezone']})"),
        ("Смотрим на", f"{m['as_of']}: данным {hours:.1f} ч, предел {m['freshness']['max_age_hours']} ч, {fresh}"),
        ("Загружены", snapshot["loaded_at"]),
        ("Канонические", f"{stores['canonical']['run_id']}, построены {stores['canonical']['built_at']}"),
        ("Виды данных", ", ".join(snapshot["entity_kinds"])),
        ("Признаки", f"{stores['feature']['run_id']}, построены {stores['feature']['built_at']}"),
        ("  по", ", ".join(stores["feature"]["groupings"])),
        ("  ряды", ", ".join(stores["feature"]["time_grains"])),
        ("Риски", f"{stores['risk']['run_id']}, построены {stores['risk']['built_at']}"),
        ("  уровни", ", ".join(stores["risk"]["levels"])),
        ("Агрегаты", "; ".join(f"{a['kind']} × {a['level']} × {a['subject']}" for a in m["aggregates"]) or "нет"),
        ("По часам", f"построено {found['built_by_clock']}"),
        ("Версии", ", ".join(str(v) for v in found["versions"])),
        ("Строк", ", ".join(f"{k} {v}" for k, v in found["report"]["rows"].items() if v)),
    ):
        table.add_row(name, escape(str(value)))
    yield table
    yield from _remarks(found["report"])


def _remarks(report: dict[str, Any]) -> Iterator[str]:
    for u in report["unresolved"][:_SHOWN]:
        yield f"Нет в снимке: {u['table']}.{u['column']} → {u['target']}: {u['count']}, например {u['example']}"
    if report["unknown_accounts"]:
        yield f"Счетов не из плана: {report['unknown_accounts']}"
    for entity, count in report["repeated"].items():
        yield f"Повторы отброшены: {entity} {count}"
    for line in (*report["cut"], *report["notes"]):
        yield f"Внимание: {escape(line)}"
    if report["other_entities"]:
        yield f"Сохранены как есть: {escape(', '.join(report['other_entities']))}"
