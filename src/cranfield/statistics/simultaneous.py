"""Simultaneous tests of many means: Dunnett's, Tukey's, and the randomized Tukey test.

Dunnett: T_i = (Z_i - Z_0) / (sqrt(2) s) with normal Z and s = sqrt(chi2_df / df). Given s and Z_0 = z the k values are
independent, which leaves two integrals,

    P(max |T_i| <= c) = E_s integral phi(z) (Phi(z + sqrt(2) c s) - Phi(z - sqrt(2) c s))^k dz.

Tukey: the studentised range, P(Q > q) = integral over s of f(s) P(R > q s), with R the range of k normal values and f
the density of sqrt(chi2_df / df).

All integrals are sums over even steps (the trapezoidal rule converges exponentially on such integrands), the inner ones
computed once on a grid that a cubic spline then reads: thousands of values cost milliseconds.

Randomized Tukey: the range of column means when the values of each row are permuted at random.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray
from scipy.special import gammaln, ndtr

from cranfield._typing import Floats
from cranfield.statistics.contrasts import Contrasts, noise
from cranfield.statistics.monte_carlo import share
from cranfield.threads import Each

if TYPE_CHECKING:
    from scipy.interpolate import CubicSpline

END = 40.0
"""Upper end of the integrals: no range of normal values is larger."""
STEPS = 4001
VALUES = 1 << 19
"""Numbers in one working array."""
Unsigned = TypeVar("Unsigned", bound=np.unsignedinteger)
BLOCK = 1024
"""Resamples at a time: their sums stay in the cache."""
CELLS = 1 << 27
"""Random numbers of a block: with very many rows it has fewer resamples."""
DRAWN = 1 << 20
"""Numbers drawn in one call."""
BASES = 16
"""Freshly shuffled orders of each row in a block; a resample takes one of them, rotated by a random offset."""


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
    return _average_tail(t, _tail(k), df, np.sqrt(2.0))


def dunnett_quantile(p: float, k: int, df: float) -> float:
    """The t with P(max |T_i| >= t) = p, for p in (0, 1)."""
    return _solve(dunnett_survival, p, k, df)


def _normal_grid() -> tuple[Floats, Floats, Floats]:
    """Values w from 0 to END; and nodes z of an integral over the normal density, with their weights."""
    z = np.linspace(-10.0, 10.0, 401)
    return np.linspace(0.0, END, STEPS), z, np.exp(-z * z / 2.0) / np.sqrt(2.0 * np.pi) * (z[1] - z[0])


@lru_cache(maxsize=16)
def _tail(k: int) -> CubicSpline:
    """1 - integral of phi(z) (Phi(z + w) - Phi(z - w))^k dz, for w in [0, END]."""
    from scipy.interpolate import CubicSpline

    w, z, density = _normal_grid()
    outside = np.minimum(ndtr(-z - w[:, None]) + ndtr(z - w[:, None]), 1.0)
    with np.errstate(divide="ignore"):
        missed = -np.expm1(k * np.log1p(-outside))
    return CubicSpline(w, missed @ density)


def tukey_survival(q: Floats, k: int, df: float) -> Floats:
    """P(Q > q) of the studentised range of k means with df degrees of freedom, [...] -> [...].

    Args:
        q: statistics, not negative; infinity has probability 0.
        k: number of means, at least 2.
        df: degrees of freedom of the deviation, at least 1; infinite where it is known.

    Reference:
        Tukey 1953, The problem of multiple comparisons. In: The collected works VIII, 1994.

    >>> float(tukey_survival(np.array([3.877]), 3, 10).round(4))
    0.05
    """
    return _average_tail(q, _range_tail(k), df)


def _average_tail(values: Floats, tail: CubicSpline, df: float, factor: float = 1.0) -> Floats:
    """The expectation of tail(factor value s) over s, [...]; 0 of an infinite value."""
    flat = np.minimum(np.asarray(values, dtype=np.float64), 1e9).ravel()
    s, weight = (np.ones(1), np.ones(1)) if np.isinf(df) else deviations(df)
    out = np.empty(len(flat))
    size = max(1, VALUES // len(s))
    for start in range(0, len(flat), size):
        points = np.minimum(factor * flat[start : start + size, None] * s, END)
        out[start : start + size] = tail(points) @ weight
    out[np.isinf(np.ravel(values))] = 0.0
    return np.clip(out, 0.0, 1.0).reshape(np.shape(values))


def tukey_quantile(p: float, k: int, df: float) -> float:
    """The q with P(Q > q) = p, for p in (0, 1)."""
    return _solve(tukey_survival, p, k, df)


def _solve(survival: Callable[[Floats, int, float], Floats], p: float, k: int, df: float) -> float:
    """The value that a statistic reaches with probability p."""
    from scipy.optimize import brentq

    def excess(value: float) -> float:
        return float(survival(np.array(value), k, df)) - p

    high = 4.0
    while excess(high) > 0:
        high *= 2.0
    return float(brentq(excess, 0.0, high, xtol=1e-12, rtol=1e-12))


@lru_cache(maxsize=16)
def deviations(df: float, finer: int = 1) -> tuple[Floats, Floats]:
    """Nodes and weights of the integral over s = exp(x), whose density falls off smoothly on both sides; read-only.

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
    for array in (s, weight):
        array.flags.writeable = False
    return s, weight


@lru_cache(maxsize=16)
def _range_tail(k: int) -> CubicSpline:
    """P(R > w) for w in [0, END]: 1 - k * integral of phi(z) (Phi(z) - Phi(z - w))^(k-1) dz."""
    from scipy.interpolate import CubicSpline

    w, z, density = _normal_grid()
    inside = np.clip(ndtr(z) - ndtr(z - w[:, None]), 0.0, 1.0) ** (k - 1)
    return CubicSpline(w, np.clip(1.0 - k * (inside @ density), 0.0, 1.0))


def null_ranges(table: Floats, resamples: int, rng: np.random.Generator, each: Each = map) -> Floats:
    """Largest less smallest column mean after permuting the values of each row at random, [resamples].

    A permutation of a row is one of a few random orders, turned by a random number of places: uniform over all orders
    and independent between the rows of a resample, so every range has the distribution that the test asks for, for
    one shuffle of many. Resamples of a block share their orders, which leaves the mean of any count as it is.

    Args:
        table: [n, columns], without NaN.
        resamples: how many.
        rng: what deals.
        each: where blocks of resamples are dealt; the same bits anywhere.
    """
    n = len(table)
    work = _MeanRanges(table - table.mean(axis=1, keepdims=True))
    height = max(1, min(BLOCK, CELLS // n))
    sizes = [min(height, resamples - start) for start in range(0, resamples, height)]
    # Here a block leaves the generator where the next one begins; elsewhere a copy of it deals.
    dealers = (_Dealer(rng, size) for size in sizes) if each is map else _dealers(rng, sizes, *table.shape)
    return np.concatenate(list(each(work, dealers)))


@dataclass(frozen=True)
class _Dealer:
    """A block of resamples that is still to be drawn."""

    rng: np.random.Generator
    size: int

    @property
    def name(self) -> str:
        """The name of the task on a cluster."""
        return f"{self.size:,} resamples"

    def positions(self, n: int, columns: int) -> tuple[NDArray[np.uint8], NDArray[Any]]:
        """The order taken for each row and resample, and its rotation, [n, size] each."""
        base = _integers(BASES, (n, self.size), np.uint8, self.rng)
        return base, _integers(columns, (n, self.size), np.uint16 if columns <= 1 << 16 else np.uint32, self.rng)

    def orders(self, row: Floats) -> Floats:
        """Random orders of a row, [orders, columns]."""
        return self.rng.permuted(np.tile(row, (BASES, 1)), axis=1)


def _dealers(rng: np.random.Generator, sizes: Sequence[int], n: int, columns: int) -> Iterator[_Dealer]:
    """Dealers of blocks with a generator of their own each, as it is once the blocks before are dealt."""
    for size in sizes:
        yield _Dealer(deepcopy(rng), size)
        dealer = _Dealer(rng, size)
        dealer.positions(n, columns)
        for _ in range(n):
            dealer.orders(np.zeros(columns))


@dataclass(frozen=True)
class _MeanRanges:
    """The range of column means in each resample of a block, [resamples]."""

    residual: Floats

    def __call__(self, dealer: _Dealer) -> Floats:
        n, columns = self.residual.shape
        base, offset = dealer.positions(n, columns)
        total = np.zeros((dealer.size, columns))
        for row in range(n):
            orders = dealer.orders(self.residual[row])
            rotated = sliding_window_view(np.concatenate([orders, orders], axis=1), columns, axis=1)
            total += rotated[base[row], offset[row]]
        ranges: Floats = (total.max(axis=1) - total.min(axis=1)) / n
        return ranges


def _integers(below: int, shape: tuple[int, int], kind: type[Unsigned], rng: np.random.Generator) -> NDArray[Unsigned]:
    """``rng.integers(0, below, size=shape)``, drawn a few rows at a time and kept as small numbers."""
    rows, columns = shape
    out = np.empty(shape, dtype=kind)
    step = max(1, DRAWN // columns)
    for start in range(0, rows, step):
        out[start : start + step] = rng.integers(0, below, size=(min(step, rows - start), columns))
    return out


def randomized_tukey(table: Floats, ranges: Floats, pairs: Contrasts) -> Floats:
    """p of each difference of means, adjusted for all pairs of columns.

    p = (#{b : range_b >= |mean(x) - mean(y)|} + 1) / (B + 1).

    Args:
        table: [n, columns], without NaN.
        ranges: from ``null_ranges``, [B].
        pairs: the columns to compare.

    Returns:
        [pairs].

    References:
        Carterette 2012, Multiple testing in statistical analysis of systems-based information retrieval experiments.
        doi:10.1145/2094072.2094076
        Phipson & Smyth 2010, Permutation p-values should never be zero. doi:10.2202/1544-6115.1585
    """
    means = (table - table.mean(axis=1, keepdims=True)).mean(axis=0)
    tolerance = noise(table)
    level = np.abs(means[pairs.left] - means[pairs.right]) - np.maximum(tolerance[pairs.left], tolerance[pairs.right])
    below = np.searchsorted(np.sort(ranges), level, side="left")
    p: Floats = share(len(ranges) - below, len(ranges), exact=False)
    return p
