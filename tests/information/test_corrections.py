"""Plain RIC, information difference and information tau corrected for chance, against joint RIC and by hand."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from math import log
from typing import Any, Literal

import numpy as np
import pytest
import xarray as xr

import cranfield
from cranfield import UsageError
from cranfield.information import Experiment

Correction = Literal["miller-madow", "shrinkage"]
CORRECTIONS: tuple[Correction, ...] = ("miller-madow", "shrinkage")


@pytest.fixture(scope="module")
def asked() -> Experiment:
    rng = np.random.default_rng(3)
    labels = {f"q{t}": {f"d{d}": int(rng.integers(0, 3)) for d in range(12)} for t in range(3)}
    runs = {
        name: {
            t: {d: grade + rng.normal(0, 2) for d, grade in of.items() if rng.random() < 0.7}
            for t, of in labels.items()
        }
        for name in "abc"
    }
    return cranfield.information.prepare_experiment(runs, labels)


@pytest.mark.parametrize("estimator", CORRECTIONS)
def test_of_one_system_joint_ric_is_ric(asked: Experiment, estimator: Correction) -> None:
    found = cranfield.information.compute_ric(asked, estimator=estimator)
    assert set(found.data_vars) == {"RIC", "RIC_signed", "C", "D", "Z"}
    assert found.attrs["signature"] != cranfield.information.compute_ric(asked).attrs["signature"]
    for system in asked.systems:
        joint = cranfield.information.compute_joint_ric(asked, systems=[system], estimator=estimator, permutations=0)
        np.testing.assert_allclose(found["RIC"].sel(system=system), joint.topics["joint"], atol=1e-12)


def test_miller_and_madow_subtract_one_cell_of_a_list(asked: Experiment) -> None:
    plain, found = (cranfield.information.compute_ric(asked, estimator=name) for name in ("plug-in", "miller-madow"))
    pairs = found["C"] + found["D"] + found["Z"]
    np.testing.assert_allclose(found["RIC"], plain["RIC"] - 1 / (2 * pairs * log(2)), atol=1e-12)


@pytest.mark.parametrize("estimator", CORRECTIONS)
def test_differences_are_of_joint_ric(asked: Experiment, estimator: Correction) -> None:
    found = cranfield.information.compute_information_difference(asked, estimator=estimator)
    ric = cranfield.information.compute_ric(asked, estimator=estimator)["RIC"].mean("topic")
    np.testing.assert_allclose(found.ric, ric, atol=1e-12)
    for one, other in combinations(asked.systems, 2):
        joint = cranfield.information.compute_joint_ric(
            asked, systems=[one, other], estimator=estimator, permutations=0
        )
        of_two = found.between(one, other)
        if estimator == "miller-madow":
            assert of_two.difference == pytest.approx(2 * joint.value - float(ric.sel(system=[one, other]).sum()))
        else:
            assert 0 <= of_two.only_system <= joint.value
    assert found.settings["estimator"] == estimator


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"pair_weight": "geometric"}, "need numbers of pairs"),
    ({"persistence": 0.8}, "with the ideal list"),
]


@pytest.mark.parametrize(("options", "why"), REFUSED)
@pytest.mark.parametrize(
    "compute", [cranfield.information.compute_ric, cranfield.information.compute_information_difference]
)
def test_corrections_without_a_meaning_are_refused(
    compute: Callable[..., object], options: dict[str, Any], why: str
) -> None:
    runs = {"a": {"q": {"d": 2, "e": 1}}, "b": {"q": {"e": 1}}}
    with pytest.raises(UsageError, match=why):
        compute(runs, {"q": {"d": 1, "e": 0}}, estimator="shrinkage", **options)
    with pytest.raises(UsageError, match="plug-in, miller-madow"):
        compute(runs, {"q": {"d": 1, "e": 0}}, estimator="table")


def test_tau_is_corrected_where_it_is_asked_for() -> None:
    rng = np.random.default_rng(1)
    base = rng.normal(size=(3, 7))
    scores = xr.Dataset({name: (("topic", "system"), base + rng.normal(size=(3, 7))) for name in ("x", "y", "z")})
    scores = scores.assign_coords(topic=list("pqr"), system=list("abcdefg"))
    orders = scores["x"], scores["y"], [scores["z"]]
    for estimator in CORRECTIONS:
        tau = cranfield.information.compute_information_tau(*orders, estimator=estimator, resamples=0)
        by_hand = [
            cranfield.information.compute_information_tau(
                *(one[topic].to_numpy() for one in orders[:2]), [scores["z"][topic].to_numpy()], estimator=estimator
            )
            for topic in range(3)
        ]
        assert tau.value == pytest.approx(np.mean(by_hand))
        taus = cranfield.information.compute_information_taus(scores, estimator=estimator, common=False, resamples=0)
        assert float(taus.value.sel(measure="x", other="y", given="z")) == pytest.approx(tau.value, abs=1e-6)
        null = cranfield.information.estimate_information_tau_null(*orders, estimator=estimator)
        plain = cranfield.information.estimate_information_tau_null(*orders)
        assert null.value == pytest.approx(tau.value)
        assert null.null < plain.null
        assert {found.settings["estimator"] for found in (tau, taus, null)} == {estimator}
