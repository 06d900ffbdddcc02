"""The words of the calendar, and what one of them alone may be: a month, a season, a unit, an ordinal, the beginning of a period.

>>> month_of("ru", "июньский"), season_of("весной"), unit_of("кварталам") == QUARTER, worded_day("пятнадцатого")
(6, (3, 5), True, 15)
"""

from __future__ import annotations

from functools import lru_cache

from features.periods import DAY, HALF, MONTH, QUARTER, WEEK, YEAR, PeriodSpec
from features.wordlists import word_list

# months and seasons

_MONTH_STEMS_RU = (
    "январ",
    "феврал",
    "март",
    "апрел",
    "ма",
    "июн",
    "июл",
    "август",
    "сентябр",
    "октябр",
    "ноябр",
    "декабр",
)
_MONTHS_RU_SHORT = {stem[:3]: number for number, stem in enumerate(_MONTH_STEMS_RU, 1) if number != 5}
_MONTH_ABBREVIATIONS = frozenset(
    ("янв", "фев", "февр", "мар", "апр", "июн", "июл", "авг", "сен", "сент", "окт", "ноя", "нояб", "дек")
)
_MAY_RU = frozenset(("май", "мая", "маю", "маем", "мае"))
MONTHS_EN = {
    name: number
    for number, names in enumerate(
        (
            "january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
            "september sep sept", "october oct", "november nov", "december dec",
        ),
        1,
    )
    for name in names.split()
}  # fmt: skip
DOUBTFUL_EN = frozenset(("may", "march", "mar", "jan", "sep", "dec", "jun", "aug"))
MONTH_BEFORE_EN = word_list("words_before_a_month_en")
ABBREVIATIONS = _MONTH_ABBREVIATIONS | frozenset(
    ("кв", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec")
)
_SEASONS = {
    "зима": (12, 2),
    "весна": (3, 5),
    "лето": (6, 8),
    "осень": (9, 11),
    "spring": (3, 5),
    "summer": (6, 8),
    "autumn": (9, 11),
    "winter": (12, 2),
}
_SEASON_FORMS = {
    form: months
    for stem, months in (("зим", (12, 2)), ("весн", (3, 5)), ("лет", (6, 8)), ("осен", (9, 11)))
    for form in (stem + end for end in ("а", "ы", "у", "ой", "ом", "о", "ь", "и", "ью", "е"))
} | _SEASONS  # fmt: skip
for _not_season in ("лет", "лета"):
    _SEASON_FORMS.pop(_not_season, None)
_SEASON_ADJECTIVES = (("зимни", (12, 2)), ("весенн", (3, 5)), ("летни", (6, 8)), ("осенн", (9, 11)))


@lru_cache(maxsize=50_000)
def month_of(kind: str, key: str) -> int:
    """Month that a word may name, 0 for any other word; whether "may" or "march" is one depends on the words around."""
    if kind == "en":
        return MONTHS_EN.get(key, 0)
    if kind != "ru":
        return 0
    if key in _MAY_RU or key.startswith("майск"):
        return 5
    number = _MONTHS_RU_SHORT.get(key[:3], 0)
    if not number:
        return 0
    stem = _MONTH_STEMS_RU[number - 1]
    if key.startswith(stem):
        return number if len(key) <= len(stem) + 3 or key.startswith(("ьск", "ск", "овск"), len(stem)) else 0
    return number if key in _MONTH_ABBREVIATIONS else 0


def season_of(key: str) -> tuple[int, int] | None:
    """First and last month of the season that a word names: «зимой», «весенний», "summer"."""
    adjectives = (months for stem, months in _SEASON_ADJECTIVES if key.startswith(stem))
    return _SEASON_FORMS.get(key) or next(adjectives, None)


# units

_UNITS = {
    "день": DAY, "сутки": DAY, "неделя": WEEK, "месяц": MONTH, "квартал": QUARTER, "полугодие": HALF, "год": YEAR,
    "day": DAY, "week": WEEK, "month": MONTH, "quarter": QUARTER, "half": HALF, "year": YEAR, "кв": QUARTER, "г": YEAR,
}  # fmt: skip
_UNIT_STEMS = (
    ("недел", WEEK), ("месяц", MONTH), ("квартал", QUARTER), ("полугод", HALF), ("сутк", DAY), ("суток", DAY),
    ("week", WEEK), ("month", MONTH), ("quarter", QUARTER), ("year", YEAR),
)  # fmt: skip
_UNIT_FORMS = {
    "год": YEAR,
    "года": YEAR,
    "году": YEAR,
    "годом": YEAR,
    "годы": YEAR,
    "лет": YEAR,
    "г": YEAR,
    "гг": YEAR,
    "день": DAY,
    "дня": DAY,
    "дней": DAY,
    "дни": DAY,
    "днем": DAY,
    "day": DAY,
    "days": DAY,
    "кв": QUARTER,
}
UNITS_AGO = {
    "день": DAY, "неделю": WEEK, "месяц": MONTH, "квартал": QUARTER, "год": YEAR,
    "day": DAY, "week": WEEK, "month": MONTH, "quarter": QUARTER, "year": YEAR,
}  # fmt: skip
BARE_UNITS = {
    "полугодие": HALF,
    "полугодия": HALF,
    "полугодию": HALF,
    "полугодием": HALF,
    "квартал": QUARTER,
    "квартала": QUARTER,
    "кварталу": QUARTER,
    "кварталом": QUARTER,
}
ONE_UNIT = frozenset(("квартал", "кв", "полугодие", "quarter", "half"))


@lru_cache(maxsize=50_000)
def unit_of(key: str) -> int:
    """Calendar unit that a word names, -1 for any other word."""
    unit = _UNIT_FORMS.get(key)
    if unit is not None:
        return unit
    return next((value for stem, value in _UNIT_STEMS if key.startswith(stem) and len(key) <= len(stem) + 4), -1)


# numbers and days in words

_ORDINAL_UNIT = {
    "перв": 1,
    "втор": 2,
    "трет": 3,
    "четверт": 4,
    "first": 1,
    "second": 2,
    "third": 3,
    "fourth": 4,
    "i": 1,
    "ii": 2,
    "iii": 3,
    "iv": 4,
}
_WORDED_DAYS = {
    stem: number
    for number, stem in enumerate(
        (
            "перв", "втор", "трет", "четверт", "пят", "шест", "седьм", "восьм", "девят", "десят", "одиннадцат", "двенадцат", "тринадцат",
            "четырнадцат", "пятнадцат", "шестнадцат", "семнадцат", "восемнадцат", "девятнадцат", "двадцат",
        ),
        1,
    )
} | {"тридцат": 30}  # fmt: skip
_ORDINAL_ENDINGS = frozenset(("ого", "ому", "ое", "ым", "ий", "ьего", "ьему", "ье", "ом"))
NUMBER_WORDS = {"два": 2, "две": 2, "двух": 2, "три": 3, "трех": 3, "четыре": 4, "пять": 5, "шесть": 6, "two": 2, "three": 3, "four": 4, "six": 6, "twelve": 12, "девять": 9, "nine": 9, "полгода": 6}  # fmt: skip
FIRST_YEAR, LAST_YEAR = 1995, 2035
NUMBERED_THINGS = ("договор", "contract", "контракт", "№", "#", "номер", "agreement", "соглашен", "акт")


@lru_cache(maxsize=50_000)
def ordinal_of(key: str) -> int:
    """Number that an ordinal word names in front of a unit, 0 for any other word."""
    stems = (n for stem, n in _ORDINAL_UNIT.items() if key == stem or (len(stem) > 3 and key.startswith(stem)))
    return next(stems, 0)


@lru_cache(maxsize=50_000)
def worded_day(key: str) -> int:
    """Day that an ordinal word names: «третьего» 3, «тридцатое» 30; 0 for any other word."""
    for cut in (3, 4, 2):
        if len(key) > cut + 2 and key[-cut:] in _ORDINAL_ENDINGS:
            day = _WORDED_DAYS.get(key[:-cut])
            if day:
                return day
    return 0


# words of direction

PREVIOUS = ("прошл", "предыдущ", "прошедш", "минувш")
PREVIOUS_EN = frozenset(("last", "previous", "prior", "past", "preceding"))
LATEST = ("последн",)
_CURRENT = ("текущ", "этот", "этом", "этого", "эта", "этой", "эту", "нынешн")
_CURRENT_EN = frozenset(("this", "current"))
_NEXT = ("следующ", "будущ")
_NEXT_EN = frozenset(("next", "coming"))


@lru_cache(maxsize=50_000)
def direction_of(kind: str, key: str) -> int | None:
    """How many units from the current one a word points: «позапрошлый» -2, "last" -1, «этот» 0, "next" 1; None for any other word."""
    if kind == "ru":
        if key.startswith("позапрошл"):
            return -2
        if key.startswith(PREVIOUS) or key.startswith(LATEST):
            return -1
        if key in _CURRENT or key.startswith(("текущ", "нынешн")):
            return 0
        return 1 if key.startswith(_NEXT) else None
    if key in PREVIOUS_EN:
        return -1
    if key in _CURRENT_EN:
        return 0
    return 1 if key in _NEXT_EN else None


# what joins, and what names a period outright

RANGE_OPENERS = frozenset(("с", "со", "from", "between", "между"))
RANGE_WORDS = frozenset(("-", "по", "до", "to", "till", "until", "through"))
BEFORE_YEAR = frozenset((",", "of", "the", "в", "месяц", "месяца", "месяце"))
_YEAR_BEFORE = PeriodSpec("relative", (YEAR, -1))
_THIS_YEAR = PeriodSpec("to_date", (YEAR,))
_THIS_QUARTER = PeriodSpec("to_date", (QUARTER,))
PHRASES: dict[str, tuple[tuple[tuple[str, ...], PeriodSpec], ...]] = {
    "вчера": (((), PeriodSpec("relative", (DAY, -1))),),
    "вчерашний": (((), PeriodSpec("relative", (DAY, -1))),),
    "вчерашнего": (((), PeriodSpec("relative", (DAY, -1))),),
    "позавчера": (((), PeriodSpec("relative", (DAY, -2))),),
    "yesterday": (((), PeriodSpec("relative", (DAY, -1))),),
    "day": ((("before", "yesterday"), PeriodSpec("relative", (DAY, -2))),),
    "год": ((("к", "году"), _YEAR_BEFORE),),
    "yoy": (((), _YEAR_BEFORE),),
    "ytd": (((), _THIS_YEAR),),
    "qtd": (((), _THIS_QUARTER),),
    "нового": ((("года",), _THIS_YEAR),),
    "new": ((("year",), _THIS_YEAR),),
    "year": (
        (("-", "on", "-", "year"), _YEAR_BEFORE),
        (("on", "year"), _YEAR_BEFORE),
        (("over", "year"), _YEAR_BEFORE),
        (("-", "over", "-", "year"), _YEAR_BEFORE),
        (("to", "date"), _THIS_YEAR),
        (("-", "to", "-", "date"), _THIS_YEAR),
    ),
    "quarter": ((("to", "date"), _THIS_QUARTER), (("-", "to", "-", "date"), _THIS_QUARTER)),
}
"""What stands after a first word, and the period that both name."""


# where a period can be

ORDINAL_MARKS = frozenset(("-", "го", "е", "ое", "ого", "му", "м", "й", "ый", "ом", "th", "st", "nd", "rd"))
"""What after a number may make it an ordinal: «15-го», «5го», "5th"."""

_ANCHOR_PREFIXES_RU = word_list("period_prefixes_ru")
_ANCHOR_STEMS_RU = ("поза", "прошл", "полг", "полуг", "полтор", "полмес", "полнед")
_ANCHOR_WORDS_EN = frozenset(
    (
        "yesterday",
        "ytd",
        "qtd",
        "yoy",
        "new",
        "q",
        "h",
        "i",
        "ii",
        "iii",
        "iv",
        "half",
        "first",
        "second",
        "third",
        "fourth",
    )
)
_LEADING = word_list("words_that_open_a_period")
_LEADING_STEMS = (
    *PREVIOUS,
    *LATEST,
    *_NEXT,
    "позапрош",
    "текущ",
    "нынешн",
    "этот",
    "этом",
    "этого",
    "эта",
    "этой",
    "эту",
    "перв",
    "втор",
    "трет",
    "четверт",
)


@lru_cache(maxsize=50_000)
def is_anchor(kind: str, key: str) -> bool:
    """Whether a period can stand on, or begin within two tokens before, such a token."""
    if kind in ("number", "code", "date"):
        return True
    if kind == "ru":
        return key[:3] in _ANCHOR_PREFIXES_RU or key.startswith(_ANCHOR_STEMS_RU) or key == "пол" or worded_day(key) > 0
    if kind == "en":
        return (
            key in MONTHS_EN
            or key in _UNITS
            or key in _SEASONS
            or key in _ANCHOR_WORDS_EN
            or key.startswith(("week", "month", "quarter", "year", "day"))
        )
    return False


@lru_cache(maxsize=50_000)
def opens_period(key: str) -> bool:
    """Whether a word can open a period before its anchor: «с», «за», «прошлый», "last"."""
    return (
        key in _LEADING
        or key in RANGE_OPENERS
        or key in PREVIOUS_EN
        or key in _CURRENT_EN
        or key in _NEXT_EN
        or key in _ORDINAL_UNIT
        or key in NUMBER_WORDS
        or key.startswith(_LEADING_STEMS)
    )
