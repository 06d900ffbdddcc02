"""Typed mentions: what a question names, where, and its value.

`find_mentions` reads tokens, lemmas and lexicon hits once; rows, scope and executors all use its answer.
Rules are tried in the order of ``_RULES``; a token belongs to the first mention that takes it, except that words may be a kind and part of a pointing too.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Literal, NamedTuple

from features.lexicon import Hit, Lexicon
from features.periods import PeriodSpec, find_periods
from features.tokens import Token
from features.wordlists import word_list

MentionType = Literal[
    "period",
    "account",
    "document_number",
    "guid",
    "amount",
    "counterparty",
    "document_kind",
    "entity_kind",
    "measure",
    "pointing",
]


class Mention(NamedTuple):
    """``value``: a `PeriodSpec` for a period; else text: account code, number, GUID, amount in roubles, name, or concept id.

    ``start`` and ``end`` are code points of the raw question once an `Analysis` holds the mention; ``first`` and ``last`` are tokens.
    """

    type: MentionType
    value: str | PeriodSpec
    start: int
    end: int
    first: int
    last: int


class Reading(NamedTuple):
    """What the rules read."""

    tokens: Sequence[Token]
    lemmas: Sequence[str]
    hits: Sequence[Hit]
    lexicon: Lexicon


_Found = tuple[MentionType, "str | PeriodSpec", int, int]

_ACCOUNT_CUES = word_list("account_cues")
_ACCOUNT_PREPOSITIONS = frozenset(
    ("по", "на", "с", "со", "от", "из", "в", "и", "-", "/", "to", "on", "from", "and", ",", "через", "за")
)
_NUMBER_CUES = frozenset(("№", "#", "номер", "number", "no", "n", "num", "nr"))
_UNITS_AFTER = word_list("units_after_a_number")
_MONEY_AFTER = word_list("money_after_a_number")
_MULTIPLIERS = {
    "тыс": 1e3,
    "тысяч": 1e3,
    "тысячи": 1e3,
    "тыр": 1e3,
    "k": 1e3,
    "к": 1e3,
    "млн": 1e6,
    "миллион": 1e6,
    "миллиона": 1e6,
    "миллионов": 1e6,
    "m": 1e6,
}
_POINTERS = word_list("pointers")
_POINTED = word_list("things_pointed_at")
_NAME_CUES = word_list("name_cues")
_LEGAL_FORMS = word_list("legal_forms")
_NAME_PREPOSITIONS = word_list("name_prepositions")
_NOT_NAMES = word_list("not_names")


def find_mentions(
    tokens: Sequence[Token], lemmas: Sequence[str], hits: Sequence[Hit], lexicon: Lexicon
) -> list[Mention]:
    """Mentions by position; spans are of the canonical text."""
    reading = Reading(tokens, lemmas, hits, lexicon)
    taken = bytearray(len(tokens))
    found: list[Mention] = []
    for rule in _RULES:
        for kind, value, first, last in rule(reading, taken):
            found.append(Mention(kind, value, tokens[first].start, tokens[last].end, first, last))
            if kind not in ("pointing", "entity_kind", "document_kind", "measure"):
                for i in range(first, last + 1):
                    taken[i] = 1
    found.sort(key=lambda m: (m.start, m.end))
    return found


@lru_cache(maxsize=1)
def _chart() -> frozenset[str]:
    return frozenset(json.loads(files("data").joinpath("lexicons/accounts.json").read_text("utf-8"))["accounts"])


def _guids(r: Reading, taken: bytearray) -> Iterator[_Found]:
    for i, token in enumerate(r.tokens):
        if token.kind == "guid" and not taken[i]:
            yield "guid", token.text.lower(), i, i


def _accounts(r: Reading, taken: bytearray) -> Iterator[_Found]:  # noqa: ARG001  # one signature for all rules
    tokens, lemmas = r.tokens, r.lemmas
    previous_was_account = False
    for i, token in enumerate(tokens):
        if token.kind not in ("code", "number"):
            previous_was_account = previous_was_account and token.text in (
                "и",
                "/",
                ",",
                "-",
                "and",
                "Кт",
                "кт",
                "Дт",
                "на",
            )
            continue
        code = token.text.replace("A", "А").replace("B", "В") if token.kind == "code" else token.text
        if code[:3] not in _chart() and code[:2] not in _chart():
            previous_was_account = False
            continue
        if token.kind == "number" and not (code.isdigit() and (len(code) == 2 or code in _chart())):
            previous_was_account = False
            continue
        if _names_an_account(tokens, lemmas, i, previous_was_account):
            previous_was_account = True
            yield "account", code, i, i
        else:
            previous_was_account = False


def _names_an_account(tokens: Sequence[Token], lemmas: Sequence[str], i: int, previous_was_account: bool) -> bool:
    before = lemmas[i - 1] if i else ""
    after = lemmas[i + 1] if i + 1 < len(lemmas) else ""
    if before == "." and i > 1:
        before = lemmas[i - 2]
    if before in _NUMBER_CUES:
        return i > 1 and lemmas[i - 2] in _ACCOUNT_CUES and len(tokens[i].text) <= 6 and tokens[i].kind == "code"
    if before in _ACCOUNT_CUES or (before in ("-", "й", "го") and i > 1 and lemmas[i - 2] in _ACCOUNT_CUES):
        return after not in ("от", "дата", "dated")
    ahead = lemmas[i + 1 : i + 4]
    if after in ("счет", "account", "субсчет", "сч") or (
        len(ahead) > 1 and ahead[0] in ("-", "й", "му", "го") and ("счет" in ahead)
    ):
        return True
    if previous_was_account:
        return True
    if tokens[i].kind == "code":
        return _is_no_date(tokens[i].text, before)
    if before not in ("по", "на", "с", "from", "to", "on") or after in _UNITS_AFTER or _is_month_word(after):
        return False
    # «по 62», «с 60 на 62» name accounts, «на 20 контрагентов» counts
    a_word_follows = i + 1 < len(tokens) and tokens[i + 1].kind in ("ru", "en") and after not in _ACCOUNT_PREPOSITIONS
    return before == "по" or not a_word_follows


def _is_no_date(code: str, before: str) -> bool:
    day, _, month = code.partition(".")
    readable = month.isdigit() and len(month) == 2 and 1 <= int(month) <= 12 and 1 <= int(day) <= 31
    sure = before in ("от", "за", "до", "of", "dated", "by", "к")
    return not (readable and (sure or (before in ("с", "по", "на", "on") and month == "06")))


def _is_month_word(lemma: str) -> bool:
    return lemma in (
        "январь",
        "февраль",
        "март",
        "апрель",
        "май",
        "июнь",
        "июль",
        "август",
        "сентябрь",
        "октябрь",
        "ноябрь",
        "декабрь",
        "june",
        "juli",
        "may",
        "april",
        "march",
        "january",
        "august",
        "квартал",
        "quarter",
        "число",
        "полугодие",
        "half",
    )


def _document_kind_tokens(r: Reading) -> set[int]:
    """Tokens on which a document kind, or the word document itself, ends."""
    concepts = r.lexicon.concepts
    return {
        h.last for h in r.hits if concepts[h.concept].group == "document_kind" or concepts[h.concept].id == "document"
    }


def _document_numbers(r: Reading, taken: bytearray) -> Iterator[_Found]:
    tokens, lemmas = r.tokens, r.lemmas
    kinds = _document_kind_tokens(r)
    for i, token in enumerate(tokens):
        if taken[i]:
            continue
        if token.kind == "docno":
            yield "document_number", token.text, i, i
        elif token.kind in ("number", "code") and token.text[:1].isdigit():
            before = lemmas[i - 1] if i else ""
            if before == "." and i > 1:
                before = lemmas[i - 2]
            after = lemmas[i + 1] if i + 1 < len(tokens) else ""
            if before in _NUMBER_CUES or (
                i - 1 in kinds
                and token.text.isdigit()
                and after not in _UNITS_AFTER
                and not _is_month_word(after)
                and not _is_year(tokens, i)
            ):
                yield "document_number", token.text, i, i


def _is_year(tokens: Sequence[Token], i: int) -> bool:
    text = tokens[i].text
    return (
        len(text) == 4
        and text[:2] in ("19", "20")
        and not (i + 1 < len(tokens) and tokens[i + 1].key in ("от", "of", "dated"))
    )


def _periods(r: Reading, taken: bytearray) -> Iterator[_Found]:
    for period in find_periods(r.tokens):
        if not any(taken[period.first : period.last + 1]):
            yield "period", period.spec, period.first, period.last


def _amounts(r: Reading, taken: bytearray) -> Iterator[_Found]:
    tokens = r.tokens
    for i, token in enumerate(tokens):
        if token.kind != "number" or taken[i]:
            continue
        after = tokens[i + 1].key if i + 1 < len(tokens) else ""
        digits = token.text.replace(" ", "").replace("'", "")
        if after in _MONEY_AFTER:
            value = float(digits.replace(",", ".")) * _MULTIPLIERS.get(after, 1.0)
            yield "amount", f"{value:.2f}", i, i + 1
        elif (
            len(digits.partition(".")[0].partition(",")[0]) >= 4
            or "," in digits
            or ("." in digits and len(digits.partition(".")[2]) == 2)
        ):
            yield "amount", f"{float(digits.replace(',', '.')):.2f}", i, i


def _concepts(r: Reading, taken: bytearray) -> Iterator[_Found]:
    """Kinds and measures by the lexicon; of hits of one group on the same tokens the longest wins."""
    widest: dict[tuple[str, int], Hit] = {}
    for hit in r.hits:
        group = r.lexicon.concepts[hit.concept].group
        if group == "cue":
            continue
        for i in range(hit.first, hit.last + 1):
            other = widest.get((group, i))
            if other is None or hit.last - hit.first > other.last - other.first:
                widest[group, i] = hit
    seen: set[Hit] = set()
    for (name, _), hit in widest.items():
        if hit in seen or any(taken[hit.first : hit.last + 1]):
            continue
        seen.add(hit)
        yield name, r.lexicon.concepts[hit.concept].id, hit.first, hit.last  # type: ignore[misc]  # group is a MentionType here


def _pointing(r: Reading, taken: bytearray) -> Iterator[_Found]:  # noqa: ARG001  # one signature for all rules
    """«эта проводка», «данный документ», "this entry": a pointer and, within three words, a thing to point at."""
    lemmas = r.lemmas
    end = -1
    for i, lemma in enumerate(lemmas):
        if lemma not in _POINTERS or i <= end:
            continue
        for j in range(i + 1, min(i + 5, len(lemmas))):
            if lemmas[j] in _POINTED:
                end = j
                yield "pointing", lemmas[j], i, j
                break
            if r.tokens[j].kind == "punct" and r.tokens[j].text not in "-'\"":
                break


def _counterparties(r: Reading, taken: bytearray) -> Iterator[_Found]:
    """Names: in quotes, after a legal form, capitalised after a cue or a preposition."""
    tokens, lemmas = r.tokens, r.lemmas
    i = 0
    while i < len(tokens):
        if tokens[i].text == '"' and (end := _closing_quote(tokens, i)):
            if not any(taken[i : end + 1]):
                yield "counterparty", _text(tokens, i + 1, end - 1), i + 1, end - 1
            i = end + 1
            continue
        token = tokens[i]
        if not taken[i] and token.kind in ("ru", "en", "mixed"):
            if (
                token.key in _LEGAL_FORMS
                and i + 1 < len(tokens)
                and tokens[i + 1].kind in ("ru", "en", "mixed")
                and (len(token.key) > 2 or _is_name(tokens[i + 1]))
            ):
                last = i + 1
                while last + 1 < len(tokens) and _is_name(tokens[last + 1]):
                    last += 1
                yield "counterparty", _text(tokens, i + 1, last), i + 1, last
                i = last + 1
                continue
            follows_cue = i > 0 and (lemmas[i - 1] in _NAME_CUES or lemmas[i - 1] in _NAME_PREPOSITIONS)
            if follows_cue and _is_name(token) and not _is_lexical(r, i):
                last = i
                while last + 1 < len(tokens) and _is_name(tokens[last + 1]) and not _is_lexical(r, last + 1):
                    last += 1
                yield "counterparty", _text(tokens, i, last), i, last
                i = last + 1
                continue
            if (
                i > 0
                and lemmas[i - 1] == "контрагент"
                and tokens[i - 1].key != "контрагенты"
                and _could_be_a_name(r, i)
            ):
                yield "counterparty", token.text, i, i
        i += 1


def _closing_quote(tokens: Sequence[Token], i: int) -> int:
    for j in range(i + 2, min(i + 8, len(tokens))):
        if tokens[j].text == '"':
            return j
    return 0


def _is_name(token: Token) -> bool:
    return (
        token.kind in ("ru", "en", "mixed")
        and token.text[0].isupper()
        and token.key not in _NOT_NAMES
        and (len(token.text) > 3 or not token.text.isupper())
        and len(token.text) > 1
    )


def _is_lexical(r: Reading, i: int) -> bool:
    return any(h.first <= i <= h.last for h in r.hits)


def _could_be_a_name(r: Reading, i: int) -> bool:
    token = r.tokens[i]
    return (
        token.kind == "ru"
        and len(token.key) > 3
        and not _is_lexical(r, i)
        and not token.key.endswith(("ть", "ли", "ся", "ал", "ил", "ет", "ит", "ый", "ой", "ые", "ых", "ого", "ому"))
        and not _is_month_word(r.lemmas[i])
    )


def _text(tokens: Sequence[Token], first: int, last: int) -> str:
    return " ".join(t.text for t in tokens[first : last + 1])


_RULES = (_guids, _accounts, _document_numbers, _periods, _amounts, _counterparties, _concepts, _pointing)
