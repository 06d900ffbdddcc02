"""What can go wrong with snapshots and stores.

StoresError
├── SnapshotRefused   a folder of exports that must not become a store; carries the report
├── NoStore           nothing is published where a reader looks
└── BuildFailed       a build that must not be published
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stores.report import LoadReport


class StoresError(Exception):
    """Says where and what to do next."""


class SnapshotRefused(StoresError):
    """The load is all or nothing; ``report`` names every refused file and record."""

    def __init__(self, message: str, report: LoadReport) -> None:
        super().__init__(message)
        self.report = report


class NoStore(StoresError):
    """No version is published."""


class BuildFailed(StoresError):
    """What was built is not whole."""


class StoreBusy(StoresError):
    """Another process is publishing."""
