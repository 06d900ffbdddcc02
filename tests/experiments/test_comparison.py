"""Two versions side by side: what changed, and what is to blame."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from experiments.comparison import Comparison, Side, compare, decide_all
from experiments.comparison_page import comparison_page
from experiments.evaluation import Yardstick
from models.bundle import Bundle
from tests.experiments.conftest import with_threshold

Change = Callable[[Bundle], Bundle]


@pytest.fixture(scope="module")
def before(good: Bundle, yardstick: Yardstick) -> Side:
    return Side("before", good, decide_all(good, yardstick))


def shifted(bundle: Bundle, head: str, by: float) -> Bundle:
    """A bundle whose ``head`` believes more, or less, whatever it reads."""
    bias = bundle.bias.copy()
    bias[len(bundle.heads.classes) + bundle.heads.binary.index(head)] += np.float32(by)
    return replace(bundle, bias=bias, digest="shifted")


def cautious(bundle: Bundle) -> Bundle:
    """The fallback takes over wherever a store route is not all but certain."""
    return replace(bundle, limits={**bundle.limits, "route_probability": 0.999}, digest="cautious")


@pytest.mark.parametrize(
    ("change", "cause", "detail"),
    [
        (lambda b: shifted(b, "needs_exact_object_trace", 6.0), ("flag",), "needs_exact_object_trace"),
        (lambda b: shifted(b, "scope", 8.0), ("flag",), "scope"),
        (
            lambda b: replace(with_threshold(b, needs_exact_object_trace=1.1), digest="t"),
            ("threshold",),
            "threshold of needs_exact_object_trace {before:.2f} -> 1.10",
        ),
        (cautious, ("guard",), "limit of the fallback"),
    ],
    ids=["a head says more", "everything is out of scope", "a threshold is moved", "the fallback is nearer"],
)
def test_the_part_that_was_changed_is_blamed(
    change: Change, cause: tuple[str, ...], detail: str, before: Side, good: Bundle, yardstick: Yardstick
) -> None:
    after = change(good)
    found = compare(before, Side("after", after, decide_all(after, yardstick)), yardstick)
    assert found.changes
    blamed = [c for c in found.changes if c.causes == cause]
    assert len(blamed) == len(found.changes), [c for c in found.changes if c.causes != cause][:3]
    said = detail.format(before=good.thresholds["needs_exact_object_trace"])
    assert all(said in c.detail for c in blamed)


def test_a_store_that_holds_less_is_blamed_with_the_fact(before: Side, good: Bundle, yardstick: Yardstick) -> None:
    store: Any = copy.deepcopy(dict(yardstick.store_metadata))
    store["snapshot"]["complete"] = False
    found = compare(before, Side("after", good, decide_all(good, yardstick, store)), yardstick)
    assert {("store",)} == {c.causes for c in found.changes}
    assert any("now snapshot_incomplete" in c.detail for c in found.changes)


def test_a_record_that_todays_rules_do_not_give_is_blamed_on_the_guards(
    before: Side, good: Bundle, yardstick: Yardstick
) -> None:
    """As after a change of the guards: what was recorded is no longer what the same flags lead to."""
    records = copy.deepcopy(before.records)
    old = records["Q26"]
    old["chosen_route"], old["guard_revision"] = "store_feature_risk", "guards/0"
    found = compare(Side("old", good, records), before, yardstick)
    assert [("Q26", ("guard",), "mended")] == [(c.question_id, c.causes, c.verdict) for c in found.changes]
    assert "guards/0" in found.changes[0].detail


def test_two_changes_that_only_together_reroute_are_both_blamed(
    good: Bundle, yardstick: Yardstick, before: Side
) -> None:
    both = replace(
        with_threshold(shifted(good, "needs_exact_object_trace", 1.5), needs_exact_object_trace=0.3), digest="both"
    )
    found = compare(before, Side("after", both, decide_all(both, yardstick)), yardstick)
    assert {("flag",), ("threshold",), ("flag", "threshold")} >= {c.causes for c in found.changes}
    assert any(c.causes == ("flag", "threshold") for c in found.changes)


@pytest.fixture(scope="module")
def worse(before: Side, good: Bundle, yardstick: Yardstick) -> Comparison:
    bad = replace(with_threshold(good, needs_causal_chain=1.1), digest="bad")
    return compare(before, Side("<b>after</b>", bad, decide_all(bad, yardstick)), yardstick)


def test_figures_count_what_the_records_say(worse: Comparison, before: Side, yardstick: Yardstick) -> None:
    lines = {line.name: line for line in worse.lines}
    right = sum(before.records[e.id]["chosen_route"] == e.route for e in yardstick.exam)
    assert right / len(yardstick.exam) == pytest.approx(lines["route_accuracy"].before)
    accuracy = lines["route_accuracy/cross_entity"]
    assert accuracy.surely
    assert accuracy.after < accuracy.before
    assert accuracy.p is not None
    assert accuracy.p < 0.001
    assert 0 == lines["flag_f1/needs_causal_chain"].after
    assert not lines["flag_f1/needs_ranking"].surely
    mended = sum(c.verdict == "mended" for c in worse.changes if not c.question_id.startswith("Q"))
    broken = sum(c.verdict == "broken" for c in worse.changes if not c.question_id.startswith("Q"))
    assert (
        round((lines["route_accuracy"].after - lines["route_accuracy"].before) * len(yardstick.exam)) == mended - broken
    )


def test_a_version_beside_itself_differs_in_nothing(before: Side, yardstick: Yardstick) -> None:
    found = compare(before, before, yardstick)
    assert [] == found.changes
    assert [] == [x.name for x in found.lines if x.before != x.after and not x.name.startswith("speed")]
    assert found.before != found.after


def test_the_page_needs_nothing_from_elsewhere_and_escapes_texts(worse: Comparison) -> None:
    page = comparison_page(worse)
    outside = re.findall(r"(?:src|href)=\"(?!#|data:)[^\"]*\"|url\((?!#)[^)]*\)|@import", page)
    assert [] == outside
    assert "<script" not in page
    assert "<b>after</b>" not in page
    assert 4 == page.count("<svg")
    assert all(c.question_id in page for c in worse.changes)
