"""The gate: its verdicts against intervals and simulations, odd inputs, stored baselines, and the assertion."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.weightstats import DescrStatsW

import cranfield
from cranfield import InputError, UsageError
from cranfield.comparison import assert_no_regression, compare, gate
from cranfield.comparison.regression_gate import GateTests, judge, overall, topics_needed
from cranfield.statistics import margin_power
from effort import examples


def scores_of(*systems: Any, name: str = "AP", larger_is_better: int = 1) -> xr.DataArray:
    """Scores of systems a, b, ... on topics 1, 2, ..."""
    table = np.column_stack([np.asarray(one, dtype=float) for one in systems])
    labels = {
        "topic": np.array([str(topic) for topic in range(1, len(table) + 1)], dtype=object),
        "system": np.array(list("abcdefgh"[: table.shape[1]]), dtype=object),
    }
    return xr.DataArray(
        table, labels, ("topic", "system"), name=name, attrs={"larger_is_better": larger_is_better, "summary": "mean"}
    )


def drawn(topics: int, *losses: float, seed: int = 0, noise: float = 0.1) -> xr.DataArray:
    """A baseline and systems whose mean losses are about so much."""
    rng = np.random.default_rng(seed)
    base = rng.uniform(0.2, 0.8, topics)
    return scores_of(base, *(base - loss + noise * rng.standard_normal(topics) for loss in losses))


# ---- the verdict is that of the interval, and of compare


@given(st.integers(0, 999), st.sampled_from([3, 8, 30]), st.floats(-0.2, 0.2), st.sampled_from([0.01, 0.05]))
@examples(10)
def test_limits_decide(seed: int, topics: int, loss: float, margin: float) -> None:
    row = gate(drawn(topics, loss, seed=seed), margin=margin).rows.iloc[0]
    assert (row.low > -margin) == (row.verdict == "no regression") == (row.p_no_regression < 0.05)
    assert (row.high < -margin) == (row.verdict == "regression") == (row.p_regression < 0.05)
    assert row.p_no_regression + row.p_regression == pytest.approx(1)


def test_numbers_are_those_of_compare_and_of_statsmodels() -> None:
    scores = drawn(25, 0.0, 0.06, -0.02)
    found = gate(scores, margin=0.03).rows
    with pytest.warns(cranfield.CranfieldWarning, match="25 topics would show"):
        margins = compare(scores, baseline="a", margin=0.03, correction="bonferroni").margins
    assert margins is not None
    for ours, theirs in (("p_no_regression", "p_noninferior"), ("low", "low"), ("power", "power_noninferior")):
        np.testing.assert_allclose(found[ours], margins[theirs], rtol=1e-12)
    assert (found["verdict"] == "no regression").tolist() == margins["noninferior"].tolist()
    for row in found.itertuples():
        peer = DescrStatsW(scores.sel(system=row.system).to_numpy() - scores.sel(system="a").to_numpy())
        assert row.p_no_regression == pytest.approx(min(1, 3 * peer.ttest_mean(-0.03, "larger")[1]), rel=1e-9)
        assert row.p_regression == pytest.approx(min(1, 3 * peer.ttest_mean(-0.03, "smaller")[1]), rel=1e-9)


def test_measures_correct_regressions_and_systems_correct_both() -> None:
    scores = drawn(25, 0.02, 0.03)
    alone = gate(scores.sel(system=["a", "b"])).rows.iloc[0]
    both = xr.Dataset({"AP": scores, "RR": scores.rename("RR")})
    for table, passing, failing in (
        (both.sel(system=["a", "b"]), 1, 2),
        (scores.to_dataset(name="AP"), 2, 2),
        (both, 2, 4),
    ):
        row = gate(table).rows.iloc[0]
        assert row.p_no_regression == pytest.approx(min(1, passing * alone.p_no_regression))
        assert row.p_regression == pytest.approx(min(1, failing * alone.p_regression))


# ---- how often the words are wrong


def error_rates(loss: Any, topics: int, margin: float, sims: int, noise: Any, seed: int = 1) -> dict[str, float]:
    """Shares of simulated gates with each verdict; ``loss`` [systems, measures] is true, of paired differences."""
    rng = np.random.default_rng(seed)
    loss = np.atleast_2d(loss)
    z = noise(rng, (sims, topics, *loss.shape)) - loss
    gain, error = z.mean(axis=1), z.std(axis=1, ddof=1) / np.sqrt(topics)
    df, margins, none = np.full(gain.shape, topics - 1.0), np.full(loss.shape[1], margin), np.zeros(loss.shape[1])
    tests = GateTests(gain, error, df, margins, np.ones(gain.shape), none)
    found = judge(tests, 0.05).verdicts
    words = ["no regression", "regression", "cannot tell"]
    return {word: float(np.mean((found == word).any(axis=(1, 2)))) for word in words} | {
        "all pass": float(np.mean((found == "no regression").all(axis=2).any(axis=1)))
    }


def normal(rng: np.random.Generator, shape: tuple[int, ...]) -> Any:
    return 0.1 * rng.standard_normal(shape)


def within(share: float, level: float, sims: int) -> bool:
    """Not significantly above the level."""
    return stats.binom.sf(round(share * sims) - 1, sims, level) > 1e-4


def test_both_words_hold_their_level_at_the_margin() -> None:
    """A true loss of exactly the margin is where both errors are largest, and there each is alpha."""
    found = error_rates(0.02, 20, 0.02, 20_000, normal)
    assert found["no regression"] == pytest.approx(0.05, abs=0.007)
    assert found["regression"] == pytest.approx(0.05, abs=0.007)


def test_a_regression_is_hardly_ever_called_where_there_is_none() -> None:
    assert error_rates(0.0, 50, 0.03, 5000, normal)["regression"] < 0.001
    assert error_rates(0.0, 5, 0.03, 5000, normal)["regression"] < 0.04


@pytest.mark.parametrize(("systems", "measures"), [(4, 1), (1, 4), (3, 3)])
def test_words_of_many_systems_and_measures_hold_their_level_together(systems: int, measures: int) -> None:
    sims = 3000
    at_margin = np.full((systems, measures), 0.02)
    assert within(error_rates(at_margin, 20, 0.02, sims, normal)["regression"], 0.05, sims)
    # By one measure each system is worse by the margin, by the others much better: the hardest case of "all pass".
    hard = np.full((systems, measures), -1.0)
    hard[np.arange(systems), np.arange(systems) % measures] = 0.02
    assert within(error_rates(hard, 20, 0.02, sims, normal)["all pass"], 0.05, sims)


def skewed(rng: np.random.Generator, shape: tuple[int, ...]) -> Any:
    """Most topics do not change, some change much: differences of nDCG@10 between versions of a system."""
    changed = rng.uniform(size=shape) < 0.3
    return np.where(changed, rng.choice([-1.0, 1.0], shape) * rng.beta(1, 3, shape), 0.0)


@pytest.mark.heavy
@pytest.mark.parametrize("topics", [10, 25, 50, 200])
def test_levels_on_skewed_differences(topics: int) -> None:
    """The t-test is approximate there: up to 1.5 times alpha is put up with."""
    for loss in (0.01, 0.05):
        found = error_rates(loss, topics, loss, 20_000, skewed)
        assert found["no regression"] < 0.075
        assert found["regression"] < 0.075


# ---- odd inputs


def test_identical_systems_are_no_regression_whatever_the_margin() -> None:
    values = [0.1, 0.9, 0.5]
    row = gate(scores_of(values, values), margin=1e-9).rows.iloc[0]
    assert (row.verdict, row.p_no_regression, row.p_regression) == ("no regression", 0, 1)
    assert (row.low, row.high, row.worst_topic, row.worst_loss) == (0, 0, "", 0)
    assert row.reason == "the same score on every topic"


@pytest.mark.parametrize("loss", [0.5, 0.125, 0.0625, -0.5])
def test_a_difference_that_does_not_vary_is_judged_by_exact_signs(loss: float) -> None:
    """Three topics of one sign have p 1/8, which decides nothing; only a topic that loses too much does."""
    base = np.array([0.5, 0.75, 1.0])
    row = gate(scores_of(base, base - loss), margin=0.125).rows.iloc[0]
    assert row.verdict == "cannot tell"
    assert row.reason.startswith(f"differs by the same amount, {-loss:.4f}, on every topic, which leaves no spread")
    assert row[["low", "high", "power"]].isna().all()
    expected = (1, 1) if loss == 0.125 else (1, 0.125) if loss > 0.125 else (0.125, 1)
    assert (row.p_no_regression, row.p_regression) == expected
    what = "the drop is just the margin" if loss == 0.125 else "exact signs of 3 topics have p 0.12, and 5 topics would"
    assert what in row.reason
    with pytest.warns(cranfield.CranfieldWarning, match="which leaves no spread to judge by"):
        margins = compare(scores_of(base, base - loss), baseline="a", margin=0.125).margins
    assert margins["p_noninferior"][0] == row.p_no_regression
    assert not margins["noninferior"].any()
    broken = gate(scores_of(base, base - loss), margin=0.125, worst_topic=0.25).rows.iloc[0]
    assert broken.verdict == ("regression" if loss > 0.25 else "cannot tell")


@pytest.mark.parametrize(
    ("topics", "loss", "verdict"),
    [
        (20, 1.0, "regression"),
        (20, -1.0, "no regression"),
        (5, 1.0, "regression"),
        (5, -1.0, "no regression"),
        (4, 1.0, "cannot tell"),
        (4, -1.0, "cannot tell"),
        (20, 0.005, "no regression"),
        (20, 0.01, "cannot tell"),
    ],
)
def test_topics_that_all_lose_or_win_alike(topics: int, loss: float, verdict: str) -> None:
    """A loss below the margin on every topic passes, one above it is a regression: 2^-5 < .05."""
    base = np.full(topics, loss if loss > 0 else 0.25)
    found = gate(scores_of(base, base - loss, name="Success@10"))
    row = found.rows.iloc[0]
    assert found.verdict == row.verdict == verdict
    if loss != 0.01:
        assert min(row.p_no_regression, row.p_regression) == 2.0**-topics
    mirrored = gate(scores_of(base - loss, base, name="latency", larger_is_better=0)).rows.iloc[0]
    assert (mirrored.verdict, mirrored.p_regression) == (verdict, row.p_regression)
    if verdict == "regression":
        assert "by exact signs the drop is more than the margin of 0.01" in row.reason
        assert "by exact signs the rise is more than the margin of 0.01" in mirrored.reason


def test_exact_signs_are_corrected_as_other_tests_are() -> None:
    base = np.ones(5)
    assert gate(scores_of(base, base - 1, base - 1)).verdict == "cannot tell"
    rows = gate(scores_of(np.ones(6), np.zeros(6), np.zeros(6))).rows
    assert rows["p_regression"].tolist() == [2 * 2.0**-6] * 2
    assert set(rows["verdict"]) == {"regression"}
    assert "10 topics would do" not in gate(scores_of(base, base - 1, base - 1)).rows["reason"][0]
    assert "6 topics would do" in gate(scores_of(base, base - 1, base - 1)).rows["reason"][0]


@given(st.integers(0, 999), st.sampled_from([1e-3, 1.0, 1e3]))
@examples(20)
def test_rounding_is_no_spread(seed: int, scale: float) -> None:
    """The same differences, each rounded otherwise, are the same: no t of some 1e15."""
    rng = np.random.default_rng(seed)
    base = rng.uniform(0.5, 1.0, 12) * scale
    row = gate(scores_of(base, (base - 0.3 * scale) + rng.uniform(-1, 1, 12) * 4e-16 * scale), margin=0.01).rows.iloc[0]
    assert np.isnan(row.low)
    if scale >= 1:
        assert (row.verdict, row.p_regression) == ("regression", 2.0**-12)


def test_a_gain_without_spread_counts_in_corrections_and_changes_no_other_limits() -> None:
    base = np.array([0.25, 0.5, 0.75, 1.0])
    varied = base - np.array([0.0, 0.125, 0.0, 0.25])
    beside, pair = (gate(scores_of(base, varied, *more), margin=0.125).rows for more in ((base - 0.5,), (varied,)))
    for name in ("low", "high", "p_no_regression", "p_regression", "verdict"):
        assert beside[name][0] == pair[name][0]


def test_few_topics_cannot_tell_and_say_how_many_would() -> None:
    found = gate(drawn(10, 0.01), margin=0.02)
    row = found.rows.iloc[0]
    assert found.verdict == row.verdict == "cannot tell"
    assert "10 topics would rule out a drop of 0.02 " in row.reason
    deviation = float(np.std(np.diff(drawn(10, 0.01).to_numpy(), axis=1), ddof=1))
    needed = topics_needed(deviation, 0.02, 0.05)
    assert f"; {needed:,.0f} topics give 80%" in row.reason
    shares = [
        error_rates(0.0, int(n), 0.02, 4000, lambda rng, shape: deviation * rng.standard_normal(shape))["no regression"]
        for n in (needed, needed / 2)
    ]
    assert shares[0] == pytest.approx(0.8, abs=0.02)
    assert shares[1] < 0.65
    assert topics_needed(1.0, 1e-6, 0.05) == np.inf


def test_one_topic_is_refused() -> None:
    with pytest.raises(InputError, match="a gate needs 2 topics or more"):
        gate(scores_of([0.5], [0.25]))
    with pytest.raises(InputError, match="'b' and the baseline 'a' share 1 topic, of 2 needed"):
        gate(scores_of([0.5, 0.5], [0.5, np.nan]))


def test_a_topic_that_a_system_lost_is_never_passed() -> None:
    base = np.linspace(0.1, 0.9, 10)
    gone = np.where(np.arange(10) == 3, np.nan, base)
    row = gate(scores_of(base, gone)).rows.iloc[0]
    assert (row.verdict, row.missing, row.topics) == ("cannot tell", 1, 9)
    assert row.reason == "no score on topic 4 of the baseline's"
    found = gate(scores_of(gone, base))
    assert found.verdict == "cannot tell", "nobody knows whether the topic that the baseline lacks is a loss"
    assert found.rows[["missing", "missing_baseline", "topics"]].to_numpy().tolist() == [[0, 1, 9]]
    assert found.rows["reason"].tolist() == ["the baseline has no score on topic 4"]
    assert gate(scores_of(gone, gone)).rows["missing"].tolist() == [0]
    assert gate(scores_of(base, gone - np.linspace(0.4, 0.5, 10))).verdict == "regression"


def test_equal_scores_on_few_topics_do_not_hide_the_others() -> None:
    base = np.append(np.full(5, 0.5), np.full(25, np.nan))
    new = np.append(np.full(5, 0.5), np.zeros(25))
    (row,) = gate(scores_of(base, new)).rows.to_dict("records")
    assert (row["verdict"], row["topics"], row["missing_baseline"]) == ("cannot tell", 5, 25)
    assert row["reason"].startswith("the baseline has no score on 25 topics (")


def test_a_single_topic_that_loses_too_much() -> None:
    base = np.full(200, 0.75)
    new = base.copy()
    new[6] = 0.25
    assert gate(scores_of(base, new)).verdict == "no regression"
    assert gate(scores_of(base, new), worst_topic=0.5).verdict == "no regression", "no more than it"
    found = gate(scores_of(base, new), worst_topic=0.49)
    assert found.verdict == "regression"
    assert found.rows["reason"].tolist() == ["topic 7 loses 0.5000, more than 0.49"]
    assert found.worst_topics.to_dict("list") == {
        "system": ["b"], "measure": ["AP"], "topic": ["7"], "score": [0.25], "score_baseline": [0.75], "loss": [0.5],
    }  # fmt: skip


def test_smaller_may_be_better() -> None:
    scores = drawn(30, -0.2, seed=4)
    scores.attrs["larger_is_better"] = 0
    mirrored = drawn(30, 0.2, seed=4)
    row, other = gate(scores).rows.iloc[0], gate(-scores.assign_attrs(larger_is_better=1)).rows.iloc[0]
    assert row.verdict == other.verdict == gate(mirrored).verdict == "regression"
    assert (row.low, row.high, row.difference) == pytest.approx((-other.high, -other.low, -other.difference))
    assert row.worst_loss == pytest.approx(other.worst_loss)


def test_what_a_call_may_not_say() -> None:
    scores = drawn(10, 0.1)
    for options, said in (
        ({"margin": 0}, "margin=0 should be a number above 0"),
        ({"margin": {"RR": 0.1}}, "margin: 'RR' is none of the measures AP"),
        ({"margin": {}}, "margin: there is none for AP"),
        ({"worst_topic": -1}, "worst_topic=-1 should be"),
        ({"alpha": 0.5}, "alpha=0.5 should be below 0.5"),
        ({"baseline": "aa"}, "no system is called 'aa'; did you mean 'a'?"),
    ):
        with pytest.raises(UsageError) as refused:
            gate(scores, **options)
        assert str(refused.value).startswith(said)
    with pytest.raises(InputError, match="a gate needs a baseline and a new system"):
        gate(scores.sel(system=["a"]))
    assert overall(["no regression", "cannot tell"]) == "cannot tell"
    assert overall(["regression", "cannot tell"]) == "regression"


# ---- stored baselines


RUN = {str(topic): {"a": 3.0, "b": 2.0, "c": 1.0} for topic in range(8)}
BAD = {topic: {"c": 3.0, "b": 2.0, "a": 1.0} for topic in RUN} | {"7": {"c": 3.0, "b": 2.0}}
QRELS = {topic: {"a": 2, "b": 1, "c": 0} for topic in RUN}


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    path = tmp_path / "main.json"
    cranfield.write_scores(cranfield.evaluate({"bm25": RUN}, QRELS, ["nDCG@10", "AP"]), path)
    return path


@pytest.mark.filterwarnings("ignore:.*ranks the same judged documents")
def test_a_stored_baseline_is_the_run_itself(stored: Path) -> None:
    new = cranfield.evaluate({"bm25": BAD, "same": RUN}, QRELS, "nDCG@10")
    found = gate(new, against=cranfield.read_scores(stored))
    direct = gate(cranfield.evaluate({"base": RUN, "bm25": BAD, "same": RUN}, QRELS, "nDCG@10"))
    assert found.rows.equals(direct.rows)
    assert found.rows["verdict"].tolist() == ["regression", "no regression"]
    assert found.settings["baseline"] == "bm25"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"qrels": QRELS | {"1": {"a": 1}}}, r"otherwise than the new runs: qrels \('qrels' with SHA-256 "),
        ({"ties": "docid"}, r"otherwise than the new runs: ties \(trec and docid\); store it anew"),
        ({"measures": "RR"}, r"holds no scores by RR, but by nDCG@10, AP: choose one of these with measures=, or"),
        ({"missing": "skip", "undefined": "keep"}, r"missing \(empty and skip\); undefined \(declared and keep\)"),
    ],
    ids=str,
)
def test_a_baseline_that_was_made_otherwise_is_refused(stored: Path, change: dict[str, Any], said: str) -> None:
    call: dict[str, Any] = {"runs": {"new": RUN}, "qrels": QRELS, "measures": "nDCG@10"} | change
    with pytest.raises(InputError, match=said):
        gate(cranfield.evaluate(**call), against=cranfield.read_scores(stored))


def test_scores_that_do_not_say_how_they_were_made(stored: Path, tmp_path: Path) -> None:
    new = cranfield.evaluate({"new": RUN}, QRELS, "nDCG@10")
    bare = tmp_path / "main.tsv"
    cranfield.write_scores(new, bare)
    with pytest.raises(InputError, match="the stored scores do not say with which judgments"):
        gate(new, against=cranfield.read_scores(bare))
    with pytest.raises(InputError, match="the new scores do not say with which judgments"):
        gate(cranfield.read_scores(bare), against=cranfield.read_scores(stored))


def test_a_baseline_of_another_version_warns(stored: Path) -> None:
    whole = json.loads(stored.read_text())
    whole["signature"]["cranfield"] = "0.0.1"
    del whole["seal"]
    stored.write_text(json.dumps(whole))
    said = pytest.warns(
        cranfield.CranfieldWarning, match="the stored baseline main.json has no seal, so that nobody can"
    )
    with said, pytest.warns(cranfield.CranfieldWarning, match=r"was made by cranfield 0\.0\.1, and this is"):
        assert gate(cranfield.evaluate({"new": RUN}, QRELS, "AP"), against=cranfield.read_scores(stored)).verdict == (
            "no regression"
        )


def test_one_of_several_stored_systems(tmp_path: Path) -> None:
    both = cranfield.evaluate({"one": RUN, "two": BAD}, QRELS, "AP")
    new = cranfield.evaluate({"new": BAD}, QRELS, "AP")
    with pytest.raises(UsageError, match="the stored scores are of 2 systems: name one of them"):
        gate(new, against=both)
    with pytest.raises(UsageError, match="no stored system is called 'three'; there are one, two"):
        gate(new, against=both, baseline="three")
    assert gate(new, against=both, baseline="two").verdict == "no regression"
    assert gate(new, against=both, baseline="one").verdict == "regression"


# ---- inside a test


def test_the_assertion(stored: Path) -> None:
    with pytest.raises(AssertionError) as failed:
        assert_no_regression({"new": BAD}, QRELS, baseline=RUN)
    text = str(failed.value)
    assert text.splitlines()[0].split() == [
        *("system", "measure", "verdict", "mean", "baseline", "difference", "interval", "margin", "topics")
    ]
    assert "\nregression: new compared with baseline\n" in text
    shown = failed.traceback.filter(failed)
    assert [str(entry.path) for entry in shown] == [__file__], "pytest shows the test and the table, not this package"
    with pytest.raises(UsageError, match="give what new runs") as refused:
        assert_no_regression({"new": BAD}, QRELS)
    assert len(refused.traceback.filter(refused)) > 1, "what is wrong with a call is shown in full"
    with pytest.raises(AssertionError, match="regression: new compared with bm25"):
        cranfield.assert_no_regression({"new": BAD}, QRELS, against=stored)
    found = cranfield.assert_no_regression({"new": RUN}, QRELS, ["AP", "nDCG@10"], against=stored)
    assert found.verdict == "no regression"
    for both in ({}, {"baseline": RUN, "against": stored}):
        with pytest.raises(UsageError, match="give what new runs are compared with"):
            assert_no_regression({"new": RUN}, QRELS, **both)


def test_the_assertion_advises_no_estimates_where_almost_all_judgments_are_of_relevant_documents() -> None:
    qrels = {topic: {"m1": 1} for topic in "123456"}
    runs = {"new": {topic: {f"m{at}": 9.0 - at for at in range(9)} for topic in qrels}}
    with pytest.warns(cranfield.CranfieldWarning, match="choose unjudged='zero', by which unjudged documents count as"):
        assert_no_regression(runs, qrels, baseline=runs["new"], unjudged="condense")


def test_the_assertion_where_topics_are_too_few() -> None:
    mixed = {topic: (BAD if topic == "3" else RUN)[topic] for topic in RUN}
    with pytest.raises(AssertionError, match="cannot tell: new compared with baseline"):
        assert_no_regression({"new": mixed}, QRELS, baseline=RUN)
    assert assert_no_regression({"new": mixed}, QRELS, baseline=RUN, cannot_tell="pass").verdict == "cannot tell"
    with pytest.raises(UsageError, match="cannot_tell='maybe' is not one of"):
        assert_no_regression({"new": mixed}, QRELS, baseline=RUN, cannot_tell="maybe")  # type: ignore[arg-type]


@pytest.mark.parametrize(("deviation", "margin", "level"), [(0.2, 0.01, 0.05), (0.3, 0.05, 2.5e-5), (0.01, 0.5, 0.4)])
def test_the_number_of_topics_that_would_do_is_the_smallest(deviation: float, margin: float, level: float) -> None:
    needed = int(topics_needed(deviation, margin, level))
    power = [
        margin_power(np.array([deviation / np.sqrt(n)]), np.array([n - 1.0]), margin, level).noninferiority[0]
        for n in (max(2, needed - 1), needed)
    ]
    assert power[1] >= 0.8
    assert needed == 2 or power[0] < 0.8


def test_systems_that_share_too_few_topics_are_told_what_a_gate_can_do() -> None:
    base = np.array([0.5, np.nan, np.nan, 0.4])
    with pytest.raises(InputError, match=r"share 1 topic, of 2 needed: evaluate both on the same topics$"):
        gate(scores_of(base, np.array([0.5, 0.4, 0.3, np.nan])))


@pytest.mark.parametrize(
    ("measure", "options", "refused"), [("nDCG@10", {}, True), ("nDCG@10", {"negative": "keep"}, False)]
)
def test_a_stored_score_below_the_range(measure: str, options: dict[str, Any], refused: bool, tmp_path: Path) -> None:
    """nDCG is below 0 where labels below zero are kept, and never else."""
    qrels = {f"q{at}": {"a": 1, "b": -1} for at in range(8)}
    runs = {name: {topic: {"a": 2.0, "b": 1.0} for topic in qrels} for name in ("old", "new")}
    stored = cranfield.evaluate({"old": runs["old"]}, qrels, measure, **options)
    new = cranfield.evaluate({"new": runs["new"]}, qrels, measure, **options)
    stored[measure][:] = -5 + np.arange(8.0).reshape(stored[measure].shape) / 10
    if refused:
        with pytest.raises(InputError, match=r"the stored baseline says -5 by nDCG@10 .* lies between 0 and 1"):
            gate(new, against=stored)
    else:
        assert gate(new, against=stored).verdict == "no regression"


def test_a_test_warns_of_many_unjudged_documents() -> None:
    qrels = {str(topic): {"a": 1, "b": 0} for topic in range(10)}
    judged, unknown = ({key: {document: 1.0} for key in qrels} for document in ("a", "new"))
    with pytest.warns(cranfield.CranfieldWarning) as warned, pytest.raises(AssertionError, match="regression"):
        cranfield.assert_no_regression({"change": unknown | {"0": {"a": 1.0}}}, qrels, "RR", baseline=judged)
    assert [str(each.message) for each in warned] == [
        "many of the first 10 documents are not judged, and count as not relevant (change 90.0%): estimate their "
        "labels with cranfield.estimate_holes"
    ]
    relevant_alone = {topic: {"a": 1} for topic in qrels}
    with warnings.catch_warnings(), pytest.raises(AssertionError, match="regression"):
        warnings.simplefilter("error", cranfield.CranfieldWarning)
        cranfield.assert_no_regression({"change": unknown | {"0": {"a": 1.0}}}, relevant_alone, "RR", baseline=judged)


def gate_of(differences: list[float], margin: float = 0.01) -> Any:
    """The row of a new system that differs from the baseline by so much on each topic."""
    base = np.full(len(differences), 0.5)
    return gate(scores_of(base, base + np.array(differences)), margin=margin).rows.iloc[0]


@pytest.mark.parametrize("exceptions", range(3))
@pytest.mark.parametrize("topics", [3, 4, 5, 10, 20])
def test_losses_that_are_equal_but_for_few_need_as_many_topics_as_equal_ones(topics: int, exceptions: int) -> None:
    """Success@10 that drops from 1 to 0: a loss on fewer topics is never surer, and five decide at .05."""
    few = min(exceptions, max(1, topics // 10))
    row = gate_of([-0.5] * (topics - few) + [0.0] * few)
    assert row.verdict == ("regression" if topics >= 5 else "cannot tell")
    assert row.p_regression >= 0.5**topics
    if topics == 4:
        assert "5 topics would do" in row.reason and np.isnan(row.low)


def test_a_spread_of_nearly_nothing_is_no_certainty() -> None:
    """Three topics that lose .2, .2 and .2000001: p is that of three signs, not of t."""
    row = gate_of([-0.2, -0.2, -0.2000001])
    assert (row.verdict, row.p_regression) == ("cannot tell", 0.125)
    assert "same amount on all topics but few" in row.reason


def test_one_outlier_does_not_hide_that_every_topic_loses_or_none_does() -> None:
    lost, gained = gate_of([-0.05] * 19 + [-0.45]), gate_of([0.0] * 19 + [0.5])
    assert (lost.verdict, lost.p_regression) == ("regression", 0.5**20)
    assert (gained.verdict, gained.p_no_regression) == ("no regression", 0.5**20)
    assert gate_of([0.0] * 19 + [-0.5]).verdict == "cannot tell"


@pytest.mark.slow
def test_signs_of_nearly_constant_losses_err_no_more_often_than_meant() -> None:
    """Symmetric about the margin, where either verdict is wrong: all but few topics of one size, random signs."""
    rng, wrong = np.random.default_rng(5), 0
    for _ in range(400):
        size = np.full(10, 0.1)
        size[0] = 0.3
        wrong += gate_of((size * rng.choice([-1, 1], 10) - 0.01).tolist()).verdict == "regression"
    assert within(wrong / 400, 0.05, 400)


@pytest.mark.filterwarnings("ignore:.*each tested by itself")
def test_a_stored_baseline_is_cut_to_the_topics_of_each_group(tmp_path: Path) -> None:
    """Otherwise each group lacks the topics of the others, and nothing lets it pass."""
    made = cranfield.simulation.simulate_runs(n_systems=2, n_topics=40)
    both = cranfield.evaluate(made.runs, made.qrels, "AP")
    names = both["system"].values.tolist()
    groups = {topic: "odd" if int(topic) % 2 else "even" for topic in both["topic"].values.tolist()}
    stored, new = both.sel(system=names[:1]), both.sel(system=names[1:])
    for across in ("none", "holm"):
        options = {"across_groups": across, "margin": 0.2}
        found = cranfield.repeat_by_group(gate, new, groups, against=stored, **options)
        whole = cranfield.repeat_by_group(gate, both, groups, baseline=names[0], **options)
        rows, expected = found.to_frame("rows"), whole.to_frame("rows")
        assert (rows["missing"] == 0).all()
        assert rows[["group", "verdict", "difference"]].equals(expected[["group", "verdict", "difference"]])


@pytest.mark.parametrize("new", [0.0, 0.5], ids=["as-empty", "better"])
def test_a_baseline_of_nothing_lets_nothing_pass(new: float) -> None:
    """Runs and judgments of different collections have 0 throughout: that was no regression."""
    empty = np.zeros(20)
    row = gate(scores_of(empty, empty + new)).rows.iloc[0]
    assert row.verdict == "cannot tell"
    assert row.reason.startswith("the baseline has 0 on every topic, so that nothing can be lost")
    first = np.array([0.25, *np.zeros(19)])
    assert gate(scores_of(first, first)).verdict == "no regression"
    assert gate(scores_of(empty, empty, name="latency", larger_is_better=0)).verdict == "no regression"
    assert gate(scores_of(empty[:1], empty[:1]), few_topics="cannot tell").verdict == "cannot tell"
