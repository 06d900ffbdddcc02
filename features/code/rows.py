"""A developer's question as one sparse row: the features that the intent heads share.

Three blocks, as in `features.rows`: ``words`` (lemma 1-2-grams, anchors replaced by their type), ``chars`` (character 2-4-grams inside
words that are no anchor), ``cues`` (concepts, their pairs and order, anchors, shape).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from features.code.pieces import WORDS
from features.code.reading import CodeReading
from features.lexicon import Hit
from features.rows import char_ngrams

RECIPE = "code-row/1"
"""Name of this way to make rows; a bundle trained by another is refused. Change it with anything that changes a feature's name or meaning."""

MASKS = {"FILE_PATH": "<path>", "SYMBOL": "<symbol>", "DOC_REF": "<doc>"}
_SHORT = {"FILE_PATH": "path", "SYMBOL": "symbol", "DOC_REF": "doc", "KEY_TERM": "term"}
_LENGTHS = tuple(f"length:{n}" for n in range(7))
_DOC_ENDINGS = (".md", ".rst", ".txt", ".adoc", ".mdx", ".docx", ".pdf")


def masked_words(reading: CodeReading) -> list[tuple[str, str]]:
    """(word, key) pairs: the lemma and key of each word, or the mask of an anchor or number and no key."""
    out: list[tuple[str, str]] = []
    anchors = [a for a in reading.anchors if a.type != "KEY_TERM"]
    place, size = 0, len(anchors)
    masked = -1
    for piece, lemma in zip(reading.pieces, reading.lemmas, strict=True):
        start = piece.start
        while place < size and anchors[place].end <= start:
            place += 1
        if place < size and anchors[place].start < piece.end:
            if masked != place:
                out.append((MASKS[anchors[place].type], ""))
                masked = place
        elif piece.kind in WORDS:
            out.append((lemma, piece.key))
        elif piece.kind == "number":
            out.append(("<number>", ""))
        elif piece.kind == "mark":
            out.append(("<mark>", ""))
    return out


def word_features(words: Sequence[tuple[str, str]]) -> list[str]:
    """Block ``words``."""
    sequence = [word for word, _ in words]
    return [*sequence, *(f"{a} {b}" for a, b in zip(["^", *sequence], [*sequence, "$"], strict=True))]


def char_features(words: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Block ``chars``."""
    for _, key in words:
        if key:
            yield from char_ngrams(key)


def cue_features(
    reading: CodeReading, words: Sequence[tuple[str, str]], hits: Sequence[Hit], names: tuple[str, ...]
) -> list[str]:
    """Block ``cues``, every name once. ``names``: concept by number, as `hits` count them."""
    singles, order, concepts, anchors = cues(reading, words, hits, names)
    pairs = [f"{a}>{b}" for a, b in zip(["^", *order], [*order, "$"], strict=True)]
    pairs += [f"{a}&{b}" for i, a in enumerate(concepts) for b in concepts[i + 1 :]]
    pairs += [f"{a}&{b}" for a in concepts for b in anchors]
    return list(dict.fromkeys([*singles, *concepts, *anchors, *pairs]))


def cues(
    reading: CodeReading, words: Sequence[tuple[str, str]], hits: Sequence[Hit], names: tuple[str, ...]
) -> tuple[list[str], list[str], list[str], list[str]]:
    """(names that stand alone, concepts as they follow each other, concepts, kinds of anchors); the last two hold nothing twice."""
    order = [names[hit.concept] for hit in hits]
    concepts = sorted(set(order))
    kinds: dict[str, int] = {}
    singles: list[str] = []
    for anchor in reading.anchors:
        kind = _SHORT[anchor.type]
        kinds[kind] = kinds.get(kind, 0) + 1
        if kind == "path":
            kinds[path_kind(anchor.value)] = 1
        elif kind == "term":
            singles.append(f"term:{anchor.subtype}")
    singles += [f"many:{kind}" for kind, count in kinds.items() if count > 1]
    if not kinds:
        singles.append("no-anchor")
    plain = [word for word, key in words if key]
    if plain:
        singles += (f"first:{plain[0]}", f"first2:{' '.join(plain[:2])}", f"last:{plain[-1]}")
    if words:
        singles.append(f"begins:{words[0][0]}" if not words[0][1] else "begins:word")
    singles.append(_LENGTHS[min(len(words).bit_length(), 6)])
    if reading.raw.rstrip().endswith("?"):
        singles.append("asks")
    return singles, order, concepts, sorted(f"has:{kind}" for kind in kinds)


def path_kind(path: str) -> str:
    """``path-docs``, ``path-test`` or ``path-code``."""
    low = path.lower()
    if low.endswith(_DOC_ENDINGS) or low.startswith("docs") or "/docs/" in low or "docs\\" in low:
        return "path-docs"
    return "path-test" if "test" in low or "spec" in low else "path-code"
