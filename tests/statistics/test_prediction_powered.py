"""Prediction-powered means beside the reference package's values, and their laws."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from cranfield import InputError, UsageError
from cranfield.statistics import powered_mean, powered_mean_of_strata, tuned_lambda
from data_sets import GOLDEN as WITNESSES
from data_sets import rows

GOLDEN = WITNESSES / "ppi"
TUNINGS: dict[str, float | Literal["tuned"]] = {"classical": 0.0, "ppi": 1.0, "ppi++": "tuned"}


def columns() -> dict[str, Any]:
    table = list(rows(GOLDEN / "scores.tsv"))
    return {name: np.array([float(row[name]) for row in table]) for name in table[0]}


def of(scores: dict[str, Any], judge: str, system: str) -> Any:
    one, _, other = system.partition(" - ")
    return scores[f"{judge}:{one}"] - (scores[f"{judge}:{other}"] if other else 0.0)


def test_every_value_of_the_reference_package() -> None:
    scores, expected = columns(), list(rows(GOLDEN / "expected.tsv"))
    people = scores["human_judged"] == 1
    assert len(expected) > 100
    for row in expected:
        human, model = of(scores, "human", row["system"])[people], of(scores, row["judge"], row["system"])
        if row["predictions"] == "rest":
            rest = model[~people]
        elif row["method"] == "ppi":
            # All topics beside the labelled ones are the rest with a smaller lambda: the estimates agree.
            found = powered_mean(human, model[people], model[~people], tuning=28 / 43)
            assert found.estimate == pytest.approx(float(row["estimate"]), abs=1e-9)
            continue
        else:
            continue
        level = 1 - float(row["alpha"])
        found = powered_mean(human, model[people], rest, tuning=TUNINGS[row["method"]], level=level)
        assert found.lambdas[0] == pytest.approx(float(row["lambda"]), abs=1e-9)
        for name in ("estimate", "se", "low", "high"):
            assert getattr(found, name) == pytest.approx(float(row[name]), abs=1e-9), row


def test_every_value_in_strata() -> None:
    scores, expected = columns(), list(rows(GOLDEN / "expected.stratified.tsv"))
    people, stratum = scores["human_judged"] == 1, scores["stratum"]
    assert len(expected) > 20
    for row in expected:
        human, model = of(scores, "human", row["system"]), of(scores, row["judge"], row["system"])
        strata = []
        for number in (0, 1):
            here = stratum == number
            strata.append((human[here & people], model[here & people], model[here & ~people]))
        level, tuning = 1 - float(row["alpha"]), TUNINGS[row["method"]]
        found = powered_mean_of_strata(strata, tuning=tuning, level=level)
        assert found.lambdas == pytest.approx((float(row["lambda_0"]), float(row["lambda_1"])), abs=1e-9)
        for name in ("estimate", "se", "low", "high"):
            assert getattr(found, name) == pytest.approx(float(row[name]), abs=1e-9), row


@pytest.mark.parametrize("seed", range(20))
def test_the_reference_package_on_random_scores(seed: int) -> None:
    from ppi_py import ppi_mean_ci

    rng = np.random.default_rng(seed)
    n, more = rng.integers(2, 30, size=2)
    human, rest = rng.random(n), rng.random(more)
    model = 0.5 * human + 0.5 * rng.random(n)
    for tuning, lam in ((1.0, 1.0), (0.3, 0.3), ("tuned", None)):
        found = powered_mean(human, model, rest, tuning=tuning, level=0.9)  # type: ignore[arg-type]
        low, high = ppi_mean_ci(human, model, rest, alpha=0.1, lam=lam)
        assert (found.low, found.high) == pytest.approx((low[0], high[0]), abs=1e-12)


numbers = st.integers(-8, 8).map(lambda n: n / 8)
samples = st.tuples(st.integers(2, 12), st.integers(2, 12)).flatmap(
    lambda sizes: st.tuples(
        arrays(np.float64, sizes[0], elements=numbers),
        arrays(np.float64, sizes[0], elements=numbers),
        arrays(np.float64, sizes[1], elements=numbers),
    )
)


@given(samples, st.sampled_from([0.0, 0.5, 1.0, "tuned"]), st.sampled_from([0, 1]))
def test_a_constant_on_the_models_scores_changes_nothing(sample: Any, tuning: Any, ddof: int) -> None:
    human, model, rest = sample
    plain = powered_mean(human, model, rest, tuning=tuning, ddof=ddof)
    moved = powered_mean(human, model + 2.0, rest + 2.0, tuning=tuning, ddof=ddof)
    assert (moved.low, moved.high) == pytest.approx((plain.low, plain.high), abs=1e-9)


@given(samples)
def test_the_tuned_interval_does_not_depend_on_the_models_unit(sample: Any) -> None:
    human, model, rest = sample
    trust = tuned_lambda(human, model, rest)
    halved = tuned_lambda(human, 2.0 * model, 2.0 * rest)
    if 0 < trust < 1:
        assert halved == pytest.approx(trust / 2)
        plain, doubled = powered_mean(human, model, rest), powered_mean(human, 2.0 * model, 2.0 * rest)
        assert (doubled.low, doubled.high) == pytest.approx((plain.low, plain.high), abs=1e-9)


@given(samples)
def test_a_model_that_labels_as_people_do_is_as_good_as_people(sample: Any) -> None:
    _, model, rest = sample
    found = powered_mean(model, model, rest, tuning=1.0)
    assert found.estimate == pytest.approx(rest.mean(), abs=1e-12)
    assert found.se == pytest.approx(rest.std() / np.sqrt(len(rest)), abs=1e-12)


def test_strata_of_one_are_none() -> None:
    rng = np.random.default_rng(1)
    human, model, rest = rng.random(9), rng.random(9), rng.random(20)
    assert powered_mean_of_strata([(human, model, rest)]) == powered_mean(human, model, rest)


def test_student_is_wider_by_the_ratio_of_quantiles_and_divisors() -> None:
    rng = np.random.default_rng(2)
    human, model, rest = rng.random(10), rng.random(10), rng.random(10)
    normal, student = (powered_mean(human, model, rest, tuning=1.0, ddof=ddof) for ddof in (0, 1))
    assert student.se / normal.se == pytest.approx(np.sqrt(10 / 9))
    assert (student.high - student.low) / (normal.high - normal.low) == pytest.approx(
        np.sqrt(10 / 9) * 2.2621571627409915 / 1.959963984540054
    )


def test_wrong_calls() -> None:
    one, two = np.array([0.5]), np.array([0.5, 0.7])
    with pytest.raises(InputError, match="2 human scores stand beside 1 of the model"):
        powered_mean(two, one, two)
    with pytest.raises(InputError, match="1 topics were judged by people, of 2 needed"):
        powered_mean(one, one, two)
    with pytest.raises(InputError, match="1 topics were judged by the model alone, of 2 needed"):
        powered_mean(two, two, one, tuning=1.0)
    with pytest.raises(UsageError, match="tuning=2 should be 'tuned', or a number from 0 to 1"):
        powered_mean(two, two, two, tuning=2)
    with pytest.raises(UsageError, match="level=1 should lie between 0 and 1"):
        powered_mean(two, two, two, level=1)
