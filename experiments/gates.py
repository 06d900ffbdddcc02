"""What a version must show before it may become champion. Every figure is measured here and now from the bundle itself, never read from a log.

Limits come from the champion where there is one, else from `Limits` and the legacy baseline. The order is that of `GATES`, cheap and fatal first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from experiments.baseline import legacy_route
from experiments.evaluation import Evaluation, Yardstick, evaluate
from experiments.fresh_process import FreshProcessFailed, predict_afresh, route_afresh, time_afresh
from experiments.robustness import SURFACE
from models.bundle import Bundle, BundleError, load_bundle
from training.evaluation import wilson_interval


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds that hold whatever the champion does. ``slowdown``: times the champion's median; ``p50_us``: where there is no champion."""

    route_ece: float = 0.06
    flag_ece: float = 0.04
    ece_worse: float = 0.02
    slowdown: float = 1.25
    p50_us: float = 5000.0
    surface_retention: float = 0.8


@dataclass(frozen=True, slots=True)
class GateResult:
    """One line of the report: what was measured, what was allowed."""

    gate: str
    passed: bool
    figure: str
    limit: str
    detail: str = ""

    def to_dict(self) -> dict[str, Any]:
        """For a script."""
        return {
            "gate": self.gate,
            "passed": self.passed,
            "figure": self.figure,
            "limit": self.limit,
            "detail": self.detail,
        }


class Trial:
    """A candidate bundle before the gates, beside the folder of the champion where there is one. ``model``: URI of its MLflow model and the tracking server."""

    def __init__(
        self,
        folder: Path,
        digest: str,
        yardstick: Yardstick,
        champion: Path | None,
        model: tuple[str, str] | None,
        limits: Limits | None = None,
    ) -> None:
        self.folder, self.digest, self.yardstick, self.champion, self.model = folder, digest, yardstick, champion, model
        self.limits = limits or Limits()

    @cached_property
    def bundle(self) -> Bundle:
        """The candidate, verified."""
        return load_bundle(self.folder, self.digest)

    @cached_property
    def candidate(self) -> Evaluation:
        """Everything measured of the candidate."""
        return evaluate(self.bundle, self.yardstick)

    @cached_property
    def before(self) -> Evaluation | None:
        """The same of the champion."""
        return evaluate(load_bundle(self.champion), self.yardstick) if self.champion else None


_LOADS = "loads, imports nothing heavy"


def loads_and_predicts(trial: Trial) -> Iterator[GateResult]:
    """The bundle routes in a process of its own, without heavy libraries; the registry's model loads and answers the same."""
    questions, store = trial.yardstick.questions, trial.yardstick.store_metadata
    try:
        routes, heavy = route_afresh(trial.folder, trial.digest, questions, store)
        yield GateResult(
            "fresh_process",
            not heavy,
            f"{len(routes)} routes" + (f", imports {', '.join(heavy)}" if heavy else ""),
            _LOADS,
        )
    except FreshProcessFailed as error:
        yield GateResult("fresh_process", False, "does not load", _LOADS, str(error))
        return
    if trial.model is None:
        return
    limit = f"{len(routes)} as the bundle"
    try:
        predicted = predict_afresh(*trial.model, questions, store)
    except FreshProcessFailed as error:
        yield GateResult("registry_model", False, "does not load", limit, str(error))
        return
    same = sum(a == b for a, b in zip(routes, predicted, strict=False))
    yield GateResult("registry_model", predicted == routes, f"{same} of {len(routes)}", limit)


def no_new_mismatch(trial: Trial) -> Iterator[GateResult]:
    """Every benchmark question that the champion routes right stays right; section 14's minima hold."""
    wrong = _missed(trial.candidate, trial.yardstick)
    known = _missed(trial.before, trial.yardstick) if trial.before else set()
    new = sorted(wrong - known)
    if trial.before:
        yield GateResult(
            "benchmark_mismatches",
            not new,
            f"{len(new)} new ({len(wrong)} in all)",
            "0 new",
            ", ".join(new),
        )
    figures = trial.candidate.figures["benchmark"]
    short = [c["name"] for c in figures["criteria"] if not c["meets_minimum"]]
    yield GateResult(
        "benchmark_verdict", figures["verdict"] != "reject", figures["verdict"], "not reject", ", ".join(short)
    )


def _missed(found: Evaluation, yardstick: Yardstick) -> set[str]:
    return {
        q["question_id"]
        for q, d in zip(yardstick.questions, found.benchmark, strict=True)
        if q["expected_route"] != d.route
    }


def no_class_worse(trial: Trial) -> Iterator[GateResult]:
    """Route accuracy on the exam, a class at a time, not under the lower end of the champion's interval."""
    reference = trial.before.figures["exam"]["by_class"] if trial.before else _legacy_by_class(trial.yardstick)
    whose = "champion" if trial.before else "legacy baseline"
    for name, figures in trial.candidate.figures["exam"]["by_class"].items():
        low = reference[name]["interval"][0]
        accuracy = figures["accuracy"]
        yield GateResult(
            f"class {name}",
            accuracy >= low,
            f"{accuracy:.3f}",
            f">= {low:.3f}",
            f"{whose} {reference[name]['accuracy']:.3f}",
        )


def _legacy_by_class(yardstick: Yardstick) -> dict[str, Any]:
    found = {}
    for name in dict.fromkeys(e.question_class for e in yardstick.exam):
        part = [e for e in yardstick.exam if e.question_class == name]
        right = sum(legacy_route(e.text) == e.route for e in part)
        found[name] = {"accuracy": right / len(part), "interval": wilson_interval(right, len(part))}
    return found


def calibrated(trial: Trial) -> Iterator[GateResult]:
    """Stated probabilities mean what they say: of the route and of the worst flag."""
    now, limits = trial.candidate.figures["exam"], trial.limits
    allowed = limits.route_ece
    if trial.before:
        allowed = min(allowed, trial.before.figures["exam"]["route_ece"] + limits.ece_worse)
    yield GateResult("route_ece", now["route_ece"] <= allowed, f"{now['route_ece']:.4f}", f"<= {allowed:.4f}")
    worst = max(now["flag_ece"], key=now["flag_ece"].__getitem__)
    value = now["flag_ece"][worst]
    yield GateResult(
        "flag_ece", value <= limits.flag_ece, f"{value:.4f}", f"<= {limits.flag_ece:.4f}", f"the worst: {worst}"
    )


def fast_enough(trial: Trial) -> Iterator[GateResult]:
    """Median CPU time of a decision on questions not seen before, beside the champion's in the same process."""
    folders = [trial.folder, *([trial.champion] if trial.champion else [])]
    texts = [e.text for e in trial.yardstick.exam]
    try:
        times = time_afresh(folders, texts, trial.yardstick.store_metadata)
    except FreshProcessFailed as error:
        yield GateResult("speed", False, "not measured", "measured", str(error))
        return
    median = times[0]["p50_us"]
    if trial.champion:
        allowed = times[1]["p50_us"] * trial.limits.slowdown
        detail = f"{trial.limits.slowdown:g} times the champion's {times[1]['p50_us']:.0f} µs"
    else:
        allowed, detail = trial.limits.p50_us, ""
    yield GateResult("speed", median <= allowed, f"{median:.0f} µs", f"<= {allowed:.0f} µs", detail)


def robust(trial: Trial) -> Iterator[GateResult]:
    """Each perturbation keeps as many routes as the champion keeps, to the lower end of its interval."""
    reference = trial.before.figures["robustness"] if trial.before else None
    for name, figures in trial.candidate.figures["robustness"].items():
        kept = figures["retention"]
        if reference:
            low = reference[name]["interval"][0]
            detail = f"champion {reference[name]['retention']:.3f}"
        elif name in SURFACE:
            low, detail = trial.limits.surface_retention, ""
        else:
            continue
        yield GateResult(f"robust {name}", kept >= low, f"{kept:.3f}", f">= {low:.3f}", detail)


GATES: tuple[Callable[[Trial], Iterator[GateResult]], ...] = (
    loads_and_predicts,
    no_new_mismatch,
    no_class_worse,
    calibrated,
    robust,
    fast_enough,
)


def run_gates(trial: Trial) -> list[GateResult]:
    """Every line of every gate. A bundle that does not load ends the list there: nothing else can be measured."""
    results: list[GateResult] = []
    for gate in GATES:
        try:
            results += list(gate(trial))
        except BundleError as error:
            results.append(GateResult(gate.__name__, False, "not measured", "a bundle that loads", str(error)))
        if results and not results[0].passed:
            break
    return results


def all_passed(results: Sequence[GateResult]) -> bool:
    """Whether every gate let the version through; no result at all lets nothing through."""
    return bool(results) and all(r.passed for r in results)
