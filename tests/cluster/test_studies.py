"""Studies on a cluster: the same bits on no worker, on one and on two."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr
from distributed import LocalCluster

from cranfield import InputError, UsageError
from cranfield import cluster as cluster_module
from cranfield.cluster import executor_of, facts
from cranfield.comparison import study_tests
from cranfield.standardization import study_standardization


@pytest.fixture(scope="module")
def scores() -> xr.DataArray:
    """Six systems on thirty topics."""
    draw = np.random.default_rng(2)
    values = np.clip(draw.random((30, 1)) * 0.5 + draw.random((30, 6)) * 0.5, 0, 1)
    labels = {"topic": [f"q{n}" for n in range(30)], "system": [f"s{n}" for n in range(6)]}
    return xr.DataArray(values, labels, ("topic", "system"), name="AP")


def test_tests_of_tests_have_the_same_bits(cluster: LocalCluster, scores: xr.DataArray) -> None:
    how = {"tests": ["t", "permutation"], "trials": 40, "resamples": 60, "effects": 0.1}
    here = study_tests(scores, **how)  # type: ignore[arg-type]
    assert study_tests(scores, cluster=cluster, **how) == here  # type: ignore[arg-type]
    with LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=":0") as one:
        assert study_tests(scores, cluster=one, **how) == here  # type: ignore[arg-type]


@pytest.mark.parametrize("design", ["within", "between"])
def test_the_study_of_standardization_has_the_same_bits(
    cluster: LocalCluster, scores: xr.DataArray, design: str
) -> None:
    how = {"design": design, "topics": 8, "trials": 900}
    here = study_standardization(scores, **how)  # type: ignore[arg-type]
    assert study_standardization(scores, cluster=cluster, **how) == here  # type: ignore[arg-type]
    with LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=":0") as one:
        assert study_standardization(scores, cluster=one, **how) == here  # type: ignore[arg-type]


def test_what_does_not_fit_is_refused(
    cluster: LocalCluster, scores: xr.DataArray, monkeypatch: pytest.MonkeyPatch
) -> None:
    for study in (study_tests, study_standardization):
        with executor_of(cluster) as executor, pytest.raises(UsageError, match="give one of them"):
            study(scores, executor=executor, cluster=cluster)  # type: ignore[operator]
        with pytest.raises(UsageError, match="is no executor"):
            study(scores, executor=3)  # type: ignore[operator]
    ours = dict(facts()) | {"numpy": "0.9"}
    monkeypatch.setattr(cluster_module, "_check_workers", lambda client: None)
    monkeypatch.setattr(cluster_module, "facts", lambda: ours)
    with pytest.raises(InputError, match=r"has numpy .* \(here 0.9\): numbers could differ"):
        study_tests(scores, trials=2, resamples=40, effects=0.1, cluster=cluster)
