"""A question as one sparse row: the features that every head shares.

Three blocks, each scaled on its own: ``words`` (lemma 1-2-grams with mentions replaced by their type), ``chars`` (character
2-5-grams inside word boundaries), ``cues`` (concepts, pairs of concepts, mentions, shape). Names are readable, so that a weight explains itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from features.analysis import Analysis
from features.tokens import Token

RECIPE = "row/1"
"""Name of this way to make rows; a bundle trained by another is refused. Change it with anything that changes a feature's name or meaning."""

BLOCKS = ("words", "chars", "cues")
_MASKED = {"period": "<period>", "account": "<account>", "document_number": "<docno>", "guid": "<guid>", "amount": "<amount>", "counterparty": "<name>"}
_WORD_KINDS = frozenset(("ru", "en", "mixed", "other"))
_KIND_GROUPS = {"entity_kind", "document_kind"}


def pattern(analysis: Analysis) -> list[str]:
    """Lemma sequence with mentions replaced by their type: what is left when names, dates and numbers are taken away."""
    return [word for word, _ in masked_words(analysis)]


def masked_words(analysis: Analysis) -> list[tuple[str, Token | None]]:
    """(word, token) pairs; the token is None where a mention was replaced."""
    masks: dict[int, str] = {}
    for mention in analysis.mentions:
        mask = _MASKED.get(mention.type)
        if mask:
            masks[mention.first] = mask
            for i in range(mention.first + 1, mention.last + 1):
                masks[i] = ""
    out: list[tuple[str, Token | None]] = []
    for i, (token, lemma) in enumerate(zip(analysis.tokens, analysis.lemmas, strict=True)):
        mask = masks.get(i)
        if mask is not None:
            if mask:
                out.append((mask, None))
        elif token.kind in _WORD_KINDS:
            out.append((lemma, token))
        elif token.kind in ("number", "code", "date", "docno"):
            out.append(("<number>", None))
    return out


def char_ngrams(key: str) -> tuple[str, ...]:
    """Character 2-5-grams of a padded word; a long word is cut as in `features.lemmas`."""
    padded = f" {key[:40]} "
    size = len(padded)
    return tuple(padded[i : i + n] for n in (2, 3, 4, 5) for i in range(size - n + 1))


def word_features(analysis: Analysis) -> list[str]:
    """Block ``words``."""
    sequence = pattern(analysis)
    pairs = zip(["^", *sequence], [*sequence, "$"], strict=True)
    return [*sequence, *(f"{a} {b}" for a, b in pairs)]


def char_features(analysis: Analysis) -> Iterator[str]:
    """Block ``chars``."""
    for _, token in masked_words(analysis):
        if token is not None:
            yield from char_ngrams(token.key)


def cue_features(analysis: Analysis) -> list[str]:
    """Block ``cues``."""
    return list(dict.fromkeys(_cues(analysis)))


def _cues(analysis: Analysis) -> Iterator[str]:
    concepts = analysis.concept_ids
    present = list(dict.fromkeys(concepts[h.concept] for h in analysis.hits))
    yield from present
    ordered = sorted(present)
    for i, a in enumerate(ordered):
        for b in ordered[i + 1 :]:
            yield f"{a}&{b}"
    negated = {i + 1 for i, lemma in enumerate(analysis.lemmas) if lemma in ("не", "not", "ни", "t", "never", "без", "without")}
    for hit in analysis.hits:
        if hit.first in negated:
            yield f"not:{concepts[hit.concept]}"

    counts: dict[str, int] = {}
    kinds: set[str] = set()
    for mention in analysis.mentions:
        counts[mention.type] = counts.get(mention.type, 0) + 1
        if mention.type in _KIND_GROUPS:
            kinds.add(str(mention.value))
        elif mention.type == "period":
            yield f"period:{mention.value[0]}"
        elif mention.type == "pointing":
            yield f"pointing:{mention.value}"
    for kind, count in counts.items():
        yield f"has:{kind}"
        if count > 1:
            yield f"many:{kind}"
        for concept in present:
            yield f"{concept}&has:{kind}"
    yield f"kinds:{min(len(kinds), 4)}"
    pinned = "document_number" in counts or "guid" in counts or "pointing" in counts
    if pinned:
        yield "pinned"
    if not counts:
        yield "no-mention"

    words = [lemma for lemma, token in zip(analysis.lemmas, analysis.tokens, strict=True) if token.kind in _WORD_KINDS]
    if words:
        yield f"first:{words[0]}"
        yield f"first2:{' '.join(words[:2])}"
        yield f"last:{words[-1]}"
    yield f"length:{min(len(words).bit_length(), 6)}"
    if analysis.text.rstrip().endswith("?"):
        yield "asks"
