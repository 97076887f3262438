"""Numbers that are none are refused by every public function that draws or counts."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import xarray as xr

import cranfield
from cranfield import UsageError, _validation

SCORES = xr.DataArray(
    np.random.default_rng(0).random((8, 5)),
    {"topic": [f"t{at}" for at in range(8)], "system": list("abcde")},
    ("topic", "system"),
    name="AP",
)
RUNS = {"a": {"q": {"d": 1.0}}, "b": {"q": {"d": 2.0}}}
HUGE = 10**5000
"""Python writes out no integer of as many digits."""
NO_SEED = (HUGE, -HUGE, "x", -1, 1.5, True, math.nan, None, "5")
NO_COUNT = (*NO_SEED[:-2], "5", 0)
NO_SHARE = (HUGE, -HUGE, "x", -0.5, True, math.nan, None, "0.5", 1)
CALLS: list[tuple[Callable[..., Any], str, tuple[Any, ...]]] = [
    *(
        (verb, "seed", NO_SEED)
        for verb in (cranfield.compare, cranfield.trust.estimate_sensitivity, cranfield.trust.estimate_stability)
    ),
    *(
        (verb, "seed", NO_SEED)
        for verb in (
            cranfield.audit,
            cranfield.simulation.simulate_scores,
            cranfield.standardization.study_standardization,
        )
    ),
    *(
        (verb, "resamples", NO_COUNT)
        for verb in (cranfield.compare, cranfield.trust.estimate_sensitivity, cranfield.audit)
    ),
    *((verb, "alpha", NO_SHARE) for verb in (cranfield.compare, cranfield.trust.estimate_sensitivity, cranfield.audit)),
    *(
        (verb, "n_topics", ("x", 5, True, [0], [1.5], ["5"]))
        for verb in (cranfield.trust.estimate_reliability, cranfield.trust.estimate_stability)
    ),
    (cranfield.trust.estimate_stability, "subsets", NO_COUNT),
    (cranfield.trust.estimate_stability, "fuzziness", NO_SHARE[:-1]),
    (cranfield.trust.estimate_reliability, "drop", NO_SHARE),
    (cranfield.trust.estimate_reliability, "target", NO_SHARE),
    (cranfield.standardization.study_standardization, "trials", NO_COUNT),
    (cranfield.comparison.estimate_detectable_difference, "n_topics", NO_COUNT),
]


@pytest.mark.parametrize(
    ("call", "name", "values"),
    CALLS,
    ids=lambda one: getattr(one, "__name__", one if isinstance(one, str) else "values"),
)
def test_numbers_that_are_none(call: Callable[..., Any], name: str, values: tuple[Any, ...]) -> None:
    for value in values:
        with pytest.raises(UsageError, match=rf"^{name}="):
            call(SCORES, **{name: value})


def test_seeds_and_sizes_of_simulated_runs() -> None:
    for name in ("seed", "n_systems", "n_topics", "depth"):
        for value in NO_SEED:
            with pytest.raises(UsageError, match=rf"^{name}="):
                cranfield.simulation.simulate_runs(**{name: value})


@pytest.mark.parametrize("weights", ["x", 5, None, ["1", 2], [True, 1.0], [1.0], [math.nan, 1.0]])
def test_weights_that_are_no_numbers(weights: Any) -> None:
    with pytest.raises(UsageError, match=r"^weights=.* should be (one finite|a|a list of) numbers?"):
        cranfield.fuse(RUNS, "linear", weights=weights)


@pytest.mark.parametrize(("method", "name"), [("rrf", "k"), ("rbc", "p")])
def test_parameters_of_fusion_that_are_no_numbers(method: Any, name: str) -> None:
    for value in ("x", True, math.nan):
        with pytest.raises(UsageError, match=rf"^{name}="):
            cranfield.fuse(RUNS, method, **{name: value})


QRELS = {"q": {"d": 1}}


@pytest.mark.parametrize(
    "call",
    [
        lambda: cranfield.evaluate(RUNS, QRELS, "AP", rel=HUGE),
        lambda: cranfield.evaluate(RUNS, QRELS, "AP", rel=-HUGE),
        lambda: cranfield.evaluate(RUNS, QRELS, HUGE),
        lambda: cranfield.evaluate(RUNS, QRELS, "AP", reading=HUGE),
        lambda: cranfield.evaluate(RUNS, QRELS, "AP", reading=HUGE),
        lambda: cranfield.evaluate(RUNS, QRELS, "AP", passages=HUGE),
        lambda: cranfield.evaluate(RUNS, QRELS, "AP", columns=HUGE),
        lambda: cranfield.evaluate(RUNS, QRELS, "AP", executor=HUGE),
        lambda: cranfield.evaluate({"a": {HUGE: {"d": 1.0}}}, QRELS, "AP"),
        lambda: cranfield.fuse(RUNS, "linear", weights=HUGE),
        lambda: cranfield.pooling.sample_pool(RUNS, strata={1: HUGE}),
        lambda: cranfield.pooling.sample_pool(RUNS, strata=HUGE),
        lambda: cranfield.report(RUNS, QRELS, "AP", seed=HUGE),
        lambda: cranfield.report_scores(SCORES, seed=HUGE),
        lambda: cranfield.read_run(HUGE),
        lambda: cranfield.parse_measure(HUGE),
        lambda: cranfield.standardize(SCORES, scheme=HUGE),
        lambda: cranfield.repeat_by_group(HUGE, SCORES, {"t0": "x"}),
    ],
)
def test_integers_that_python_does_not_write_out(call: Callable[[], Any]) -> None:
    with pytest.raises(cranfield.CranfieldError):
        call()


@pytest.mark.parametrize("executor", [5, b"x", True])
def test_an_executor_that_is_none(executor: Any) -> None:
    with pytest.raises(UsageError, match=r"is not an executor: give one of concurrent\.futures"):
        cranfield.evaluate(RUNS, {"q": {"d": 1}}, executor=executor)


@pytest.mark.parametrize(
    ("check", "good", "bad"),
    [
        (lambda n: _validation.between(2, 5, " of them", n=n), (2, 5, np.int64(3)), (1, 6, 2.0, True, "3", None)),
        (lambda n: _validation.above(-1, n=n), (0, -0.5, np.float64(2)), (-1, -2, math.nan, math.inf, True, "3", None)),
        (
            lambda n: _validation.not_negative(n=n),
            (0, 0.5, np.int64(3)),
            (-1, -0.1, math.nan, math.inf, True, "3", None),
        ),
    ],
    ids=["between", "above", "not_negative"],
)
def test_bounds_of_numbers(check: Callable[[Any], None], good: tuple[Any, ...], bad: tuple[Any, ...]) -> None:
    for value in good:
        check(value)
    for value in bad:
        with pytest.raises(UsageError, match=r"^n=.* should "):
            check(value)
