"""What each document adds to its list: it adds up, of every measure that is declared so and of no other."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from problems import Problem, one_of_each, problems

import cranfield
from cranfield import AP, P, Qrels, Run, nDCG
from cranfield.collection import Rankings
from cranfield.errors import MeasureError
from cranfield.evaluation import make_rankings
from cranfield.measures import Measure, aliases, interval, is_additive, measure, registry, shares, values
from cranfield.testing import example
from effort import examples

ADDITIVE = [name for name, declaration in registry.items() if declaration.additive]
CONSTANT = {"NumRel", "NumQ"}
"""They look at no list."""
WITHOUT_NAVIGATION = {"DIN-nDCG", "DIN-P", "DIN-RBP"}
"""Additive where no intent is navigational, as here."""
FULLY_SAMPLED = {"infNDCG"}
"""Additive where every document of the pool was sampled, as here."""


def test_shares_by_hand() -> None:
    """DCG of labels 2 and 1 at ranks 1 and 3 is 2 / log2(2) + 1 / log2(4)."""
    rankings = make_rankings({"q": {"a": 3.0, "x": 2.0, "b": 1.0}}, {"q": {"a": 2, "b": 1, "c": 1}})
    assert shares(cranfield.DCG, rankings).tolist() == [2.0, 0.5]
    assert shares(P @ 2, rankings).tolist() == [0.5, 0.0]
    best = 2 + 1 / np.log2(3) + 1 / 2
    np.testing.assert_allclose(shares(nDCG, rankings), [2 / best, 0.5 / best], rtol=1e-15)


@examples(20)
@given(problems(max_runs=2), one_of_each(ADDITIVE))
def test_shares_add_up_to_the_difference(problem: Problem, measures: tuple[Measure, ...]) -> None:
    seen = {
        True: make_rankings(problem.runs, Qrels.from_dict(problem.judgments, by_intent=True)),
        False: make_rankings(problem.runs, problem.qrels),
    }
    for one in filter(is_additive, measures):
        rankings = seen[one.declaration.needs_intents]
        try:
            value = values(one, rankings).reshape(len(problem.runs), -1)
        except MeasureError:
            continue  # a scale of labels that does not fit the judgments
        added = rankings.sum(shares(one, rankings)).reshape(value.shape)
        gap = np.abs((value - value[0]) - (added - added[0]))
        assert np.nanmax(gap / np.maximum(1, np.abs(value)), initial=0) < 1e-12, one


def test_no_other_measure_is_additive() -> None:
    """Of each, some list of a few random ones is not the sum of its documents."""
    found = {name for name in registry if _seems_additive(example(registry[name]))}
    assert found == {*ADDITIVE, *CONSTANT, *WITHOUT_NAVIGATION, *FULLY_SAMPLED}


def _seems_additive(one: Measure) -> bool:
    """Whether the difference of two lists is the sum of what their documents add."""
    for trial in range(3):
        rankings, row, sign = random_lists(trial, one.declaration.needs_intents)
        value = np.nan_to_num(values(one, rankings)).reshape(-1, len(TOPICS))
        added = np.zeros((2, len(TOPICS)))
        np.add.at(added, row, sign * value[2:][np.arange(len(sign)), row[1]])
        if not np.allclose(value[1] - value[0], added[1] - added[0], atol=1e-12):
            return False
    return True


TOPICS = ("a", "b")


@cache
def random_lists(trial: int, by_intent: bool) -> tuple[Rankings, tuple[np.ndarray, np.ndarray], np.ndarray]:
    """Two systems; then the same lists with all documents but one, and with all, exchanged for unjudged ones.

    Of the latter, in pairs: the (system, topic) that each is made of, and 1 or -1.
    """
    random = np.random.default_rng(trial)
    names = [f"d{number}" for number in range(16)]
    labels = {
        topic: {
            intent: {name: int(random.integers(0, 4)) for name in names if random.random() < 0.6} for intent in "12"
        }
        for topic in TOPICS
    }
    qrels = Qrels.from_dict(labels if by_intent else {t: row["1"] for t, row in labels.items()}, by_intent=by_intent)
    lists = [{topic: list(random.permutation(names)[:depth]) for topic in TOPICS} for depth in (6, 9)]
    made, of, sign = list(lists), [], []
    for system, row in enumerate(lists):
        for number, topic in enumerate(TOPICS):
            for chosen in row[topic]:
                for kept in (chosen, ""):
                    made.append({**row, topic: [name if name == kept else f"x-{name}" for name in row[topic]]})
                    of.append((system, number))
                    sign.append(1 if kept else -1)
    rankings = make_rankings({f"s{number}": Run.from_lists(row) for number, row in enumerate(made)}, qrels)
    systems, topics = zip(*of, strict=True)
    return rankings, (np.array(systems), np.array(topics)), np.array(sign)


def test_what_is_not_additive_is_refused() -> None:
    rankings = make_rankings({"q": {"a": 3.0, "b": 1.0}}, {"q": {"a": 2, "b": 1}})
    assert is_additive(nDCG @ 10)
    assert not is_additive(nDCG(judged_only=True))
    for one in (AP, nDCG(judged_only=True)):
        with pytest.raises(MeasureError, match=r"is not a sum of what each document adds at its rank$"):
            shares(one, rankings)


def test_a_wrong_declaration_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    for names in (registry, aliases):
        monkeypatch.setattr(names, "loaded", dict(names.loaded))

    @measure("Product", reference="none", additive=True, range=(0, np.inf))
    def product(rankings: Rankings) -> np.ndarray:
        """Square of the number of judged documents."""
        return np.square(np.diff(rankings.starts).astype(np.float64))

    rankings = make_rankings({"q": {"a": 3.0, "b": 1.0}}, {"q": {"a": 2, "b": 1}})
    with pytest.raises(MeasureError, match="Product is declared additive, and its documents do not add up to it"):
        shares(product, rankings)


@pytest.mark.parametrize("name", ["nDCG@4", "AP", "P@3", "RBP", "RBP(rel=1)@4", "CWL_RBP", "AP(denominator='min')@4"])
def test_intervals_of_some_documents(name: str) -> None:
    """All labellings of the documents that may be judged, tried one by one."""
    one = cranfield.parse_measure(name)
    run = {"q": {"x": 6.0, "a": 5.0, "y": 4.0, "b": 3.0, "z": 2.0, "w": 1.0}, "r": {"v": 2.0, "a": 1.0}}
    labels: dict[str, dict[str, float]] = {"q": {"a": 2, "b": 1, "c": 2}, "r": {"a": 1, "b": 0}}
    rankings = make_rankings(run, labels)
    order = [(topic, document) for topic in ("q", "r") for document in run[topic]]
    open_ = {("q", "y"), ("q", "w"), ("r", "v")}
    low, high = interval(one, rankings, np.array([row in open_ for row in order]))
    for number, topic in enumerate(("q", "r")):
        names = [document for of, document in open_ if of == topic]
        tried = []
        for code in range(3 ** len(names)):
            more = {document: float(code // 3**place % 3) for place, document in enumerate(names)}
            # The scale of labels is that of both topics.
            tried.append(values(one, make_rankings(run, {**labels, topic: labels[topic] | more}))[number])
        np.testing.assert_allclose([low[number], high[number]], [min(tried), max(tried)], atol=1e-14)
    everything = interval(one, rankings)
    assert (everything[0] <= low + 1e-15).all()
    assert (everything[1] >= high - 1e-15).all()
