"""Orders of judging, by hand and by law; their simulation on judgments, against judgments written out."""

from __future__ import annotations

import random
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield
from cranfield import InputError, UsageError
from cranfield.pooling import estimate_budget
from cranfield.pooling.budget import _sizes
from cranfield.pooling.selection_orders import ORDERS, OrderName, Pooled, by_bandit
from cranfield.statistics import tau_b
from effort import examples


def pooled(lists: list[list[int]], relevant: set[int], documents: int) -> Pooled:
    arrays = [np.array(one, dtype=np.int64) for one in lists]
    ranks = [np.arange(1, len(one) + 1) for one in arrays]
    return Pooled(arrays, ranks, np.isin(np.arange(documents), sorted(relevant)))


@st.composite
def pools(draw: st.DrawFn) -> Pooled:
    documents = draw(st.integers(1, 12))
    one = st.permutations(range(documents)).flatmap(
        lambda order: st.integers(0, documents).map(lambda length: list(order[:length]))
    )
    lists = draw(st.lists(one, min_size=1, max_size=4))
    return pooled(lists, draw(st.sets(st.integers(0, documents - 1))), documents)


@pytest.mark.parametrize("name", ORDERS)
@given(pool=pools(), most=st.integers(0, 15), seed=st.integers(0, 9))
@examples(20)
def test_every_order_judges_each_document_of_the_pool_once(name: str, pool: Pooled, most: int, seed: int) -> None:
    union = np.unique(np.concatenate(pool.lists))
    order = ORDERS[name](pool, most, np.random.default_rng(seed))
    assert len(order) == min(most, len(union))
    assert len(set(order.tolist())) == len(order)
    assert set(order.tolist()) <= set(union.tolist())
    again = ORDERS[name](pool, most, np.random.default_rng(seed))
    assert order.tolist() == again.tolist()
    if most >= len(union):
        assert sorted(order.tolist()) == union.tolist()


@given(pool=pools(), seed=st.integers(0, 9))
@examples(30)
def test_a_bandit_never_skips_a_document_of_a_run(pool: Pooled, seed: int) -> None:
    """Whatever is picked is the first unjudged document of some run."""
    for name in ("mtf", "thompson", "max-mean", "max-mean-ns"):
        judged: set[int] = set()
        for document in ORDERS[name](pool, 99, np.random.default_rng(seed)).tolist():
            firsts = [next((one for one in run.tolist() if one not in judged), None) for run in pool.lists]
            assert document in firsts
            judged.add(document)


@given(pool=pools(), seed=st.integers(0, 9))
@examples(30)
def test_pools_of_growing_depth(pool: Pooled, seed: int) -> None:
    best = {
        document: min(run.tolist().index(document) for run in pool.lists if document in run)
        for document in np.unique(np.concatenate(pool.lists)).tolist()
    }
    order = ORDERS["depth"](pool, 99, np.random.default_rng(seed)).tolist()
    assert [best[document] for document in order] == sorted(best.values())


def test_move_to_front_by_hand() -> None:
    """Run 0 finds 0 and 1 relevant, misses at 2, and goes back; run 1 misses at 3 at once; both then have one miss."""
    pool = pooled([[0, 1, 2, 5], [3, 4]], {0, 1, 4}, 6)
    for seed in range(20):
        order = ORDERS["mtf"](pool, 6, np.random.default_rng(seed)).tolist()
        assert order[:4] in ([0, 1, 2, 3], [3, 0, 1, 2])
        assert order[4:] in ([4, 5], [5, 4])


def test_max_mean_by_hand() -> None:
    """After a miss, run 0 is worth (2 + 1) / (3 + 2) = 3/5 and beats the 1/2 of a run that nobody looked at."""
    pool = pooled([[0, 1, 2, 5], [3, 4]], {0, 1, 4}, 6)
    starts = {tuple(ORDERS["max-mean"](pool, 4, np.random.default_rng(seed)).tolist()) for seed in range(20)}
    assert starts == {(0, 1, 2, 5), (3, 0, 1, 2)}
    # Where only the last document counts, the miss makes it worth 1/3.
    starts = {tuple(ORDERS["max-mean-ns"](pool, 4, np.random.default_rng(seed)).tolist()) for seed in range(20)}
    assert starts <= {(0, 1, 2, 3), (3, 0, 1, 2)}


def test_a_bandit_is_drawn_where_runs_are_equal() -> None:
    pool = pooled([[0], [1], [2]], set(), 3)
    order = by_bandit(lambda hits, pulls, _: hits * 0.0)
    assert {tuple(order(pool, 3, np.random.default_rng(seed)).tolist()) for seed in range(60)} == {
        (0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)
    }  # fmt: skip


def test_every_order_has_a_function() -> None:
    assert tuple(ORDERS) == get_args(OrderName)


def test_budgets_by_default() -> None:
    assert _sizes(1) == [1]
    assert _sizes(10) == [10]
    assert _sizes(230) == [10, 20, 50, 100, 200, 230]


def collection() -> tuple[dict[str, dict[str, dict[str, float]]], dict[str, dict[str, int]]]:
    draw = random.Random(3)
    documents = [f"d{number}" for number in range(30)]
    qrels = {t: {d: int(draw.random() < 0.4) for d in documents} for t in "1234"}
    runs = {
        f"r{skill}": {
            t: {d: draw.random() + 0.15 * skill * qrels[t][d] for d in draw.sample(documents, 20)} for t in qrels
        }
        for skill in range(5)
    }
    return runs, qrels


def test_equal_to_judgments_written_out() -> None:
    """Of the order by depth with a budget that ends a depth, where nothing is drawn."""
    runs, qrels = collection()
    found = estimate_budget(runs, qrels, ["AP", "P@5"], orders=["depth"], budgets=[3, 30], depth=1, trials=2)
    firsts = {t: {max(lists[t], key=lists[t].__getitem__) for lists in runs.values()} for t in qrels}
    left = {t: {d: qrels[t][d] for d in firsts[t]} for t in qrels}
    full, fewer = (cranfield.evaluate_means(runs, labels, ["AP", "P@5"]) for labels in (qrels, left))
    curve = found.curve[found.curve["budget"] == 30].set_index("measure")
    for measure in ("AP", "P@5"):
        lists = [[means[run][measure] for run in runs] for means in (full, fewer)]
        assert curve["tau"][measure] == pytest.approx(float(tau_b(*lists)), abs=1e-12)
        assert curve["bias"][measure] == pytest.approx(float(np.mean(lists[1]) - np.mean(lists[0])), abs=1e-12)
    assert curve["judgments"].tolist() == [sum(map(len, left.values()))] * 2
    relevant = sum(map(sum, (pool.values() for pool in qrels.values())))
    assert curve["found"]["AP"] == pytest.approx(sum(map(sum, (pool.values() for pool in left.values()))) / relevant)
    assert found.outside == found.judged - int(curve["judgments"]["AP"])


def test_all_judgments_order_the_systems_alike() -> None:
    runs, qrels = collection()
    found = estimate_budget(runs, qrels, ["AP"], trials=2)
    last = found.curve[found.curve["budget"] == found.settings["budgets"][-1]]
    assert found.outside == 0
    assert last["tau"].tolist() == [1.0] * len(ORDERS)
    assert last["found"].tolist() == [1.0] * len(ORDERS)
    assert np.abs(last["bias"]).max() == 0
    for row in found.needed.itertuples():
        part = found.curve[found.curve["order"] == row.order]
        enough = part[part["budget"] >= row.budget]
        assert (enough["tau"] >= 0.9).all()
        before = part[part["budget"] < row.budget]
        assert len(before) == 0 or before["tau"].iloc[-1] < 0.9
        assert row.judgments == enough["judgments"].iloc[0]


def test_a_budget_does_not_depend_on_other_budgets() -> None:
    runs, qrels = collection()
    alone, among = (estimate_budget(runs, qrels, ["AP"], budgets=sizes).curve for sizes in ([7], [2, 7, 25]))
    assert among[among["budget"] == 7].reset_index(drop=True).equals(alone)


def test_bandits_find_relevant_documents_sooner_than_chance() -> None:
    runs, qrels = collection()
    found = estimate_budget(runs, qrels, ["AP"], budgets=[8], trials=20).curve.set_index("order")["found"]
    assert (found.drop("random") > found["random"] + 0.02).all()


def test_odd_arguments_are_refused() -> None:
    runs, qrels = collection()
    for words, message in (
        ({"orders": ["best"]}, "orders='best' is not one of random, depth, mtf"),
        ({"orders": []}, r"orders=\[\] names no order: choose from random"),
        ({"depth": 0}, "depth=0 should be at least 1"),
        ({"trials": 0}, "trials=0 should be at least 1"),
        ({"target": 1}, "target=1 should lie between 0 and 1"),
        ({"budgets": [0]}, "budgets=0 should be at least 1"),
        ({"seed": -1}, "seed=-1 should be at least 0"),
    ):
        with pytest.raises(UsageError, match=message):
            estimate_budget(runs, qrels, ["AP"], **words)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="a budget needs two runs or more, whose order it is about"):
        estimate_budget({"r0": runs["r0"]}, qrels, ["AP"])
    unjudged = {name: {"1": {"u": 2.0, "d1": 1.0}} for name in "ab"}
    with (
        pytest.raises(InputError, match="no run has a judged document among its first 1: there is nothing to pool"),
        pytest.warns(cranfield.CranfieldWarning),
    ):
        estimate_budget(unjudged, qrels, ["AP"], depth=1)
