"""Words typed in the wrong script: look-alike letters, transliteration.

>>> fold_lookalikes("cчет")
'счет'
>>> from_translit("pokazhi")
('покажи',)
"""

from __future__ import annotations

import re
from functools import lru_cache

_LOOKALIKE = str.maketrans("aceopxykmhtb", "асеорхукмнтв")
_LATIN = frozenset("abcdefghijklmnopqrstuvwxyz")

# GOST 7.79 system B and what people type in chats; longer first.
_DIGRAPHS = (
    ("shch", "щ"), ("iya", "ия"), ("iyu", "ию"), ("aya", "ая"), ("uyu", "ую"), ("yaya", "яя"), ("yuyu", "юю"), ("yo", "е"), ("jo", "е"), ("zh", "ж"), ("kh", "х"), ("ts", "ц"), ("ch", "ч"), ("sh", "ш"),
    ("yu", "ю"), ("ju", "ю"), ("ya", "я"), ("ja", "я"), ("iy", "ий"), ("yy", "ый"), ("ij", "ий"), ("ej", "ей"), ("oj", "ой"), ("ey", "ей"), ("oy", "ой"), ("ay", "ай"), ("uy", "уй"),
)  # fmt: skip
_SINGLES = dict(zip("abvgdezijklmnoprstufhcyx'w", "абвгдезийклмнопрстуфхцыхьв", strict=True))


def fold_lookalikes(key: str) -> str:
    """A mixed-script word as Cyrillic when all its Latin letters look Cyrillic, else unchanged."""
    folded = key.translate(_LOOKALIKE)
    return key if any(c in _LATIN for c in folded) else folded


_LAYOUT = str.maketrans("qwertyuiop[]asdfghjkl;'zxcvbnm,.`", "йцукенгшщзхъфывапролджэячсмитьбюе")
_SCH = ("сч", "щ")


def from_layout(text: str) -> str:
    """What the same keys give on a Russian keyboard; as long as ``text``.

    >>> from_layout("rfrbt ljrevtyns")
    'какие документы'
    """
    return text.lower().translate(_LAYOUT)


_HARD_L = re.compile("л(?=[бвгджзкмнпрстфхцчшщ])")


def soften(reading: str) -> str:
    """The soft sign that chats leave out after л.

    >>> soften("сколко")
    'сколько'
    """
    return _HARD_L.sub("ль", reading)


@lru_cache(maxsize=50_000)
def from_translit(key: str) -> tuple[str, ...]:
    """Cyrillic readings of a word in Latin letters, likeliest first, by chat habits; empty when a letter has none."""
    if "sch" in key and "shch" not in key:
        return tuple(r for sch in _SCH for r in (_read(key, sch),) if r)
    reading = _read(key, "щ")
    return (reading,) if reading else ()


def _read(key: str, sch: str) -> str:
    out: list[str] = []
    i = 0
    while i < len(key):
        if key.startswith("sch", i):
            out.append(sch)
            i += 3
            continue
        for latin, cyrillic in _DIGRAPHS:
            if key.startswith(latin, i):
                out.append(cyrillic)
                i += len(latin)
                break
        else:
            single = _SINGLES.get(key[i])
            if single is None:
                return ""
            out.append(single)
            i += 1
    return "".join(out)
