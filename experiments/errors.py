"""What can go wrong with experiments; each message names the place and the next step.

`ExperimentError` ← `TrackingUnavailable`, `RunIncomplete`, `VersionUnknown`
"""

from __future__ import annotations


class ExperimentError(Exception):
    """An experiment, a version or a log cannot be used."""


class TrackingUnavailable(ExperimentError):
    """The tracking server does not answer, or is no tracking server."""


class RunIncomplete(ExperimentError):
    """A run was killed or failed midway: none of its parts may be used."""


class VersionUnknown(ExperimentError):
    """Nothing goes by this name: neither a run, an alias, nor a bundle."""
