"""How often a route survives a spoiled question: retention a perturbation, and Russian beside English."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

import orjson

from experiments.perturbations import PERTURBATIONS
from router.question_router import QuestionRouter
from training.evaluation import wilson_interval

PARITY = "ru_en_parity"
SURFACE = frozenset(("no_punctuation", "lower_case", "upper_case", "yo_and_ye", "latin_lookalikes", "polite_preamble", "trailing_noise"))  # fmt: skip
"""Perturbations that leave every word readable: a router that has no champion to be measured by must keep most routes under them."""


def robustness(
    router: QuestionRouter, texts: Sequence[str], routes: Sequence[str], store_metadata: Mapping[str, Any]
) -> dict[str, Any]:
    """By perturbation: ``questions`` that it changes, ``kept`` routes, ``retention`` with its Wilson ``interval``.

    ``routes``: what the same router chose for the unspoiled ``texts``.
    """
    found: dict[str, Any] = {}
    for name, spoil in PERTURBATIONS.items():
        spoiled = [(spoil(text), text, route) for text, route in zip(texts, routes, strict=True)]
        kept = [router.route(new, store_metadata).route == route for new, text, route in spoiled if new != text]
        found[name] = _rate(kept)
    pairs = parity_pairs()
    found[PARITY] = _rate([len({router.route(p[k], store_metadata).route for k in ("ru", "en")}) == 1 for p in pairs])
    return found


def parity_pairs() -> list[dict[str, str]]:
    """Questions said in both languages: ``id``, ``ru``, ``en``, ``route``."""
    lines = files("data").joinpath("robustness/parity.jsonl").read_bytes().splitlines()
    return [orjson.loads(line) for line in lines]


def _rate(kept: Sequence[bool]) -> dict[str, Any]:
    low, high = wilson_interval(sum(kept), len(kept))
    return {
        "questions": len(kept),
        "kept": sum(kept),
        "retention": round(sum(kept) / max(len(kept), 1), 4),
        "interval": [round(low, 4), round(high, 4)],
    }
