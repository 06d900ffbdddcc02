"""GUIDs as 1C makes them: most carry the moment of creation, some do not."""

from __future__ import annotations

import random
from datetime import datetime, timedelta

_EPOCH = datetime(1582, 10, 15)
_MOSCOW = timedelta(hours=3)
_NODE = "00155d0a7b21"


def guid_at(moment: datetime, rng: random.Random) -> str:
    """GUID of something created at ``moment`` of Moscow time; the clock inside runs in UTC."""
    ticks = int((moment - _MOSCOW - _EPOCH).total_seconds()) * 10_000_000 + rng.randrange(10_000_000)
    h = f"{ticks:015x}"
    return f"{h[7:15]}-{h[3:7]}-1{h[0:3]}-{rng.randrange(0x8000, 0xC000):04x}-{_NODE}"


def guid_without_time(rng: random.Random) -> str:
    """GUID that says nothing of its creation, as an exchange or an import may leave."""
    h = f"{rng.getrandbits(128):032x}"
    return f"{h[:8]}-{h[8:12]}-4{h[13:16]}-a{h[17:20]}-{h[20:]}"
