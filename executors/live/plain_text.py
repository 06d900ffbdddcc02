"""Texts of a server, made fit to show."""

from __future__ import annotations


def plain(text: object, most: int = 300) -> str:
    """Text on one line, without control characters, cut.

    >>> plain("a\\x1b[31mb\\n c")
    'a [31mb c'
    """
    shown = " ".join("".join(c if c.isprintable() else " " for c in str(text)[: most * 2]).split())
    return shown if len(shown) <= most else shown[: most - 1] + "…"
