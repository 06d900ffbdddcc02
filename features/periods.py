"""What a period means: a `PeriodSpec` as worded, and the dates it stands for once the loaded slice and the as-of date are known.

A question names periods in ways that need a calendar to read («прошлый месяц», "Q2", «15 июня»). Parsing gives a
`PeriodSpec` that depends on the words alone; `resolve_period` turns it into dates.

>>> from datetime import date
>>> june = (date(2020, 6, 1), date(2020, 6, 30))
>>> resolve_period(PeriodSpec("months", (5, 5)), june, date(2020, 7, 1))
(datetime.date(2020, 5, 1), datetime.date(2020, 5, 31))
"""

from __future__ import annotations

import calendar
from collections.abc import Callable
from datetime import date, timedelta
from typing import Literal, NamedTuple

PeriodKind = Literal["dates", "year", "months", "months_before", "days", "day", "relative", "last", "to_date"]
DAY, WEEK, MONTH, QUARTER, HALF, YEAR = range(6)


class PeriodSpec(NamedTuple):
    """A period as worded.

    ``dates`` (y1, m1, d1, y2, m2, d2); ``year`` (y,); ``months`` (first, last) of an unnamed year, also quarters and seasons;
    ``months_before`` the last such months before the loaded slice («прошлый июнь»); ``days`` (d1, m1, d2, m2) of an unnamed year;
    ``day`` (d,) or (d1, d2) of an unnamed month; ``relative`` (unit, offset), 0 the current one, -1 the one before, and
    (YEAR, offset, m1, d1, m2, d2) a part of that year («июнь прошлого года»); ``last`` (unit, n); ``to_date`` (unit,).
    """

    kind: PeriodKind
    values: tuple[int, ...]


DateRange = tuple[date, date]
_BEFORE_ALL = (date.min, date.min)


def resolve_period(spec: PeriodSpec, loaded: DateRange, as_of: date, *, compared: bool = False) -> DateRange:
    """First and last day that ``spec`` means.

    A month, quarter or day without a year is the one that touches the ``loaded`` slice, else the last one that ended before
    ``as_of``. Relative periods count from ``as_of``; in a comparison (``compared``) from the loaded slice, since that is what is compared.
    """
    v = spec.values
    if spec.kind == "dates":
        return date(*v[:3]), date(*v[3:])
    if spec.kind == "year":
        return date(v[0], 1, 1), date(v[0], 12, 31)
    if spec.kind == "months":
        return _latest(lambda year: months_of(year, v[0], v[1]), loaded, as_of)
    if spec.kind == "months_before":
        return _latest(lambda year: months_of(year, v[0], v[1]), _BEFORE_ALL, loaded[0])
    if spec.kind == "days":
        return _latest(lambda year: _days_of(year, v[1], v[0], v[3], v[2]), loaded, as_of)
    if spec.kind == "day":
        first, last = (safe_date(loaded[1].year, loaded[1].month, day) for day in (v[0], v[-1]))
        return min(first, last), max(first, last)
    if spec.kind == "relative":
        whole = _relative_range(v[0], v[1], loaded[0] if compared else as_of)
        return _days_of(whole[0].year - (v[2] > v[4]), *v[2:]) if len(v) > 2 else whole
    if spec.kind == "last":
        return _last_units(v[0], v[1], as_of)
    start, _ = _relative_range(v[0], 0, as_of - timedelta(days=1))
    return start, as_of


def absolute(first: date, last: date) -> PeriodSpec:
    """The period of known dates."""
    return PeriodSpec("dates", (first.year, first.month, first.day, last.year, last.month, last.day))


def safe_date(year: int, month: int, day: int) -> date:
    """The day, or the last of its month where the month is shorter."""
    return date(year, month, min(day, calendar.monthrange(year, month)[1]))


def months_of(year: int, first: int, last: int) -> DateRange:
    """Whole months that begin in ``year``; they end in the next one where ``last`` comes before ``first``."""
    end_year = year if last >= first else year + 1
    return date(year, first, 1), date(end_year, last, calendar.monthrange(end_year, last)[1])


def _days_of(year: int, m1: int, d1: int, m2: int, d2: int) -> DateRange:
    """Days that begin in ``year``; they end in the next one where the months do."""
    a, b = safe_date(year, m1, d1), safe_date(year + (m1 > m2), m2, d2)
    return min(a, b), max(a, b)


def _latest(make: Callable[[int], DateRange], loaded: DateRange, as_of: date) -> DateRange:
    for year in range(loaded[1].year, loaded[0].year - 1, -1):
        if year == date.min.year:
            break
        found = make(year)
        if found[0] <= loaded[1] and found[1] >= loaded[0]:
            return found
    year = as_of.year
    while True:
        found = make(year)
        if found[1] < as_of:
            return found
        year -= 1


def _relative_range(unit: int, offset: int, today: date) -> DateRange:
    if unit == DAY:
        day = today + timedelta(days=offset)
        return day, day
    if unit == WEEK:
        monday = today - timedelta(days=today.weekday()) + timedelta(weeks=offset)
        return monday, monday + timedelta(days=6)
    size = {MONTH: 1, QUARTER: 3, HALF: 6, YEAR: 12}[unit]
    index = (today.year * 12 + today.month - 1) // size + offset
    year, month = divmod(index * size, 12)
    return date(year, month + 1, 1), months_of(year, month + 1, month + size)[1]


def _last_units(unit: int, count: int, as_of: date) -> DateRange:
    end = as_of - timedelta(days=1)
    if unit in (DAY, WEEK):
        return end - timedelta(days=count * (1 if unit == DAY else 7) - 1), end
    months = count * {MONTH: 1, QUARTER: 3, HALF: 6, YEAR: 12}[unit]
    index = as_of.year * 12 + as_of.month - 1 - months
    return date(index // 12, index % 12 + 1, 1), date(as_of.year, as_of.month, 1) - timedelta(days=1)
