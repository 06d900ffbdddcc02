"""What of an asked period the store has not, and counterparties nobody knows: a status and a sentence that says what to do."""

from __future__ import annotations

from datetime import date

from executors.lookup import Lookup


def shown_day(day: date, language: str) -> str:
    """A day as people of the language write it."""
    return f"{day:%d.%m.%Y}" if language == "ru" else day.isoformat()


def shown_days(first: date, last: date, language: str) -> str:
    """A span of days."""
    a, b = shown_day(first, language), shown_day(last, language)
    return a if first == last else f"{a} – {b}"


def nothing_loaded(lookup: Lookup) -> str:
    """Sentence for a period that lies wholly outside the store."""
    asked, has = shown_days(*lookup.dates, lookup.language), shown_days(*lookup.covered, lookup.language)
    return lookup.say(
        f"За {asked} данных нет: загружено {has}. Назовите день из этого срока или загрузите снимок: switchman snapshot load DIR.",
        f"No data for {asked}: {has} is loaded. Name a day of it, or load a snapshot: switchman snapshot load DIR.",
    )


def partly_loaded(lookup: Lookup) -> list[str]:
    """A sentence for the parts of an asked period that the store has not; none where it has all."""
    if not lookup.outside:
        return []
    missing = ", ".join(shown_days(*part, lookup.language) for part in lookup.outside)
    return [
        lookup.say(
            f"Нет данных за {missing}: ответ только по загруженной части. Загрузите снимок за эти дни: switchman snapshot load DIR.",
            f"No data for {missing}: the answer is of the loaded part only. Load a snapshot of those days: switchman snapshot load DIR.",
        )
    ]


def unknown_partners(lookup: Lookup) -> list[str]:
    """A sentence for each name that no counterparty bears, with the nearest names."""
    found = []
    for name in lookup.unknown_names:
        near = ", ".join(f"«{n}»" for n in name.nearest)
        found.append(
            lookup.say(
                f"Контрагента «{name.said}» в данных нет. "
                + (f"Похожие: {near}. Повторите вопрос с одним из них." if near else "Проверьте имя."),
                f"There is no counterparty «{name.said}». "
                + (f"Nearest: {near}. Ask again with one of them." if near else "Check the name."),
            )
        )
    return found


def several_partners(lookup: Lookup) -> list[str]:
    """A sentence for each name that several counterparties bear: the answer covers all of them."""
    found = []
    for name in lookup.names:
        if len(name.partners) > 1:
            which = ", ".join(f"«{p.name}»" for p in name.partners[:5])
            found.append(
                lookup.say(
                    f"Имя «{name.said}» подходит нескольким: {which}. Ответ по всем; для одного назовите его полностью.",
                    f"«{name.said}» fits several: {which}. The answer covers all; for one, give the full name.",
                )
            )
    return found
