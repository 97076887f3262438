"""A run cut to some of its topics."""

from __future__ import annotations

import numpy as np
import pytest

from cranfield.collection.run import Run
from cranfield.collection.topics import some_topics

LISTS = {"a": {"x": 3.0, "yy": 2.0}, "b": {"zzz": 1.0}, "c": {f"d{n}": float(n) for n in range(5)}, "d": {"x": 1.0}}


@pytest.mark.parametrize("places", [[], [0], [3], [1, 2], [0, 1, 2, 3], [0, 2], [1, 3], [0, 1, 3]])
@pytest.mark.parametrize("ranked", [False, True])
def test_lists_of_some_topics(places: list[int], ranked: bool) -> None:
    given = Run.from_dict(LISTS, name="mine")
    rank = np.arange(len(given)) if ranked else None
    run = Run("mine", given.topics, given.starts, given.documents, given.score, rank, tag="t", path="p")
    found = some_topics(run, np.array(places, dtype=np.int64))
    names = [run.topics[place] for place in places]
    assert found.to_dict() == {name: LISTS[name] for name in names}
    assert (found.name, found.tag, found.path) == ("mine", "t", "p")
    rows = [row for place in places for row in range(run.starts[place], run.starts[place + 1])]
    assert found.rank is None if rank is None else found.rank is not None and found.rank.tolist() == rows
    assert found.documents.offsets[0] == 0
    assert found.documents.offsets[-1] == len(found.documents.data)
