"""A refresh: look what is stale or missing, build only that aside, verify it, publish it.

    look     the folder's fingerprint against the store's; which wanted aggregates are not ready    → a plan
    build    into ``root/.staging-<job>``: a whole store, or a copy of the current one with what it lacks
    verify   rows, coverage of the slice, every wanted aggregate with all its rows
    publish  as the next version, unless another version came between

Each may be repeated after a kill: building starts its folder anew, and what a job has published carries the job's name, so that it is found and not published twice.
"""

from stores.refresh.building import build
from stores.refresh.plan import BaseMoved, Order, Plan, SliceMissing, StagingLost, can_be_made, look, staging, wanted_of
from stores.refresh.publishing import discard, publish_built, published_by, sweep_staging
from stores.refresh.verifying import check_slice, covered, verify

__all__ = [
    "BaseMoved", "Order", "Plan", "SliceMissing", "StagingLost", "build", "can_be_made", "check_slice", "covered", "discard", "look", "publish_built", "published_by", "staging",
    "sweep_staging", "verify", "wanted_of",
]  # fmt: skip
