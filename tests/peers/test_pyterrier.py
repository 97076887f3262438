"""PyTerrier's experiments on this engine, without Java: results are frames, and ``pt.cranfield`` is what it offers."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
from functools import partial
from typing import Any

import ir_measures
import numpy as np
import pandas as pd
import pytest
from scipy import stats

import cranfield
from cranfield import CranfieldWarning, InputError, UsageError
from cranfield.integrations import pyterrier

paired_tests = pyterrier.tests
TOPICS = 12
MEASURES = ["map", "ndcg_cut_10", "recip_rank", ir_measures.AP(rel=2), "num_q"]
LOUD = pytest.mark.filterwarnings("ignore::cranfield.errors.CranfieldWarning")
"""Of tests that say what they notice: systems with equal scores, too few resamples for a p near alpha."""


@pytest.fixture(scope="module")
def pt() -> Any:
    import pyterrier as imported

    assert not imported.java.started()
    return imported


@pytest.fixture(scope="module")
def frames() -> tuple[pd.DataFrame, pd.DataFrame, list[pd.DataFrame]]:
    """Topics, judgments, and three systems, each better than the one before; the third lacks the last topic."""
    rng = np.random.default_rng(5)
    topics = pd.DataFrame({"qid": [f"q{number}" for number in range(TOPICS)], "query": "words"})
    labels = rng.integers(0, 3, (TOPICS, 30))
    rows = [(qid, f"d{document}") for qid in topics["qid"] for document in range(30)]
    qrels = pd.DataFrame(rows, columns=["qid", "docno"]).assign(label=labels.ravel())
    systems = []
    for skill in (0.0, 0.5, 2.0):
        scores = np.round(skill * labels + rng.normal(size=labels.shape), 1).ravel()
        result = qrels[["qid", "docno"]].assign(score=scores)
        result["rank"] = result.groupby("qid")["score"].rank(ascending=False, method="first").astype(int) - 1
        systems.append(result)
    systems[2] = systems[2][systems[2]["qid"] != f"q{TOPICS - 1}"]
    return topics, qrels, systems


def experiment(pt: Any, frames: Any, **more: Any) -> Any:
    topics, qrels, systems = frames
    transformers = [pt.Transformer.from_df(systems[0]), *systems[1:]]
    measures = MEASURES[:-1] if "baseline" in more else MEASURES  # SciPy warns where all scores are equal
    return pt.Experiment(transformers, topics, qrels, measures, names=["a", "b", "c"], validate="ignore", **more)


def test_the_distribution_offers_the_module(pt: Any) -> None:
    [offered] = importlib.metadata.entry_points(group="pyterrier.modules", name="cranfield")
    assert offered.value == "cranfield.integrations.pyterrier"
    assert pt.cranfield is pyterrier


def test_to_offer_it_imports_nothing_and_switches_nothing_on() -> None:
    script = (
        "import sys, cranfield.integrations.pyterrier as offered; assert offered.tests and offered.use\n"
        "print(sorted({'numpy', 'pandas', 'xarray', 'ir_measures', 'pyterrier'} & set(sys.modules)))"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, encoding="utf-8", check=True)
    assert ended.stdout == "[]\n"
    assert "cranfield" not in [provider.NAME for provider in ir_measures.DefaultPipeline.providers]


@pytest.mark.parametrize("how", [{}, {"batch_size": 5}, {"perquery": True}, {"plan": "tree", "verbose": False}])
def test_an_experiment_has_the_same_numbers(pt: Any, frames: Any, how: dict[str, Any]) -> None:
    if "batch_size" in how:  # which takes no frames as systems
        frames = frames[0], frames[1], [frames[2][0], *map(pt.Transformer.from_df, frames[2][1:])]
    theirs = experiment(pt, frames, **how)
    used = []
    with pt.cranfield.use() as use:
        evaluator = type(use.provider._evaluator([ir_measures.AP], {}))
        original = evaluator._scored
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(evaluator, "_scored", lambda self, run: used.append(run) or original(self, run))
            ours = experiment(pt, frames, **how)
    assert len(used) >= 3
    order = ["name", "qid", "measure"] if "perquery" in how else ["name"]
    pd.testing.assert_frame_equal(
        ours.sort_values(order, ignore_index=True),
        theirs.sort_values(order, ignore_index=True),
        check_like=True,
        atol=1e-12,
    )


@pytest.mark.slow
@LOUD
@pytest.mark.parametrize("test", ["t", "wilcoxon"])
def test_tests_that_scipy_has_agree(pt: Any, frames: Any, test: str) -> None:
    with pt.cranfield.use():
        theirs = experiment(pt, frames, baseline=0, test=test)
        ours = experiment(pt, frames, baseline=0, test=getattr(pt.cranfield.tests, test))
    column = "map p-value"
    assert ours[column][1:].tolist() == pytest.approx(theirs[column][1:].tolist(), abs=1e-9)
    assert np.isnan(ours[column][0])


@pytest.mark.slow
@LOUD
def test_a_permutation_test_as_compare_makes_it(pt: Any, frames: Any) -> None:
    test = partial(pt.cranfield.tests.permutation, resamples=500, seed=3)
    with pt.cranfield.use():
        table = experiment(pt, frames, baseline=0, test=test, correction="holm")
        scores = pt.cranfield.read_experiment(experiment(pt, frames, perquery=True))
    how: Any = {"test": "permutation", "baseline": "a", "resamples": 500, "seed": 3}
    pairs = cranfield.compare(scores["map"], correction="none", **how).pairs.set_index("system")
    assert table["map p-value"][1:].tolist() == pairs.loc[["b", "c"], "p"].tolist()
    adjusted = cranfield.compare(scores["map"], correction="holm", **how).pairs.set_index("system")
    corrected = table["map p-value corrected"][1:].tolist()
    assert corrected == pytest.approx(adjusted.loc[["b", "c"], "p_adjusted"].tolist())


@pytest.mark.slow
@pytest.mark.parametrize(("theirs", "ours"), [("holm", "holm"), ("bonferroni", "bonferroni"), ("fdr_bh", "bh")])
def test_corrections_by_their_names(pt: Any, frames: Any, theirs: str, ours: Any) -> None:
    table = experiment(pt, frames, baseline=0, correction=theirs)
    scores = pt.cranfield.read_experiment(experiment(pt, frames, perquery="both"))
    pairs = cranfield.compare(scores["recip_rank"], correction=ours, baseline="a").pairs.set_index("system")
    corrected = table["recip_rank p-value corrected"][1:].tolist()
    assert corrected == pytest.approx(pairs.loc[["b", "c"], "p_adjusted"].tolist(), abs=1e-9)


def test_scores_of_an_experiment_are_those_of_evaluate(pt: Any, frames: Any) -> None:
    _, qrels, systems = frames
    read = pt.cranfield.read_experiment(experiment(pt, frames, perquery=True))
    runs = dict(zip("abc", systems, strict=True))
    with pytest.warns(CranfieldWarning, match="counted as an empty ranking"):
        own = cranfield.evaluate(runs, qrels, ["map", "AP(rel=2)"], ties="trec9", compat="trec_eval9")
    for theirs, ours in (("map", "AP"), ("AP(rel=2)", "AP(rel=2)")):
        one = read[theirs].sel(topic=own["topic"], system=own["system"])
        np.testing.assert_allclose(one.to_numpy(), own[ours].to_numpy(), atol=1e-12)
    assert read["num_q"].attrs["summary"] == "sum"


@pytest.mark.parametrize(
    ("experiment", "error", "message"),
    [
        (pd.DataFrame({"name": ["a"], "map": [0.5]}), UsageError, "this has the columns 'name', 'map'"),
        ({"a": {"map": 0.5}}, UsageError, "and this is a dict"),
        (
            pd.DataFrame({"name": ["a"] * 2, "qid": ["1"] * 2, "measure": ["map"] * 2, "value": [0.1, 0.2]}),
            InputError,
            "the experiment: map of system 'a' on topic '1' occurs twice",
        ),
        (
            pd.DataFrame({"name": ["a"], "qid": ["1"], "measure": ["map"], "value": [np.inf]}),
            InputError,
            "infinite",
        ),
    ],
)
def test_what_is_no_experiment_is_named(experiment: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        cranfield.compare(pyterrier.read_experiment(experiment)["map"])
    assert message in str(caught.value)


# ---- the tests by themselves


A = [0.5, 0.2, 0.9, 0.4, 0.7, 0.1]
B = [0.4, 0.25, 0.6, 0.1, 0.5, 0.0]


@LOUD
def test_tests_against_scipy() -> None:
    assert paired_tests.t(A, B) == pytest.approx(tuple(stats.ttest_rel(A, B)), abs=1e-12)
    assert paired_tests.t(B, A).statistic == pytest.approx(-paired_tests.t(A, B).statistic)
    assert paired_tests.wilcoxon(A, B) == pytest.approx(tuple(stats.wilcoxon(A, B)), abs=1e-12)
    assert paired_tests.sign(A, B).pvalue == pytest.approx(stats.binomtest(5, 6).pvalue)

    def mean(x: Any, y: Any, axis: int) -> Any:
        return np.mean(x - y, axis=axis)

    exact = stats.permutation_test((np.array(A), np.array(B)), mean, permutation_type="samples", vectorized=True)
    assert paired_tests.permutation(A, B).pvalue == pytest.approx(exact.pvalue)
    assert paired_tests.bootstrap(A, B, seed=2) == paired_tests.bootstrap(A, B, seed=2)
    assert 0 < paired_tests.bootstrap(A, B).pvalue < 0.2


def test_a_topic_without_a_score_is_left_out() -> None:
    assert paired_tests.t([*A, np.nan], [*B, 1.0]) == paired_tests.t(A, B)


@pytest.mark.parametrize(
    ("a", "b", "error", "message"),
    [
        (A, B[:-1], UsageError, "t takes two lists of the same topics, and they have 6 and 5"),
        ([0.5], [0.4], InputError, "topic"),
        ([0.5, "high"], [0.4, 0.2], UsageError, "high"),
    ],
)
def test_lists_that_do_not_fit_are_named(a: Any, b: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        paired_tests.t(a, b)
    assert message in str(caught.value)
