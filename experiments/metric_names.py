"""Nested figures to flat metric names that every tracking server takes.

>>> flat_metrics({"route_mismatch_count": 1, "confusion": {"hybrid -> canonical": 2}, "verdict": "adopt", "interval": [0.5, 0.9]})
{'route_mismatch_count': 1.0, 'confusion/hybrid_to_canonical': 2.0, 'interval/low': 0.5, 'interval/high': 0.9}
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

_FORBIDDEN = re.compile(r"[^\w./ -]")


def flat_metrics(figures: Mapping[str, Any], prefix: str = "") -> dict[str, float]:
    """Every finite number of ``figures`` by its path; texts, lists other than intervals, and what was not measured fall away."""
    return dict(_walk(figures, prefix))


def _walk(value: Any, name: str) -> Iterator[tuple[str, float]]:
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield from _walk(part, f"{name}/{_readable(str(key))}" if name else _readable(str(key)))
    elif isinstance(value, list) and name.endswith("interval") and len(value) == 2:
        for end, part in zip(("low", "high"), value, strict=True):
            yield from _walk(part, f"{name}/{end}")
    elif isinstance(value, bool | int | float) and math.isfinite(value):
        yield name, float(value)


def _readable(key: str) -> str:
    return _FORBIDDEN.sub("_", key.replace(" -> ", "_to_").replace(" ", "_"))
