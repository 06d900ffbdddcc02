"""Settings of a training as texts, metric names, the folder of a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from experiments.errors import ExperimentError
from experiments.metric_names import flat_metrics
from experiments.run_folder import RunFolder
from experiments.training_run import datasets, fit_settings, run_metrics
from experiments.workers import workers
from training.fit import FitSettings


def test_settings_are_read_by_the_type_of_their_default() -> None:
    found = fit_settings(["strength=3.5", "folds=4", "stacked=True", "blocks=words,cues"])
    assert (3.5, 4, True, ("words", "cues")) == (found.strength, found.folds, found.stacked, found.blocks)
    assert FitSettings() == fit_settings([])


@pytest.mark.parametrize(
    ("assignment", "says"),
    [
        ("strength", "KEY=VALUE"),
        ("strenght=3", "strength=30.0"),
        ("strength=much", "write it as 30.0"),
        ("folds=1", "at least 2"),
        ("strength=0", "out of range"),
        ("strength=nan", "out of range"),
        ("stacked=perhaps", "write it as false"),
        ("blocks=words,letters", "letters is no block"),
    ],
)
def test_a_setting_that_cannot_be_meant_is_refused_with_the_way_to_write_it(assignment: str, says: str) -> None:
    with pytest.raises(ExperimentError, match=says):
        fit_settings([assignment])


def test_every_number_of_a_report_becomes_a_metric_whatever_is_added_to_it() -> None:
    report = {
        "benchmark": {
            "degraded_answers_count": 0,
            "answers": {"new_figure": 3},
            "verdict": "adopt",
            "legacy": {"route_mismatch_count": 7},
            "confusion": {"a -> b": 1},
            "not yet": "not measured",
        }
    }
    assert {"degraded_answers_count": 0.0, "answers/new_figure": 3.0, "confusion/a_to_b": 1.0} == run_metrics(report)


def test_what_is_no_number_is_no_metric() -> None:
    assert {"a/share": 1.0, "a/interval/low": 0.1, "a/interval/high": 0.2} == flat_metrics(
        {
            "a": {
                "share": True,
                "interval": [0.1, 0.2],
                "text": "x",
                "list": [1, 2, 3],
                "nan": float("nan"),
                "none": None,
            }
        }
    )


def test_datasets_are_named_by_content(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a.jsonl").write_text("1\n")
    first = datasets({"training": tmp_path / "data"})[0]
    assert first == datasets({"training": tmp_path / "data"})[0]
    assert "training" == first["use"]
    (tmp_path / "data" / "b.jsonl").write_text("2\n")
    assert first["digest"] != datasets({"training": tmp_path / "data"})[0]["digest"]


def test_a_folder_that_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ExperimentError, match=r"no state\.json"):
        RunFolder.open(tmp_path)


def test_two_runs_of_one_name_have_two_folders(tmp_path: Path) -> None:
    first, second = (RunFolder.begin(tmp_path, "same / name", "router", "") for _ in range(2))
    assert first.path != second.path
    assert first.path.parent == tmp_path


@pytest.mark.parametrize(("where", "says"), [("cluster", "tcp://host:8786"), ("tcp://127.0.0.1:9", "dask scheduler")])
def test_workers_that_are_not_there_are_named(where: str, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("experiments.workers.SECONDS_TO_CONNECT", 1)
    with pytest.raises(ExperimentError, match=says), workers(where, 1):
        pass
