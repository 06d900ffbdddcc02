"""Typed mentions: what a question names, where, and its value.

`find_mentions` reads tokens, lemmas and lexicon hits once; rows, scope and executors all use its answer.
Rules are tried in the order of ``_RULES``; a token belongs to the first mention that takes it, except that words may be a kind and part of a pointing too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache
from importlib.resources import files
from itertools import pairwise
from operator import itemgetter
from typing import Literal, NamedTuple

from features.calendar_words import is_anchor
from features.lexicon import Concept, Hit, Lexicon
from features.period_reader import FoundPeriod, find_periods
from features.periods import PeriodSpec
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

    ``first`` and ``last`` are its tokens, both included; -1 where it stands in no word of the question.
    """

    type: MentionType
    value: str | PeriodSpec
    first: int
    last: int


class Reading:
    """What the rules read."""

    def __init__(
        self,
        tokens: Sequence[Token],
        lemmas: Sequence[str],
        hits: Sequence[Hit],
        lexicon: Lexicon,
        periods: Sequence[FoundPeriod],
    ) -> None:
        self.tokens, self.lemmas, self.hits, self.lexicon, self.periods = tokens, lemmas, hits, lexicon, periods

    @cached_property
    def dated(self) -> frozenset[int]:
        """Tokens of periods that no number of an account or a document could be: «15 июня», «с 10.05 по 15.05», «5-го»."""
        return frozenset(i for p in self.periods if _is_worded(p, self.tokens) for i in range(p.first, p.last + 1))

    @cached_property
    def lexical(self) -> frozenset[int]:
        """Tokens on which a concept stands."""
        return frozenset(i for hit in self.hits for i in range(hit.first, hit.last + 1))

    @cached_property
    def document_kinds(self) -> frozenset[int]:
        """Tokens on which a document kind, or the word document itself, ends."""
        concepts = self.lexicon.concepts
        return frozenset(
            h.last
            for h in self.hits
            if concepts[h.concept].group == "document_kind" or concepts[h.concept].id == "document"
        )


_ACCOUNT_CUES = word_list("account_cues")
_ACCOUNT_PREPOSITIONS = frozenset(
    ("по", "на", "с", "со", "от", "из", "в", "и", "-", "/", "to", "on", "from", "and", ",", "через", "за")
)
_BETWEEN_ACCOUNTS = frozenset(("и", "/", ",", "-", "and", "дт", "кт", "д", "к", "на"))
_NUMBER_CUES = frozenset(("№", "#", "номер", "number", "no", "n", "num", "nr"))
_NUMBER_PARTS = frozenset(("ru", "en", "mixed", "number", "code", "docno"))
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
    "million": 1e6,
    "mln": 1e6,
    "thousand": 1e3,
    "млрд": 1e9,
    "миллиард": 1e9,
    "миллиарда": 1e9,
    "миллиардов": 1e9,
    "bn": 1e9,
    "billion": 1e9,
    "коп": 0.01,
    "копеек": 0.01,
    "kopecks": 0.01,
}
_CURRENCIES_BEFORE = frozenset(("$", "€", "₽", "usd", "eur", "rub"))
_REQUISITES = frozenset(("инн", "кпп", "огрн", "огрнип", "бик", "окпо", "снилс", "тел", "телефон", "tin", "phone"))
_MOST_AMOUNT_DIGITS = 12
_THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:,\d{3})+(?:\.\d{1,2})?\Z")
_POINTERS = word_list("pointers")
_POINTED = word_list("things_pointed_at")
_NAME_CUES = word_list("name_cues")
_LEGAL_FORMS = word_list("legal_forms")
_LATIN_FORMS = frozenset(form for form in _LEGAL_FORMS if form.isascii())
_ENGLISH_GLUE = word_list("english_function_words")
_NAME_PREPOSITIONS = word_list("name_prepositions")
_NOT_NAMES = word_list("not_names")
_NAME_OPENERS = _NAME_CUES | _NAME_PREPOSITIONS
_NAME_MARKS = _LEGAL_FORMS | {'"'}


RUSSIAN, ENGLISH, KIND_WORD, NAME_MARK, CAPITAL, NAME_OPENER, ANCHOR, NUMBER, POINTER, CODE, DOCNO, GUID = (
    1 << bit for bit in range(12)
)
"""Marks of a word: its script, what a rule needs to find anything. `ANCHOR`: a period may stand there; `CAPITAL`: it may be a name."""


def marks_of(token: Token, lemma: str, lexicon: Lexicon) -> int:
    """Marks of one word, whatever stands around it."""
    marks = _KIND_MARKS.get(token.kind, 0)
    if token.key in _NAME_MARKS or lemma == "контрагент":
        marks |= NAME_MARK
    if lemma in _NAME_OPENERS:
        marks |= NAME_OPENER
    if _is_name(token):
        marks |= CAPITAL
    if lemma in _POINTERS:
        marks |= POINTER
    if lemma in lexicon.phrases:
        marks |= KIND_WORD
    if is_anchor(token.kind, token.key):
        marks |= ANCHOR
    return marks


_NAME_AFTER_OPENER = NAME_OPENER | CAPITAL
_KIND_MARKS = {"ru": RUSSIAN, "en": ENGLISH, "guid": GUID, "number": NUMBER, "code": CODE, "docno": DOCNO}


def find_mentions(
    tokens: Sequence[Token],
    lemmas: Sequence[str],
    hits: Sequence[Hit],
    lexicon: Lexicon,
    marks: int,
    anchors: Sequence[int],
) -> list[Mention]:
    """Mentions by position. ``marks``: those of all words, `CAPITAL` without the first; ``anchors``: the words marked `ANCHOR`."""
    if marks & _NAME_AFTER_OPENER == _NAME_AFTER_OPENER:
        marks |= NAME_MARK
    reading = Reading(tokens, lemmas, hits, lexicon, find_periods(tokens, anchors) if anchors else [])
    taken = bytearray(len(tokens))
    found: list[Mention] = []
    for rule, wanted in _RULES:
        if marks & wanted:
            for mention in rule(reading, taken):
                found.append(mention)
                if mention[0] not in _UNTAKING:
                    for i in range(mention[2], mention[3] + 1):
                        taken[i] = 1
    if len(found) > 1:
        found.sort(key=_by_position)
    return found


def _is_worded(period: FoundPeriod, tokens: Sequence[Token]) -> bool:
    """Whether words say that it is a period; «10.06», «01.01-10.06» and «с 10-го» may be accounts."""
    span = tokens[period.first : period.last + 1]
    if period.spec.kind == "day" and len(period.spec.values) == 1 and span[-1].key in ("го", "ого"):
        return False
    return len(span) > 1 and any(t.kind in ("ru", "en", "date") for t in span)


@lru_cache(maxsize=1)
def _chart() -> frozenset[str]:
    return frozenset(json.loads(files("data").joinpath("lexicons/accounts.json").read_text("utf-8"))["accounts"])


def _guids(r: Reading, taken: bytearray) -> Iterator[Mention]:
    for i, token in enumerate(r.tokens):
        if token.kind == "guid" and not taken[i]:
            yield Mention("guid", token.text.lower(), i, i)


def _accounts(r: Reading, taken: bytearray) -> Iterator[Mention]:  # noqa: ARG001  # one signature for all rules
    kinds = r.document_kinds
    previous_was_account = False
    for i, token in enumerate(r.tokens):
        if token.kind not in ("code", "number"):
            previous_was_account = previous_was_account and token.key in _BETWEEN_ACCOUNTS
            continue
        code = token.text.upper().replace("A", "А").replace("B", "В") if token.kind == "code" else token.text
        if code[:3] not in _chart() and code[:2] not in _chart():
            previous_was_account = False
            continue
        if token.kind == "number" and not (code.isdigit() and (len(code) == 2 or code in _chart())):
            previous_was_account = False
            continue
        # «списание с расчётного счёта 77» has the number of the document
        is_number = token.kind == "number" and i - 1 in kinds
        previous_was_account = not is_number and _names_an_account(r, i, previous_was_account)
        if previous_was_account:
            yield Mention("account", code, i, i)


def _names_an_account(r: Reading, i: int, previous_was_account: bool) -> bool:
    tokens, lemmas = r.tokens, r.lemmas
    before = lemmas[i - 1] if i else ""
    after = lemmas[i + 1] if i + 1 < len(lemmas) else ""
    if before == "." and i > 1:
        before = lemmas[i - 2]
    if before in _NUMBER_CUES:
        return i > 1 and lemmas[i - 2] in _ACCOUNT_CUES and len(tokens[i].text) <= 6 and tokens[i].kind == "code"
    if _follows_a_cue(tokens, lemmas, i):
        return after not in ("от", "дата", "dated")
    ahead = lemmas[i + 1 : i + 4]
    if after in ("счет", "account", "субсчет", "сч") or (
        len(ahead) > 1 and ahead[0] in ("-", "й", "му", "го") and ("счет" in ahead)
    ):
        return True
    if i in r.dated:
        return False
    if previous_was_account:
        return True
    if tokens[i].kind == "code":
        return _is_no_date(tokens[i].text, before)
    if before not in ("по", "на", "с", "к", "from", "to", "on") or _is_counted(r, i) or _is_month_word(after):
        return False
    # «по 62», «с 60 на 62» name accounts, «на 20 контрагентов» counts
    a_word_follows = i + 1 < len(tokens) and tokens[i + 1].kind in ("ru", "en") and after not in _ACCOUNT_PREPOSITIONS
    return before == "по" or not a_word_follows


def _follows_a_cue(tokens: Sequence[Token], lemmas: Sequence[str], i: int) -> bool:
    """«счёт 51», «сч. 51», «счёт-51», «Дт 51», «К 51», «к-т 51»."""
    j = i - 2 if i > 1 and tokens[i - 1].text == "." else i - 1
    if j < 0:
        return False
    if len(tokens[j].key) == 1:
        if tokens[j].key == "т" and j > 1 and tokens[j - 1].text == "-":
            return tokens[j - 2].key in ("д", "к")
        if tokens[j].key in _ACCOUNT_CUES:
            return tokens[j].key != "к" or tokens[j].text.isupper()  # «к 51» is a preposition
        return tokens[j].key in ("-", "й") and j > 0 and len(lemmas[j - 1]) > 1 and lemmas[j - 1] in _ACCOUNT_CUES
    if tokens[j].key == "го":
        return j > 0 and lemmas[j - 1] in _ACCOUNT_CUES
    return lemmas[j] in _ACCOUNT_CUES


def _is_counted(r: Reading, i: int) -> bool:
    """Whether a unit follows a number: «20 дней», «20 рублей», "20 %"."""
    return i + 1 < len(r.tokens) and (r.lemmas[i + 1] in _UNITS_AFTER or r.tokens[i + 1].key in _UNITS_AFTER)


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


def _document_numbers(r: Reading, taken: bytearray) -> Iterator[Mention]:
    tokens, lemmas = r.tokens, r.lemmas
    kinds = r.document_kinds
    for i, token in enumerate(tokens):
        if taken[i]:
            continue
        if token.kind == "docno":
            yield Mention("document_number", token.text, i, i)
            continue
        before = lemmas[i - 1] if i else ""
        if before == "." and i > 1:
            before = lemmas[i - 2]
        last = _end_of_number(tokens, i) if before in _NUMBER_CUES else i
        if before in _NUMBER_CUES and any(t.text[:1].isdigit() for t in tokens[i : last + 1]):
            yield Mention("document_number", _text(tokens, i, last), i, last)
        elif (
            i - 1 in kinds
            and token.kind == "number"
            and token.text.isdigit()
            and i not in r.dated
            and not _is_counted(r, i)
            and not _is_month_word(lemmas[i + 1] if i + 1 < len(tokens) else "")
            and not _is_year(tokens, i)
        ):
            yield Mention("document_number", token.text, i, i)


def _end_of_number(tokens: Sequence[Token], i: int) -> int:
    """Last token of a number or a name written in one piece: «15/2020», «К-41», «118-б», «Ромашка-Плюс»."""
    last = i
    while _is_joint(tokens, last + 1):
        last += 2
    return last


def _is_joint(tokens: Sequence[Token], i: int) -> bool:
    """Whether token ``i`` is a hyphen or a slash that touches a word or a number on both sides."""
    if not 0 < i < len(tokens) - 1 or tokens[i].text not in ("-", "/"):
        return False
    before, after = tokens[i - 1], tokens[i + 1]
    return tokens[i].glued and after.glued and before.kind in _NUMBER_PARTS and after.kind in _NUMBER_PARTS


def _is_year(tokens: Sequence[Token], i: int) -> bool:
    text = tokens[i].text
    return (
        len(text) == 4
        and text[:2] in ("19", "20")
        and not (i + 1 < len(tokens) and tokens[i + 1].key in ("от", "of", "dated"))
    )


def _periods(r: Reading, taken: bytearray) -> Iterator[Mention]:
    for period in r.periods:
        if not any(taken[period.first : period.last + 1]):
            yield Mention("period", period.spec, period.first, period.last)


def _amounts(r: Reading, taken: bytearray) -> Iterator[Mention]:
    tokens = r.tokens
    for i, token in enumerate(tokens):
        if token.kind != "number" or taken[i]:
            continue
        value = _amount(token.text)
        after = tokens[i + 1].key if i + 1 < len(tokens) else ""
        if value is None:
            continue
        if after in _MONEY_AFTER or after in _MULTIPLIERS:
            yield Mention("amount", f"{value * _MULTIPLIERS.get(after, 1.0):.2f}", i, i + 1)
        elif i and tokens[i - 1].key in _CURRENCIES_BEFORE:
            yield Mention("amount", f"{value:.2f}", i - 1, i)
        elif _looks_like_money(token.text) and not _is_counted(r, i) and not _is_part_of_a_code(tokens, i):
            yield Mention("amount", f"{value:.2f}", i, i)


def _amount(text: str) -> float | None:
    """«1 000 000,50», «1.5», "1,250,000.00"; None for a number too long to be money."""
    digits = text.replace(" ", "").replace("'", "")
    digits = digits.replace(",", "") if _THOUSANDS.match(digits) else digits.replace(",", ".")
    return float(digits) if len(digits.partition(".")[0]) <= _MOST_AMOUNT_DIGITS else None


def _looks_like_money(text: str) -> bool:
    """Whether a number is money without a word that says so: thousands, or two decimals."""
    digits = text.replace(" ", "").replace("'", "")
    if _THOUSANDS.match(digits):
        return True
    whole, _, decimals = digits.replace(",", ".").partition(".")
    return (len(whole) >= 4 and whole[0] != "0") or len(decimals) == 2


def _is_part_of_a_code(tokens: Sequence[Token], i: int) -> bool:
    """«ИНН 7707083893», «80c200155d», «10210200/160620»: written after a requisite, or in one piece with letters or a slash."""
    before = tokens[i - 1] if i else None
    after = tokens[i + 1] if i + 1 < len(tokens) else None
    if before is not None and (
        before.key in _REQUISITES or (before.text in (":", "№", ".") and i > 1 and tokens[i - 2].key in _REQUISITES)
    ):
        return True
    touching = (before if tokens[i].glued else None, after if after is not None and after.glued else None)
    return any(t is not None and (t.text == "/" or t.kind in ("ru", "en", "mixed", "other")) for t in touching)


def _concepts(r: Reading, taken: bytearray) -> Iterator[Mention]:
    """Kinds and measures by the lexicon; of kinds, and of measures, on the same tokens the longest wins: «счёт-фактура» is no account."""
    concepts = r.lexicon.concepts
    named = [hit for hit in r.hits if concepts[hit.concept].group != "cue"]
    if any(a.last >= b.first for a, b in pairwise(named)):
        named = _longest(named, concepts)
    for number, first, last in named:
        if not any(taken[first : last + 1]):
            concept = concepts[number]
            yield Mention(concept.group, concept.id, first, last)  # type: ignore[arg-type]  # no cue is here: group is a MentionType


def _longest(hits: Sequence[Hit], concepts: Sequence[Concept]) -> list[Hit]:
    widest: dict[tuple[bool, int], Hit] = {}
    for hit in hits:
        measure = concepts[hit.concept].group == "measure"
        for i in range(hit.first, hit.last + 1):
            other = widest.get((measure, i))
            if other is None or hit.last - hit.first > other.last - other.first:
                widest[measure, i] = hit
    return list(dict.fromkeys(widest.values()))


def _pointing(r: Reading, taken: bytearray) -> Iterator[Mention]:  # noqa: ARG001  # one signature for all rules
    """«эта проводка», «данный документ», "this entry": a pointer and, within three words, a thing to point at."""
    lemmas = r.lemmas
    end = -1
    for i, lemma in enumerate(lemmas):
        if lemma not in _POINTERS or i <= end:
            continue
        for j in range(i + 1, min(i + 5, len(lemmas))):
            if lemmas[j] in _POINTED:
                end = j
                yield Mention("pointing", lemmas[j], i, j)
                break
            if r.tokens[j].kind == "punct" and r.tokens[j].text not in "-'\"":
                break


def _counterparties(r: Reading, taken: bytearray) -> Iterator[Mention]:
    """Names: in quotes, beside a legal form, capitalised after a cue or a preposition."""
    tokens, lemmas = r.tokens, r.lemmas
    end = -1
    for i, token in enumerate(tokens):
        if token.key not in _NAME_MARKS and (i == 0 or lemmas[i - 1] not in _NAME_OPENERS):
            continue
        if i <= end:
            continue
        if token.text == '"' and (closing := _closing_quote(tokens, i)):
            if not any(taken[i : closing + 1]):
                yield Mention("counterparty", _text(tokens, i + 1, closing - 1), i + 1, closing - 1)
            end = closing
        elif not taken[i] and token.kind in ("ru", "en", "mixed"):
            first, last = _name_at(r, i, taken)
            if last >= 0:
                yield Mention("counterparty", _text(tokens, first, last), first, last)
            end = max(i, last)


def _name_at(r: Reading, i: int, taken: bytearray) -> tuple[int, int]:
    """(first, last) token of the name that a word opens, or that a legal form stands beside; (i, -1) for none."""
    tokens, lemmas = r.tokens, r.lemmas
    if tokens[i].key in _LEGAL_FORMS:
        first = _start_of_name(r, i, taken) if tokens[i].key in _LATIN_FORMS else i
        if first < i:
            return first, i - 1
        return (i + 1, _end_of_name(r, i + 1, True)) if _opens_a_name(r, i) else (i, -1)
    before = lemmas[i - 1] if i else ""
    if (before in _NAME_CUES or before in _NAME_PREPOSITIONS) and _is_name(tokens[i]) and i not in r.lexical:
        return i, _end_of_name(r, i, False)
    if before == "контрагент" and tokens[i - 1].key != "контрагенты" and _could_be_a_name(r, i):
        return i, i
    return i, -1


def _start_of_name(r: Reading, i: int, taken: bytearray) -> int:
    """First token of the capitalised words before a legal form: "Orion Trading Ltd"; ``i`` for none."""
    tokens = r.tokens
    first = i
    while first and not taken[first - 1]:
        word = tokens[first - 1]
        if _is_name(word) and first - 1 not in r.lexical and word.key not in _ENGLISH_GLUE:
            first -= 1
        elif first < i and word.text == "-" and _is_joint(tokens, first - 1):
            first -= 2
        else:
            break
    return first


def _opens_a_name(r: Reading, i: int) -> bool:
    """Whether a name follows the legal form: «ООО Каравай», «ооо каравай», but "Orion Ltd owes", «какие ооо должны»."""
    if i + 1 >= len(r.tokens) or r.tokens[i + 1].kind not in ("ru", "en", "mixed"):
        return False
    if _is_name(r.tokens[i + 1]):
        return True
    return len(r.tokens[i].key) > 2 and r.tokens[i].kind == "ru" and i + 1 not in r.lexical


def _end_of_name(r: Reading, i: int, lexical: bool) -> int:
    """Last token of a name that begins at ``i``: capitalised words, also joined by a hyphen; ``lexical`` lets words of the domain in."""
    tokens = r.tokens
    last = i
    while last + 1 < len(tokens):
        if _is_name(tokens[last + 1]) and (lexical or last + 1 not in r.lexical):
            last += 1
        elif tokens[last + 1].text == "-" and (end := _end_of_number(tokens, last)) > last:
            last = end
        else:
            break
    return last


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
        and token.key not in _LEGAL_FORMS
        and (len(token.text) > 3 or not token.text.isupper())
        and len(token.text) > 1
    )


def _could_be_a_name(r: Reading, i: int) -> bool:
    token = r.tokens[i]
    return (
        token.kind == "ru"
        and len(token.key) > 3
        and i not in r.lexical
        and not token.key.endswith(("ть", "ли", "ся", "ал", "ил", "ет", "ит", "ый", "ой", "ые", "ых", "ого", "ому"))
        and not _is_month_word(r.lemmas[i])
    )


def _text(tokens: Sequence[Token], first: int, last: int) -> str:
    """Words as they stand, with one space where there was one, without a possessive."""
    text = tokens[first].text
    for token in tokens[first + 1 : last + 1]:
        text += token.text if token.glued else f" {token.text}"
    return text.removesuffix("'s")


_UNTAKING = frozenset(("pointing", "entity_kind", "document_kind", "measure"))
_by_position = itemgetter(2, 3)

_RULES: tuple[tuple[Callable[[Reading, bytearray], Iterator[Mention]], int], ...] = (
    (_guids, GUID),
    (_accounts, NUMBER | CODE),
    (_document_numbers, NUMBER | CODE | DOCNO),
    (_periods, ANCHOR),
    (_amounts, NUMBER),
    (_counterparties, NAME_MARK),
    (_concepts, KIND_WORD),
    (_pointing, POINTER),
)
"""Rules in their order, each with the marks without which it finds nothing."""
