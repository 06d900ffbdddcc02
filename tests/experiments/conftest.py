"""A small yardstick, sabotaged bundles, and runs logged without training."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from experiments.evaluation import Yardstick, evaluate
from experiments.run_folder import COMPLETE, RunFolder
from experiments.tracking import Tracking, log_folder
from experiments.training_run import run_metrics
from models.bundle import Bundle, load_bundle, save_bundle
from service.experiments import yardstick as shipped_yardstick


@pytest.fixture(scope="session")
def yardstick() -> Yardstick:
    """The whole benchmark and a third of the exam."""
    whole = shipped_yardstick()
    return Yardstick(whole.questions, whole.exam[::3], whole.store_metadata)


@pytest.fixture(scope="session")
def small_yardstick(yardstick: Yardstick) -> Yardstick:
    """The whole benchmark and a ninth of the exam: where the figures do not matter."""
    return Yardstick(yardstick.questions, yardstick.exam[::3], yardstick.store_metadata)


@pytest.fixture(scope="session")
def good(bundle_path: Path) -> Bundle:
    return load_bundle(bundle_path)


def scaled(bundle: Bundle, factor: float) -> Bundle:
    """Every log-odds times ``factor``: thresholds of 0.5 decide as before, probabilities lie."""
    weights = bundle.weights.copy()
    weights[:, :-1] *= factor
    return replace(bundle, weights=weights, bias=bundle.bias * np.float32(factor))


def without_block(bundle: Bundle, *blocks: str) -> Bundle:
    """Heads that no longer see a block of features."""
    weights, start = bundle.weights.copy(), 0
    for block, names in bundle.vocabulary.items():
        if block in blocks:
            weights[start : start + len(names), :-1] = 0
        start += len(names)
    return replace(bundle, weights=weights)


def with_threshold(bundle: Bundle, **thresholds: float) -> Bundle:
    return replace(bundle, thresholds={**bundle.thresholds, **thresholds})


def timid(bundle: Bundle) -> Bundle:
    """Route probabilities pulled together: the routes stay, their stated certainty is wrong."""
    scaling = {**bundle.limits["route_scaling"], "temperature": 0.2}
    return replace(bundle, limits={**bundle.limits, "route_scaling": scaling})


SABOTAGES: dict[str, tuple[Callable[[Bundle], Bundle], str]] = {
    "no object is pinned": (lambda b: with_threshold(b, needs_exact_object_trace=1.1), "benchmark_mismatches"),
    "nothing reaches the batch": (
        lambda b: with_threshold(b, needs_ranking=1.1, needs_full_period_aggregation=1.1, needs_anomaly_summary=1.1),
        "benchmark_verdict",
    ),
    "everything is in scope": (lambda b: with_threshold(b, scope=1.1), "class out_of_scope"),
    "nothing is a trend": (lambda b: with_threshold(b, parsed_as_trend_or_risk=1.1), "class trend_anomaly"),
    "no link is causal": (lambda b: with_threshold(b, needs_causal_chain=1.1), "class cross_entity"),
    "certainty of routes is made up": (timid, "route_ece"),
    "flags are unsure of everything": (lambda b: scaled(b, 0.25), "flag_ece"),
    "words without letters and cues": (lambda b: without_block(b, "chars", "cues"), "class heavy_analytical"),
    "no lemma is shipped, so known words are strange": (lambda b: replace(b, lemmas={}), "robust transliterated"),
    "no lemma is shipped, so every word is parsed": (lambda b: replace(b, lemmas={}), "speed"),
}
"""What is done to a good bundle, and the gate that must refuse it."""


@pytest.fixture(scope="session")
def sabotaged(good: Bundle, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tuple[Path, str]]:
    """(folder, digest) of a bundle by the name of its sabotage."""
    folder = tmp_path_factory.mktemp("sabotaged")

    def make(name: str) -> tuple[Path, str]:
        path = folder / name.replace(" ", "-")
        return path, save_bundle(SABOTAGES[name][0](good), path)

    return make


@pytest.fixture(scope="session")
def tracking(tmp_path_factory: pytest.TempPathFactory) -> Tracking:
    """A tracking database of this test run."""
    folder = tmp_path_factory.mktemp("mlflow")
    return Tracking(f"sqlite:///{folder / 'mlflow.db'}", folder / "artifacts")


@pytest.fixture(scope="session")
def write_run(
    small_yardstick: Yardstick, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[Bundle, str], RunFolder]:
    """A complete run folder for a bundle, as training would have left it."""
    parent = tmp_path_factory.mktemp("runs")

    def write(bundle: Bundle, name: str) -> RunFolder:
        folder = RunFolder.begin(parent, name, "router", "a note")
        digest = save_bundle(bundle, folder.bundle)
        found = evaluate(load_bundle(folder.bundle), small_yardstick)
        (folder.artifacts / "decisions").mkdir(parents=True)
        for part, decisions in (("benchmark", found.benchmark), ("exam", found.exam)):
            lines = b"".join(d.log.to_json() + b"\n" for d in decisions)
            (folder.artifacts / "decisions" / f"{part}.jsonl").write_bytes(lines)
        found.figures["exam"].pop("wrong")
        folder.write("metrics.json", run_metrics(found.figures))
        folder.write("params.json", {"strength": 30.0})
        folder.write("datasets.json", [{"name": "training", "digest": "0" * 64, "path": "data", "use": "training"}])
        folder.write("tags.json", {"bundle_digest": digest, "git_revision": "unknown"})
        folder.mark(state=COMPLETE)
        return folder

    return write


@pytest.fixture(scope="session")
def logged(write_run: Callable[[Bundle, str], RunFolder], tracking: Tracking) -> Callable[[Bundle, str], str]:
    """Id of a logged run of a bundle."""
    return lambda bundle, name: log_folder(tracking, write_run(bundle, name))


def failed_gates(results: Any) -> list[str]:
    return [r.gate for r in results if not r.passed]
