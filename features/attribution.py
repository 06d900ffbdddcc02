"""Which words of a question each feature of its row comes from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from features.analysis import Analysis
from features.rows import MASKS, WORD_KINDS, char_ngrams, cues, masked_words, named_concept, naming_tokens, word_places

Tokens = tuple[int, ...]


def sources(analysis: Analysis) -> Iterator[tuple[str, str, Tokens]]:
    """(block, feature name, tokens it was read from) for every occurrence in the row; no tokens where a name is about the question's shape."""
    spans = {m.first: tuple(range(m.first, m.last + 1)) for m in analysis.mentions if m.type in MASKS}
    previous: str = "^"
    before: Tokens = ()
    for (word, key), place in zip(masked_words(analysis), word_places(analysis), strict=True):
        tokens: Tokens = () if place < 0 else spans.get(place, (place,))
        yield "words", word, tokens
        yield "words", f"{previous} {word}", (*before, *tokens)
        previous, before = word, tokens
        if key:
            for gram in char_ngrams(key):
                yield "chars", gram, tokens
    yield "words", f"{previous} $", before
    yield from _cue_sources(analysis)


def _cue_sources(analysis: Analysis) -> Iterator[tuple[str, str, Tokens]]:
    singles, order, concepts, kinds = cues(analysis)
    starts = naming_tokens(analysis)
    of_name: dict[str, set[int]] = defaultdict(set)
    for hit in analysis.hits:
        of_name[named_concept(analysis, hit, starts)].update(range(hit.first, hit.last + 1))
    for mention in analysis.mentions:
        of_name[f"has:{mention.type}"].update(range(max(mention.first, 0), mention.last + 1))
    words = [i for i, t in enumerate(analysis.tokens) if t.kind in WORD_KINDS]
    for name in dict.fromkeys(singles):
        kind = name.partition(":")[0]
        if kind in ("first", "first2", "last") and words:
            yield "cues", name, tuple(words[:1] if kind == "first" else words[:2] if kind == "first2" else words[-1:])
        elif kind == "not":
            yield "cues", name, tuple(sorted(of_name.get(name.partition(":")[2], ())))
        elif kind in ("period", "pointing", "many"):
            yield (
                "cues",
                name,
                tuple(sorted(of_name.get(f"has:{name.partition(':')[2] if kind == 'many' else kind}", ()))),
            )
        else:
            yield "cues", name, ()
    for a, b in dict.fromkeys(zip(["^", *order], [*order, "$"], strict=True)):
        spoken = {t for c in (a, b) for t in of_name.get(c, of_name.get(f"named:{c}", ()))}
        yield "cues", f"{a}>{b}", tuple(sorted(spoken))
    for position, concept in enumerate(concepts):
        yield "cues", concept, tuple(sorted(of_name[concept]))
        for other in (*concepts[position + 1 :], *kinds):
            yield "cues", f"{concept}&{other}", tuple(sorted(of_name[concept] | of_name[other]))
    for kind in kinds:
        yield "cues", kind, tuple(sorted(of_name[kind]))


Occurrences = Mapping[int, Sequence[Tokens]]


def occurrences(analysis: Analysis, index: Mapping[tuple[str, str], int]) -> Occurrences:
    """The tokens of every occurrence of each feature; ``index`` gives a feature's place by (block, name). The same for all heads."""
    found: dict[int, list[Tokens]] = defaultdict(list)
    for block, name, tokens in sources(analysis):
        feature = index.get((block, name))
        if feature is not None:
            found[feature].append(tokens)
    return found


def by_token(places: Occurrences, contributions: Mapping[int, float]) -> tuple[dict[int, float], float]:
    """(what each token adds, what belongs to no token): ``contributions`` of features, each shared evenly by its occurrences and their tokens.

    The parts sum to the sum of ``contributions``.
    """
    words: dict[int, float] = defaultdict(float)
    shape = 0.0
    for feature, value in contributions.items():
        spoken = places.get(feature) or [()]
        for tokens in spoken:
            part = value / len(spoken)
            if not tokens:
                shape += part
            for token in tokens:
                words[token] += part / len(tokens)
    return dict(words), shape
