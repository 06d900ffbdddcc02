"""What a turn's words tell about the turn before: short, pointing back, asking to change the subject.

>>> sorted(c for c in TURN_CUES if c.startswith("first:"))[:3]
['first:and', 'first:now', 'first:ok']
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from features.code.reading import CodeReading

_CONCEPTS = (
    "follow",
    "pointing",
    "another",
    "docs",
    "in_docs",
    "docs_say",
    "in_code",
    "write",
    "docstring",
    "change_code",
    "greeting",
    "who",
)
_FIRST = ("а", "и", "кстати", "теперь", "ок", "ладно", "and", "now", "ok", "also", "so")
_ANCHORS = {"FILE_PATH": "has:path", "SYMBOL": "has:symbol", "DOC_REF": "has:doc", "KEY_TERM": "has:term"}
_LENGTHS = ((2, "words<=2"), (4, "words<=4"), (7, "words<=7"))

TURN_CUES = (
    *_CONCEPTS,
    *(f"first:{word}" for word in _FIRST),
    *_ANCHORS.values(),
    *(name for _, name in _LENGTHS),
    "words>12",
)
"""Every cue that `turn_cues` may give."""


def turn_cues(reading: CodeReading, words: Sequence[tuple[str, str]], concepts: Collection[str]) -> list[str]:
    """Cues of a turn. ``words`` and ``concepts`` as `features.code.rows` makes them."""
    found = [c for c in _CONCEPTS if c in concepts]
    if words and words[0][1] in _FIRST:
        found.append(f"first:{words[0][1]}")
    found += sorted({_ANCHORS[a.type] for a in reading.anchors})
    size = len(words)
    found += [name for most, name in _LENGTHS if size <= most]
    if size > 12:
        found.append("words>12")
    return found
