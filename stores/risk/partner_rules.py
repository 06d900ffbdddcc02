"""Rule 10: counterparties entered twice.

Distance between names is spelt differently by every engine, and a catalogue of counterparties is small: this rule alone runs in Python.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

import ibis
import pyarrow as pa

from stores.facts import Facts
from stores.risk.shape import signs

SIMILAR = 90
_FORMS = frozenset(
    ("ооо", "оао", "зао", "пао", "ао", "ип", "нко", "фгуп", "муп", "общество", "с", "ограниченной", "ответственностью")
)
_WORDS = re.compile(r"[0-9a-zа-яё]+")
_INN = re.compile(r"\d{10}|\d{12}")


def duplicate_partners(facts: Facts) -> ibis.Table:
    """10: the same ИНН and КПП, or names at least 90 % alike with the same numbers in them."""
    c = facts.table("counterparty")
    rows = facts.connection.to_pyarrow(
        c.filter(~c.is_folder & ~c.deleted).select("ref", "name", "inn", "kpp")
    ).to_pylist()
    found: dict[str, str] = {}
    for ref, other in alike_names((r["ref"], r["name"]) for r in rows):
        found[ref] = f"имя как у {other}"
    by_number: dict[tuple[str, str], list[str]] = defaultdict(list)
    for r in rows:
        if _INN.fullmatch(r["inn"]):
            by_number[r["inn"], r["kpp"]].append(r["ref"])
    for (inn, _), refs in by_number.items():
        if len(refs) > 1:
            found.update(dict.fromkeys(refs, f"ИНН {inn} ещё у {len(refs) - 1}"))
    schema = ibis.schema({"ref": "string", "said": "string"})
    t = ibis.memtable(pa.table({"ref": list(found), "said": list(found.values())}, schema=schema.to_pyarrow()))
    return signs(t, "DUP_COUNTERPARTY", "counterparty", t.ref, text=(t.said,), counterparty=t.ref)


def bare_name(name: str) -> str:
    """Name without its legal form and punctuation.

    >>> bare_name('ООО "Ромашка-Трейд"')
    'ромашка трейд'
    """
    words = _WORDS.findall(name.lower().replace("ё", "е"))
    return " ".join(w for w in words if w not in _FORMS)


def alike_names(names: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """(reference, the other's name) for both of each pair of like names.

    k changed letters spoil at most 3k of a name's trigrams, so two names within k share one of the 3k + 1 trigrams that are rarest in each: only names
    that meet in such a trigram are compared (prefix filtering, Chaudhuri et al. 2006).

    >>> sorted(alike_names([("1", "Ромашка Трейд ООО"), ("2", "Ромашка-Трэйд"), ("3", "Магазин 12"), ("4", "Магазин 13")]))
    [('1', 'Ромашка-Трэйд'), ('2', 'Ромашка Трейд ООО')]
    """
    bare = [(ref, name, bare_name(name)) for ref, name in names]
    grams = [_trigrams(own) for _, _, own in bare]
    common = Counter(gram for own in grams for gram in own)
    met: dict[tuple[str, tuple[str, int]], list[int]] = defaultdict(list)
    pairs: set[tuple[int, int]] = set()
    for n, (_, _, own) in enumerate(bare):
        digits = re.sub(r"\D", "", own)
        longest = len(own) + _edits(len(own)) + 1
        for gram in sorted(grams[n], key=lambda g: (common[g], g))[: 3 * _edits(longest) + 1]:
            pairs.update((m, n) for m in met[digits, gram])
            met[digits, gram].append(n)
    for m, n in sorted(pairs):
        a, b = bare[m][2], bare[n][2]
        limit = _edits(max(len(a), len(b)))
        if _distance(a, b, limit) <= limit:
            yield bare[m][0], bare[n][1]
            yield bare[n][0], bare[m][1]


def _trigrams(text: str) -> list[tuple[str, int]]:
    """Trigrams of a padded name, each with how often it stood before, so that repeats differ."""
    seen: Counter[str] = Counter()
    found = []
    padded = f"  {text}  "
    for n in range(len(padded) - 2):
        gram = padded[n : n + 3]
        found.append((gram, seen[gram]))
        seen[gram] += 1
    return found if text else []


def _edits(length: int) -> int:
    """Changes that leave a name of this length at least 90 % alike."""
    return length * (100 - SIMILAR) // 100


def _distance(a: str, b: str, limit: int) -> int:
    """Levenshtein's distance, or limit + 1 where it is larger."""
    if abs(len(a) - len(b)) > limit:
        return limit + 1
    row = list(range(len(b) + 1))
    for i, left in enumerate(a, 1):
        above, row[0] = row[0], i
        for j, right in enumerate(b, 1):
            above, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, above + (left != right))
        if min(row) > limit:
            return limit + 1
    return row[-1]
