"""The periods a question names: `find_periods` reads them off its tokens, with the words around each.

>>> from features.tokens import tokenise
>>> find_periods(tokenise("продажи с 1 по 15 июня"))
[FoundPeriod(spec=PeriodSpec(kind='days', values=(1, 6, 15, 6)), first=1, last=5)]
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from features.calendar_words import (
    ABBREVIATIONS,
    BARE_UNITS,
    BEFORE_YEAR,
    DOUBTFUL_EN,
    FIRST_YEAR,
    LAST_YEAR,
    LATEST,
    MONTH_BEFORE_EN,
    MONTHS_EN,
    NUMBER_WORDS,
    NUMBERED_THINGS,
    ONE_UNIT,
    ORDINAL_MARKS,
    PHRASES,
    PREVIOUS,
    PREVIOUS_EN,
    RANGE_OPENERS,
    RANGE_WORDS,
    UNITS_AGO,
    direction_of,
    is_anchor,
    month_of,
    opens_period,
    ordinal_of,
    season_of,
    unit_of,
    worded_day,
)
from features.periods import DAY, HALF, MONTH, QUARTER, YEAR, PeriodSpec, absolute, months_of, safe_date
from features.tokens import Token


class FoundPeriod(NamedTuple):
    """A period on tokens ``first`` to ``last``, both included."""

    spec: PeriodSpec
    first: int
    last: int


class _NamedYear(NamedTuple):
    """The year beside a month or a day, on tokens up to ``last``: ``year``, or 0 where it is named by ``offset`` from the current one."""

    year: int
    offset: int
    last: int


class _Day(NamedTuple):
    """One end of a range of days; ``month`` 0 and ``year`` None where they are not named."""

    day: int
    month: int
    year: _NamedYear | None
    last: int


def find_periods(tokens: Sequence[Token], anchors: Sequence[int] | None = None) -> list[FoundPeriod]:
    """Periods of a tokenised question, left to right, not overlapping. ``anchors``: where `is_anchor` holds, if that is known."""
    if anchors is None:
        anchors = [i for i, t in enumerate(tokens) if is_anchor(t.kind, t.key)]
    if not anchors or all(_says_no_more(tokens, i) for i in anchors):
        return []
    found: list[FoundPeriod] = []
    reader = _Reader(tokens)
    start = 0
    for anchor in anchors:
        for i in range(max(start, anchor - 2), anchor + 1):
            if i < start or not (i == anchor or opens_period(tokens[i].key)):
                continue
            hit = reader.read(i)
            if hit is not None:
                found.append(hit)
                start = hit.last + 1
    return found


def _says_no_more(tokens: Sequence[Token], i: int) -> bool:
    """Whether an anchor is a number that by itself names no period: neither a year nor a date, and no ordinal."""
    token = tokens[i]
    if token.kind != "number" or not token.key.isdigit() or len(token.key) == 4:
        return False
    after = tokens[i + 1].key if i + 1 < len(tokens) else ""
    return after not in ORDINAL_MARKS and not after.startswith("числ")


_BEYOND = [""] * 12


class _Reader:
    """Reads one period from a given token; each rule answers a hit or None, in the order of `read`."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        # what lies beyond either end reads as nothing: a list's negative places are its last ones
        self.keys = [t.key for t in tokens] + _BEYOND
        self.kinds: list[str] = [t.kind for t in tokens] + _BEYOND

    def read(self, i: int) -> FoundPeriod | None:
        """The first rule that finds a period from token ``i`` on, of those that can for a token of its kind."""
        kind = self.kinds[i]
        if kind in ("number", "code", "date"):
            return (
                self._day_range(i)
                or self._day_month(i)
                or self._ago(i)
                or self._numbered_unit(i)
                or self._month_year_digits(i)
                or self._year_range(i)
                or self._year(i)
                or self._lone_day(i)
            )
        if self.month_at(i) or self.keys[i] in RANGE_OPENERS:
            found = self._day_range(i) or self._day_month(i) or self._month_range(i) or self._month(i)
            if found:
                return found
        elif kind == "ru" and self.day_at(i)[0]:
            found = self._day_range(i) or self._day_month(i)
            if found:
                return found
        return (
            self._month(i)
            or self._ago(i)
            or self._numbered_unit(i)
            or self._relative(i)
            or self._year_range(i)
            or self._lone_day(i)
        )

    # what one token may be

    def month_at(self, i: int) -> int:
        kind, key = self.kinds[i], self.keys[i]
        month = month_of(kind, key)
        return 0 if month and kind == "en" and key in DOUBTFUL_EN and not self._is_month_here(i) else month

    def _is_month_here(self, i: int) -> bool:
        before, after = self.keys[i - 1], i + 1
        if before in MONTH_BEFORE_EN and self.keys[after] not in ("i", "we", "you"):
            return True
        named = self.tokens[i].text[0].isupper() or before in ("the", "our", "their", "this", "all", ",")
        if named and (self.keys[i] in ("may", "march") or i > 0):
            return self.keys[after] not in (
                "i",
                "we",
                "be",
                "have",
                "not",
                "you",
                "it",
                "they",
                "the",
                "this",
                "our",
                "someone",
                "through",
            )
        return (
            before in MONTH_BEFORE_EN
            or self.kinds[i - 1] == "number"
            or self.kinds[after] == "number"
            or self.year_at(after) > 0
            or self.keys[after] in ("s", "vs")
            or (self.keys[after] in RANGE_WORDS and self.keys[after + 1] in MONTHS_EN)
        )

    def year_at(self, i: int) -> int:
        if self.kinds[i] != "number":
            return 0
        text = self.keys[i]
        return int(text) if len(text) == 4 and text.isdigit() and FIRST_YEAR <= int(text) <= LAST_YEAR else 0

    def day_at(self, i: int) -> tuple[int, int]:
        """(day, last token) of «15», «15-го», «15го», «пятнадцатого», «двадцать первого», "15th"; (0, i) else."""
        key = self.keys[i]
        if self.kinds[i] == "number" and key.isdigit() and len(key) <= 2 and 1 <= int(key) <= 31:
            last = i
            if self.keys[i + 1] in ("го", "е", "ого", "му", "th", "st", "nd", "rd"):
                last = i + 1
            elif self.keys[i + 1] == "-" and self.keys[i + 2] in ("го", "е", "ое", "ого", "му", "м"):
                last = i + 2
            return int(key), last
        if key in ("двадцать", "тридцать"):
            unit = worded_day(self.keys[i + 1])
            if 1 <= unit <= 9:
                return (20 if key == "двадцать" else 30) + unit, i + 1
        day = worded_day(key) if self.kinds[i] == "ru" else 0
        return day, i

    def unit_at(self, i: int) -> int:
        return unit_of(self.keys[i])

    def skip_year_word(self, i: int) -> int:
        """Index of the last token of «года», «г.», «-го года», «годы» after token ``i``."""
        last = i
        if self.keys[last + 1] == "-" and self.keys[last + 2] in ("го", "й", "м", "ый"):
            last += 2
        if self.keys[last + 1] in ("год", "года", "году", "годом", "г", "годы", "годов", "годах", "гг"):
            last += 1
            if self.keys[last] in ("г", "гг") and self.keys[last + 1] == ".":
                last += 1
        return last

    def year_after(self, i: int) -> _NamedYear | None:
        """The year named after token ``i``: «2020 г.», "'20", "of 2020", «прошлого года», "of the year"."""
        j = i + 1
        if self.keys[j] == "." and self.keys[i] in ABBREVIATIONS:
            j += 1
        if self.keys[j] == "'" and self.kinds[j + 1] == "number" and len(self.keys[j + 1]) == 2:
            return _NamedYear(2000 + int(self.keys[j + 1]), 0, j + 1)
        start = j
        while self.keys[j] in BEFORE_YEAR and j < start + 2:
            j += 1
        if year := self.year_at(j):
            return _NamedYear(year, 0, self.skip_year_word(j))
        offset = self._direction(j)
        if offset is not None and self.unit_at(j + 1) == YEAR:
            return _NamedYear(0, offset, j + 1)
        if self.keys[j - 1] == "the" and self.unit_at(j) == YEAR:
            return _NamedYear(0, 0, j)
        return None

    def starts(self, i: int, stems: tuple[str, ...]) -> bool:
        return self.keys[i].startswith(stems)

    # the rules

    def _day(self, i: int) -> _Day | None:
        """«1», «1-го июня», «1 июня 2020 г.», "June 1, 2020", «01.06», «01.06.2020»."""
        if full := self._full_date(i):
            return _Day(full.day, full.month, _NamedYear(full.year, 0, i), i)
        if short := self._short_date(i):
            return _Day(*short, None, i)
        day, last = self.day_at(i)
        month = 0
        if day:
            named = last + 2 if self.keys[last + 1] == "of" else last + 1
            month = self.month_at(named)
            if named > last + 1 and self.day_at(named + 1)[0]:
                return None  # "act 19 of June 12"
            last = named if month else last
        elif self.kinds[i] == "en" and (month := self.month_at(i)):
            day, last = self.day_at(i + 1)
        if not day:
            return None
        year = self.year_after(last) if month else None
        return _Day(day, month, year, year.last if year else last)

    def _day_range(self, i: int) -> FoundPeriod | None:
        """«с 1 по 15 июня», «1-15 июня», "from June 1 to 15", «с 01.06 по 15.06.2020», «с 5-го по 10-е», or one whole date."""
        opened = self.keys[i] in RANGE_OPENERS
        first = self._day(i + 1 if opened else i)
        if first is None:
            return None
        joined = self.keys[first.last + 1]
        if joined in RANGE_WORDS or (joined in ("and", "и") and self.keys[i] in ("between", "между")):
            second = self._day(first.last + 2)
            if second and (first.month or second.month):
                return self._days(first, second, i)
            if second and (found := self._days_of_a_month(first, second, i)):
                return found
        return self._days(first, first, i) if self.kinds[i] == "date" else None

    def _days_of_a_month(self, first: _Day, second: _Day, i: int) -> FoundPeriod | None:
        """«с 1 по 15 число», «с 5-го по 10-е»."""
        last = second.last
        if self.keys[last + 1].startswith("числ"):
            last += 1
        elif self.kinds[last] == "number":
            return None
        return (
            FoundPeriod(PeriodSpec("day", (first.day, second.day)), i, last) if self.keys[i] in RANGE_OPENERS else None
        )

    def _days(self, first: _Day, second: _Day, i: int) -> FoundPeriod:
        """From one day to another that starts at token ``i``; a month or a year named once is of both."""
        m1, m2 = first.month or second.month, second.month or first.month
        later = second.year or self.year_after(second.last)
        year = later or first.year
        last = later.last if later else second.last
        if year is None:
            return FoundPeriod(PeriodSpec("days", (first.day, m1, second.day, m2)), i, last)
        if not year.year:
            return FoundPeriod(PeriodSpec("relative", (YEAR, year.offset, m1, first.day, m2, second.day)), i, last)
        y2 = later.year if later else year.year + (m1 > m2)
        y1 = first.year.year if first.year and first.year.year else y2 - (m1 > m2)
        a, b = sorted((safe_date(y1, m1, first.day), safe_date(y2, m2, second.day)))
        return FoundPeriod(absolute(a, b), i, last)

    def _full_date(self, i: int) -> date | None:
        if self.kinds[i] != "date":
            return None
        text = self.keys[i]
        parts = [int(p) for p in text.replace("/", ".").replace("-", ".").split(".")]
        year, month, day = parts if text[4:5] == "-" else parts[::-1]
        if month > 12:
            month, day = day, month
        try:
            return date(year + 2000 if year < 100 else year, month, day)
        except ValueError:
            return None

    def _short_date(self, i: int) -> tuple[int, int] | None:
        """(day, month) of «15.06»."""
        if self.kinds[i] not in ("code", "number"):
            return None
        day, _, month = self.keys[i].partition(".")
        if not (day.isdigit() and month.isdigit() and len(month) == 2 and len(day) <= 2):
            return None
        if not (1 <= int(day) <= 31 and 1 <= int(month) <= 12):
            return None
        return int(day), int(month)

    def _day_month(self, i: int) -> FoundPeriod | None:
        """«15 июня», "June 15", «от 15.06»."""
        short = self._short_date(i)
        day = None if short else self._day(i)
        if day and day.month:
            return self._days(day, day, i)
        if (
            short
            and self.keys[i - 1] in ("от", "на", "за", "до", "с", "по", "of", "on", "dated", "from", "by", "к")
            and (self.keys[i - 1] not in ("с", "по", "on", "на") or short[1] == 6 or not _could_be_account(short))
        ):
            codes_an_account = self.keys[i - 1] in ("по", "на", "за", "с", "до") and self.keys[i - 2] in (
                "счет",
                "счету",
                "счета",
            )
            if not codes_an_account:
                return FoundPeriod(PeriodSpec("days", (*short, *short)), i, i)
        return None

    def _month_range(self, i: int) -> FoundPeriod | None:
        """«с января по март 2020», «с декабря 2019 по февраль 2020», «май-июнь», "April to June"."""
        start = i + 1 if self.keys[i] in RANGE_OPENERS else i
        first = self.month_at(start)
        if not first:
            return None
        own = self.year_after(start)
        joined = (own.last if own else start) + 1
        if self.keys[joined] not in (*RANGE_WORDS, "and", "и"):
            return None
        second = self.month_at(joined + 1)
        if not second or (self.keys[joined] in ("and", "и") and self.keys[i] not in ("between", "между")):
            return None
        if own is None or not own.year:
            return self._months(first, second, i, joined + 1)
        year = self.year_after(joined + 1)
        last_year = year.year if year and year.year else own.year + (first > second)
        a, b = sorted((date(own.year, first, 1), months_of(last_year, second, second)[1]))
        return FoundPeriod(absolute(a, b), i, year.last if year else joined + 1)

    def _months(self, first_month: int, last_month: int, first: int, last: int) -> FoundPeriod:
        year = self.year_after(last)
        if year is None:
            return FoundPeriod(PeriodSpec("months", (first_month, last_month)), first, last)
        if year.year:
            # «зима 2020», «декабрь-февраль 2020»: the year is of the last month
            months = months_of(year.year - (first_month > last_month), first_month, last_month)
            return FoundPeriod(absolute(*months), first, year.last)
        parts = (YEAR, year.offset, first_month, 1, last_month, 31)
        return FoundPeriod(PeriodSpec("relative", parts), first, year.last)

    def _month(self, i: int) -> FoundPeriod | None:
        month = self.month_at(i)
        season = (month, month) if month else self._season_at(i)
        if season is None:
            return None
        if (self.starts(i - 1, PREVIOUS) or self.keys[i - 1] in PREVIOUS_EN) and not self.year_after(i):
            return FoundPeriod(PeriodSpec("months_before", season), i - 1, i)
        return self._months(*season, i, i)

    def _season_at(self, i: int) -> tuple[int, int] | None:
        if self.keys[i] == "лета" and self.starts(i - 1, (*PREVIOUS, "эт", "нынешн")):
            return 6, 8
        return season_of(self.keys[i])

    def _ago(self, i: int) -> FoundPeriod | None:
        """«месяц назад», «два года назад», "a week ago", "3 months ago": the whole unit that many before the current one."""
        key = self.keys[i]
        if key == "полгода" and self.keys[i + 1] == "назад":
            return FoundPeriod(PeriodSpec("relative", (MONTH, -6)), i, i + 1)
        counted = self._counted(i)
        if counted:
            (unit, number), last = counted.spec.values, i + 1
        else:
            unit, number, last = UNITS_AGO.get(key, -1), 1, i
        if unit < 0 or self.keys[last + 1] not in ("назад", "ago"):
            return None
        return FoundPeriod(PeriodSpec("relative", (unit, -number)), i, last + 1)

    def _numbered_unit(self, i: int) -> FoundPeriod | None:
        """«2 квартал», «второе полугодие», "Q2", "1H 2020", «9 месяцев»."""
        key = self.keys[i]
        if self.kinds[i] == "en" and key in ("q", "h") and self.kinds[i + 1] == "number":
            digits = self.keys[i + 1].partition(".")[0]
            return self._quarter_or_half(key, int(digits), i, i + 1) if len(digits) == 1 else None
        number, last = self._ordinal_at(i)
        if not number:
            return self._first_months(i, NUMBER_WORDS.get(key, 0))
        letter = self.keys[i + 1]
        if letter in ("q", "h") and self.tokens[i + 1].glued:
            return self._quarter_or_half(letter, number, i, i + 1)
        if self.keys[last + 1] == "half":
            if self.keys[last + 2] == "of" and self.month_at(last + 3):
                return self._month(last + 3)
            return self._quarter_or_half("h", number, i, last + 1)
        unit = self.unit_at(last + 1)
        if unit == QUARTER:
            return self._quarter_or_half("q", number, i, last + 1)
        if unit == HALF:
            return self._quarter_or_half("h", number, i, last + 1)
        return self._first_months(i, number) if last == i else None

    def _ordinal_at(self, i: int) -> tuple[int, int]:
        """(number, last token) of «2», «2-й», "2nd", «второй», "II"; (0, i) else."""
        key = self.keys[i]
        if self.kinds[i] == "number" and key.isdigit() and len(key) <= 2:
            if self.keys[i + 1] == "-" and self.keys[i + 2] in ("й", "м", "го", "е", "ый", "ом"):
                return int(key), i + 2
            if self.keys[i + 1] in ("й", "м", "го", "ый", "st", "nd", "rd", "th"):
                return int(key), i + 1
            return int(key), i
        return ordinal_of(key), i

    def _first_months(self, i: int, number: int) -> FoundPeriod | None:
        """«9 месяцев 2020», «шесть месяцев прошлого года»: what a report of that many months covers. Without a year any but nine is a length («просрочка 3 месяца»)."""
        if number not in (3, 6, 9, 11, 12) or self.unit_at(i + 1) != MONTH:
            return None
        if self.keys[i - 1] in ("последние", "последних", "last", "past"):
            return None
        found = self._months(1, number, i, i + 1)
        return found if found.spec.kind != "months" or (number == 9 and self.kinds[i] == "number") else None

    def _quarter_or_half(self, letter: str, number: int, first: int, last: int) -> FoundPeriod | None:
        size = 3 if letter == "q" else 6
        if not 1 <= number <= 12 // size:
            return None
        return self._months((number - 1) * size + 1, number * size, first, last)

    def _relative(self, i: int) -> FoundPeriod | None:
        """«прошлый месяц», «за последние три месяца», «с начала года», «вчера», "last year", "YTD"."""
        key = self.keys[i]
        for rest, spec in PHRASES.get(key, ()):
            if tuple(self.keys[i + 1 : i + 1 + len(rest)]) == rest:
                return FoundPeriod(spec, i, i + len(rest))
        if key.startswith("прошлогодн"):
            return FoundPeriod(PeriodSpec("relative", (YEAR, -1)), i, i)
        if key == "полтора" and self.unit_at(i + 1) == YEAR:
            return FoundPeriod(PeriodSpec("last", (MONTH, 18)), i, i + 1)
        if key in ("пол", "half") and self.keys[i + 1] in ("года", "year"):
            return FoundPeriod(PeriodSpec("last", (MONTH, 6)), i, i + 1)
        if key.startswith("полгод"):
            return FoundPeriod(PeriodSpec("last", (MONTH, 6)), i, i)
        if key in ("начала", "начало") and self.unit_at(i + 1) >= QUARTER:
            return FoundPeriod(PeriodSpec("to_date", (self.unit_at(i + 1),)), i, i + 1)
        return self._directed(i)

    def _directed(self, i: int) -> FoundPeriod | None:
        """A unit after a word of direction: «прошлый месяц», «последние три месяца», "this quarter"."""
        offset = self._direction(i)
        if offset is None:
            return self._bare_unit(i)
        counted = self._counted(i + 1)
        if counted and offset == -1:
            return counted._replace(first=i)
        unit = self.unit_at(i + 1)
        if self.keys[i + 1] in ("отчетный", "календарный", "отчетного", "calendar", "fiscal", "financial") and unit < 0:
            unit = self.unit_at(i + 2)
            i += 1
        if unit < 0:
            return None
        if unit == DAY and offset != -1:
            return None
        if unit == MONTH and offset == 0 and self.starts(i, LATEST):
            offset = -1
        return FoundPeriod(PeriodSpec("relative", (unit, offset)), i, i + 1)

    def _direction(self, i: int) -> int | None:
        return direction_of(self.kinds[i], self.keys[i])

    def _counted(self, i: int) -> FoundPeriod | None:
        key = self.keys[i]
        number = int(key) if self.kinds[i] == "number" and key.isdigit() and len(key) <= 3 else NUMBER_WORDS.get(key, 0)
        unit = self.unit_at(i + 1)
        if number and unit >= 0:
            return FoundPeriod(PeriodSpec("last", (unit, number)), i, i + 1)
        return None

    def _bare_unit(self, i: int) -> FoundPeriod | None:
        """«за квартал», «за год», «годовой», "for the year": the current one, which reaches beyond a month."""
        key = self.keys[i]
        if key in BARE_UNITS:
            return FoundPeriod(PeriodSpec("relative", (BARE_UNITS[key], 0)), i, i)
        counted = self._counted(i + 1) if key in ("за", "for", "over", "in") else None
        if counted is None:
            return self._bare_after(i)
        numbered = self._numbered_unit(i + 1)
        is_numbered = numbered and (numbered.spec.kind != "months" or self.keys[numbered.last] in ONE_UNIT)
        return counted if counted.spec.values[0] >= MONTH and not is_numbered else None

    def _bare_after(self, i: int) -> FoundPeriod | None:
        key = self.keys[i]
        if (
            key in ("за", "for", "per", "the", "в", "всего", "весь")
            and self.unit_at(i + 1) in (QUARTER, HALF, YEAR)
            and self.keys[i + 1] not in ("г", "кв", "лет")
        ):
            if key == "в" and not self.keys[i + 1].startswith(("квартал", "полугод")):
                return None
            return FoundPeriod(PeriodSpec("relative", (self.unit_at(i + 1), 0)), i + 1, i + 1)
        if key.startswith(("квартальн", "полугодов", "годов")) and not key.startswith("годовщ"):
            unit = QUARTER if key.startswith("кварт") else HALF if key.startswith("полуг") else YEAR
            return FoundPeriod(PeriodSpec("relative", (unit, 0)), i, i)
        return None

    def _month_year_digits(self, i: int) -> FoundPeriod | None:
        """«06.2020», «2020-06»."""
        key = self.keys[i]
        if self.kinds[i] == "number" and len(key) == 7 and key[2] == "." and key[:2].isdigit() and key[3:].isdigit():
            month, year = int(key[:2]), int(key[3:])
            if 1 <= month <= 12 and FIRST_YEAR <= year <= LAST_YEAR:
                return FoundPeriod(absolute(*months_of(year, month, month)), i, i)
        if self.kinds[i] == "number" and self.keys[i + 1] in ("/", "-") and self.kinds[i + 2] == "number":
            year, digits = (self.year_at(i), self.keys[i + 2]) if self.year_at(i) else (self.year_at(i + 2), key)
            number = int(digits) if digits.isdigit() and len(digits) <= 2 else 0
            if year and 1 <= number <= 12 and not self.starts(i - 1, NUMBERED_THINGS):
                return FoundPeriod(absolute(*months_of(year, number, number)), i, i + 2)
        return None

    def _year_range(self, i: int) -> FoundPeriod | None:
        """«2018-2020», «с 2018 по 2020 год», "between 2018 and 2020"."""
        start = i + 1 if self.keys[i] in RANGE_OPENERS else i
        first, second = self.year_at(start), self.year_at(start + 2)
        joined = self.keys[start + 1]
        if not (0 < first < second):
            return None
        if joined in RANGE_WORDS or (joined in ("and", "и") and self.keys[i] in ("between", "между")):
            return FoundPeriod(absolute(date(first, 1, 1), date(second, 12, 31)), i, self.skip_year_word(start + 2))
        return None

    def _year(self, i: int) -> FoundPeriod | None:
        year = self.year_at(i)
        if not year or self.keys[i - 1] in ("№", "#", "номер", "number", "no", "/"):
            return None
        if self.keys[i + 1].startswith(("руб", "тыс", "млн", "шт", "rub", "usd", "eur", "кг")) or self.keys[i + 1] in (
            "₽",
            "р",
            "$",
            "€",
        ):
            return None
        return FoundPeriod(PeriodSpec("year", (year,)), i, self.skip_year_word(i))

    def _lone_day(self, i: int) -> FoundPeriod | None:
        """«от третьего», «за 15-е», «15 числа», «on the 5th»: a day of the month in question."""
        day, last = self.day_at(i)
        if not day:
            return None
        before, after = self.keys[i - 1], self.keys[last + 1]
        marked = last > i or self.kinds[i] == "ru"
        if after.startswith("числ"):
            return FoundPeriod(PeriodSpec("day", (day,)), i, last + 1)
        if (
            marked
            and before in ("от", "за", "на", "до", "с", "по", "the", "of", "on", "dated")
            and self.keys[last] not in ("м", "му")  # «на 28-м», «по 62-му» are accounts
            and self.unit_at(last + 1) < 0
        ):
            if self.kinds[i] == "ru" and not (
                self.keys[last].endswith(("ого", "ье", "ое", "ьего")) and before in ("от", "за", "на", "до")
            ):
                return None
            return FoundPeriod(PeriodSpec("day", (day,)), i, last)
        return None


def _could_be_account(short: tuple[int, int]) -> bool:
    """Whether «10.03» is a subaccount of the common chart (materials, VAT, production, assets) as well as a date."""
    day, number = short
    return (day in (1, 2, 3, 4, 7, 8, 10, 19) and number <= 11) or (day in (20, 23, 25, 26) and number <= 2)
