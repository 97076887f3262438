"""Learning once, applying later: other systems, fewer topics, a file in between, and what is refused."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.stats
import xarray as xr
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from test_schemes import ALL, fitted_normal, scheme_id, scores_of

import cranfield
from cranfield import CranfieldWarning, InputError, UsageError, evaluate, standardize
from cranfield.standardization import fit_standardization, read_factors
from effort import examples

RNG = np.random.default_rng(8)
SCORES = scores_of(RNG.random((6, 9)))


@pytest.mark.parametrize("scheme", ALL, ids=scheme_id)
def test_two_steps_are_one(scheme: Any) -> None:
    together = standardize(SCORES, scheme)
    xr.testing.assert_identical(fit_standardization(SCORES, scheme).apply(SCORES), together)
    assert together.name == "AP"
    assert together.dims == SCORES.dims
    assert together.attrs["standardization"] == str(cranfield.standardization.schemes.parse_scheme(scheme))


@pytest.mark.parametrize("scheme", ALL, ids=scheme_id)
def test_a_later_system_stands_on_the_same_scale(scheme: Any) -> None:
    """Its standardized score is what it would get beside the same reference systems, whoever else is scored."""
    factors = fit_standardization(SCORES[:, :5], scheme)
    assert_array_equal(factors.apply(SCORES)[:, :5], standardize(SCORES[:, :5], scheme))
    assert_array_equal(
        factors.apply(SCORES), standardize(SCORES, scheme, reference_systems=["s0", "s1", "s2", "s3", "s4"])
    )
    later = SCORES[::-1, 5:].transpose("system", "topic")
    found = factors.apply(later)
    assert found.dims == ("system", "topic")
    assert_array_equal(found, factors.apply(SCORES)[::-1, 5:].transpose("system", "topic"))
    assert_array_equal(factors.apply(SCORES[[4, 2]]), factors.apply(SCORES)[[4, 2]])


def test_an_unseen_system_may_reach_none_or_all() -> None:
    factors = fit_standardization(scores_of([[0.2, 0.4]]), "E")
    new = scores_of([[0.1, 0.2, 0.3, 0.4, 0.5]])
    assert factors.apply(new).to_numpy().tolist() == [[0, 0.5, 0.5, 1, 1]]


def test_datasets_keep_their_measures_and_their_signature() -> None:
    scores = cranfield.evaluate(
        {f"r{i}": {"q1": {"a": i, "b": 1.5}, "q2": {"a": 1.0, "c": i}} for i in range(4)},
        {"q1": {"a": 1, "b": 0}, "q2": {"c": 2, "d": 1}},
        ["nDCG", "P@1", "NumRet"],
    )
    found = standardize(scores, "E", reference_systems=["r0", "r1", "r2"])
    assert list(found.data_vars) == ["nDCG", "P@1", "NumRet"]
    assert found["tag"].equals(scores["tag"])
    signature = json.loads(found.attrs["signature"])
    assert signature["standardization"] == "E"
    assert signature["reference_systems"] == ["r0", "r1", "r2"]
    assert signature["scores"] == signature["reference_scores"] == json.loads(scores.attrs["signature"])
    assert cranfield.summarize(found)["NumRet"].tolist() == [1, 1, 1, 1], "a mean of shares, no longer a sum of counts"
    assert scores["NumRet"].attrs["summary"] == "sum", "what was given is not changed"
    assert_array_equal(found["nDCG"], standardize(scores["nDCG"], reference_systems=["r0", "r1", "r2"]))


@pytest.mark.filterwarnings("ignore:.*(one reference score|reference scores are equal):cranfield.CranfieldWarning")
@examples(25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    values=st.integers(2, 5).flatmap(
        lambda n: st.lists(
            st.lists(st.floats(0, 1) | st.just(np.nan), min_size=n, max_size=n).filter(
                lambda row: np.count_nonzero(np.isfinite(row)) > 1
            ),
            min_size=1,
            max_size=4,
        )
    ),
    scheme=st.sampled_from(["raw", "z", "N", "U", "U(A=0.3,B=0.1)", "E", "t(5)"]),
)
def test_a_file_keeps_every_bit(tmp_path: Path, values: list[list[float]], scheme: str) -> None:
    scores = scores_of(values)
    factors = fit_standardization(scores, scheme)
    factors.write_factors(tmp_path / "f.json")
    read = read_factors(tmp_path / "f.json")
    assert (str(read.scheme), read.systems, read.source) == (scheme, factors.systems, None)
    new = scores_of(np.linspace(-0.5, 1.5, 3 * len(values)).reshape(len(values), 3))
    assert_array_equal(read.apply(new), factors.apply(new))
    read.write_factors(tmp_path / "g.json")
    assert (tmp_path / "g.json").read_bytes() == (tmp_path / "f.json").read_bytes()


def test_a_file_serves_any_scheme(tmp_path: Path) -> None:
    fit_standardization(SCORES, "E").write_factors(tmp_path / "f.json")
    for scheme in ALL:
        assert_array_equal(read_factors(tmp_path / "f.json", scheme=scheme).apply(SCORES), standardize(SCORES, scheme))


def test_the_file_can_be_read_without_us(tmp_path: Path) -> None:
    fit_standardization(scores_of([[0.6, 0.2, 0.4]]), "E").write_factors(tmp_path / "f.json")
    found = json.loads((tmp_path / "f.json").read_text())
    topic = found["measures"]["AP"]["t0"]
    assert found["scheme"] == "E"
    assert found["systems"] == ["s0", "s1", "s2"]
    assert topic["scores"] == [0.2, 0.4, 0.6]
    assert (topic["mean"], topic["sd"]) == (pytest.approx(0.4), pytest.approx(0.2))


def test_a_function_is_given_again(tmp_path: Path) -> None:
    path = tmp_path / "f.json"
    for scheme, kind in ((fitted_normal, "function fitted_normal"), (Odd(), "distribution odd")):
        fit_standardization(SCORES, scheme).write_factors(path)
        with pytest.raises(UsageError, match=f"f.json: was learnt for the {kind}, which no file holds: give it as"):
            read_factors(path)
        assert_array_equal(read_factors(path, scheme=scheme).apply(SCORES), standardize(SCORES, scheme))


def test_bounds_stand_on_the_scale_of_their_measure(tmp_path: Path) -> None:
    runs = {"a": {"q": {"d": 1.0, "e": 1.0}}, "b": {"q": {"e": 2.0, "d": 1.0}}, "c": {"q": {"x": 1.0}}}
    scores = evaluate(runs, {"q": {"d": 1, "e": 0}}, ["RR"], ties="bounds")
    assert {str(name): values.values.ravel().tolist() for name, values in scores.items()} == {
        "RR": [0.5, 0.5, 0], "RR lower": [0.5, 0.5, 0], "RR upper": [1, 0.5, 0]
    }  # fmt: skip
    factors = fit_standardization(scores, "E")
    assert list(factors.measures) == ["RR"]
    factors.write_factors(tmp_path / "f.json")
    found = read_factors(tmp_path / "f.json").apply(scores)
    assert_array_equal(found["RR lower"], [[1, 1, 1 / 3]])
    assert_array_equal(found["RR upper"], [[1, 1, 1 / 3]])
    third = read_factors(tmp_path / "f.json", scheme="z").apply(scores)["RR upper"]
    assert third.to_numpy().ravel() == pytest.approx([4 / np.sqrt(3), 1 / np.sqrt(3), -2 / np.sqrt(3)])


def test_factors_that_were_rounded_are_read(tmp_path: Path) -> None:
    topic = {"mean": 0.333333, "sd": 0.57735, "scores": [0, 0, 1]}
    (tmp_path / "f.json").write_text(json.dumps({**GOOD, "measures": {"AP": {"7": topic}}}))
    assert read_factors(tmp_path / "f.json").measures["AP"].mean.tolist() == [0.333333]


class Odd:
    """A distribution that SciPy does not know."""

    def cdf(self, x: Any, /) -> Any:
        return scipy.stats.norm.cdf(x)

    def __repr__(self) -> str:
        return "odd"


# ---- what is refused


def test_a_topic_without_factors_is_named() -> None:
    factors = fit_standardization(SCORES[:4], "E")
    with pytest.raises(InputError, match=r"^topic t4 has no standardization factors"):
        factors.apply(SCORES[:5])
    with pytest.raises(InputError, match=r"^2 topics \(t4, t5\) have no standardization factors"):
        factors.apply(SCORES)


@pytest.mark.filterwarnings("ignore:.*(one reference score|reference scores are equal):cranfield.CranfieldWarning")
def test_a_topic_without_scores_to_learn_from_is_named() -> None:
    values = RNG.random((3, 4))
    values[1] = np.nan
    for scheme in ALL:
        with pytest.raises(InputError, match=r"^AP: topic t1 has (no|fewer than two) reference score"):
            standardize(scores_of(values), scheme)
    values[1, 2] = 0.5
    assert standardize(scores_of(values), "E")[1, 2] == 1
    for scheme in ("z", "N", "U", "t(5)"):
        with pytest.raises(InputError, match="t1 has fewer than two reference scores, so no standard deviation"):
            standardize(scores_of(values), scheme)


@pytest.mark.filterwarnings("ignore:.*(one reference score|reference scores are equal):cranfield.CranfieldWarning")
def test_one_system() -> None:
    one = scores_of([[0.5], [0.25]])
    assert standardize(one, "E").to_numpy().tolist() == [[1], [1]]
    assert standardize(one, "raw").to_numpy().tolist() == [[0.5], [0.25]]
    with pytest.raises(InputError, match=r"2 topics \(t0, t1\) have fewer than two reference scores"):
        standardize(one, "z")


def test_measures_must_be_those_learnt() -> None:
    factors = fit_standardization(SCORES, "E")
    with pytest.raises(InputError, match="no standardization factors of 'nDCG@10', only of AP"):
        factors.apply(SCORES.rename("nDCG@10"))
    with pytest.warns(CranfieldWarning, match="scores called 'my_file' are standardized with the factors of 'AP'"):
        assert_array_equal(factors.apply(SCORES.rename("my_file")), factors.apply(SCORES))
    assert_array_equal(factors.apply(SCORES.rename(None)), factors.apply(SCORES))
    assert factors.apply(SCORES.rename(None)).name is None
    both = fit_standardization(xr.Dataset({"a": SCORES, "b": SCORES}))
    with pytest.raises(InputError, match="no standardization factors of 'c', only of a, b"):
        both.apply(SCORES.rename("c"))


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        (lambda x: x.rename(topic="query"), UsageError, "expected .topic, system."),
        (lambda x: x.to_numpy(), UsageError, "ndarray is not scores: give what evaluate"),
        (lambda x: x.where(x != x[2, 3], np.inf), InputError, "AP of 's3' on topic 't2' is infinite"),
        (lambda x: x.assign_coords(topic=["a"] * 6), InputError, "topic 'a' occurs twice: rename one"),
        (lambda x: x.assign_coords(system=["a"] * 9), InputError, "system 'a' occurs twice: rename one"),
        (lambda x: x[:0], InputError, "the scores: there is no topic"),
        (lambda x: x[:, :0], InputError, "the scores: there is no system"),
    ],
)
def test_scores_that_are_refused(change: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        standardize(change(SCORES))
    with pytest.raises(error, match=words):
        fit_standardization(SCORES).apply(change(SCORES))


@pytest.mark.filterwarnings("ignore:.*(one reference score|reference scores are equal):cranfield.CranfieldWarning")
def test_reference_systems_that_are_refused() -> None:
    with pytest.raises(InputError, match="the scores hold no system 'nope' to learn from"):
        standardize(SCORES, reference_systems=["s0", "nope"])
    with pytest.raises(UsageError, match="should be a list of at least one system"):
        standardize(SCORES, reference_systems=[])
    assert fit_standardization(SCORES, reference_systems="s0").systems == ("s0",)
    assert fit_standardization(SCORES, reference_systems=["s1", "s1"]).systems == ("s1",)


GOOD = {"format": "cranfield standardization factors 1", "scheme": "E", "systems": ["a"]}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", r"f.json:1: is not JSON"),
        ("[]", "holds no standardization factors; `cranfield standardize --fit FILE` writes them"),
        ("{}", "holds no standardization factors"),
        ('{"format": NaN}', "is not JSON: NaN is not JSON"),
        (json.dumps(GOOD), "scheme, systems or measures are missing"),
        (json.dumps({**GOOD, "measures": {}}), "scheme, systems or measures are missing"),
        (json.dumps({**GOOD, "measures": {"AP": {}}}), "f.json: AP: no topic has factors"),
        (
            json.dumps({**GOOD, "measures": {"AP": {"7": 3}}}),
            "AP: topic 7: expected a mean, an sd and a list",
        ),
        (json.dumps({**GOOD, "measures": {"AP": {"7": {"mean": 1, "sd": 1}}}}), "expected a mean, an sd and a list"),
        (
            json.dumps({**GOOD, "measures": {"AP": {"7": {"mean": 1, "sd": 1, "scores": []}}}}),
            "at least one score",
        ),
        (
            json.dumps({**GOOD, "measures": {"AP": {"7": {"mean": 1, "sd": 1, "scores": [2, 1]}}}}),
            "ascending order",
        ),
        (
            json.dumps({**GOOD, "measures": {"AP": {"7": {"mean": "1", "sd": 1, "scores": [1, 2]}}}}),
            "all finite numbers",
        ),
        (
            json.dumps({**GOOD, "scheme": "nope", "measures": {"AP": {"7": {"mean": 1, "sd": None, "scores": [1]}}}}),
            "f.json: 'nope' is not a standardization scheme",
        ),
        (
            json.dumps({**GOOD, "scheme": "N", "measures": {"AP": {"7": {"mean": 1, "sd": None, "scores": [1]}}}}),
            "f.json: AP: topic 7 has fewer than two reference scores, so no standard deviation, which scheme N needs",
        ),
        (
            json.dumps({**GOOD, "measures": {"AP": {"7": {"mean": 5, "sd": 0.5, "scores": [1, 2]}}}}),
            "f.json: AP: topic 7: its mean is 5, that of its scores 1.5",
        ),
        (
            json.dumps({**GOOD, "measures": {"AP": {"7": {"mean": 1.5, "sd": 0.5, "scores": [1, 2]}}}}),
            "f.json: AP: topic 7: its sd is 0.5, that of its scores 0.707107",
        ),
        (
            json.dumps({**GOOD, "measures": {"AP": {"7": {"mean": 1, "sd": 0.5, "scores": [1]}}}}),
            "f.json: AP: topic 7: its sd is 0.5, that of its scores nan",
        ),
    ],
)
def test_files_that_are_refused(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "f.json").write_text(text)
    with pytest.raises(InputError, match=words):
        read_factors(tmp_path / "f.json")
    with pytest.raises(InputError, match="no such file"):
        read_factors(tmp_path / "other.json")


def test_z_of_scores_beside_a_large_mean_is_that_of_fractions(tmp_path: Path) -> None:
    values = 1e9 + 1e-6 * np.random.default_rng(0).random((3, 6))
    labels = {"topic": list("123"), "system": list("abcdef")}
    scores = xr.DataArray(values, labels, ("topic", "system"), name="s")
    factors = cranfield.standardization.fit_standardization(scores, "z")
    factors.write_factors(tmp_path / "factors.json")
    for found in (
        factors.apply(scores),
        cranfield.standardization.read_factors(tmp_path / "factors.json").apply(scores),
    ):
        for row, raw in zip(found.values, values, strict=True):
            exact = [Fraction(value) for value in raw.tolist()]
            mean = sum(exact) / len(exact)
            sd = math.sqrt(sum((value - mean) ** 2 for value in exact) / (len(exact) - 1))
            np.testing.assert_allclose(row, [float(value - mean) / sd for value in exact], rtol=1e-9)


def test_a_number_of_many_digits_is_no_factor(tmp_path: Path) -> None:
    path = tmp_path / "factors.json"
    scores = xr.DataArray([[0.1, 0.2]], {"topic": ["1"], "system": ["a", "b"]}, ("topic", "system"), name="s")
    cranfield.standardization.fit_standardization(scores, "z").write_factors(path)
    path.write_text(path.read_text().replace('"scores": [0.1', f'"scores": [{10**400}'))
    with pytest.raises(cranfield.InputError, match="expected a mean, an sd and a list of scores, all finite numbers"):
        cranfield.standardization.read_factors(path)


def test_one_reference_system_is_warned_of_where_it_makes_all_alike() -> None:
    scores = xr.DataArray([[0.3, 0.5], [0.2, 0.1]], {"topic": ["t1", "t2"], "system": ["a", "b"]}, ("topic", "system"))
    with pytest.warns(CranfieldWarning, match=r"2 topics \(first 't1'\) with one reference score, by which E gives 1"):
        found = cranfield.standardize(scores, "E", reference_systems="b")
    assert found.sel(system="b").values.tolist() == [1, 1]
    assert found.sel(system="a").values.tolist() == [0, 1]


@pytest.mark.parametrize("scheme", ["N", "U", "z"])
def test_topics_whose_reference_scores_are_equal_are_warned_of(scheme: str) -> None:
    scores = xr.DataArray([[0.3, 0.3], [0.2, 0.1]], {"topic": ["t1", "t2"], "system": ["a", "b"]}, ("topic", "system"))
    with pytest.warns(CranfieldWarning, match=r"equal on 1 topic \(first 't1'\), where the mean is taken as 0"):
        found = cranfield.standardize(scores, scheme)
    raw = {"N": 0.6179, "U": 0.545, "z": 0.3}[scheme]
    assert found.sel(topic="t1").values.round(4).tolist() == [raw, raw]
    cranfield.standardize(scores, "E")  # has a place for them, and no warning
