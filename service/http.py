"""The HTTP edge: routes and intents inline in the event loop, answers on a few threads, bodies and times bounded.

Every refusal is ``{"error": …}`` with what to do next: 400 for a body that is no JSON, 408 for one that does not arrive, 413 for one too large, 422 for a field,
503 for what this process lacks, 504 for an answer that took too long.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import orjson
from fastapi import Body, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, Field, field_validator
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.capabilities import Capabilities

_ANSWERS_AT_ONCE = 4


@dataclass(frozen=True, slots=True)
class Limits:
    """Bytes of a body; seconds for one answer, and for a body to arrive."""

    body: int = 1 << 20
    seconds: float = 30.0


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid")

    @field_validator("*")
    @classmethod
    def _can_be_answered(cls, value: object) -> object:
        """Half a surrogate pair is valid in JSON's escapes, but no UTF-8 answer can carry it back."""
        try:
            orjson.dumps(value)
        except orjson.JSONEncodeError as error:
            raise ValueError(f"cannot be written as UTF-8 JSON: {error}") from error
        return value


class RouteBody(_Body):
    """A question to route."""

    text: str = Field(
        description="The question, in Russian or English. 4,000 code points are read; the record says when more was left."
    )
    question_id: str | None = Field(
        None, max_length=200, description="Comes back in the decision; by default the decision's own id."
    )
    parsed_intent: dict[str, Any] | None = Field(
        None, description="What a parser knows: parsed_class with confidence, period, objects, entity_kinds."
    )
    store_metadata: dict[str, Any] | None = Field(
        None, description="What the stores hold. By default what this server's stores hold now."
    )


class IntentBody(_Body):
    """A developer's query with its conversation."""

    text: str = Field(description="The query, in Russian or English.")
    conversation_state: dict[str, Any] | None = Field(None, description="details.next_state of the turn before.")
    repo_context: dict[str, Any] | None = Field(None, description="languages, structure, available_layers.")


class AskBody(_Body):
    """A question to answer from the stores and the live system."""

    text: str = Field(description="The question; it may ask several things.")
    question_id: str | None = Field(None, max_length=200)
    parsed_intent: dict[str, Any] | None = None


_ROUTE_EXAMPLES: Any = {
    "fact": {"summary": "A plain fact", "value": {"text": "Остаток по кассе на 12 июня"}},
    "object": {"summary": "One document, known to the caller", "value": {"text": "Почему здесь такая сумма?", "question_id": "T-17", "parsed_intent": {"objects": [{"kind": "document", "document_number": "0000-000123"}]}}},
    "english": {"summary": "A ranking", "value": {"text": "Top suppliers by purchase amount in June"}},
}  # fmt: skip
_INTENT_EXAMPLES: Any = {
    "first": {"summary": "A first turn", "value": {"text": "где реализован класс UserService?", "repo_context": {"languages": ["python"]}}},
    "next": {"summary": "A following turn", "value": {"text": "and in the docs?", "conversation_state": {"active_intent": "CODE_QA", "turns": 1, "anchors": []}}},
}  # fmt: skip
_ASK_EXAMPLES: Any = {
    "two": {
        "summary": "Two asks at once",
        "value": {"text": "Остаток по счёту 51 на 30.06.2020 и топ контрагентов по риску"},
    }
}


def _refusals(*codes: int) -> dict[int | str, dict[str, Any]]:
    said = {
        400: "not JSON",
        408: "the body did not arrive in time",
        413: "the body is too large",
        422: "a field is missing, unknown or of the wrong form",
        503: "this process lacks what it takes; the message says what to do",
        504: "the answer took too long",
    }
    example = {"application/json": {"example": {"error": "text: Field required", "see": "/docs"}}}
    return {code: {"description": said[code], "content": example} for code in codes}


def create_app(able: Capabilities, limits: Limits | None = None) -> FastAPI:
    """The application over what this process can answer."""
    bounds = limits or Limits()
    pool = ThreadPoolExecutor(_ANSWERS_AT_ONCE, "ask")

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        pool.shutdown(wait=False, cancel_futures=True)

    app = FastAPI(
        title="Switchman",
        version="1",
        description="Routes questions with calibrated flags, explicit guards and a decision log; answers them from stores and the live system.",
        lifespan=lifespan,
    )
    app.add_middleware(BoundedBody, limits=bounds)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _refused)

    @app.get("/healthz", summary="Whether this process can answer, and with which bundle")
    async def healthz() -> Response:
        return _json(
            {
                "status": "ok",
                "bundle_digest": able.router.bundle.digest,
                "intent_bundle_digest": able.intent.bundle.digest if able.intent else None,
                "store": able.store_source,
                "missing": able.missing,
            }
        )

    @app.post("/v1/route", summary="Route one question", responses=_refusals(400, 408, 413, 422))
    async def route(body: RouteBody = Body(openapi_examples=_ROUTE_EXAMPLES)) -> Response:  # noqa: B008  # FastAPI's way to declare
        metadata = body.store_metadata if body.store_metadata is not None else able.store_metadata()
        return _json(able.router.route(body.text, metadata, body.parsed_intent, body.question_id).to_dict())

    @app.post(
        "/v1/intent", summary="Route a developer's query over CODE + DOCS", responses=_refusals(400, 408, 413, 422, 503)
    )
    async def intent(body: IntentBody = Body(openapi_examples=_INTENT_EXAMPLES)) -> Response:  # noqa: B008  # FastAPI's way to declare
        if able.intent is None:
            raise HTTPException(503, able.missing["intent"])
        decision = able.intent.decide(body.text, body.conversation_state, body.repo_context)
        return _json({"output": decision.output, "details": decision.details})

    @app.post(
        "/v1/ask",
        summary="Answer a question from stores and live system",
        responses=_refusals(400, 408, 413, 422, 503, 504),
    )
    async def ask(body: AskBody = Body(openapi_examples=_ASK_EXAMPLES)) -> Response:  # noqa: B008  # FastAPI's way to declare
        if able.answerer is None:
            raise HTTPException(503, able.missing["ask"])
        work = partial(able.answerer.ask, body.text, body.parsed_intent, body.question_id)
        answer = await _in_time(pool, work, bounds.seconds)
        return _json(answer.to_dict())

    return app


async def _in_time(pool: ThreadPoolExecutor, work: Callable[[], Any], seconds: float) -> Any:
    """Result of ``work`` on a thread. One that is late goes on there, where its own bounds end it; the caller is told at once."""
    try:
        return await asyncio.wait_for(asyncio.get_running_loop().run_in_executor(pool, work), seconds)
    except TimeoutError as error:
        raise HTTPException(504, f"no answer in {seconds:g} s; ask for less, or raise --seconds") from error


def _json(value: object, status: int = 200) -> Response:
    return Response(orjson.dumps(value, default=str), status, media_type="application/json")


async def _invalid(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101  # registered for this alone
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        return _json(
            {"error": f"the body is not JSON: {first['ctx']['error']} at character {first['loc'][-1]}", "see": "/docs"},
            400,
        )
    place = ".".join(str(part) for part in first["loc"] if part != "body") or "body"
    return _json({"error": f"{place}: {first['msg']}", "see": "/docs"}, 422)


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101  # registered for this alone
    return _json({"error": str(error.detail), "see": "/docs"}, error.status_code)


class BoundedBody:
    """Reads a body whole before the application sees it: 413 beyond the limit, however it is sent, 408 when it does not come."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self._app, self._limits = app, limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        if scope["type"] != "http" or scope["method"] not in ("POST", "PUT", "PATCH"):
            await self._app(scope, receive, send)
            return
        length = dict(scope["headers"]).get(b"content-length", b"0")
        if length.isdigit() and int(length) > self._limits.body:
            await self._too_large(scope, receive, send)
            return
        parts: list[bytes] = []
        try:
            async with asyncio.timeout(self._limits.seconds):
                more, size = True, 0
                while more:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        return
                    parts.append(message.get("body", b""))
                    size += len(parts[-1])
                    more = message.get("more_body", False)
                    if size > self._limits.body:
                        await self._too_large(scope, receive, send)
                        return
        except TimeoutError:
            await _json({"error": f"the body did not arrive in {self._limits.seconds:g} s"}, 408)(scope, receive, send)
            return
        whole: Message = {"type": "http.request", "body": b"".join(parts), "more_body": False}
        waiting = [whole]

        async def replayed() -> Message:
            return waiting.pop() if waiting else await receive()

        await self._app(scope, replayed, send)

    async def _too_large(self, scope: Scope, receive: Receive, send: Send) -> None:
        said = f"the body is larger than {self._limits.body} bytes; send less, or raise --max-body"
        await _json({"error": said, "see": "/docs"}, 413)(scope, receive, send)
