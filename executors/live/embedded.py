"""The live system that is there without any configuration: the reference server in this process, over the exports the store was built of."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from executors.live.connect import connect
from executors.live.reference_base import ReferenceBase
from executors.live.reference_server import reference_server
from executors.live.session import McpSession
from executors.live.switchman_adapter import ALLOWED, SwitchmanLive
from stores.location import default_var_path

if TYPE_CHECKING:
    from executors.live.system import LiveSystem
    from stores.reader import StoreReader


def changes_file() -> Path:
    """Where the reference system keeps what was re-posted in it."""
    return default_var_path() / "live" / "changes.jsonl"


def embedded_live(store: StoreReader) -> LiveSystem:
    """The server that $SWITCHMAN_LIVE names, else the reference server in this process. Nothing is read or connected before the first question."""
    named = os.environ.get("SWITCHMAN_LIVE")
    if named:
        return connect(named)
    base = ReferenceBase(Path(store.manifest["report"]["folder"]), changes_file())
    return SwitchmanLive(McpSession(SwitchmanLive.name, lambda: reference_server(base), ALLOWED))
