"""Ways in which people spoil a question without changing what they ask: each a pure function of the text, the same on every machine.

>>> wrong_layout("какие проводки")
'rfrbt ghjdjlrb'
>>> transliterated("Остаток по счёту 51")
'Ostatok po schetu 51'

A perturbation returns the text unchanged where it has nothing to work on; such questions are not counted (`experiments.robustness`).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib.resources import files

import orjson

_CYRILLIC = re.compile("[а-яё]", re.IGNORECASE)
_LETTERS = re.compile(r"(?<![\w.-])[^\W\d_]{5,}(?![\w.-])")
_PUNCTUATION = re.compile(r'[?!,;:«»"()…]|\.(?!\w)|(?<=\s)[-–—](?=\s)')

_LATIN_OF = dict(
    zip(
        "абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
        "a,b,v,g,d,e,e,zh,z,i,y,k,l,m,n,o,p,r,s,t,u,f,kh,ts,ch,sh,shch,,y,,e,yu,ya".split(","),  # noqa: SIM905  # a table reads better than a list
        strict=True,
    )
)
_KEYS_RU = "ёйцукенгшщзхъфывапролджэячсмитьбю"
_KEYS_EN = "`qwertyuiop[]asdfghjkl;'zxcvbnm,."
_LOOKALIKE = str.maketrans("аеорсхуАВЕКМНОРСТХ", "aeopcxyABEKMHOPCTX")
_YO_WORDS = {
    "счет": "счёт", "учет": "учёт", "расчет": "расчёт", "отчет": "отчёт", "зачет": "зачёт", "еще": "ещё",
    "идет": "идёт", "проведен": "проведён", "заведен": "заведён", "учтен": "учтён",
}  # fmt: skip
_YO = re.compile(r"\b(" + "|".join(_YO_WORDS) + r")", re.IGNORECASE)


def is_cyrillic(text: str) -> bool:
    """Whether most letters are Cyrillic."""
    letters = [c for c in text if c.isalpha()]
    return 2 * len(_CYRILLIC.findall(text)) > len(letters)


def _pick(text: str, salt: str, count: int) -> int:
    """A number below ``count`` that depends on the text alone."""
    return int.from_bytes(hashlib.blake2b(f"{salt}\x1f{text}".encode(), digest_size=8).digest(), "big") % count


def typo(text: str) -> str:
    """One slip in one long word: two neighbours swapped, a letter lost, or a letter struck twice."""
    words = list(_LETTERS.finditer(text))
    if not words:
        return text
    found = words[_pick(text, "word", len(words))]
    word = found.group()
    at = 1 + _pick(text, "place", len(word) - 2)
    slips = (
        word[:at] + word[at + 1] + word[at] + word[at + 2 :],
        word[:at] + word[at + 1 :],
        word[:at] + word[at - 1 :],
    )
    return text[: found.start()] + slips[_pick(text, "slip", 3)] + text[found.end() :]


def no_punctuation(text: str) -> str:
    """Marks of the sentence gone; points inside dates, amounts and account codes stay."""
    return " ".join(_PUNCTUATION.sub(" ", text).split())


def lower_case(text: str) -> str:
    """Everything small."""
    return text.lower()


def upper_case(text: str) -> str:
    """Everything in capitals."""
    return text.upper()


def yo_and_ye(text: str) -> str:
    """ё written as е, and where there is none, е of well-known words written as ё."""
    if "ё" in text or "Ё" in text:
        return text.replace("ё", "е").replace("Ё", "Е")

    def dotted(found: re.Match[str]) -> str:
        word = found.group()
        with_yo = _YO_WORDS[word.lower()]
        return with_yo.capitalize() if word[0].isupper() else with_yo

    return _YO.sub(dotted, text)


def transliterated(text: str) -> str:
    """Russian in Latin letters, as typed without a Russian keyboard."""
    return "".join(_keep_case(c, _LATIN_OF[c.lower()]) if c.lower() in _LATIN_OF else c for c in text)


def _keep_case(original: str, latin: str) -> str:
    return latin.capitalize() if original.isupper() else latin


def wrong_layout(text: str) -> str:
    """The same keys struck under the other keyboard layout."""
    source, target = (_KEYS_RU, _KEYS_EN) if is_cyrillic(text) else (_KEYS_EN, _KEYS_RU)
    table = dict(zip(source, target, strict=True))
    if is_cyrillic(text):
        table |= {c.upper(): (k.upper() if k.isalpha() else k) for c, k in table.items()}
        table |= {".": "/", ",": "?", "?": "&"}
    else:
        table |= {c.upper(): k.upper() for c, k in table.items() if c.isalpha()}
        table["?"] = ","
    # digits and what joins them are struck alike in both layouts
    return re.sub(
        r"\d[\d.,/-]*\d|.", lambda m: m.group() if len(m.group()) > 1 else table.get(m.group(), m.group()), text
    )


def latin_lookalikes(text: str) -> str:
    """Every second word of Russian with its а, е, о, р, с, х, у replaced by Latin letters of the same shape."""
    if not is_cyrillic(text):
        return text
    parts = re.split(r"(\s+)", text)
    return "".join(p.translate(_LOOKALIKE) if i % 4 == 0 else p for i, p in enumerate(parts))


def code_mix(text: str) -> str:
    """Nouns of the trade said in the other language, endings and all."""
    words = _mixed_words()
    for pattern, other in words[0] if is_cyrillic(text) else words[1]:
        text = pattern.sub(other, text)
    return text


@lru_cache(maxsize=1)
def _mixed_words() -> tuple[list[tuple[re.Pattern[str], str]], list[tuple[re.Pattern[str], str]]]:
    """(pattern, what it becomes) for Russian questions and for English ones."""
    pairs = orjson.loads(files("data").joinpath("robustness/code_mix.json").read_bytes())
    return (
        [(re.compile(rf"\b{p['ru_stem']}\w*", re.IGNORECASE), p["en"]) for p in pairs],
        [(re.compile(rf"\b{p['en']}s?\b", re.IGNORECASE), p["ru"]) for p in pairs],
    )


def polite_preamble(text: str) -> str:
    """A greeting and a request before the question."""
    said = "Добрый день! Подскажите, пожалуйста, " if is_cyrillic(text) else "Hello! Could you please tell me, "
    return said + text[:1].lower() + text[1:]


def trailing_noise(text: str) -> str:
    """Thanks, hurry and an emoji after the question."""
    return text + (
        " заранее спасибо!!! очень срочно 🙏" if is_cyrillic(text) else " thanks in advance!!! quite urgent 🙏"
    )


PERTURBATIONS: Mapping[str, Callable[[str], str]] = {
    "typo": typo,
    "no_punctuation": no_punctuation,
    "lower_case": lower_case,
    "upper_case": upper_case,
    "yo_and_ye": yo_and_ye,
    "transliterated": transliterated,
    "wrong_layout": wrong_layout,
    "latin_lookalikes": latin_lookalikes,
    "code_mix": code_mix,
    "polite_preamble": polite_preamble,
    "trailing_noise": trailing_noise,
}
