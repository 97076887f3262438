"""Equations with a triangle of coefficients, by substitution, in NumPy."""

from __future__ import annotations

from cranfield.arrays import Floats


def substitute(lower: Floats, upper: Floats, right: Floats) -> Floats:
    """See ``cranfield.contract.Engine.substitute``."""
    x = right.copy()
    for row, column in enumerate(upper):
        x[row] /= column[row]
        x[row + 1 :] -= x[row] * column[row + 1 :]
    for row in range(len(x) - 1, -1, -1):
        x[row] /= lower[row, row]
        x[:row] -= x[row] * lower[row, :row]
    return x
