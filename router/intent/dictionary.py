"""Russian words to English ones, for ``expansions`` only. The shipped dictionary is data, and a file of the same form extends it.

>>> d = Dictionary.shipped(Lemmatiser())
>>> d.english("функция"), d.english("исключение")
(('function', 'def'), ('exception',))
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import orjson

from features.code.terms import terms
from features.lemmas import Lemmatiser


class DictionaryError(Exception):
    """A dictionary file cannot be read; the message names it and the next step."""


class Dictionary:
    """English words by Russian lemma. The required terms cannot be taken out; an extension may add to them."""

    def __init__(self, words: Mapping[str, Sequence[str]], lemmatiser: Lemmatiser) -> None:
        self._words: dict[str, tuple[str, ...]] = {}
        for russian, english in words.items():
            key = lemmatiser.lemma(russian.lower().replace("ё", "е"), "ru")
            self._words[key] = tuple(dict.fromkeys((*self._words.get(key, ()), *english)))
        self.of_term = {
            t.id: tuple(dict.fromkeys((*t.en, *(w for ru in t.ru for w in words.get(ru, ()))))) for t in terms()
        }

    def english(self, lemma: str) -> tuple[str, ...]:
        """English words for a lemma, none where there is no entry."""
        return self._words.get(lemma, ())

    @classmethod
    def shipped(cls, lemmatiser: Lemmatiser, extension: Path | None = None) -> Dictionary:
        """The dictionary that ships, with the entries of ``extension`` added. Raises `DictionaryError`."""
        words: dict[str, list[str]] = {}
        for term in terms():
            for ru in term.ru:
                words[ru] = list(term.en)
        data = orjson.loads(files("data").joinpath("lexicons/code_dictionary.json").read_bytes())
        words.update(data["words"])
        if extension is not None:
            for russian, english in read_extension(extension).items():
                words[russian] = list(dict.fromkeys((*words.get(russian, ()), *english)))
        return cls(words, lemmatiser)


def read_extension(path: Path) -> dict[str, list[str]]:
    """Entries of a user's file: ``{"words": {"витрина": ["mart", "storefront"]}}``. Raises `DictionaryError`."""
    shape = 'expected {"words": {"витрина": ["mart"]}}'
    try:
        data: Any = orjson.loads(path.read_bytes())
    except OSError as error:
        raise DictionaryError(f"{path}: {error.strerror}; name a readable dictionary") from error
    except orjson.JSONDecodeError as error:
        raise DictionaryError(f"{path}: not JSON ({error}); {shape}") from error
    words = data.get("words") if isinstance(data, dict) else None
    if not isinstance(words, dict):
        raise DictionaryError(f"{path}: no 'words'; {shape}")
    found: dict[str, list[str]] = {}
    for russian, english in words.items():
        listed = [english] if isinstance(english, str) else english
        if (
            not russian.strip()
            or not isinstance(listed, list)
            or not listed
            or not all(isinstance(e, str) and e.strip() for e in listed)
        ):
            raise DictionaryError(f"{path}: entry {russian!r} is not a list of words; {shape}")
        found[russian.strip().lower()] = listed
    return found
