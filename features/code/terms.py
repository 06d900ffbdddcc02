"""Words that the pass over a sequence must look at: key terms in every inflection, marks of documents, words that announce a path.

>>> ROLES["методов"], ROLES["юнит-тестами"], ROLES["глава"]
('term:method', 'term:unit_test', 'doc_mark')
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from features.code.wordlists import code_words


@dataclass(frozen=True, slots=True)
class Term:
    """One of the required terms: its Russian and English words, and every inflection in small letters."""

    id: str
    ru: tuple[str, ...]
    en: tuple[str, ...]
    ru_forms: tuple[str, ...]
    en_forms: tuple[str, ...]


@lru_cache(maxsize=1)
def terms() -> tuple[Term, ...]:
    """The required terms, from ``data/lexicons/code_terms.json``."""
    data = json.loads(files("data").joinpath("lexicons/code_terms.json").read_text("utf-8"))
    return tuple(
        Term(t["id"], tuple(t["ru"]), tuple(t["en"]), tuple(t["ru_forms"]), tuple(t["en_forms"])) for t in data["terms"]
    )


def _roles() -> dict[str, str]:
    found: dict[str, str] = {}
    for name, role in (
        ("path_cues", "path_cue"),
        ("login_cues", "login_cue"),
        ("code_nouns", "code_noun"),
        ("document_marks_ru", "doc_mark"),
        ("document_marks_en", "doc_mark"),
    ):
        found.update(dict.fromkeys(code_words(name), role))
    found.update({kind.lower(): "doc_kind" for kind in code_words("document_kinds")})
    found["unit"] = "unit"
    for term in terms():
        for form in (*term.ru_forms, *term.en_forms):
            found[form] = f"term:{term.id}"
    return found


ROLES = _roles()
"""Role of a word in small letters. A term's role wins over others, since «в файле» announces a path as a term does."""
