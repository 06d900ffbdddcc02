"""Requests a second of POST /v1/route through a real server, several connections at once.

    .venv/bin/python benchmarks/experiments/serving.py [--requests 2000] [--connections 8]

Starts `switchman serve` on a free port, asks exam-like questions, prints rate and latencies; the client shares the machine.
"""

from __future__ import annotations

import argparse
import asyncio
import socket
import statistics
import subprocess
import sys
import time
from pathlib import Path

import httpx

from service.settings import Settings
from training.dataset import read_dataset


async def ask(base: str, texts: list[str], connections: int) -> list[float]:
    """Seconds of each request."""
    times: list[float] = []
    waiting = asyncio.Queue[str]()
    for text in texts:
        waiting.put_nowait(text)

    async def one() -> None:
        async with httpx.AsyncClient(base_url=base) as client:
            while not waiting.empty():
                text = waiting.get_nowait()
                started = time.perf_counter()
                answer = await client.post("/v1/route", json={"text": text})
                answer.raise_for_status()
                times.append(time.perf_counter() - started)

    await asyncio.gather(*(one() for _ in range(connections)))
    return times


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=2000)
    parser.add_argument("--connections", type=int, default=8)
    given = parser.parse_args()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    base = f"http://127.0.0.1:{port}"
    server = subprocess.Popen(
        [str(Path(sys.executable).with_name("switchman")), "serve", "--port", str(port)], stderr=subprocess.DEVNULL
    )
    try:
        for _ in range(120):
            try:
                httpx.get(f"{base}/healthz").raise_for_status()
                break
            except httpx.HTTPError:
                time.sleep(0.5)
        texts = [e.text for e in read_dataset(Settings().dataset)][: given.requests]
        started = time.perf_counter()
        times = asyncio.run(ask(base, texts, given.connections))
        wall = time.perf_counter() - started
        tail = statistics.quantiles(times, n=100)[98]
        print(
            f"{len(times)} requests, {given.connections} connections: {len(times) / wall:.0f} a second, p50 {statistics.median(times) * 1000:.1f} ms, p99 {tail * 1000:.1f} ms"
        )
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
