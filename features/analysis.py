"""One reading of a question, shared by rows, scope and executors.

>>> analyser = Analyser(Lemmatiser())
>>> analysis = analyser.analyse("Остаток по счёту 51 на 30.06.2020")
>>> [(m.type, analysis.raw[m.start:m.end]) for m in analysis.mentions]
[('measure', 'Остаток'), ('entity_kind', 'счёту'), ('account', '51'), ('period', '30.06.2020')]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from features.lemmas import Lemmatiser
from features.lexicon import Hit, load_lexicon
from features.mentions import Mention, find_mentions
from features.normalisation import MAX_CHARS, NormalisedText, normalise
from features.scripts import from_layout, from_translit, soften
from features.tokens import Token, tokenise
from features.wordlists import word_list

_ENGLISH_GLUE = word_list("english_function_words")
_TRANSLIT_GLUE = word_list("translit_function_words")


@dataclass(frozen=True, slots=True)
class Analysis:
    """``raw`` is the question cut to what was read; ``lemmas[i]`` belongs to ``tokens[i]``, mention spans to ``raw``, ``hits[…].concept`` to ``concept_ids``."""

    raw: str
    normal: NormalisedText
    tokens: Sequence[Token]
    lemmas: Sequence[str]
    hits: Sequence[Hit]
    mentions: Sequence[Mention]
    concept_ids: Sequence[str]

    def raw_span(self, token: int) -> tuple[int, int]:
        """Code points of the raw question on which a token stands."""
        return self.normal.raw_span(self.tokens[token].start, self.tokens[token].end)

    @property
    def text(self) -> str:
        """Canonical text, what tokens are counted in."""
        return self.normal.text

    @property
    def raw_length(self) -> int:
        """Code points of the whole question."""
        return self.normal.raw_length

    @property
    def truncated(self) -> bool:
        """Whether the question went on beyond what was read."""
        return self.normal.truncated

    @property
    def readable(self) -> bool:
        """Whether anything in it is of a kind the features know: a Russian or English word, a number with a meaning."""
        return any(t.kind in ("ru", "en", "mixed") and len(t.text) > 1 for t in self.tokens) or any(
            m.type in ("guid", "document_number", "account") for m in self.mentions
        )


class Analyser:
    """Turns questions into `Analysis`; one per process is enough, threads may share it."""

    def __init__(self, lemmatiser: Lemmatiser) -> None:
        self.lemmatiser = lemmatiser
        self.lexicon = load_lexicon(lemmatiser)
        self.concept_ids = tuple(c.id for c in self.lexicon.concepts)

    def analyse(self, raw: str, max_chars: int = MAX_CHARS) -> Analysis:
        """Read at most ``max_chars`` code points of ``raw``; time is linear in what is read."""
        normal = normalise(raw, max_chars)
        tokens = self._right_script(normal.text, tokenise(normal.text))
        lemmas = self.lemmatiser.lemmas(tokens)
        hits = self.lexicon.match(lemmas)
        mentions = find_mentions(tokens, lemmas, hits, self.lexicon)
        if normal.offsets is not None:
            mentions = [_moved(m, normal) for m in mentions]
        return Analysis(
            raw[:max_chars],
            normal,
            tokens,
            lemmas,
            hits,
            mentions,
            self.concept_ids,
        )

    def _right_script(self, text: str, tokens: list[Token]) -> list[Token]:
        """Transliterated Russian and Russian typed on a Latin keyboard, read as Russian.

        Looked at only where a question has no Cyrillic word and no English function word.
        """
        latin = [t for t in tokens if t.kind == "en"]
        if not latin or any(t.kind == "ru" for t in tokens):
            return tokens
        words = {t.key for t in latin}
        english = len(words & _ENGLISH_GLUE)
        if english == 0 and (moved := self._from_layout(text)):
            return moved
        russian = len(words & _TRANSLIT_GLUE) > english
        if not russian and english == 0:
            russian = sum(1 for w in words if len(w) > 3 and self._read_translit(w)) * 2 > len(words)
        if russian:
            return [t if t.kind != "en" else _respelt(t, self._read_translit(t.key)) for t in tokens]
        return tokens

    def _read_translit(self, key: str) -> str:
        readings = from_translit(key)
        for reading in readings:
            for spelling in (soften(reading), reading, f"{reading}ь"):
                if self.lemmatiser.knows_russian(spelling):
                    return spelling
        if key in _TRANSLIT_GLUE and readings:
            return readings[0]
        return ""

    def _from_layout(self, text: str) -> list[Token]:
        typed = tokenise(from_layout(text))
        words = [t for t in typed if t.kind == "ru" and len(t.key) > 2]
        known = sum(self.lemmatiser.knows_russian(t.key) for t in words)
        return typed if words and known * 2 > len(words) else []


def _respelt(token: Token, cyrillic: str) -> Token:
    return token._replace(key=cyrillic, kind="ru") if cyrillic else token


def _moved(mention: Mention, normal: NormalisedText) -> Mention:
    start, end = normal.raw_span(mention.start, mention.end)
    return mention._replace(start=start, end=end)
