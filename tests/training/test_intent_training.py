"""The bundle of CODE + DOCS: made of its data alone, the same bytes each time, and serving what was fitted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from models.bundle import BundleUnsupported, load_bundle, save_bundle
from models.heads import INTENT_HEADS, INTENTS
from router.intent import IntentRouter
from router.question_router import QuestionRouter
from service.intent_training import train_intent_and_save
from service.settings import Settings
from service.training import TrainingRefused
from training.intent_checks import IntentMinima, check_intent_data
from training.intent_dataset import Conversation, IntentExample, read_conversations, read_questions
from training.intent_fit import FitSettings, choose_limit, text_rows, train_intent_bundle

DATA = Settings().intent_dataset
SMALL = FitSettings(folds=2)


@pytest.fixture(scope="module")
def small() -> tuple[list[IntentExample], list[Conversation]]:
    """Every tenth question and fifth conversation."""
    return read_questions(DATA)[::10], read_conversations(DATA)[::5]


def test_the_same_data_gives_the_same_bytes(
    small: tuple[list[IntentExample], list[Conversation]], tmp_path: Path
) -> None:
    digests = {save_bundle(train_intent_bundle(*small, settings=SMALL)[0], tmp_path / str(i)) for i in range(2)}
    assert len(digests) == 1


def test_a_saved_bundle_serves_what_was_fitted(
    small: tuple[list[IntentExample], list[Conversation]], tmp_path: Path
) -> None:
    bundle, _ = train_intent_bundle(*small, settings=SMALL)
    save_bundle(bundle, tmp_path / "b")
    loaded = load_bundle(tmp_path / "b")
    assert (INTENT_HEADS, "code_docs") == (loaded.heads, loaded.domain)
    fresh, again = IntentRouter(bundle), IntentRouter(loaded)
    for text in ("где класс Foo?", "а в документации?", "write docs for x.py"):
        assert (
            fresh.decide(text, {"active_intent": "CODE_QA"}).output
            == again.decide(text, {"active_intent": "CODE_QA"}).output
        )


def test_the_served_probabilities_are_those_of_the_training_matrix(
    small: tuple[list[IntentExample], list[Conversation]],
) -> None:
    """Rows and weights folded for production score a text as scikit-learn's own product does."""
    from training.intent_matrix import build_intent_matrix

    bundle, _ = train_intent_bundle(*small, settings=SMALL)
    rows = text_rows(*small)
    data = build_intent_matrix([r.text for r in rows])
    router = IntentRouter(bundle)
    unfolded = bundle.weights[:, :-1].astype(np.float64) / (data.idf * data.scale)[:, None]
    expected = data.matrix[:20] @ unfolded + bundle.bias
    for i in range(20):
        logits = router.scorer.logits(router.vectoriser.row(router.reader.read(rows[i].text)))
        assert np.allclose(expected[i], logits, atol=1e-3)


def test_no_author_is_scored_by_heads_that_saw_one_of_its_texts(
    small: tuple[list[IntentExample], list[Conversation]],
) -> None:
    from training.folds import author_folds

    rows = text_rows(*small)
    folds = author_folds(rows, [], 4)
    by_author = {(r.author, int(f)) for r, f in zip(rows, folds, strict=True)}
    assert len(by_author) == len({r.author for r in rows})


def test_the_class_head_learns_from_texts_that_speak_for_themselves(
    small: tuple[list[IntentExample], list[Conversation]],
) -> None:
    rows = text_rows(*small)
    assert all(r.speaks_for_itself == (r.turn is None or r.turn.mode != "CONTINUE") for r in rows)
    assert not any(r.turn is not None and r.turn.greeting for r in rows)


@pytest.mark.parametrize(
    ("probability", "kept", "limit"),
    [
        ([0.9] * 50 + [0.1] * 50, [True] * 50 + [False] * 50, 0.5),  # every limit is right: the one nearest to one half
        ([0.9] * 50 + [0.62] * 50, [True] * 50 + [False] * 50, 0.64),  # only a higher limit parts them
    ],
)
def test_the_limit_has_the_fewest_wrong_modes_and_stays_near_one_half(
    probability: list[float], kept: list[bool], limit: float
) -> None:
    assert limit == choose_limit(np.array(probability), np.array(kept))


def test_out_of_fold_figures_reach_the_aims(intent_bundle_path: Path) -> None:
    """The aims of the exam, on questions whose authors the heads did not see."""
    found = load_bundle(intent_bundle_path).metrics["out_of_fold"]
    assert found["questions"]["accuracy"] >= 0.92
    assert found["questions"]["ece"] <= 0.05
    assert found["turns"]["turn_intent_accuracy"] >= 0.93
    assert found["turns"]["mode_accuracy"] >= 0.93
    assert found["turns"]["switch_recall"] >= 0.85


def test_a_router_refuses_a_bundle_of_the_other_domain(bundle_path: Path, intent_bundle_path: Path) -> None:
    with pytest.raises(BundleUnsupported, match="--domain code_docs"):
        IntentRouter(load_bundle(bundle_path))
    with pytest.raises(BundleUnsupported, match="other heads"):
        QuestionRouter(load_bundle(intent_bundle_path))


# ── checks ──

QUESTION: dict[str, Any] = {"id": "x-1", "text": "где лежит файл a.py", "intent": "CODE_QA", "anchors": [{"type": "FILE_PATH", "start": 15, "end": 19, "value": "a.py"}], "author": "x", "lang": "ru"}  # fmt: skip
TURN = {"text": "где считается пеня за просрочку платежа", "intent": "CODE_QA", "mode": "START"}
NO_MINIMA = IntentMinima(0, 0, 0.0, 0, 0, 0.0, 0)


def findings(
    tmp_path: Path,
    questions: list[dict[str, Any]],
    conversations: list[dict[str, Any]] | None = None,
    held: list[dict[str, Any]] | None = None,
    minima: IntentMinima = NO_MINIMA,
) -> list[tuple[str, str]]:
    data, exam = tmp_path / "data", tmp_path / "exam"
    for folder, lines in ((data, questions), (exam, held or [])):
        folder.mkdir()
        (folder / "q.jsonl").write_text("".join(json.dumps(x, ensure_ascii=False) + "\n" for x in lines), "utf-8")
    if conversations:
        (data / "conversations.jsonl").write_text(
            "".join(json.dumps(x, ensure_ascii=False) + "\n" for x in conversations), "utf-8"
        )
    return [(f.level, f.code) for f in check_intent_data(data, exam if held else None, minima).findings]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"intent": "CODE"}, "schema"),
        ({"lang": "de"}, "schema"),
        ({"surprise": 1}, "schema"),
        ({"anchors": [{"type": "FILE_PATH", "start": 14, "end": 18, "value": "a.py"}]}, "anchor-span"),
        (
            {
                "anchors": [
                    {"type": "FILE_PATH", "start": 15, "end": 19, "value": "a.py"},
                    {"type": "SYMBOL", "start": 15, "end": 16, "value": "a"},
                ]
            },
            "anchor-overlap",
        ),
    ],
)
def test_a_wrong_question_is_an_error_with_its_place(tmp_path: Path, change: dict[str, Any], code: str) -> None:
    assert [("error", code)] == findings(tmp_path, [{**QUESTION, **change}])


@pytest.mark.parametrize(
    ("turns", "code"),
    [
        ([{**TURN, "mode": "CONTINUE"}], "mode"),
        ([TURN, {"text": "а в доке?", "intent": "DOCS_QA", "mode": "CONTINUE"}], "mode"),
        ([TURN, {"text": "спасибо", "intent": "PROJECT_MISC", "mode": "SWITCH", "greeting": True}], "mode"),
        ([TURN, {"text": "а в доке?", "intent": "DOCS_QA", "mode": "SWITCH", "false_switch": True}], "false-switch"),
    ],
)
def test_a_mode_that_does_not_follow_from_the_intents_is_an_error(
    tmp_path: Path, turns: list[dict[str, Any]], code: str
) -> None:
    assert ("error", code) in findings(tmp_path, [QUESTION], [{"id": "c", "author": "x", "turns": turns}])


def test_duplicates_and_leaks_are_errors_and_short_talk_is_neither(tmp_path: Path) -> None:
    one = {
        **QUESTION,
        "id": "x-2",
        "text": "почему начисление пени за просрочку аренды округляется вниз",
        "anchors": [],
    }
    held = {
        **one,
        "id": "e-1",
        "text": "отчего пени за просрочку аренды при начислении округляется вниз",
        "author": "e",
    }
    short = {**QUESTION, "id": "x-4", "text": "а подробнее", "anchors": []}
    found = findings(tmp_path, [one, {**one, "id": "x-3"}, short], None, [held, {**short, "id": "e-2"}])
    assert ("error", "duplicate") in found
    assert ("error", "leak") in found
    assert 2 == found.count(("error", "leak"))


def test_too_little_data_is_a_warning(tmp_path: Path) -> None:
    assert ("warning", "balance") in findings(tmp_path, [QUESTION], minima=IntentMinima())


def test_data_with_errors_trains_nothing(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / "q.jsonl").write_text(json.dumps({**QUESTION, "intent": "CODE"}) + "\n", "utf-8")
    with pytest.raises(TrainingRefused):
        train_intent_and_save(data, tmp_path / "bundle", Settings(), 1, Console(quiet=True))
    assert not (tmp_path / "bundle").exists()


def test_the_shipped_data_holds_what_was_asked_for() -> None:
    report = check_intent_data(DATA, Settings().intent_exam)
    assert [] == [f for f in report.findings if f.level == "error" or f.code == "balance"]
    exam = read_questions(Settings().intent_exam)
    talks = read_conversations(Settings().intent_exam)
    assert len(exam) >= 400 and len(talks) >= 60
    assert not {e.author for e in exam} & {e.author for e in report.examples}
    assert all(3 <= len(c.turns) <= 6 for c in (*report.conversations, *talks))
    assert set(INTENTS) == {e.intent for e in exam}
