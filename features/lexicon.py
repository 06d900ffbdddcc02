"""The concepts of the domain: which words mean what, in both languages, as data.

>>> lexicon = load_lexicon(Lemmatiser())
>>> [lexicon.concepts[hit.concept].id for hit in lexicon.match(["остаток", "по", "каждый", "склад"])]
['balance', 'each', 'each', 'warehouse']
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Literal, NamedTuple

from features.lemmas import Lemmatiser
from features.tokens import tokenise

Group = Literal["entity_kind", "document_kind", "measure", "cue"]


@dataclass(frozen=True, slots=True)
class Concept:
    """One meaning. ``document_type`` is the 1C name of a document kind, where one name fits."""

    id: str
    group: Group
    document_type: str | None


class Hit(NamedTuple):
    """Concept number ``concept`` stands on ``lemmas[first : last + 1]``."""

    concept: int
    first: int
    last: int


Phrases = list[tuple[tuple[str, ...], int]]
"""Phrases that begin with the same lemma: the lemmas after it, and the number of a concept."""


class Lexicon:
    """Concepts with an index from a phrase's first lemma to the phrases that begin with it."""

    def __init__(self, concepts: Sequence[Concept], phrases: dict[str, Phrases]) -> None:
        self.concepts = tuple(concepts)
        self.number = {concept.id: i for i, concept in enumerate(self.concepts)}
        self.phrases = phrases

    def match(self, lemmas: Sequence[str]) -> list[Hit]:
        """Every phrase of every concept that stands in ``lemmas``, by position; hits may overlap.

        A hyphen inside a phrase is passed over: «счет-фактура» is «счет фактура».
        """
        phrases = self.phrases
        return match_from(lemmas, [(i, phrases[lemma]) for i, lemma in enumerate(lemmas) if lemma in phrases])

    def words(self) -> set[str]:
        """Every lemma that any phrase contains."""
        return {w for first, tails in self.phrases.items() for rest, _ in tails for w in (first, *rest)}


def match_from(lemmas: Sequence[str], openings: Sequence[tuple[int, Phrases]]) -> list[Hit]:
    """`Lexicon.match` where it is known on which of ``lemmas`` a phrase may begin, and which."""
    hits: list[Hit] = []
    new = tuple.__new__  # a NamedTuple's own constructor costs twice as much
    for i, phrases in openings:
        for rest, concept in phrases:
            last = i
            for word in rest:
                last += 1
                if last < len(lemmas) and lemmas[last] == "-":
                    last += 1
                if last >= len(lemmas) or lemmas[last] != word:
                    break
            else:
                hits.append(new(Hit, (concept, i, last)))
    return hits


def lexicon_words() -> list[tuple[str, str]]:
    """(key, kind) of every word of the lexicon file, for a lemma table."""
    return [(t.key, t.kind) for entry in _entries() for text in (*entry["ru"], *entry["en"]) for t in tokenise(text)]


def load_lexicon(lemmatiser: Lemmatiser) -> Lexicon:
    """The shipped lexicon, its phrases brought to the lemmas of ``lemmatiser``."""
    concepts: list[Concept] = []
    phrases: dict[str, Phrases] = {}
    for number, entry in enumerate(_entries()):
        concepts.append(Concept(entry["id"], entry["group"], entry.get("document_type")))
        for text in dict.fromkeys((*entry["ru"], *entry["en"])):
            lemmas = tuple(lemmatiser.lemma(t.key, t.kind) for t in tokenise(text))
            tails = phrases.setdefault(lemmas[0], [])
            if (lemmas[1:], number) not in tails:
                tails.append((lemmas[1:], number))
    return Lexicon(concepts, phrases)


def _entries() -> list[dict[str, Any]]:
    data = json.loads(files("data").joinpath("lexicons/concepts.json").read_text("utf-8"))
    entries: list[dict[str, Any]] = data["concepts"]
    return entries
