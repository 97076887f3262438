"""Studies and resampling on a cluster: the same bits on no worker, on one and on two."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import cloudpickle
import numpy as np
import pytest
import xarray as xr
from distributed import Client, LocalCluster

from cranfield import InputError, UsageError, estimate_difficulty
from cranfield import _dask as dask_module
from cranfield._dask import facts
from cranfield.comparison import compare, estimate_ranks, study_tests
from cranfield.holes import estimate_holes
from cranfield.results import Result
from cranfield.simulation import simulate_runs
from cranfield.standardization import study_standardization
from cranfield.statistics import bootstrap, max_t, rank_confidence_sets, sign_flips
from cranfield.trust import estimate_sensitivity, estimate_stability, stability

cloudpickle.register_pickle_by_value(sys.modules[__name__])


@pytest.fixture(scope="module")
def scores() -> xr.DataArray:
    """Six systems on thirty topics."""
    draw = np.random.default_rng(2)
    values = np.clip(draw.random((30, 1)) * 0.5 + draw.random((30, 6)) * 0.5, 0, 1)
    labels = {"topic": [f"q{n}" for n in range(30)], "system": [f"s{n}" for n in range(6)]}
    return xr.DataArray(values, labels, ("topic", "system"), name="AP")


@pytest.fixture(scope="module")
def one() -> Iterator[Client]:
    """One worker in this process."""
    with (
        LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=":0") as started,
        Client(started, set_as_default=False) as client,
    ):
        yield client


CALLS: list[tuple[Callable[..., Result], dict[str, Any]]] = [
    (compare, {"test": "permutation", "resamples": 5000}),
    (compare, {"test": "bootstrap", "correction": "max-t-step-down", "resamples": 5000}),
    (compare, {"test": "permutation", "correction": "none", "resamples": 900}),
    (compare, {"test": "bootstrap", "correction": "none", "resamples": 2500}),
    (compare, {"test": "randomized-tukey", "resamples": 2500}),
    (estimate_ranks, {"resamples": 900}),
    (estimate_ranks, {"procedure": "bootstrap", "resamples": 500}),
    (estimate_stability, {}),
    (estimate_stability, {"disjoint": True}),
    (estimate_stability, {"unit": "topic"}),
    (estimate_sensitivity, {}),
    (estimate_sensitivity, {"test": "permutation", "resamples": 900}),
    (estimate_sensitivity, {"test": "randomized-tukey", "resamples": 2500}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("estimate", "how"), CALLS, ids=lambda given: str(getattr(given, "__name__", given)))
def test_resampling_has_the_same_bits(
    cluster: LocalCluster,
    one: Client,
    scores: xr.DataArray,
    monkeypatch: pytest.MonkeyPatch,
    estimate: Callable[..., Result],
    how: dict[str, Any],
) -> None:
    here = estimate(scores, **how)
    for module, name in (
        *((max_t, "HEIGHT"), (rank_confidence_sets, "COLUMNS"), (stability, "PAIRS")),
        *((sign_flips, "WORK"), (bootstrap, "WORK")),
    ):
        monkeypatch.setattr(module, name, {"HEIGHT": 1024, "COLUMNS": 2, "PAIRS": 4, "WORK": 4 * 900}[name])
    tasks = counted(monkeypatch)
    assert estimate(scores, executor=one, **how) == here
    assert len(tasks) > 1
    there = estimate(scores, executor=cluster, **how)
    assert there == here
    assert there.to_json() == here.to_json()


def test_threads_and_processes_do_what_a_cluster_does(scores: xr.DataArray) -> None:
    by_five = {"test": "bootstrap", "correction": "max-t", "resamples": 900}
    by_five["topic_clusters"] = {topic: str(n // 5) for n, topic in enumerate(scores["topic"].values)}
    calls = [*CALLS, (compare, by_five), (compare, by_five | {"test": "permutation"})]
    with ThreadPoolExecutor(2) as threads, ProcessPoolExecutor(1, get_context("spawn")) as processes:
        for number, (estimate, how) in enumerate(calls):
            assert estimate(scores, executor=threads if number % 4 == 0 else processes, **how) == estimate(
                scores, **how
            )


def test_a_cluster_does_what_threads_do(one: Client) -> None:
    made = simulate_runs(n_systems=3, n_topics=4, seed=3)
    assert estimate_difficulty(made.runs, made.qrels, executor=one) == estimate_difficulty(made.runs, made.qrels)
    fit = estimate_holes(made.runs, made.qrels)
    there = fit.evaluate("AP", draws=200, executor=one)
    assert there.to_json() == fit.evaluate("AP", draws=200).to_json()


def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the tasks of a cluster are about, as they are handed out."""
    tasks: list[str] = []
    submit = dask_module.DaskExecutor.submit

    def counting(executor: Any, work: Any, *args: Any) -> Any:
        tasks.append(dask_module.describe_task(args))
        return submit(executor, work, *args)

    monkeypatch.setattr(dask_module.DaskExecutor, "submit", counting)
    return tasks


@pytest.mark.filterwarnings("ignore:AP. 's0' has no score")
def test_pairs_with_missing_scores_have_the_same_bits(cluster: LocalCluster, scores: xr.DataArray) -> None:
    holes = scores.copy(data=np.where(scores.to_numpy() < 0.2, np.nan, scores.to_numpy()))
    here = compare(holes, test="permutation", correction="none", resamples=200)
    assert compare(holes, test="permutation", correction="none", resamples=200, executor=cluster) == here


def test_a_worker_that_is_lost_among_resamples(
    cluster: LocalCluster, scores: xr.DataArray, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = compare(scores, test="permutation", resamples=5000)
    submit = dask_module.DaskExecutor.submit
    monkeypatch.setattr(
        dask_module.DaskExecutor,
        "submit",
        lambda executor, work, *given: submit(executor, killing, work, str(tmp_path / "killed"), *given),
    )
    assert compare(scores, test="permutation", resamples=5000, executor=cluster) == here
    assert (tmp_path / "killed").exists()


def killing(work: Any, flag: str, drawn: Any, number: int) -> Any:
    """Its process is killed at the second part, once."""
    if drawn.rows.start == max_t.HEIGHT and not os.path.exists(flag):  # noqa: PTH110
        open(flag, "w").close()  # noqa: PTH123
        os.kill(os.getpid(), signal.SIGKILL)
    return work(drawn, number)


def test_a_cluster_that_would_have_nothing_to_do(scores: xr.DataArray) -> None:
    with pytest.raises(UsageError, match=r"executor= works on the resamples of a test, and test='t' draws none: leave"):
        compare(scores, executor="tcp://127.0.0.1:9")
    with pytest.raises(UsageError, match=r"executor= looks at each system by itself, and marginal=False asks for none"):
        estimate_ranks(scores, marginal=False, executor="tcp://127.0.0.1:9")


@pytest.mark.slow
def test_tests_of_tests_have_the_same_bits(cluster: LocalCluster, one: Client, scores: xr.DataArray) -> None:
    how = {"tests": ["t", "permutation"], "trials": 40, "resamples": 60, "effects": 0.1}
    here = study_tests(scores, **how)  # type: ignore[arg-type]
    assert study_tests(scores, executor=cluster, **how) == here  # type: ignore[arg-type]
    assert study_tests(scores, executor=one, **how) == here  # type: ignore[arg-type]


@pytest.mark.parametrize("design", ["within", "between"])
def test_the_study_of_standardization_has_the_same_bits(
    cluster: LocalCluster, one: Client, scores: xr.DataArray, design: str
) -> None:
    how = {"design": design, "n_topics": 8, "trials": 900}
    here = study_standardization(scores, **how)  # type: ignore[arg-type]
    assert study_standardization(scores, executor=cluster, **how) == here  # type: ignore[arg-type]
    assert study_standardization(scores, executor=one, **how) == here  # type: ignore[arg-type]


def test_what_does_not_fit_is_refused(
    cluster: LocalCluster, scores: xr.DataArray, monkeypatch: pytest.MonkeyPatch
) -> None:
    for study in (study_tests, study_standardization):
        with pytest.raises(UsageError, match="is not an executor"):
            study(scores, executor=3)  # type: ignore[operator]
    ours = dict(facts()) | {"numpy": "0.9"}
    monkeypatch.setattr(dask_module, "_check_workers", lambda client: None)
    monkeypatch.setattr(dask_module, "facts", lambda: ours)
    with pytest.raises(InputError, match=r"has numpy .* \(here 0.9\): numbers could differ"):
        study_tests(scores, trials=2, resamples=40, effects=0.1, executor=cluster)
