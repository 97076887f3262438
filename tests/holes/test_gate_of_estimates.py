"""The gate of estimates: variances of topics and of missing labels are added, and holes are named where they decide."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import cranfield
from cranfield.comparison import gate
from cranfield.comparison.regression_gate import HoleVariances, format_gate_text
from cranfield.errors import UsageError
from cranfield.holes import estimate_holes
from data_sets import GOLDEN

HOLES = GOLDEN / "holes"
PAIR = {name: HOLES / f"{name}.run" for name in ("a1", "new")}


def test_without_holes_it_is_the_plain_gate() -> None:
    qrels = cranfield.read_qrels(HOLES / "qrels.txt").to_dict()
    runs = {}
    for name, sign in (("base", -1.0), ("new", 1.0)):
        runs[name] = {topic: {d: sign * (n % 7) - n / 99 for n, d in enumerate(qrels[topic])} for topic in qrels}
    ours = estimate_holes(runs, qrels).gate("base", ["nDCG@10", "P@5"], margin=0.1, draws=200)
    plain = gate(cranfield.evaluate(runs, qrels, ["nDCG@10", "P@5"]), baseline="base", margin=0.1)
    assert (ours.rows["error_holes"] == 0).all()
    shared = ["system", "measure", "verdict", "difference", "low", "high", "p_no_regression", "p_regression", "topics"]
    for column in shared:
        expected = plain.rows[column].tolist()
        assert ours.rows[column].tolist() == (pytest.approx(expected) if column in shared[3:] else expected), column


def test_variances_are_added_by_rubins_rules() -> None:
    fit, draws = estimate_holes(PAIR, HOLES / "qrels.txt"), 400
    row = fit.gate("a1", draws=draws, margin=0.05).rows.iloc[0]
    difference = fit.compare("new", "a1", draws=draws)
    assert row["difference"] == pytest.approx(difference.estimate)
    # The interval of a comparison on these topics is that of the draws alone: 95% are 3.92 standard deviations.
    assert row["error_holes"] == pytest.approx((difference.upper - difference.lower) / 3.92, rel=0.15)
    topics = fit.compare("new", "a1", draws=draws, topic_sample="sampled")
    error = (row["high"] - row["low"]) / 2 / 1.796  # t of 11 degrees of freedom at .95; fewer widen it
    assert error > (topics.upper - topics.lower) / 3.92 * 0.9


def test_holes_are_named_where_topics_alone_could_tell() -> None:
    fit = estimate_holes(PAIR, HOLES / "qrels.txt")
    gates = [fit.gate("a1", margin=float(margin), draws=200) for margin in np.arange(0.02, 0.5, 0.01)]
    verdicts = [result.verdict for result in gates]
    assert verdicts[0] == "cannot tell" and verdicts[-1] == "no regression"
    blamed = [result for result in gates if result.rows["reason"][0].startswith("because of holes")]
    assert blamed
    text = format_gate_text(blamed[0], plain=True)
    assert "cannot tell, because of holes: new compared with a1" in text
    assert "topics would say no regression" in text and "blind: assumes" in text
    assert all(result.verdict == "cannot tell" for result in blamed)


def test_the_same_seed_gives_the_same_gate_and_unknown_baselines_are_refused() -> None:
    fit = estimate_holes(PAIR, HOLES / "qrels.txt")
    assert fit.gate("a1", draws=200).to_json() == fit.gate("a1", draws=200).to_json()
    with pytest.raises(UsageError, match="no evaluated run is called"):
        fit.gate("b", draws=200)
    with pytest.raises(UsageError, match="alpha"):
        fit.gate("a1", draws=200, alpha=0.7)


def ranked_alike(
    topics: int, ranks: dict[str, int]
) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, dict[str, float]]]]:
    """Judgments with one relevant document a topic, and runs that have it at one rank on every topic."""
    documents = [f"n{at}" for at in range(12)]
    qrels = {f"q{topic}": {"r": 1, **dict.fromkeys(documents, 0)} for topic in range(topics)}
    runs = {}
    for name, rank in ranks.items():
        listed = [*documents[: rank - 1], "r", *documents[rank - 1 : 9]]
        runs[name] = {topic: {document: -float(at) for at, document in enumerate(listed)} for topic in qrels}
    return qrels, runs


@pytest.mark.parametrize(("new", "verdict"), [(5, "regression"), (2, "no regression"), (3, "no regression")])
def test_estimates_without_a_spread_are_judged_by_exact_signs(new: int, verdict: str) -> None:
    """The variance of equal differences is not 0 but rounding: no interval of width 0 decides."""
    qrels, runs = ranked_alike(20, {"base": 3, "new": new})
    row = estimate_holes(runs, qrels, depth=10).gate("base", "nDCG@10", draws=200).rows.iloc[0]
    assert row["verdict"] == verdict
    if new == 3:
        assert row["reason"] == "the same score on every topic"
    else:
        assert np.isnan([row["low"], row["high"], row["power"]]).all()
        assert min(row["p_no_regression"], row["p_regression"]) == 2.0**-20


def test_holes_leave_no_exact_test_of_a_difference_without_a_spread() -> None:
    """Where labels that nobody knows move a difference that does not vary over topics, nothing is exact."""
    variances = HoleVariances(np.zeros((1, 2)), np.array([[0.0, 1e-4]]), 200)
    frame = pd.DataFrame({"base": np.full(20, 0.75), "new": np.full(20, 0.25)}, [f"q{at}" for at in range(20)])
    frame.attrs["measure"] = "AP"
    found = variances.judge(
        frame, baseline="base", margin=0.01, alpha=0.05, settings={}, signature={}, caveats=(), policies={}
    )
    assert found.verdict == "cannot tell"
    assert found.rows["reason"][0].startswith("because of holes: their labels move the difference by 0.0100")
