"""Which process began a run, so that a run whose process is gone can be told from one that still works."""

from __future__ import annotations

import os
import socket
from pathlib import Path


def this_process() -> str:
    """``host:pid:start``; the start time tells a process from a later one that got its number."""
    return f"{socket.gethostname()}:{os.getpid()}:{_started(os.getpid())}"


def is_gone(identity: str) -> bool:
    """Whether the process surely runs no more. One of another machine is given the benefit of the doubt."""
    host, _, rest = identity.partition(":")
    number, _, started = rest.partition(":")
    if host != socket.gethostname() or not number.isdigit():
        return False
    pid = int(number)
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        pass
    return _started(pid) != started


def _started(pid: int) -> str:
    """Start time in clock ticks since boot where the system tells it, else nothing."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text("utf-8")
    except OSError:
        return ""
    return stat.rpartition(")")[2].split()[19]
