"""Each gate refuses the bundle that was spoiled for it, and lets the good one through."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from experiments.evaluation import Yardstick
from experiments.gates import GateResult, Trial, all_passed, run_gates
from models.bundle import Bundle
from tests.experiments.conftest import SABOTAGES, failed_gates

Sabotaged = Callable[[str], tuple[Path, str]]


@pytest.mark.parametrize("name", SABOTAGES)
def test_a_sabotaged_bundle_is_refused_by_the_gate_for_it(
    name: str, sabotaged: Sabotaged, bundle_path: Path, yardstick: Yardstick
) -> None:
    folder, digest = sabotaged(name)
    results = run_gates(Trial(folder, digest, yardstick, bundle_path, None))
    assert SABOTAGES[name][1] in failed_gates(results)
    assert not all_passed(results)


def test_a_bundle_that_does_not_load_is_refused_and_nothing_else_is_measured(
    sabotaged: Sabotaged, yardstick: Yardstick
) -> None:
    folder, digest = sabotaged("nothing is a trend")
    weights = bytearray((folder / "weights.safetensors").read_bytes())
    weights[-1] ^= 1
    (folder / "weights.safetensors").write_bytes(weights)
    results = run_gates(Trial(folder, digest, yardstick, None, None))
    assert [("fresh_process", False)] == [(r.gate, r.passed) for r in results]
    assert "SHA-256" in results[0].detail


def test_another_bundle_than_the_run_made_is_refused(bundle_path: Path, yardstick: Yardstick) -> None:
    results = run_gates(Trial(bundle_path, "0" * 64, yardstick, None, None))
    assert ["fresh_process"] == failed_gates(results)
    assert "expected " + "0" * 64 in results[0].detail


@pytest.mark.parametrize("beside", ["champion", "nobody"])
def test_a_good_bundle_passes_beside(beside: str, bundle_path: Path, good: Bundle, yardstick: Yardstick) -> None:
    digest = good.digest
    champion = bundle_path if beside == "champion" else None
    results = run_gates(Trial(bundle_path, digest, yardstick, champion, None))
    assert [] == [r for r in results if not r.passed and r.gate != "speed"]
    assert {
        "fresh_process",
        "benchmark_verdict",
        "class ambiguous",
        "route_ece",
        "flag_ece",
        "robust upper_case",
        "speed",
    } <= {r.gate for r in results}


def test_no_result_at_all_lets_nothing_through() -> None:
    assert not all_passed([])
    assert all_passed([GateResult("g", True, "1", "1")])
