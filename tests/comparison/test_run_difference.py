"""What changed between two runs: shares that add up, moves undone by hand, and what unjudged documents leave open."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield
from cranfield import CranfieldWarning, InputError, Run, UsageError, diff
from cranfield.measures import is_additive, parse_measure
from data_sets import DATA
from effort import examples

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")

LABELS = {"q1": {"a": 2, "b": 1, "c": 0, "d": 1, "e": 2}, "q2": {"a": 1, "b": 0}, "q3": {"c": 1}}
OLD = {"q1": list("abcx"), "q2": list("ba"), "q3": list("xc")}
NEW = {"q1": list("eaxy"), "q2": list("ab"), "q3": list("xc")}
ADDITIVE = ("nDCG", "nDCG@3", "DCG(dcg='exp-log2')@2", "P@2", "R@3", "RBP", "Rprec", "INSQ", "SetP", "NDCG_min@3")
OTHERS = ("AP", "RR", "ERR@3", "bpref", "nDCG(judged_only=True)@3", "Success@2", "AP@3")


def run(lists: dict[str, list[str]]) -> Run:
    return Run.from_lists(lists)


def rows(found: Any, topic: str) -> dict[str, dict[str, Any]]:
    table = found.documents[found.documents["topic"] == topic]
    return {row["document"]: row for row in table.to_dict("records")}


def test_by_hand() -> None:
    """DCG@3: q1 goes from a b c (2, 1, 0) to e a x (2, 2, unjudged); q2 exchanges its two documents."""
    found = diff(run(OLD), run(NEW), LABELS, "DCG@3")
    log = np.log2
    assert found.exact
    assert found.topics["topic"].tolist() == ["q2", "q1"] or found.topics["topic"].tolist() == ["q1", "q2"]
    topics = found.topics.set_index("topic")
    assert topics.loc["q1", ["came", "went", "moved", "unjudged"]].tolist() == [2, 2, 1, 1]
    np.testing.assert_allclose(topics.loc["q1", "difference"], 2 / log(3) - 1 / log(3), rtol=1e-15)
    np.testing.assert_allclose(topics.loc["q2", "difference"], 1 - 1 / log(3), rtol=1e-15)
    documents = rows(found, "q1")
    assert {name: row["change"] for name, row in documents.items()} == {
        **{"e": "came", "x": "came", "a": "moved", "b": "went", "c": "went"}
    }
    assert (documents["x"]["rank_old"], documents["x"]["rank_new"]) == (4, 3)
    assert (documents["e"]["rank_old"], documents["e"]["rank_new"]) == (0, 1)
    wanted = {"e": 2.0, "x": 0.0, "a": 2 / log(3) - 2, "b": -1 / log(3), "c": 0.0}
    assert {name: row["share"] for name, row in documents.items()} == pytest.approx(wanted, abs=1e-15)
    assert next(iter(documents)) == "e", "the largest share first"
    # If x at rank 3 were judged 2, it would add 2 / log2(4).
    np.testing.assert_allclose(topics.loc["q1", ["low", "high"]].tolist(), [2 + 2 / log(3), 3 + 2 / log(3)])
    assert (found.worse, found.better) == (0, 2)
    shares = "shares of a topic's documents add up to its difference"
    assert shares in found.caption("documents")
    assert shares not in found.caption("topics")


@pytest.mark.parametrize("name", [*ADDITIVE, *OTHERS])
def test_a_run_does_not_differ_from_itself(name: str) -> None:
    found = diff(run(OLD), run(OLD), LABELS, name)
    assert len(found.topics) == len(found.documents) == 0
    assert found.mean_old == found.mean_new
    assert (found.worse, found.better) == (0, 0)


DOCUMENTS = "abcdexyz"
lists = st.fixed_dictionaries(
    {
        topic: st.permutations(DOCUMENTS).flatmap(lambda names: st.integers(1, 7).map(lambda n: names[:n]))
        for topic in LABELS
    }
)


@examples(24)
@given(lists, lists, st.sampled_from([*ADDITIVE, *OTHERS]))
def test_shares_add_up_and_are_reversed(old: dict[str, list[str]], new: dict[str, list[str]], name: str) -> None:
    found, back = diff(run(old), run(new), LABELS, name), diff(run(new), run(old), LABELS, name)
    there = found.documents.set_index(["topic", "document"])["share"]
    again = back.documents.set_index(["topic", "document"])["share"]
    assert set(there.index) == set(again.index)
    np.testing.assert_allclose(there, -again[there.index], rtol=0, atol=1e-12)
    reverse = {"came": "went", "went": "came", "moved": "moved", "stayed": "stayed"}
    assert found.documents["change"].map(reverse).tolist() == _aligned(back, found)["change"].tolist()
    assert found.exact == is_additive(parse_measure(name))
    assert found.mean_new - found.mean_old == pytest.approx(-(back.mean_new - back.mean_old), abs=1e-15)
    if found.exact:
        summed = there.groupby("topic").sum()
        for row in found.topics.to_dict("records"):
            assert abs(summed[row["topic"]] - row["difference"]) < 1e-12


def _aligned(one: Any, other: Any) -> Any:
    order = list(zip(other.documents["topic"], other.documents["document"], strict=True))
    return one.documents.set_index(["topic", "document"]).loc[order]


@examples(12)
@given(lists, lists)
def test_moves_by_hand(old: dict[str, list[str]], new: dict[str, list[str]]) -> None:
    """Without a change: the document is taken out of the list and put where it was, among Python's own lists."""
    for name in ("AP", "RR", "AP@3"):
        found = diff(run(old), run(new), LABELS, name)
        for row in found.documents.to_dict("records"):
            topic, document = row["topic"], row["document"]
            without = moved(new[topic], document, row["rank_old"])
            made = moved(old[topic], document, row["rank_new"])
            assert row["new_without"] == pytest.approx(value(without, topic, name), abs=1e-15)
            assert row["old_with"] == pytest.approx(value(made, topic, name), abs=1e-15)
            gained = (
                value(new[topic], topic, name) - row["new_without"] + row["old_with"] - value(old[topic], topic, name)
            )
            assert row["share"] == pytest.approx(gained / 2, abs=1e-15)


def moved(names: list[str], document: str, rank: int) -> list[str]:
    others = [name for name in names if name != document]
    return [*others[: rank - 1], document, *others[rank - 1 :]] if rank else others


def value(names: list[str], topic: str, measure: str) -> float:
    """AP, AP@3 and RR of labels above 0."""
    cutoff = 3 if measure.endswith("@3") else len(names)
    relevant = [LABELS[topic].get(name, 0) > 0 for name in names][:cutoff]
    hits = [rank for rank, hit in enumerate(relevant, 1) if hit]
    if measure == "RR":
        return 1 / hits[0] if hits else 0.0
    total = sum(label > 0 for label in LABELS[topic].values())
    return sum(number / rank for number, rank in enumerate(hits, 1)) / total if total else 0.0


@pytest.mark.parametrize("name", ["nDCG@3", "AP", "RBP", "P@3"])
def test_unjudged_arrivals_leave_an_interval_open(name: str) -> None:
    """All labels of the documents that came, tried one by one; x was in the old list already."""
    old, new = {"q": list("xab")}, {"q": list("yxaz")}
    labels: dict[str, dict[str, float]] = {"q": {"a": 2, "b": 1, "c": 0}}
    found = diff(run(old), run(new), labels, name)
    came = "y" if name.endswith("@3") else "yz"
    tried = [
        cranfield.evaluate_means(run(new), {"q": labels["q"] | dict(zip(came, more, strict=True))}, name)["run"][name]
        for more in itertools.product((0, 1, 2), repeat=len(came))
    ]
    [row] = found.topics.to_dict("records")
    assert row["unjudged"] == len(came)
    assert (row["low"], row["high"]) == pytest.approx((min(tried), max(tried)), abs=1e-12)
    assert found.unbounded == ""


def test_where_there_is_no_interval() -> None:
    assert "it may rise or fall" in diff(run(OLD), run(NEW), LABELS, "RIC").unbounded
    found = diff(run(OLD), run(NEW), LABELS, "AP", unjudged="condense")
    assert found.unbounded == "unjudged=condense gives unjudged documents another reading than label 0"
    assert found.topics["low"].isna().all()


def test_losses_come_first_whatever_is_better() -> None:
    good, bad = {"q1": list("abe"), "q2": list("ab")}, {"q1": list("xyz"), "q2": list("ab")}
    for one, other, first in ((good, bad, "worse"), (bad, good, "better")):
        found = diff(run(one), run(other), LABELS, "RBPResidual")
        assert getattr(found, first) == 1
    mixed = diff(run({"q1": list("abe"), "q2": list("xb")}), run({"q1": list("xyz"), "q2": list("ab")}), LABELS, "P@2")
    assert mixed.topics["topic"].tolist() == ["q1", "q2"]
    assert mixed.topics["difference"].tolist() == [-1.0, 0.5]


def test_one_topic_and_texts() -> None:
    texts = {"q1": "first question", "q9": "another"}
    found = diff(run(OLD), run(NEW), LABELS, "AP", topics=texts)
    assert dict(zip(found.topics["topic"], found.topics["query"], strict=True)) == {"q1": "first question", "q2": ""}
    alone = diff(run(OLD), run(NEW), LABELS, "AP", topic="q1")
    assert alone.topics["topic"].tolist() == ["q1"]
    assert alone.documents.equals(found.documents[found.documents["topic"] == "q1"].reset_index(drop=True))
    assert len(diff(run(OLD), run(NEW), LABELS, "AP", topic="q3").topics) == 0
    with pytest.raises(UsageError, match=r"^no judged topic is called 'q11'; did you mean 'q1'\?$"):
        diff(run(OLD), run(NEW), LABELS, topic="q11")
    with pytest.warns(CranfieldWarning, match="none of the judged topics has a text"):
        diff(run(OLD), run(NEW), LABELS, topics={"7": "x"})


def test_depth_leaves_out_unjudged_documents_alone() -> None:
    old = {"q1": [*"abxyz", *(f"u{number}" for number in range(20))]}
    new = {"q1": [*(f"v{number}" for number in range(20)), *"bazyx"]}
    found = diff(run(old), run(new), {"q1": LABELS["q1"]}, "nDCG", depth=4)
    assert set(found.documents["document"]) == {"a", "b", "x", "y", "v0", "v1", "v2", "v3"}
    assert found.topics["came"].tolist() == [20]
    assert abs(found.documents["share"].sum() - found.topics["difference"][0]) < 1e-15
    with pytest.raises(UsageError, match="depth=0 should be"):
        diff(run(OLD), run(NEW), LABELS, depth=0)


def test_runs_as_people_have_them(tmp_path: Path) -> None:
    import pandas as pd

    for name, held in (("old", OLD), ("new", NEW)):
        cranfield.write(run(held), tmp_path / f"{name}-bm25.run")
    paths = [tmp_path / "old-bm25.run", str(tmp_path / "new-bm25.run")]
    wanted = diff(run(OLD), run(NEW), LABELS, "AP")
    plain = [
        {topic: {d: -float(rank) for rank, d in enumerate(row)} for topic, row in one.items()} for one in (OLD, NEW)
    ]
    frames = [run(one).to_frame() for one in (OLD, NEW)]
    for old, new in (paths, plain, frames, (run(OLD), plain[1])):
        found = diff(old, new, LABELS, "AP")
        pd.testing.assert_frame_equal(found.topics, wanted.topics)
        pd.testing.assert_frame_equal(found.documents, wanted.documents)
    named = diff(*paths, LABELS, "AP")
    assert (named.old, named.new) == ("old-bm25", "new-bm25")
    assert (wanted.old, wanted.new) == ("old", "new")


def test_what_cannot_be_compared() -> None:
    with pytest.raises(UsageError, match=r"^diff explains one measure at a time, and was given 2$"):
        diff(run(OLD), run(NEW), LABELS, "AP,RR")
    with pytest.raises(UsageError, match=r"^diff needs the documents in one order, which ties='expected' leaves open$"):
        diff(run(OLD), run(NEW), LABELS, "AP", ties="expected")
    with pytest.raises(InputError, match="share no topic"):
        diff(run(OLD), run({"z": ["a"]}), LABELS, "AP")


def test_missing_topics_of_a_run() -> None:
    found = diff(run(OLD), run({"q1": NEW["q1"]}), LABELS, "nDCG@3", missing="skip")
    assert found.topics["topic"].tolist()[0] == "q1"
    assert found.topics.set_index("topic")["difference"].isna().to_dict() == {"q1": False, "q2": True, "q3": True}
    emptied = diff(run(OLD), run({"q1": NEW["q1"]}), LABELS, "nDCG@3")
    assert emptied.topics.set_index("topic").loc["q3", "went"] == 2


@pytest.mark.data("data/trec-dl-2019-passage")
def test_all_of_dl_2019() -> None:
    """Shares of two real runs of 43 topics add up, and the values are those of ``evaluate``."""
    folder = DATA / "trec-dl-2019-passage"
    paths = [folder / "runs" / f"input.{name}.gz" for name in ("bm25base_p", "idst_bert_p1")]
    qrels = folder / "qrels.dl19-passage.txt.gz"
    for name in ("nDCG@10", "RBP", "nDCG"):
        found = diff(*paths, qrels, name)
        summed = found.documents.groupby("topic")["share"].sum()[found.topics["topic"]].to_numpy()
        assert np.abs(summed - found.topics["difference"]).max() < 1e-12
        scores = cranfield.evaluate(paths, qrels, name)[name].transpose("topic", "system")
        old, new = scores.sel(topic=found.topics["topic"].tolist()).to_numpy().T
        assert (found.topics["old"] == old).all()
        assert (found.topics["new"] == new).all()
        assert (np.diff(found.topics["difference"]) >= 0).all()
