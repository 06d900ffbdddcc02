"""A configured live server by one line of text: which adapter, and where the server is.

``http://host:port/mcp`` or ``switchman=http://…`` speaks to the reference server; ``mcp35=command arguments`` and ``odata=command arguments`` start a public server
as a process; each takes a URL as well as a command.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Final

from executors.live.adapter import Adapter
from executors.live.errors import LiveError
from executors.live.session import FIRST_TIMEOUT, MAX_BYTES, TIMEOUT, McpSession, Target, stdio

if TYPE_CHECKING:
    from executors.live.system import LiveSystem


def _adapters() -> dict[str, tuple[type[Adapter], frozenset[str]]]:
    from executors.live.mcp35_adapter import ALLOWED as MCP35_TOOLS
    from executors.live.mcp35_adapter import Mcp35Live
    from executors.live.odata_adapter import ALLOWED as ODATA_TOOLS
    from executors.live.odata_adapter import ODataLive
    from executors.live.switchman_adapter import ALLOWED, SwitchmanLive

    return {
        "switchman": (SwitchmanLive, ALLOWED),
        "mcp35": (Mcp35Live, MCP35_TOOLS),
        "odata": (ODataLive, ODATA_TOOLS),
    }


NAMES: Final = ("switchman", "mcp35", "odata")


def connect(
    configured: str, *, timeout: float = TIMEOUT, first_timeout: float = FIRST_TIMEOUT, max_bytes: int = MAX_BYTES
) -> LiveSystem:
    """Live system of a configuration line. Connects at the first question. Raises `LiveError` for a line that cannot be meant."""
    adapter_name, sign, where = configured.partition("=")
    if not sign or adapter_name not in NAMES:
        adapter_name, where = "switchman", configured
    if not where.strip():
        raise LiveError(
            f"SWITCHMAN_LIVE={configured}: names no server; write http://host:port/mcp or {'|'.join(NAMES)}=URL or command"
        )
    adapter, allowed = _adapters()[adapter_name]
    session = McpSession(adapter.name, lambda: _target(where.strip()), allowed, timeout=timeout, first_timeout=first_timeout, max_bytes=max_bytes)  # fmt: skip
    return adapter(session)


def live_over(adapter_name: str, make_target: object, **bounds: float) -> LiveSystem:
    """An adapter over any target, for servers of this process."""
    adapter, allowed = _adapters()[adapter_name]
    return adapter(McpSession(adapter.name, make_target, allowed, **bounds))  # type: ignore[arg-type]


def _target(where: str) -> Target:
    if where.startswith(("http://", "https://")):
        return where
    command, *arguments = shlex.split(where)
    return stdio(command, *arguments)
