"""Empirical distributions of many samples at once."""

from __future__ import annotations

import numpy as np

from cranfield.contract import Floats, Ints

ROWS = 16
"""Samples that are worked on at once, so that what is in between stays in the cache."""


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
    """Merge: members come before equal values, so the place of a value counts the members that it reaches."""
    order = np.argsort(values, axis=1)
    both = np.concatenate([ordered, np.take_along_axis(values, order, axis=1)], axis=1)
    merged = np.argsort(both, axis=1, kind="stable")
    places = np.nonzero(merged >= ordered.shape[1])[1].reshape(values.shape)
    reached = np.empty(values.shape, dtype=np.int64)
    np.put_along_axis(reached, order, places - np.arange(values.shape[1]), axis=1)
    return reached
