"""Kopecks, as they are kept, and roubles, as they are read."""

from __future__ import annotations

from typing import Any


def roubles(kopecks: int) -> str:
    """Exact roubles of kopecks.

    >>> roubles(-1205), roubles(7)
    ('-12.05', '0.07')
    """
    whole, rest = divmod(abs(kopecks), 100)
    return f"{'-' if kopecks < 0 else ''}{whole}.{rest:02d}"


def money(name: str, kopecks: int | None) -> dict[str, Any]:
    """A sum twice: ``name`` in roubles for people, ``name_kopecks`` for reckoning.

    >>> money("amount", 9286123)
    {'amount': '92861.23', 'amount_kopecks': 9286123}
    """
    return {name: None if kopecks is None else roubles(int(kopecks)), f"{name}_kopecks": kopecks}
