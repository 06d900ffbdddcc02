"""Analytics of one side of a posting: by kind, never by slot, since a slot's number means something else on every account."""

from __future__ import annotations

from collections import Counter
from typing import Any

from stores.charts import Charts, dimension_of
from stores.odata_values import UNDEFINED, ZERO_REF, short_type, text
from stores.schema import DIMENSIONS

_INDEX = {name: n for n, name in enumerate(DIMENSIONS)}
_NONE: tuple[str | None, ...] = (None,) * len(DIMENSIONS)
_EMPTY = (None, "", ZERO_REF)

Analytics = tuple[tuple[str | None, ...], str | None]


class SideReader:
    """Reads ExtDimension fields of a side ("Dr", "Cr", or "" in balances) into dimensions and the text ``kind=value; …`` in order of kinds."""

    def __init__(self, charts: Charts, side: str, uses: Counter[tuple[str, str, str]]) -> None:
        self._charts, self._uses = charts, uses
        self._fields = tuple(
            (n, f"ExtDimension{side}{n}", f"ExtDimension{side}{n}_Type", f"ExtDimensionType{side}{n}_Key")
            for n in (1, 2, 3)
        )

    def read(self, record: dict[str, Any], account: str | None) -> Analytics:
        """Dimensions in the order of `DIMENSIONS` (None: no such slot, "": unfilled) and the text; the text is None where the record has no slots at all."""
        found: list[tuple[str, str]] = []
        dims: list[str | None] | None = None
        for n, field, type_field, kind_field in self._fields:
            if field not in record:
                continue
            value, kind_type = record[field], record.get(type_field)
            kind_ref = record.get(kind_field)
            kind_ref = None if kind_ref in _EMPTY else kind_ref
            empty = value in _EMPTY or kind_type == UNDEFINED
            if empty and kind_ref is None and n > len(self._charts.slots_of(account)):
                continue
            kind = self._charts.kind(kind_ref, account, n)
            plain = "" if empty else value.lower() if isinstance(value, str) and len(value) == 36 else text(value)
            found.append((kind, plain))
            if plain:
                self._uses[kind, short_type(kind_type), plain] += 1
            name = dimension_of(kind)
            if name is not None:
                dims = dims if dims is not None else list(_NONE)
                dims[_INDEX[name]] = plain
        found.sort()
        return tuple(dims) if dims is not None else _NONE, "; ".join([f"{k}={v}" for k, v in found])


def has_analytics(record: dict[str, Any]) -> bool:
    """Whether a register row carries субконто at all: rows of a plain RecordSet do not."""
    return any(key.startswith("ExtDimension") for key in record)
