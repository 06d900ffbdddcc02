"""A run on disk, whole without any tracking server: what was trained is never lost because a server was away.

state.json      running, complete, failed or killed; name, kind, notes, who runs it, where it was logged
params.json     names to values          tags.json      git revision, recipe, guards, digests
datasets.json   name, digest, path, use  metrics.json   names to numbers, flat
figures.json    the same figures, nested
bundle/         the trained bundle       artifacts/     decision records, plots, wrong questions
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson

from experiments.errors import ExperimentError, RunIncomplete
from experiments.process_identity import is_gone, this_process

STATE = "state.json"
RUNNING, COMPLETE, FAILED, KILLED = "running", "complete", "failed", "killed"


@dataclass(frozen=True, slots=True)
class RunFolder:
    """One run. Files are written whole, by rename."""

    path: Path

    @classmethod
    def begin(cls, parent: Path, name: str, kind: str, notes: str) -> RunFolder:
        """A new folder under ``parent``, marked as running in this process."""
        stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
        slug = re.sub(r"[^\w.-]+", "-", name).strip("-")[:60]
        folder = cls(parent / f"{stamp}-{slug or kind}")
        folder.path.mkdir(parents=True)
        folder.write(
            STATE,
            {
                "state": RUNNING,
                "name": name,
                "kind": kind,
                "notes": notes,
                "process": this_process(),
                "started": datetime.now(UTC).isoformat(timespec="seconds"),
            },
        )
        return folder

    @classmethod
    def open(cls, path: Path) -> RunFolder:
        """The folder at ``path``. Raises `ExperimentError` where it is no run."""
        folder = cls(path)
        if not (path / STATE).is_file():
            raise ExperimentError(
                f"{path}: no {STATE} here; name the folder of a run, as 'switchman experiment run' printed it"
            )
        return folder

    @property
    def bundle(self) -> Path:
        """Where the bundle of the run stands."""
        return self.path / "bundle"

    @property
    def artifacts(self) -> Path:
        """Where everything else that is worth keeping stands."""
        return self.path / "artifacts"

    def state(self) -> dict[str, Any]:
        """What `STATE` says; a run whose process is gone without finishing is marked as killed first."""
        found: dict[str, Any] = self.read(STATE)
        if found["state"] == RUNNING and is_gone(found["process"]):
            found = {**found, "state": KILLED}
            self.write(STATE, found)
        return found

    def mark(self, **changes: Any) -> None:
        """Change entries of `STATE`."""
        self.write(STATE, {**self.read(STATE), **changes})

    def must_be_complete(self) -> None:
        """Raises `RunIncomplete` unless everything was written."""
        state = self.state()["state"]
        if state != COMPLETE:
            raise RunIncomplete(f"{self.path}: the run is {state}, so nothing of it can be used; run it again")

    def read(self, name: str) -> Any:
        """Content of a JSON file of the run."""
        try:
            return orjson.loads((self.path / name).read_bytes())
        except (OSError, orjson.JSONDecodeError) as error:
            raise ExperimentError(f"{self.path / name}: cannot be read ({error}); run the experiment again") from error

    def write(self, name: str, content: object) -> None:
        """Write a JSON file of the run."""
        building = self.path / f".{name}"
        building.write_bytes(orjson.dumps(content, option=orjson.OPT_INDENT_2))
        building.replace(self.path / name)
