"""A question as one sparse row: the features that every head shares.

Three blocks, each scaled on its own: ``words`` (lemma 1-2-grams with mentions replaced by their type), ``chars`` (character
2-4-grams inside word boundaries), ``cues`` (concepts, pairs of concepts, mentions, shape). Names are readable, so that a weight explains itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import get_args

from features.analysis import Analysis
from features.lexicon import Hit
from features.mentions import MentionType
from features.tokens import Token

RECIPE = "row/1"
"""Name of this way to make rows; a bundle trained by another is refused. Change it with anything that changes a feature's name or meaning."""

BLOCKS = ("words", "chars", "cues")
MASKS = {
    "period": "<period>",
    "account": "<account>",
    "document_number": "<docno>",
    "guid": "<guid>",
    "amount": "<amount>",
    "counterparty": "<name>",
}
WORD_KINDS = frozenset(("ru", "en", "mixed", "other"))
_READ_KINDS = WORD_KINDS | {"number", "code", "date", "docno"}
_NUMBER = ("<number>", "")
_KIND_GROUPS = frozenset(("entity_kind", "document_kind"))


def pattern(analysis: Analysis) -> list[str]:
    """Lemma sequence with mentions replaced by their type: what is left when names, dates and numbers are taken away."""
    return [word for word, _ in masked_words(analysis)]


def masked_words(analysis: Analysis) -> list[tuple[str, str]]:
    """(word, key) pairs: the lemma and key of each word, or the type of a mention or a number and no key.

    Mentions that stand in no word come last.
    """
    masks, floating = _masks(analysis)
    tokens, lemmas = analysis.tokens, analysis.lemmas
    if not masks:
        words = [
            (lemma, token.key) if token.kind in WORD_KINDS else _NUMBER
            for token, lemma in zip(tokens, lemmas, strict=True)
            if token.kind in _READ_KINDS
        ]
    else:
        words = [
            (masks[i], "") if i in masks else (lemmas[i], tokens[i].key) if tokens[i].kind in WORD_KINDS else _NUMBER
            for i in _places(tokens, masks)
        ]
    return words + [(mask, "") for mask in floating] if floating else words


def word_places(analysis: Analysis) -> list[int]:
    """The first token of each of `masked_words`, -1 where it stands in no word."""
    masks, floating = _masks(analysis)
    return _places(analysis.tokens, masks) + [-1] * len(floating)


def _places(tokens: Sequence[Token], masks: Mapping[int, str]) -> list[int]:
    return [i for i, token in enumerate(tokens) if masks.get(i, token.kind in _READ_KINDS)]


def _masks(analysis: Analysis) -> tuple[dict[int, str], list[str]]:
    """(masks by token, empty after the first of a mention, masks of mentions in no word)."""
    masks: dict[int, str] = {}
    floating: list[str] = []
    for kind, _, first, last in analysis.mentions:
        if kind in MASKS:
            if first < 0:
                floating.append(MASKS[kind])
                continue
            masks[first] = MASKS[kind]
            for i in range(first + 1, last + 1):
                masks[i] = ""
    return masks, floating


def char_ngrams(key: str) -> tuple[str, ...]:
    """Character 2-4-grams of a padded word; a long word is cut as in `features.lemmas`."""
    padded = f" {key[:40]} "
    size = len(padded)
    return tuple(padded[i : i + n] for n in (2, 3, 4) for i in range(size - n + 1))


def word_features(analysis: Analysis) -> list[str]:
    """Block ``words``."""
    sequence = pattern(analysis)
    pairs = zip(["^", *sequence], [*sequence, "$"], strict=True)
    return [*sequence, *(f"{a} {b}" for a, b in pairs)]


def char_features(analysis: Analysis) -> Iterator[str]:
    """Block ``chars``."""
    for _, key in masked_words(analysis):
        if key:
            yield from char_ngrams(key)


def cue_features(analysis: Analysis) -> list[str]:
    """Block ``cues``, every name once."""
    singles, order, concepts, mentions = cues(analysis)
    pairs = [f"{a}>{b}" for a, b in zip(["^", *order], [*order, "$"], strict=True)]
    pairs += [f"{a}&{b}" for i, a in enumerate(concepts) for b in concepts[i + 1 :]]
    pairs += [f"{a}&{b}" for a in concepts for b in mentions]
    return list(dict.fromkeys([*singles, *concepts, *mentions, *pairs]))


def cues(analysis: Analysis) -> tuple[list[str], list[str], list[str], list[str]]:
    """(names that stand alone, concepts as they follow each other, concepts, kinds of mentions).

    Block ``cues`` is the names, concepts and kinds, every concept with its follower, every pair of concepts, and every concept with
    every kind of mention. The last two lists are sorted and hold nothing twice.
    """
    ids, lemmas, hits = analysis.concept_ids, analysis.lemmas, analysis.hits
    singles: list[str] = []
    counts: dict[str, int] = {}
    kinds: set[object] = set()
    starts: set[int] = set()
    for kind, value, first, _ in analysis.mentions:
        counts[kind] = counts.get(kind, 0) + 1
        if kind in _KIND_GROUPS:
            kinds.add(value)
        elif kind == "period":
            singles.append(f"period:{value[0]}")
        elif kind == "pointing":
            singles.append(f"pointing:{value}")
        elif kind in _NAMING:
            starts.add(first)
    order = [ids[hit.concept] for hit in hits]
    concepts = sorted({named_concept(analysis, hit, starts) for hit in hits} if starts else set(order))
    if not _NEGATIONS.isdisjoint(lemmas):
        negated = {i + 1 for i, lemma in enumerate(lemmas) if lemma in _NEGATIONS}
        singles += [f"not:{ids[hit.concept]}" for hit in hits if hit.first in negated]
    if len(counts) < len(analysis.mentions):
        singles += [f"many:{kind}" for kind, count in counts.items() if count > 1]
    singles.append(_KIND_COUNTS[min(len(kinds), 4)])
    if "document_number" in counts or "guid" in counts or "pointing" in counts:
        singles.append("pinned")
    if not counts:
        singles.append("no-mention")
    words = [lemma for lemma, token in zip(lemmas, analysis.tokens, strict=True) if token.kind in WORD_KINDS]
    if words:
        singles += (f"first:{words[0]}", f"first2:{' '.join(words[:2])}", f"last:{words[-1]}")
    singles.append(_LENGTHS[min(len(words).bit_length(), 6)])
    if analysis.text.endswith(("?", "? ")):
        singles.append("asks")
    return singles, order, concepts, sorted([_HAS[kind] for kind in counts])


def naming_tokens(analysis: Analysis) -> set[int]:
    """Tokens on which a mention begins that names one thing."""
    return {m.first for m in analysis.mentions if m.type in _NAMING}


def named_concept(analysis: Analysis, hit: Hit, starts: set[int]) -> str:
    """A hit's concept; ``named:…`` where a name follows: «контрагент Альфа» is one, «контрагенты» are a kind."""
    concept = analysis.concept_ids[hit.concept]
    return f"named:{concept}" if hit.last + 1 in starts else concept


_NAMING = frozenset(("account", "counterparty", "document_number", "guid"))
_HAS = {kind: f"has:{kind}" for kind in get_args(MentionType)}
_NEGATIONS = frozenset(("не", "not", "ни", "t", "never", "без", "without"))
_KIND_COUNTS = tuple(f"kinds:{n}" for n in range(5))
_LENGTHS = tuple(f"length:{n}" for n in range(7))
