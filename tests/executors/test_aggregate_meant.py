"""Which aggregate a rating needs: kind, level and what it rates by."""

from __future__ import annotations

import pytest

from executors.aggregates import aggregates_needed
from executors.context import ExecutorContext


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("топ-5 дебиторов", "ranking/counterparty/receivable"),
        ("кто наши крупнейшие должники", "ranking/counterparty/receivable"),
        ("top debtors", "ranking/counterparty/receivable"),
        ("top 10 creditors", "ranking/counterparty/payable"),
        ("рейтинг дебиторов по риску", "ranking/counterparty/anomaly"),
        ("топ дебиторов по выручке", "ranking/counterparty/revenue"),
        ("рейтинг риск-счетов", "ranking/account/anomaly"),
    ],
)
def test_a_rating_is_by_what_was_named_and_debtors_by_what_they_owe(
    question: str, expected: str, context: ExecutorContext
) -> None:
    assert [expected] == [w.name for w in aggregates_needed(question, context).aggregates]
