"""Labels worth a second look, questions worth a label."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import orjson
import pytest

from experiments.label_doubts import label_doubts
from experiments.worth_labelling import pick_questions
from models.heads import LEARNED_FLAGS, QUESTION_CLASSES, ROUTES
from router.question_router import QuestionRouter
from training.dataset import Example, parse_example
from training.fit import OutOfFold
from training.thresholds import Decided


def example(i: int, question_class: str, *flags: str) -> Example:
    return Example(
        id=f"x-{i}", text=f"вопрос {i}", question_class=question_class, flags=flags, route="no_route", author="x"
    )


def test_a_label_that_the_models_contradict_comes_first_with_what_they_would_say() -> None:
    """Sixty plain facts and sixty rankings, well told apart; one of each is labelled as the other."""
    examples = [example(i, "simple_factual") for i in range(60)] + [
        example(60 + i, "heavy_analytical", "needs_ranking") for i in range(60)
    ]
    classes = np.full((120, len(QUESTION_CLASSES)), 0.005)
    binary = np.full((120, 1 + len(LEARNED_FLAGS)), 0.02)
    fact, heavy = QUESTION_CLASSES.index("simple_factual"), QUESTION_CLASSES.index("heavy_analytical")
    ranking = 1 + LEARNED_FLAGS.index("needs_ranking")
    classes[:60, fact] = classes[60:, heavy] = 0.97
    binary[60:, ranking] = 0.97
    classes[7, fact], classes[7, heavy], binary[7, ranking] = 0.005, 0.99, 0.99
    classes[90, heavy], classes[90, fact], binary[90, ranking] = 0.008, 0.99, 0.008
    found = OutOfFold(classes, binary, np.zeros(120, np.int64), Decided({}, {}, 0.0), [], np.zeros((120, len(ROUTES))))
    doubts = label_doubts(examples, found)
    assert {
        ("x-7", "question_class", "heavy_analytical"),
        ("x-90", "question_class", "simple_factual"),
        ("x-7", "needs_ranking", "true"),
        ("x-90", "needs_ranking", "false"),
    } == {(d.example.id, d.head, d.suggested) for d in doubts}
    assert [d.confidence for d in doubts] == sorted(d.confidence for d in doubts)
    assert "x-7" == doubts[0].example.id


def log_of(router: QuestionRouter, store: dict[str, Any], texts: list[str]) -> list[bytes]:
    return [router.route(t, store).log.to_json() for t in texts]


ASKED = [
    "Остатки что-то странные, посмотри",
    "Show me something about the warehouse, whatever looks odd",
    "Остаток по счёту 51 на 30.06.2020",
    "остаток по счёту 51 на 30.06.2020",
    "Сколько всего крафтового картона ушло в смену «Б»",
    "",
    "12345",
]


def test_unsure_questions_come_first_known_ones_and_empty_ones_never(
    router: QuestionRouter, reference_store: dict[str, Any]
) -> None:
    lines = [*log_of(router, reference_store, ASKED), b"{broken", b""]
    found = pick_questions(router, lines, known=["Остаток по счёту 51 на 30.06.2020"], held_out=[], count=10)
    texts = [p.record["question_text"] for p in found.picks]
    assert {ASKED[0], ASKED[1], ASKED[4]} == set(texts)
    assert (8, 1, [8]) == (found.seen, found.known, [n for n, _ in found.problems])
    gains = [p.uncertainty * p.distance for p in found.picks]
    assert gains[0] == max(gains)


def test_what_resembles_the_exam_is_never_offered_for_labelling(
    router: QuestionRouter, reference_store: dict[str, Any]
) -> None:
    lines = log_of(router, reference_store, ASKED[:2])
    found = pick_questions(router, lines, known=[], held_out=[ASKED[0]], count=10)
    assert [ASKED[1]] == [p.record["question_text"] for p in found.picks]
    assert 1 == found.held_out


def test_picks_differ_from_each_other(router: QuestionRouter, reference_store: dict[str, Any]) -> None:
    twins = [
        "Остатки что-то странные, посмотри пожалуйста",
        "Остатки что-то странные, посмотри",
        "Which of the acts look odd, take a look",
    ]
    found = pick_questions(router, log_of(router, reference_store, twins), known=[], held_out=[], count=2)
    assert twins[2] in {p.record["question_text"] for p in found.picks}


def test_a_pick_is_a_line_of_the_labelled_data(router: QuestionRouter, reference_store: dict[str, Any]) -> None:
    found = pick_questions(router, log_of(router, reference_store, ASKED[:1]), known=[], held_out=[], count=1)
    line = orjson.dumps(found.picks[0].to_line("me"))
    read = parse_example(line, "to_label.jsonl", 1)
    assert (ASKED[0], "me", "log") == (read.text, read.author, read.source)


@pytest.mark.parametrize("masked", [True, False])
def test_a_masked_text_cannot_be_labelled(
    router: QuestionRouter, reference_store: dict[str, Any], masked: bool
) -> None:
    record = json.loads(log_of(router, reference_store, ASKED[:1])[0])
    if masked:
        record |= {"question_text": "", "masked": ["question_text"]}
    found = pick_questions(router, [orjson.dumps(record)], known=[], held_out=[], count=5)
    assert (0 if masked else 1) == len(found.picks)
