"""A question with several asks → fragments, each routed and answered on its own. A question that only looks compound stays whole.

A cut is tried where a sentence ends and at joining words («и», «а также», "and then"). It is made only where both sides ask for something of their own: what
follows must open an ask (a command, a question word, or a head such as «остаток», "top") with an object, must not point back («его», "its"), and must not
lean on an object that only the other side names.

>>> [f.text for f in split_fragments("Топ контрагентов по риску и открой документ № 0000-000123")]
['Топ контрагентов по риску', 'открой документ № 0000-000123']
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from executors.context import default_analyser
from features.analysis import Analyser, Analysis
from features.wordlists import word_list

MOST_FRAGMENTS: Final = 8
"""Asks of one question that are answered apart; what follows stays with the last."""

_COMMANDS: Final = frozenset(
    ["покажи", "покажите", "показать", "открой", "откройте", "открыть", "найди", "найдите", "найти", "выведи", "выведите", "вывести", "дай", "дайте", "скажи", "скажите", "посчитай", "посчитайте", "построй", "постройте", "раскрой", "раскройте", "разверни", "сравни", "сравните", "проверь", "проверьте", "объясни", "объясните", "свяжи", "свяжите", "сформируй", "составь", "перечисли", "перечислите", "выгрузи", "назови", "посмотри", "посмотрите", "определи", "отбери", "show", "open", "find", "list", "give", "tell", "display", "explain", "compare", "check", "link", "trace", "rank", "count", "fetch", "get"]
)  # fmt: skip
_QUESTIONS: Final = frozenset(
    ["сколько", "какой", "какая", "какое", "какие", "каков", "какова", "какую", "каким", "какими", "кто", "кому", "кого", "почему", "отчего", "откуда", "где", "когда", "чему", "зачем", "есть", "нет", "how", "which", "what", "who", "whom", "why", "where", "when", "is", "are", "was", "were", "do", "does", "did"]
)  # fmt: skip
_HEADS: Final = frozenset(
    ["топ", "рейтинг", "динамика", "остаток", "остатки", "сальдо", "оборот", "обороты", "список", "перечень", "сводка", "обзор", "отчет", "выручка", "задолженность", "дебиторка", "кредиторка", "top", "ranking", "rating", "balance", "balances", "turnover", "trend", "list", "summary", "overview", "revenue", "receivables", "payables", "dynamics"]
)  # fmt: skip
_JOINING: Final = (
    "а также", "а еще", "и еще", "и также", "и затем", "и потом", "а потом", "а затем", "и заодно", "заодно", "кроме того", "плюс", "затем", "потом", "и", "а",
    "and then", "and also", "as well as", "and", "then", "also", "plus",
)  # fmt: skip
_BACK: Final = frozenset(
    ["его", "ее", "их", "ему", "ей", "им", "него", "нее", "них", "ним", "ней", "нем", "этот", "эта", "это", "эти", "этого", "этой", "этих", "этому", "этим", "этими", "эту", "тот", "та", "те", "того", "той", "тех", "там", "туда", "такой", "же", "она", "он", "они", "it", "its", "they", "their", "them", "this", "that", "these", "those", "there", "he", "she", "same"]
)  # fmt: skip
_PINNING: Final = frozenset(("document_number", "guid"))
_OWN: Final = frozenset(
    ("document_number", "guid", "account", "counterparty", "document_kind", "entity_kind", "measure", "amount")
)
_PARTS_OF_AN_OBJECT: Final = frozenset(("posting", "subconto", "document", "register_record", "account"))
_CAUSES: Final = frozenset(("why", "source", "basis"))
_PREPOSITIONS: Final = frozenset(("на", "для", "в", "по", "с", "из", "о"))
_SKIPPED: Final = frozenset(("пожалуйста", "please", "мне", "me", "ли", "ка", "тогда", "теперь", "now", "а", "и", "на", "для", "в", "по", "с", "из", "the", "us", "нам"))  # fmt: skip
_ENUMERATION = re.compile(r"\s*(?:\d{1,2}[.)]|[-•–—*])\s+")


@dataclass(frozen=True, slots=True)
class Fragment:
    """``text`` is what stands at ``start`` to ``end`` of the question, without joining words and closing marks."""

    id: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Cut:
    """Between ``left`` (where the left side ends) and ``right`` (where the right one begins)."""

    left: int
    right: int
    kind: str


def split_fragments(text: str, analyser: Analyser | None = None) -> tuple[Fragment, ...]:
    """Fragments F1, F2, … in their order; one for a question with a single ask, none for an empty one."""
    if not text.strip():
        return ()
    analysis = (analyser or default_analyser()).analyse(text)
    if analysis.truncated:
        return (_fragment(1, text, 0, len(text)),)
    cuts: list[_Cut] = []
    begin = 0
    for cut in _candidates(analysis):
        if cut.right <= begin or len(cuts) >= MOST_FRAGMENTS - 1:
            continue
        following = next(
            (c.left for c in _candidates(analysis) if c.kind == "sentence" and c.left > cut.right), len(text)
        )
        if _is_a_cut(analysis, begin, cut, following):
            cuts.append(cut)
            begin = cut.right
    bounds = [0, *(b for c in cuts for b in (c.left, c.right)), len(text)]
    spans = list(zip(bounds[::2], bounds[1::2], strict=True))
    return tuple(_fragment(n, text, a, b) for n, (a, b) in enumerate(spans, 1))


def _fragment(number: int, text: str, start: int, end: int) -> Fragment:
    while start < end and (text[start].isspace() or text[start] in ",;."):
        start += 1
    mark = _ENUMERATION.match(text, start, end)
    if mark:
        start = mark.end()
    while end > start and (text[end - 1].isspace() or text[end - 1] in ",;."):
        end -= 1
    return Fragment(f"F{number}", text[start:end], start, end)


def _candidates(analysis: Analysis) -> list[_Cut]:
    """Places where a cut may be made, in order."""
    found: list[_Cut] = []
    tokens = analysis.tokens
    spans = analysis.token_spans()
    held = {
        i for m in analysis.mentions if m.first >= 0 and m.type != "pointing" for i in range(m.first + 1, m.last + 1)
    }
    i = 0
    while i < len(tokens):
        start, end = spans[i]
        joined = _joining_at(analysis, i)
        if i not in held and joined:
            found.append(_Cut(start, spans[i + joined - 1][1], "joined"))
            i += joined
            continue
        if i not in held and tokens[i].text == ",":
            found.append(_Cut(start, end, "comma"))
        elif tokens[i].text in ("?", "!", ";") or (tokens[i].text == "." and _ends_a_sentence(analysis, i)):
            found.append(_Cut(end if tokens[i].text == "?" else start, end, "sentence"))
        i += 1
    found += [_Cut(match.start(), match.end(), "sentence") for match in re.finditer(r"\n+", analysis.raw)]
    return sorted(found, key=lambda c: c.left)


def _joining_at(analysis: Analysis, i: int) -> int:
    """How many tokens a joining word at ``i`` has; 0 for none. The longest wins."""
    keys = [t.key.replace("ё", "е") for t in analysis.tokens[i : i + 3]]
    for phrase in _JOINING:
        words = phrase.split()
        if keys[: len(words)] == words:
            return len(words)
    return 0


def _ends_a_sentence(analysis: Analysis, i: int) -> bool:
    """Whether a full stop does: a longer word before it and a capital letter or nothing after."""
    tokens = analysis.tokens
    if i == 0 or i + 1 >= len(tokens):
        return False
    before, after = tokens[i - 1], tokens[i + 1]
    if after.glued or (len(before.text) <= 2 and not before.text.isdigit()):
        return False
    return after.text[0].isupper() or after.text[0].isdigit()


@dataclass(frozen=True, slots=True)
class _Side:
    """What stands between two places of the question."""

    words: tuple[str, ...]
    mentions: tuple[tuple[str, str], ...]
    cues: frozenset[str]
    opener: str | None
    question_mark: bool

    @property
    def types(self) -> frozenset[str]:
        return frozenset(kind for kind, _ in self.mentions)

    @property
    def has_own_object(self) -> bool:
        return bool(self.types & _OWN)

    @property
    def pins(self) -> bool:
        return bool(self.types & _PINNING)


_GLUE = word_list("english_function_words")


def _side(analysis: Analysis, start: int, end: int) -> _Side:
    inside = [i for i, (a, b) in enumerate(analysis.token_spans()) if start <= a and b <= end]
    words = tuple(
        analysis.tokens[i].key.replace("ё", "е") for i in inside if analysis.tokens[i].kind in ("ru", "en", "mixed")
    )
    kept = set(inside)
    mentions = tuple((m.type, str(m.value)) for m in analysis.mentions if m.first in kept and m.last in kept)
    cues = frozenset(analysis.concept_ids[h.concept] for h in analysis.hits if h.first in kept and h.last in kept)
    opener = None
    for word in words:
        if word in _COMMANDS:
            opener = "command"
        elif word in _QUESTIONS:
            opener = "question"
        elif word in _HEADS:
            opener = "head"
        elif word in _SKIPPED and word != words[-1]:
            continue
        break
    marked = "?" in analysis.raw[start:end]
    return _Side(words, mentions, cues, opener, marked)


def _is_a_cut(analysis: Analysis, begin: int, cut: _Cut, end: int) -> bool:
    left = _side(analysis, begin, cut.left)
    right = _side(analysis, cut.right, end)
    if right.opener is None or len(right.words) + len(right.mentions) < 2 or not right.has_own_object:
        return False
    if not (left.has_own_object or left.cues & {"overview", "rank", "trend", "risk", "anomaly"}) or not left.words:
        return False
    near = _side(analysis, cut.right, _clause_end(analysis, cut.right, end))
    if set(near.words) & _BACK or not near.has_own_object:
        return False
    if left.opener is None and not left.question_mark and not _asks_without_opener(left, cut, right):
        return False
    if cut.kind != "sentence" and right.opener == "question" and right.words[0] in _PREPOSITIONS:
        return False  # «какими платежами закрыты отгрузки и по каким договорам»
    if left.pins and not right.pins and not _stands_alone(right):
        return False  # «откуда в накладной 217 счёт 44, покажи проводки»
    if right.pins and not left.pins and left.cues & _CAUSES:
        return False  # «почему выбран счёт 26 и откуда сумма в документе № 17»
    if right.opener == "head" and cut.kind != "sentence":
        return _own_ground(left) and _own_ground(right)
    if right.opener == "question" and cut.kind == "comma":
        return left.opener in ("question", "head") or (left.opener == "command" and _own_ground(left))
    return True


def _asks_without_opener(left: _Side, cut: _Cut, right: _Side) -> bool:
    """Whether a side asks though no opener says so: «полный риск-срез за июнь», but not «у нас проблема с Вектором. Покажи…»."""
    if right.opener != "command":
        return False
    return cut.kind != "sentence" or bool(left.cues & {"overview", "rank"})


def _clause_end(analysis: Analysis, start: int, end: int) -> int:
    """Where the clause at ``start`` ends: before the next joining word that opens another ask, else at ``end``."""
    for cut in _candidates(analysis):
        if start < cut.left < end and cut.kind != "comma" and _side(analysis, cut.right, end).opener is not None:
            return cut.left
    return end


def _stands_alone(side: _Side) -> bool:
    """Whether a side without a document names more than parts of one: a period, an account, a counterparty, a measure, a kind of document."""
    if side.types & {"period", "counterparty", "measure", "document_kind", "account"}:
        return True
    return any(kind == "entity_kind" and value not in _PARTS_OF_AN_OBJECT for kind, value in side.mentions)


def _own_ground(side: _Side) -> bool:
    """Whether a side names more than its head: «остаток по счёту 51», not «остаток»."""
    measures = sum(1 for kind, _ in side.mentions if kind == "measure")
    others = side.types & (_OWN | {"period"}) - {"measure"}
    return bool(others) or measures > 1 or (measures == 1 and not set(side.words[:1]) <= _HEADS) or (measures == 1 and len(side.words) > 2 and side.words[0] in ("топ", "рейтинг", "динамика", "top", "ranking", "trend"))  # fmt: skip
