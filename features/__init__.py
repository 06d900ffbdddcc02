"""Text to features: one `Analysis` of a question, and the sparse row every head reads.

Read in this order: `normalisation`, `tokens`, `lemmas`, `lexicon`, `periods`, `calendar_words`, `period_reader`, `mentions`, `analysis`, `rows`, `vectoriser`.
"""

from features.analysis import Analyser, Analysis
from features.lemmas import Lemmatiser
from features.vectoriser import Row, Vectoriser

__all__ = ["Analyser", "Analysis", "Lemmatiser", "Row", "Vectoriser"]
