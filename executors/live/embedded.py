"""The live system that is there without any configuration: the reference server in this process, over the exports the store was built of."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from stores.location import default_var_path

if TYPE_CHECKING:
    from executors.live.system import LiveSystem
    from stores.reader import StoreReader


def changes_file() -> Path:
    """Where the reference system keeps what was re-posted in it."""
    return default_var_path() / "live" / "changes.jsonl"


def embedded_live(store: StoreReader) -> LiveSystem:
    """The server that $SWITCHMAN_LIVE names, else the reference server in this process. Nothing is imported, read or connected before the first question."""
    named = os.environ.get("SWITCHMAN_LIVE")
    if named:
        return late(named.partition("=")[0], lambda: _configured(named))
    folder = Path(store.manifest["report"]["folder"])
    return late("switchman-live", lambda: _own(folder, changes_file()))


def late(name: str, make: Callable[[], LiveSystem]) -> LiveSystem:
    """A live system that is made when it is first asked."""
    return cast("LiveSystem", _Late(name, make))


class _Late:
    """Stands for a live system; the protocol's library takes a second to import, which questions to the store alone need not pay."""

    def __init__(self, name: str, make: Callable[[], LiveSystem]) -> None:
        self.name = name
        self._make, self._lock = make, threading.Lock()
        self._made: LiveSystem | None = None

    def __getattr__(self, method: str) -> Any:
        with self._lock:
            if self._made is None:
                self._made = self._make()
        return getattr(self._made, method)

    def close(self) -> None:
        if self._made is not None:
            self._made.close()


def _configured(named: str) -> LiveSystem:
    from executors.live.connect import connect

    return connect(named)


def _own(folder: Path, changes: Path) -> LiveSystem:
    from executors.live.reference_base import ReferenceBase
    from executors.live.reference_server import reference_server
    from executors.live.session import McpSession
    from executors.live.switchman_adapter import ALLOWED, SwitchmanLive

    base = ReferenceBase(folder, changes)
    return SwitchmanLive(McpSession(SwitchmanLive.name, lambda: reference_server(base), ALLOWED))
