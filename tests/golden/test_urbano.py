"""The published study of score standardization: its first trials digit by digit, its means with draws of our own."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from cranfield import read_scores, standardize
from cranfield.standardization import study_standardization
from cranfield.standardization.study import ALPHAS
from cranfield.standardization.trials import between, run, within
from data_sets import DATA, REAL_GOLDEN, Tally

pytestmark = pytest.mark.data("data/urbano", "golden/urbano-2019.json")

COLLECTIONS = ("robust2004_ap", "robust2004_ndcg", "terabyte2006_ap", "terabyte2006_ndcg")
SCHEMES = ("raw", "N-std", "U-std", "z-std", "E-std")
NAMES = {"r": "r", "tau": "tau_b", "tauAP": "tau_ap_b", "power": "power", "type1": "type_1"}
TRIALS = 1000
"""Of our own; `reproductions/urbano_2019` draws 10,000."""


@cache
def published() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((REAL_GOLDEN / "urbano-2019.json").read_text())
    assert tuple(found["schemes"]) == SCHEMES
    assert tuple(found["collections"]) == COLLECTIONS
    return found


def scores_of(collection: str) -> Any:
    return read_scores(DATA / "urbano" / "sigir2019-standardization" / "data" / f"{collection}.csv")[collection]


def test_the_levels_are_those_of_the_paper() -> None:
    np.testing.assert_array_equal(ALPHAS, published()["alphas"])


@pytest.mark.parametrize("design", ["within", "between"])
def test_the_first_trials(design: str) -> None:
    """Topics as published, so that nothing is random: every correlation to the six digits that are given."""
    tally = Tally(tolerance=5.0001e-7)
    for collection in COLLECTIONS:
        scores = scores_of(collection)
        tables: list[NDArray[np.float64]] = [
            scores.to_numpy(),
            *(standardize(scores, name).to_numpy() for name in SCHEMES),
        ]
        trials = published()["collections"][collection][design]["first_trials"]
        draws = np.array([trial["topics_1based"] for trial in trials]) - 1
        found = run(within if design == "within" else between, tables, draws, np.array([0.05]))
        for theirs, ours in (("r", found.r), ("tau", found.tau_b), ("tauAP", found.tau_ap_b)):
            for number, trial in enumerate(trials):
                for at, scheme in enumerate(SCHEMES):
                    tally.add((collection, number, theirs, scheme), ours[at, number], trial[theirs][at])
    tally.check(at_least=120)


@pytest.mark.slow
@pytest.mark.parametrize("design", ["within", "between"])
@pytest.mark.parametrize("collection", COLLECTIONS)
def test_the_means_of_own_draws(collection: str, design: Any) -> None:
    """Within 4 standard errors of the published means: |difference| <= 4 sd sqrt(1/T + 1/10000)."""
    theirs = published()["collections"][collection][design]
    study = study_standardization(scores_of(collection), SCHEMES, design, trials=TRIALS, seed=2019)
    assert study.n_topics == theirs["n"]
    ours = study.summary().set_index(["statistic", "alpha", "scheme"])["mean"]
    error = np.sqrt(1 / TRIALS + 1 / 10_000)
    compared, outside = 0, []
    for name, by_scheme in (theirs["corr"] | theirs["rates"]).items():
        for scheme, values in by_scheme.items():
            rate = "sd_per_trial" in values
            for alpha, mean, sd in zip(
                ALPHAS if rate else [np.nan],
                values["mean"] if rate else [values["mean"]],
                values["sd_per_trial"] if rate else [values["sd"]],
                strict=True,
            ):
                compared += 1
                # Raw means correlate with themselves by 1 in every trial.
                allowed = 4 * sd * error if sd else 1e-12
                value = ours[NAMES[name], alpha, scheme.removesuffix("-std")]
                if not abs(value - mean) <= allowed:
                    outside.append((name, scheme, alpha, value, mean, allowed))
    assert outside == []
    assert compared == (110 if design == "within" else 205)
