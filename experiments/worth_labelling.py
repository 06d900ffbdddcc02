"""Which questions of the logs are worth a label: those the router is unsure of, and that do not resemble each other or what is labelled already.

Uncertainty is one minus the margin between the two likeliest routes of the record (margin sampling, Scheffer et al. 2001); diversity is greedy: each pick is the
question of most uncertainty × distance to everything picked or known.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import orjson
import scipy.sparse as sp

from experiments.replay import read_record
from models.heads import LEARNED_FLAGS
from router.parsed_intent import read_parsed_intent
from router.question_router import QuestionRouter

Floats = npt.NDArray[np.float64]

KNOWN = 0.85
"""Cosine from which a question counts as labelled already."""
HELD_OUT = 0.65
"""Cosine from which a question would give away a benchmark or exam question, as in `training.checks`."""


@dataclass(frozen=True)
class Pick:
    """One question to label, with what the router would say."""

    record: Mapping[str, Any]
    uncertainty: float
    distance: float

    def to_line(self, author: str) -> dict[str, Any]:
        """A line in the format of the labelled questions, its labels as the router guesses them: to be read, mended and checked in."""
        r = self.record
        return {
            "id": f"{author}-{r['decision_id'][:12]}",
            "text": r["question_text"],
            "question_class": r["parsed_class"],
            "flags": [f for f in LEARNED_FLAGS if r["decision_flags"].get(f)],
            "route": r["chosen_route"],
            "author": author,
            "source": "log",
        }


@dataclass(frozen=True)
class Picked:
    """``seen`` records, of which ``usable`` could be asked; ``known`` and ``held_out`` were left out, ``problems`` are (line, why)."""

    picks: list[Pick]
    seen: int
    known: int
    held_out: int
    problems: list[tuple[int, str]]


def pick_questions(
    router: QuestionRouter, lines: Iterable[bytes], known: Sequence[str], held_out: Sequence[str], count: int
) -> Picked:
    """At most ``count`` questions of decision records, best first. Masked and unreadable ones cannot be labelled and are left out."""
    records: dict[str, dict[str, Any]] = {}
    problems: list[tuple[int, str]] = []
    seen = 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        seen += 1
        try:
            record = read_record(line)
        except (ValueError, orjson.JSONDecodeError) as error:
            problems.append((number, str(error)))
            continue
        if record["row"] and "question_text" not in record["masked"]:
            records.setdefault(" ".join(str(record["question_text"]).lower().split()), record)
    texts = [str(r["question_text"]) for r in records.values()]
    if not texts:
        return Picked([], seen, 0, 0, problems)
    rows = _rows(router, texts)
    to_known = _nearest(rows, _rows(router, known))
    to_held_out = _nearest(rows, _rows(router, held_out))
    free = (to_known < KNOWN) & (to_held_out < HELD_OUT)
    uncertainty = np.array([_uncertainty(r["route_probabilities"]) for r in records.values()])
    picks = _greedy(list(records.values()), rows, uncertainty, to_known, free, count)
    return Picked(
        picks,
        seen,
        int((to_known >= KNOWN).sum()),
        int(((to_held_out >= HELD_OUT) & (to_known < KNOWN)).sum()),
        problems,
    )


def _greedy(
    records: Sequence[Mapping[str, Any]],
    rows: Any,
    uncertainty: Floats,
    nearest: Floats,
    free: npt.NDArray[np.bool_],
    count: int,
) -> list[Pick]:
    near, left = nearest.copy(), free.copy()
    picks: list[Pick] = []
    while left.any() and len(picks) < count:
        gain = np.where(left, uncertainty * (1 - np.minimum(near, 1.0)), -1.0)
        best = int(gain.argmax())
        picks.append(Pick(records[best], float(uncertainty[best]), float(1 - near[best])))
        left[best] = False
        near = np.maximum(near, (rows @ rows[best].T).toarray().ravel())
    return picks


def _uncertainty(probabilities: Mapping[str, float]) -> float:
    first, second = sorted(probabilities.values(), reverse=True)[:2]
    return 1.0 - (first - second)


def _rows(router: QuestionRouter, texts: Sequence[str]) -> Any:
    """CSR rows of length one over words and cues, as the bundle weighs them."""
    classifier = router.classifier
    idf = np.sqrt(np.maximum(router.bundle.weights[:, -1], 0))
    intent = read_parsed_intent(None)
    places, starts = [], [0]
    for text in texts:
        row = classifier.vectoriser.row(classifier.analyse(text, intent))
        found = np.concatenate([row.words, row.cues])
        places.append(found)
        starts.append(starts[-1] + found.size)
    indices = np.concatenate(places) if places else np.zeros(0, np.int32)
    matrix = sp.csr_matrix((idf[indices].astype(np.float64), indices, np.array(starts)), shape=(len(texts), idf.size))
    matrix.sum_duplicates()
    length = np.sqrt(np.asarray(matrix.multiply(matrix).sum(axis=1)).ravel())
    return sp.diags_array(1 / np.maximum(length, 1e-9)) @ matrix


def _nearest(rows: Any, others: Any) -> Floats:
    """Largest cosine of each row to any of ``others``."""
    if not others.shape[0]:
        return np.zeros(rows.shape[0])
    found = [
        np.asarray((rows[i : i + 256] @ others.T).max(axis=1).todense()).ravel() for i in range(0, rows.shape[0], 256)
    ]
    return np.concatenate(found)
