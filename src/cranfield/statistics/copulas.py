"""Dependence between columns, apart from their distributions: Gaussian copulas, and vines of pair copulas.

A vine may be asymmetric and strong in the tails. It needs pyvinecopulib, ``cranfield[vine]``.
"""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr, ndtri
from scipy.stats import rankdata

from cranfield._optional import import_optional
from cranfield._typing import Floats
from cranfield.memory import rows_within
from cranfield.statistics.concordance import mid_ranks

COMBINED = 1 << 26
"""Most random numbers for which combinations of all rows of a table are drawn."""
DRAWN = 1 << 22
"""Numbers drawn in one call."""
FAMILIES = ("indep", "gaussian", "student", "clayton", "gumbel", "frank", "joe")
"""Families of pair copulas, in all rotations; AIC chooses."""
TREES = 10
"""Trees of a vine; deeper pairs count as independent given the others, as few topics tell little about them."""


def normal_scores(table: Floats) -> Floats:
    """Each column's ranks as normal values of mean 0 and variance 1, zeros where it is constant, [n, columns]."""
    n = len(table)
    z = ndtri((mid_ranks(table.T).T - 0.5) / n)
    spread = z.std(axis=0)
    standard: Floats = np.divide(z - z.mean(axis=0), spread, out=np.zeros_like(z), where=spread > 1e-9)
    return standard


def correlation(table: Floats) -> Floats:
    """Correlation of normal scores, [columns, columns]."""
    z = normal_scores(table)
    product: Floats = z.T @ z / len(z)
    return product


def copula_sample(table: Floats, rows: int, rng: np.random.Generator) -> Floats:
    """New rows of uniform values that depend on each other as the columns of a table do, [rows, columns].

    Random combinations of the rows' normal scores have exactly their correlations, of whatever rank; a constant column
    is independent of all. Where combinations of all rows are more than ``COMBINED`` numbers, as many rows as columns
    are combined, which have the same correlations.
    """
    z = normal_scores(table)
    n = len(z)
    combined = z
    if rows * n > COMBINED:
        _, spread, axes = np.linalg.svd(z, full_matrices=False)
        combined = spread[:, None] * axes
    sample = _combined(combined, rows, rng) / np.sqrt(n)
    constant = np.flatnonzero((z == 0).all(axis=0))
    sample[:, constant] = rng.standard_normal((rows, len(constant)))
    uniform: Floats = ndtr(sample)
    return uniform


def _combined(z: Floats, rows: int, rng: np.random.Generator) -> Floats:
    """Random combinations of the rows of z, ``rng.standard_normal((rows, len(z))) @ z``."""
    height = rows_within(len(z), 0.75)
    out = np.empty((rows, z.shape[1]))
    for start in range(0, rows, height):
        weights = np.empty((min(height, rows - start), len(z)))
        for begin in range(0, len(weights), step := max(1, DRAWN // len(z))):
            rng.standard_normal(out=weights[begin : begin + step])
        out[start : start + len(weights)] = weights @ z
    return out


def exchangeable_sample(rows: int, columns: int, shared: float, rng: np.random.Generator) -> Floats:
    """Uniform values whose normal scores all have one correlation, in [0, 1], [rows, columns]."""
    common = rng.standard_normal((rows, 1))
    uniform: Floats = ndtr(np.sqrt(shared) * common + np.sqrt(1.0 - shared) * rng.standard_normal((rows, columns)))
    return uniform


def vine_sample(table: Floats, rows: int, rng: np.random.Generator) -> Floats:
    """New rows of uniform values that depend on each other as the columns of a table do, [rows, columns].

    A regular vine (Dissmann's algorithm: the strongest dependences first) is fitted to the columns' ranks, of which
    equal ones are ordered at random.

    Args:
        table: [n, columns], at least two columns.
        rows: how many to make.
        rng: of ties and of what is drawn.

    Raises:
        MissingPackageError: pyvinecopulib is not installed.

    Reference:
        Urbano & Nagler 2018, Stochastic simulation of test collections: evaluation scores. doi:10.1145/3209978.3210043
    """
    vines = import_optional("pyvinecopulib")
    n, columns = table.shape
    broken = np.stack([rankdata(column + 0.0, method="min") for column in table.T], axis=1).astype(np.float64)
    order = np.argsort(np.argsort(broken + rng.random((n, columns)), axis=0), axis=0)
    controls = vines.FitControlsVinecop(
        family_set=[getattr(vines.BicopFamily, name) for name in FAMILIES],
        trunc_lvl=min(TREES, columns - 1),
        selection_criterion="aic",
        num_threads=1,
    )
    fitted = vines.Vinecop.from_data(np.asfortranarray((order + 1.0) / (n + 1.0)), controls)
    draws = np.asfortranarray(rng.random((rows, columns)))
    uniform: Floats = np.ascontiguousarray(fitted.inverse_rosenblatt(draws, num_threads=1))
    return np.clip(uniform, 1e-12, 1 - 1e-12)
