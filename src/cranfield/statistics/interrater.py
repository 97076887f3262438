"""Agreement of raters who label the same items: Cohen's kappa and Krippendorff's alpha."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from cranfield._typing import Floats, Ints
from cranfield._validation import word

Weights = Literal["none", "linear", "quadratic"]
Level = Literal["nominal", "ordinal", "interval"]


def cohen_kappa(confusion: Ints, values: Floats, weights: Weights = "none") -> float:
    """Agreement of two raters beyond what their own habits would give by chance.

    kappa = 1 - sum w_ij o_ij / sum w_ij e_ij, o_ij the items labelled i by one and j by the other, e_ij what the
    margins alone would give; w_ij = [i != j], |v_i - v_j| or (v_i - v_j)^2.

    Args:
        confusion: items by their two labels, [labels, labels].
        values: the labels as numbers, ascending, [labels].
        weights: what a disagreement costs.

    Returns:
        At most 1; NaN without items, or where both raters use one and the same label throughout.

    Raises:
        UsageError: unknown weights.

    References:
        Cohen 1960, A coefficient of agreement for nominal scales. doi:10.1177/001316446002000104
        Cohen 1968, Weighted kappa. doi:10.1037/h0026256

    >>> cohen_kappa(np.array([[20, 5], [10, 15]]), np.array([0.0, 1.0]))
    0.4
    """
    word("weights", weights, get_args(Weights))
    apart = np.abs(values[:, None] - values)
    cost = {"none": (apart > 0).astype(np.float64), "linear": apart, "quadratic": apart**2}[weights]
    total = confusion.sum()
    if total == 0:
        return float("nan")
    expected = confusion.sum(axis=1)[:, None] * confusion.sum(axis=0) / total
    chance = float((cost * expected).sum())
    return 1.0 - float((cost * confusion).sum()) / chance if chance > 0 else float("nan")


def krippendorff_alpha(counts: Ints, values: Floats, level: Level = "nominal") -> float:
    """Agreement of any number of raters, some of whom may leave items out.

    alpha = 1 - observed / expected disagreement, over all pairs of labels of an item and over all pairs of labels of
    all items; items with fewer than two labels play no part. The distance of two labels is [c != k], the square of
    their ranks' distance (the labels used between them and half of each), or (c - k)^2.

    Args:
        counts: how often each item was given each label, [items, labels].
        values: the labels as numbers, ascending, [labels].
        level: of measurement.

    Returns:
        At most 1; NaN without pairs, or where only one label is used.

    Raises:
        UsageError: an unknown level.

    Reference:
        Krippendorff 2011, Computing Krippendorff's alpha-reliability. University of Pennsylvania.
    """
    word("level", level, get_args(Level))
    used = counts[counts.sum(axis=1) >= 2].astype(np.float64)
    if not len(used):
        return float("nan")
    raters = used.sum(axis=1, keepdims=True)
    coincidence = (used / (raters - 1)).T @ used - np.diag((used / (raters - 1)).sum(axis=0))
    return float(compute_alphas(coincidence[None], values, level)[0])


def compute_alphas(coincidence: Floats, values: Floats, level: Level) -> Floats:
    """``krippendorff_alpha`` from how often two labels meet on an item, [tables, labels, labels], symmetric."""
    margin = coincidence.sum(axis=1)
    total = margin.sum(axis=1)
    distance = _distance(margin, values, level)
    with np.errstate(divide="ignore", invalid="ignore"):
        expected = (distance * (margin[:, :, None] * margin[:, None, :])).sum(axis=(1, 2)) / (total - 1)
        alpha = 1.0 - (distance * coincidence).sum(axis=(1, 2)) / expected
    return np.where((total > 1) & (expected > 0), alpha, np.nan)


def _distance(margin: Floats, values: Floats, level: Level) -> Floats:
    """Between every two labels, for each table of which these are the margins, [tables or 1, labels, labels]."""
    if level == "nominal":
        apart: Floats = (values[:, None] != values).astype(np.float64)[None]
        return apart
    position = np.cumsum(margin, axis=1) - margin / 2.0 if level == "ordinal" else values[None]
    squared: Floats = (position[:, :, None] - position[:, None, :]) ** 2
    return squared
