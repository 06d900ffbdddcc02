"""The language of a question.

>>> language_of("остаток по 51"), language_of("balance of 51")
('ru', 'en')
"""

from __future__ import annotations

import re
from typing import Literal

Language = Literal["ru", "en"]


def language_of(text: str) -> Language:
    """Language to answer in: Russian where a question has a Cyrillic letter, else English."""
    return "ru" if re.search("[а-яёА-ЯЁ]", text) else "en"
