"""Runs seen through judgments: which rows are kept, and the arithmetic that measures are made of."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

import cranfield
from choices import CHOICES
from cranfield import UsageError
from cranfield.collection import Policy, Rankings
from cranfield.collection.rankings import CACHED
from cranfield.collection.segments import LONG

RUNS = {
    "one": {"1": {"a": 5.0, "u": 4.0, "b": 3.0, "c": 2.0}, "2": {"z": 1.0}},
    "two": {"1": {"v": 2.0, "c": 1.0}},
}
QRELS = {"1": {"a": 2, "b": 0, "c": 1, "d": -1}, "2": {"z": 1, "y": 3}}


@pytest.fixture
def rankings() -> Rankings:
    return cranfield.evaluation.make_rankings(RUNS, QRELS)


def test_judged_documents_in_rank_order(rankings: Rankings) -> None:
    # segments: one/1, one/2, two/1, two/2
    assert rankings.systems == ("one", "two")
    assert rankings.length.tolist() == [4, 1, 2, 0]
    assert rankings.starts.tolist() == [0, 3, 4, 5, 5]
    assert rankings.rank.tolist() == [1, 3, 4, 1, 2]
    assert rankings.grade.tolist() == [2, 0, 1, 1, 1]
    assert rankings.document.tolist() == [0, 1, 2, 5, 2]  # y stands before z
    assert rankings.segment.tolist() == [0, 0, 0, 1, 2]
    assert repr(rankings) == "Rankings(2 systems x 2 topics, 5 judged of 7 retrieved documents, ties='trec')"


def test_segment_arithmetic(rankings: Rankings) -> None:
    assert rankings.n_relevant(1).tolist() == [2, 2, 2, 2]
    assert rankings.retrieved(1).tolist() == [2, 1, 1, 0]
    assert rankings.running_count(rankings.relevant(1)).tolist() == [1, 1, 2, 1, 1]
    assert rankings.sum(rankings.rank.astype(np.float64)).tolist() == [8, 1, 2, 0]
    assert rankings.maximum(rankings.grade).tolist() == [2, 1, 1, 0]
    assert rankings.running_product(np.array([2.0, 3.0, 5.0, 7.0, 11.0])).tolist() == [1, 2, 6, 1, 1]


def test_views(rankings: Rankings) -> None:
    top = rankings.top(3)
    assert (top.length.tolist(), top.rank.tolist()) == ([3, 1, 2, 0], [1, 3, 1, 2])
    assert rankings.top(None) is rankings
    condensed = rankings.condensed
    assert (condensed.length.tolist(), condensed.rank.tolist()) == ([3, 1, 1, 0], [1, 2, 3, 1, 1])
    both = rankings.view(judged_only=True, cutoff=2)
    assert (both.length.tolist(), both.grade.tolist()) == ([2, 1, 1, 0], [2, 0, 1, 1])


def test_one_field_is_replaced_and_nothing_that_was_kept_of_others(rankings: Rankings) -> None:
    assert rankings.top(1).rank.tolist() == [1, 1]
    assert rankings.segment.tolist() == [0, 0, 0, 1, 2]
    renamed = replace(rankings, systems=("uno", "due"))
    assert (renamed.systems, renamed.pool) == (("uno", "due"), rankings.pool)
    assert renamed.rank is rankings.rank
    later = replace(rankings, rank=rankings.rank + 1)
    assert later.top(1).rank.tolist() == []
    moved = replace(rankings, starts=np.array([0, 1, 4, 5, 5]))
    assert moved.segment.tolist() == [0, 1, 1, 1, 2]
    assert not moved.starts.flags.writeable


def test_only_what_reaches_a_label(rankings: Rankings) -> None:
    found = rankings.only(1)
    assert (found.rank.tolist(), found.grade.tolist()) == ([1, 4, 1, 2], [2, 1, 1, 1])
    assert found.position.tolist() == [1, 2, 1, 1], "how many relevant documents stand down to each"
    assert found.length.tolist() == rankings.length.tolist()
    assert rankings.only(0.5) is found, "no label lies between"
    assert rankings.only(-1) is rankings, "all labels reach it"
    assert rankings.only(3.5).starts.tolist() == [0, 0, 0, 0, 0]


def test_arithmetic_down_the_lists(rankings: Rankings) -> None:
    assert rankings.at_rank(lambda rank: 10 * rank).tolist() == [10, 30, 40, 10, 20]
    assert rankings.maximum_from(np.array([1.0, 3.0, 2.0, 7.0, 5.0])).tolist() == [3, 3, 2, 7, 5]
    (block,) = rankings.dense(3)
    np.testing.assert_array_equal(block[1], [[2, np.nan, 0], [1, *[np.nan] * 2], [np.nan, 1, np.nan], [np.nan] * 3])
    (block,) = rankings.dense(2, 10 * rankings.grade, missing=-1)
    assert block[1].tolist() == [[20, -1], [10, -1], [-1, 10], [-1, -1]]


@pytest.mark.parametrize("rows", [2, LONG - 1, LONG, 3 * LONG])
def test_long_lists_and_short_ones_are_run_down_alike(rows: int) -> None:
    """One by one or side by side: row by row, to the bit."""
    rng = np.random.default_rng(rows)
    runs = {
        name: {"1": {f"d{number}": float(number) for number in range(rows - drop)}} for drop, name in enumerate("ab")
    }
    seen = cranfield.evaluation.make_rankings(runs, {"1": {f"d{number}": 1 for number in range(rows)}})
    values = rng.random(len(seen.rank))
    for start, end in itertools.pairwise(seen.starts.tolist()):
        total, product = 0.0, 1.0
        for row in range(start, end):
            assert seen.running_product(values)[row] == product
            total, product = total + values[row], product * values[row]
            assert seen.running_sum(values)[row] == total
            assert seen.maximum_from(values)[row] == values[row:end].max()


def test_what_measures_share_is_made_once_and_kept_for_a_while(rankings: Rankings) -> None:
    made = []

    def make() -> np.ndarray:
        made.append(1)
        return np.zeros(2)

    first = rankings.shared("this", make)
    for number in range(CACHED - 1):
        rankings.shared(number, lambda made=number: made)  # type: ignore[misc]
        assert rankings.shared("this", make) is first
    for number in range(CACHED):
        rankings.shared(("other", number), lambda: 0)
    assert len(made) == 1
    rankings.shared("this", make)
    assert len(made) == 2, "given up for others"
    with pytest.raises(ValueError, match="read-only"):
        first += 1


def test_documents_with_negative_labels_can_be_left_out() -> None:
    seen = cranfield.evaluation.make_rankings({"1": {"d": 3.0, "a": 2.0, "c": 1.0}}, QRELS)
    without = seen.without_negatives
    assert without.rank.tolist() == [2, 3]
    assert without.length.tolist() == [3, 0]
    assert without.pool.size.tolist() == [3, 2]
    assert without.pool.grade[without.document].tolist() == without.grade.tolist() == [2, 1]


def test_judging_orders_lists_by_policy() -> None:
    run = {"1": {"a": 1.0, "b": 1.00000001, "c": 1.0}}
    for ties, documents in {"trec": [1, 2, 0], "trec9": [2, 1, 0], "docid": [1, 0, 2], "file": [0, 1, 2]}.items():
        assert cranfield.evaluation.make_rankings(run, QRELS, ties=ties).document.tolist() == documents, ties  # type: ignore[arg-type]


@pytest.mark.parametrize("option", CHOICES)
def test_a_policy_takes_its_words_only(option: str) -> None:
    for word in CHOICES[option]:
        assert Policy(**{option: word}).as_dict()[option] == word  # type: ignore[arg-type]
    with pytest.raises(UsageError) as refused:
        Policy(**{option: "nonsense"})  # type: ignore[arg-type]
    assert str(refused.value) == f"{option}='nonsense' is not one of {', '.join(CHOICES[option])}"


def test_the_first_word_of_an_option_is_its_default() -> None:
    defaults = {option: words[0] for option, words in CHOICES.items()}
    assert Policy().as_dict() == defaults | {"passages": ""}


def test_a_policy_is_a_value() -> None:
    assert Policy(ties="docid") == Policy(ties="docid")
    assert hash(Policy()) == hash(Policy())
    with pytest.raises(AttributeError):
        Policy().ties = "docid"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("option", "words"),
    {
        "ties": ("trec", "trec9", "docid", "rank", "file", "expected", "bounds"),
        "missing": ("empty", "skip", "error"),
        "unjudged": ("zero", "mean", "condense"),
        "negative": ("zero", "keep"),
        "undefined": ("declared", "keep"),
        "compat": ("none", "trec_eval", "trec_eval9", "ndeval", "gdeval", "ntcireval"),
        "on_duplicate": ("error", "first"),
        "own_document": ("keep", "drop"),
    }.items(),
)
def test_the_words_are_those_of_the_contract(option: str, words: tuple[str, ...]) -> None:
    assert CHOICES[option] == words


@pytest.mark.parametrize("systems", [1, 2])
def test_what_a_measure_is_given_of_a_list_is_its_own(systems: int) -> None:
    """A measure may write into it, for one system as for several, and others see nothing of that."""
    runs = {f"run{number}": {"q": {"d": 1.0}} for number in range(systems)}
    rankings = cranfield.evaluation.make_rankings(runs, {"q": {"d": 1}})
    rankings.n_relevant(1)[:] = 7
    assert rankings.n_relevant(1).tolist() == [1.0] * systems
