"""The study as users call it: its result, its defaults, its seed, and what is refused."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
import scipy.stats
import xarray as xr
from test_schemes import scores_of

import cranfield
from cranfield import InputError, UsageError
from cranfield.standardization import study_standardization

RNG = np.random.default_rng(11)
SCORES = scores_of(RNG.random((14, 6)) * RNG.random((14, 1)))


@pytest.mark.parametrize("design", ["within", "between"])
def test_the_result(design: Any) -> None:
    study = study_standardization(SCORES, ["raw", "E"], design, n_topics=5, trials=30, alphas=[0.01, 0.05], seed=4)
    rates = {"power"} if design == "within" else {"power", "type_1"}
    assert set(study.trials.data_vars) == {"r", "tau_b", "tau_ap_b"} | rates
    assert dict(study.trials.sizes) == {"scheme": 2, "trial": 30, "alpha": 2}
    assert (study.design, study.n_topics, study.seed, study.schemes) == (design, 5, 4, ["raw", "E"])
    summary = study.summary()
    assert list(summary) == ["n_topics", "statistic", "alpha", "scheme", "mean", "sd", "standard_error", "trials"]
    assert len(summary) == 3 * 2 + 2 * 2 * len(rates)
    for _, row in summary.iterrows():
        values = study.trials[row["statistic"]].sel(scheme=row["scheme"])
        if not np.isnan(row["alpha"]):
            values = values.sel(alpha=row["alpha"])
        assert row["mean"] == pytest.approx(float(values.mean()))
        assert row["sd"] == pytest.approx(float(values.std(ddof=1)))
        assert row["standard_error"] == pytest.approx(row["sd"] / np.sqrt(30))
        assert row["trials"] == 30
    if design == "within":
        assert (study.trials["tau_b"].sel(scheme="raw") == 1).all()


def test_the_signature_tells_all() -> None:
    study = study_standardization(SCORES, ["z", "U(A=0.2)"], n_topics=5, trials=2, seed=4)
    assert json.loads(study.trials.attrs["signature"]) == study.signature
    assert study.signature == {
        "cranfield": cranfield.__version__,
        "analysis": "standardization study",
        "settings": study.settings,
        "measure": "AP",
        "scores": None,
    }
    assert study.settings == {
        "schemes": ["z", "U(A=0.2,B=0.5)"],
        "design": "within",
        "n_topics": 5,
        "trials": 2,
        "alphas": [*(step / 1000 for step in range(1, 10)), *(step / 100 for step in range(1, 11))],
        "seed": 4,
    }


@pytest.mark.parametrize("design", ["within", "between"])
def test_a_seed_fixes_every_bit(design: Any) -> None:
    one, same, other = (
        study_standardization(SCORES, ["N", "E"], design, trials=20, seed=seed).trials for seed in (1, 1, 2)
    )
    xr.testing.assert_identical(one, same)
    assert not one["r"].equals(other["r"])


def test_the_order_of_dims_does_not_matter() -> None:
    one = study_standardization(SCORES, trials=5)
    turned = study_standardization(SCORES.transpose("system", "topic").to_dataset(name="AP"), trials=5)
    xr.testing.assert_identical(one.trials, turned.trials)


@pytest.mark.parametrize(
    ("available", "design", "topics"),
    [(4, "within", 2), (5, "between", 2), (50, "within", 25), (51, "within", 50), (99, "within", 50),
     (99, "between", 49), (100, "between", 50), (149, "between", 50)],
)  # fmt: skip
def test_topics_where_none_are_asked_for(available: int, design: Any, topics: int) -> None:
    study = study_standardization(scores_of(RNG.random((available, 3))), "E", design, trials=1)
    assert study.n_topics == topics


def test_schemes_of_users() -> None:
    def by_range(known: Any) -> Any:
        return lambda x: (x - known.min()) / (known.max() - known.min())

    study = study_standardization(SCORES, ["raw", by_range, scipy.stats.t(5)], trials=3)
    assert study.schemes[0] == "raw"
    assert study.schemes[1].startswith("function ")
    assert study.schemes[2] == "t(5)"


def test_progress_is_told() -> None:
    calls: list[tuple[int, int]] = []
    study_standardization(SCORES, "E", trials=600, progress=lambda done, total: calls.append((done, total)))
    assert calls == [(256, 600), (512, 600), (600, 600)]


def test_two_systems_are_enough() -> None:
    study = study_standardization(SCORES[:, :2], ["raw", "E"], "between", trials=4)
    assert np.isfinite(study.trials["power"]).all()
    with pytest.raises(InputError, match="AP: the study compares systems and needs at least two, not 1"):
        study_standardization(SCORES[:, :1])


def test_trials_without_a_value_are_left_out_of_means() -> None:
    """Two systems that tie on most topics: where they tie in all that were drawn, there is no correlation."""
    values = np.full((10, 2), 0.5)
    values[0, 0] = 1
    study = study_standardization(scores_of(values), ["raw"], n_topics=4, trials=200)
    summary = study.summary().set_index("statistic")
    drawn = int(np.isfinite(study.trials["tau_b"]).sum())
    assert 0 < drawn < 200
    assert summary.loc["tau_b", "trials"] == drawn
    assert summary.loc["tau_b", "mean"] == 1


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"design": "across"}, UsageError, "design='across' is not one of within, between"),
        ({"schemes": []}, UsageError, "should name at least one"),
        ({"schemes": ["E", "E-std"]}, UsageError, "E occurs twice"),
        ({"schemes": ["X"]}, UsageError, "'X' is not a standardization scheme"),
        ({"trials": 0}, UsageError, "trials=0 should be at least 1"),
        ({"seed": -1}, UsageError, "seed=-1 should be at least 0"),
        ({"alphas": []}, UsageError, "at least one level between 0 and 1"),
        ({"alphas": [0.05, 1]}, UsageError, "alphas=1 should lie between 0 and 1"),
        ({"alphas": [0.05, 0.05]}, UsageError, "a level occurs twice"),
        ({"n_topics": 1}, UsageError, "n_topics=1 should be at least 2"),
        ({"n_topics": 14}, UsageError, "n_topics=14 should be at most 13, to leave a topic out of every trial"),
        ({"n_topics": 8, "design": "between"}, UsageError, "at most 7, to be drawn twice without a common topic"),
    ],
)
def test_arguments_that_are_refused(options: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        study_standardization(SCORES, **options)


def test_scores_that_are_refused() -> None:
    gap = SCORES.where(SCORES[3, 2] != SCORES)
    with pytest.raises(InputError, match=r"AP: 1 score is nan \(first 's2' on topic 't3'\); the study needs every"):
        study_standardization(gap)
    with pytest.raises(InputError, match="is infinite"):
        study_standardization(SCORES.where(SCORES[3, 2] != SCORES, np.inf))
    with pytest.raises(InputError, match="at least 4 topics to draw from, not 3"):
        study_standardization(SCORES[:3])
    with pytest.raises(UsageError, match="choose one of a, b"):
        study_standardization(xr.Dataset({"a": SCORES, "b": SCORES}))
    with pytest.raises(UsageError, match="list is not scores: give what evaluate"):
        study_standardization([[1, 2]])  # type: ignore[arg-type]


def test_a_table_for_people_has_a_row_for_each_scheme_and_a_column_for_each_level() -> None:
    study = study_standardization(SCORES, ["raw", "E"], n_topics=5, trials=10, alphas=[0.01, 0.03, 0.05, 0.1])
    printed = study.for_people("summary", study.summary())
    assert printed["scheme"].tolist() == ["raw", "E"]
    assert list(printed)[2:] == ["r", "tau_b", "tau_ap,b", "power at 0.01", "power at 0.05"]
    few = study_standardization(SCORES, ["raw"], n_topics=5, trials=10, alphas=[0.03, 0.1])
    assert list(few.for_people("summary", few.summary()))[-2:] == ["power at 0.03", "power at 0.1"]
