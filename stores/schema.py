"""Canonical tables: names and types, the same on every engine.

Sums are integer kopecks. References are GUIDs in lower case. In columns that name something a record must name, NULL means the record has no such field or
slot, and the empty string that the field is there and nothing stands in it: that is what rules about missing counterparties and contracts look at.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

Columns = Mapping[str, str]

DIMENSIONS: Final = ("counterparty", "contract", "item", "warehouse", "employee", "settlement")
"""Analytics that have a column of their own; all of them, these too, stand in the text ``analytics``."""


def _side(side: str) -> dict[str, str]:
    return {
        f"{side}_account": "string",
        f"{side}_parent": "string",
        **{f"{side}_{name}": "string" for name in DIMENSIONS},
        f"{side}_analytics": "string",
        f"{side}_quantity": "float64",
    }


_DIMENSION_COLUMNS = dict.fromkeys(DIMENSIONS, "string")

TABLES: Final[Mapping[str, Columns]] = {
    "account": {"ref": "string", "code": "string", "parent": "string", "name": "string", "nature": "string", "off_balance": "boolean"},
    "counterparty": {"ref": "string", "code": "string", "name": "string", "full_name": "string", "inn": "string", "kpp": "string", "is_folder": "boolean", "deleted": "boolean"},
    "contract": {"ref": "string", "code": "string", "name": "string", "number": "string", "date": "timestamp", "owner": "string", "kind": "string", "has_term": "boolean", "term_days": "int64", "deleted": "boolean"},
    "item": {"ref": "string", "code": "string", "name": "string", "deleted": "boolean"},
    "warehouse": {"ref": "string", "code": "string", "name": "string", "deleted": "boolean"},
    "employee": {"ref": "string", "code": "string", "name": "string", "deleted": "boolean"},
    "organisation": {"ref": "string", "code": "string", "name": "string", "inn": "string", "deleted": "boolean"},
    "document": {
        "ref": "string", "type": "string", "number": "string", "date": "timestamp", "posted": "boolean", "deleted": "boolean", "operation": "string",
        "organisation": "string", "counterparty": "string", "contract": "string", "warehouse": "string", "responsible": "string",
        "amount": "int64", "vat": "int64", "vat_included": "boolean", "line_count": "int64", "manual": "boolean", "comment": "string",
        "incoming_number": "string", "incoming_date": "timestamp", "base": "string", "created": "timestamp",
    },
    "document_line": {
        "document": "string", "part": "string", "line": "int64", "item": "string", "quantity": "float64", "amount": "int64",
        "vat_rate": "string", "vat": "int64", "vat_expected": "int64",
    },
    "posting": {
        "id": "string", "recorder": "string", "recorder_type": "string", "line": "int64", "period": "timestamp", "active": "boolean",
        "organisation": "string", "amount": "int64", "storno": "boolean", "content": "string", **_side("dr"), **_side("cr"),
    },
    "opening": {"date": "date", "organisation": "string", "account": "string", "parent": "string", **_DIMENSION_COLUMNS, "analytics": "string", "amount": "int64", "quantity": "float64"},
    "turnover": {"start": "date", "end": "date", "organisation": "string", "account": "string", "parent": "string", "analytics": "string", "dr": "int64", "cr": "int64"},
    "register_record": {
        "register": "string", "recorder": "string", "recorder_type": "string", "line": "int64", "period": "timestamp", "active": "boolean", "record_type": "string",
        "counterparty": "string", "document": "string", "amount": "int64", "vat": "int64", "payload": "string",
    },
    "subconto": {"kind": "string", "value_type": "string", "value": "string", "uses": "int64"},
    "other_record": {"entity": "string", "ref": "string", "code": "string", "name": "string", "file": "string", "position": "int64", "payload": "string"},
}  # fmt: skip

KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    "document": ("ref", "number"),
    "posting": ("id", "recorder"),
    "counterparty": ("ref",),
    "contract": ("ref", "owner"),
}
"""Columns looked up one value at a time; engines that profit get an index on each."""
