"""Where store versions are looked for when no folder is named."""

from __future__ import annotations

import os
from pathlib import Path


def default_stores_path() -> Path:
    """$SWITCHMAN_STORES, else ``stores`` in the folder of what commands write."""
    named = os.environ.get("SWITCHMAN_STORES")
    if named:
        return Path(named)
    return default_var_path() / "stores"


def default_var_path() -> Path:
    """Folder of what commands write: $SWITCHMAN_VAR, else where $SWITCHMAN_BUNDLE stands, else var of the source tree, else the user's data folder."""
    named = os.environ.get("SWITCHMAN_VAR")
    if named:
        return Path(named)
    bundle = os.environ.get("SWITCHMAN_BUNDLE")
    if bundle:
        return Path(bundle).parent
    source = Path(__file__).resolve().parent.parent
    if (source / "pyproject.toml").exists():
        return source / "var"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "switchman"
