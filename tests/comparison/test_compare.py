"""``compare`` against peers and plain loops, and what it says of odd scores."""

from __future__ import annotations

import warnings
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multicomp import pairwise_tukeyhsd

import cranfield
from cranfield import CranfieldWarning, InputError, UsageError
from cranfield._text import drawn
from cranfield.comparison.result import letters
from cranfield.results.sheet import readable
from cranfield.statistics import adjust, contrasts

TESTS = ("t", "wilcoxon", "sign", "permutation", "bootstrap", "welch", "tukey", "randomized-tukey")
PAIRED = ("t", "wilcoxon", "sign", "permutation", "bootstrap")


def scores_of(values: Any, **attributes: Any) -> xr.DataArray:
    values = np.asarray(values, dtype=np.float64)
    labels = {
        "topic": [f"q{at}" for at in range(len(values))],
        "system": [chr(97 + at) for at in range(values.shape[1])],
    }
    return xr.DataArray(values, labels, ("topic", "system"), name="AP", attrs=attributes)


@pytest.fixture
def scores() -> xr.DataArray:
    rng = np.random.default_rng(7)
    return scores_of(rng.beta(1, 2, size=(24, 1)) * 0.5 + rng.beta(2, 3, size=(24, 5)) * 0.5 + np.linspace(0, 0.1, 5))


def row(found: cranfield.comparison.Comparison, one: str, other: str) -> pd.Series:  # type: ignore[type-arg]
    table = found.pairs
    return table[(table["system"] == one) & (table["other"] == other)].iloc[0]


def test_every_pair_by_t_equals_scipy(scores: xr.DataArray) -> None:
    found = cranfield.compare(scores, correction="none")
    assert len(found.pairs) == 10
    for line in found.pairs.itertuples():
        x, y = scores.sel(system=line.system).to_numpy(), scores.sel(system=line.other).to_numpy()
        peer = stats.ttest_rel(x, y)
        interval = peer.confidence_interval(0.95)
        assert (line.statistic, line.p) == pytest.approx((peer.statistic, peer.pvalue), rel=1e-10)
        assert (line.low, line.high) == pytest.approx((interval.low, interval.high), rel=1e-9)
        assert line.d_pair == pytest.approx((x - y).mean() / (x - y).std(ddof=1), rel=1e-12)
        assert (line.wins, line.ties, line.losses) == ((x > y).sum(), 0, (x < y).sum())
        assert line.mean - line.mean_other == pytest.approx(line.difference, abs=1e-15)
        assert line.difference >= 0
        assert line.significant == (line.p_adjusted < 0.05)
    assert list(found.means.index) == list(scores.mean("topic").to_series().sort_values(ascending=False).index)


def test_tukey_equals_statsmodels_on_scores_without_the_topics_effect(scores: xr.DataArray) -> None:
    """One-way Tukey on residuals has the same means and residuals; its degrees of freedom are not those of two ways."""
    values = scores.to_numpy()
    without = values - values.mean(axis=1, keepdims=True) + values.mean()
    names = np.tile(scores["system"].to_numpy(), len(values))
    peer = pairwise_tukeyhsd(without.ravel(), names)
    n, k = values.shape
    found = cranfield.compare(scores, test="tukey").pairs
    residual = without - without.mean(axis=0)
    mse = (residual**2).sum() / ((n - 1) * (k - 1))
    theirs = dict(zip(combinations(sorted(set(names)), 2), peer.meandiffs, strict=True))
    for line in found.itertuples():
        one, other = sorted((line.system, line.other))
        assert abs(line.difference) == pytest.approx(abs(theirs[one, other]), abs=1e-12)
        q = abs(line.difference) / np.sqrt(mse / n)
        assert line.statistic == pytest.approx(q, rel=1e-12)
        assert line.p == pytest.approx(stats.studentized_range.sf(q, k, (n - 1) * (k - 1)), abs=1e-9)
        half = stats.studentized_range.ppf(0.95, k, (n - 1) * (k - 1)) * np.sqrt(mse / n)
        assert (line.low, line.high) == pytest.approx((line.difference - half, line.difference + half), abs=1e-7)
        assert line.p_adjusted == line.p


def test_two_way_analysis_of_variance_equals_statsmodels(scores: xr.DataArray) -> None:
    from statsmodels.formula.api import ols
    from statsmodels.stats.anova import anova_lm

    from cranfield.statistics import two_way

    frame = scores.to_series().rename("score").reset_index()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        table = anova_lm(ols("score ~ C(topic) + C(system)", frame).fit())
    found = two_way(scores.to_numpy())
    theirs = (table["mean_sq"]["C(topic)"], table["mean_sq"]["C(system)"], table["mean_sq"]["Residual"])
    assert (found.ms_rows, found.ms_columns, found.ms_residual) == pytest.approx(theirs, rel=1e-9)
    assert found.df_residual == table["df"]["Residual"]


@pytest.mark.filterwarnings("ignore:.*may change sides with another seed")
@pytest.mark.parametrize("test", TESTS)
def test_baselines_turn_the_pair(scores: xr.DataArray, test: Any) -> None:
    whole = cranfield.compare(scores, test=test, correction="none")
    against = cranfield.compare(scores, test=test, correction="none", baseline=["b", "d"]).pairs
    assert list(zip(against["system"], against["other"], strict=True)) == [
        *(("a", "b"), ("c", "b"), ("d", "b"), ("e", "b")),
        *(("a", "d"), ("c", "d"), ("e", "d")),
    ]
    for line in against.itertuples():
        mean = whole.means
        turned = mean[line.system] < mean[line.other]
        first, second = (line.other, line.system) if turned else (line.system, line.other)
        peer = row(whole, first, second)
        sign = -1 if turned else 1
        assert line.p == pytest.approx(peer["p"], rel=1e-9)
        assert line.difference == pytest.approx(sign * peer["difference"], abs=1e-15)
        assert (line.low, line.high) == pytest.approx(
            (-peer["high"], -peer["low"]) if turned else (peer["low"], peer["high"]), abs=1e-12
        )
        assert line.d_pair == pytest.approx(sign * peer["d_pair"])
        assert (line.wins, line.losses) == (
            (peer["losses"], peer["wins"]) if turned else (peer["wins"], peer["losses"])
        )
        unsigned = test in ("wilcoxon", "tukey", "randomized-tukey")
        assert line.statistic == pytest.approx(peer["statistic"] if unsigned else sign * peer["statistic"])


def test_smaller_can_be_better(scores: xr.DataArray) -> None:
    plain = cranfield.compare(scores)
    turned = cranfield.compare(scores.assign_attrs(larger_is_better=0))
    assert list(turned.means.index) == list(plain.means.index)[::-1]
    first = turned.pairs.iloc[0]
    assert first["difference"] < 0
    assert first["wins"] == row(plain, first["other"], first["system"])["wins"]


@pytest.mark.parametrize("test", TESTS)
def test_a_seed_fixes_the_bits_and_frames_are_scores_too(scores: xr.DataArray, test: Any) -> None:
    one = cranfield.compare(scores, test=test, interval=None if test == "welch" else "bca", seed=3)
    two = cranfield.compare(scores.to_pandas().T.T, test=test, interval=None if test == "welch" else "bca", seed=3)
    pd.testing.assert_frame_equal(one.pairs, two.pairs, check_exact=True)
    assert one.signature["settings"]["test"] == test


# ---- odd scores


@pytest.mark.parametrize("test", TESTS)
def test_identical_systems_and_constant_differences(test: Any) -> None:
    base = np.random.default_rng(0).beta(1, 2, size=12) * 0.5
    scores = scores_of(np.column_stack([base, base, base + 0.25, base[::-1]]))
    with pytest.warns(CranfieldWarning) as caught:
        found = cranfield.compare(scores, test=test, correction="none")
    same = row(found, "a", "b")
    assert (same["difference"], same["p"], same["d_pair"]) == (0.0, pytest.approx(1.0), 0.0)
    assert (same["wins"], same["ties"], same["losses"]) == (0, 12, 0)
    without_p = test in ("t", "bootstrap")
    messages = " ".join(str(one.message) for one in caught)
    assert "'a' and 'b' have the same scores on every topic" in messages
    if test in PAIRED:
        why = "differ by the same amount on every topic, which leaves no spread to judge by: no interval"
        assert f"'c' and 'a'; 'c' and 'b' {why}{', no p' if without_p else ''}" in messages
        constant = row(found, "c", "a")
        assert constant["d_pair"] == np.inf
        assert np.isnan([constant["low"], constant["high"]]).all()
        if without_p:
            assert np.isnan([constant["p"], constant["p_adjusted"]]).all()
            assert not constant["significant"]
            assert constant["p_signs"] == 2 / 2**12
            assert np.isnan(row(found, "a", "b")["p_signs"])
            assert "; by exact signs p is 0.00049 (p_signs, not corrected)" in messages
        else:
            assert "p_signs" not in found.pairs
            # All differences have one sign: one of the 2^12 flips, and its mirror, are as extreme.
            assert constant["p"] == pytest.approx(2 / 2**12, abs=1e-12)
    else:
        assert not found.pairs.isna().any().any()
        if test == "tukey":  # its own interval has the spread of all systems, and that of the pair alone has none
            with pytest.warns(CranfieldWarning):
                paired = cranfield.compare(scores, test=test, correction="none", interval="t")
            assert np.isnan(row(paired, "c", "a")[["low", "high"]].astype(float)).all()


@pytest.mark.parametrize("test", TESTS)
def test_two_topics_and_two_systems(test: Any) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = cranfield.compare(scores_of([[0.5, 0.4], [0.6, 0.3]]), test=test)
    few = "2 topics have 2 different sign flips: p is at least 0.5, and nothing can be significant at 0.05"
    assert [str(one.message) for one in caught] == ([few] if test == "permutation" else [])
    assert len(found.pairs) == 1
    assert not found.pairs.isna().any().any()
    assert 0 <= found.pairs["p"][0] <= 1
    if test == "t":
        assert found.pairs["p"][0] == pytest.approx(stats.ttest_rel([0.5, 0.6], [0.4, 0.3]).pvalue)


@pytest.mark.parametrize("test", TESTS)
def test_one_topic_is_refused(test: Any) -> None:
    with pytest.raises(InputError, match=r"2 (topics|needed)|of 2 needed"):
        cranfield.compare(scores_of([[0.5, 0.4, 0.1]]), test=test)


@pytest.mark.parametrize("test", ["t", "welch", "bootstrap", "tukey", "dunnett"])
@pytest.mark.parametrize("interval", [None, "t"])
def test_two_topics_with_the_same_difference_give_no_verdict(test: Any, interval: Any) -> None:
    """Their standard error is 0 because they are few; nothing is significant, and no interval is a point."""
    values = [[0.75, 0.5, 0.25]] * 2 if test == "welch" else [[0.75, 0.5, 0.25], [0.5, 0.25, 0.0]]
    baselines = "b" if test == "dunnett" else ()
    with pytest.warns(CranfieldWarning, match="which leaves no spread to judge by: no interval, no p"):
        found = cranfield.compare(scores_of(values), test=test, interval=interval, margin=0.5, baseline=baselines)
    assert found.pairs[["p", "p_adjusted", "low", "high"]].isna().all().all()
    assert not found.pairs["significant"].any()
    assert found.margins is not None
    assert found.margins[["low", "high"]].isna().all().all()
    assert not found.margins[["noninferior", "equivalent"]].any().any()
    exact = found.margins["p_noninferior"]
    assert exact.isna().all() if test == "welch" else (exact >= 2.0 ** -len(values)).all()
    if test == "welch":
        assert "p_signs" not in found.pairs, "there are no pairs of scores"
    else:
        assert (found.pairs["p_signs"] == 2.0 ** (1 - len(values))).all()
    posterior = quietly_posterior(scores_of(values))
    assert posterior[["low", "high", "prob_superior"]].isna().all().all()


def quietly_posterior(scores: xr.DataArray) -> pd.DataFrame:
    with pytest.warns(CranfieldWarning, match="no interval, no probability"):
        return cranfield.comparison.estimate_posterior(scores).pairs


@pytest.mark.parametrize("correction", ["holm", "bh", "bonferroni", "none"])
def test_a_pair_without_p_counts_among_the_others(correction: Any) -> None:
    found = adjust(np.array([0.01, np.nan, 0.03]), correction)
    known = adjust(np.array([0.01, 1.0, 0.03]), correction)
    assert found.tolist() == pytest.approx([known[0], np.nan, known[2]], nan_ok=True)


def test_gaps_are_named_and_can_be_filled(scores: xr.DataArray) -> None:
    holes = scores.copy()
    holes[3, 0] = holes[7, 0] = holes[3, 1] = np.nan
    said = (
        r"'a' has no score on 2 of \d+ topics \('q3', 'q7'\); 'b' has no score on 1 of .*missing_scores='drop-topics'"
    )
    with pytest.warns(CranfieldWarning, match=said):
        cranfield.compare(holes)
    with pytest.warns(CranfieldWarning, match=r"2 of \d+ topics left out, with scores missing \('q3', 'q7'"):
        dropped = cranfield.compare(holes, missing_scores="drop-topics")
    kept = scores.drop_sel(topic=["q3", "q7"])
    pd.testing.assert_frame_equal(dropped.pairs, cranfield.compare(kept).pairs)
    assert dropped.signature != cranfield.compare(kept).signature
    with pytest.warns(CranfieldWarning, match=r"2 of 5 systems left out, with scores missing \('a', 'b'"):
        dropped = cranfield.compare(holes, missing_scores="drop-systems")
    pd.testing.assert_frame_equal(dropped.pairs, cranfield.compare(scores.drop_sel(system=["a", "b"])).pairs)
    with pytest.raises(InputError, match="missing scores are to be refused"):
        cranfield.compare(holes, missing_scores="refuse")
    pd.testing.assert_frame_equal(
        cranfield.compare(scores, missing_scores="refuse").pairs, cranfield.compare(scores).pairs
    )
    holes[0] = np.nan  # a topic without any score is no gap
    with pytest.warns(CranfieldWarning, match="2 of 5 systems left out"):
        cranfield.compare(holes, missing_scores="drop-systems")
    with pytest.raises(UsageError, match="missing_scores='skip' is not one of"):
        cranfield.compare(holes, missing_scores="skip")  # type: ignore[arg-type]


@pytest.mark.filterwarnings("ignore:.*may change sides with another seed")
@pytest.mark.filterwarnings("ignore:.*has no score on")
@pytest.mark.parametrize("test", PAIRED)
def test_missing_scores_leave_their_topics_out_of_a_pair(scores: xr.DataArray, test: Any) -> None:
    holes = scores.copy()
    holes[3, 0] = holes[7, 0] = holes[3, 1] = np.nan
    found = cranfield.compare(holes, test=test, correction="none")
    for line in found.pairs.itertuples():
        two = holes.sel(system=[line.system, line.other]).dropna("topic")
        alone = cranfield.compare(two, test=test, correction="none").pairs.iloc[0]
        assert line.topics == two.sizes["topic"]
        assert line.p == alone["p"]
        assert abs(line.difference) == pytest.approx(abs(alone["difference"]), abs=1e-15)
        assert line.wins + line.ties + line.losses == line.topics
        assert line.mean - line.mean_other == pytest.approx(line.difference, abs=1e-12)


@pytest.mark.filterwarnings("ignore:.*means over different topics do not rank systems")
def test_welch_takes_systems_of_different_topics() -> None:
    values = np.full((20, 2), np.nan)
    rng = np.random.default_rng(2)
    values[:9, 0], values[9:, 1] = rng.normal(0.5, 0.1, 9), rng.normal(0.4, 0.2, 11)
    found = cranfield.compare(scores_of(values), test="welch").pairs.iloc[0]
    peer = stats.ttest_ind(values[:9, 0], values[9:, 1], equal_var=False)
    assert (abs(found["statistic"]), found["p"]) == pytest.approx((abs(peer.statistic), peer.pvalue), rel=1e-10)
    assert abs(found["difference"]) == pytest.approx(abs(values[:9, 0].mean() - values[9:, 1].mean()))
    with pytest.raises(InputError, match="'a' and 'b' share 0 topics, of 2 needed; test='welch' needs no pairs"):
        cranfield.compare(scores_of(values))
    values[1:9, 0] = np.nan
    with pytest.raises(InputError, match="'a' has a score on 1 topic, of 2 needed"):
        cranfield.compare(scores_of(values), test="welch")


@pytest.mark.parametrize("test", ["tukey", "randomized-tukey"])
def test_multi_system_tests_refuse_missing_scores(scores: xr.DataArray, test: Any) -> None:
    scores[2, 1] = np.nan
    with pytest.raises(InputError, match="'b' has none on topic 'q2'; use a test of pairs"):
        cranfield.compare(scores, test=test)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"test": "z"}, "test='z' is not one of t, wilcoxon"),
        ({"correction": "sidak"}, "correction='sidak' is not one of"),
        ({"test": "tukey", "correction": "holm"}, "adjusts for all pairs itself"),
        ({"alpha": 0.0}, "alpha=0.0 should lie between 0 and 1"),
        ({"level": 1.0}, "level=1.0 should lie between"),
        ({"resamples": 0}, "resamples=0 should be at least 1"),
        ({"interval": "basic"}, "interval='basic' is not one of"),
        ({"resamples": 100}, "resamples=100, and test='t' draws none"),
        ({"test": "tukey", "interval": "t", "resamples": 9}, "test='tukey' with interval='t' draws none"),
        ({"test": "welch", "interval": "bca"}, "welch has no pairs"),
        ({"baseline": "aa"}, "no system is called 'aa'"),
        ({"baseline": "nobody"}, "no system is called 'nobody'; there are '[^']+', "),
    ],
)
def test_wrong_calls(scores: xr.DataArray, options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        cranfield.compare(scores, **options)


def test_wrong_scores() -> None:
    with pytest.raises(InputError, match="a comparison needs 2 systems or more, and the scores have 1"):
        cranfield.compare(scores_of([[0.5], [0.4]]))
    with pytest.raises(UsageError, match="this works on one measure, not 2"):
        cranfield.compare(xr.Dataset({"AP": scores_of([[0.5, 1]]), "RR": scores_of([[0.5, 1]])}))
    with pytest.raises(InputError, match="infinite"):
        cranfield.compare(scores_of([[0.5, np.inf]]))
    with pytest.raises(InputError, match="holds no score"):
        cranfield.compare(scores_of([[np.nan, np.nan]]))
    twice = scores_of([[0.5, 0.1], [0.2, 0.3]]).assign_coords(system=["a", "a"])
    with pytest.raises(InputError, match="the scores: system 'a' occurs twice: rename one"):
        cranfield.compare(twice)
    with pytest.raises(UsageError, match="only numbers"):
        cranfield.compare(pd.DataFrame({"a": ["x"], "b": ["y"]}))
    with pytest.raises(UsageError, match="has no value of a topic"):
        cranfield.compare(scores_of([[0.5, 0.1], [0.2, 0.3]], summary="geometric mean"))
    for analyse in (cranfield.compare, cranfield.audit, cranfield.comparison.gate):
        for no_scores in ("scores.csv", [], [0.5, 0.1]):
            with pytest.raises(UsageError, match="is not scores: give what evaluate or read_scores returns"):
                analyse(no_scores)


# ---- groups


@given(st.integers(1, 7), st.integers(0, 2**21 - 1))
def test_letters_are_shared_exactly_by_what_is_not_different(items: int, bits: int) -> None:
    different = np.zeros((items, items), dtype=bool)
    for at, (one, other) in enumerate(combinations(range(items), 2)):
        different[one, other] = different[other, one] = bool(bits >> at & 1)
    found = letters(different)
    assert all(found)
    for one, other in combinations(range(items), 2):
        assert bool(set(found[one]) & set(found[other])) == (not different[one, other])


def test_groups_of_a_leaderboard(scores: xr.DataArray) -> None:
    values = np.random.default_rng(0).normal(0, 0.01, size=(30, 4)) + np.array([0.9, 0.9, 0.5, 0.1])
    found = cranfield.compare(scores_of(values))
    groups = found.groups()
    assert list(groups["groups"]) == ["a", "a", "b", "c"]
    assert groups["mean"].is_monotonic_decreasing
    with pytest.raises(UsageError, match="groups need all pairs"):
        cranfield.compare(scores, baseline="a").groups()


def test_many_groups_get_longer_names() -> None:
    found = letters(~np.eye(30, dtype=bool))
    assert found[0] == "a"
    assert found[25:28] == ["z", "aa", "ab"]


def test_more_groups_than_anybody_reads() -> None:
    rng = np.random.default_rng(1)
    different = np.triu(rng.random((60, 60)) < 0.3, 1)
    with pytest.raises(UsageError, match=r"60 systems fall into more than 120 groups.*take test='tukey'"):
        letters(different | different.T)


@pytest.mark.parametrize("test", ["t", "wilcoxon", "sign", "tukey"])
def test_blocks_of_pairs_change_nothing(scores: xr.DataArray, test: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = cranfield.compare(scores, test=test).pairs
    monkeypatch.setattr(contrasts, "CELLS", 3 * scores.sizes["topic"])
    pd.testing.assert_frame_equal(cranfield.compare(scores, test=test).pairs, whole, rtol=1e-12)


@pytest.mark.filterwarnings("ignore:.*may change sides with another seed")
@pytest.mark.parametrize("test", [test for test in TESTS if test != "welch"])
@pytest.mark.parametrize("interval", ["percentile", "bca"])
@pytest.mark.parametrize("asked", [60, None])
def test_an_interval_draws_as_many_resamples_as_the_settings_say(
    scores: xr.DataArray, test: Any, interval: Any, asked: int | None
) -> None:
    found = cranfield.compare(scores, test=test, interval=interval, resamples=asked, seed=5)
    drawn = found.settings["resamples"]
    by_default = {"bootstrap": 1000, "permutation": 10_000, "randomized-tukey": 10_000}.get(test, 2000)
    assert drawn == found.signature["settings"]["resamples"] == (asked or by_default)
    table = scores.to_pandas()
    places = np.random.default_rng(5).integers(0, len(table), size=(drawn, len(table)))
    line = found.pairs.iloc[0]
    z = (table[line["system"]] - table[line["other"]]).to_numpy()
    means = z[places].mean(axis=1)
    if interval == "percentile":
        expected = np.quantile(means, [0.025, 0.975])
    else:
        w = z - z.mean()
        bias = stats.norm.ppf(((means < z.mean()).mean() + (means <= z.mean()).mean()) / 2)
        ahead = (w**3).sum() / (6 * (w**2).sum() ** 1.5)
        reach = bias + stats.norm.ppf([0.025, 0.975])
        expected = np.quantile(means, stats.norm.cdf(bias + reach / (1 - ahead * reach)))
    assert [line["low"], line["high"]] == pytest.approx(expected, rel=1e-9)


@pytest.mark.filterwarnings("ignore:.*may change sides with another seed")
@pytest.mark.filterwarnings("ignore:.*has no score on 12 of")
def test_settings_say_where_all_sign_flips_were_taken(scores: xr.DataArray) -> None:
    few = scores[:8]
    found = cranfield.compare(few, test="permutation", seed=9)
    assert (found.settings["exact_pairs"], found.settings["seed"]) == (10, None)
    assert drawn(found.settings) == ", p from all sign flips"
    with_interval = cranfield.compare(few, test="permutation", interval="bca", seed=9).settings
    assert drawn(with_interval) == ", 10,000 resamples, seed 9, p from all sign flips in 10 pairs"
    holes = scores.to_numpy().copy()
    holes[12:, 0] = np.nan
    mixed = cranfield.compare(scores_of(holes), test="permutation", correction="holm", resamples=5000, seed=9).settings
    assert drawn(mixed) == ", 5,000 resamples, seed 9, p from all sign flips in 4 pairs"
    assert drawn(cranfield.compare(scores, test="permutation", resamples=50).settings) == ", 50 resamples, seed 1"
    assert drawn(cranfield.compare(scores).settings) == ""


@pytest.mark.parametrize(("topics", "said"), [(8, ", p from all sign flips"), (24, ", 10,000 resamples, seed 1")])
def test_sensitivity_says_so_too(scores: xr.DataArray, topics: int, said: str) -> None:
    settings = cranfield.trust.estimate_sensitivity(scores[:topics], test="permutation").settings
    assert settings["exact_pairs"] == (10 if topics == 8 else 0)
    assert drawn(settings) == said


def test_a_margin_as_large_as_the_range_is_warned_of() -> None:
    scores = xr.DataArray(
        [[0.5, 0.4], [0.3, 0.6], [0.2, 0.1]],
        dims=("topic", "system"),
        coords={"topic": ["1", "2", "3"], "system": ["a", "b"]},
        name="nDCG@10",
    )
    with pytest.warns(cranfield.CranfieldWarning, match="no mean loses more"):
        cranfield.compare(scores, margin=1.0)


def test_the_answer_names_systems_from_which_no_test_tells_the_first() -> None:
    """A constant difference is not the same as one that is not significant, and p by signs is printed as a p."""
    up = np.arange(20) / 40
    noisy = up + 0.02 * np.cos(np.arange(20))
    names = {"topic": [f"q{at}" for at in range(20)], "system": ["a", "b", "c"]}
    table = xr.DataArray(np.column_stack([up + 0.5, up + 0.25, noisy]), names, ("topic", "system"), name="AP")
    with pytest.warns(cranfield.CranfieldWarning, match="by exact signs p is 1.9e-06"):
        found = cranfield.compare(table)
    answer = "is significantly better than 1 of the 2 others; no test tells it from b, whose differences have no spread"
    assert answer in found.answer("pairs")
    assert readable(float(found.pairs["p_signs"].min()), "p_signs") == "<.0001"


def test_a_significant_pair_whose_interval_holds_0_is_said() -> None:
    values = (np.random.default_rng(6).normal(size=(20, 4)) + np.array([0, 0.5, 1.0, 0.9])).round(2)
    found = cranfield.compare(scores_of(values), correction="holm")
    p = np.array([stats.ttest_rel(values[:, a], values[:, b]).pvalue for a, b in combinations(range(4), 2)])
    by_holm, by_bonferroni = (adjust(p, name) < 0.05 for name in ("holm", "bonferroni"))
    assert (by_holm.sum(), by_bonferroni.sum()) == (3, 2)
    wide = "; 1 significant pair with 0 inside, as the test is less strict than these intervals"
    assert wide in found.caption("pairs")
    assert wide in found.for_paper("pairs", found.to_frame()).caption
    assert wide in found.to_json()
    assert "0 inside" not in cranfield.compare(scores_of(values), correction="bonferroni").caption("pairs")
