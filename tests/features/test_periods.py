"""Periods as people word them, and the days they mean when June 2020 is loaded and it is the first of July."""

from __future__ import annotations

import calendar
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.analysis import Analyser
from features.normalisation import normalise
from features.period_reader import find_periods
from features.periods import DAY, HALF, MONTH, QUARTER, WEEK, YEAR, DateRange, PeriodSpec, resolve_period
from features.tokens import tokenise

JUNE = (date(2020, 6, 1), date(2020, 6, 30))
FIRST_OF_JULY = date(2020, 7, 1)


def days(written: str) -> DateRange:
    """(first day, last day) of «2020», «2020-06», «2020-06-15» or two of them with «..» between."""
    first, _, last = written.partition("..")
    return _whole(first)[0], _whole(last or first)[1]


def _whole(written: str) -> DateRange:
    year, *rest = (int(part) for part in written.split("-"))
    if not rest:
        return date(year, 1, 1), date(year, 12, 31)
    if len(rest) == 1:
        return date(year, rest[0], 1), date(year, rest[0], calendar.monthrange(year, rest[0])[1])
    return date(year, *rest), date(year, *rest)


def periods_of(analyser: Analyser, text: str, loaded: DateRange = JUNE, as_of: date = FIRST_OF_JULY) -> list[DateRange]:
    mentions = analyser.analyse(text).mentions
    return [resolve_period(m.value, loaded, as_of) for m in mentions if isinstance(m.value, PeriodSpec)]


def gap(text: str, expected: str, reason: str) -> object:
    return pytest.param(text, expected, marks=pytest.mark.xfail(reason=reason))


OPEN_END = "a range open on one side has no spec: its day or month alone is read"
PART_OF_MONTH = "a part of a month is read as the month"
LISTED = "a second year or day after «и» does not take the month of the first"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # a month
        ("июнь", "2020-06"),
        ("за июнь", "2020-06"),
        ("за июнь 2020", "2020-06"),
        ("за июнь 2020 года", "2020-06"),
        ("за июнь 2020 г.", "2020-06"),
        ("за июнь 2020г", "2020-06"),
        ("за июнь месяц 2019", "2019-06"),
        ("июнь'19", "2019-06"),
        ("в июне", "2020-06"),
        ("ИЮНЬ", "2020-06"),
        ("июньские отгрузки", "2020-06"),
        ("на конец июня", "2020-06"),
        ("к концу мая", "2020-05"),
        ("за май", "2020-05"),
        ("майская премия", "2020-05"),
        ("за сент. 2019", "2019-09"),
        ("за янв 2020", "2020-01"),
        ("за декабрь", "2019-12"),
        ("за август", "2019-08"),
        ("за февраль", "2020-02"),
        ("06.2020", "2020-06"),
        ("за 06.2020", "2020-06"),
        ("2020-06", "2020-06"),
        ("06/2020", "2020-06"),
        ("June", "2020-06"),
        ("for june", "2020-06"),
        ("in June 2020", "2020-06"),
        ("June, 2020", "2020-06"),
        ("Jun 2019", "2019-06"),
        ("June'19", "2019-06"),
        ("in May", "2020-05"),
        ("sales for may", "2020-05"),
        ("March revenue", "2020-03"),
        ("the end of June", "2020-06"),
        ("mid-June", "2020-06"),
        ("December payroll", "2019-12"),
        # the same month of another year
        ("прошлый июнь", "2019-06"),
        ("июнь прошлого года", "2019-06"),
        ("июнь позапрошлого года", "2018-06"),
        ("июнь этого года", "2020-06"),
        ("в феврале текущего года", "2020-02"),
        ("в декабре прошлого года", "2019-12"),
        ("last June", "2019-06"),
        ("June last year", "2019-06"),
        ("June of last year", "2019-06"),
        ("June this year", "2020-06"),
        # months in a row
        ("май-июнь", "2020-05..2020-06"),
        ("май — июнь 2020", "2020-05..2020-06"),
        ("с января по март", "2020-01..2020-03"),
        ("с января по март 2019 года", "2019-01..2019-03"),
        ("в марте-апреле", "2020-03..2020-04"),
        ("декабрь-февраль 2020", "2019-12..2020-02"),
        ("с декабря 2019 по февраль 2020", "2019-12..2020-02"),
        ("с декабря 2019 г. по февраль 2020 г.", "2019-12..2020-02"),
        ("между апрелем и июнем", "2020-04..2020-06"),
        ("from January to March", "2020-01..2020-03"),
        ("January to March 2019", "2019-01..2019-03"),
        ("Jan-Mar 2020", "2020-01..2020-03"),
        ("Jan–Jun", "2020-01..2020-06"),
        ("between April and June", "2020-04..2020-06"),
        # a quarter, a half
        ("2 квартал", "2020-04..2020-06"),
        ("за 2 квартал", "2020-04..2020-06"),
        ("за 1 квартал", "2020-01..2020-03"),
        ("за 2 квартал 2020", "2020-04..2020-06"),
        ("за 2-й квартал", "2020-04..2020-06"),
        ("2кв", "2020-04..2020-06"),
        ("2 кв. 2020", "2020-04..2020-06"),
        ("II квартал", "2020-04..2020-06"),
        ("II кв. 2019 г.", "2019-04..2019-06"),
        ("во втором квартале", "2020-04..2020-06"),
        ("итоги 2 квартала", "2020-04..2020-06"),
        ("первый квартал 2019 года", "2019-01..2019-03"),
        ("четвёртый квартал прошлого года", "2019-10..2019-12"),
        ("3 квартал", "2019-07..2019-09"),
        ("1 полугодие", "2020-01..2020-06"),
        ("за I полугодие 2019", "2019-01..2019-06"),
        ("второе полугодие", "2019-07..2019-12"),
        ("Q2", "2020-04..2020-06"),
        ("in Q2 2019", "2019-04..2019-06"),
        ("Q2'19", "2019-04..2019-06"),
        ("1Q 2020", "2020-01..2020-03"),
        ("the second quarter of 2019", "2019-04..2019-06"),
        ("1st quarter", "2020-01..2020-03"),
        ("Q4 last year", "2019-10..2019-12"),
        ("H1", "2020-01..2020-06"),
        ("1H 2019", "2019-01..2019-06"),
        ("the first half of the year", "2020-01..2020-06"),
        ("first half of 2019", "2019-01..2019-06"),
        # so many months of a report
        ("9 месяцев 2019", "2019-01..2019-09"),
        ("за 9 месяцев прошлого года", "2019-01..2019-09"),
        ("за шесть месяцев 2019 года", "2019-01..2019-06"),
        # a year
        ("2019", "2019"),
        ("за 2019", "2019"),
        ("в 2019 году", "2019"),
        ("2019 г.", "2019"),
        ("2019-й год", "2019"),
        ("прошлый год", "2019"),
        ("в прошлом году", "2019"),
        ("за позапрошлый год", "2018"),
        ("в этом году", "2020"),
        ("за год", "2020"),
        ("прошлогодние закупки", "2019"),
        ("за 2018-2019", "2018..2019"),
        ("за 2018–2019 годы", "2018..2019"),
        ("с 2018 по 2020 год", "2018..2020"),
        ("in 2019", "2019"),
        ("FY2019", "2019"),
        ("last year", "2019"),
        ("this year", "2020"),
        ("for the year", "2020"),
        ("the previous fiscal year", "2019"),
        ("2018-2019", "2018..2019"),
        ("from 2018 to 2020", "2018..2020"),
        ("between 2018 and 2020", "2018..2020"),
        # a day
        ("30.06.2020", "2020-06-30"),
        ("на 30.06.2020", "2020-06-30"),
        ("30.06.20", "2020-06-30"),
        ("30/06/2020", "2020-06-30"),
        ("06/30/2020", "2020-06-30"),
        ("2020-06-30", "2020-06-30"),
        ("1.6.2020", "2020-06-01"),
        ("от 05.06.2020 г.", "2020-06-05"),
        ("30 июня", "2020-06-30"),
        ("на 30 июня 2019 года", "2019-06-30"),
        ("5-го июня", "2020-06-05"),
        ("5го июня", "2020-06-05"),
        ("5-е июня", "2020-06-05"),
        ("тридцатого июня", "2020-06-30"),
        ("двадцать первого июня", "2020-06-21"),
        ("пятое июня", "2020-06-05"),
        ("к 15 июня", "2020-06-15"),
        ("по 15 июня", "2020-06-15"),
        ("на 1 января", "2020-01-01"),
        ("15 июня прошлого года", "2019-06-15"),
        ("от 15.06", "2020-06-15"),
        ("на 10.06", "2020-06-10"),
        ("за 5.06", "2020-06-05"),
        ("29 февраля", "2020-02-29"),
        ("June 15", "2020-06-15"),
        ("June 15, 2019", "2019-06-15"),
        ("June 15th", "2020-06-15"),
        ("15 June 2019", "2019-06-15"),
        ("the 15th of June", "2020-06-15"),
        ("as of June 30, 2020", "2020-06-30"),
        ("June 15 last year", "2019-06-15"),
        # a day of the month in question
        ("15 числа", "2020-06-15"),
        ("к 20 числу", "2020-06-20"),
        ("пятнадцатого числа", "2020-06-15"),
        ("от третьего", "2020-06-03"),
        ("за 15-е", "2020-06-15"),
        ("по 15-е", "2020-06-15"),
        ("до 20-го", "2020-06-20"),
        ("on the 5th", "2020-06-05"),
        # days in a row
        ("с 1 по 15 июня", "2020-06-01..2020-06-15"),
        ("с 1 июня по 15 июня", "2020-06-01..2020-06-15"),
        ("с 1-го по 15-е июня", "2020-06-01..2020-06-15"),
        ("с первого по пятнадцатое июня", "2020-06-01..2020-06-15"),
        ("1-15 июня", "2020-06-01..2020-06-15"),
        ("1–15 июня 2019", "2019-06-01..2019-06-15"),
        ("между 1 и 15 июня", "2020-06-01..2020-06-15"),
        ("с 25 мая по 5 июня", "2020-05-25..2020-06-05"),
        ("с 25 декабря по 10 января", "2019-12-25..2020-01-10"),
        ("с 1 июня 2020 г. по 15 июня 2020 г.", "2020-06-01..2020-06-15"),
        ("с 15 декабря 2019 по 15 января 2020", "2019-12-15..2020-01-15"),
        ("с 1 по 15 июня прошлого года", "2019-06-01..2019-06-15"),
        ("с 01.06 по 15.06", "2020-06-01..2020-06-15"),
        ("с 01.05 по 15.05", "2020-05-01..2020-05-15"),
        ("с 01.06 по 15.06.2020", "2020-06-01..2020-06-15"),
        ("с 01.06.2020 по 15.06.2020", "2020-06-01..2020-06-15"),
        ("01.06.2020-15.06.2020", "2020-06-01..2020-06-15"),
        ("за период с 01.06.20 по 30.06.20", "2020-06"),
        ("с 1 по 15 число", "2020-06-01..2020-06-15"),
        ("с 5-го по 10-е", "2020-06-05..2020-06-10"),
        ("from June 1 to June 15", "2020-06-01..2020-06-15"),
        ("from June 1 to 15", "2020-06-01..2020-06-15"),
        ("June 1-15", "2020-06-01..2020-06-15"),
        ("June 1–15, 2019", "2019-06-01..2019-06-15"),
        ("from June 1, 2020 to June 15, 2020", "2020-06-01..2020-06-15"),
        ("1-15 June", "2020-06-01..2020-06-15"),
        ("between 1 and 15 June", "2020-06-01..2020-06-15"),
        # relative to today
        ("вчера", "2020-06-30"),
        ("позавчера", "2020-06-29"),
        ("за вчерашний день", "2020-06-30"),
        ("прошлый месяц", "2020-06"),
        ("в прошлом месяце", "2020-06"),
        ("за последний месяц", "2020-06"),
        ("за этот месяц", "2020-07"),
        ("в следующем месяце", "2020-08"),
        ("на прошлой неделе", "2020-06-22..2020-06-28"),
        ("на этой неделе", "2020-06-29..2020-07-05"),
        ("прошлый квартал", "2020-04..2020-06"),
        ("в текущем квартале", "2020-07..2020-09"),
        ("за последние 3 месяца", "2020-04..2020-06"),
        ("за последние три месяца", "2020-04..2020-06"),
        ("за 3 месяца", "2020-04..2020-06"),
        ("за последние 30 дней", "2020-06-01..2020-06-30"),
        ("за последние две недели", "2020-06-17..2020-06-30"),
        ("за последние 2 квартала", "2020-01..2020-06"),
        ("за полгода", "2020-01..2020-06"),
        ("за полтора года", "2019-01..2020-06"),
        ("с начала года", "2020-01-01..2020-07-01"),
        ("с начала квартала", "2020-04-01..2020-07-01"),
        ("год к году", "2019"),
        ("год назад", "2019"),
        ("месяц назад", "2020-06"),
        ("два месяца назад", "2020-05"),
        ("2 недели назад", "2020-06-15..2020-06-21"),
        ("полгода назад", "2020-01"),
        ("yesterday", "2020-06-30"),
        ("the day before yesterday", "2020-06-29"),
        ("last month", "2020-06"),
        ("this month", "2020-07"),
        ("next month", "2020-08"),
        ("last week", "2020-06-22..2020-06-28"),
        ("past quarter", "2020-04..2020-06"),
        ("last 3 months", "2020-04..2020-06"),
        ("over the last three months", "2020-04..2020-06"),
        ("past 30 days", "2020-06-01..2020-06-30"),
        ("last six months", "2020-01..2020-06"),
        ("YTD", "2020-01-01..2020-07-01"),
        ("year to date", "2020-01-01..2020-07-01"),
        ("year-to-date", "2020-01-01..2020-07-01"),
        ("quarter to date", "2020-04-01..2020-07-01"),
        ("year on year", "2019"),
        ("YoY", "2019"),
        ("a year ago", "2019"),
        ("6 months ago", "2020-01"),
        # seasons
        ("зимой", "2019-12..2020-02"),
        ("за зиму", "2019-12..2020-02"),
        ("зима 2019", "2018-12..2019-02"),
        ("весной", "2020-03..2020-05"),
        ("летом", "2020-06..2020-08"),
        ("лето 2019", "2019-06..2019-08"),
        ("осенью", "2019-09..2019-11"),
        ("этим летом", "2020-06..2020-08"),
        ("прошлым летом", "2019-06..2019-08"),
        ("с прошлого лета", "2019-06..2019-08"),
        ("летом прошлого года", "2019-06..2019-08"),
        ("прошлой осенью", "2019-09..2019-11"),
        ("летние продажи", "2020-06..2020-08"),
        ("in spring", "2020-03..2020-05"),
        ("summer 2019", "2019-06..2019-08"),
        ("last summer", "2019-06..2019-08"),
        ("since last winter", "2019-12..2020-02"),
        # known gaps
        gap("с 1 июня", "2020-06-01..2020-07-01", OPEN_END),
        gap("с мая", "2020-05-01..2020-07-01", OPEN_END),
        gap("since January", "2020-01-01..2020-07-01", OPEN_END),
        gap("в первой половине июня", "2020-06-01..2020-06-15", PART_OF_MONTH),
        gap("за первую декаду июня", "2020-06-01..2020-06-10", PART_OF_MONTH),
        gap("the first half of June", "2020-06-01..2020-06-15", PART_OF_MONTH),
        gap("за первые три месяца", "2020-01..2020-03", "an ordinal before a count of units is not read"),
        gap("за квартал", "2020-04..2020-06", "a bare unit is the current one, also on its first day"),
        gap("с начала месяца", "2020-06-01..2020-07-01", "to date is read of a quarter and a year only"),
        gap("month to date", "2020-06-01..2020-07-01", "to date is read of a quarter and a year only"),
    ],
)
def test_a_period_means_these_days(analyser: Analyser, text: str, expected: str) -> None:
    assert [days(expected)] == periods_of(analyser, text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("июнь и май", ["2020-06", "2020-05"]),
        ("июнь к маю", ["2020-06", "2020-05"]),
        ("июнь 2020 против июня 2019", ["2020-06", "2019-06"]),
        ("июнь к июню прошлого года", ["2020-06", "2019-06"]),
        ("2 квартал против 1 квартала", ["2020-04..2020-06", "2020-01..2020-03"]),
        ("за 2019 и 2020 годы", ["2019", "2020"]),
        ("реализации от 5 июня и от 15 июня", ["2020-06-05", "2020-06-15"]),
        ("June vs May", ["2020-06", "2020-05"]),
        ("June versus June last year", ["2020-06", "2019-06"]),
        ("Q2 against Q1 2019", ["2020-04..2020-06", "2019-01..2019-03"]),
        pytest.param("в июне 2019 и 2020", ["2019-06", "2020-06"], marks=pytest.mark.xfail(reason=LISTED)),
        pytest.param("5 и 15 июня", ["2020-06-05", "2020-06-15"], marks=pytest.mark.xfail(reason=LISTED)),
    ],
)
def test_two_periods_are_two(analyser: Analyser, text: str, expected: list[str]) -> None:
    assert [days(e) for e in expected] == periods_of(analyser, text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "остаток по кассе",
        "balance of cash",
        # a number that is no date
        "топ 10 клиентов",
        "счёт 62.01",
        "по счёту 10.06",
        "документ № 2020",
        "31.06.2020",
        "32.01.2020",
        "2020 руб.",
        "15/20",
        # a length of time is no period
        "просрочка 30 дней",
        "больше 3 месяцев",
        "долги старше 6 месяцев",
        "over 90 days",
        "свыше 3 лет",
        "хранить 5 лет",
        "weeks ago",
        # words that only look like a month
        "маржа по товарам",
        "марка продукции",
        "декларация по НДС",
        "may I see the balance",
        "May we post it",
        "we may close the account",
        "сентенция",
        # «год», «день» in a set phrase
        "день добрый",
        "good day",
        "сколько лет хранить документы",
    ],
)
def test_what_names_no_period_gives_none(analyser: Analyser, text: str) -> None:
    assert [] == periods_of(analyser, text)


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("выручка за июнь 2020 г. по складам", "июнь 2020 г."),
        ("остаток на 30 июня 2020 года", "30 июня 2020 года"),
        ("итоги 2 кв. 2020", "2 кв. 2020"),
        ("оплаты с 1 по 15 июня от клиентов", "с 1 по 15 июня"),
        ("платежи с 01.06.2020 по 15.06.2020", "с 01.06.2020 по 15.06.2020"),
        ("чем прошлый июнь лучше", "прошлый июнь"),
        ("сравни с июнем прошлого года", "июнем прошлого года"),
        ("за последние три месяца", "последние три месяца"),
        ("приход от третьего", "третьего"),
        ("два года назад", "два года назад"),
        ("sales of June, 2020 by item", "June, 2020"),
        ("payments from June 1 to 15", "from June 1 to 15"),
        ("growth over the last three months", "last three months"),
        ("the first half of the year", "first half of the year"),
        ("за\u00a0ию\u0301нь\u00a02020 — итого", "ию\u0301нь\u00a02020"),
    ],
)
def test_a_period_stands_on_these_words(analyser: Analyser, text: str, span: str) -> None:
    analysis = analyser.analyse(text)
    assert [span] == [text[slice(*analysis.span(m))] for m in analysis.mentions if m.type == "period"]


@pytest.mark.parametrize(
    ("text", "loaded", "as_of", "expected"),
    [
        # a month is the one that touches what is loaded, else the last that has ended
        ("июнь", "2020-06", "2021-02-10", "2020-06"),
        ("июнь", "2019", "2020-07-01", "2019-06"),
        ("июнь", "2019-01..2020-06", "2020-07-01", "2020-06"),
        ("май", "2020-06", "2020-05-20", "2019-05"),
        ("май", "2020-06", "2020-06-01", "2020-05"),
        ("December", "2019-12", "2020-07-01", "2019-12"),
        ("2 квартал", "2019", "2020-07-01", "2019-04..2019-06"),
        ("Q4", "2020-06", "2020-12-31", "2019-10..2019-12"),
        ("15 июня", "2019-06", "2020-07-01", "2019-06-15"),
        ("с 25 декабря по 10 января", "2019-12", "2020-07-01", "2019-12-25..2020-01-10"),
        ("с 25 декабря по 10 января", "2020-06", "2020-01-05", "2018-12-25..2019-01-10"),
        ("29 февраля", "2019-02", "2019-03-01", "2019-02-28"),
        ("31 числа", "2020-06", "2020-07-01", "2020-06-30"),
        ("15 числа", "2020-04..2020-06", "2020-07-01", "2020-06-15"),
        ("прошлый июнь", "2019-06", "2020-07-01", "2018-06"),
        ("прошлым летом", "2020-01", "2020-02-01", "2019-06..2019-08"),
        # relative periods count from today
        ("прошлый месяц", "2020-06", "2020-01-15", "2019-12"),
        ("прошлый квартал", "2020-06", "2020-01-15", "2019-10..2019-12"),
        ("last year", "2020-06", "2021-01-01", "2020"),
        ("this week", "2020-06", "2020-06-28", "2020-06-22..2020-06-28"),
        ("вчера", "2020-06", "2020-03-01", "2020-02-29"),
        ("за последние 3 месяца", "2020-06", "2020-02-15", "2019-11..2020-01"),
        ("с начала года", "2020-06", "2020-01-01", "2019-01-01..2020-01-01"),
        ("июнь прошлого года", "2020-06", "2021-03-01", "2020-06"),
        # dates need nothing
        ("30.06.2020", "2019-01", "2018-01-01", "2020-06-30"),
        ("за 2019", "2020-06", "2018-01-01", "2019"),
    ],
)
def test_dates_depend_on_what_is_loaded_and_on_today(
    analyser: Analyser, text: str, loaded: str, as_of: str, expected: str
) -> None:
    assert [days(expected)] == periods_of(analyser, text, days(loaded), date.fromisoformat(as_of))


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        (PeriodSpec("relative", (MONTH, -1)), "2020-05"),
        (PeriodSpec("relative", (QUARTER, -1)), "2020-01..2020-03"),
        (PeriodSpec("relative", (YEAR, -1, 6, 1, 6, 31)), "2019-06"),
        (PeriodSpec("relative", (WEEK, -1)), "2020-05-25..2020-05-31"),
        (PeriodSpec("last", (MONTH, 3)), "2020-04..2020-06"),
        (PeriodSpec("months", (5, 5)), "2020-05"),
    ],
)
def test_in_a_comparison_the_period_before_is_the_one_before_the_loaded(spec: PeriodSpec, expected: str) -> None:
    assert days(expected) == resolve_period(spec, JUNE, FIRST_OF_JULY, compared=True)


calendar_days = st.dates(date(2000, 1, 1), date(2030, 12, 31))
slices = st.tuples(calendar_days, st.integers(0, 400)).map(lambda s: (s[0], date.fromordinal(s[0].toordinal() + s[1])))
months = st.integers(1, 12)
month_days = st.integers(1, 31)
units = st.sampled_from((DAY, WEEK, MONTH, QUARTER, HALF, YEAR))
offsets = st.integers(-20, 3)
specs = st.one_of(
    st.tuples(months, months).map(lambda v: PeriodSpec("months", v)),
    st.tuples(months, months).map(lambda v: PeriodSpec("months_before", v)),
    st.tuples(month_days, months, month_days, months).map(lambda v: PeriodSpec("days", v)),
    st.lists(month_days, min_size=1, max_size=2).map(lambda v: PeriodSpec("day", tuple(v))),
    st.tuples(units, offsets).map(lambda v: PeriodSpec("relative", v)),
    st.tuples(st.just(YEAR), offsets, months, month_days, months, month_days).map(lambda v: PeriodSpec("relative", v)),
    st.tuples(units, st.integers(1, 400)).map(lambda v: PeriodSpec("last", v)),
    st.tuples(units).map(lambda v: PeriodSpec("to_date", v)),
    st.integers(1995, 2035).map(lambda y: PeriodSpec("year", (y,))),
)


@given(specs, slices, calendar_days, st.booleans())
def test_a_period_never_ends_before_it_begins(spec: PeriodSpec, loaded: DateRange, as_of: date, compared: bool) -> None:
    first, last = resolve_period(spec, loaded, as_of, compared=compared)
    assert first <= last


@given(st.tuples(months, months), slices, calendar_days)
def test_months_without_a_year_touch_what_is_loaded_or_have_ended(
    named: tuple[int, int], loaded: DateRange, as_of: date
) -> None:
    first, last = resolve_period(PeriodSpec("months", named), loaded, as_of)
    assert (first <= loaded[1] and last >= loaded[0]) or last < as_of
    assert (named[0], named[1], 1) == (first.month, last.month, first.day)


@given(months, slices, calendar_days)
def test_the_month_before_has_ended_when_the_loaded_begins(month: int, loaded: DateRange, as_of: date) -> None:
    first, last = resolve_period(PeriodSpec("months_before", (month, month)), loaded, as_of)
    assert last < loaded[0]
    assert (loaded[0] - last).days <= 366
    assert month == first.month == last.month


PERIOD_WORDS = """
с по за на от до и - . , ' 1 15 31 2 06 2019 2020 30.06.2020 10.06 31.02.2020 июнь июня мая май янв год года г прошлый прошлого этот
квартал кв полугодие месяц месяца недели назад последние три две числа го е первого двадцать пятое лето прошлым зимой начала вчера
from to between and of the June May Q H 20 half first second quarter year last this ago date day th
"""
words_of_periods = st.sampled_from(sorted(PERIOD_WORDS.split()))
phrases_of_periods = st.lists(words_of_periods, max_size=12).map(" ".join)


@given(phrases_of_periods)
def test_periods_stand_in_order_without_overlap_and_have_dates(phrase: str) -> None:
    """Whatever period words follow each other, each hit lies after the one before and means some days."""
    tokens = tokenise(normalise(phrase).text)
    end = -1
    for found in find_periods(tokens):
        assert end < found.first <= found.last < len(tokens)
        end = found.last
        first, last = resolve_period(found.spec, JUNE, FIRST_OF_JULY)
        assert first <= last


@given(calendar_days, st.sampled_from(("{0:%d.%m.%Y}", "{0:%d/%m/%Y}", "{0:%Y-%m-%d}", "от {0:%d.%m.%Y} г.")))
def test_a_written_date_means_itself(day: date, form: str) -> None:
    found = find_periods(tokenise(form.format(day)))
    assert [(day, day)] == [resolve_period(f.spec, JUNE, FIRST_OF_JULY) for f in found]
