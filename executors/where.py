"""A WHERE clause put together of fixed texts and bound values."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any


class Where:
    """Conditions joined by AND. Texts are written out in this package; what comes from a question is only ever bound."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self.values: list[Any] = []

    def add(self, text: str, *values: Any) -> Where:
        """A condition with its values for ``?``."""
        self._parts.append(text)
        self.values.extend(values)
        return self

    def among(self, column: str, values: Sequence[Any]) -> Where:
        """``column`` is one of the values; nothing is added for none."""
        if values:
            self.add(f"{column} IN ({', '.join('?' * len(values))})", *values)
        return self

    def days(self, column: str, first: date, last: date) -> Where:
        """A moment lies in these days, both included."""
        return self.add(f"{column} >= ? AND {column} < ?", first, last + timedelta(days=1))

    def account(self, codes: Sequence[str], *columns: str) -> Where:
        """One of the columns is an account among the codes, or a subaccount of one."""
        if codes:
            each = [f"({c} = ? OR starts_with({c}, ? || '.'))" for c in columns for _ in codes]
            self.add(f"({' OR '.join(each)})", *(v for _ in columns for code in codes for v in (code, code)))
        return self

    @property
    def text(self) -> str:
        """The clause, with its keyword; empty for no condition."""
        return f" WHERE {' AND '.join(self._parts)}" if self._parts else ""
