"""The HTTP edge: what it answers, what it refuses, and how it says so."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest
from fastapi.testclient import TestClient

from router.question_router import QuestionRouter
from service.capabilities import Capabilities
from service.http import Limits, create_app


class SlowOrQuick:
    """Stands for the answerer: answers with what it was asked, after a while where the text says so."""

    def ask(self, text: str, parsed_intent: object, question_id: object) -> Any:
        if text == "slow":
            time.sleep(1.0)
        return SimpleNamespace(
            to_dict=lambda: {"question": text, "parsed_intent": parsed_intent, "question_id": question_id}
        )


class KnownIntent:
    """Stands for the intent router."""

    bundle = SimpleNamespace(digest="i" * 64)

    def decide(self, text: str, state: object, repo: object) -> Any:
        return SimpleNamespace(output={"intent": "CODE_QA", "raw": text}, details={"state": state, "repo": repo})


@pytest.fixture(scope="module")
def able(router: QuestionRouter) -> Capabilities:
    from service.settings import reference_store

    store = json.loads(reference_store())
    return Capabilities(
        router, lambda: store, "reference store", cast(Any, KnownIntent()), cast(Any, SlowOrQuick()), {}
    )


@pytest.fixture
def client(able: Capabilities) -> Iterator[TestClient]:
    with TestClient(create_app(able, Limits(body=2000, seconds=0.3))) as found:
        yield found


@pytest.mark.parametrize(
    ("text", "route"),
    [
        ("Какие акты подписаны 9 июня?", "store_canonical"),
        ("Which acts were signed on June 9?", "store_canonical"),
        ("Рейтинг кладовщиков по недостачам", "batch_refresh_then_store"),
        ("", "no_route"),
    ],
)
def test_a_question_is_routed_as_by_the_router_itself(
    client: TestClient, able: Capabilities, text: str, route: str
) -> None:
    found = client.post("/v1/route", json={"text": text, "question_id": "T"}).json()
    assert route == found["route"]
    assert able.router.route(text, able.store_metadata(), None, "T").to_dict() == found


def test_intent_and_store_metadata_of_the_caller_count(client: TestClient) -> None:
    pinned = {"objects": [{"kind": "posting", "document_number": "0000-000901"}]}
    assert (
        "live_mcp_drilldown"
        == client.post("/v1/route", json={"text": "Почему здесь такая сумма?", "parsed_intent": pinned}).json()["route"]
    )
    assert (
        "hybrid_store_plus_live"
        == client.post("/v1/route", json={"text": "Остаток по кассе", "store_metadata": {}}).json()["route"]
    )


def test_the_other_endpoints_answer_with_what_they_were_given(client: TestClient) -> None:
    said = client.post("/v1/intent", json={"text": "где класс A", "conversation_state": {"turns": 1}}).json()
    assert {
        "output": {"intent": "CODE_QA", "raw": "где класс A"},
        "details": {"state": {"turns": 1}, "repo": None},
    } == said
    answered = client.post("/v1/ask", json={"text": "Остаток", "question_id": "A1"}).json()
    assert {"question": "Остаток", "parsed_intent": None, "question_id": "A1"} == answered


@pytest.mark.parametrize(
    ("body", "code", "says"),
    [
        (b"{not json", 400, "the body is not JSON"),
        (b"", 422, "Field required"),
        (b"[]", 422, "valid dictionary"),
        (b"{}", 422, "text: Field required"),
        (b'{"text": 5}', 422, "text: Input should be a valid string"),
        ('{"text": "Остаток", "qestion_id": "x"}'.encode(), 422, "qestion_id: Extra inputs"),
        (b'{"text": "x", "parsed_intent": []}', 422, "parsed_intent"),
        (b'{"text": "\\ud800"}', 422, "text: Value error, cannot be written as UTF-8"),
        (b'{"text": "x", "question_id": "\\udfff"}', 422, "question_id"),
        (b'{"text": "' + b"x" * 3000 + b'"}', 413, "larger than 2000 bytes"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("path", ["/v1/route", "/v1/ask"])
def test_a_body_that_cannot_be_used_is_refused_with_its_place(
    client: TestClient, path: str, body: bytes, code: int, says: str
) -> None:
    answer = client.post(path, content=body, headers={"content-type": "application/json"})
    assert code == answer.status_code
    assert says in answer.json()["error"]


def test_a_body_without_a_length_is_bounded_too(client: TestClient) -> None:
    def chunks() -> Iterator[bytes]:
        yield b'{"text": "'
        for _ in range(100):
            yield b"x" * 100
        yield b'"}'

    assert 413 == client.post("/v1/route", content=chunks()).status_code


def test_a_late_answer_is_refused_and_the_next_is_not(client: TestClient) -> None:
    late = client.post("/v1/ask", json={"text": "slow"})
    assert (504, True) == (late.status_code, "0.3 s" in late.json()["error"])
    assert 200 == client.post("/v1/ask", json={"text": "quick"}).status_code


@pytest.mark.parametrize(("path", "field", "key"), [("/v1/intent", "intent", "intent"), ("/v1/ask", "answerer", "ask")])
def test_what_this_process_lacks_is_said_with_the_next_step(
    able: Capabilities, path: str, field: str, key: str
) -> None:
    change: dict[str, Any] = {field: None, "missing": {key: "train one with 'switchman train'"}}
    with TestClient(create_app(replace(able, **change))) as client:
        answer = client.post(path, json={"text": "x"})
        assert (503, "train one with 'switchman train'") == (answer.status_code, answer.json()["error"])
        assert {key: "train one with 'switchman train'"} == client.get("/healthz").json()["missing"]
        assert 200 == client.post("/v1/route", json={"text": "x"}).status_code


@pytest.mark.parametrize(("method", "path", "code"), [("GET", "/v1/route", 405), ("POST", "/v1/nothing", 404)])
def test_a_wrong_path_or_method_is_refused_alike(client: TestClient, method: str, path: str, code: int) -> None:
    answer = client.request(method, path)
    assert code == answer.status_code
    assert answer.json()["error"]


def test_health_names_the_bundle(client: TestClient, able: Capabilities) -> None:
    found = client.get("/healthz").json()
    assert ("ok", able.router.bundle.digest, "reference store") == (
        found["status"],
        found["bundle_digest"],
        found["store"],
    )


def test_the_published_examples_are_answered(client: TestClient) -> None:
    schema = client.get("/openapi.json").json()
    for path in ("/v1/route", "/v1/intent", "/v1/ask"):
        content = schema["paths"][path]["post"]["requestBody"]["content"]["application/json"]
        assert content["examples"]
        for example in content["examples"].values():
            assert 200 == client.post(path, json=example["value"]).status_code
