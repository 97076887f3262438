"""Lists of several runs: by the numbers of their documents as judging orders them by their ids."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield
from cranfield import InputError, UsageError
from cranfield.collection import Policy, Run
from cranfield.collection.policy import TiesPolicy
from cranfield.fusion.lists import ListOrder, UnionLists
from cranfield.io.inputs import NamedRun
from cranfield.io.judging import united
from effort import examples

Rows = list[tuple[str, str, float, int]]

rows = st.lists(
    st.tuples(
        st.sampled_from(["q1", "q2", "q10"]),
        st.sampled_from(["a", "b", "ab", "é"]),
        st.sampled_from([2.0, 1.0, 0.0, -0.0]),
        st.integers(1, 3),
    ),
    min_size=1,
    max_size=12,
    unique_by=lambda row: row[:2],
)


def run(name: str, given_: Rows) -> Run:
    """A run with a rank column, topics in order of first appearance."""
    import pandas as pd

    frame = pd.DataFrame(given_, columns=["qid", "docno", "score", "rank"])
    return Run.from_frame(frame, name=name)


@pytest.mark.slow
@examples(100)
@given(rows, rows, st.sampled_from(["trec", "trec9", "docid", "file"]))
def test_numbers_order_as_ids_do(first: Rows, second: Rows, ties: TiesPolicy) -> None:
    """And what is noticed is the same."""
    runs = [run("first", first), run("second", second)]
    everything, numbers = united(runs)
    order = ListOrder(everything, Policy(ties=ties))
    for one, own in zip(runs, numbers, strict=True):
        found = []
        for put in (order.put, order._judged):
            document, score = np.empty(len(own), dtype=np.int32), np.empty(len(own))
            sizes, facts = put(NamedRun(one.name, one), own, document, score)
            found.append((sizes.tolist(), dict(facts), document.tolist(), score.tolist()))
        assert found[0] == found[1]


def test_a_document_that_occurs_twice_is_refused_or_dropped() -> None:
    twice = run("twice", [("q", "a", 1.0, 2), ("q", "b", 2.0, 1), ("q", "a", 3.0, 3)])
    other = run("other", [("q", "b", 5.0, 1), ("p", "c", 4.0, 1)])
    with pytest.raises(InputError, match="document 'a' occurs twice in topic 'q'"):
        UnionLists.from_runs([("twice", twice), ("other", other)], Policy())
    lists = UnionLists.from_runs([("twice", twice), ("other", other)], Policy(on_duplicate="first"))
    # Documents are numbered by topic: a and b of q, then c of p.
    assert lists.starts.tolist() == [0, 2, 2, 3, 4]
    assert lists.document.tolist() == [0, 1, 1, 2]
    assert lists.score.tolist() == [3.0, 2.0, 5.0, 4.0]
    assert lists.ranks(slice(0, 4)).tolist() == [1, 2, 1, 1]
    assert lists.ranks(slice(2, 4)).tolist() == [1, 1]


@pytest.mark.parametrize("given_", [{"ties": "docid"}, {"reading": cranfield.InputOptions()}], ids=["word", "object"])
def test_lists_that_are_ordered_take_no_policy(given_: dict[str, Any]) -> None:
    lists = UnionLists.read([{"q": {"a": 2.0, "b": 1.0}}, {"q": {"b": 1.0}}], cranfield.InputOptions())
    with pytest.raises(UsageError, match="these lists were ordered by a policy of their own"):
        cranfield.fuse(lists, **given_)


def test_ranks_that_decide_are_looked_at() -> None:
    lists = UnionLists.from_runs(
        [("one", run("one", [("q", "a", 1.0, 2), ("q", "b", 2.0, 3), ("q", "c", 3.0, 1)]))], Policy(ties="rank")
    )
    assert lists.document.tolist() == [2, 0, 1]
    with pytest.raises(InputError, match="rank 2 occurs twice"):
        UnionLists.from_runs([("one", run("one", [("q", "a", 1.0, 2), ("q", "b", 2.0, 2)]))], Policy(ties="rank"))
