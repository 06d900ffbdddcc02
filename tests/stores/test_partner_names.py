"""Rule 10's names: what counts as the same, and that looking only at rare trigrams loses nothing."""

from __future__ import annotations

import random

import pytest

from stores.risk.partner_rules import alike_names, bare_name


def distance(a: str, b: str) -> int:
    """Levenshtein's distance, the whole table."""
    row = list(range(len(b) + 1))
    for i, left in enumerate(a, 1):
        before, row[0] = row[0], i
        for j, right in enumerate(b, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (left != right))
    return row[-1]


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ('ООО "Ромашка-Трейд"', "Ромашка Трэйд ООО", True),
        ("Строительная компания Монолит", "Строителная кампания Монолит", True),
        ("Ёлочный базар", "Елочный базар", True),
        ("ИП Иванов", "ООО Иванов", True),
        ("Магазин 12", "Магазин 13", False),
        ("Альфа", "Альба", False),
        ("Кедр", "Утро", False),
        ("ООО", "АО", False),
    ],
)
def test_names_alike(one: str, other: str, alike: bool) -> None:
    assert (sorted(ref for ref, _ in alike_names([("1", one), ("2", other)])) == ["1", "2"]) is alike


@pytest.mark.parametrize("seed", range(6))
def test_no_pair_is_lost_beside_comparing_all(seed: int) -> None:
    rng = random.Random(seed)
    names = ["".join(rng.choice("абвгд ") for _ in range(rng.randrange(1, 34))) for _ in range(40)]
    for name in names[:25]:
        letters = list(name)
        for _ in range(rng.randrange(1, 4)):
            at = rng.randrange(len(letters) + 1)
            letters[at : at + rng.randrange(2)] = rng.choice(("", "а", "е", "ж"))
        names.append("".join(letters))
    bare = [bare_name(n) for n in names]
    expected = set()
    for i, a in enumerate(bare):
        for j, b in enumerate(bare):
            if i != j and a and b and distance(a, b) <= max(len(a), len(b)) // 10:
                expected.add(str(i))
    assert {ref for ref, _ in alike_names((str(n), name) for n, name in enumerate(names))} == expected
    assert expected
