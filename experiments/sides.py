"""A name, a store state, to one side of a comparison."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from experiments.comparison import Records, Side, decide_all, read_records
from experiments.evaluation import Yardstick
from experiments.run_folder import RunFolder
from experiments.tracking import Tracking
from experiments.versions import find_version


def side_of(
    name: str, tracking: Tracking, cache: Path, yardstick: Yardstick, store_metadata: Mapping[str, Any] | None = None
) -> Side:
    """The version called ``name`` with the records that its run kept: so guards and store of that day can be blamed.

    A bundle folder has no records, and under another ``store_metadata`` they would be others: then every question is asked now. Raises what `find_version` does.
    """
    version = find_version(name, tracking, cache)
    records: Records | None = None
    if store_metadata is None:
        if version.run_id:
            client = tracking.client()
            with tracking.reachable(), tempfile.TemporaryDirectory() as folder:
                records = read_records(Path(client.download_artifacts(version.run_id, "decisions", folder)))
        elif (Path(name) / "state.json").is_file():
            records = read_records(RunFolder(Path(name)).artifacts / "decisions")
    return Side(version.label, version.bundle, records or decide_all(version.bundle, yardstick, store_metadata))
