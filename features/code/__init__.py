"""Developers' questions to features: anchors with exact spans, and the sparse row that the intent heads read.

Read in this order: `wordlists`, `pieces`, `shapes`, `paths`, `terms`, `names`, `cores`, `chunks`, `quotes`, `company`, `documents`, `key_terms`, `anchors`, `reading`, `concepts`, `rows`, `vectoriser`.
"""

from features.code.company import Anchor
from features.code.reading import CodeReader, CodeReading
from features.code.vectoriser import CodeVectoriser

__all__ = ["Anchor", "CodeReader", "CodeReading", "CodeVectoriser"]
