"""``switchman intent`` and ``switchman chat`` as a person and a script use them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from router.intent.schema import published_schema

SWITCHMAN = str(Path(sys.executable).with_name("switchman"))


def run(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [SWITCHMAN, *arguments],
        capture_output=True,
        text=True,
        check=False,
        input=typed,
        env={**os.environ, "COLUMNS": "120"},
    )


@pytest.fixture(autouse=True)
def _bundle(intent_bundle_path: Path) -> None: ...


def test_a_query_is_shown_with_mode_intent_anchors_and_layers() -> None:
    shown = run("intent", "где реализован класс UserService в src/users.py?").stdout
    for text in ("CODE_QA", "вопрос по коду", "START", "UserService", "src/users.py", "C1 ×", "Якоря"):
        assert text in shown


def test_an_english_query_is_answered_in_english() -> None:
    shown = run("intent", "who owns the release?").stdout
    assert "PROJECT_MISC" in shown and "Intent" in shown and "Намерение" not in shown


def test_markup_and_controls_of_a_query_reach_no_terminal() -> None:
    shown = run("intent", "где \x1b[31mclass\x1b[0m [bold]Foo_bar[/bold]?").stdout
    assert "\x1b[31m" not in shown
    assert "[bold]Foo_bar[/bold]" in shown


def test_json_has_the_contract_and_beside_it_the_details() -> None:
    found = json.loads(run("intent", "что делает Cart.total?", "--json").stdout)
    jsonschema.validate(found["output"], published_schema())
    assert "intent_probabilities" in found["details"]


def test_state_and_repo_come_from_files_and_the_state_from_an_earlier_answer(tmp_path: Path) -> None:
    state, repo = tmp_path / "state.json", tmp_path / "repo.json"
    state.write_text(run("intent", "что делает Cart.total?", "--json").stdout, "utf-8")
    repo.write_text(json.dumps({"languages": ["go"], "available_layers": ["C1"]}), "utf-8")
    found = json.loads(run("intent", "покажи целиком", "--state", str(state), "--repo", str(repo), "--json").stdout)[
        "output"
    ]
    assert ("CONTINUE", "CODE_QA") == (found["conversation_mode"], found["intent"])
    assert ["C1"] == [q["layer_id"] for q in found["retrieval_spec"]["layer_queries"]]
    assert ["go"] == found["retrieval_spec"]["filters"]["language"]


def test_a_file_of_queries_is_answered_in_order_and_a_bad_line_spoils_only_itself(tmp_path: Path) -> None:
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text(
        "\n".join(
            [
                json.dumps({"question_id": "A", "text": "где parse_query?"}),
                "{not json",
                "",
                json.dumps({"question_id": 7, "text": "а в доке?", "conversation_state": {"active_intent": "CODE_QA"}, "repo_context": {"languages": ["go"]}}),
                json.dumps({"question_id": "C"}),
                json.dumps({"text": "no id"}),
                '{"question_id": "S", "text": "\\ud800 класс Foo_bar"}',
            ]
        ),
        "utf-8",
    )  # fmt: skip
    done = run("intent", "--input", str(source), "--output", str(target))
    assert done.returncode == 0
    lines = [json.loads(line) for line in target.read_text("utf-8").splitlines()]
    assert ["A", None, 7, "C", None, "S"] == [line["question_id"] for line in lines]
    assert [None, 2, None, 5, 6, None] == [line.get("line") for line in lines]
    assert "SWITCH" == lines[2]["output"]["conversation_mode"]
    assert "\ud800 класс Foo_bar" == lines[5]["output"]["query_plan"]["raw"]
    for line in (lines[0], lines[2], lines[5]):
        assert ["question_id", "output"] == list(line)
        jsonschema.validate(line["output"], published_schema())


def test_a_file_of_conversations_gives_an_output_a_turn(tmp_path: Path) -> None:
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    talk = {
        "conversation_id": "c1",
        "repo_context": {"languages": ["go"]},
        "turns": [{"text": t} for t in ("привет", "кто зовёт Foo.bar?", "а в доке?")],
    }
    source.write_text(json.dumps(talk) + "\n" + json.dumps({"conversation_id": "c2", "turns": "x"}) + "\n", "utf-8")
    assert run("intent", "--conversations", str(source), "--output", str(target)).returncode == 0
    first, second = (json.loads(line) for line in target.read_text("utf-8").splitlines())
    assert ["START", "START", "SWITCH"] == [t["output"]["conversation_mode"] for t in first["turns"]]
    assert "Foo.bar" in [a["value"] for a in first["turns"][2]["output"]["query_plan"]["anchors"]]
    assert ("c2", 2) == (second["conversation_id"], second["line"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "give one query in quotes"),
        (("x", "--input", "y"), "give one query in quotes"),
        (("--input", "y"), "--output FILE is missing"),
        (("--input", "/nowhere/in", "--output", "/nowhere/out"), "No such file"),
        (("x", "--state", "/nowhere"), "--state /nowhere: No such file"),
        (("x", "--dictionary", "/nowhere"), "--dictionary /nowhere"),
        (("x", "--bundle", "/nowhere"), "no bundle at /nowhere"),
    ],
)
def test_a_mistake_ends_with_one_message_and_no_traceback(arguments: tuple[str, ...], message: str) -> None:
    done = run("intent", *arguments)
    assert done.returncode == 2
    assert message in done.stderr.replace("\n", " ")
    assert "Traceback" not in done.stderr


def test_chat_shows_mode_and_intent_of_every_turn_and_remembers() -> None:
    shown = run(
        "chat", typed="привет\nчто делает Cart.total?\nа подробнее?\nа в документации?\n/new\nкогда релиз?\n\n"
    ).stdout
    for text in ("START  PROJECT_MISC", "START  CODE_QA", "CONTINUE  CODE_QA", "SWITCH  DOCS_QA", "← Cart.total"):
        assert text in shown
    assert 3 == shown.count("START")


def test_the_data_of_both_domains_is_checked_by_one_command() -> None:
    done = run("data", "check", "--json")
    found = json.loads(done.stdout)
    assert [] == [f for f in found["findings"] if f["level"] == "error"]
    assert found["counts"]["code_docs"]["questions"] >= 1500


def test_an_unknown_domain_is_named() -> None:
    done = run("data", "check", "--domain", "cooking")
    assert (2, True) == (done.returncode, "not one of accounting, code_docs" in done.stderr)
