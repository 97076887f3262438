"""Schemes: their formulas, their moments, laws that all of them obey, and their names."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.stats
import xarray as xr
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from numpy.typing import NDArray

from cranfield import InputError, UsageError, standardize
from cranfield.standardization.schemes import DEFAULT_SCHEMES, Empirical, Scheme, Uniform, parse_scheme
from effort import examples


def scores_of(values: Any) -> xr.DataArray:
    table = np.asarray(values, dtype=float)
    labels = {"topic": [f"t{i}" for i in range(len(table))], "system": [f"s{i}" for i in range(table.shape[1])]}
    return xr.DataArray(table, labels, ("topic", "system"), name="AP")


def fitted_normal(known: NDArray[np.float64]) -> Callable[[NDArray[np.float64]], Any]:
    return scipy.stats.norm(known.mean(), known.std(ddof=1) or 1).cdf


ALL: list[Any] = [*DEFAULT_SCHEMES, "K", "U(A=0.3,B=0.4)", "t(5)", scipy.stats.logistic(0, 0.5), fitted_normal]


def scheme_id(scheme: object) -> str:
    """A scheme's name in test ids, which must not hold an address: workers that share the tests compare them."""
    return scheme if isinstance(scheme, str) else type(scheme).__name__ + getattr(scheme, "__name__", "")


CUMULATIVE = [scheme for scheme in ALL if scheme not in ("raw", "z")]
MATRICES = st.integers(2, 8).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, 6).map(lambda k: k / 8), min_size=n, max_size=n), min_size=1, max_size=4)
)


# ---- formulas


@pytest.mark.filterwarnings("ignore:.*(one reference score|reference scores are equal):cranfield.CranfieldWarning")
def test_a_worked_example() -> None:
    """Topic 1: mean .4, sd .2 (n - 1), z = -1, 0, 1; topic 2: all equal."""
    scores = scores_of([[0.2, 0.4, 0.6], [0.5, 0.5, 0.5]])
    phi = scipy.stats.norm.cdf
    expected = {
        "raw": [[0.2, 0.4, 0.6], [0.5, 0.5, 0.5]],
        "z": [[-1, 0, 1], [0.5, 0.5, 0.5]],
        "N": [phi([-1, 0, 1]), phi([0.5, 0.5, 0.5])],
        "U": [[0.35, 0.5, 0.65], [0.575, 0.575, 0.575]],
        "U(1, .25)": [[0, 0.25, 1], [0.75, 0.75, 0.75]],
        "E": [[1 / 3, 2 / 3, 1], [1, 1, 1]],
    }
    for scheme, values in expected.items():
        assert_allclose(standardize(scores, scheme), values, rtol=0, atol=1e-15)


def test_uniform_is_the_cdf_of_a_uniform_distribution() -> None:
    rng = np.random.default_rng(2)
    x = rng.random(40) ** 3
    mean, sd = x.mean(), x.std(ddof=1)
    for a, b in ((0.15, 0.5), (0.5, 0.3)):
        low, high = mean - sd * b / a, mean + sd * (1 - b) / a
        expected = scipy.stats.uniform(low, high - low).cdf(x)
        assert_allclose(standardize(scores_of([x]), f"U(A={a},B={b})")[0], expected, atol=1e-14)


@pytest.mark.slow
@given(MATRICES)
def test_e_counts_what_a_score_reaches(values: list[list[float]]) -> None:
    found = standardize(scores_of(values), "E").to_numpy()
    for row, out in zip(values, found, strict=True):
        assert out.tolist() == [sum(other <= x for other in row) / len(row) for x in row]
        ecdf = scipy.stats.ecdf(row).cdf
        assert_allclose(out, ecdf.evaluate(row), atol=1e-15)


@pytest.mark.filterwarnings("ignore:.*one reference score:cranfield.CranfieldWarning")
def test_k_is_the_mean_of_normal_distributions_about_the_scores() -> None:
    """Second implementation: ``statistics.NormalDist``; E where all scores are equal, or where there is one."""
    rows = [[0.1, 0.4, 0.45, 0.9], [0.2, 0.2, 0.2, 0.2], [0.3, math.nan, math.nan, math.nan]]
    found = standardize(scores_of(rows), "K").to_numpy()
    width = 1.06 * statistics.stdev(rows[0]) / 4**0.2
    expected = [statistics.mean(statistics.NormalDist(other, width).cdf(x) for other in rows[0]) for x in rows[0]]
    assert_allclose(found[0], expected, atol=1e-15)
    assert found[1].tolist() == [1, 1, 1, 1]
    assert found[2, 0] == 1
    many = scores_of(np.random.default_rng(7).normal(0.5, 0.1, (1, 4000)))
    assert_allclose(standardize(many, "K"), standardize(many, "E"), atol=0.02)


def test_expected_moments() -> None:
    """z: 0 and 1. N on normal data: 1/2 and sqrt(1/12). E without ties: (n+1)/2n and sqrt((n+1)/12n), exactly."""
    rng = np.random.default_rng(3)
    scores = scores_of(rng.normal(0.4, 0.1, (50, 400)))
    z, n, e = (standardize(scores, scheme).to_numpy() for scheme in ("z", "N", "E"))
    assert_allclose(z.mean(axis=1), 0, atol=1e-13)
    assert_allclose(z.std(axis=1, ddof=1), 1, atol=1e-13)
    assert n.mean() == pytest.approx(0.5, abs=0.002)
    assert n.std(axis=1).mean() == pytest.approx(math.sqrt(1 / 12), abs=0.002)
    for systems in (2, 5, 400):
        few = standardize(scores[:, :systems], "E").to_numpy()
        assert_allclose(few.mean(axis=1), (systems + 1) / (2 * systems), atol=1e-14)
        assert_allclose(few.std(axis=1, ddof=1), math.sqrt((systems + 1) / (12 * systems)), atol=1e-14)
    assert e.shape == (50, 400)


def test_a_distribution_is_applied_to_z() -> None:
    scores = scores_of(np.random.default_rng(4).random((3, 9)))
    z = standardize(scores, "z").to_numpy()
    assert_array_equal(standardize(scores, scipy.stats.t(5)), scipy.stats.t(5).cdf(z))
    assert_array_equal(standardize(scores, "logistic(0, scale=.5)"), scipy.stats.logistic(0, 0.5).cdf(z))
    assert_allclose(standardize(scores, scipy.stats.norm), standardize(scores, "N"), atol=1e-15)
    if hasattr(scipy.stats, "Normal"):
        assert_allclose(standardize(scores, scipy.stats.Normal()), standardize(scores, "N"), atol=1e-15)


def test_a_function_is_fitted_to_each_topic() -> None:
    scores = scores_of(np.random.default_rng(5).random((3, 9)))
    assert_allclose(standardize(scores, fitted_normal), standardize(scores, "N"), atol=1e-14)

    def empirical(known: NDArray[np.float64]) -> Callable[[NDArray[np.float64]], Any]:
        return lambda x: np.array([(known <= value).mean() for value in x])

    assert_array_equal(standardize(scores, empirical), standardize(scores, "E"))


# ---- laws


def test_every_kind_of_scheme_is_tested() -> None:
    assert {type(parse_scheme(scheme)) for scheme in ALL} == set(Scheme.__subclasses__())


@pytest.mark.filterwarnings("ignore:.*(one reference score|reference scores are equal):cranfield.CranfieldWarning")
@pytest.mark.slow
@pytest.mark.parametrize("scheme", ALL, ids=scheme_id)
@examples(25)
@given(values=MATRICES)
def test_a_topic_keeps_its_order(scheme: Any, values: list[list[float]]) -> None:
    """U may tie what it clips; nothing is turned round, and equal scores stay equal."""
    found = standardize(scores_of(values), scheme).to_numpy()
    for before, after in zip(np.array(values), found, strict=True):
        rises = before[:, None] > before
        assert (after[:, None] >= after)[rises].all()
        assert (after[:, None] == after)[before[:, None] == before].all()
        if scheme in ("raw", "z", "E"):
            assert (after[:, None] > after)[rises].all()


@pytest.mark.filterwarnings("ignore:.*(one reference score|reference scores are equal):cranfield.CranfieldWarning")
@pytest.mark.slow
@pytest.mark.parametrize("scheme", CUMULATIVE, ids=scheme_id)
@examples(25)
@given(values=MATRICES)
def test_a_cumulative_scheme_stays_between_0_and_1(scheme: Any, values: list[list[float]]) -> None:
    found = standardize(scores_of(values), scheme).to_numpy()
    assert ((found >= 0) & (found <= 1)).all()
    if scheme == "E":
        assert found.min() >= 1 / len(values[0])
        assert (found.max(axis=1) == 1).all()


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["z", "N", "U", "E", "K", "t(5)"])
@examples(25)
@given(values=MATRICES, scale=st.sampled_from([0.5, 2.0, 4.0]), shift=st.sampled_from([0.0, 1.0, -0.5]))
def test_units_do_not_matter(scheme: str, values: list[list[float]], scale: float, shift: float) -> None:
    varied = [row for row in values if len(set(row)) > 1]
    if varied:
        scores = scores_of(varied)
        assert_allclose(standardize(scores * scale + shift, scheme), standardize(scores, scheme), atol=1e-12)


@pytest.mark.parametrize("scheme", ALL, ids=scheme_id)
def test_a_missing_score_is_left_out_and_stays_missing(scheme: Any) -> None:
    rng = np.random.default_rng(6)
    values = rng.random((4, 7))
    with_gap = values.copy()
    with_gap[1, 3] = with_gap[2, :4] = np.nan
    found = standardize(scores_of(with_gap), scheme).to_numpy()
    assert_array_equal(np.isnan(found), np.isnan(with_gap))
    for row, known in ((1, [0, 1, 2, 4, 5, 6]), (2, [4, 5, 6])):
        assert_allclose(found[row, known], standardize(scores_of(values[[row]][:, known]), scheme)[0], atol=1e-15)


@pytest.mark.filterwarnings("ignore:.*(one reference score|reference scores are equal):cranfield.CranfieldWarning")
@pytest.mark.parametrize("scheme", ALL, ids=scheme_id)
def test_equal_scores_that_sums_would_round(scheme: Any) -> None:
    """Three times .1 has a mean that is not .1: it must not pass for variance."""
    found = standardize(scores_of([[0.1] * 3, [0.1 + 0.2] * 3]), scheme).to_numpy()
    assert np.isfinite(found).all()
    assert len(set(found[0].tolist())) == len(set(found[1].tolist())) == 1
    if scheme == "z":
        assert found[0, 0] == 0.1


# ---- names


@pytest.mark.parametrize(
    ("text", "name"),
    {
        "E": "E", "E-std": "E", "K": "K", " N ": "N", "N-std": "N", "z-std": "z", "raw": "raw", "U": "U", "U-std": "U",
        "U(A=0.15,B=0.5)": "U", "U(.2, .4)": "U(A=0.2,B=0.4)", "U(B=1)": "U(A=0.15,B=1)", "t(5)": "t(5)",
        "t(df=5)": "t(df=5)", "norm": "norm", "norm()": "norm", "logistic(0, scale=.5)": "logistic(0,scale=0.5)",
    }.items(),
)  # fmt: skip
def test_names_are_read_back(text: str, name: str) -> None:
    assert str(parse_scheme(text)) == name
    assert str(parse_scheme(name)) == name


def test_names_of_what_is_given_as_an_object() -> None:
    assert str(parse_scheme(scipy.stats.t(5, loc=np.float64(1)))) == "t(5,loc=1.0)"
    assert str(parse_scheme(scipy.stats.t(df=np.array(5), loc=[0]))) == "t(df=5,loc=0)"
    assert str(parse_scheme(fitted_normal)) == "function fitted_normal"
    drawn = scipy.stats.rv_histogram(np.histogram([0.0, 1.0, 2.0], bins=3))
    assert str(parse_scheme(drawn)) == "distribution <scipy.stats._continuous_distns.rv_histogram object>"
    assert parse_scheme(parse_scheme("E")) == Empirical()
    assert parse_scheme("U(A=0.2)") == Uniform(a=0.2)


@pytest.mark.parametrize(
    ("scheme", "words"),
    [
        ("e", "'e' is not a standardization scheme: expected raw, z, N, U"),
        ("", "'' is not a standardization scheme"),
        ("U(", "is not a standardization scheme"),
        ("E(3)", "E takes no parameters"),
        ("U(C=1)", "U takes A and B"),
        ("U(1,2,3)", "U takes A and B"),
        ("U(A=x)", "the parameters should be numbers"),
        ("U(A=True)", "the parameters should be numbers"),
        ("U(**x)", "the parameters should be numbers"),
        ("U(A=0)", "A should be above 0"),
        ("U(A=1e999)", "both finite"),
        ("U(A=1,A=2)", "a parameter occurs twice"),
        ("t", "scipy.stats.t does not take these parameters"),
        ("t(1,2,3,4,5)", "scipy.stats.t does not take these parameters"),
        ("t(-1)", "scipy.stats.t does not take these parameters"),
        ("describe(3)", "'describe(3)' is not a standardization scheme"),
        (scipy.stats.norm(0, -1), "norm(0,-1) has no cdf: check its parameters"),
        (scipy.stats.t([[3], [4]]), "is not one distribution of single numbers, for all topics: give a function"),
        (scipy.stats.t(df=np.arange(1, 14)), "is not one distribution of single numbers"),
        (statistics.NormalDist(), "does not take an array of scores"),
        (statistics.NormalDist, "NormalDist is a class, not a distribution: give an object of it"),
        (scipy.stats.gaussian_kde([1.0, 2.0]), "should return a function of scores, such as the .cdf of a"),
        (3, "3 is not a standardization scheme"),
        (None, "None is not a standardization scheme"),
    ],
)
def test_what_is_no_scheme(scheme: Any, words: str) -> None:
    with pytest.raises(UsageError) as refused:
        standardize(scores_of([[1, 2]]), scheme)
    assert words in str(refused.value)


def test_a_distribution_that_has_no_cdf() -> None:
    class Double:
        def cdf(self, x: Any, /) -> Any:
            return 2 * scipy.stats.norm.cdf(x)

        def __repr__(self) -> str:
            return "double"

    with pytest.raises(InputError, match=r"the cdf of distribution double should give a number in \[0, 1\]"):
        standardize(scores_of([[1, 2, 3]]), Double())


@pytest.mark.parametrize("cdf", [lambda x: x + 2, lambda x: x * np.nan, lambda x: 0.5, lambda x: x[:1]])
def test_a_function_that_gives_no_cdf(cdf: Any) -> None:
    with pytest.raises(InputError, match=r"topic 't0': the cdf of function .*should give a number in \[0, 1\]"):
        standardize(scores_of([[1, 2, 3]]), lambda known: cdf)
