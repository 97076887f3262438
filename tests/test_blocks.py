"""Runs that are scored together have the scores that each has alone."""

from __future__ import annotations

import numpy as np
import pytest

import cranfield
from cranfield import Policy, Reading
from cranfield.io.inputs import named_runs
from cranfield.io.judging import build_index, judge_run
from cranfield.measures import registry
from cranfield.scoring import measures_of, score
from cranfield.scoring.compute import Blocks, cells_of
from every_measure import example

MADE = cranfield.simulation.simulate_runs(systems=5, topics=4, depth=40, seed=3)
ALL = [example(known) for known in registry.values() if not known.needs_intents]


TREC, BY_ID = Policy(), Policy(ties="docid")


@pytest.mark.parametrize(("policy", "rows"), [(TREC, 1 << 16), (TREC, 150), (TREC, 0), (BY_ID, 150)])
def test_no_bit_depends_on_the_block(policy: Policy, rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """All measures of lists that are given to them alone, some at a time, and all at once."""
    monkeypatch.setattr("cranfield.scoring.loop.ROWS", rows)
    reading = Reading.of(None, policy, {})
    found = score(MADE.runs, MADE.qrels, ALL, policy=policy)
    asked, index = measures_of(ALL, reading.rel), build_index(MADE.qrels)
    for number, run in enumerate(named_runs(MADE.runs, reading.names, reading.columns)):
        lists = judge_run(run, MADE.qrels, index, policy).rankings
        alone = cells_of(asked, lists, policy, "none")[0]
        assert alone.tobytes() == np.ascontiguousarray(found.values[:, :, number]).tobytes()


def test_a_block_is_computed_when_it_is_full() -> None:
    reading = Reading.of(None, None, {})
    asked, index = measures_of("AP", reading.rel), build_index(MADE.qrels)
    runs = named_runs(MADE.runs, reading.names, reading.columns)
    lists = [judge_run(run, MADE.qrels, index, reading.policy).rankings for run in runs]
    rows = sum(len(part.length) + len(part.rank) for part in lists[:2])
    filled = Blocks(asked, reading.policy, "none", rows)
    waiting = [filled.add(part) for part in lists[:3]]
    assert [one.cells is not None for one in waiting] == [True, True, False]
    filled.finish()
    assert all(one.cells is not None and one.rankings is None and one.defined_everywhere for one in waiting)
    filled.finish()
    alone = Blocks(asked, reading.policy, "judgments", rows).add(lists[0])
    assert alone.cells is not None and len(alone.cells) == 3
