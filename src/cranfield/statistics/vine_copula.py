"""Dependence between columns by a vine of copulas of two variables, which may be asymmetric and strong in the tails.

It needs pyvinecopulib, ``cranfield[vine]``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.stats import rankdata

from cranfield._typing import Floats
from cranfield.errors import UsageError

FAMILIES = ("indep", "gaussian", "student", "clayton", "gumbel", "frank", "joe")
"""Of pair copulas, in all rotations; AIC chooses."""
TREES = 10
"""Beyond so many trees pairs count as independent given the others: few topics say little of them."""


def vine_sample(table: Floats, rows: int, rng: np.random.Generator, trees: int = TREES) -> Floats:
    """New rows of uniform values that depend on each other as the columns of a table do, [rows, columns].

    A regular vine (Dissmann's algorithm: the strongest dependences first) is fitted to the columns' ranks, of which
    equal ones are ordered at random.

    Args:
        table: [n, columns], at least two columns.
        rows: how many to make.
        rng: of ties and of what is drawn.
        trees: of the vine; pairs beyond are independent given the others.

    Raises:
        UsageError: pyvinecopulib is not installed.

    Reference:
        Urbano & Nagler 2018, Stochastic simulation of test collections: evaluation scores. doi:10.1145/3209978.3210043
    """
    vines = _library()
    n, columns = table.shape
    broken = np.stack([rankdata(column + 0.0, method="min") for column in table.T], axis=1).astype(np.float64)
    order = np.argsort(np.argsort(broken + rng.random((n, columns)), axis=0), axis=0)
    controls = vines.FitControlsVinecop(
        family_set=[getattr(vines.BicopFamily, name) for name in FAMILIES],
        trunc_lvl=min(trees, columns - 1),
        selection_criterion="aic",
        num_threads=1,
    )
    fitted = vines.Vinecop.from_data(np.asfortranarray((order + 1.0) / (n + 1.0)), controls)
    draws = np.asfortranarray(rng.random((rows, columns)))
    uniform: Floats = np.ascontiguousarray(fitted.inverse_rosenblatt(draws, num_threads=1))
    return np.clip(uniform, 1e-12, 1 - 1e-12)


def _library() -> Any:
    try:
        import pyvinecopulib
    except ImportError:
        text = "vine copulas need pyvinecopulib, which is not installed: pip install 'cranfield[vine]'"
        raise UsageError(text) from None
    return pyvinecopulib
