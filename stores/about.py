"""What a snapshot says of itself: ``snapshot.json`` in its folder, all of it optional.

{"snapshot_id": "2020-06@1", "period": {"start": "2020-06-01", "end": "2020-06-30"}, "timezone": "Europe/Moscow",
 "as_of": "2020-07-01T06:00:00+03:00", "max_age_hours": 24}
"""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Annotated
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import orjson
from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, ValidationError

NAME = "snapshot.json"


class UnreadableAbout(Exception):
    """``snapshot.json`` cannot be meant."""


def _known_zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValueError(f"unknown time zone {name!r}") from error
    return name


class Period(BaseModel):
    """First and last day, both included."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    start: date
    end: date


class About(BaseModel):
    """Contents of ``snapshot.json``; ``as_of`` stands for now, so that a demo or a test looks at the same moment on any day."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    snapshot_id: str | None = None
    period: Period | None = None
    timezone: Annotated[str, AfterValidator(_known_zone)] = "Europe/Moscow"
    as_of: AwareDatetime | None = None
    max_age_hours: float = 24


def read_about(folder: Path) -> About:
    """Read ``snapshot.json``; its absence is an empty one. Raises `UnreadableAbout`."""
    path = folder / NAME
    if not path.exists():
        return About()
    try:
        about = About.model_validate(orjson.loads(path.read_bytes()))
    except (orjson.JSONDecodeError, OSError) as error:
        raise UnreadableAbout(f"{path}: {error}") from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "the whole"
        raise UnreadableAbout(f"{path}: {where}: {first['msg']}") from error
    if about.period and about.period.end < about.period.start:
        raise UnreadableAbout(f"{path}: period ends {about.period.end} before it starts {about.period.start}")
    return about
