"""Snapshots and stores as commands, with a progress bar."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.console import Console

from service.progress import progress_bar
from service.settings import Settings

_SHARES = {"load": (0.0, 0.45), "features": (0.45, 0.2), "risk": (0.65, 0.3), "aggregates": (0.95, 0.05)}


class SnapshotNotLoaded(Exception):
    """The folder was refused; ``report`` says why, file by file."""

    def __init__(self, report: dict[str, Any]) -> None:
        super().__init__(report["message"])
        self.report = report


def load_and_publish(folder: Path, stores: Path, keep: int, settings: Settings, console: Console) -> dict[str, Any]:
    """Build a version of ``folder`` under ``stores``; gives its manifest with ``path``. Raises `SnapshotNotLoaded`, or `CommandError` with what to do."""
    from service.cli import CommandError

    try:
        from stores.build import build_store
        from stores.errors import SnapshotRefused, StoresError
    except ImportError as error:
        raise _extra_missing(error) from error
    bar = progress_bar(console, 11)
    with bar:
        task = bar.add_task("load", total=1.0)

        def progress(stage: str, share: float) -> None:
            start, width = _SHARES[stage]
            bar.update(task, description=stage, completed=start + width * share)

        try:
            built = build_store(folder, stores, as_of=settings.as_of, keep=keep, progress=progress)
        except SnapshotRefused as refused:
            raise SnapshotNotLoaded({"message": str(refused), **refused.report.to_dict()}) from refused
        except StoresError as error:
            raise CommandError(str(error)) from error
    return {"path": str(built.version.path), **built.manifest}


def status(stores: Path, settings: Settings) -> dict[str, Any]:
    """The current version's manifest with ``metadata`` as of now, ``path``, and ``versions`` kept. Raises `CommandError`."""
    from service.cli import CommandError

    try:
        from stores.errors import StoresError
        from stores.metadata import metadata_of, read_manifest
        from stores.versions import current, published
    except ImportError as error:
        raise _extra_missing(error) from error
    try:
        version = current(stores)
        manifest = read_manifest(version)
    except StoresError as error:
        raise CommandError(str(error)) from error
    return {
        **manifest,
        "metadata": metadata_of(manifest, settings.as_of),
        "path": str(version.path),
        "versions": [v.number for v in published(stores)],
    }


def _extra_missing(error: ImportError) -> Exception:
    from service.cli import CommandError

    return CommandError(f"stores need the extra 'stores' ({error.name} is missing): pip install 'switchman[stores]'")
