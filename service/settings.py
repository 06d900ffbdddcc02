"""Settings of the edge. Inward modules take plain arguments; only `service` reads the environment.

Precedence: command-line option, then environment, then the default here.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from datetime import datetime
from importlib.resources import files
from pathlib import Path

from models.bundle import default_bundle_path, default_intent_bundle_path
from stores.location import default_var_path

SOURCE = Path(__file__).resolve().parent.parent


class SettingError(Exception):
    """A setting of the environment cannot be meant; the message says how to write it."""


def _as_of() -> datetime | None:
    named = os.environ.get("SWITCHMAN_AS_OF")
    if not named:
        return None
    try:
        found = datetime.fromisoformat(named)
    except ValueError as error:
        raise SettingError(f"SWITCHMAN_AS_OF={named}: no moment; write it as 2020-07-01T06:00:00+03:00") from error
    if found.tzinfo is None:
        raise SettingError(f"SWITCHMAN_AS_OF={named}: no offset; write it as 2020-07-01T06:00:00+03:00")
    return found


@dataclass(frozen=True, slots=True)
class Settings:
    """Where things are. ``var`` holds what commands write; SWITCHMAN_VAR, SWITCHMAN_BUNDLE and SWITCHMAN_INTENT_BUNDLE move it and the bundles,
    SWITCHMAN_STORES the stores, SWITCHMAN_SNAPSHOT the folder a refresh reads again; DATABASE_URL names the database of jobs; SWITCHMAN_AS_OF (with an offset) is the moment that stands for now when data is dated.
    """

    bundle: Path = field(default_factory=default_bundle_path)
    intent_bundle: Path = field(default_factory=default_intent_bundle_path)
    var: Path = field(default_factory=default_var_path)
    dataset: Path = SOURCE / "data" / "accounting"
    benchmark: Path = SOURCE / "data" / "benchmark" / "benchmark35.jsonl"
    exam: Path = SOURCE / "data" / "exam"
    intent_dataset: Path = SOURCE / "data" / "code_docs"
    intent_exam: Path = SOURCE / "data" / "exam_intent"
    demo_snapshot: Path = SOURCE / "data" / "snapshot"
    as_of: datetime | None = field(default_factory=_as_of)

    @property
    def stores(self) -> Path:
        """Where store versions are published."""
        named = os.environ.get("SWITCHMAN_STORES")
        return Path(named) if named else self.var / "stores"

    @property
    def snapshot(self) -> Path | None:
        """Folder that a refresh looks at again; None for the one the store was loaded from."""
        named = os.environ.get("SWITCHMAN_SNAPSHOT")
        return Path(named) if named else None

    @property
    def database_url(self) -> str:
        """Database of the durable jobs."""
        return os.environ.get("DATABASE_URL") or f"sqlite:///{(self.var / 'jobs.sqlite').resolve()}"

    @property
    def tracking_uri(self) -> str:
        """Where experiments are logged: SWITCHMAN_TRACKING, else MLFLOW_TRACKING_URI, else a database under ``var``."""
        named = os.environ.get("SWITCHMAN_TRACKING") or os.environ.get("MLFLOW_TRACKING_URI")
        return named or f"sqlite:///{(self.var / 'mlflow' / 'mlflow.db').resolve()}"

    @property
    def workers(self) -> str:
        """Where a sweep's fits run: SWITCHMAN_WORKERS (``local``, ``dask`` or a scheduler's address), else this machine."""
        return os.environ.get("SWITCHMAN_WORKERS") or "local"

    @property
    def experiments(self) -> Path:
        """Where the folders of experiment runs stand."""
        return self.var / "experiments"

    @property
    def held_out(self) -> list[Path]:
        """Files whose questions never train: the benchmark and the exam."""
        return [self.benchmark, *sorted(self.exam.glob("exam*.jsonl"))]


def reference_store() -> bytes:
    """JSON of the reference store state, which stands in where no store metadata is named."""
    return files("data").joinpath("reference_store.json").read_bytes()
