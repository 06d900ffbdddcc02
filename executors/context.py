"""What executors work with: the store, the live system, the moment that stands for now, and what is already known of the fragment."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from features.analysis import Analyser, Analysis
from features.lemmas import Lemmatiser

if TYPE_CHECKING:
    from executors.live.system import LiveSystem
    from stores.aggregates import Wanted
    from stores.reader import StoreReader

Refresh = Callable[[tuple["Wanted", ...]], None]
"""Builds and publishes what is wanted; what it raises is told to the person who asked."""


@lru_cache(maxsize=1)
def default_analyser() -> Analyser:
    """One analyser a process, with no table of known words: for callers that have no router."""
    return Analyser(Lemmatiser())


@dataclass(frozen=True, slots=True)
class ExecutorContext:
    """``live`` None means no live system is configured, ``refresh`` None that only the batch job may build aggregates.

    ``analysis`` and ``objects`` are what the router already read of this fragment; without them the fragment is read here. ``now`` is a moment with an offset
    that stands for the clock when data is dated.
    """

    store: StoreReader
    live: LiveSystem | None = None
    analyser: Analyser = field(default_factory=default_analyser)
    now: datetime | None = None
    analysis: Analysis | None = None
    objects: tuple[Mapping[str, Any], ...] = ()
    refresh: Refresh | None = None

    def metadata(self) -> dict[str, Any]:
        """Metadata of the open store version as of ``now``."""
        return self.store.metadata(self.now)

    def covered(self) -> tuple[date, date]:
        """First and last day with data."""
        snapshot = self.metadata()["snapshot"]
        zone = ZoneInfo(self.metadata()["timezone"])
        last = datetime.fromisoformat(snapshot["data_as_of"]).astimezone(zone).date()
        start, end = (date.fromisoformat(snapshot["period"][k]) for k in ("start", "end"))
        return start, max(start, min(end, last))

    def today(self) -> date:
        """Day of the moment that stands for now."""
        return datetime.fromisoformat(self.metadata()["as_of"]).date()


_lock = threading.Lock()
_default: list[ExecutorContext] = []


def default_context() -> ExecutorContext:
    """The configured store and the embedded live server, opened once a process. Raises `stores.errors.StoresError`."""
    from executors.live.embedded import embedded_live
    from executors.refresh import rebuild_with
    from stores.location import default_stores_path
    from stores.reader import StoreReader

    with _lock:
        if not _default:
            store = StoreReader(default_stores_path())
            _default.append(ExecutorContext(store, embedded_live(store), refresh=rebuild_with(store)))
        _default[0].store.refresh()
        return _default[0]


def close_default_context() -> None:
    """Let the default store and live server go; the next call opens them again."""
    with _lock:
        while _default:
            context = _default.pop()
            context.store.close()
            if context.live is not None:
                context.live.close()
