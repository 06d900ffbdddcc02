"""The command as a person and a script use it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SWITCHMAN = str(Path(sys.executable).with_name("switchman"))


def run(*arguments: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [SWITCHMAN, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "COLUMNS": "120", **(env or {})},
    )


@pytest.fixture(autouse=True)
def _bundle(bundle_path: Path) -> None: ...


def test_a_question_is_shown_with_its_route_reasons_and_why_not_the_others() -> None:
    shown = run("route", "Какие акты подписаны 9 июня?").stdout
    for text in (
        "store_canonical",
        "каноническое хранилище",
        "Почему не",
        "live_mcp_drilldown",
        "no_route",
        "2020-06-09",
    ):
        assert text in shown


def test_an_english_question_is_answered_in_english() -> None:
    shown = run("route", "Which acts were signed on June 9?").stdout
    assert "Why not" in shown
    assert "Почему" not in shown


def test_json_has_the_record() -> None:
    found = json.loads(run("route", "Рейтинг складов по недостачам", "--json").stdout)
    assert found["route"] == "batch_refresh_then_store"
    assert found["decision"]["chosen_route"] == "batch_refresh_then_store"


def test_a_file_is_routed_in_order_and_a_bad_line_spoils_only_itself(tmp_path: Path) -> None:
    lines: list[str] = [
        json.dumps({"question_id": "A", "text": "Остаток по кассе на 12 июня"}),
        "{not json",
        "",
        json.dumps({"question_id": "C"}),
        json.dumps(["list"]),
        json.dumps(
            {
                "question_id": 7,
                "text": "Почему здесь такая сумма?",
                "parsed_intent": {"objects": [{"kind": "posting", "document_number": "0000-000901"}]},
            }
        ),
        json.dumps({"text": "no id"}),
        json.dumps({"question_id": "E", "text": ""}),
    ]
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text("\n".join(lines) + "\n", "utf-8")
    done = run("route", "--input", str(source), "--output", str(target))
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = [json.loads(line) for line in target.read_text("utf-8").splitlines()]
    assert ["A", None, "C", None, 7, None, "E"] == [r["question_id"] for r in found]
    assert [2, 4, 5, 7] == [r["line"] for r in found if "error" in r]
    assert found[4]["route"] == "live_mcp_drilldown"
    assert found[6]["no_route_reason"] == "empty_question"
    assert "3 routed, 4 lines refused" in done.stderr


def test_store_metadata_of_a_file_is_used(tmp_path: Path, reference_store: dict[str, Any]) -> None:
    reference_store["snapshot"]["complete"] = False
    file = tmp_path / "store.json"
    file.write_text(json.dumps(reference_store), "utf-8")
    found = json.loads(run("route", "Остаток по кассе", "--store-metadata", str(file), "--json").stdout)
    assert found["route"] == "hybrid_store_plus_live"
    assert "snapshot_incomplete" in found["decision"]["sufficiency_snapshot"]["reason_codes"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("route",), "give one question"),
        (("route", "Остаток", "--input", "x.jsonl"), "give one question"),
        (("route", "--input", "missing.jsonl", "--output", "out.jsonl"), "missing.jsonl"),
        (("route", "Остаток", "--store-metadata", "missing.json"), "missing.json"),
        (("route", "Остаток", "--bundle", "nowhere"), "switchman train"),
        (("benchmark", "--only", "Q99"), "Q06-Q12"),
        (("data", "check", "nowhere"), "nowhere"),
    ],
)
def test_wrong_use_names_the_place_and_the_next_step(arguments: tuple[str, ...], says: str, tmp_path: Path) -> None:
    done = subprocess.run([SWITCHMAN, *arguments], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_the_benchmark_meets_section_14_and_saves_all_records(tmp_path: Path) -> None:
    done = run("benchmark", "--json", "--logs", str(tmp_path))
    found = json.loads(done.stdout)
    assert done.returncode == 0
    assert found["route_mismatch_count"] == 0
    assert found["mismatches_by_class"] == {}
    assert found["batch_route_count"] == found["execution"]["batch_jobs_run"] == 4
    assert found["degraded_answers_count"] == 0
    assert found["verdict"] == "adopt"
    kept = {name: [json.loads(line) for line in (tmp_path / name).read_text("utf-8").splitlines()] for name in ("decisions.jsonl", "executions.jsonl", "answers.jsonl")}  # fmt: skip
    assert {name: len({r["question_id"] for r in records}) for name, records in kept.items()} == dict.fromkeys(kept, 35)
    batches = [r for r in kept["decisions.jsonl"] if r["execution_mode"] == "batch"]
    assert sorted(r["question_id"] for r in batches) == ["Q26", "Q27", "Q28", "Q30"]
    assert all(r["batch_job_id"] for r in batches)
    assert all(a["answer"]["text"] for a in kept["answers.jsonl"])
    medians = found["execution"]["retrieval_ms"]
    assert {route: m["count"] for route, m in medians.items()} == found["route_counts"]
    assert {route: m["legacy_count"] for route, m in medians.items()} == found["legacy"]["route_counts"]


def test_the_benchmark_can_be_routed_alone_and_then_is_not_adopted(tmp_path: Path) -> None:
    found = json.loads(run("benchmark", "--routes-only", "--json", "--logs", str(tmp_path)).stdout)
    assert (found["degraded_answers_count"], found["verdict"]) == ("not measured", "adopt_with_improvements")
    assert len((tmp_path / "decisions.jsonl").read_text("utf-8").splitlines()) == 35


def test_the_legacy_baseline_stands_beside_with_the_faults_of_the_source(tmp_path: Path) -> None:
    found = json.loads(run("benchmark", "--routes-only", "--json", "--logs", str(tmp_path)).stdout)["legacy"]
    assert found["route_mismatch_count"] == 7
    assert found["mismatches_by_class"] == {"drilldown_explain": 1, "cross_entity": 2, "heavy_analytical": 4}
    assert found["route_counts"] == {
        "live_mcp_drilldown": 4,
        "batch_refresh_then_store": 0,
        "hybrid_store_plus_live": 4,
        "store_feature_risk": 19,
        "store_canonical": 8,
        "no_route": 0,
    }


def test_a_part_of_the_benchmark_is_not_judged(tmp_path: Path) -> None:
    found = json.loads(
        run("benchmark", "--only", "Q06-Q12,Q26-Q30", "--routes-only", "--json", "--logs", str(tmp_path)).stdout
    )
    assert (found["questions"], found["verdict"]) == (12, "not judged")


def test_the_shipped_data_has_no_error() -> None:
    done = run("data", "check", "--json")
    found = json.loads(done.stdout)
    assert [f for f in found["findings"] if f["level"] == "error"] == []
    assert done.returncode == 0


def test_bad_data_trains_nothing(tmp_path: Path) -> None:
    data, bundle = tmp_path / "data.jsonl", tmp_path / "bundle"
    line = {
        "id": "x-1",
        "text": "Остаток",
        "question_class": "out_of_scope",
        "flags": ["needs_ranking"],
        "route": "no_route",
        "author": "x",
    }
    data.write_text(json.dumps(line, ensure_ascii=False) + "\n", "utf-8")
    done = run("train", "--data", str(data), "--bundle", str(bundle))
    assert done.returncode == 1
    assert f"{data}:1" in done.stdout
    assert not bundle.exists()
