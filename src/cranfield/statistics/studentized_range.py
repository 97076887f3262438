"""The studentised range: the range of k standard normal values, divided by an independent estimate of their deviation.

P(Q > q) = integral over s of f(s) P(R > q s), with R the range of k normal values and f the density of
sqrt(chi2_df / df). Both integrals are sums over even steps (the trapezoidal rule converges exponentially on such
integrands), the inner one once on a grid that a cubic spline then reads: thousands of values cost milliseconds.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import gammaln, ndtr

from cranfield._typing import Floats

if TYPE_CHECKING:
    from scipy.interpolate import CubicSpline

END = 40.0
"""No range of normal values is larger."""
STEPS = 4001
VALUES = 1 << 19
"""Numbers in one working array."""


def tukey_survival(q: Floats, k: int, df: float) -> Floats:
    """P(Q > q) of the studentised range of k means with df degrees of freedom, [...] -> [...].

    Args:
        q: statistics, not negative; infinity has probability 0.
        k: number of means, at least 2.
        df: degrees of freedom of the deviation, at least 1.

    Reference:
        Tukey 1953, The problem of multiple comparisons. In: The collected works VIII, 1994.

    >>> float(tukey_survival(np.array([3.877]), 3, 10).round(4))
    0.05
    """
    flat = np.minimum(np.asarray(q, dtype=np.float64), 1e9).ravel()
    s, weight = deviations(df)
    tail = _range_tail(k)
    out = np.empty(len(flat))
    size = max(1, VALUES // len(s))
    for start in range(0, len(flat), size):
        points = np.minimum(flat[start : start + size, None] * s, END)
        out[start : start + size] = tail(points) @ weight
    out[np.isinf(np.ravel(q))] = 0.0
    return np.clip(out, 0.0, 1.0).reshape(np.shape(q))


def tukey_quantile(p: float, k: int, df: float) -> float:
    """The q with P(Q > q) = p, for p in (0, 1)."""
    from scipy.optimize import brentq

    high = 4.0
    while tukey_survival(np.array(high), k, df) > p:
        high *= 2.0
    return float(brentq(lambda q: float(tukey_survival(np.array(q), k, df)) - p, 0.0, high, xtol=1e-12, rtol=1e-12))


@lru_cache(maxsize=16)
def deviations(df: float, finer: int = 1) -> tuple[Floats, Floats]:
    """Places and weights of the integral over s = exp(x), whose density falls off smoothly on both sides; read-only.

    Args:
        df: degrees of freedom, at least 1.
        finer: how many times shorter the steps are than the studentised range needs.
    """
    spread = 1.0 / np.sqrt(2.0 * df)
    x = np.linspace(-max(40.0 / df, 12.0 * spread), min(2.5, max(9.0 * spread, 0.0)), 400 * finer + 1)
    s = np.exp(x)
    log_density = df * x - df * np.expm1(2.0 * x) / 2.0
    constant = (df / 2.0) * np.log(df / 2.0) - df / 2.0 - gammaln(df / 2.0) + np.log(2.0)
    weight = np.exp(log_density + constant) * (x[1] - x[0])
    for kept in (s, weight):
        kept.flags.writeable = False
    return s, weight


@lru_cache(maxsize=16)
def _range_tail(k: int) -> CubicSpline:
    """P(R > w) for w in [0, END]: 1 - k * integral of phi(z) (Phi(z) - Phi(z - w))^(k-1) dz."""
    from scipy.interpolate import CubicSpline

    w = np.linspace(0.0, END, STEPS)
    z = np.linspace(-10.0, 10.0, 401)
    density = np.exp(-z * z / 2.0) / np.sqrt(2.0 * np.pi) * (z[1] - z[0])
    inside = np.clip(ndtr(z) - ndtr(z - w[:, None]), 0.0, 1.0) ** (k - 1)
    return CubicSpline(w, np.clip(1.0 - k * (inside @ density), 0.0, 1.0))
