"""Labelled questions are read whole, or refused by file and line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from training.dataset import (
    DatasetError,
    Example,
    dataset_digest,
    dataset_files,
    default_dataset,
    parse_example,
    read_dataset,
)

LINE: dict[str, Any] = {
    "id": "q1",
    "text": "Рейтинг складов по остаткам",
    "question_class": "heavy_analytical",
    "flags": ["needs_ranking", "parsed_as_trend_or_risk"],
    "route": "batch_refresh_then_store",
    "author": "a01",
}


def line(**changes: Any) -> bytes:
    return json.dumps(LINE | changes, ensure_ascii=False).encode()


def without(key: str) -> bytes:
    return json.dumps({k: v for k, v in LINE.items() if k != key}).encode()


def test_a_line_becomes_an_example_with_its_place() -> None:
    expected = Example(
        id="q1",
        text="Рейтинг складов по остаткам",
        question_class="heavy_analytical",
        flags=("needs_ranking", "parsed_as_trend_or_risk"),
        other_period=False,
        ready_summary=False,
        route="batch_refresh_then_store",
        group=None,
        author="a01",
        voice="",
        source="written",
        file="a01.jsonl",
        line=3,
    )
    found = parse_example(line(), "a01.jsonl", 3)
    assert expected == found
    assert found.where == "a01.jsonl:3"


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        (b"{", "not JSON"),
        (b"\xff", "not JSON"),
        (b"[]", "a list, not an object"),
        (b'"text"', "a str, not an object"),
        (b"null", "a NoneType, not an object"),
        *((without(key), f"{key}: Field required") for key in LINE),
        (line(id=""), "id: "),
        (line(text=""), "text: "),
        (line(author=""), "author: "),
        (line(text=None), "text: "),
        (line(text=7), "text: "),
        (line(question_class="heavy"), "question_class: "),
        (line(flags=["needs_rank"]), "flags.0: "),
        (line(flags=["needs_ranking", "store_sufficiency_confident"]), "flags.1: "),
        (line(flags="needs_ranking"), "flags: "),
        (line(other_period="June"), "other_period: "),
        (line(clazz="heavy_analytical"), "clazz: "),
    ],
    ids=lambda value: value.decode("utf-8", "replace")[:60] if isinstance(value, bytes) else value,
)
def test_a_bad_line_is_refused_by_file_line_and_field(bad: bytes, says: str) -> None:
    with pytest.raises(DatasetError) as caught:
        parse_example(bad, "data/a01.jsonl", 12)
    assert str(caught.value).startswith(f"data/a01.jsonl:12: {says}")


def test_a_folder_is_read_by_file_name_and_line_and_empty_lines_only_count(tmp_path: Path) -> None:
    (tmp_path / "b.jsonl").write_bytes(line(id="b1"))
    (tmp_path / "a.jsonl").write_bytes(b"\n" + line(id="a1") + b"\n  \n" + line(id="a2") + b"\r\n")
    (tmp_path / "README.md").write_text("not data", "utf-8")
    found = read_dataset(tmp_path)
    a, b = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    assert [("a1", f"{a}:2"), ("a2", f"{a}:4"), ("b1", f"{b}:1")] == [(e.id, e.where) for e in found]


def test_a_file_is_read_alone(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(line(id="a1"))
    (tmp_path / "b.jsonl").write_bytes(line(id="b1"))
    assert [tmp_path / "b.jsonl"] == dataset_files(tmp_path / "b.jsonl")
    assert ["b1"] == [e.id for e in read_dataset(tmp_path / "b.jsonl")]


def test_one_bad_line_refuses_the_whole_folder(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(line(id="a1") + b"\n" + line(flags=["x"]) + b"\n" + line(id="a3"))
    with pytest.raises(DatasetError, match=r"a\.jsonl:2: flags\.0: "):
        read_dataset(tmp_path)


@pytest.mark.parametrize("path", ["", "absent"], ids=["an empty folder", "no such folder"])
def test_where_there_is_nothing_the_path_is_named(tmp_path: Path, path: str) -> None:
    with pytest.raises(DatasetError, match=r"no \*\.jsonl here") as caught:
        dataset_files(tmp_path / path)
    assert str(caught.value).startswith(f"{tmp_path / path}: ")


def test_the_default_dataset_is_the_accounting_folder_of_this_tree() -> None:
    assert Path(__file__).resolve().parents[2] / "data" / "accounting" == default_dataset()


def read(*lines: bytes, file: str = "a.jsonl") -> list[Example]:
    return [parse_example(content, file, number) for number, content in enumerate(lines, 1)]


ONE, TWO = line(id="q1"), line(id="q2", text="Рейтинг касс")


def test_the_digest_is_of_the_content_wherever_it_stands() -> None:
    spaced = json.dumps(json.loads(ONE), indent=1, sort_keys=True).encode()
    assert dataset_digest(read(ONE, TWO)) == dataset_digest(read(spaced, TWO, file="moved.jsonl"))


@pytest.mark.parametrize(
    "other",
    [
        (ONE,),
        (TWO, ONE),
        (ONE, TWO, TWO),
        (line(id="q1", text="Рейтинг складов по остатку"), TWO),
        (line(id="q1", flags=["needs_ranking"]), TWO),
        (line(id="q1", other_period=True), TWO),
        (line(id="q1", group="g1"), TWO),
        (line(id="q1", author="a02"), TWO),
    ],
    ids=["one less", "another order", "one twice", "a word", "a flag", "a period", "a group", "an author"],
)
def test_the_digest_changes_with_any_change(other: tuple[bytes, ...]) -> None:
    assert dataset_digest(read(ONE, TWO)) != dataset_digest(read(*other))
