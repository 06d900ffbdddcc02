"""Text of others on a terminal: no control characters, no tricks with direction."""

from __future__ import annotations

import unicodedata


def printable(text: str) -> str:
    """``text`` without control and formatting characters; line ends and tabs stay.

    >>> printable("a\\x1b[31mb")
    'a[31mb'
    """
    return "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Co"))
