"""Runs in MLflow: begun before training, filled from the run's folder, never the only place where anything is kept.

A run is whole only with the tag ``switchman.state = complete``, which is written last. One whose process is gone is marked as killed by the next
command that looks (`mark_killed`); its parts cannot be promoted or pulled.
"""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import orjson

from experiments.errors import ExperimentError, TrackingUnavailable
from experiments.process_identity import is_gone, this_process
from experiments.run_folder import COMPLETE, KILLED, RUNNING, RunFolder

EXPERIMENT = "switchman"
STATE_TAG, PROCESS_TAG, KIND_TAG, MODEL_TAG = (
    "switchman.state",
    "switchman.process",
    "switchman.kind",
    "switchman.model",
)
_DIGEST_CHARS = 32
"""MLflow keeps 36 characters of a dataset's digest; the whole one is a tag."""
_A_BATCH = 100

# What a person waits for a server that is away; a working one answers in milliseconds. Their own settings stand.
os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")
os.environ.setdefault("MLFLOW_HTTP_REQUEST_TIMEOUT", "20")
os.environ.setdefault("MLFLOW_HTTP_REQUEST_MAX_RETRIES", "1")
os.environ.setdefault("MLFLOW_ENABLE_ARTIFACTS_PROGRESS_BAR", "false")


@dataclass(frozen=True, slots=True)
class Tracking:
    """Where runs go: a tracking ``uri`` and, for one that is a database, the folder of ``artifacts``."""

    uri: str
    artifacts: Path

    def client(self) -> Any:
        """MLflow's client. Raises `TrackingUnavailable`."""
        try:
            import logging

            import mlflow
        except ImportError as error:
            raise ExperimentError(
                f"experiments need the extra 'experiments' ({error.name} is missing): pip install 'switchman[experiments,train]'"
            ) from error
        for chatty in ("mlflow", "alembic", "mlflow.store.db.utils"):
            logging.getLogger(chatty).setLevel(logging.ERROR)
        with self.reachable():
            if self.uri.startswith("sqlite:///"):
                Path(self.uri.removeprefix("sqlite:///")).parent.mkdir(parents=True, exist_ok=True)
            mlflow.set_tracking_uri(self.uri)
            mlflow.set_registry_uri(self.uri)
            return mlflow.MlflowClient(self.uri, self.uri)

    @contextmanager
    def reachable(self) -> Iterator[None]:
        """Turns what MLflow raises inside into one `TrackingUnavailable` that names the server."""
        import requests
        from mlflow.exceptions import MlflowException
        from sqlalchemy.exc import SQLAlchemyError

        try:
            yield
        except (MlflowException, SQLAlchemyError, requests.RequestException, OSError) as error:
            first = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
            raise TrackingUnavailable(f"tracking server {self.uri}: {first[:300]}") from error

    def experiment_id(self, client: Any) -> str:
        """The experiment, made where there is none; a database's artifacts go to ``artifacts``, a server decides for itself."""
        found = client.get_experiment_by_name(EXPERIMENT)
        if found is not None:
            return str(found.experiment_id)
        local = (
            None if self.uri.startswith(("http://", "https://", "databricks")) else self.artifacts.resolve().as_uri()
        )
        return str(client.create_experiment(EXPERIMENT, artifact_location=local))


def begin_run(tracking: Tracking, folder: RunFolder, parent: str | None = None) -> str:
    """A run in MLflow for ``folder``, marked as running. Raises `TrackingUnavailable`."""
    client = tracking.client()
    state = folder.read("state.json")
    with tracking.reachable():
        experiment = tracking.experiment_id(client)
        mark_killed(client, experiment)
        tags = {
            STATE_TAG: RUNNING,
            PROCESS_TAG: state["process"],
            KIND_TAG: state["kind"],
            "switchman.folder": str(folder.path),
            "mlflow.source.name": "switchman experiment",
            **({"mlflow.note.content": state["notes"]} if state["notes"] else {}),
            **({"mlflow.parentRunId": parent} if parent else {}),
        }
        run_id = str(client.create_run(experiment, run_name=state["name"], tags=tags).info.run_id)
    folder.mark(mlflow={"uri": tracking.uri, "run_id": run_id})
    return run_id


def log_folder(tracking: Tracking, folder: RunFolder, parent: str | None = None) -> str:
    """Everything of a complete ``folder`` into its run, a new one where it has none there; the run is complete after this and not before.

    Repeating it is harmless: metrics, tags and files are written again with the same content. Raises `RunIncomplete`, `TrackingUnavailable`.
    """
    folder.must_be_complete()
    client = tracking.client()
    run_id = _known_run(tracking, client, folder) or begin_run(tracking, folder, parent)
    with tracking.reachable():
        client.set_tag(run_id, STATE_TAG, RUNNING)
        client.set_tag(run_id, PROCESS_TAG, this_process())
        _log_figures(client, run_id, folder)
        _log_datasets(client, run_id, folder.read("datasets.json"))
        if folder.artifacts.is_dir():
            client.log_artifacts(run_id, str(folder.artifacts))
        if folder.bundle.is_dir():
            client.log_artifacts(run_id, str(folder.bundle), "bundle")
            client.set_tag(run_id, MODEL_TAG, _log_model(run_id, folder.bundle))
        client.set_tag(run_id, STATE_TAG, COMPLETE)
        client.set_terminated(run_id, "FINISHED")
    return run_id


def _known_run(tracking: Tracking, client: Any, folder: RunFolder) -> str | None:
    from mlflow.exceptions import MlflowException

    known = folder.read("state.json").get("mlflow")
    if not known or known["uri"] != tracking.uri:
        return None
    try:
        return str(client.get_run(known["run_id"]).info.run_id)
    except MlflowException as error:
        if error.error_code == "RESOURCE_DOES_NOT_EXIST":
            return None
        raise TrackingUnavailable(f"tracking server {tracking.uri}: {error}") from error


def _log_figures(client: Any, run_id: str, folder: RunFolder) -> None:
    from mlflow.entities import Metric, Param, RunTag

    now = int(time.time() * 1000)
    batches: dict[str, list[Any]] = {
        "metrics": [Metric(k, v, now, 0) for k, v in folder.read("metrics.json").items()],
        "params": [Param(k, str(v)) for k, v in folder.read("params.json").items()],
        "tags": [RunTag(k, str(v)) for k, v in folder.read("tags.json").items()],
    }
    for kind, entries in batches.items():
        left = iter(entries)
        while part := list(islice(left, _A_BATCH)):
            client.log_batch(run_id, **{kind: part})


def _log_datasets(client: Any, run_id: str, datasets: Sequence[Mapping[str, str]]) -> None:
    from mlflow.entities import Dataset, DatasetInput, InputTag

    inputs = [
        DatasetInput(
            Dataset(d["name"], d["digest"][:_DIGEST_CHARS], "local", orjson.dumps({"uri": d["path"]}).decode()),
            [InputTag("mlflow.data.context", d["use"])],
        )
        for d in datasets
    ]
    client.log_inputs(run_id, inputs)


def _log_model(run_id: str, bundle: Path) -> str:
    """Log the bundle as a model from code; its URI."""
    import mlflow
    from mlflow.models import ModelSignature
    from mlflow.types import ColSpec, ParamSchema, ParamSpec, Schema

    signature = ModelSignature(
        Schema([ColSpec("string", "text"), ColSpec("string", "question_id", required=False)]),
        None,
        ParamSchema([ParamSpec("store_metadata", "string", "")]),
    )
    # recorded and dropped: MLflow asks for hints and an example, and the signature says it all
    with mlflow.start_run(run_id=run_id), warnings.catch_warnings(record=True):
        info = mlflow.pyfunc.log_model(
            name="switchman",
            python_model=str(Path(__file__).with_name("pyfunc_model.py")),
            artifacts={"bundle": str(bundle)},
            signature=signature,
            pip_requirements=["switchman"],
        )
    return str(info.model_uri)


def end_run(tracking: Tracking, run_id: str, status: str) -> None:
    """Mark a run as FAILED or KILLED. Raises `TrackingUnavailable`."""
    client = tracking.client()
    with tracking.reachable():
        client.set_tag(run_id, STATE_TAG, status.lower())
        client.set_terminated(run_id, status)


def mark_killed(client: Any, experiment: str) -> list[str]:
    """Runs that say they run while their process is gone: marked, and returned."""
    found = client.search_runs([experiment], f"tags.`{STATE_TAG}` = '{RUNNING}'")
    gone = [r.info.run_id for r in found if is_gone(r.data.tags.get(PROCESS_TAG, ""))]
    for run_id in gone:
        client.set_tag(run_id, STATE_TAG, KILLED)
        client.set_terminated(run_id, "KILLED")
    return gone


def find_tagged(tracking: Tracking, key: str, value: str) -> str | None:
    """Id of a complete run with this tag."""
    client = tracking.client()
    with tracking.reachable():
        query = f"tags.`{STATE_TAG}` = '{COMPLETE}' and tags.`{key}` = '{value}'"
        found = client.search_runs([tracking.experiment_id(client)], query, max_results=1)
    return found[0].info.run_id if found else None
