"""Word to dictionary form: Russian by pymorphy3, English by Snowball stems, both behind a lemma table.

English "lemmas" are Snowball stems (Porter 2001) with irregular forms mapped first: no dictionary to load, which keeps a fresh
process fast. The table holds the words of the training data and the lexicons; other words pay the analyser once and are cached.

>>> lemmatiser = Lemmatiser()
>>> [lemmatiser.lemma(w, k) for w, k in (("проводками", "ru"), ("owed", "en"))]
['проводка', 'owe']
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any

import Stemmer

from features.tokens import Token

MAX_WORD_CHARS = 40
"""A longer word is read up to here: no real word of either language is cut, a hostile one stays cheap."""

_CACHE_SIZE = 100_000

_NOT_STEMMED = {
    "accountable": "accountable", "accountant": "accountant", "accountants": "accountant", "accounting": "accounting",
    "customs": "customs", "goods": "goods", "receivable": "receivable", "receivables": "receivable",
}  # fmt: skip
"""Words whose stem is that of another word of the domain: an accountant is no account, customs no customer."""


@lru_cache(maxsize=1)
def _overrides() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(files("data").joinpath("lexicons/lemmas.json").read_text("utf-8"))
    return data


@lru_cache(maxsize=1)
def _morph() -> Any:
    import pymorphy3  # loaded on the first unknown Russian word: 0.1 s that most processes never pay

    return pymorphy3.MorphAnalyzer()


@lru_cache(maxsize=_CACHE_SIZE)
def _normal_form(key: str) -> str:
    parsed = _morph().parse(key)
    return str(parsed[0].normal_form).replace("ё", "е") if parsed else key


class Lemmatiser:
    """Dictionary forms with a table of known words and a bounded cache.

    ``table`` maps a word's key (lower case, ё as е) to its lemma; it is what a bundle ships. Not safe to mutate, safe to share
    between threads: the cache is a plain dict whose entries never change once written.
    """

    def __init__(self, table: Mapping[str, str] | None = None) -> None:
        self.table = dict(table or {})
        self._cache: dict[str, str] = dict(self.table)
        data = _overrides()
        self._ru_stems: list[tuple[str, str]] = [(stem, lemma) for stem, lemma in data["ru_stems"]]
        self._ru_prefixes = tuple(stem for stem, _ in self._ru_stems)
        self._ru_words: dict[str, str] = data["ru_words"]
        self._en_words: dict[str, str] = data["en_words"]
        self._stemmer = Stemmer.Stemmer("english")

    def lemma(self, key: str, kind: str) -> str:
        """Lemma of a word ``key`` whose token kind is ``kind``; words of other scripts come back as they are."""
        found = self._cache.get(key)
        if found is not None:
            return found
        lemma = self._analyse(key[:MAX_WORD_CHARS], kind)
        if len(self._cache) >= _CACHE_SIZE:
            self._cache = dict(self.table)
        self._cache[key] = lemma
        return lemma

    def lemmas(self, tokens: Iterable[Token]) -> list[str]:
        """Lemma of each token."""
        known, lemma = self._cache.get, self.lemma
        return [known(t.key) or lemma(t.key, t.kind) for t in tokens]

    def _analyse(self, key: str, kind: str) -> str:
        if kind == "ru":
            return self._russian(key)
        if kind == "en":
            return self._english(key)
        return key

    def _russian(self, key: str) -> str:
        whole = self._ru_words.get(key)
        if whole is not None:
            return whole
        for stem, lemma in self._ru_stems:
            if key.startswith(stem):
                return lemma
        return _normal_form(key)

    def _english(self, key: str) -> str:
        key = key.removesuffix("'s")
        if key in _NOT_STEMMED:
            return _NOT_STEMMED[key]
        whole = self._en_words.get(key)
        if whole is not None:
            return str(self._stemmer.stemWord(whole))
        return str(self._stemmer.stemWord(key))

    def knows_russian(self, key: str) -> bool:
        """Whether a Cyrillic word belongs to the table or the overrides: the vocabulary of this domain."""
        return key in self.table or key in self._ru_words or key.startswith(self._ru_prefixes)
