"""Concepts of developers' talk: which words ask for text to be written, for a place in code, for people."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from features.lemmas import Lemmatiser
from features.lexicon import Concept, Lexicon
from features.tokens import tokenise


def load_code_concepts(lemmatiser: Lemmatiser) -> Lexicon:
    """The concepts of ``data/lexicons/code_concepts.json``, their phrases brought to the lemmas of ``lemmatiser``."""
    concepts: list[Concept] = []
    phrases: dict[str, list[tuple[tuple[str, ...], int]]] = {}
    for number, entry in enumerate(_entries()):
        concepts.append(Concept(entry["id"], "cue", None))
        for text in dict.fromkeys((*entry["ru"], *entry["en"])):
            lemmas = tuple(lemmatiser.lemma(t.key, t.kind) for t in tokenise(text) if t.kind in ("ru", "en"))
            tails = phrases.setdefault(lemmas[0], [])
            if (lemmas[1:], number) not in tails:
                tails.append((lemmas[1:], number))
    return Lexicon(concepts, phrases)


def concept_words() -> list[tuple[str, str]]:
    """(key, kind) of every word of the concepts, for a lemma table."""
    texts = (text for entry in _entries() for text in (*entry["ru"], *entry["en"]))
    return [(t.key, t.kind) for text in texts for t in tokenise(text) if t.kind in ("ru", "en")]


def _entries() -> list[dict[str, Any]]:
    data = json.loads(files("data").joinpath("lexicons/code_concepts.json").read_text("utf-8"))
    entries: list[dict[str, Any]] = data["concepts"]
    return entries
