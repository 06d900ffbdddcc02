"""Which risk signs the words of a fragment mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from executors.lookup import Lookup
from stores.risk.signs import SIGNS

_TOPICS: Final[dict[str, tuple[str, ...]]] = {
    "vat": ("vat",), "tax": ("vat",), "advance": ("advance",), "receivable": ("debt",), "payable": ("settlement", "advance"), "debt": ("debt", "advance"), "stock": ("balance",),
    "balance": ("balance",), "turnover": ("amount",),
}  # fmt: skip
_ALSO: Final[dict[str, tuple[str, ...]]] = {"advance": ("ADVANCE_VAT",), "tax": ("UNCLOSED_MONTH",)}
"""Signs that a measure concerns though an accountant files them under another topic."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """One reading: said when all of ``cues``, and one of ``words`` or ``kinds`` or ``measures`` where any are listed, stand in the fragment."""

    codes: tuple[str, ...]
    cues: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()


MEANINGS: Final = (
    Meaning(("ROUND_SUM",), words=("круглый", "ровный", "round")),
    Meaning(("BACKDATED",), words=("задний", "backdat")),
    Meaning(("MANUAL_OP",), words=("ручной", "вручную", "manual", "manually", "manual_entry")),
    Meaning(("STORNO",), words=("сторно", "сторнировать", "revers", "storno")),
    Meaning(("AMOUNT_OUTLIER",), words=("выброс", "outlier", "аномальный", "нетипичный", "выбиваться")),
    Meaning(("TURNOVER_JUMP",), words=("скачок", "spike", "jump", "подскочить")),
    Meaning(("DELETED_WITH_MOVES",), words=("удаление", "удаленный", "удалить", "delet")),
    Meaning(("UNPOSTED_WITH_MOVES",), words=("непроведенный", "unpost")),
    Meaning(("INCOMING_DATE",), words=("входящий", "incom"), cues=("late_entry",)),
    Meaning(("UNCLOSED_MONTH",), cues=("unclosed",), words=("месяц", "период", "month", "period")),
    Meaning(("OVERDUE",), cues=("overdue",)),
    Meaning(("NO_CONTRACT",), cues=("missing",), kinds=("contract",)),
    Meaning(("VAT_NO_INVOICE", "BROKEN_LINK"), cues=("missing",), kinds=("invoice",)),
    Meaning(("POSTED_NO_MOVES",), cues=("missing",), words=("движение", "проводка", "movement", "posting", "entry")),
    Meaning(("NO_COUNTERPARTY",), cues=("missing",), kinds=("counterparty",)),
    Meaning(("DUP_DOC",), cues=("duplicate",), kinds=("document",)),
    Meaning(("DUP_COUNTERPARTY",), cues=("duplicate",), kinds=("counterparty",)),
    Meaning(("DUP_DOC", "DUP_COUNTERPARTY"), cues=("duplicate",)),
    Meaning(("ADVANCE_NOT_OFFSET",), cues=("unclosed",), measures=("advance",)),
    Meaning(("NEG_ACTIVE", "NEG_PASSIVE", "VAT_19_CREDIT"), cues=("negative",)),
    Meaning(("UNCLOSED_MONTH",), cues=("unclosed",), kinds=("account",)),
)
"""The first that fits is meant; the narrowest stand first."""


def codes_meant(lookup: Lookup) -> tuple[str, ...]:
    """Codes of the named sign; empty where only risk as such is asked for."""
    kinds = {*lookup.kinds, *lookup.document_kinds, *(("document",) if lookup.document_kinds else ())}
    words = {*lookup.words, *lookup.document_kinds}
    cues = lookup.cues - {"missing"} if _asks_whether(lookup) else lookup.cues
    for m in MEANINGS:
        if not cues.issuperset(m.cues):
            continue
        listed = bool(m.words or m.kinds or m.measures)
        if not listed or words & set(m.words) or kinds & set(m.kinds) or set(lookup.measures) & set(m.measures):
            if m.kinds == ("counterparty",) and lookup.partners:
                continue
            return m.codes
    return ()


def _asks_whether(lookup: Lookup) -> bool:
    """«нет ли проблем», "no problems?": the negation belongs to the asking, nothing is said to be missing."""
    return "ли" in lookup.spoken or bool(lookup.cues & {"problem", "worry"})


def codes_of_measures(lookup: Lookup) -> tuple[str, ...]:
    """Codes that a named measure concerns; empty where none is named."""
    topics = {t for m in lookup.measures for t in _TOPICS.get(m, ())}
    more = {code for m in lookup.measures for code in _ALSO.get(m, ())}
    return tuple(s.code for s in SIGNS if s.topic in topics or s.code in more)
