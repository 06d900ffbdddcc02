"""Decisions again from their records alone."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest

from experiments.replay import replay_file, replay_lines
from models.bundle import save_bundle
from router.question_router import QuestionRouter

QUESTIONS: list[tuple[str, dict[str, Any] | None]] = [
    ("Какие акты подписаны 9 июня?", None),
    ("Рейтинг кладовщиков по недостачам", None),
    ("Which payments settled which shipments?", None),
    ("Динамика возвратов по дням", None),
    ("Почему здесь такая сумма?", {"objects": [{"kind": "posting", "document_number": "0000-000901"}], "parsed_class": "drilldown_explain", "confidence": 0.9}),
    ("Остаток за месяц", {"period": "2020-05", "entity_kinds": ["account"], "confidence": "much"}),
    ("Какая завтра погода", None),
    ("", None),
    ("1234 5678", None),
    ("а" * 5000, None),
]  # fmt: skip


def lines_of(router: QuestionRouter, store: Mapping[str, Any] | None) -> list[bytes]:
    return [router.route(text, store, intent).log.to_json() for text, intent in QUESTIONS]


@pytest.fixture(scope="module")
def lines(router: QuestionRouter) -> list[bytes]:
    store = json.loads((Path(__file__).parents[2] / "data" / "reference_store.json").read_text("utf-8"))
    return lines_of(router, store)


def test_the_same_bundle_gives_the_same_bytes(router: QuestionRouter, lines: list[bytes]) -> None:
    report = replay_lines(router, enumerate(lines, 1))
    assert (len(lines), len(lines), 0, [], []) == (
        report.identical,
        report.from_row,
        report.from_text,
        report.differences,
        report.problems,
    )


def test_so_it_does_without_metadata(router: QuestionRouter) -> None:
    assert len(QUESTIONS) == replay_lines(router, enumerate(lines_of(router, None), 1)).identical


@pytest.mark.parametrize("given", ["bad", ["x"], {"period": 5, "confidence": "high"}], ids=str)
def test_so_it_does_with_a_parsed_intent_that_cannot_be_read(router: QuestionRouter, given: Any) -> None:
    log = router.route("Какие акты подписаны 9 июня?", None, given).log
    assert log.parsed_intent_problems
    assert 1 == replay_lines(router, [(1, log.to_json())]).identical


def test_the_text_is_not_needed(router: QuestionRouter, lines: list[bytes]) -> None:
    masked = [orjson.dumps({**orjson.loads(line), "question_text": "", "masked": ["question_text"]}) for line in lines]
    assert len(lines) == replay_lines(router, enumerate(masked, 1)).identical


def test_what_was_added_after_the_decision_stays(router: QuestionRouter, lines: list[bytes]) -> None:
    with_job = orjson.dumps({**orjson.loads(lines[1]), "batch_job_id": "job-7"})
    assert 1 == replay_lines(router, [(1, with_job)]).identical


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("chosen_route", "store_canonical"),
        ("decided_by", "fallback"),
        ("out_of_scope_probability", 0.123456),
        ("store_version", "other"),
        ("decision_id", "0" * 32),
        ("rejected_routes", {}),
    ],
)
def test_a_record_that_was_changed_shows(router: QuestionRouter, lines: list[bytes], field: str, value: object) -> None:
    report = replay_lines(router, [(1, orjson.dumps({**orjson.loads(lines[1]), field: value}))])
    assert [(field,)] == [d.fields for d in report.differences]


def test_an_altered_weight_shows(router: QuestionRouter, lines: list[bytes]) -> None:
    """One weight of one head, of a feature that the questions have; nothing else is another."""
    bundle = router.bundle
    feature, head = (
        orjson.loads(lines[1])["row"][0][0],
        len(bundle.heads.classes) + bundle.heads.binary.index("needs_ranking"),
    )
    weights = bundle.weights.copy()
    weights[feature, head] += np.float32(0.5)
    sly = QuestionRouter(replace(bundle, weights=weights))  # the digest as it was: as if the check had been turned off
    fields = {f for d in replay_lines(sly, enumerate(lines, 1)).differences for f in d.fields}
    assert "flag_probabilities" in fields

    honest = QuestionRouter(replace(bundle, weights=weights, digest="another"))
    report = replay_lines(honest, enumerate(lines, 1))
    assert (0, len(lines)) == (report.from_row, report.from_text)
    assert "flag_probabilities" in {f for d in report.differences for f in d.fields}
    assert "bundle_digest" not in {f for d in report.differences for f in d.fields}


def test_another_bundle_reroutes_and_both_routes_are_named(router: QuestionRouter, lines: list[bytes]) -> None:
    other = replace(
        router.bundle,
        thresholds={
            **router.bundle.thresholds,
            "needs_ranking": 1.1,
            "needs_full_period_aggregation": 1.1,
            "needs_anomaly_summary": 1.1,
        },
        digest="other",
    )
    report = replay_lines(QuestionRouter(other), enumerate(lines, 1))
    ranking = next(d for d in report.rerouted if d.line == 2)
    assert ("batch_refresh_then_store", "Рейтинг кладовщиков по недостачам") == (ranking.route_before, ranking.text)


def test_another_bundle_cannot_read_a_masked_text(router: QuestionRouter, lines: list[bytes]) -> None:
    masked = orjson.dumps({**orjson.loads(lines[0]), "question_text": "", "masked": ["question_text"]})
    report = replay_lines(QuestionRouter(replace(router.bundle, digest="other")), [(5, masked)])
    assert [(5, "its text is masked, and another bundle needs the text")] == report.problems


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"{not json", "unexpected"),
        (b"[]", "a list, not a decision record"),
        (b'{"question_id": "a"}', "bundle_digest, chosen_route"),
        (b'{"question_id": null, "line": 3, "error": "no text"}', "an error line"),
    ],
)
def test_a_line_that_is_no_record_is_named_and_the_rest_goes_on(
    router: QuestionRouter, lines: list[bytes], line: bytes, says: str
) -> None:
    report = replay_lines(router, [(1, line), (2, lines[0])])
    assert (1, 1) == (report.identical, report.problems[0][0])
    assert says in report.problems[0][1] or says == "unexpected"


@pytest.mark.parametrize("field", ["row", "scope", "store_metadata", "flag_probabilities"])
def test_a_record_spoiled_inside_never_stops_the_rest(router: QuestionRouter, lines: list[bytes], field: str) -> None:
    spoiled = orjson.dumps({**orjson.loads(lines[0]), field: "spoiled"})
    report = replay_lines(router, [(1, spoiled), (2, lines[1])])
    assert 1 == report.identical
    assert 1 == len(report.problems) + len(report.differences)


def test_processes_give_what_one_gives(router: QuestionRouter, lines: list[bytes], tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"".join(line + b"\n\n" for line in lines * 90))
    report = replay_file(log, router.bundle, jobs=2)
    assert (900, 900) == (report.records, report.identical)


@pytest.mark.usefixtures("bundle_path")
def test_the_command_replays_what_bulk_routing_wrote(router: QuestionRouter, tmp_path: Path) -> None:
    switchman = str(Path(sys.executable).with_name("switchman"))
    source, target, other = tmp_path / "in.jsonl", tmp_path / "out.jsonl", tmp_path / "other"
    source.write_text(
        "".join(json.dumps({"question_id": f"q{i}", "text": t}) + "\n" for i, (t, _) in enumerate(QUESTIONS))
        + "{bad\n",
        "utf-8",
    )
    subprocess.run(
        [switchman, "route", "--input", str(source), "--output", str(target)], check=True, capture_output=True
    )
    done = subprocess.run([switchman, "replay", str(target), "--json"], capture_output=True, text=True, check=False)
    found = json.loads(done.stdout)
    assert (len(QUESTIONS), 1, 1) == (found["identical"], len(found["problems"]), done.returncode)
    bundle = router.bundle
    save_bundle(replace(bundle, thresholds={**bundle.thresholds, "scope": 1.1}), other)
    done = subprocess.run(
        [switchman, "replay", str(target), "--bundle", str(other)], capture_output=True, text=True, check=False
    )
    assert "no_route" in done.stdout
    assert "made by another bundle" in done.stdout


@pytest.mark.usefixtures("bundle_path")
def test_a_log_that_is_not_there_is_named(tmp_path: Path) -> None:
    switchman = str(Path(sys.executable).with_name("switchman"))
    done = subprocess.run(
        [switchman, "replay", str(tmp_path / "none.jsonl")], capture_output=True, text=True, check=False
    )
    assert 2 == done.returncode
    assert "none.jsonl" in done.stderr
    assert "Traceback" not in done.stderr
