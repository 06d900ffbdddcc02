"""Developers' questions to features: anchors with exact spans, and the sparse row that the intent heads read.

Read in this order: `wordlists`, `pieces`, `shapes`, `paths`, `cores`, `chunks`, `quotes`, `anchors`, `terms`, `reading`, `concepts`, `rows`, `vectoriser`.
"""

from features.code.anchors import Anchor
from features.code.reading import CodeReader, CodeReading
from features.code.vectoriser import CodeVectoriser


__all__ = ["Anchor", "CodeReader", "CodeReading", "CodeVectoriser"]
