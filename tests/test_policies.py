"""What each policy of reading, and the relevance level, does to a small example, by hand."""

from __future__ import annotations

import math
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import cranfield
from choices import CHOICES
from cranfield import AP, RR, CranfieldWarning, InputError, UsageError, evaluate, summarize
from cranfield.errors import TopicError
from cranfield.scoring import read_measures

QRELS = {"2": {"a": 1, "b": 0}, "1": {"a": 2, "c": 1}}
GOOD = {"2": {"a": 2.0, "b": 1.0}, "1": {"a": 3.0, "c": 2.0}}


def quiet(*arguments: Any, **options: Any) -> xr.Dataset:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CranfieldWarning)
        return evaluate(*arguments, **options)


def value(runs: Any, qrels: Any, measure: Any = "RR", **options: Any) -> float:
    """The value of the one topic."""
    return float(quiet(runs, qrels, measure, **options)[str(read_measures(measure)[0])].item())


def test_ties(tmp_path: Path) -> None:
    path = tmp_path / "x.run"
    path.write_text("1 Q0 b 30 5 t\n1 Q0 a 20 5 t\n1 Q0 c 10 5 t\n1 Q0 A 25 5.0000001 t\n")
    order = dict.fromkeys(CHOICES["ties"], "")
    for ties in order:
        ranks = {document: round(1 / value(path, {"1": {document: 1}}, ties=ties)) for document in "Aabc"}
        order[ties] = "".join(sorted(ranks, key=ranks.__getitem__))
    assert order == {
        "trec": "Acba",  # score, then id descending
        "trec9": "cbaA",  # A is equal in float32, and has the smallest id
        "docid": "Aabc",  # score, then id ascending
        "rank": "caAb",  # 10, 20, 25, 30
        "file": "bacA",
        "expected": "Aabc",  # the last three share ranks 2 to 4, and stand as they are listed here
        "bounds": "Acba",
    }


def test_scores_that_are_equal_in_float32(tmp_path: Path) -> None:
    path = tmp_path / "x.run"
    path.write_text("1 Q0 b 1 1.00000001 t\n1 Q0 c 2 1 t\n")
    assert value(path, {"1": {"b": 1}}, ties="trec") == 1
    assert value(path, {"1": {"b": 1}}, ties="trec9") == 1 / 2
    assert value(path, {"1": {"b": 1}}, ties="docid") == 1


def test_the_rank_policy_needs_ranks(tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        evaluate(GOOD, QRELS, ties="rank")
    assert str(refused.value) == "run 'run': the run has no whole-number ranks, which ties='rank' needs"
    path = tmp_path / "x.run"
    path.write_text("1 Q0 a 1 2 t\n1 Q0 b 1 1 t\n")
    with pytest.raises(InputError) as refused:
        evaluate(path, QRELS, ties="rank")
    assert str(refused.value) == (
        f"{path}:2: rank 1 occurs twice in its topic, and the rank column decides the order (ties=rank)"
    )
    with pytest.raises(InputError, match="rank 1 occurs twice in its topic"):
        evaluate(cranfield.read_run(path), QRELS, ties="rank")
    path.write_text("1 Q0 a 1 2 t\n1 Q0 b 1.5 1 t\n")
    with pytest.raises(InputError, match=r"x\.run:2: the rank '1\.5' is not a whole number"):
        evaluate(path, QRELS, ties="rank")


def test_missing_topics() -> None:
    runs, qrels = (
        {"half": {"1": {"a": 1.0}}, "full": {"1": {"a": 1.0}, "2": {"b": 1.0}}},
        {"1": {"a": 1}, "2": {"b": 1}},
    )
    with pytest.warns(
        CranfieldWarning, match="^run 'half': judged topic 2 missing from the run, counted as an empty ranking"
    ):
        empty = evaluate(runs, qrels, ["AP", "NumQ"])
    assert empty["AP"].sel(system="half").values.tolist() == [1, 0]
    assert summarize(empty).to_dict("list") == {"AP": [1 / 2, 1], "NumQ": [2, 2]}
    with pytest.warns(CranfieldWarning, match="judged topic 2 missing from the run, left out of its means"):
        skipped = evaluate(runs, qrels, ["AP", "NumQ"], missing="skip")
    np.testing.assert_array_equal(skipped["AP"].sel(system="half").values, [1, np.nan])
    assert summarize(skipped).to_dict("list") == {"AP": [1, 1], "NumQ": [1, 2]}
    with pytest.raises(TopicError) as refused:
        evaluate(runs, qrels, missing="error")
    assert str(refused.value) == "run 'half': 1 of 2 judged topics are missing: 2 (missing=error)"


def test_unjudged_documents() -> None:
    run, qrels = {"1": {"u": 3.0, "v": 2.0, "a": 1.0}}, {"1": {"a": 1}}
    assert value(run, qrels, unjudged="zero") == 1 / 3
    assert value(run, qrels, unjudged="condense") == 1
    for unjudged in ("zero", "mean", "condense"):
        assert value(run, qrels, "Judged@3", unjudged=unjudged) == 1 / 3, "of the list as it was retrieved"
    assert value(run, qrels, "NumRet", unjudged="condense") == 1
    # the same as asking each measure for it
    assert value(run, qrels, RR(judged_only=True)) == 1
    # a list without any judged document is not missing
    only = evaluate({"1": {"u": 1.0}}, qrels, "AP", unjudged="condense", missing="skip")
    assert only["AP"].values.tolist() == [[0.0]]


def test_labels_below_zero() -> None:
    run, qrels = {"1": {"a": 2.0, "b": 1.0}}, {"1": {"a": -1, "b": 1}}
    assert value(run, qrels, "DCG") == 1 / math.log2(3)
    assert value(run, qrels, "DCG", negative="keep") == -1 + 1 / math.log2(3)
    for negative in ("zero", "keep"):
        assert value(run, qrels, "AP", negative=negative) == 1 / 2
        assert value(run, qrels, "P(rel=-1)@2", negative=negative) == 1


def test_undefined_values() -> None:
    run, qrels = {"1": {"a": 1.0}, "2": {"b": 1.0}}, {"1": {"a": 1}, "2": {"b": 0}}
    declared = quiet(run, qrels, ["AP", "P@1", "SetP"])
    assert declared["AP"].values.ravel().tolist() == [1, 0]
    kept = quiet(run, qrels, ["AP", "P@1", "SetP"], undefined="keep")
    np.testing.assert_array_equal(kept["AP"].values.ravel(), [1, np.nan])
    assert kept["P@1"].values.ravel().tolist() == kept["SetP"].values.ravel().tolist() == [1, 0]
    assert summarize(declared)["AP"].item() == 1 / 2
    assert summarize(kept)["AP"].item() == 1


def test_documents_that_stand_twice(tmp_path: Path) -> None:
    path = tmp_path / "x.run"
    path.write_text("1 Q0 a 3 1 t\n1 Q0 b 2 2 t\n1 Q0 a 1 3 t\n")
    with pytest.raises(InputError, match=rf"^{path}:3: document 'a' occurs twice in topic '1'"):
        evaluate(path, {"1": {"b": 1}})
    with pytest.warns(
        CranfieldWarning,
        match=r"x\.run:3: document 'a' occurs twice .* keeps only its better",
    ):
        scores = evaluate(path, {"1": {"b": 1}}, ["RR", "NumRet"], on_duplicate="first")
    assert (scores["RR"].item(), scores["NumRet"].item()) == (1 / 2, 2)  # a, b
    frame = pd.DataFrame({"qid": ["1"] * 3, "docno": list("aba"), "score": [1.0, 2.0, 3.0]})
    assert value(frame, {"1": {"b": 1}}, on_duplicate="first") == 1 / 2
    # what is better ranked is what the tie policy says
    assert value(path, {"1": {"b": 1}}, on_duplicate="first", ties="file") == 1 / 2
    path.write_text("1 Q0 b 1 2 t\n1 Q0 a 2 1 t\n1 Q0 a 3 3 t\n")
    assert value(path, {"1": {"b": 1}}, on_duplicate="first", ties="file") == 1
    assert value(path, {"1": {"b": 1}}, on_duplicate="first", ties="trec") == 1 / 2


def test_a_peers_reading() -> None:
    # trec_eval: a label below zero is no judgment at all
    run, qrels = {"1": {"a": 2.0, "b": 1.0}}, {"1": {"a": -1, "b": 1}}
    assert value(run, qrels, "Judged@2") == 1
    assert value(run, qrels, "Judged@2", compat="trec_eval") == 1 / 2
    assert value(run, qrels, "RR", compat="trec_eval", unjudged="condense") == 1
    # gdeval: a topic without relevant documents is left out
    scores = quiet({"1": {"a": 1.0}, "2": {"b": 1.0}}, {"1": {"a": 1}, "2": {"b": 0}}, "nDCG", compat="gdeval")
    np.testing.assert_array_equal(scores["nDCG"].values.ravel(), [1, np.nan])
    assert value({"1": {"a": 1.0}}, {"1": {"a": 0.5}}, "nDCG", compat="gdeval") == 1
    # and the order of documents is never changed by it
    ranked = {"1": {"a": 1.0, "b": 1.00000001}}
    for compat in CHOICES["compat"]:
        assert value(ranked, {"1": {"b": 1}}, compat=compat) == 1


def test_num_rel_of_trec_eval_ignores_the_relevance_level() -> None:
    scores = quiet(GOOD, QRELS, "NumRel(rel=2)", compat="trec_eval")
    assert scores["NumRel(rel=2)"].values.ravel().tolist() == [0, 1]
    assert summarize(scores).iloc[0, 0] == 3
    assert summarize(quiet(GOOD, QRELS, "NumRel(rel=2)")).iloc[0, 0] == 1
    # that number holds for these topics together, and for no others
    assert summarize(quiet(GOOD, QRELS, "NumRel(rel=2)", compat="trec_eval").isel(topic=[1])).iloc[0, 0] == 1
    # where trec_eval reads a label of 0.5 as 0
    scores = quiet({"1": {"a": 1.0}}, {"1": {"a": 0.5, "b": 1.5}}, "NumRel", compat="trec_eval")
    assert summarize(scores)["NumRel"].item() == scores["NumRel"].item() == 1


@pytest.mark.parametrize("option", CHOICES)
def test_a_word_that_no_policy_has(option: str) -> None:
    with pytest.raises(UsageError, match=rf"^{option}='nonsense' is not one of "):
        evaluate(GOOD, QRELS, **{option: "nonsense"})  # type: ignore[arg-type]


def test_rel_is_set_where_a_measure_has_it_and_did_not_set_it() -> None:
    names = ["AP", "AP(rel=3)", "AP(rel=1)", "P@1", "nDCG@5", "RBP", "NumRet", "SetR", "ERR"]
    scores = quiet(GOOD, QRELS, names, rel=2)
    assert list(scores.data_vars) == [
        *("AP(rel=2)", "AP(rel=3)", "AP", "P(rel=2)@1", "nDCG@5", "RBP", "NumRet", "SetR(rel=2)", "ERR")
    ]
    assert scores["P(rel=2)@1"].values.ravel().tolist() == [0, 1]
    assert list(quiet(GOOD, QRELS, ["AP", AP(rel=2)], rel=2).data_vars) == ["AP(rel=2)"]
    with pytest.raises(UsageError, match=r"^rel=nan should be a number$"):
        evaluate(GOOD, QRELS, "AP", rel=math.nan)
