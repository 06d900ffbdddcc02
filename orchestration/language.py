"""The language an answer is written in."""

from __future__ import annotations

import re
from typing import Literal

Language = Literal["ru", "en"]


def language_of(text: str) -> Language:
    """Russian where a question has a Cyrillic letter, else English."""
    return "ru" if re.search("[а-яёА-ЯЁ]", text) else "en"
