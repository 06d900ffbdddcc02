"""Word lists of the reader of developers' questions, kept as data."""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.resources import files


def code_words(name: str) -> frozenset[str]:
    """The list ``name`` of ``data/lexicons/code_wordlists.json``. Raises KeyError for a list that is not there."""
    return _lists()[name]


@lru_cache(maxsize=1)
def _lists() -> dict[str, frozenset[str]]:
    data = json.loads(files("data").joinpath("lexicons/code_wordlists.json").read_text("utf-8"))
    return {name: frozenset(entry["words"]) for name, entry in data["lists"].items()}
