"""Variance components, coefficients and intervals against published values, and resampled ones against loops."""

from __future__ import annotations

import json
import math
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matrices import matrix
from scipy import stats

from cranfield.statistics import Generalizability, TwoWay, conditions_within, resampled_components, two_way
from data_sets import GOLDEN

WORKED = np.array([[0.5, 0.6, 0.4, 0.7], [0.4, 0.5, 0.5, 0.6], [0.2, 0.4, 0.1, 0.3]]).T


def generalizability(table: np.ndarray) -> Generalizability:
    return Generalizability(two_way(table))


def test_worked_example() -> None:
    found = generalizability(WORKED)
    assert found.components == pytest.approx((0.0244444, 0.0077778, 0.0055556), abs=5e-8)
    assert float(found.coefficient("Phi", 4)) == pytest.approx(0.88, abs=1e-12)
    assert float(found.coefficient("Erho2", 4)) == pytest.approx(0.946237, abs=5e-7)


def test_a_whole_number_of_conditions_is_not_rounded_up() -> None:
    """0.9 / (1 - 0.9) is a little more than 9 in floating point."""
    assert 0.9 / (1.0 - 0.9) > 9
    assert conditions_within(SimpleNamespace(low=0.5, high=0.5), 0.9) == (9, 9)
    assert conditions_within(SimpleNamespace(low=0.5, high=0.5), 0.901) == (10, 10)


def test_golden_values() -> None:
    golden = json.loads((GOLDEN / "generalizability.json").read_text())
    compared = 0
    for name, case in golden.items():
        if name == "tau_examples":
            continue
        g = case["g"]
        found = Generalizability(TwoWay(g["n_q"], g["n_s"], g["ms_q"], g["ms_s"], g["ms_e"]))
        assert found.components == pytest.approx((g["var_s"], g["var_q"], g["var_e"]), abs=1e-12)
        for key in (key for key in case if key.startswith("d_alpha")):
            d, level = case[key], 1.0 - 2.0 * float(key.removeprefix("d_alpha"))
            for which in ("Erho2", "Phi"):
                bounds = found.interval(which, g["n_q"], level)  # type: ignore[arg-type]
                ours = float(found.coefficient(which, g["n_q"])), bounds.low, bounds.high  # type: ignore[arg-type]
                assert ours == pytest.approx((d[which], d[f"{which}_lwr"], d[f"{which}_upr"]), abs=1e-9)
                compared += 3
    assert compared == 30


@given(st.integers(2, 9), st.integers(2, 9), st.integers(0, 999))
def test_mean_squares_add_up(rows: int, columns: int, seed: int) -> None:
    table = matrix(rows, columns, seed)
    found = two_way(table)
    total = found.ms_rows * found.df_rows + found.ms_columns * found.df_columns + found.ms_residual * found.df_residual
    assert total == pytest.approx(((table - table.mean()) ** 2).sum(), rel=1e-10)


@given(st.integers(2, 9), st.integers(2, 9), st.integers(0, 999), st.sampled_from(["Erho2", "Phi"]))
def test_laws(rows: int, columns: int, seed: int, which: str) -> None:
    table = matrix(rows, columns, seed)
    found = generalizability(table)
    curve = found.coefficient(which, np.array([1.0, 2, 5, 50, 1e6]))  # type: ignore[arg-type]
    assert ((curve >= 0) & (curve <= 1)).all()
    assert (np.diff(curve) >= 0).all()
    assert float(found.coefficient("Phi", 7)) <= float(found.coefficient("Erho2", 7))
    moved = generalizability(3.0 - 2.0 * table)
    assert moved.coefficient(which, 7) == pytest.approx(found.coefficient(which, 7), abs=1e-9)  # type: ignore[arg-type]
    bounds = found.interval(which, rows, 0.9)  # type: ignore[arg-type]
    assert 0 <= bounds.low <= bounds.high <= 1
    needed = found.needed(which, 0.9)  # type: ignore[arg-type]
    if math.isfinite(needed):
        assert found.coefficient(which, needed) >= 0.9 - 1e-9  # type: ignore[arg-type]
        assert needed == 1 or found.coefficient(which, needed - 1) < 0.9 + 1e-9  # type: ignore[arg-type]
    else:
        assert found.components[0] == 0


def test_degenerate_matrices() -> None:
    constant = generalizability(np.full((4, 3), 0.1))
    assert constant.components == (0.0, 0.0, 0.0)
    assert math.isnan(float(constant.coefficient("Phi", 4)))
    assert math.isnan(constant.needed("Phi", 0.95))
    additive = generalizability(np.add.outer([0.1, 0.2, 0.3], [0.0, 0.5]))
    assert additive.components[2] == 0
    assert float(additive.coefficient("Erho2", 3)) == 1.0
    assert additive.interval("Erho2", 3, 0.95) == (1.0, 1.0)
    same = generalizability(np.repeat([[0.1], [0.5], [0.3]], 4, axis=1))
    assert float(same.coefficient("Phi", 3)) == 0.0
    assert same.interval("Phi", 3, 0.95) == (0.0, 0.0)
    assert same.needed("Phi", 0.95) == math.inf


@pytest.mark.parametrize(("rows", "columns"), [(43, 37), (50, 129), (7, 5)])
def test_one_cell_that_stands_out_tells_nothing_of_objects(rows: int, columns: int) -> None:
    """All three mean squares are the same number then, and rounding must not make one component of it."""
    table = np.ones((rows, columns))
    table[3, 2] = 0.9
    found = generalizability(table)
    assert found.components[:2] == (0.0, 0.0)
    assert found.needed("Phi", 0.95) == math.inf


# ---- resampled components


@pytest.mark.parametrize("objects", [False, True])
def test_each_resample_is_the_analysis_of_what_was_drawn(objects: bool) -> None:
    table = matrix(9, 6, 2, spread=0.7)
    n, k = table.shape
    ours = resampled_components(table, 40, np.random.default_rng(3), objects=objects)
    of_rows, of_columns = np.random.default_rng(3).spawn(2)
    rows = of_rows.integers(0, n, size=(40, n))
    columns = of_columns.integers(0, k, size=(40, k)) if objects else np.tile(np.arange(k), (40, 1))
    for at in range(40):
        anova = generalizability(table[np.ix_(rows[at], columns[at])]).anova
        part = (k - 1) / k if objects else 1.0
        residual = anova.ms_residual / ((n - 1) / n * part)
        of_objects = anova.ms_columns / part - (n - 1) / n * residual
        of_conditions = anova.ms_rows * n / (n - 1) - (part * residual if objects else 0.0)
        expected = [(of_objects - residual) / n, (of_conditions - residual) / k, residual]
        found = [ours.objects[at], ours.conditions[at], ours.residual[at]]
        assert found == pytest.approx([max(0.0, value) for value in expected], rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("objects", [False, True])
def test_the_mean_over_resamples_is_the_estimate(objects: bool) -> None:
    table = matrix(12, 8, 1) + np.linspace(0, 2, 8)
    ours = resampled_components(table, 20_000, np.random.default_rng(1), objects=objects)
    for drawn, estimate in zip(
        (ours.objects, ours.conditions, ours.residual), generalizability(table).components, strict=True
    ):
        assert abs(drawn.mean() - estimate) < 5 * drawn.std() / math.sqrt(len(drawn))


def test_the_interval_is_student_s_on_the_log_of_the_ratio() -> None:
    table = matrix(12, 8, 1) + np.linspace(0, 2, 8)
    ours = resampled_components(table, 500, np.random.default_rng(1), objects=True)
    objects, conditions, residual = generalizability(table).components
    assert (ours.objects > 0).all()
    for which, noise, drawn in (
        ("Erho2", residual, ours.residual),
        ("Phi", conditions + residual, ours.conditions + ours.residual),
    ):
        half = stats.t.ppf(0.95, 7) * np.log(ours.objects / drawn).std(ddof=1)
        ends = [20 * objects / noise * math.exp(side * half) for side in (-1, 1)]
        assert ours.interval(which, 20, 0.9) == pytest.approx([end / (1 + end) for end in ends], rel=1e-9)  # type: ignore[arg-type]


@given(seed=st.integers(0, 500), rows=st.integers(2, 10), columns=st.integers(2, 8), both=st.booleans())
def test_laws_of_resampled_components(seed: int, rows: int, columns: int, both: bool) -> None:
    table = matrix(rows, columns, seed, spread=1.0)
    ours = resampled_components(table, 50, np.random.default_rng(seed), objects=both)
    moved = resampled_components(4 * table, 50, np.random.default_rng(seed), objects=both)
    study = generalizability(table)
    for which in ("Erho2", "Phi"):
        wide, narrow = (ours.interval(which, 5, level) for level in (0.95, 0.5))  # type: ignore[arg-type]
        value = float(study.coefficient(which, 5))  # type: ignore[arg-type]
        assert 0 <= wide.low <= narrow.low <= value + 1e-12 and value - 1e-12 <= narrow.high <= wide.high <= 1
        assert moved.interval(which, 5, 0.95) == wide  # type: ignore[arg-type]
        needed = conditions_within(ours.interval(which, 1, 0.95), 0.9)  # type: ignore[arg-type]
        assert needed.low <= study.needed(which, 0.9) <= needed.high  # type: ignore[arg-type]


def test_where_nothing_varies() -> None:
    flat = resampled_components(np.full((5, 4), 0.5), 20, np.random.default_rng(1), objects=True)
    assert math.isnan(flat.interval("Phi", 5, 0.95).low)
    alike = resampled_components(np.tile(np.arange(5.0)[:, None], 4), 20, np.random.default_rng(1), objects=True)
    assert alike.interval("Phi", 5, 0.95) == (0.0, 0.0)
    assert conditions_within(alike.interval("Phi", 1, 0.95), 0.9) == (math.inf, math.inf)
