"""The embedded way to have aggregates built: a new store version of the same exports, with what was ready and what is wanted. One at a time, in this process."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from executors.context import Refresh
from stores.aggregates import Wanted
from stores.build import build_store
from stores.errors import StoresError

if TYPE_CHECKING:
    from stores.reader import StoreReader


def rebuild_with(store: StoreReader) -> Refresh:
    """A refresh that rebuilds the version a reader has open, from the folder its manifest names."""

    def refresh(wanted: tuple[Wanted, ...]) -> None:
        store.refresh()
        ready = tuple(Wanted(a["kind"], a["level"], a["subject"]) for a in store.manifest["metadata"]["aggregates"])
        missing = tuple(w for w in wanted if w not in ready)
        if not missing:
            return
        folder = Path(store.manifest["report"]["folder"])
        if not folder.is_dir():
            raise StoresError(f"{folder}: the snapshot's folder is gone; load it again: switchman snapshot load DIR")
        build_store(folder, store.version.path.parent, as_of=store.as_of, wanted=(*ready, *missing))

    return refresh
