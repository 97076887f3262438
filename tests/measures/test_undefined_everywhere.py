"""No list has a value where the judgments are said to give none, so that a list with values spares the search."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from cranfield import Qrels
from cranfield.collection import Policy, Rankings
from cranfield.io.inputs import named_runs
from cranfield.io.judging import build_index, judge_run
from cranfield.measures import registry, values
from cranfield.scoring import score
from cranfield.scoring.remarks import remarks_on_judgments
from cranfield.testing import example

PLAIN = [example(registry[name]) for name in registry if not registry[name].needs_intents]
POLICIES: list[dict[str, Any]] = [{}, {"compat": "trec_eval"}, {"compat": "gdeval"}, {"negative": "keep"}]
OF_JUDGMENTS = ("no-value", "nothing-to-find", "odd-judgments", "other-level")
LABELS = ((0,), (0, 1), (0, 1, 2), (-1, 0, 1), (-2, -1), (1,))


def drawn(chance: random.Random) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, float]]]:
    """Judgments and a run of a few topics, in some of which little is relevant, or nothing is retrieved."""
    qrels: dict[str, dict[str, float]] = {}
    run: dict[str, dict[str, float]] = {"t0": {"d0": 1.0}}
    for topic in ("t0", "t1", "t2", "t3"):
        labels = chance.choice(LABELS)
        qrels[topic] = {f"d{at}": float(chance.choice(labels)) for at in range(chance.randint(1, 5))}
        found = chance.sample([f"d{at}" for at in range(8)], chance.randint(0, 6))
        if found:
            run[topic] = {document: float(chance.randint(0, 4)) for document in found}
    return qrels, run


@pytest.mark.parametrize("words", POLICIES, ids=str)
def test_a_value_in_a_list_means_that_the_judgments_give_one(words: dict[str, Any]) -> None:
    chance, seen = random.Random(7), 0
    policy = Policy(**words)
    for _ in range(25):
        labels, run = drawn(chance)
        qrels = Qrels.from_dict(labels)
        rankings = judge_run(named_runs(run)[0], qrels, build_index(qrels), policy).rankings
        everything = Rankings.of_pool(qrels.pool, policy)
        for measure in PLAIN:
            valued = ~np.isnan(values(measure, rankings))
            without = np.isnan(values(measure, everything))
            assert not (valued & without).any(), (measure, labels, run)
            seen += int(without.sum())
    assert seen > 100


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_what_is_said_of_judgments_does_not_depend_on_the_way_it_is_found() -> None:
    chance, said = random.Random(11), 0
    for _ in range(40):
        labels, run = drawn(chance)
        asked = tuple(chance.sample(PLAIN, 3))
        searched = remarks_on_judgments(labels, Qrels.from_dict(labels), asked, Policy())
        found = [one for one in score(run, labels, asked).remarks if one.code in OF_JUDGMENTS]
        assert [one.text for one in found] == [one.text for one in searched]
        said += len(found)
    assert said > 20
