"""Analytics of one side of a posting: by kind, never by slot, since a slot's number means something else on every account."""

from __future__ import annotations

from collections import Counter
from typing import Any

from stores.charts import Charts, dimension_of
from stores.odata_values import UNDEFINED, ZERO_REF, short_type, text
from stores.schema import DIMENSIONS

_INDEX = {name: n for n, name in enumerate(DIMENSIONS)}
_NONE: tuple[str | None, ...] = (None,) * len(DIMENSIONS)
_ABSENT = object()
REMEMBERED = 1 << 17
_EMPTY = (None, "", ZERO_REF)

Analytics = tuple[tuple[str | None, ...], str]


class SideReader:
    """Reads ExtDimension fields of a side ("Dr", "Cr", or "" in balances) into dimensions and the text ``kind=value; …`` in order of kinds.

    Rows of a document repeat its slots, so what a set of slots came to is remembered, up to `REMEMBERED` sets at a time.
    """

    def __init__(self, charts: Charts, side: str, uses: Counter[tuple[str, str, str]]) -> None:
        self._charts, self._uses = charts, uses
        self._fields = tuple(
            (f"ExtDimension{side}{n}", f"ExtDimension{side}{n}_Type", f"ExtDimensionType{side}{n}_Key")
            for n in (1, 2, 3)
        )
        self._names = tuple(name for fields in self._fields for name in fields)
        self._known: dict[tuple[Any, ...], list[Any]] = {}

    def read(self, record: dict[str, Any], account: str | None) -> Analytics:
        """Dimensions in the order of `DIMENSIONS` (None: no such slot, "": unfilled) and the text, empty where there are no slots."""
        get = record.get
        key = (account, *[get(name, _ABSENT) for name in self._names])
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= REMEMBERED:
                self.count_uses()
            known = self._known[key] = [self._read(key[1:], account), 0]
        known[1] += 1
        found: Analytics = known[0][0]
        return found

    def count_uses(self) -> None:
        """Add what was read to the uses, and forget it; called once more at the end."""
        for (_, values), times in self._known.values():
            for value in values:
                self._uses[value] += times
        self._known.clear()

    def _read(self, slots: tuple[Any, ...], account: str | None) -> tuple[Analytics, list[tuple[str, str, str]]]:
        found: list[tuple[str, str]] = []
        used: list[tuple[str, str, str]] = []
        dims: list[str | None] | None = None
        for n in (1, 2, 3):
            value, kind_type, kind_ref = slots[3 * n - 3 : 3 * n]
            if value is _ABSENT:
                continue
            kind_ref = None if kind_ref is _ABSENT or kind_ref in _EMPTY else kind_ref
            empty = value in _EMPTY or kind_type == UNDEFINED
            if empty and kind_ref is None and n > len(self._charts.slots_of(account)):
                continue
            kind = self._charts.kind(kind_ref, account, n)
            plain = "" if empty else value.lower() if isinstance(value, str) and len(value) == 36 else text(value)
            found.append((kind, plain))
            if plain:
                used.append((kind, "" if kind_type is _ABSENT else short_type(kind_type), plain))
            name = dimension_of(kind)
            if name is not None:
                dims = dims if dims is not None else list(_NONE)
                dims[_INDEX[name]] = plain
        found.sort()
        return (tuple(dims) if dims is not None else _NONE, "; ".join([f"{k}={v}" for k, v in found])), used
