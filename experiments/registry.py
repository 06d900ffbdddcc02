"""The registry: which version is champion, which was before, and moving the alias only behind the gates.

``champion`` is what production pulls. Each version that became champion carries the number of the one before it, so a rollback can be repeated.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from experiments.errors import ExperimentError
from experiments.evaluation import Yardstick
from experiments.gates import GateResult, Limits, Trial, all_passed, run_gates
from experiments.tracking import MODEL_TAG, Tracking
from experiments.versions import MODEL, Version, aliases, find_version
from models.bundle import BundleError, load_bundle

CHAMPION, PREVIOUS = "champion", "previous"
_BEFORE = "champion_before"


@dataclass(frozen=True)
class Promotion:
    """Outcome: the lines of the gates; ``version`` is None where nothing was changed."""

    candidate: str
    digest: str
    results: list[GateResult]
    champion_before: str | None
    version: str | None

    @property
    def passed(self) -> bool:
        """Whether every gate let it through."""
        return all_passed(self.results)

    def to_dict(self) -> dict[str, Any]:
        """For a script."""
        return {
            "candidate": self.candidate,
            "digest": self.digest,
            "passed": self.passed,
            "champion_before": self.champion_before,
            "version": self.version,
            "gates": [r.to_dict() for r in self.results],
        }


def promote(
    name: str,
    tracking: Tracking,
    cache: Path,
    yardstick: Yardstick,
    *,
    dry_run: bool = False,
    limits: Limits | None = None,
    note: Callable[[str], None] = lambda _stage: None,
) -> Promotion:
    """Put the version called ``name`` before the gates and, when all pass, move ``champion`` to it.

    Raises `VersionUnknown`, `RunIncomplete`, `TrackingUnavailable`; `ExperimentError` for a bundle folder, which no run vouches for.
    """
    candidate = find_version(name, tracking, cache)
    if candidate.run_id is None:
        raise ExperimentError(
            f"{name}: a folder, not a run; only what a run logged can be promoted. Log it with 'switchman experiment run' or 'switchman experiment log FOLDER'"
        )
    client = tracking.client()
    champion = current_champion(tracking, cache)
    with tracking.reachable():
        model = client.get_run(candidate.run_id).data.tags[MODEL_TAG]
    note("gates")
    trial = Trial(
        candidate.folder,
        candidate.bundle.digest,
        yardstick,
        champion.folder if champion else None,
        (model, tracking.uri),
        limits,
    )
    results = run_gates(trial)
    before = champion.model_version if champion else None
    moved = None
    if all_passed(results) and not dry_run:
        note("registry")
        with tracking.reachable():
            moved = candidate.model_version or _register(client, candidate, model)
            if moved != before:
                _move(client, moved, before)
    return Promotion(candidate.label, candidate.bundle.digest, results, before, moved)


def current_champion(tracking: Tracking, cache: Path) -> Version | None:
    """The champion, its bundle verified; None where nothing was promoted yet."""
    client = tracking.client()
    with tracking.reachable():
        number = aliases(client).get(CHAMPION)
    if number is None:
        return None
    return find_version(f"models:/{MODEL}/{number}", tracking, cache)


def _register(client: Any, candidate: Version, model: str) -> str:
    """Number of the registered version of this run; registering it twice gives the same."""
    from mlflow.exceptions import MlflowException

    try:
        known = client.search_model_versions(f"name = '{MODEL}' and run_id = '{candidate.run_id}'")
    except MlflowException:
        known = []
    if known:
        return str(known[0].version)
    try:
        client.create_registered_model(
            MODEL, description="The question router of Switchman. Production pulls models:/switchman@champion."
        )
    except MlflowException as error:
        if error.error_code != "RESOURCE_ALREADY_EXISTS":
            raise
    tags = {"bundle_digest": candidate.bundle.digest}
    made = client.create_model_version(
        MODEL, model, run_id=candidate.run_id, tags=tags, model_id=model.removeprefix("models:/")
    )
    return str(made.version)


def _move(client: Any, version: str, before: str | None) -> None:
    """``previous`` first and ``champion`` last: a kill in between leaves the old champion."""
    client.set_model_version_tag(MODEL, version, _BEFORE, before or "")
    client.set_model_version_tag(MODEL, version, "promoted_at", datetime.now(UTC).isoformat(timespec="seconds"))
    if before:
        client.set_registered_model_alias(MODEL, PREVIOUS, before)
    client.set_registered_model_alias(MODEL, CHAMPION, version)


def rollback(tracking: Tracking, cache: Path) -> tuple[str, str]:
    """Make the version before the champion champion again; (old, new) numbers. It is loaded and verified first. Raises `ExperimentError` where there is none."""
    client = tracking.client()
    with tracking.reachable():
        now = aliases(client).get(CHAMPION)
        if now is None:
            raise ExperimentError("no champion yet; promote a run first with 'switchman experiment promote RUN'")
        before = client.get_model_version(MODEL, now).tags.get(_BEFORE)
    if not before:
        raise ExperimentError(f"version {now} is the first champion: there is nothing to roll back to")
    find_version(f"models:/{MODEL}/{before}", tracking, cache)
    with tracking.reachable():
        earlier = client.get_model_version(MODEL, before).tags.get(_BEFORE)
        client.set_registered_model_alias(MODEL, CHAMPION, before)
        if earlier:
            client.set_registered_model_alias(MODEL, PREVIOUS, earlier)
        else:
            client.delete_registered_model_alias(MODEL, PREVIOUS)
    return now, before


def pull(name: str, target: Path, tracking: Tracking, cache: Path) -> Version:
    """Copy the bundle called ``name`` to ``target``, verified, all or nothing; an older bundle there is replaced by renames.

    Raises `ExperimentError` where ``target`` holds something else than a bundle.
    """
    version = find_version(name, tracking, cache)
    if (
        target.exists()
        and not (target / "manifest.json").is_file()
        and any(target.iterdir() if target.is_dir() else [target])
    ):
        raise ExperimentError(f"{target}: not a bundle and not empty, so it is left alone; name another folder")
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{target.name}-", dir=target.parent) as working:
        building, retired = Path(working) / "new", Path(working) / "old"
        shutil.copytree(version.folder, building)
        try:
            load_bundle(building, version.bundle.digest)
        except BundleError as error:
            raise ExperimentError(f"{name}: {error}") from error
        if target.exists():
            target.rename(retired)
        building.rename(target)
    return version
