"""Logistic regression of one sign on many signs, five to a byte: the twin of the compiled fit, by SciPy's optimiser.

Both end within ``AGREEMENT`` of the least cross entropy, by steps of their own: the compiled fit in single precision,
and this one in double precision.
"""

from __future__ import annotations

import numpy as np

from cranfield._typing import Bytes, Floats, Singles
from cranfield.statistics.kernels.sign_codes import unpack_signs

AGREEMENT = 6e-5
"""Nats by which the cross entropies that both engines find may differ."""
GAIN, GAIN_BEYOND = 1e-9, 1e-6
"""Least gain of another step, in nats: towards the best weights, and where none are best, as larger ones do better."""
AT_ONCE = 4096
"""Cells whose signs are unpacked at a time."""


class _SeparatedError(Exception):
    """Weights that predict the signs of all cells were met on the way."""


def fit_signs(codes: Bytes, share: Floats, sign: Floats, start: Floats, beyond: bool) -> tuple[Floats, Singles, bool]:
    """See ``cranfield.engine.protocol.Engine.fit_signs``."""
    from scipy.optimize import minimize

    cells = _RegressionCells(codes, share, sign, len(start))
    weights = start.copy()

    def note(current: Floats) -> None:
        weights[:] = current
        if not beyond and cells.separated(current):
            raise _SeparatedError

    try:
        note(start)
        options = {"ftol": GAIN_BEYOND if beyond else GAIN, "gtol": 1e-9, "maxiter": 1000, "maxcor": 20}
        found = minimize(cells.evaluate, start, jac=True, method="L-BFGS-B", callback=note, options=options)
        weights[:] = found.x
    except _SeparatedError:
        pass
    return weights, cells.scores(weights).astype(np.float32), cells.separated(weights)


class _RegressionCells:
    """The cells of a regression."""

    def __init__(self, codes: Bytes, share: Floats, sign: Floats, predictors: int) -> None:
        self._share, self._sign = share, sign
        self._signs = unpack_signs(codes, predictors)
        self._speaks = self._signs.any(axis=1)
        self._one_sided = bool(((sign == 0) | (sign == share)).all())

    def evaluate(self, weights: Floats) -> tuple[float, Floats]:
        """The cross entropy in nats, and its slope."""
        loss, slope = 0.0, np.zeros(len(weights))
        for begin in range(0, len(self._share), AT_ONCE):
            cells = slice(begin, begin + AT_ONCE)
            x, share, sign = self._signs[cells].astype(np.float64), self._share[cells], self._sign[cells]
            score = x @ weights
            loss += float(share @ np.logaddexp(0.0, score) - sign @ score)
            slope += x.T @ (share / (1.0 + np.exp(-np.clip(score, -700.0, 700.0))) - sign)
        return loss, slope

    def scores(self, weights: Floats) -> Floats:
        """The sum of the weights times the signs of each cell."""
        rows = range(0, len(self._share), AT_ONCE)
        return np.concatenate([np.zeros(0), *(self._signs[begin : begin + AT_ONCE] @ weights for begin in rows)])

    def separated(self, weights: Floats) -> bool:
        """Return whether the signs of all cells except silent ones are predicted.

        Larger weights of the same ratios then predict them as surely as one likes.
        """
        if not self._one_sided:
            return False
        predicted = self.scores(weights) * np.where(self._sign > 0, 1.0, -1.0) > 0
        return bool((predicted | ~self._speaks).all())
