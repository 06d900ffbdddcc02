"""Which counterparty a name means: inflected, without its legal form, part of it, or in Latin letters; nearest names where none does."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from features.lemmas import Lemmatiser
from features.tokens import tokenise

if TYPE_CHECKING:
    from stores.reader import StoreReader

_FORMS = frozenset(
    ("ооо", "оао", "зао", "пао", "ао", "ип", "нко", "тоо", "фгуп", "муп", "ltd", "llc", "inc", "gmbh", "plc", "jsc", "llp")
)  # fmt: skip
_LATIN = str.maketrans({
    "а": "a", "б": "b", "в": "v", "г": "g", "д": "d", "е": "e", "ё": "e", "ж": "zh", "з": "z", "и": "i", "й": "i", "к": "k", "л": "l", "м": "m", "н": "n", "о": "o",
    "п": "p", "р": "r", "с": "s", "т": "t", "у": "u", "ф": "f", "х": "h", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "sch", "ъ": "", "ы": "y", "ь": "", "э": "e", "ю": "yu", "я": "ya",
})  # fmt: skip
_ALIKE_SOUNDS = (("ph", "f"), ("x", "ks"), ("ck", "k"), ("c", "k"), ("w", "v"), ("j", "y"), ("kh", "h"), ("y", "i"))
NEAREST = 3


@dataclass(frozen=True, slots=True)
class Partner:
    """A counterparty of the store."""

    ref: str
    name: str


@dataclass(frozen=True, slots=True)
class NamedPartner:
    """A name of a question: the counterparties it means, or, where none does, the nearest names. Several partners mean the name is ambiguous."""

    said: str
    partners: tuple[Partner, ...]
    nearest: tuple[str, ...] = ()


class PartnerIndex:
    """Counterparties of one store version by the lemmas of their names."""

    def __init__(self, partners: list[Partner], lemma: Callable[[str, str], str]) -> None:
        self._lemma = lemma
        self._partners = partners
        self._words = {p.ref: self._lemmas(p.name) for p in partners}
        self._latin = {p.ref: _latin(" ".join(_bare(p.name))) for p in partners}

    def find(self, said: str) -> NamedPartner:
        """Counterparties that ``said`` names: all its words, then part of a longer name, then the same stems, then the same sound in Latin letters."""
        words = self._lemmas(said)
        if not words:
            return NamedPartner(said, ())
        exact = [p for p in self._partners if self._words[p.ref] == words]
        if not exact:
            exact = [p for p in self._partners if _is_within(words, self._words[p.ref])]
        if not exact:
            stems = tuple(map(_stem, _bare(said)))
            exact = [p for p in self._partners if tuple(map(_stem, _bare(p.name))) == stems]
        if not exact and said.isascii():
            sound = _latin(" ".join(_bare(said)))
            exact = [p for p in self._partners if self._latin[p.ref] == sound]
        if exact:
            return NamedPartner(said, tuple(exact))
        return NamedPartner(said, (), self._nearest(said))

    def named_in(self, words: list[tuple[str, str]]) -> tuple[str, ...]:
        """Names that stand whole among capitalised ``words`` (as written, lemma): «документы Вектора»."""
        lemmas = [lemma for _, lemma in words]
        found = []
        for partner in self._partners:
            own = self._words[partner.ref]
            n = len(own)
            for i in range(len(words) - n + 1):
                if n and tuple(lemmas[i : i + n]) == own and words[i][0][:1].isupper():
                    found.append(" ".join(w for w, _ in words[i : i + n]))
                    break
        return tuple(dict.fromkeys(found))

    def _nearest(self, said: str) -> tuple[str, ...]:
        sound = _latin(" ".join(_bare(said)))
        by_sound: dict[str, list[str]] = {}
        for p in self._partners:
            for key in (self._latin[p.ref], *self._latin[p.ref].split()):
                by_sound.setdefault(key, []).append(p.name)
        close = difflib.get_close_matches(sound, by_sound, n=2 * NEAREST, cutoff=0.5)
        return tuple(dict.fromkeys(name for key in close for name in by_sound[key]))[:NEAREST]

    def _lemmas(self, name: str) -> tuple[str, ...]:
        kinds = {t.key: t.kind for t in tokenise(name)}
        return tuple(self._lemma(word, kinds.get(word, "ru")) for word in _bare(name))


def _stem(word: str) -> str:
    """A Russian word without what may be its ending: the dictionary does not know most names, and guesses their first form differently for each case."""
    short = word.rstrip("аеиоуыэюяйьмхв")
    return short if len(short) > 2 else word


def _is_within(words: tuple[str, ...], name: tuple[str, ...]) -> bool:
    """Whether the words stand in a longer name in their order, beside each other."""
    n = len(words)
    return n < len(name) and any(name[i : i + n] == words for i in range(len(name) - n + 1))


def _bare(name: str) -> list[str]:
    return [w for w in re.findall(r"[0-9a-zа-я]+", name.lower().replace("ё", "е")) if w not in _FORMS]


def _latin(text: str) -> str:
    text = text.translate(_LATIN)
    for said, sound in _ALIKE_SOUNDS:
        text = text.replace(said, sound)
    return re.sub(r"(.)\1", r"\1", text)


@lru_cache(maxsize=8)
def _index(version: str, reader: StoreReader, lemmatiser: Lemmatiser) -> PartnerIndex:  # noqa: ARG001  # version is the key
    rows = reader.query("SELECT ref, name FROM counterparty WHERE NOT is_folder ORDER BY name, ref")
    return PartnerIndex([Partner(r["ref"], r["name"]) for r in rows], lemmatiser.lemma)


def partner_index(reader: StoreReader, lemmatiser: Lemmatiser) -> PartnerIndex:
    """Index of the version a reader has open, kept until it moves on."""
    return _index(str(reader.version.path), reader, lemmatiser)
