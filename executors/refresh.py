"""The embedded way to have aggregates built, for callers with no durable jobs: only what is missing, verified and published, in this process.

`orchestration.batch_runtime` does the same in steps that survive a kill; commands and services use that.
"""

from __future__ import annotations

import os
import secrets
from typing import TYPE_CHECKING

from executors.context import Refresh
from stores import refresh as steps
from stores.aggregates import Wanted
from stores.errors import StoresError

if TYPE_CHECKING:
    from stores.reader import StoreReader


def rebuild_with(store: StoreReader) -> Refresh:
    """A refresh of the versions that a reader reads. Raises `StoresError` where what is wanted cannot be built."""

    def refresh(wanted: tuple[Wanted, ...]) -> None:
        order = steps.Order(store.version.path.parent, wanted, as_of=store.as_of)
        plan = steps.look(order)
        if plan.impossible:
            raise StoresError("; ".join(plan.impossible.values()))
        if plan.mode == "nothing":
            return
        job = f"embedded-{os.getpid()}-{secrets.token_hex(4)}"
        try:
            steps.build(order, plan, job)
            steps.verify(order, plan, job)
            steps.publish_built(order, plan, job)
        finally:
            steps.discard(order.root, job)

    return refresh
