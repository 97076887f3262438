"""Several runs fed to a ``Scorer`` part by part: intervals and paired tests, without scores of topics."""

from __future__ import annotations

import pickle
import random
from typing import Any

import numpy as np
import pytest
import scipy.stats

import cranfield
from cranfield import InputError, Scorer

draw = random.Random(5)
TOPICS = [f"q{number}" for number in range(20)]
QRELS = {t: {f"d{d}": draw.choice([0, 0, 1, 2]) for d in draw.sample(range(30), 9)} for t in TOPICS}
RUNS = {
    name: {t: {f"d{d}": round(draw.random(), 1) for d in draw.sample(range(30), 12)} for t in TOPICS[first:19]}
    for name, first in (("bm25", 0), ("dense", 2), ("mixed", 0))
}
MEASURES = ["AP", "nDCG@5", "NumRelRet", "GMAP", "Bpref"]
pytestmark = pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")


def parts_of(scorer: Scorer, sizes: list[int]) -> list[Any]:
    topics, out = list(TOPICS), []
    for size in sizes:
        some, topics = topics[:size], topics[size:]
        out.append(scorer.score_runs({name: {t: run[t] for t in some if t in run} for name, run in RUNS.items()}))
    return out


def summed(parts: list[Any]) -> Any:
    total = parts[0]
    for part in parts[1:]:
        total = total | part
    return total


@pytest.mark.parametrize("words", [{}, {"missing": "skip"}, {"ties": "docid", "unjudged": "condense"}])
def test_they_are_those_of_compare_and_of_scipy(words: dict[str, Any]) -> None:
    scorer = Scorer(QRELS, MEASURES, **words)
    parts = parts_of(scorer, [4, 1, 15])
    found = scorer.result_of_runs(summed(parts))
    table = cranfield.evaluate(RUNS, QRELS, MEASURES, **words)
    means = cranfield.evaluate_means(RUNS, QRELS, MEASURES, **words)
    assert {name: total.means for name, total in found.totals.items()} == means
    rows = cranfield.comparison.estimate_means(table).rows.set_index(["system", "measure"])
    for name, total in found.totals.items():
        for measure, ends in total.intervals().items():
            expected = rows.loc[(name, measure), ["low", "high"]].astype(float)
            assert ends == pytest.approx(tuple(expected), rel=1e-12, nan_ok=True)
    assert {test.measure for test in found.tests} == set(MEASURES) - {"GMAP"}
    for measure in ("AP", "nDCG@5", "NumRelRet", "Bpref"):
        by_pair = {(one.system, one.other): one for one in found.tests if one.measure == measure}
        assert len(by_pair) == 3
        pairs = cranfield.compare(table[measure], interval="t").pairs
        for row in pairs.to_dict("records"):
            test = by_pair[row["system"], row["other"]]
            one = test.difference
            assert (one.mean, one.statistic, one.p, test.p_adjusted, *one.interval()) == pytest.approx(
                [row[name] for name in ("difference", "statistic", "p", "p_adjusted", "low", "high")], rel=1e-9
            )
            scores = table[measure].sel(system=[row["system"], row["other"]]).to_numpy()
            left, right = scores[~np.isnan(scores).any(axis=1)].T
            assert one.topics == len(left)
            theirs = scipy.stats.ttest_rel(left, right)
            assert (one.statistic, one.p) == pytest.approx((theirs.statistic, theirs.pvalue), rel=1e-9)


def test_the_split_and_the_order_change_no_bit() -> None:
    scorer = pickle.loads(pickle.dumps(Scorer(QRELS, MEASURES)))
    whole = summed(parts_of(scorer, [20]))
    for sizes in ([3, 1, 2, 4, 2, 8], [3, 9, 8], [7, 13]):
        parts = [pickle.loads(pickle.dumps(part)) for part in parts_of(scorer, sizes)]
        assert summed(parts[::-1]) == whole == summed(parts)
    assert scorer.result_of_runs(whole).totals["dense"].missing == 3


def test_systems_that_are_alike_and_differences_that_are_constant() -> None:
    scorer = Scorer({f"q{n}": {"a": 1} for n in range(5)}, "RR")
    runs = {name: {f"q{n}": {"a": score, "b": 0.5} for n in range(5)} for name, score in (("x", 1), ("y", 1), ("z", 0))}
    tests = {(one.system, one.other): one.difference for one in scorer.result_of_runs(scorer.score_runs(runs)).tests}
    alike, constant = tests["x", "y"], tests["x", "z"]
    assert (alike.mean, alike.statistic, alike.p, alike.interval()) == (0.0, 0.0, 1.0, (0.0, 0.0))
    assert (constant.mean, constant.statistic, constant.p) == (0.5, np.inf, 2 * 0.5**5), "by the signs of five topics"
    assert np.isnan(constant.interval()).all()
    alone = scorer.score_runs({name: {"q1": run["q1"]} for name, run in runs.items()}).differences["x", "z"][0]
    assert np.isnan([alone.error, alone.statistic, alone.p, *alone.interval()]).all()


def test_what_does_not_fit_together_is_refused() -> None:
    scorer = Scorer(QRELS, "AP")
    one, two = parts_of(scorer, [10, 10])
    with pytest.raises(InputError, match=r"topic 'q\d+' is in two parts"):
        one | two | one
    fewer = scorer.score_runs({"bm25": {TOPICS[19]: {"d1": 1.0}}})
    with pytest.raises(InputError, match=r"of other runs \(bm25, dense, mixed; bm25\): give every part the same runs"):
        one | fewer
    strict = Scorer(QRELS, "AP", missing="error")
    with pytest.raises(InputError, match=r"2 of 20 judged topics are missing in run 'dense' \(missing=error\)"):
        strict.score_runs({name: {t: run[t] for t in TOPICS[:5] if t in run} for name, run in RUNS.items()})
