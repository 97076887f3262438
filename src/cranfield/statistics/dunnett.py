"""Many means against one: the largest of k |t| that share a control and an estimate of the deviation (Dunnett).

T_i = (Z_i - Z_0) / (sqrt(2) s) with normal Z and s = sqrt(chi2_df / df). Given s and Z_0 = z the k values are
independent, which leaves two integrals,

    P(max |T_i| <= c) = E_s integral phi(z) (Phi(z + sqrt(2) c s) - Phi(z - sqrt(2) c s))^k dz,

both sums over even steps as for the studentised range.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtr

from cranfield._typing import Floats
from cranfield.statistics.studentized_range import END, STEPS, VALUES, deviations

if TYPE_CHECKING:
    from scipy.interpolate import CubicSpline


def dunnett_survival(t: Floats, k: int, df: float) -> Floats:
    """P(max |T_i| >= t) of k treatments and a control, [...] -> [...].

    Args:
        t: statistics, not negative; infinity has probability 0.
        k: treatments besides the control, at least 1; with one it is Student's two-sided p.
        df: degrees of freedom of the deviation, at least 1.

    Reference:
        Dunnett 1955, A multiple comparison procedure for comparing several treatments with a control.
        doi:10.1080/01621459.1955.10501294

    >>> float(dunnett_survival(np.array([2.568]), 2, 10).round(4))
    0.05
    """
    flat = np.minimum(np.asarray(t, dtype=np.float64), 1e9).ravel()
    s, weight = deviations(df)
    tail = _tail(k)
    out = np.empty(len(flat))
    size = max(1, VALUES // len(s))
    for start in range(0, len(flat), size):
        scaled = np.minimum(np.sqrt(2.0) * flat[start : start + size, None] * s, END)
        out[start : start + size] = tail(scaled) @ weight
    out[np.isinf(np.ravel(t))] = 0.0
    return np.clip(out, 0.0, 1.0).reshape(np.shape(t))


def dunnett_quantile(p: float, k: int, df: float) -> float:
    """The t with P(max |T_i| >= t) = p, for p in (0, 1)."""
    from scipy.optimize import brentq

    high = 4.0
    while dunnett_survival(np.array(high), k, df) > p:
        high *= 2.0
    return float(brentq(lambda t: float(dunnett_survival(np.array(t), k, df)) - p, 0.0, high, xtol=1e-12, rtol=1e-12))


@lru_cache(maxsize=16)
def _tail(k: int) -> CubicSpline:
    """1 - integral of phi(z) (Phi(z + w) - Phi(z - w))^k dz, for w in [0, END]."""
    from scipy.interpolate import CubicSpline

    w = np.linspace(0.0, END, STEPS)
    z = np.linspace(-10.0, 10.0, 401)
    density = np.exp(-z * z / 2.0) / np.sqrt(2.0 * np.pi) * (z[1] - z[0])
    outside = np.minimum(ndtr(-z - w[:, None]) + ndtr(z - w[:, None]), 1.0)
    with np.errstate(divide="ignore"):
        missed = -np.expm1(k * np.log1p(-outside))
    return CubicSpline(w, missed @ density)
