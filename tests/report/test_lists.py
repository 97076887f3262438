"""The first documents of lists are those of the whole order, whatever ties there are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import effort
from cranfield.collection import Policy, Run
from cranfield.reporting.inputs import DEPTH, select_top_documents
from cranfield.topic_difficulty.list_divergence import top_lists


@pytest.mark.parametrize("ties", ["trec", "trec9", "docid", "file"])
@given(data=st.data())
@effort.examples(15)
def test_they_are_those_of_the_whole_order(ties: str, data: st.DataObject) -> None:
    scores = st.lists(st.sampled_from([0.0, 1.0, 1.0 + 1e-9, 2.0, -1.0, 3e38]), min_size=1, max_size=40)
    found = {topic: data.draw(scores) for topic in ("7", "8", "9")}
    if data.draw(st.booleans(), "in order"):
        found = {topic: sorted(row, reverse=True) for topic, row in found.items()}
    run = Run.from_dict({topic: {f"d{at}": one for at, one in enumerate(row)} for topic, row in found.items()})
    whole = top_lists(run, DEPTH, Policy(ties=ties))  # type: ignore[arg-type]
    expected = {topic: tuple(top.documents) for topic, top in whole.items()}
    assert select_top_documents(run, Policy(ties=ties)) == expected  # type: ignore[arg-type]


def test_ranks_decide_where_they_are_asked_to() -> None:
    scores = np.arange(30, dtype=float)
    run = Run.from_dict({"1": {f"d{at}": one for at, one in enumerate(scores)}})
    ranked = Run(run.name, run.topics, run.starts, run.documents, run.score.copy(), np.arange(1, 31))
    assert select_top_documents(ranked, Policy(ties="rank"))["1"] == tuple(f"d{at}".encode() for at in range(DEPTH))
