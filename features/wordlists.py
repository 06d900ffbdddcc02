"""Word lists of the rules, kept as data."""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.resources import files


def word_list(name: str) -> frozenset[str]:
    """The list ``name`` of ``data/lexicons/wordlists.json``. Raises KeyError for a list that is not there."""
    return _lists()[name]


@lru_cache(maxsize=1)
def _lists() -> dict[str, frozenset[str]]:
    data = json.loads(files("data").joinpath("lexicons/wordlists.json").read_text("utf-8"))
    return {name: frozenset(entry["words"]) for name, entry in data["lists"].items()}
