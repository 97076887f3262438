"""Information tau of measures: topics as vectors, intervals, refusals; and its null by permutations."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import xarray as xr
from numpy.typing import NDArray

import cranfield
from cranfield import InputError, UsageError
from cranfield.information import compute_information_tau, estimate_information_tau_null
from cranfield.statistics import order_information

MEASURES = ["AP", "nDCG@10", "RR"]


def scores(seed: int = 1, topics: int = 6, systems: int = 9) -> xr.Dataset:
    """Values that share something, with a few ties."""
    rng = np.random.default_rng(seed)
    base = rng.normal(size=(topics, systems))
    labels = {
        "topic": [f"t{number}" for number in range(topics)],
        "system": [f"s{number}" for number in range(systems)],
    }
    return xr.Dataset(
        {
            name: (("topic", "system"), np.round(base + rng.normal(scale=scale, size=base.shape), 1))
            for name, scale in zip(MEASURES, (0.2, 0.5, 1.0), strict=True)
        },
        labels,
    )


def test_a_topic_is_a_vector_of_systems() -> None:
    table = scores()
    one, other, known = (table[name] for name in MEASURES)
    found = cranfield.information.compute_information_tau(one, other, [known])
    expected = [order_information(one[t], other[t], [known[t]]) for t in range(6)]
    assert found.topics.values.tolist() == expected
    assert found.topics["topic"].values.tolist() == table["topic"].values.tolist()
    assert found.value == float(found) == pytest.approx(np.mean(expected), abs=1e-15)
    assert found.settings["given"] == ["RR"]
    turned = cranfield.information.compute_information_tau(one.transpose("system", "topic"), other, [known])
    assert turned.topics.values.tolist() == expected


def test_vectors_give_a_number() -> None:
    value = cranfield.information.compute_information_tau([4, 3, 2, 1], np.array([4, 3, 1, 2]))
    assert type(value) is float
    assert value == pytest.approx(0.349978, abs=5e-7)


def test_the_same_pairs_with_and_without_conditions() -> None:
    table = scores()
    one, other, known = (table[name] for name in MEASURES)
    free = cranfield.information.compute_information_tau(one, other, universe=[known])
    for topic in range(6):
        row = [values[topic].values for values in (one, other, known)]
        assert free.topics.values[topic] == order_information(*row[:2], universe=row[2:])
    assert free.value != cranfield.information.compute_information_tau(one, other).value


def test_all_measures_with_each_other() -> None:
    table = scores()
    found = cranfield.information.compute_information_taus(table)
    assert found.value.dims == ("measure", "other", "given")
    assert found.value["given"].values.tolist() == ["", *MEASURES]
    for measure, other in itertools.product(MEASURES, repeat=2):
        for known in ("", *MEASURES):
            one = cranfield.information.compute_information_tau(
                table[measure],
                table[other],
                [table[known]] if known else [],
                universe=[table[name] for name in MEASURES],
            )
            cell = {"measure": measure, "other": other, "given": known}
            assert found.value.sel(cell).item() == pytest.approx(one.value, abs=1e-12)
            assert found.topics.sel(cell).values == pytest.approx(one.topics.values, abs=1e-12)
            assert found.low.sel(cell).item() == pytest.approx(one.low, abs=1e-12)
            assert found.high.sel(cell).item() == pytest.approx(one.high, abs=1e-12)
    own = cranfield.information.compute_information_taus(table, common=False).value
    first = cranfield.information.compute_information_tau(table["AP"], table["RR"]).value
    assert own.sel(measure="AP", other="RR", given="").item() == pytest.approx(first, abs=1e-12)


def test_intervals_are_percentiles_of_resampled_means() -> None:
    table = scores(topics=4)
    found = cranfield.information.compute_information_tau(table["AP"], table["RR"], resamples=1000, level=0.8)
    values = found.topics.values
    every = [np.mean(drawn) for drawn in itertools.product(values, repeat=4)]
    low, high = np.quantile(every, [0.1, 0.9])
    spread = high - low
    assert found.low == pytest.approx(low, abs=0.1 * spread)
    assert found.high == pytest.approx(high, abs=0.1 * spread)
    again = cranfield.information.compute_information_tau(table["AP"], table["RR"], resamples=1000, level=0.8)
    assert (again.low, again.high) == (found.low, found.high)
    more = scores(topics=20)
    one, other = (cranfield.information.compute_information_tau(more["AP"], more["RR"], seed=seed) for seed in (1, 2))
    assert (other.low, other.high) != (one.low, one.high)
    none = cranfield.information.compute_information_tau(table["AP"], table["RR"], resamples=0)
    assert math.isnan(none.low)
    assert none.value == found.value


def test_undefined_topics_are_left_out() -> None:
    table = scores(topics=3)
    table["RR"][1] = 0.0  # every system ties
    table["AP"][2] = np.nan  # the measure has no value of this topic
    found = cranfield.information.compute_information_tau(table["AP"], table["RR"])
    assert np.isnan(found.topics.values).tolist() == [False, True, True]
    assert found.value == found.topics.values[0]
    assert math.isnan(found.low)
    every = cranfield.information.compute_information_taus(table, common=False)
    assert every.value.sel(measure="AP", other="RR", given="").item() == pytest.approx(found.value)
    table["AP"][:] = np.nan
    nothing = cranfield.information.compute_information_tau(table["AP"], table["RR"])
    assert math.isnan(nothing.value)


def test_refusals() -> None:
    table = scores()
    broken = table.copy(deep=True)
    broken["RR"][2, 4] = np.nan
    with pytest.raises(InputError, match="RR of system 's4' on topic 't2' is missing"):
        cranfield.information.compute_information_tau(broken["AP"], broken["RR"])
    with pytest.raises(UsageError, match="scores and plain numbers cannot be mixed"):
        cranfield.information.compute_information_tau(table["AP"], [1.0, 2.0])
    with pytest.raises(UsageError, match="different labels of the dim system"):
        cranfield.information.compute_information_tau(table["AP"], table["RR"].isel(system=slice(None, None, -1)))
    with pytest.raises(UsageError, match=r"has the dims \('topic',\)"):
        cranfield.information.compute_information_tau(table["AP"], table["RR"].mean("system"))
    with pytest.raises(UsageError, match="a Dataset of two measures or more"):
        cranfield.information.compute_information_taus(table[["AP"]])
    for options, message in (
        ({"level": 1}, "level=1 should lie"),
        ({"resamples": -1}, "resamples=-1"),
        ({"seed": "a"}, "seed='a'"),
        ({"tau_ties": "b"}, "tau_ties='b' is not one of drop, ternary"),
    ):
        for call in (
            lambda options=options: cranfield.information.compute_information_tau(table["AP"], table["RR"], **options),
            lambda options=options: cranfield.information.compute_information_taus(table, **options),
        ):
            with pytest.raises(UsageError, match=message):
                call()


# ---- by chance, against plain loops and known sizes


def order(values: NDArray[np.float64], name: str) -> xr.DataArray:
    labels = {"topic": [str(at) for at in range(len(values))], "system": [str(at) for at in range(values.shape[1])]}
    return xr.DataArray(values, labels, ("topic", "system"), name=name, attrs={"signature": '{"of": "a test"}'})


def orders(count: int, topics: int = 30, systems: int = 7) -> list[xr.DataArray]:
    rng = np.random.default_rng(4)
    return [order(rng.random((topics, systems)), f"m{at}") for at in range(count)]


def test_chance_is_the_mean_over_permutations_of_the_second_order() -> None:
    r, s, t = orders(3, topics=4)
    found = estimate_information_tau_null(r, s, [t], resamples=200, seed=5)
    rng = np.random.default_rng(5)
    drawn = np.array(
        [
            [compute_information_tau(r[q].values, rng.permutation(s[q].values), [t[q].values]) for _ in range(200)]
            for q in range(4)
        ]
    ).mean(axis=0)
    value = compute_information_tau(r, s, [t]).value
    assert found.value == value
    assert found.null == pytest.approx(drawn.mean(), rel=1e-12)
    assert found.null_95 == pytest.approx(np.quantile(drawn, 0.95), rel=1e-12)
    assert found.p == ((drawn >= value - 1e-12).sum() + 1) / 201


@pytest.mark.parametrize(("conditions", "bits"), [(0, 0.08), (1, 0.08), (2, 0.12)])
def test_seven_systems_agree_by_accident(conditions: int, bits: float) -> None:
    r, s, *given = orders(2 + conditions, topics=60)
    found = estimate_information_tau_null(r, s, given)
    assert found.null == pytest.approx(bits, abs=0.012)
    assert found.null < found.null_95
    # Both orders are random, so that the value is one of those by chance.
    assert found.value == pytest.approx(found.null, abs=0.04)
    assert found.p > 0.01


def test_equal_orders_are_no_chance_and_ties_say_nothing() -> None:
    r, s = orders(2)
    same = estimate_information_tau_null(r, r.rename("again"))
    assert (same.value, same.p) == (pytest.approx(1.0), 1 / 201)
    tied = estimate_information_tau_null(r, (0 * s).rename("tied"))
    assert np.isnan([tied.value, tied.null, tied.null_95, tied.p]).all()


def test_a_seed_fixes_the_bits_and_wrong_calls_are_refused() -> None:
    r, s = orders(2)
    assert estimate_information_tau_null(r, s, seed=3) == estimate_information_tau_null(r, s, seed=3)
    assert estimate_information_tau_null(r, s, seed=3).null != estimate_information_tau_null(r, s, seed=4).null
    with pytest.raises(UsageError, match="resamples=199 should be at least 200"):
        estimate_information_tau_null(r, s, resamples=199)
    with pytest.raises(UsageError, match="a null is of scores"):
        estimate_information_tau_null([1, 2, 3], [3, 2, 1])  # type: ignore[arg-type]
    assert "estimate_information_tau_null" in dir(cranfield.information)
