"""Which words of a question each feature of its row comes from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from features.analysis import Analysis
from features.rows import MASKS, char_ngrams, cues, named_concept, naming_tokens

Tokens = tuple[int, ...]


def sources(analysis: Analysis) -> Iterator[tuple[str, str, Tokens]]:
    """(block, feature name, tokens it was read from) for every occurrence in the row; no tokens where a name is about the question's shape."""
    masked = list(_masked_with_tokens(analysis))
    previous: str = "^"
    before: Tokens = ()
    for word, tokens in masked:
        yield "words", word, tokens
        yield "words", f"{previous} {word}", (*before, *tokens)
        previous, before = word, tokens
        if word not in MASKS.values() and word != "<number>":
            for gram in char_ngrams(analysis.tokens[tokens[0]].key):
                yield "chars", gram, tokens
    yield "words", f"{previous} $", before
    yield from _cue_sources(analysis)


def _masked_with_tokens(analysis: Analysis) -> Iterator[tuple[str, Tokens]]:
    inside: dict[int, tuple[str, Tokens]] = {}
    for mention in analysis.mentions:
        if mention.type in MASKS and mention.first >= 0:
            span = tuple(range(mention.first, mention.last + 1))
            inside[mention.first] = (MASKS[mention.type], span)
            for i in span[1:]:
                inside[i] = ("", ())
    for i, (token, lemma) in enumerate(zip(analysis.tokens, analysis.lemmas, strict=True)):
        if i in inside:
            if inside[i][0]:
                yield inside[i]
        elif token.kind in ("ru", "en", "mixed", "other"):
            yield lemma, (i,)
        elif token.kind in ("number", "code", "date", "docno"):
            yield "<number>", (i,)
    yield from ((MASKS[m.type], ()) for m in analysis.mentions if m.first < 0 and m.type in MASKS)


def _cue_sources(analysis: Analysis) -> Iterator[tuple[str, str, Tokens]]:
    singles, order, concepts, kinds = cues(analysis)
    starts = naming_tokens(analysis)
    of_name: dict[str, set[int]] = defaultdict(set)
    for hit in analysis.hits:
        of_name[named_concept(analysis, hit, starts)].update(range(hit.first, hit.last + 1))
    for mention in analysis.mentions:
        of_name[f"has:{mention.type}"].update(range(max(mention.first, 0), mention.last + 1))
    words = [i for i, t in enumerate(analysis.tokens) if t.kind in ("ru", "en", "mixed", "other")]
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


def by_token(
    analysis: Analysis, index: Mapping[tuple[str, str], int], contributions: Mapping[int, float]
) -> tuple[dict[int, float], float]:
    """(what each token adds, what belongs to no token): ``contributions`` of features, each shared evenly by its occurrences and their tokens.

    ``index`` gives a feature's place by (block, name). The parts sum to the sum of ``contributions``.
    """
    found: dict[int, list[Tokens]] = defaultdict(list)
    for block, name, tokens in sources(analysis):
        feature = index.get((block, name))
        if feature is not None:
            found[feature].append(tokens)
    words: dict[int, float] = defaultdict(float)
    shape = 0.0
    for feature, value in contributions.items():
        occurrences = found.get(feature) or [()]
        for tokens in occurrences:
            part = value / len(occurrences)
            if not tokens:
                shape += part
            for token in tokens:
                words[token] += part / len(tokens)
    return dict(words), shape
