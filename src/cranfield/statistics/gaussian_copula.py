"""Dependence between columns, apart from their distributions."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr, ndtri

from cranfield.contract import Floats
from cranfield.statistics.concordance import mid_ranks


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
    is independent of all.
    """
    z = normal_scores(table)
    sample = rng.standard_normal((rows, len(z))) @ z / np.sqrt(len(z))
    constant = np.flatnonzero((z == 0).all(axis=0))
    sample[:, constant] = rng.standard_normal((rows, len(constant)))
    uniform: Floats = ndtr(sample)
    return uniform


def exchangeable_sample(rows: int, columns: int, shared: float, rng: np.random.Generator) -> Floats:
    """Uniform values whose normal scores all have one correlation, in [0, 1], [rows, columns]."""
    common = rng.standard_normal((rows, 1))
    uniform: Floats = ndtr(np.sqrt(shared) * common + np.sqrt(1.0 - shared) * rng.standard_normal((rows, columns)))
    return uniform
