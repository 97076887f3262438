"""Components of resamples against plain loops, and what their intervals are."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matrices import matrix
from scipy import stats

from cranfield.statistics.generalizability import conditions_within, generalizability, resampled_components


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
def test_laws(seed: int, rows: int, columns: int, both: bool) -> None:
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
