"""Developers' questions to features: anchors with exact spans, and the sparse row that the intent heads read.

Read in this order: `wordlists`, `shapes`, `paths`, `cores`, `chunks`, `quotes`, `anchors`, `terms`, `reading`, `rows`, `vectoriser`.
"""

from features.code.anchors import Anchor
from features.code.reading import CodeReader, CodeReading


__all__ = ["Anchor", "CodeReader", "CodeReading"]
