"""A question as one sparse row: the features that every head shares.

Three blocks, each scaled on its own: ``words`` (lemma 1-2-grams with mentions replaced by their type), ``chars`` (character
2-4-grams inside word boundaries), ``cues`` (concepts, pairs of concepts, mentions, shape). Names are readable, so that a weight explains itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from features.analysis import Analysis
from features.lexicon import Hit
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
_KIND_GROUPS = {"entity_kind", "document_kind"}


def pattern(analysis: Analysis) -> list[str]:
    """Lemma sequence with mentions replaced by their type: what is left when names, dates and numbers are taken away."""
    return [word for word, _, _ in masked_words(analysis)]


def masked_words(analysis: Analysis) -> list[tuple[str, int, Token | None]]:
    """(word, its first token's place, token) triples; the token is None where a mention or a number was replaced.

    Mentions that stand in no word come last, at place -1.
    """
    masks: dict[int, str] = {}
    for mention in analysis.mentions:
        mask = MASKS.get(mention.type)
        if mask:
            masks[mention.first] = mask
            for i in range(mention.first + 1, mention.last + 1):
                masks[i] = ""
    out: list[tuple[str, int, Token | None]] = []
    for i, (token, lemma) in enumerate(zip(analysis.tokens, analysis.lemmas, strict=True)):
        mask = masks.get(i)
        if mask is not None:
            if mask:
                out.append((mask, i, None))
        elif token.kind in WORD_KINDS:
            out.append((lemma, i, token))
        elif token.kind in ("number", "code", "date", "docno"):
            out.append(("<number>", i, None))
    out += [(MASKS[m.type], -1, None) for m in analysis.mentions if m.first < 0 and m.type in MASKS]
    return out


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
    for _, _, token in masked_words(analysis):
        if token is not None:
            yield from char_ngrams(token.key)


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
    ids = analysis.concept_ids
    lemmas = analysis.lemmas
    starts = naming_tokens(analysis)
    concepts = sorted({named_concept(analysis, hit, starts) for hit in analysis.hits})
    singles: list[str] = []
    negated = {i + 1 for i, lemma in enumerate(lemmas) if lemma in _NEGATIONS}
    if negated:
        singles += [f"not:{ids[hit.concept]}" for hit in analysis.hits if hit.first in negated]
    order = [ids[hit.concept] for hit in analysis.hits]
    counts: dict[str, int] = {}
    kinds: set[str] = set()
    for mention in analysis.mentions:
        kind = mention.type
        counts[kind] = counts.get(kind, 0) + 1
        if kind in _KIND_GROUPS:
            kinds.add(str(mention.value))
        elif kind == "period":
            singles.append(f"period:{mention.value[0]}")
        elif kind == "pointing":
            singles.append(f"pointing:{mention.value}")
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
    return singles, order, concepts, sorted(f"has:{kind}" for kind in counts)


def naming_tokens(analysis: Analysis) -> set[int]:
    """Tokens on which a mention begins that names one thing."""
    return {m.first for m in analysis.mentions if m.type in _NAMING}


def named_concept(analysis: Analysis, hit: Hit, starts: set[int]) -> str:
    """A hit's concept; ``named:…`` where a name follows: «контрагент Альфа» is one, «контрагенты» are a kind."""
    concept = analysis.concept_ids[hit.concept]
    return f"named:{concept}" if hit.last + 1 in starts else concept


_NAMING = frozenset(("account", "counterparty", "document_number", "guid"))
_NEGATIONS = frozenset(("не", "not", "ни", "t", "never", "без", "without"))
_KIND_COUNTS = tuple(f"kinds:{n}" for n in range(5))
_LENGTHS = tuple(f"length:{n}" for n in range(7))
