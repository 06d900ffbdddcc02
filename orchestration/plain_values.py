"""Values as people of a language write them, and tables in plain text."""

from __future__ import annotations

import re
import unicodedata
from datetime import date, datetime
from typing import Any, Final

from features.language import Language

CELL: Final = 70
"""Characters of a value; what is longer is shortened."""

_MONEY = re.compile(r"-?\d+\.\d\d")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?.*")
_SPAN = re.compile(r"\d{4}-\d{2}-\d{2}/\d{4}-\d{2}-\d{2}")


def money(value: Any, language: Language) -> str:
    """Roubles as a unified result holds them, ``-11345.20``.

    >>> money("-11345.20", "en")
    '-11,345.20'
    """
    return grouped(value, language) if isinstance(value, str) and _MONEY.fullmatch(value) else shown(value, language)


def shown(value: Any, language: Language) -> str:
    """Any value of a unified result.

    >>> shown("2020-06-15", "ru"), shown(None, "ru"), shown(True, "en"), shown(1382, "en")
    ('15.06.2020', '–', 'yes', '1,382')
    """
    if value is None:
        return "–"
    if isinstance(value, bool):
        return {"ru": ("нет", "да"), "en": ("no", "yes")}[language][value]
    if isinstance(value, int):
        return grouped(str(value), language)
    if isinstance(value, float):
        return grouped(f"{value:.2f}".rstrip("0").rstrip("."), language)
    if isinstance(value, (list, tuple)):
        return short("; ".join(shown(v, language) for v in value))
    text = clean(str(value))
    if _SPAN.fullmatch(text):
        return " – ".join(day(d, language) for d in text.split("/"))
    if _DAY.fullmatch(text):
        return day(text, language)
    return moment(text, language) if _MOMENT.fullmatch(text) else short(text)


def aligned(columns: list[str], rows: list[list[str]]) -> list[str]:
    """A table in plain text: columns aligned, figures to the right."""
    figures = [all(re.fullmatch(r"[-–\d\s .,%]*", row[i]) for row in rows) for i in range(len(columns))]
    widths = [max(len(columns[i]), *(len(row[i]) for row in rows)) for i in range(len(columns))]

    def line(cells: list[str]) -> str:
        return "  ".join(c.rjust(w) if f else c.ljust(w) for c, w, f in zip(cells, widths, figures, strict=True)).rstrip()  # fmt: skip

    return [line(columns), "  ".join("─" * w for w in widths), *map(line, rows)]


def grouped(number: str, language: Language) -> str:
    """A number such as ``-1234567.80`` with its thousands apart."""
    whole, _, rest = number.partition(".")
    sign, digits = ("-", whole[1:]) if whole.startswith("-") else ("", whole)
    apart = f"{int(digits):,}"
    if language == "ru":
        return sign + apart.replace(",", "\u00a0") + (f",{rest}" if rest else "")
    return sign + apart + (f".{rest}" if rest else "")


def day(text: str, language: Language) -> str:
    """A day, given as ISO; what only looks like one stays as it is."""
    try:
        found = date.fromisoformat(text)
    except ValueError:
        return text
    return f"{found:%d.%m.%Y}" if language == "ru" else text


def moment(text: str, language: Language) -> str:
    """A moment, given as ISO, to the minute."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return short(text)
    return f"{found:%d.%m.%Y %H:%M}" if language == "ru" else f"{found:%Y-%m-%d %H:%M}"


def clean(text: str) -> str:
    """One line without control characters: texts come from 1C, servers and people."""
    kept = "".join(" " if c.isspace() else c for c in text if c.isspace() or unicodedata.category(c)[0] != "C")
    return " ".join(kept.split())


def short(text: str) -> str:
    """At most `CELL` characters, the cut shown."""
    return text if len(text) <= CELL else text[: CELL - 1] + "…"
