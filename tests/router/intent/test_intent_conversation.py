"""Section 3: the intent is kept within a topic, and left for a reason."""

from __future__ import annotations

from typing import Any

import pytest

from router.intent import IntentRouter


def modes(router: IntentRouter, *turns: str) -> list[tuple[str, str]]:
    """(mode, intent) of each turn of one conversation."""
    state: dict[str, Any] | None = None
    found = []
    for text in turns:
        decision = router.decide(text, state)
        found.append((decision.output["conversation_mode"], decision.output["intent"]))
        state = decision.next_state
    return found


CODE, DOCS, WRITE, MISC = "CODE_QA", "DOCS_QA", "GENERATE_DOCS_FROM_CODE", "PROJECT_MISC"


@pytest.mark.parametrize("state", [None, {}, {"active_intent": None}, {"active_intent": "unknown"}])
def test_with_no_active_intent_a_conversation_starts(intent_router: IntentRouter, state: Any) -> None:
    found = intent_router.decide("кто вызывает parse_query?", state)
    assert ("START", CODE) == (found.output["conversation_mode"], found.output["intent"])
    assert found.next_state["active_intent"] == CODE


@pytest.mark.parametrize("active", [CODE, DOCS, WRITE])
@pytest.mark.parametrize("text", ["а подробнее?", "and the other one?", "покажи целиком", "а этот?"])
def test_with_an_active_intent_and_no_explicit_signal_the_intent_is_kept_and_the_mode_is_continue(
    intent_router: IntentRouter, active: str, text: str
) -> None:
    decision = intent_router.decide(text, {"active_intent": active})
    assert ("CONTINUE", active) == (decision.output["conversation_mode"], decision.output["intent"])
    assert decision.mode.reason == "kept"


@pytest.mark.parametrize(
    ("active", "text", "intent"),
    [
        (CODE, "теперь про документацию: что там сказано про лимиты?", DOCS),
        (CODE, "switching to the docs: what does the guide say about limits?", DOCS),
        (CODE, "а в документации?", DOCS),
        (DOCS, "а в реализации как?", CODE),
        (DOCS, "and in the code?", CODE),
    ],
)
def test_an_explicit_signal_of_another_domain_or_task_switches(
    intent_router: IntentRouter, active: str, text: str, intent: str
) -> None:
    decision = intent_router.decide(text, {"active_intent": active, "turns": 1})
    assert ("SWITCH", intent) == (decision.output["conversation_mode"], decision.output["intent"])
    assert decision.mode.reason == "explicit_signal"
    assert decision.mode.signals


@pytest.mark.parametrize(
    ("active", "text", "intent"),
    [
        (DOCS, "кто дежурит в субботу?", MISC),
        (CODE, "когда релиз 5.1?", MISC),
        (MISC, "почему Parser.run падает на пустой строке?", CODE),
        (CODE, "who is on call tonight?", MISC),
        (CODE, "напиши README для пакета shop", WRITE),
    ],
)
def test_a_hard_mismatch_with_the_active_intent_switches(
    intent_router: IntentRouter, active: str, text: str, intent: str
) -> None:
    decision = intent_router.decide(text, {"active_intent": active, "turns": 1})
    assert ("SWITCH", intent) == (decision.output["conversation_mode"], decision.output["intent"])
    assert decision.mode.reason == "hard_mismatch"


@pytest.mark.parametrize(
    ("active", "text"),
    [
        (CODE, "другой вопрос: кто вызывает normalize_path?"),
        (CODE, "by the way, where is Retry.backoff defined?"),
        (DOCS, "кстати, а в гайде по деплою что сказано про откат?"),
    ],
)
def test_a_turn_that_only_sounds_like_a_change_continues(intent_router: IntentRouter, active: str, text: str) -> None:
    found = intent_router.decide(text, {"active_intent": active, "turns": 2}).output
    assert ("CONTINUE", active) == (found["conversation_mode"], found["intent"])


@pytest.mark.parametrize("greeting", ["привет", "Спасибо!", "thanks a lot", "hi there", "доброе утро"])
def test_a_pure_greeting_sets_nothing_and_changes_nothing(intent_router: IntentRouter, greeting: str) -> None:
    first = intent_router.decide(greeting)
    assert ("START", MISC, None) == (
        first.output["conversation_mode"],
        first.output["intent"],
        first.next_state["active_intent"],
    )
    kept = intent_router.decide(greeting, {"active_intent": DOCS, "turns": 3})
    assert ("CONTINUE", DOCS, DOCS) == (
        kept.output["conversation_mode"],
        kept.output["intent"],
        kept.next_state["active_intent"],
    )
    assert kept.mode.reason == "greeting"


def test_a_greeting_before_a_question_is_no_pure_one(intent_router: IntentRouter) -> None:
    found = intent_router.decide("привет! где объявлен TokenBucket?")
    assert ("no_active_intent", CODE) == (found.mode.reason, found.output["intent"])


def test_after_a_greeting_a_conversation_still_starts(intent_router: IntentRouter) -> None:
    assert [("START", MISC), ("START", CODE), ("CONTINUE", CODE)] == modes(
        intent_router, "привет", "что делает Foo.bar?", "а подробнее?"
    )


def test_the_mode_depends_only_on_whether_the_intent_changes(intent_router: IntentRouter) -> None:
    state: dict[str, Any] | None = None
    active = None
    for text in (
        "что делает Cart.total?",
        "а в доке?",
        "напиши README для пакета shop",
        "спасибо",
        "кто ревьюит?",
        "а когда?",
    ):
        decision = intent_router.decide(text, state)
        mode, intent = decision.output["conversation_mode"], decision.output["intent"]
        assert mode == ("START" if active is None else "CONTINUE" if intent == active else "SWITCH")
        state, active = decision.next_state, decision.next_state["active_intent"]


def test_the_mode_has_evidence(intent_router: IntentRouter) -> None:
    evidence = intent_router.decide("а в документации?", {"active_intent": CODE}).details["mode_evidence"]
    assert ("SWITCH", "explicit_signal", CODE) == (evidence["mode"], evidence["reason"], evidence["active_intent"])
    assert evidence["kept_probability"] < evidence["limit"] == intent_router.bundle.limits["turn_policy"]["limit"]
    assert evidence["contributions"]


def test_the_limit_decides_whether_an_intent_is_kept(intent_router: IntentRouter) -> None:
    kept = intent_router.decide("а подробнее?", {"active_intent": CODE}).mode
    assert kept.kept_probability is not None and kept.limit is not None
    assert kept.kept_probability >= kept.limit


def test_the_next_state_is_ready_to_be_passed_back_and_remembers_what_was_named(intent_router: IntentRouter) -> None:
    first = intent_router.decide("что делает класс UserService в src/users.py?")
    assert [("KEY_TERM", "класс"), ("SYMBOL", "UserService"), ("FILE_PATH", "src/users.py")] == [
        (a["type"], a["value"]) for a in first.next_state["anchors"]
    ]
    second = intent_router.decide("покажи его целиком", first.next_state)
    earlier = {a["value"]: a for a in second.output["query_plan"]["anchors"]}
    assert {"UserService", "src/users.py", "класс"} == set(earlier)
    for anchor in earlier.values():
        assert ("conversation", {"start": 0, "end": 0}) == (anchor["subtype"], anchor["span"])
    assert ["src/users.py"] == second.output["retrieval_spec"]["filters"]["path_scope"]
    assert "UserService" in second.output["query_plan"]["keyword_hints"]


def test_a_turn_that_names_things_itself_is_not_narrowed_to_earlier_ones(intent_router: IntentRouter) -> None:
    state = intent_router.decide("что делает UserService в src/users.py?").next_state
    found = intent_router.decide("а кто вызывает Mailer.send?", state).output
    assert [] == found["retrieval_spec"]["filters"]["path_scope"]
    assert "UserService" in [a["value"] for a in found["query_plan"]["anchors"]]
    assert "UserService" not in found["query_plan"]["keyword_hints"]


def test_memory_fades_and_is_bounded(intent_router: IntentRouter) -> None:
    state = intent_router.decide("что делает UserService?").next_state
    confidence = []
    for i in range(40):
        decision = intent_router.decide(f"а Thing{i}.run?", state)
        confidence += [a["confidence"] for a in decision.output["query_plan"]["anchors"] if a["value"] == "UserService"]
        state = decision.next_state
    assert confidence == sorted(confidence, reverse=True) and len(set(confidence)) > 1
    assert len(state["anchors"]) == 24
    assert state["turns"] == 41
