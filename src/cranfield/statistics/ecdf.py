"""Empirical distribution functions: evaluated for many samples at once, or as the corners of their steps."""

from __future__ import annotations

import numpy as np

from cranfield._typing import Floats, Ints

ROWS = 32
"""Samples that are processed at once, so that intermediate arrays stay in the cache."""
MOST = 300
"""Most points of a curve."""


def empirical_cdf(ordered: Floats, count: Ints, values: Floats) -> Floats:
    """Share of a sample that does not exceed a value: F(x) = #{i : X_i <= x} / n, right-continuous.

    Args:
        ordered: samples in ascending order, [samples, n]; NaN after the known members.
        count: known members of each, at least 1, [samples].
        values: where F is wanted, [samples, m]; NaN gives NaN.

    Returns:
        [samples, m], in [0, 1].
    """
    out = np.empty(values.shape)
    for start in range(0, len(out), ROWS):
        rows = slice(start, start + ROWS)
        out[rows] = _members_reached(ordered[rows], values[rows])
    out /= count[:, None]
    out[np.isnan(values)] = np.nan
    return out


def _members_reached(ordered: Floats, values: Floats) -> Ints:
    """Count the members up to each value by merging: members come before equal values."""
    samples, wanted = values.shape
    rows = np.arange(samples)[:, None]
    order = (np.argsort(values, axis=1) + rows * wanted).ravel()
    both = np.concatenate([ordered, values.ravel()[order].reshape(values.shape)], axis=1)
    merged = np.argsort(both, axis=1, kind="stable")
    positions = np.flatnonzero(merged >= ordered.shape[1]).reshape(values.shape) - rows * both.shape[1]
    reached = np.empty(values.size, dtype=np.int64)
    reached[order] = (positions - np.arange(wanted)).ravel()
    return reached.reshape(values.shape)


def steps(levels: Floats, up_to: float) -> list[tuple[float, float]]:
    """(level, share of all levels at or below it), thinned where there are many; the last at ``up_to``.

    Args:
        levels: without NaN.
        up_to: where the curve ends.
    """
    ordered = np.sort(levels)
    distinct, count = np.unique(ordered[ordered <= up_to], return_counts=True)
    shares = np.cumsum(count) / len(ordered)
    chosen = np.unique(np.linspace(0, len(distinct) - 1, min(MOST, len(distinct))).round().astype(int))
    points = list(zip(distinct[chosen].tolist(), shares[chosen].tolist(), strict=True))
    before = [] if points and points[0][0] == 0 else [(0.0, 0.0)]
    return [*before, *points, (up_to, points[-1][1] if points else 0.0)]
