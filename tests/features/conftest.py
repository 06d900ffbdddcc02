"""One analyser for the folder, with a lemma table as a bundle ships it."""

from __future__ import annotations

import pytest
from hypothesis import settings

from features.analysis import Analyser
from features.lemmas import Lemmatiser
from features.lexicon import lexicon_words
from features.tokens import tokenise

settings.register_profile("features", deadline=None, derandomize=True, database=None)
settings.load_profile("features")

EVERYDAY_WORDS = """
остатки остаток по кассе касса покажи проводки проводка сколько должен какие документы поставщик поставщику счет счету за июнь
откуда сумма почему контрагенты накладная складе склад товары реализация оборот не закрыт на нам кто дней долг
"""


@pytest.fixture(scope="session")
def lemma_table() -> dict[str, str]:
    """Words of the lexicon and a few of everyday questions: what a small bundle would ship."""
    plain = Lemmatiser()
    words = {*lexicon_words(), *((t.key, t.kind) for t in tokenise(EVERYDAY_WORDS))}
    return {key: plain.lemma(key, kind) for key, kind in sorted(words)}


@pytest.fixture(scope="session")
def analyser(lemma_table: dict[str, str]) -> Analyser:
    return Analyser(Lemmatiser(lemma_table))
