"""Values of OData answers → plain values: tiny pure functions.

Each takes what stood in the record, returns None for what 1C calls empty, and raises ValueError for what cannot be meant.

>>> kopecks(22729.17), kopecks("20000"), kopecks(None)
(2272917, 2000000, 0)
>>> moment("0001-01-01T00:00:00") is None, ref("00000000-0000-0000-0000-000000000000") is None
(True, True)
"""

from __future__ import annotations

import re
from datetime import datetime
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Any

ZERO_REF = "00000000-0000-0000-0000-000000000000"
UNDEFINED = "StandardODATA.Undefined"
MAX_KOPECKS = 2**62
REMEMBERED = 1 << 16  # the rows of a document repeat its references and its date

_GUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


def kopecks(value: Any) -> int:
    """Roubles as number or string → integer kopecks; null is 0, as an unfilled number is."""
    if type(value) is float and -1e15 < value < 1e15:  # nearly every sum; not a number fails both comparisons
        return round(value * 100)
    if value is None or value == "":
        return 0
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError(f"a {type(value).__name__} is no sum")
    if isinstance(value, float):
        if not abs(value) < MAX_KOPECKS / 100:  # NaN and infinities too
            raise ValueError(f"{value} is no sum")
        return round(value * 100)
    if isinstance(value, int):
        found = value * 100
    else:
        try:
            found = int((Decimal(value.strip().replace(",", ".")) * 100).to_integral_value())
        except (InvalidOperation, ValueError, OverflowError) as error:
            raise ValueError(f"{value!r} is no sum") from error
    if abs(found) > MAX_KOPECKS:
        raise ValueError(f"{value} is out of range")
    return found


def quantity(value: Any) -> float:
    """A quantity; null is 0."""
    if value is None or value == "":
        return 0.0
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError(f"a {type(value).__name__} is no quantity")
    return float(value)


def integer(value: Any) -> int:
    """Int64, which the wire sends as a string."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise ValueError(f"{value!r} is no integer")
    found = int(value)
    if abs(found) > MAX_KOPECKS:
        raise ValueError(f"{value} is out of range")
    return found


def text(value: Any) -> str:
    """Text without the padding of fixed-length strings and without NUL, which PostgreSQL cannot hold; null is empty."""
    return "" if value is None else str(value).replace("\0", "").strip()


def flag(value: Any) -> bool:
    """A boolean; null is False."""
    if value is None:
        return False
    if isinstance(value, bool):
        return value
    if value in ("true", "false"):
        return bool(value == "true")
    raise ValueError(f"{value!r} is neither true nor false")


@lru_cache(REMEMBERED)
def ref(value: Any) -> str | None:
    """A GUID in lower case; None for the zero GUID, the empty string and null."""
    if value is None or value == "" or value == ZERO_REF:
        return None
    if isinstance(value, str) and _GUID.fullmatch(value):
        return value.lower()
    raise ValueError(f"{value!r} is no GUID")


def composite(value: Any, kind: Any) -> str | None:
    """A value of composite type: a GUID or a plain value; None where its type is Undefined or it is empty."""
    if value is None or value == "" or value == ZERO_REF or kind == UNDEFINED:
        return None
    return str(value).lower() if isinstance(value, str) and _GUID.fullmatch(value) else text(value) or None


@lru_cache(REMEMBERED)
def moment(value: Any) -> datetime | None:
    """Local date and time, no offset; None for 0001-01-01. An offset, where one stands, is dropped: 1C's dates are local."""
    if value is None or value == "":
        return None
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is no date")
    found = datetime.fromisoformat(value).replace(tzinfo=None)
    return None if found.year == 1 else found


@lru_cache(REMEMBERED)
def short_type(value: Any) -> str:
    """``StandardODATA.Document_X`` → ``Document_X``; Undefined is empty."""
    found = text(value).removeprefix("StandardODATA.")
    return "" if found == "Undefined" else found
