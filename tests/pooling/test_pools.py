"""Lists of documents to judge and samples of pools: by hand, by brute force, and what they refuse."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import cranfield
from cranfield import InputError, UsageError
from cranfield.pooling import list_documents, sample_pool

Runs = dict[str, dict[str, dict[str, float]]]


def run_of(*ranked: str) -> dict[str, dict[str, float]]:
    return {"1": {document: -float(rank) for rank, document in enumerate(ranked)}}


HAND: Runs = {"A": run_of("a", "b", "c", "f"), "B": run_of("d", "e"), "C": run_of("d", "a")}


def random_runs(seed: int) -> Runs:
    draw = random.Random(seed)
    documents = [f"d{number}" for number in range(25)]
    return {
        f"r{number}": {t: {d: draw.random() for d in draw.sample(documents, draw.randint(1, 20))} for t in "123"}
        for number in range(4)
    }


def best_ranks(runs: Runs, topic: str) -> dict[str, int]:
    best: dict[str, int] = {}
    for lists in runs.values():
        ordered = sorted(lists[topic], key=lambda one: -lists[topic][one])
        for rank, document in enumerate(ordered, 1):
            best[document] = min(rank, best.get(document, rank))
    return best


def test_a_pool_by_hand() -> None:
    """At depth 2: a is first in A and second in C, b second in A, d first in B and C, e second in B."""
    found = list_documents(HAND, depth=2, teams={"A": "x", "B": "y", "C": "y"})
    rows = found.documents.set_index("document")
    assert rows[["rank", "runs", "teams"]].T.to_dict("list") == {
        "a": [1, 2, 2], "b": [2, 1, 1], "d": [1, 2, 1], "e": [2, 1, 1]
    }  # fmt: skip
    assert set(found.documents["document"][:2]) == {"a", "d"}
    assert found.documents["order"].tolist() == [1, 2, 3, 4]
    assert found.documents["label"].isna().all()
    assert found.topics.to_numpy().tolist() == [["1", 4, 4, 0]]


def test_move_to_front_by_hand() -> None:
    """a and b of run A are relevant, so that it stays in front until c; B and C then have none or one miss with d."""
    labels = {"1": {"a": 1, "b": 1, "c": 0, "d": 0, "e": 1, "f": 0}}
    for seed in range(12):
        found = list_documents(HAND, order="mtf", qrels=labels, seed=seed)
        order = found.documents["document"].tolist()
        if order[0] == "a" and order[1] == "b":
            assert order[:4] == ["a", "b", "c", "d"]
        assert sorted(order) == list("abcdef")
        assert found.topics["judged"].tolist() == [6]
        assert found.documents.set_index("document")["label"].to_dict() == labels["1"]


@pytest.mark.parametrize("seed", range(3))
def test_equal_to_pools_written_out(seed: int) -> None:
    runs = random_runs(seed)
    for depth in (1, 4, 99):
        found = list_documents(runs, depth=depth, seed=seed)
        for topic, rows in found.documents.groupby("topic"):
            best = {d: rank for d, rank in best_ranks(runs, str(topic)).items() if rank <= depth}
            assert dict(zip(rows["document"], rows["rank"], strict=True)) == best
            assert rows["rank"].tolist() == sorted(best.values())
    # An order of labels on a list of them is that of the simulation on the same judgments.
    qrels = {t: {f"d{number}": (number * seed) % 3 // 2 for number in range(25)} for t in "123"}
    for order in ("mtf", "max-mean"):
        whole = list_documents(runs, order=order, qrels=qrels, seed=seed).documents
        part = list_documents(runs, order=order, qrels=qrels, seed=seed, budget=3).documents
        assert part["document"].tolist() == whole[whole["order"] <= 3]["document"].tolist()


def test_a_sample_is_what_its_strata_say() -> None:
    runs = random_runs(5)
    found = sample_pool(runs, strata={2: 1, 8: 0.5, 15: 0.01}, seed=4)
    pool = found.to_frame("pool")
    for topic, rows in pool.groupby("topic"):
        best = best_ranks(runs, str(topic))
        stratum = {d: 1 if rank <= 2 else 2 if rank <= 8 else 3 for d, rank in best.items() if rank <= 15}
        assert dict(zip(rows["document"], rows["stratum"], strict=True)) == stratum
        for number, rate in ((1, 1), (2, 0.5), (3, 0.01)):
            members = rows[rows["stratum"] == number]
            assert members["sampled"].sum() == max(int(rate * len(members) + 0.5), min(2, len(members)))
    assert found.strata[["first", "last"]].to_numpy().tolist() == [[1, 2], [3, 8], [9, 15]]
    assert found.strata["sampled"].sum() == len(found.documents) == pool["sampled"].sum()
    # Neither the order of the runs nor other topics matter; the seed does.
    turned: Runs = {name: {"3": runs[name]["3"]} for name in reversed(runs)}
    of_three = sample_pool(turned, strata={2: 1, 8: 0.5, 15: 0.01}, seed=4).documents["document"].tolist()
    assert of_three == found.documents[found.documents["topic"] == "3"]["document"].tolist()
    other = sample_pool(runs, strata={2: 1, 8: 0.5, 15: 0.01}, seed=5)
    assert other.documents["document"].tolist() != found.documents["document"].tolist()


def test_each_document_of_a_stratum_is_as_likely() -> None:
    runs = {"A": run_of(*"abcdefgh")}
    drawn = [set(sample_pool(runs, strata={8: 0.5}, seed=seed).documents["document"]) for seed in range(40)]
    for document in "abcdefgh":
        assert 9 <= sum(document in one for one in drawn) <= 31  # 3.5 standard deviations


def test_from_runs_to_scores(tmp_path: Path) -> None:
    """All is sampled, so that the scores are those of all judgments; then a part, and the file is read again."""
    runs, draw = random_runs(7), random.Random(7)
    qrels = {t: {f"d{number}": int(draw.random() < 0.5) for number in range(25)} for t in "123"}
    every = sample_pool(runs, strata={99: 1}, qrels=qrels)
    pooled = {t: {d: qrels[t][d] for d in best_ranks(runs, t)} for t in qrels}
    whole, full = (
        cranfield.evaluate_means(runs, one, [measure])
        for one, measure in ((every.to_qrels(), "xinfAP"), (pooled, "AP"))
    )
    assert [row["xinfAP"] for row in whole.values()] == pytest.approx([row["AP"] for row in full.values()], abs=1e-4)
    part = sample_pool(runs, strata={5: 1, 99: 0.5}, qrels=qrels)
    cranfield.write(part.to_qrels(), tmp_path / "s.prels")
    again = cranfield.read_qrels(tmp_path / "s.prels")
    assert again == part.to_qrels()
    lines = (tmp_path / "s.prels").read_text().splitlines()
    assert sum(line.endswith(" -1") for line in lines) == len(part.to_frame("pool")) - len(part.documents)


def test_a_plan_is_tried_on_judged_documents() -> None:
    judged = {"1": {"a": 1, "c": 0, "z": 1}}
    found = sample_pool(HAND, strata={9: 1}, qrels=judged, only_judged=True)
    assert found.documents[["document", "label"]].to_numpy().tolist() == [["a", 1.0], ["c", 0.0]]


def test_what_is_not_judged_is_refused() -> None:
    with pytest.raises(InputError, match="5 sampled documents have no label, first 'b' of topic '1': judge what was"):
        sample_pool(HAND, qrels={"1": {"a": 1}}).to_qrels()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"strata": {}}, r"strata=\{\} should name the last rank of each stratum and its share"),
        ({"strata": {0: 1}}, "the last rank of a stratum=0 should be at least 1"),
        ({"strata": {5: 0}}, "the share that is sampled should be above 0 and at most 1"),
        ({"strata": {5: 1.5}}, "the share that is sampled should be above 0 and at most 1"),
        ({"only_judged": True}, "only_judged=True keeps the pool to judged documents: give them"),
        ({"seed": -1}, "seed=-1 should be at least 0"),
        ({"ties": "bounds"}, "a pool needs the documents in one order"),
    ],
)
def test_odd_samples_are_refused(words: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        sample_pool(HAND, **words)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"order": "best"}, "order='best' is not one of random, depth, mtf"),
        ({"depth": 0}, "depth=0 should be at least 1"),
        ({"budget": 0}, "budget=0 should be at least 1"),
        ({"teams": {"A": "x"}}, "there is no team for runs B and C|there is no team for"),
        ({"qrels": {"9": {"a": 1}}}, "no topic of the runs is judged, of which the first is '1': are these their"),
    ],
)
def test_odd_lists_are_refused(words: dict[str, Any], message: str) -> None:
    with pytest.raises((UsageError, InputError), match=message):
        list_documents(HAND, **words)
