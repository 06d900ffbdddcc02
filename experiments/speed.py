"""CPU time of one decision, several routers asked in turn: neither other work on the machine nor its drift favours one of them."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from models.bundle import Bundle
from router.question_router import QuestionRouter


def decision_times(
    bundles: Sequence[Bundle], texts: Sequence[str], store_metadata: Mapping[str, Any], rounds: int = 3
) -> list[dict[str, float]]:
    """CPU microseconds a decision, ``p50_us`` and ``p99_us``, of each bundle over ``rounds`` passes.

    Each pass takes routers whose caches are empty: repeating one question would measure the caches. Who is asked first changes with every question, since words
    that no bundle knows are remembered by the process.
    """
    times: list[list[float]] = [[] for _ in bundles]
    for _ in range(rounds):
        pairs = list(zip([QuestionRouter(b) for b in bundles], times, strict=True))
        for text in texts:
            for router, found in pairs:
                started = time.thread_time()
                router.route(text, store_metadata)
                found.append(time.thread_time() - started)
            pairs.reverse()
    return [{"p50_us": _micro(t, 50), "p99_us": _micro(t, 99)} for t in times]


def _micro(seconds: Sequence[float], percentile: float) -> float:
    return round(float(np.percentile(seconds, percentile)) * 1e6, 1)
