"""Prediction-powered means of systems from labelled scores."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import xarray as xr
from scipy import stats

from cranfield import InputError, UsageError
from cranfield.agreement import estimate_powered_means
from cranfield.statistics import powered_mean


def scores(values: Any, first: int = 0, name: str = "AP") -> xr.DataArray:
    topics = [f"t{number}" for number in range(first, first + len(values))]
    systems = [f"s{number}" for number in range(np.shape(values)[1])]
    return xr.DataArray(values, dims=("topic", "system"), coords={"topic": topics, "system": systems}, name=name)


def made(seed: int = 1, noise: float = 0.05) -> tuple[xr.DataArray, xr.DataArray]:
    """People on 12 topics, a model on these and 31 others."""
    rng = np.random.default_rng(seed)
    truth = np.clip(rng.normal(0.5, 0.2, (43, 1)) + np.array([0.1, 0.0, -0.1]) + rng.normal(0, 0.1, (43, 3)), 0, 1)
    return scores(truth[:12]), scores(0.3 + 0.5 * truth + rng.normal(0, noise, truth.shape))


def test_rows_are_those_of_the_plain_function() -> None:
    people, model = made()
    found = estimate_powered_means(people, model, quantiles="normal")
    row = found.table.set_index("system").loc["s1"]
    expected = powered_mean(people.values[:, 1], model.values[:12, 1], model.values[12:, 1])
    assert (row["estimate"], row["low"], row["high"]) == (expected.estimate, expected.low, expected.high)
    assert row["trust"] == expected.lambdas[0]
    assert row["mean"] == pytest.approx(model.values[:, 1].mean())
    assert (found.topics, found.topics_of_judge) == (12, 31)
    assert "a random sample whose first documents they judged without gaps" in found.caption("table")


def test_people_alone_are_a_students_interval() -> None:
    people, model = made()
    found = estimate_powered_means(people, model)
    row = found.table.set_index("system").loc["s2"]
    peer = stats.ttest_1samp(people.values[:, 2], 0.0).confidence_interval(0.95)
    assert (row["mean_reference_low"], row["mean_reference_high"]) == pytest.approx((peer.low, peer.high))


def test_a_difference_is_formed_topic_by_topic() -> None:
    people, model = made()
    found = estimate_powered_means(people, model, quantiles="normal")
    row = found.pairs[(found.pairs["system"] == "s0") & (found.pairs["other"] == "s2")].iloc[0]
    gap = [values[:, 0] - values[:, 2] for values in (people.values, model.values[:12], model.values[12:])]
    expected = powered_mean(*gap)
    assert (row["estimate"], row["low"]) == (expected.estimate, expected.low)
    assert found.pairs["estimate"].abs().is_monotonic_decreasing


def test_a_good_model_narrows_and_a_random_one_is_not_trusted() -> None:
    people, model = made(noise=0.01)
    assert estimate_powered_means(people, model).table["width"].max() < 0.85
    rng = np.random.default_rng(5)
    noise = scores(rng.random((43, 3)))
    assert estimate_powered_means(people, noise).table["trust"].max() < 0.4


def test_topics_may_come_in_any_order_and_systems_too() -> None:
    people, model = made()
    mixed = model.isel(topic=np.random.default_rng(2).permutation(43), system=[2, 0, 1])
    one, other = estimate_powered_means(people, model), estimate_powered_means(people, mixed)
    assert one.table["estimate"].to_numpy() == pytest.approx(other.table["estimate"].to_numpy(), abs=1e-12)


def test_an_interval_that_ends_at_0_does_not_exclude_it() -> None:
    people, model = made()
    people[:, 2], model[:, 2] = people[:, 0], model[:, 0]
    pair = estimate_powered_means(people, model).pairs.set_index(["system", "other"]).loc[("s0", "s2")]
    assert (pair["low"], pair["high"], pair["excludes_0"]) == (0.0, 0.0, False)


@pytest.mark.parametrize(("level", "kind"), [(0.95, "student"), (0.5, "student"), (0.95, "normal"), (0.5, "normal")])
def test_intervals_would_be_halved_by_so_many_topics(level: float, kind: Any) -> None:
    people, model = made(noise=0.3)
    people, model = people[:4], model.isel(topic=slice(0, 40))
    found = estimate_powered_means(people, model, level=level, quantiles=kind)
    trust = found.table.set_index("system")["trust"]

    def median_width(count: int) -> float:
        tail = 0.5 + level / 2
        times = stats.t(count - 1).ppf(tail) if kind == "student" else stats.norm.ppf(tail)
        widths = []
        for name in trust.index:
            human, both, rest = (np.asarray(x.sel(system=name)) for x in (people, model[:4], model[4:]))
            part = trust[name] ** 2 * np.var(rest, ddof=1) / (40 - count) if trust[name] > 0 else 0.0
            widths.append(times * np.sqrt(np.var(human - trust[name] * both, ddof=1) / count + part))
        return float(np.median(widths))

    expected = next(count for count in range(4, 40) if median_width(count) <= median_width(4) / 2)
    assert found.halving == expected


def test_coverage_of_people_is_kept_with_a_biased_model() -> None:
    """Of 400 systems, ten at a time: all their pairs are compared too."""
    rng = np.random.default_rng(7)
    inside = 0
    for _ in range(40):
        truth = np.clip(rng.normal(0.5, 0.2, (40, 10)), 0, 1)
        model = np.clip(0.4 + 0.5 * truth + rng.normal(0, 0.1, truth.shape), 0, 1)
        table = estimate_powered_means(scores(truth[:12]), scores(model)).table
        inside += int(((table["low"] <= 0.5) & (table["high"] >= 0.5)).sum())
    assert 0.91 <= inside / 400 <= 0.985


def test_wrong_calls() -> None:
    people, model = made()
    with pytest.raises(InputError, match="people and model score different systems"):
        estimate_powered_means(people, model.isel(system=[0, 1]))
    with pytest.raises(InputError, match="the model did not judge topic t0 that people judged"):
        estimate_powered_means(people, model.isel(topic=slice(1, None)))
    with pytest.raises(InputError, match="people judged 12 topics and the model 0 more"):
        estimate_powered_means(people, model.isel(topic=slice(12)))
    with pytest.raises(UsageError, match="people's scores are of 'AP', and the model's of 'RR'"):
        estimate_powered_means(people, model.rename("RR"))
    with pytest.raises(UsageError, match="quantiles='t'"):
        estimate_powered_means(people, model, quantiles="t")  # type: ignore[arg-type]
