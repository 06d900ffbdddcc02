"""Names that people give to a version, and the bundle with its decision records behind each.

A name is the folder of a bundle or of a run; an alias (``champion`` or ``@champion``), ``models:/switchman/3`` or ``models:/switchman@champion``;
a run's id, or its beginning; or a run's name (the newest complete run of that name).
"""

from __future__ import annotations

import re
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from experiments.errors import ExperimentError, RunIncomplete, VersionUnknown
from experiments.run_folder import COMPLETE, STATE, RunFolder
from experiments.tracking import EXPERIMENT, STATE_TAG, Tracking, mark_killed
from models.bundle import Bundle, load_bundle

MODEL = "switchman"
_MODEL_URI = re.compile(r"models:/(?P<name>[^/@]+)(?:/(?P<version>\d+)|@(?P<alias>[^/]+))\Z")


@dataclass(frozen=True)
class Version:
    """One loadable version. ``run_id`` and ``model_version`` where it comes from the tracking server."""

    label: str
    bundle: Bundle
    folder: Path
    run_id: str | None = None
    model_version: str | None = None


def find_version(name: str, tracking: Tracking, cache: Path) -> Version:
    """The version called ``name``, its bundle verified; downloads go to ``cache``.

    Raises `VersionUnknown`, `RunIncomplete` for a run that was killed or failed, `TrackingUnavailable`, `models.bundle.BundleError`.
    """
    path = Path(name)
    if (path / "manifest.json").is_file():
        return Version(str(path), load_bundle(path), path)
    if (path / STATE).is_file():
        folder = RunFolder.open(path)
        folder.must_be_complete()
        return Version(folder.read(STATE)["name"], load_bundle(folder.bundle), folder.bundle)
    client = tracking.client()
    found = _MODEL_URI.match(name)
    alias = found["alias"] if found else name.removeprefix("@")
    with tracking.reachable():
        registered = aliases(client, found["name"] if found else MODEL)
    number = found["version"] if found and found["version"] else registered.get(alias)
    if number is not None:
        return _registered(client, tracking, found["name"] if found else MODEL, str(number), name, cache)
    if found or name.startswith("@"):
        raise VersionUnknown(
            f"{name}: no such version; aliases: {', '.join(sorted(registered)) or 'none yet, promote a run first'}"
        )
    return version_of_run(find_run(name, client, tracking), client, tracking, cache)


def aliases(client: Any, model: str = MODEL) -> dict[str, str]:
    """Alias to version number; empty where the model is not registered yet."""
    from mlflow.exceptions import MlflowException

    try:
        return {k: str(v) for k, v in client.get_registered_model(model).aliases.items()}
    except MlflowException as error:
        if error.error_code == "RESOURCE_DOES_NOT_EXIST":
            return {}
        raise


def _registered(client: Any, tracking: Tracking, model: str, number: str, label: str, cache: Path) -> Version:
    from mlflow.exceptions import MlflowException

    with tracking.reachable():
        try:
            entry = client.get_model_version(model, number)
        except MlflowException as error:
            if error.error_code == "RESOURCE_DOES_NOT_EXIST":
                raise VersionUnknown(f"{label}: model {model} has no version {number}") from error
            raise
        run = client.get_run(entry.run_id)
    version = version_of_run(run, client, tracking, cache)
    return Version(f"{label} (version {number})", version.bundle, version.folder, entry.run_id, number)


def find_run(name: str, client: Any, tracking: Tracking) -> Any:
    """The run with this id, beginning of an id, or name. Raises `VersionUnknown`, `RunIncomplete`."""
    with tracking.reachable():
        experiment = client.get_experiment_by_name(EXPERIMENT)
        if experiment is None:
            raise VersionUnknown(
                f"{name}: no bundle folder of this name, and {tracking.uri} has no runs; begin with 'switchman experiment run'"
            )
        mark_killed(client, experiment.experiment_id)
        runs = list(
            client.search_runs([experiment.experiment_id], order_by=["attributes.start_time DESC"], max_results=1000)
        )
    by_id = [r for r in runs if len(name) >= 6 and r.info.run_id.startswith(name.lower())]
    by_name = [r for r in runs if r.info.run_name == name]
    chosen = by_id or [r for r in by_name if r.data.tags.get(STATE_TAG) == COMPLETE][:1] or by_name[:1]
    if not chosen:
        recent = ", ".join(f"{r.info.run_name} ({r.info.run_id[:8]})" for r in runs[:5])
        raise VersionUnknown(f"{name}: neither a bundle folder, an alias nor a run; newest runs: {recent or 'none'}")
    if len(chosen) > 1:
        raise VersionUnknown(f"{name}: {len(chosen)} runs begin so; give more of the id")
    return chosen[0]


def version_of_run(run: Any, client: Any, tracking: Tracking, cache: Path) -> Version:
    """Bundle of a complete run. Raises `RunIncomplete`, and `ExperimentError` for a run that holds no bundle."""
    run_id, label = run.info.run_id, run.info.run_name
    state = run.data.tags.get(STATE_TAG)
    if state != COMPLETE or run.info.status != "FINISHED":
        raise RunIncomplete(
            f"run {label} ({run_id[:8]}) is {state or run.info.status.lower()}, not complete: nothing of it can be used; run it again"
        )
    folder = cache / run_id
    if not (folder / "manifest.json").is_file():
        with tracking.reachable():
            if not client.list_artifacts(run_id, "bundle"):
                raise ExperimentError(
                    f"run {label} ({run_id[:8]}) holds no bundle; a trial of a sweep or the legacy baseline is a figure, no version: run its settings with 'switchman experiment run --set …'"
                )
            cache.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=cache) as building:
                fetched = Path(client.download_artifacts(run_id, "bundle", building))
                shutil.rmtree(folder, ignore_errors=True)
                fetched.rename(folder)
    return Version(f"{label} ({run_id[:8]})", load_bundle(folder, run.data.tags.get("bundle_digest")), folder, run_id)
