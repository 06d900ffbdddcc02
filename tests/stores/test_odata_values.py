"""Values as they stand in answers → what they mean."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from stores.odata_values import composite, flag, integer, kopecks, moment, ref, short_type, text
from stores.records import created_of, vat_expected

ZERO = "00000000-0000-0000-0000-000000000000"
GUID = "8b9660f6-6332-11ec-ad72-000c29b45b09"
MOSCOW = ZoneInfo("Europe/Moscow")


@pytest.mark.parametrize(
    ("read", "value", "meant"),
    [
        (kopecks, 150129, 15012900),
        (kopecks, 22729.17, 2272917),
        (kopecks, 0.29, 29),
        (kopecks, -1.005, -100),
        (kopecks, "20000,5", 2000050),
        (kopecks, 12345678901234.56, 1234567890123456),
        (kopecks, None, 0),
        (integer, "17", 17),
        (integer, 17, 17),
        (text, "  ", ""),
        (text, None, ""),
        (flag, None, False),
        (flag, "true", True),
        (ref, ZERO, None),
        (ref, "", None),
        (ref, GUID.upper(), GUID),
        (moment, "0001-01-01T00:00:00", None),
        (moment, "2021-12-22T17:22:08", datetime(2021, 12, 22, 17, 22, 8)),
        (short_type, "StandardODATA.Undefined", ""),
        (short_type, "StandardODATA.Catalog_Контрагенты", "Catalog_Контрагенты"),
    ],
)
def test_a_value_is_read(read: Callable[[Any], Any], value: Any, meant: Any) -> None:
    assert meant == read(value)


@pytest.mark.parametrize(
    ("value", "kind", "meant"),
    [
        ("", "StandardODATA.Undefined", None),
        (ZERO, "StandardODATA.Catalog_Контрагенты", None),
        (GUID, "StandardODATA.Catalog_Контрагенты", GUID),
        ("НДС20 ", "StandardODATA.СтавкиНДС", "НДС20"),
        (None, None, None),
    ],
)
def test_a_composite_is_empty_in_three_ways(value: Any, kind: Any, meant: Any) -> None:
    assert meant == composite(value, kind)


@pytest.mark.parametrize(
    ("read", "value"),
    [(kopecks, "abc"), (kopecks, True), (kopecks, float("nan")), (kopecks, 1e300), (ref, "x"), (moment, "31.06.2020"), (moment, 5), (integer, 1.5), (flag, "да")],
)  # fmt: skip
def test_nonsense_is_refused(read: Callable[[Any], Any], value: Any) -> None:
    with pytest.raises(ValueError, match=r".+"):
        read(value)


@pytest.mark.parametrize(
    ("guid", "created"),
    [
        ("8b9660f6-6332-11ec-ad72-000c29b45b09", "2021-12-22T17:22:08"),  # a real sale, whose Date says the same
        (
            "c5a0384c-e9e4-11e5-4487-000c295e30eb",
            "2016-03-14T16:00:48",
        ),  # a real purchase of 2015-12-31; its variant is not RFC 4122
        ("8b9660f6-6332-41ec-ad72-000c29b45b09", None),
        (None, None),
    ],
)
def test_a_reference_tells_when_it_was_made(guid: str | None, created: str | None) -> None:
    assert (datetime.fromisoformat(created) if created else None) == created_of(guid, MOSCOW)


@pytest.mark.parametrize(
    ("amount", "rate", "included", "vat"),
    [
        (13637500, "НДС20", True, 2272917),  # both lines of a real sale
        (1375400, "НДС20", True, 229233),
        (2000000, "БезНДС", False, 0),
        (1000000, "НДС20", False, 200000),
        (1100000, "НДС10", True, 100000),
        (1000000, "НДС20_120", True, None),
    ],
)
def test_vat_of_a_row(amount: int, rate: str, included: bool, vat: int | None) -> None:
    assert vat == vat_expected(amount, rate, included)
