"""Tables that people read: whole columns are left out before words are broken to pieces."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from service.fitting_table import Column, FittingTable

NAMES = Column("Контрагент", ["Северный ветер ООО", "Кедр ООО"])
PAID = Column("Оплачено", ["572 170,88", "470 393,40"], right=True, whole=True)
TIED = Column("Связано с документами", ["572 170,88", ""], right=True, whole=True)
SHIPPED = Column("Отгружено", ["1 633 016,68", "931 278,14"], right=True, whole=True)


def shown(table: FittingTable, width: int) -> str:
    out = io.StringIO()
    Console(file=out, width=width).print(table)
    return out.getvalue()


@pytest.mark.parametrize(
    ("width", "kept"),
    [
        (80, ["Контрагент", "Оплачено", "Связано с документами", "Отгружено"]),
        (45, ["Контрагент", "Оплачено", "Связано с документами"]),  # 15 + 11 + 14, and 13 more would be 53
        (30, ["Контрагент", "Оплачено"]),
        (5, ["Контрагент", "Оплачено"]),
    ],
)
def test_columns_that_have_no_room_are_left_out_from_the_right(width: int, kept: list[str]) -> None:
    assert kept == [
        c.heading for c in FittingTable([NAMES, PAID, TIED, SHIPPED], "Не поместились столбцы").fitting(width)
    ]


def test_what_is_left_out_is_named_and_no_sum_is_cut() -> None:
    text = shown(FittingTable([NAMES, PAID, TIED, SHIPPED], "Не поместились столбцы"), 45)
    assert "Не поместились столбцы: Отгружено (--json)" in text
    assert 2 == text.count("572 170,88")
    assert "470 393,40" in text


def test_markup_in_a_cell_is_text() -> None:
    assert "[red]ООО[/red]" in shown(FittingTable([Column("Имя", ["[red]ООО[/red]"])], "x"), 80)
