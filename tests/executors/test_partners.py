"""Which counterparty a name means: inflection, legal forms, parts, Latin letters; and the nearest names where none does."""

from __future__ import annotations

import pytest

from executors.context import default_analyser
from executors.partners import NamedPartner, Partner, PartnerIndex

NAMES = (
    "Альфа ООО", "Вектор ООО", "Пять озёр ООО", "Строительная компания Монолит ООО", "Меридиан Плюс ООО", "Ромашка Трейд Групп ООО", "Ромашка Трэйд Групп ООО", "Логистика 24 ООО",
    "Банк Восход АО", "Зелёный луч ООО", "ИП Кравцов", "Кедр ООО",
)  # fmt: skip


@pytest.fixture(scope="module")
def index() -> PartnerIndex:
    return PartnerIndex([Partner(str(n), name) for n, name in enumerate(NAMES)], default_analyser().lemmatiser.lemma)


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("Альфа", ["Альфа ООО"]),
        ("Альфы", ["Альфа ООО"]),
        ("Альфой", ["Альфа ООО"]),
        ("ООО «Альфа»", ["Альфа ООО"]),
        ("Вектору", ["Вектор ООО"]),
        ("вектором", ["Вектор ООО"]),
        ("Vector", ["Вектор ООО"]),
        ("Vektor", ["Вектор ООО"]),
        ("Alpha", ["Альфа ООО"]),
        ("Alfa LLC", ["Альфа ООО"]),
        ("Пяти озёр", ["Пять озёр ООО"]),
        ("Монолита", ["Строительная компания Монолит ООО"]),
        ("Меридиан", ["Меридиан Плюс ООО"]),
        ("Логистики 24", ["Логистика 24 ООО"]),
        ("АО Банк Восход", ["Банк Восход АО"]),
        ("Зелёным лучом", ["Зелёный луч ООО"]),
        ("Кравцова", ["ИП Кравцов"]),
        ("Кедром", ["Кедр ООО"]),
        ("Ромашка Трейд Групп", ["Ромашка Трейд Групп ООО"]),
        ("Ромашка", ["Ромашка Трейд Групп ООО", "Ромашка Трэйд Групп ООО"]),
    ],
)
def test_a_name_is_found(said: str, names: list[str], index: PartnerIndex) -> None:
    assert [p.name for p in index.find(said).partners] == names


@pytest.mark.parametrize(
    ("said", "nearest"),
    [
        ("Альва", "Альфа ООО"),
        ("Вектра", "Вектор ООО"),
        ("Vectro", "Вектор ООО"),
        ("Маналит", "Строительная компания Монолит ООО"),
    ],
)
def test_an_unknown_name_gets_the_nearest(said: str, nearest: str, index: PartnerIndex) -> None:
    found = index.find(said)
    assert (found.partners, found.nearest[0]) == ((), nearest)


@pytest.mark.parametrize("said", ["", "ООО", "«»", "???"])
def test_no_name_means_nobody(said: str, index: PartnerIndex) -> None:
    assert index.find(said) == NamedPartner(said, ())
