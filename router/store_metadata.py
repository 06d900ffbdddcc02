"""Store metadata from outside, judged before it is used.

Metadata may be missing, broken or contradict itself: `read_metadata` never raises, it says what is wrong and the sufficiency checker then trusts no store.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Annotated, Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import orjson
from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, FiniteFloat, ValidationError

CACHED_VERSIONS = 16


def _known_zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValueError(f"unknown time zone {name!r}") from error
    return name


class _Strict(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class Period(_Strict):
    """First and last day, both included."""

    start: date
    end: date


class Snapshot(_Strict):
    """What was loaded from 1C."""

    snapshot_id: str
    period: Period
    data_as_of: AwareDatetime
    loaded_at: AwareDatetime
    complete: bool
    entity_kinds: frozenset[str]


class StoreState(_Strict):
    """One store, from which snapshot and when it was built."""

    run_id: str
    snapshot_id: str
    built_at: AwareDatetime


class FeatureState(StoreState):
    """Feature store."""

    groupings: frozenset[str]
    time_grains: frozenset[str]


class RiskState(StoreState):
    """Risk store."""

    levels: frozenset[str]


class Stores(_Strict):
    """The three stores."""

    canonical: StoreState
    feature: FeatureState
    risk: RiskState


class AggregateState(_Strict):
    """A ready aggregate: kind × level × subject × period."""

    kind: str
    level: str
    subject: str
    period: Period
    source_run_id: str
    built_at: AwareDatetime


class Explanations(_Strict):
    """Whether the causal links are stored."""

    materialised: bool


class Freshness(_Strict):
    """How old data may be for a question that needs it fresh."""

    max_age_hours: FiniteFloat


class StoreMetadata(_Strict):
    """The structure of ``reference_store.json``."""

    as_of: AwareDatetime
    timezone: Annotated[str, AfterValidator(_known_zone)]
    snapshot: Snapshot
    stores: Stores
    aggregates: tuple[AggregateState, ...]
    explanations: Explanations
    freshness: Freshness

    @property
    def today(self) -> date:
        """Day of ``as_of`` in the store's time zone."""
        return self.as_of.astimezone(ZoneInfo(self.timezone)).date()

    @property
    def covered(self) -> tuple[date, date]:
        """First and last day with data: the snapshot's period, cut where its data ends."""
        data_day = self.snapshot.data_as_of.astimezone(ZoneInfo(self.timezone)).date()
        return self.snapshot.period.start, min(self.snapshot.period.end, data_day)

    @property
    def age(self) -> timedelta:
        """Age of the data at ``as_of``."""
        return self.as_of - self.snapshot.data_as_of


@dataclass(frozen=True, slots=True)
class ReadMetadata:
    """``metadata`` is None where ``problem`` (``metadata_missing``, ``metadata_broken``) makes it unusable; with ``metadata_contradictory`` it is
    there for its dates, but no store is trusted. ``version`` is a digest of what was given.
    """

    metadata: StoreMetadata | None
    problem: str | None
    detail: str
    version: str
    today: date | None = None
    covered: tuple[date, date] | None = None


_cache: dict[bytes, ReadMetadata] = {}


def read_metadata(given: Mapping[str, Any] | None) -> ReadMetadata:
    """Parse and judge metadata. Equal content gives the same object; a caller may change its dict between calls."""
    if given is None:
        return _MISSING
    try:
        key = orjson.dumps(given, option=orjson.OPT_SORT_KEYS)
    except (TypeError, ValueError) as error:
        return ReadMetadata(None, "metadata_broken", f"not JSON: {error}", "unreadable")
    found = _cache.get(key)
    if found is None:
        found = _read(given, hashlib.sha256(key).hexdigest()[:16])
        if len(_cache) >= CACHED_VERSIONS:
            _cache.clear()
        _cache[key] = found
    return found


_MISSING = ReadMetadata(None, "metadata_missing", "no store metadata was given", "missing")


def _read(given: Mapping[str, Any], version: str) -> ReadMetadata:
    if not given:
        return ReadMetadata(None, "metadata_missing", "the store metadata is empty", version)
    try:
        metadata = StoreMetadata.model_validate(given)
        today, covered = metadata.today, metadata.covered
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "the whole"
        return ReadMetadata(None, "metadata_broken", f"{where}: {first['msg']}", version)
    except OverflowError as error:
        return ReadMetadata(None, "metadata_broken", f"a date is out of range: {error}", version)
    contradiction = _contradiction(metadata)
    if contradiction:
        return ReadMetadata(metadata, "metadata_contradictory", contradiction, version, today, covered)
    return ReadMetadata(metadata, None, "", version, today, covered)


def _contradiction(m: StoreMetadata) -> str:
    snapshot = m.snapshot
    if snapshot.period.end < snapshot.period.start:
        return f"snapshot period ends {snapshot.period.end} before it starts {snapshot.period.start}"
    if snapshot.data_as_of > snapshot.loaded_at:
        return (
            f"data as of {snapshot.data_as_of.isoformat()} is later than its load at {snapshot.loaded_at.isoformat()}"
        )
    if snapshot.loaded_at > m.as_of:
        return f"snapshot loaded at {snapshot.loaded_at.isoformat()}, after as_of {m.as_of.isoformat()}"
    stores = {"canonical": m.stores.canonical, "feature": m.stores.feature, "risk": m.stores.risk}
    for name, store in stores.items():
        if store.built_at > m.as_of:
            return f"{name} store built at {store.built_at.isoformat()}, after as_of {m.as_of.isoformat()}"
        if store.snapshot_id == snapshot.snapshot_id and store.built_at < snapshot.loaded_at:
            return f"{name} store built at {store.built_at.isoformat()}, before its snapshot was loaded at {snapshot.loaded_at.isoformat()}"
    if m.freshness.max_age_hours < 0:
        return f"max_age_hours is negative: {m.freshness.max_age_hours}"
    by_run = {store.run_id: (name, store.built_at) for name, store in stores.items()}
    for aggregate in m.aggregates:
        if aggregate.period.end < aggregate.period.start:
            return f"aggregate {aggregate.kind}/{aggregate.level} ends {aggregate.period.end} before it starts"
        if aggregate.built_at > m.as_of:
            return (
                f"aggregate {aggregate.kind}/{aggregate.level} built at {aggregate.built_at.isoformat()}, after as_of"
            )
        source = by_run.get(aggregate.source_run_id)
        if source and aggregate.built_at < source[1]:
            return f"aggregate {aggregate.kind}/{aggregate.level} built at {aggregate.built_at.isoformat()}, before its {source[0]} store"
    return ""
