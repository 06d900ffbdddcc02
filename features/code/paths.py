"""Paths: which names with an extension or a slash are files, folders and patterns.

>>> [is_file_name(n) for n in ("main.py", "Node.js", "go.mod", ".env", "config.load", "README.md")]
[True, False, True, True, False, True]
"""

from __future__ import annotations

from typing import NamedTuple

from features.code.shapes import KEYWORDS, PRODUCTS, has_hump, is_cyrillic, is_latin, is_name
from features.code.wordlists import code_words

_EXTENSIONS = code_words("file_extensions")
_AMBIGUOUS = code_words("ambiguous_extensions")
_SINGLE_FILES = code_words("single_files")
_DOT_FILES = code_words("dot_files")
_FOLDERS = code_words("known_folders")
_ROOTS = code_words("root_folders")
_ALTERNATIONS = code_words("alternations")
_TOP_DOMAINS = code_words("top_domains")
_LINE = frozenset("0123456789:-,L")
_NOT_IN_PATHS = frozenset("<>|\"'`=;")


class PathRead(NamedTuple):
    """``end``: code points of the text that are the path. ``sure``: whether company is needed to call it one."""

    end: int
    sure: bool


def is_file_name(name: str) -> bool:
    """Whether a name without a slash is a file: by its extension, or one of the files known by name."""
    if name in _SINGLE_FILES:
        return True
    if name.startswith("*.") and name[2:].isalnum():
        return True
    if name.startswith("."):
        first = "." + name[1:].split(".", 1)[0]
        known = name in _DOT_FILES or (first in _DOT_FILES and is_latin(name[1:2]))
        return known or (
            name[1:2].islower()
            and ((name.endswith(("ignore", "rc")) and len(name) > 4) or ("." in name[1:] and is_file_name(name[1:])))
        )
    stem, dot, extension = name.rpartition(".")
    if not dot or not stem or name in PRODUCTS:
        return False
    low = extension.lower()
    if low not in _EXTENSIONS or not (extension.islower() or extension.isupper() or extension.isdigit() or "7" in low):
        return False
    if low in _AMBIGUOUS:
        if low == "so":
            return stem.startswith("lib")
        return low == "log" and stem not in ("console", "Math", "np", "logger", "math", "self", "this")
    if len(low) == 1:
        return len(stem) > 1 and "." not in stem and stem not in ("self", "this")
    return stem not in ("self", "this", "import.meta") or low not in ("md", "html", "json")


def path_subtype(value: str) -> str:
    """``pattern``, ``directory`` or ``file``."""
    if "*" in value or "{" in value:
        return "pattern"
    last = value.replace("\\", "/").rsplit("/", 1)[-1]
    return "file" if is_file_name(last) or "." in last.strip(".") else "directory"


def without_line(text: str) -> int:
    """Length of ``text`` without a line suffix: ``:42``, ``:74:19``, ``:98-131``, ``#L88``."""
    mark = text.find("#")
    if mark > 0:
        return mark
    i = len(text)
    while i > 0 and text[i - 1] in _LINE:
        i -= 1
    while i < len(text) and text[i] != ":":
        i += 1
    return i if 1 < i < len(text) else len(text)


def read_path(text: str) -> PathRead | None:
    """The path that ``text``, which has a slash of either kind, begins with; None where it is no path.

    A line suffix is left out. HTTP routes, alternatives («и/или», ``client/server``) and host names are none.
    """
    end = without_line(text)
    path = text[:end]
    colon = path.find(":", 2)
    if colon > 0 and is_file_name(path[:colon].replace("\\", "/").rsplit("/", 1)[-1]):
        end, path = colon, path[:colon]
    if any(c in _NOT_IN_PATHS for c in path):
        return None
    if "\\" in path:
        return _read_backslashed(path)
    segments = path.split("/")
    if not segments[0]:
        return PathRead(end, True) if _from_the_root(path, segments) else None
    last = segments[-1]
    if _is_host(segments[0]):
        return None
    if last and (is_file_name(last) or _has_extension(last)):
        return PathRead(end, True)
    if segments[0] in (".", "..", "~") and len(path) > 2:
        return PathRead(end, True)
    named = [s for s in segments if s]
    if "*" in path:
        return PathRead(end, True) if len(named) > 1 or not last else None
    if not all(_is_segment(s) for s in named):
        return None
    if not last:
        lone = len(named) == 1 and (len(named[0]) < 2 or is_cyrillic(named[0][0]))
        return None if lone or all(s.isdigit() for s in named) else PathRead(end, True)
    return _read_plain(path, named, end)


def _has_extension(name: str) -> bool:
    """Whether the last name of a path ends in anything like an extension."""
    stem, dot, extension = name.rpartition(".")
    return (
        bool(dot and stem)
        and extension.isascii()
        and extension.isalnum()
        and len(extension) < 8
        and not extension.isdigit()
        and name not in PRODUCTS
        and (extension.islower() or len(extension) == 1)
    )


def _read_plain(path: str, named: list[str], end: int) -> PathRead | None:
    """Names between slashes, none with an extension: a folder, or words to choose from."""
    if any(is_cyrillic(c) for c in path) and not any(s in _FOLDERS for s in named):
        return None
    low = [s.lower() for s in named]
    if all(s in _ALTERNATIONS or s.isdigit() or len(s) < 2 for s in low):
        return None
    if any(s.isdigit() for s in named) and len(named) < 3:
        return None
    if any(s.startswith(".") for s in named) or named[0] in _FOLDERS or any(s in _FOLDERS for s in named[1:]):
        return PathRead(end, True)
    if all(s.isupper() or has_hump(s) for s in named):
        return None
    if any("_" in s for s in named):
        return PathRead(end, len(named) > 2)
    if len(named) > 2 and not any(s in _ALTERNATIONS for s in low) and all(s.islower() for s in named):
        return PathRead(end, True)
    return PathRead(end, False)


def _read_backslashed(path: str) -> PathRead | None:
    named = [s for s in path.replace("/", "\\").split("\\") if s]
    drive = len(path) > 2 and path[1] == ":" and is_latin(path[0])
    if not named or not all(_is_segment(s) or s.endswith(":") or "*" in s for s in named):
        return None
    if drive or is_file_name(named[-1]) or path.endswith("\\") or "*" in path:
        return PathRead(len(path), True) if drive or len(named) > 1 or len(named[0]) > 1 else None
    if path.startswith("\\") or any(s[:1].isupper() for s in named) or len(named) < 2:
        return None
    return PathRead(len(path), True)


def is_backslashed_name(text: str) -> bool:
    """Whether ``text`` is a qualified PHP name: ``App\\Admin\\RefundController``."""
    named = text.removeprefix("\\").split("\\")
    return len(named) > 1 and all(is_name(s) for s in named) and any(s[0].isupper() for s in named)


def _from_the_root(path: str, segments: list[str]) -> bool:
    """An absolute path; without an extension only under a folder that systems have, since HTTP routes look alike."""
    if len(segments) < 2 or "{" in path or any(s.startswith((":", "<")) for s in segments):
        return False
    last = segments[-1]
    if segments[1] in ("api", "v1", "v2", "v3"):
        return False
    if last and is_file_name(last):
        return len(segments) > 2 or last.startswith(".")
    return segments[1] in _ROOTS and len(segments) > 2


def _is_host(segment: str) -> bool:
    """Whether the first name of a path is a host: ``github.com``, ``localhost:8080``."""
    host, _, port = segment.partition(":")
    if port.isdigit() and host:
        return True
    dot = host.rfind(".")
    return dot > 0 and host[dot + 1 :] in _TOP_DOMAINS and not is_file_name(host)


def _is_segment(segment: str) -> bool:
    return all(c.isalnum() or c in "._-+@~$#[](){}, " for c in segment) and segment not in KEYWORDS - _FOLDERS


def blob_path(url: str) -> tuple[int, int] | None:
    """Where in a repository's blob URL the path in the repository stands; None for other URLs.

    >>> u = "https://github.com/o/r/blob/main/src/a.py#L88"
    >>> u[slice(*blob_path(u))]
    'src/a.py'
    """
    for mark in ("/blob/", "/src/branch/", "/raw/"):
        at = url.find(mark)
        if at > 0:
            start = url.find("/", at + len(mark)) + 1
            if start > 0:
                stop = len(url)
                for c in "#?":
                    found = url.find(c, start)
                    stop = found if 0 < found < stop else stop
                if stop > start:
                    return start, stop
    return None
