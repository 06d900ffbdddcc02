"""What says nearly the same never stands on both sides of a fold, and authors stay whole."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from training.dataset import Example
from training.folds import author_folds, components

Pairs = Sequence[tuple[int, int]]


def question(author: str, group: str | None = None) -> Example:
    return Example(
        id="q", text="?", question_class="simple_factual", flags=(), route="store_canonical", author=author, group=group
    )


def by(*authors: str) -> list[Example]:
    return [question(author) for author in authors]


def grouped(*groups: str | None) -> list[Example]:
    return [question("a", group) for group in groups]


@pytest.mark.parametrize(
    ("groups", "alike", "expected"),
    [
        ((None, None, None), [], [0, 1, 2]),
        (("g", None, "g"), [], [0, 1, 0]),
        (("g", "h", "g", "h"), [], [0, 1, 0, 1]),
        ((None, None, None), [(0, 2)], [0, 1, 0]),
        ((None, None, None), [(2, 0)], [0, 1, 0]),
        ((None, None, None, None), [(2, 3), (1, 2)], [0, 1, 1, 1]),
        (("g", None, "g", None), [(2, 3)], [0, 1, 0, 0]),
        (("g", "h", "g", "h"), [(2, 3)], [0, 0, 0, 0]),
        ((None, "g", "g"), [(0, 2)], [0, 0, 0]),
    ],
    ids=["alone", "a group", "two groups", "a pair", "a pair turned", "a chain", "a pair widens a group", "a pair joins groups", "a pair reaches back"],
)  # fmt: skip
def test_a_component_is_what_groups_and_pairs_link_and_its_number_is_its_first_question(
    groups: Sequence[str | None], alike: Pairs, expected: list[int]
) -> None:
    assert expected == components(grouped(*groups), alike)


def test_authors_are_dealt_out_whole_in_the_order_of_their_names() -> None:
    examples = by(*"eddaaccbabaabcdb")
    fold_of = {"a": 0, "b": 1, "c": 0, "d": 1, "e": 0}
    assert [fold_of[e.author] for e in examples] == author_folds(examples, [], 2).tolist()


def test_a_new_author_moves_no_other() -> None:
    """So figures before and after more data compare the same folds."""
    assert author_folds(by(*"aabbcc"), [], 2).tolist() == author_folds(by(*"aabbcc", *"ddddddd"), [], 2).tolist()[:6]


def test_a_component_of_two_authors_goes_whole_to_the_fold_of_its_first_question() -> None:
    """Author a has fold 0, author b fold 1; the last question of b says what the first of a does."""
    examples = by("a", "a", "a", "b", "b")
    assert [0, 0, 0, 1, 1] == author_folds(examples, [], 2).tolist()
    assert [0, 0, 0, 1, 0] == author_folds(examples, [(0, 4)], 2).tolist()


def test_with_fewer_authors_than_folds_components_are_dealt_out() -> None:
    """A group of three to fold 0, a pair to fold 1, single ones to folds 2, 2 and 1."""
    examples = [*grouped("g", None, "g", None), *grouped("g", None, None, None)]
    assert [0, 1, 0, 1, 0, 2, 2, 1] == author_folds(examples, [(1, 3)], 3).tolist()


LINKED = st.integers(1, 30).flatmap(
    lambda size: st.tuples(
        st.lists(
            st.builds(question, st.sampled_from("abcdefg"), st.sampled_from([None, "g", "h", "i"])),
            min_size=size,
            max_size=size,
        ),
        st.lists(st.tuples(st.integers(0, size - 1), st.integers(0, size - 1)), max_size=8),
        st.integers(2, 5),
    )
)


@settings(max_examples=300, derandomize=True, database=None, deadline=None)
@given(LINKED)
def test_groups_and_alike_pairs_never_straddle_a_fold(drawn: tuple[list[Example], Pairs, int]) -> None:
    examples, alike, count = drawn
    folds = author_folds(examples, alike, count).tolist()
    fold_of_group: dict[str, int] = {}
    for example, fold in zip(examples, folds, strict=True):
        if example.group:
            assert fold == fold_of_group.setdefault(example.group, fold)
    assert all(folds[a] == folds[b] for a, b in alike)
    assert all(0 <= fold < count for fold in folds)


@settings(max_examples=200, derandomize=True, database=None, deadline=None)
@given(st.lists(st.sampled_from("abcdefg"), min_size=1, max_size=40), st.integers(1, 7))
def test_authors_stay_whole_where_no_question_of_theirs_is_linked_to_another_author(
    authors: list[str], count: int
) -> None:
    """And every fold has someone."""
    count = min(count, len(set(authors)))
    examples = [question(author, f"group of {author}" if i % 3 == 0 else None) for i, author in enumerate(authors)]
    folds = author_folds(examples, [], count).tolist()
    fold_of: dict[str, int] = {}
    assert all(fold == fold_of.setdefault(author, fold) for author, fold in zip(authors, folds, strict=True))
    assert set(range(count)) == set(folds)
