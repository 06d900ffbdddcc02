"""One kept MCP session with bounds: an allow-list, a time a call, a size an answer, and a reconnect when the connection broke.

The protocol's library is asynchronous, executors are not: a thread of its own runs the loop. Repeating a call after a broken connection is harmless because only reading
tools are on the list.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import json
import threading
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import httpx2
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from executors.live.errors import LiveDown, LiveRefused, LiveSlow, LiveTooBig, ToolNotAllowed
from executors.live.plain_text import plain

TIMEOUT: Final = 10.0
FIRST_TIMEOUT: Final = 60.0
"""1C may need over half a minute for the first call after idling."""
MAX_BYTES: Final = 2_000_000
_TIMED_OUT = -32001
_GRACE = 2.0

Target = Any
"""A URL, `StdioServerParameters`, or a server object of this process."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a tool said: a JSON value, or plain text where it is none."""

    value: Any
    is_error: bool


class McpSession:
    """``make_target`` is called anew for each connection. Threads may share a session."""

    def __init__(
        self,
        name: str,
        make_target: Callable[[], Target],
        allowed: frozenset[str],
        *,
        timeout: float = TIMEOUT,
        first_timeout: float = FIRST_TIMEOUT,
        max_bytes: int = MAX_BYTES,
    ) -> None:
        self.name, self._make_target, self._allowed = name, make_target, allowed
        self._timeout, self._first_timeout, self._max_bytes = timeout, first_timeout, max_bytes
        self._lock = threading.Lock()
        self._client: Client | None = None
        self._stop: asyncio.Event | None = None
        self.tools: frozenset[str] = frozenset()
        self._warm = False
        self._overflowed = threading.Event()

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Reply:
        """The tool's answer. Raises a `LiveError`; nothing is sent for a tool that is not allowed."""
        if tool not in self._allowed:
            raise ToolNotAllowed(f"{self.name}: {tool} is not on the read-only list; nothing was sent")
        given = {k: v for k, v in arguments.items() if v is not None}
        for last in (False, True):
            client = self._connected()
            self._overflowed.clear()
            allowed = self._timeout if self._warm else self._first_timeout
            try:
                result = self._run(client.call_tool(tool, given, read_timeout_seconds=allowed), allowed + _GRACE)
            except (TimeoutError, concurrent.futures.TimeoutError) as error:
                self._drop()
                raise LiveSlow(_slow(self.name, tool, allowed)) from error
            except Exception as error:  # a dead connection shows as whatever its transport raises
                if isinstance(error, MCPError) and _is_timeout(error):
                    raise LiveSlow(_slow(self.name, tool, allowed)) from error
                self._drop()
                if self._overflowed.is_set():
                    raise LiveTooBig(_big(self.name, tool, self._max_bytes)) from error
                if last:
                    raise LiveDown(_down(self.name, error)) from error
                continue
            self._warm = True
            return self._reply(tool, result)
        raise AssertionError("unreachable")

    def supports(self, tool: str) -> bool:
        """Whether the server has the tool and does not call it a writing one. Raises `LiveDown`."""
        self._connected()
        return tool in self.tools

    def close(self) -> None:
        """End the session; the next call begins another."""
        self._drop()

    def _reply(self, tool: str, result: Any) -> Reply:
        texts = [c.text for c in result.content or () if getattr(c, "type", "") == "text"]
        text = "\n".join(texts)
        structured = result.structured_content
        if len(text) > self._max_bytes or len(text.encode("utf-8", "replace")) > self._max_bytes:
            self._drop()
            raise LiveTooBig(_big(self.name, tool, self._max_bytes))
        if structured is None:
            try:
                structured = json.loads(text)
            except ValueError:
                return Reply(text, bool(result.is_error))
        elif not texts and len(json.dumps(structured, ensure_ascii=False, default=str)) > self._max_bytes:
            self._drop()
            raise LiveTooBig(_big(self.name, tool, self._max_bytes))
        if isinstance(structured, dict) and set(structured) == {"result"}:
            structured = structured["result"]
        if result.is_error and isinstance(structured, str):
            return Reply(structured, True)
        return Reply(structured, bool(result.is_error))

    def _connected(self) -> Client:
        with self._lock:
            if self._client is not None:
                return self._client
            ready: concurrent.futures.Future[tuple[Client, frozenset[str], asyncio.Event]] = concurrent.futures.Future()
            asyncio.run_coroutine_threadsafe(self._keep(ready), _loop())
            try:
                self._client, self.tools, self._stop = ready.result(self._first_timeout + _GRACE)
            except concurrent.futures.TimeoutError as error:
                raise LiveSlow(_slow(self.name, "connect", self._first_timeout)) from error
            except BaseException as error:
                raise LiveDown(_down(self.name, error)) from error
            return self._client

    async def _keep(self, ready: concurrent.futures.Future[tuple[Client, frozenset[str], asyncio.Event]]) -> None:
        """Hold the connection open in one task, as its cancel scopes demand, until told to stop."""
        stop = asyncio.Event()
        try:
            target = _bounded(self._make_target(), self._max_bytes, self._overflowed)
            async with Client(target, read_timeout_seconds=self._first_timeout) as client:
                listed = await client.list_tools()
                ready.set_result((client, frozenset(t.name for t in listed.tools if _only_reads(t)), stop))
                await stop.wait()
        except BaseException as error:  # an ExceptionGroup on a dead server; whoever waits is told
            if not ready.done():
                ready.set_exception(error)

    def _drop(self) -> None:
        with self._lock:
            stop, self._client, self._stop, self._warm = self._stop, None, None, False
        if stop is not None:
            _loop().call_soon_threadsafe(stop.set)

    def _run(self, work: Coroutine[Any, Any, Any], timeout: float) -> Any:
        future = asyncio.run_coroutine_threadsafe(work, _loop())
        try:
            return future.result(timeout)
        except concurrent.futures.TimeoutError:
            future.cancel()
            raise


def check_reply(name: str, reply: Reply) -> Any:
    """The value of a reply. Raises `LiveRefused` with the server's words, cut and on one line, where it is an error."""
    if reply.is_error:
        words = reply.value if isinstance(reply.value, str) else json.dumps(reply.value, ensure_ascii=False)
        raise LiveRefused(f"{name}: {plain(words)}")
    return reply.value


class _CountedStream(httpx2.AsyncByteStream):
    def __init__(self, stream: Any, most: int, overflowed: threading.Event) -> None:
        self._stream, self._most, self._overflowed = stream, most, overflowed

    async def __aiter__(self) -> Any:
        seen = 0
        async for chunk in self._stream:
            seen += len(chunk)
            if seen > self._most:
                self._overflowed.set()
                raise httpx2.ReadError(f"answer over {self._most} bytes")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


class _CountedTransport(httpx2.AsyncHTTPTransport):
    """Stops reading the answer of a call once it is over the size, so that 50 MB never stand in memory."""

    def __init__(self, most: int, overflowed: threading.Event) -> None:
        super().__init__()
        self._most, self._overflowed = most, overflowed

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        response = await super().handle_async_request(request)
        if request.method == "POST":
            response.stream = _CountedStream(response.stream, self._most, self._overflowed)
        return response


def _bounded(target: Target, most: int, overflowed: threading.Event) -> Target:
    if not isinstance(target, str):
        return target
    timeout = httpx2.Timeout(30.0, read=300.0)
    return streamable_http_client(
        target, http_client=httpx2.AsyncClient(transport=_CountedTransport(2 * most, overflowed), timeout=timeout)
    )


def stdio(command: str, *arguments: str) -> StdioServerParameters:
    """Target that starts a server as a process."""
    return StdioServerParameters(command=command, args=list(arguments))


@lru_cache(maxsize=1)
def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="live-mcp", daemon=True).start()
    return loop


def _only_reads(tool: Any) -> bool:
    """Whether a tool does not say itself that it writes; most servers say nothing, and the allow-list decides."""
    hints = tool.annotations
    return hints is None or (hints.read_only_hint is not False and not hints.destructive_hint)


def _is_timeout(error: MCPError) -> bool:
    return (
        getattr(error, "code", None) == _TIMED_OUT or getattr(getattr(error, "error", None), "code", None) == _TIMED_OUT
    )


def _innermost(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup) and error.exceptions:
        error = error.exceptions[0]
    return error


def _down(name: str, error: BaseException) -> str:
    why = plain(_innermost(error), 160) or type(_innermost(error)).__name__
    return f"{name}: no connection ({why})"


def _slow(name: str, tool: str, seconds: float) -> str:
    return f"{name}: no answer to {tool} within {seconds:g} s"


def _big(name: str, tool: str, most: int) -> str:
    return f"{name}: the answer to {tool} is over {most // 1_000_000 or most / 1_000_000:g} MB and was thrown away"
