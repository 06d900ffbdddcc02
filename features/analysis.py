"""One reading of a question, shared by rows, scope and executors.

>>> analyser = Analyser(Lemmatiser())
>>> analysis = analyser.analyse("Остаток по счёту 51 на 30.06.2020")
>>> [(m.type, analysis.raw[slice(*analysis.span(m))]) for m in analysis.mentions]
[('measure', 'Остаток'), ('entity_kind', 'счёту'), ('account', '51'), ('period', '30.06.2020')]
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import NamedTuple

from features.lemmas import Lemmatiser
from features.lexicon import Hit, Phrases, load_lexicon, match_from
from features.mentions import ANCHOR, CAPITAL, ENGLISH, NUMBER, RUSSIAN, Mention, find_mentions, marks_of
from features.normalisation import MAX_CHARS, NormalisedText, normalise
from features.scripts import from_layout, from_translit, soften
from features.tokens import Token, token_spans, tokenise
from features.wordlists import word_list

_ENGLISH_GLUE = word_list("english_function_words")
_TRANSLIT_GLUE = word_list("translit_function_words")


class Analysis(NamedTuple):
    """``raw`` is the question cut to what was read; ``spelt`` its canonical text, what stands in another script put right; ``lemmas[i]`` belongs to
    ``tokens[i]``, ``hits[…].concept`` to ``concept_ids``."""

    raw: str
    normal: NormalisedText
    spelt: str
    tokens: Sequence[Token]
    lemmas: Sequence[str]
    hits: Sequence[Hit]
    mentions: Sequence[Mention]
    concept_ids: Sequence[str]

    def token_spans(self) -> list[tuple[int, int]]:
        """Code points of the raw question on which each token stands."""
        raw_span = self.normal.raw_span
        return [raw_span(start, end) for start, end in token_spans(self.spelt, self.tokens)]

    def span(self, mention: Mention) -> tuple[int, int]:
        """Code points of the raw question on which a mention stands; (0, 0) where it stands in no word of it."""
        if mention.first < 0:
            return 0, 0
        spans = self.token_spans()
        return spans[mention.first][0], spans[mention.last][1]

    @property
    def text(self) -> str:
        """Canonical text."""
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
        for token in self.tokens:
            if token.kind in _READABLE and len(token.text) > 1:
                return True
        return any(m.type in ("guid", "document_number", "account") for m in self.mentions)


_READABLE = frozenset(("ru", "en", "mixed"))


class _Words(NamedTuple):
    """Words as they are whatever stands around them. ``marks``: those of all; ``anchors``: where a period may stand; ``openings``: where phrases of the lexicon may begin."""

    tokens: Sequence[Token]
    lemmas: Sequence[str]
    marks: int
    anchors: Sequence[int]
    openings: Sequence[tuple[int, Phrases]]


_SPACED_DIGITS = re.compile(r"\d \d{3}")
_CACHE_SIZE = 50_000
_MOST_CACHED_CHARS = 64
_MOST_CACHED_TOKENS = 4


class Analyser:
    """Turns questions into `Analysis`; one per process is enough, threads may share it. What stands between two spaces is kept as read."""

    def __init__(self, lemmatiser: Lemmatiser) -> None:
        self.lemmatiser = lemmatiser
        self.lexicon = load_lexicon(lemmatiser)
        self.concept_ids = tuple(c.id for c in self.lexicon.concepts)
        self._chunks: dict[str, _Words] = {}

    def analyse(self, raw: str, max_chars: int = MAX_CHARS) -> Analysis:
        """Read at most ``max_chars`` code points of ``raw``; time is linear in what is read."""
        normal = normalise(raw, max_chars)
        spelt = normal.text
        words = self._words(spelt)
        if words.marks & (ENGLISH | RUSSIAN) == ENGLISH:
            spelt, words = self._right_script(spelt, words)
        tokens, lemmas, marks, anchors, openings = words
        hits = match_from(lemmas, openings) if openings else []
        mentions = find_mentions(tokens, lemmas, hits, self.lexicon, marks, anchors)
        return Analysis(raw[:max_chars], normal, spelt, tokens, lemmas, hits, mentions, self.concept_ids)

    def _words(self, text: str) -> _Words:
        """Words of canonical text, by what is kept of each chunk."""
        tokens: list[Token] = []
        lemmas: list[str] = []
        anchors: list[int] = []
        openings: list[tuple[int, Phrases]] = []
        marks = 0
        known = self._chunks
        for chunk in text.split(" "):
            words = known.get(chunk)
            if words is None:
                words = self._read_chunk(chunk)
            more_tokens, more_lemmas, its_marks, its_anchors, its_openings = words
            if its_openings:
                place = len(tokens)
                for i, phrases in its_openings:
                    openings.append((place + i, phrases))
            if its_anchors:
                place = len(tokens)
                anchors += [place + i for i in its_anchors]
            marks |= its_marks if tokens else its_marks & ~CAPITAL  # a sentence begins with one
            tokens += more_tokens
            lemmas += more_lemmas
        # «1 000 000» is one token: the only kind that goes over a space
        if marks & NUMBER and _SPACED_DIGITS.search(text):
            return self._listed(tokenise(text))
        return _Words(tokens, lemmas, marks, anchors, openings)

    def _read_chunk(self, chunk: str) -> _Words:
        words = self._read_words(tokenise(chunk))
        if len(chunk) <= _MOST_CACHED_CHARS and len(words.tokens) <= _MOST_CACHED_TOKENS:
            if len(self._chunks) >= _CACHE_SIZE:
                self._chunks = {}
            self._chunks[chunk] = words
        return words

    def _read_words(self, tokens: list[Token]) -> _Words:
        lemmas = self.lemmatiser.lemmas(tokens)
        phrases = self.lexicon.phrases
        marks = [marks_of(token, lemma, self.lexicon) for token, lemma in zip(tokens, lemmas, strict=True)]
        whole = reduce(or_, marks, 0)
        return _Words(
            tuple(tokens),
            tuple(lemmas),
            whole,
            tuple(i for i, mark in enumerate(marks) if mark & ANCHOR),
            tuple((i, phrases[lemma]) for i, lemma in enumerate(lemmas) if lemma in phrases),
        )

    def _listed(self, tokens: list[Token]) -> _Words:
        """Words of a whole question that no chunks make up."""
        words = self._read_words(tokens)
        return words._replace(tokens=tokens, lemmas=list(words.lemmas))

    def _right_script(self, text: str, words: _Words) -> tuple[str, _Words]:
        """Transliterated Russian and Russian typed on a Latin keyboard, read as Russian, with the text that the tokens are of.

        Looked at only where a question has no Cyrillic word and no English function word.
        """
        keys = {t.key for t in words.tokens if t.kind == "en"}
        english = len(keys & _ENGLISH_GLUE)
        if english == 0:
            typed = from_layout(text)
            if moved := self._read_layout(typed):
                return typed, self._listed(moved)
        russian = len(keys & _TRANSLIT_GLUE) > english
        if not russian and english == 0:
            russian = sum(1 for w in keys if len(w) > 3 and self._read_translit(w)) * 2 > len(keys)
        if russian:
            respelt = [t if t.kind != "en" else _respelt(t, self._read_translit(t.key)) for t in words.tokens]
            return text, self._listed(respelt)
        return text, words

    def _read_translit(self, key: str) -> str:
        readings = from_translit(key)
        for reading in readings:
            for spelling in (soften(reading), reading, f"{reading}ь"):
                if self.lemmatiser.knows_russian(spelling):
                    return spelling
        if key in _TRANSLIT_GLUE and readings:
            return readings[0]
        return ""

    def _read_layout(self, text: str) -> list[Token]:
        """Tokens of what another layout gives; none where most of its words are unknown."""
        typed = tokenise(text)
        words = [t for t in typed if t.kind == "ru" and len(t.key) > 2]
        known = sum(self.lemmatiser.knows_russian(t.key) for t in words)
        return typed if words and known * 2 > len(words) else []


def _respelt(token: Token, cyrillic: str) -> Token:
    return token._replace(key=cyrillic, kind="ru") if cyrillic else token
