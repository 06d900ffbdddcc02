"""Shapes of single names: which identifiers look like code, where a script changes.

>>> [looks_like_code(w) for w in ("parse_query", "UserService", "HTTPServer", "GitHub", "APIs", "слово", "НайтиПоКоду")]
[True, True, True, False, False, False, True]
"""

from __future__ import annotations

from features.code.wordlists import code_words

PRODUCTS = code_words("products")
PLAIN_PRODUCTS = code_words("plain_products")
_LEAST_CYRILLIC_HUMP = 5
KEYWORDS = code_words("keywords") | code_words("one_c_keywords")
_ERROR_CODES = code_words("error_codes")
_LATIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_MOST_ENDING = 5
"""Letters of the longest Russian ending or suffix that people glue to a name: «Config'ами», «UserServiceами»."""


def is_latin(char: str) -> bool:
    """Whether ``char`` is one of the 52 letters of ASCII."""
    return char in _LATIN


def is_cyrillic(char: str) -> bool:
    """Whether ``char`` stands in the Cyrillic block."""
    return "\u0400" <= char <= "\u04ff"


def is_name(text: str) -> bool:
    """Whether ``text`` is one identifier: letters, digits and underscores, no digit first."""
    return text.isidentifier()


def has_hump(text: str) -> bool:
    """Whether a capital follows a small letter, or two capitals precede two small ones that are no plural."""
    if is_cyrillic(text[0]) and len(text) < _LEAST_CYRILLIC_HUMP:
        return False  # кГц, МВт
    if text[1:].isupper():
        return False  # mTLS, eBPF
    previous = ""
    capitals = 0
    last = len(text) - 1
    for i, char in enumerate(text):
        if char.isupper():
            if previous.islower() or (previous.isdigit() and i > 1 and text[0].isalpha() and text[1].islower()):
                return True
            capitals += 1
        elif char.islower():
            if capitals > 1 and i < last and text[i + 1].islower() and is_latin(char):
                return True
            capitals = 0
        else:
            capitals = 0
        previous = char
    return False


def mixes_scripts_as_1c_does(name: str) -> bool:
    """Whether a name joins an acronym to Cyrillic words with capitals.

    >>> [mixes_scripts_as_1c_does(n) for n in ("ПолучитьJSON", "HTTPСоединение", "методеParse", "Configом")]
    [True, True, False, False]
    """
    latin = "".join(c for c in name if is_latin(c))
    if len(latin) < 2 or not latin.isupper() or len(latin) == len(name):
        return False
    return all(c.isupper() for i, c in enumerate(name) if is_cyrillic(c) and (i == 0 or not is_cyrillic(name[i - 1])))


def looks_like_code(name: str) -> bool:
    """Whether one identifier tells by its shape alone that it is one: an underscore inside, or a hump, and no product's name."""
    if "_" in name:
        return name.strip("_") != "" and name not in PRODUCTS and not name.replace("_", "").isdigit()
    if (
        name[-1:].isdigit()
        and name[:1].isupper()
        and name[1:2].islower()
        and name not in PLAIN_PRODUCTS
        and name not in PRODUCTS
    ):
        return name.isalnum() and name.isascii() and len(name.rstrip("0123456789")) > 3
    if has_hump(name) or (not name.isascii() and mixes_scripts_as_1c_does(name)):
        return name not in PRODUCTS and name not in KEYWORDS
    return name in _ERROR_CODES


def ending_start(text: str) -> int:
    """Where a Russian ending begins that is glued to a Latin name; the length of ``text`` where there is none.

    >>> ending_start("UserServiceами")
    11
    """
    i = len(text)
    while i > 0 and is_cyrillic(text[i - 1]) and text[i - 1].islower():
        i -= 1
    if 0 < i < len(text) and len(text) - i <= _MOST_ENDING and (is_latin(text[i - 1]) or text[i - 1] in "_0123456789"):
        return i
    return len(text)


def glued_word_end(text: str) -> int:
    """Where a Russian word of small letters ends that is glued to the front of a Latin name; 0 where there is none.

    >>> glued_word_end("методеparse_query")
    6
    """
    i = 0
    while i < len(text) and is_cyrillic(text[i]) and (text[i].islower() or i == 0):
        i += 1
    return i if 2 < i < len(text) and is_latin(text[i]) else 0


def is_title_name(text: str) -> bool:
    """Whether a Latin word is written as a class is, with one capital in front, and is no product: a name where the company says so."""
    return (
        len(text) > 2
        and text[0].isupper()
        and text[1:].islower()
        and text.isascii()
        and text not in PLAIN_PRODUCTS
        and text not in KEYWORDS
    )


def symbol_subtype(name: str) -> str:
    """What an identifier most likely names, by its spelling: for people and as a hint, never certain."""
    last = name
    for mark in ("::", "->", "#", ".", "\\"):
        last = last.rsplit(mark, 1)[-1]
    if last != name:
        return "qualified"
    if name.startswith("__") and name.endswith("__"):
        return "dunder"
    if name.isupper():
        return "constant"
    if name[:1].isupper():
        return "exception" if name.endswith(("Error", "Exception")) else "class"
    return "function" if "_" in name or has_hump(name) else "name"
