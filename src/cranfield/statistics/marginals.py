"""Distributions of scores between 0 and 1: fitted to a sample, chosen by AIC, and shifted to a given mean.

The kernel estimates of simIReff, beta kernels and discrete ones, are tried on request.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy import optimize, special, stats

from cranfield._typing import Floats
from cranfield.statistics.numeric import CELLS

GRID = np.linspace(0.0, 1.0, 2049)
EDGE = 1e-4
"""Distance from 0 and 1 to which scores of exactly 0 and 1 are moved, where densities are finite."""
MOST_VALUES = 100
"""Most steps from 0 to 1 of a discrete measure."""
EXACT, GRID_POINTS = 1 << 14, 1 << 13
"""Up to EXACT scores have a kernel each; more are rounded to GRID_POINTS steps from 0 to 1."""
KERNEL_EDGE = 1e-6
"""Distance from 0 and 1 to which scores of exactly 0 and 1 are moved, as in simIReff."""
MULTIPLES = (1, 2, 5, 10)
"""Multiples of the bandwidth that cross-validation chooses; few topics need more smoothing."""


@dataclass(frozen=True)
class Margin:
    """A distribution on [0, 1].

    Args:
        family: its name.
        value: support; of a continuous distribution the ends of pieces within which it is uniform, ascending.
        cumulative: P(X <= value).
        discrete: whether all mass lies on the values.
        aic: 2 * parameters - 2 * log-likelihood of the sample it was fitted to.
    """

    family: str
    value: Floats
    cumulative: Floats
    discrete: bool
    aic: float

    @property
    def mean(self) -> float:
        """The mean of the distribution, without sampling."""
        mass = np.diff(self.cumulative, prepend=0.0)
        if self.discrete:
            return float((mass * self.value).sum())
        return float((mass[1:] * (self.value[1:] + self.value[:-1])).sum() / 2.0)

    def quantile(self, p: Floats) -> Floats:
        """The values with P(X <= value) = p, of p in (0, 1), [...]."""
        if self.discrete:
            index = np.searchsorted(self.cumulative, p, side="left")
            chosen: Floats = self.value[np.minimum(index, len(self.value) - 1)]
            return chosen
        rising = np.concatenate([[True], np.diff(self.cumulative) > 0])
        between: Floats = np.interp(p, self.cumulative[rising], self.value[rising])
        return between

    def with_mean(self, mean: float) -> Margin:
        """A distribution of the same shape with another mean, inside (0, 1).

        Continuous scores x become x^a; the probabilities of discrete ones are multiplied by exp(a x); a is solved for.
        """
        if self.discrete:
            mass = np.diff(self.cumulative, prepend=0.0)

            def tilted(a: float) -> Margin:
                weight = mass * np.exp(a * (self.value - self.value.max() * (a > 0)))
                return replace(self, cumulative=np.cumsum(weight / weight.sum()))

            a = optimize.brentq(lambda a: tilted(a).mean - mean, -700.0, 700.0, xtol=1e-13, rtol=1e-14)
            return tilted(a)

        def powered(log_a: float) -> Margin:
            return replace(self, value=self.value ** np.exp(log_a))

        log_a = optimize.brentq(lambda log_a: powered(log_a).mean - mean, -12.0, 12.0, xtol=1e-14, rtol=1e-14)
        return powered(log_a)


def fit(sample: Floats, *, more: bool = False) -> Margin:
    """The margin of smallest AIC.

    Of continuous scores: truncated normal, beta, and a kernel estimate; of discrete ones (all multiples of 1 / k, k at
    most 100): beta-binomial.

    Args:
        sample: in [0, 1], [n], not all equal.
        more: try beta kernels and discrete kernels as well, as simIReff does.

    Reference:
        Urbano & Nagler 2018, Stochastic simulation of test collections: evaluation scores. doi:10.1145/3209978.3210043
    """
    steps = step_count(sample)
    if steps:
        counts = np.round(sample * steps)
        tried = [_beta_binomial(counts, steps), *(discrete_kernels(counts, steps) if more else ())]
    else:
        inside = np.clip(sample, EDGE, 1.0 - EDGE)
        tried = [_truncated_normal(inside), _beta(inside), _kernel(inside)]
        if more:
            cumulative, aic = beta_kernel(sample, GRID)
            tried.append(Margin("beta kernel", GRID, _proper(cumulative), False, aic))
    best: Margin = min(tried, key=lambda margin: margin.aic)
    return best


def step_count(sample: Floats) -> int:
    """The smallest k up to 100 such that all values are multiples of 1 / k; 0 if there is none."""
    for steps in range(1, MOST_VALUES + 1):
        if (np.abs(sample * steps - np.round(sample * steps)) < 1e-6).all():
            return steps
    return 0


def _truncated_normal(sample: Floats) -> Margin:
    def cost(theta: Floats) -> float:
        mu, sigma = theta[0], np.exp(theta[1])
        return -float(stats.truncnorm.logpdf(sample, -mu / sigma, (1.0 - mu) / sigma, mu, sigma).sum())

    start = np.array([sample.mean(), np.log(sample.std() + 1e-6)])
    bounds = [(-3.0, 4.0), (np.log(1e-4), np.log(10.0))]
    fit = optimize.minimize(cost, start, method="L-BFGS-B", bounds=bounds)
    mu, sigma = fit.x[0], np.exp(fit.x[1])
    cumulative = stats.truncnorm.cdf(GRID, -mu / sigma, (1.0 - mu) / sigma, mu, sigma)
    return Margin("truncated normal", GRID, _proper(cumulative), False, 4.0 + 2.0 * fit.fun)


def _beta(sample: Floats) -> Margin:
    logs = np.log(sample).mean(), np.log1p(-sample).mean()

    def cost(theta: Floats) -> float:
        a, b = np.exp(theta)
        return -len(sample) * float((a - 1.0) * logs[0] + (b - 1.0) * logs[1] - special.betaln(a, b))

    mean, variance = sample.mean(), sample.var() + 1e-9
    total = max(0.1, mean * (1.0 - mean) / variance - 1.0)
    start = np.log([mean * total, (1.0 - mean) * total])
    fit = optimize.minimize(cost, start, method="L-BFGS-B", bounds=[(-7.0, 12.0)] * 2)
    a, b = np.exp(fit.x)
    return Margin("beta", GRID, _proper(special.betainc(a, b, GRID)), False, 4.0 + 2.0 * fit.fun)


def _kernel(sample: Floats) -> Margin:
    """Gaussian kernels, each cut to [0, 1]; parameters are Loader's degrees of freedom, the sum of influences.

    Where there are more than ``EXACT`` scores, those that round to the same one of ``GRID_POINTS`` share a kernel. The
    narrowest kernel is wider than eight steps of that grid, and the work does not grow with the square of the scores.
    """
    n = len(sample)
    spread = min(sample.std(ddof=1), float(stats.iqr(sample)) / 1.349 or np.inf)
    width = max(1e-3, 0.9 * (spread if spread > 0 else 0.1) * n**-0.2)
    centre, share = sample, None
    if n > EXACT:
        centre, count = np.unique(np.round(sample * GRID_POINTS) / GRID_POINTS, return_counts=True)
        share = count / n
    low, high = special.ndtr((0.0 - centre) / width), special.ndtr((1.0 - centre) / width)
    peak = width * np.sqrt(2.0 * np.pi) * (high - low)

    def density_at(points: Floats) -> Floats:
        return _mean(np.exp(-0.5 * ((points[:, None] - centre) / width) ** 2) / peak, share)

    def share_below(points: Floats) -> Floats:
        return _mean((special.ndtr((points[:, None] - centre) / width) - low) / (high - low), share)

    density = _by_rows(density_at, centre, len(centre))
    freedom = float(_mean(1.0 / peak / density, share))
    logs = np.log(density)
    total = float(logs.sum()) if share is None else n * float(_mean(logs, share))
    return Margin("kernel", GRID, _proper(_by_rows(share_below, GRID, len(centre))), False, 2.0 * freedom - 2.0 * total)


def _mean(values: Floats, share: Floats | None) -> Floats:
    """The mean over the last axis, weighted by ``share``; unweighted where None."""
    mean: Floats = values.mean(axis=-1) if share is None else values @ share
    return mean


def _by_rows(kernel_sums: Callable[[Floats], Floats], points: Floats, kernels: int) -> Floats:
    """Evaluate a sum over all kernels at each point, a few points at a time."""
    step = max(1, CELLS // kernels)
    return np.concatenate([kernel_sums(points[start : start + step]) for start in range(0, len(points), step)])


def _beta_binomial(counts: Floats, steps: int) -> Margin:
    def mass(theta: Floats, points: Floats) -> Floats:
        a, b = np.exp(theta)
        choose = special.gammaln(steps + 1) - special.gammaln(points + 1) - special.gammaln(steps - points + 1)
        value: Floats = choose + special.betaln(points + a, steps - points + b) - special.betaln(a, b)
        return value

    fit = optimize.minimize(
        lambda theta: -float(mass(theta, counts).sum()), np.zeros(2), method="L-BFGS-B", bounds=[(-7.0, 9.0)] * 2
    )
    values = np.arange(steps + 1.0)
    cumulative = np.cumsum(np.exp(mass(fit.x, values)))
    return Margin("beta-binomial", values / steps, cumulative / cumulative[-1], True, 4.0 + 2.0 * float(fit.fun))


def _proper(cumulative: Floats) -> Floats:
    """Rescale to rise from exactly 0 to exactly 1."""
    proper: Floats = (cumulative - cumulative[0]) / (cumulative[-1] - cumulative[0])
    return proper


def beta_kernel(sample: Floats, grid: Floats) -> tuple[Floats, float]:
    """Beta kernels after Chen (1999): cumulative distribution on a grid, and AIC.

    f(x) = mean of the beta(x / b + 1, (1 - x) / b + 1) densities at the scores, b = n^(-2/5), divided by its integral;
    its degrees of freedom are the sum of influences.

    Args:
        sample: in [0, 1], [n].
        grid: ascending from 0 to 1.

    Reference:
        Chen 1999, Beta kernel estimators for density functions. doi:10.1016/S0167-9473(99)00010-9
    """
    inside = np.clip(sample, KERNEL_EDGE, 1 - KERNEL_EDGE)
    width = len(sample) ** -0.4
    density = _beta_density(inside, np.clip(grid, KERNEL_EDGE, 1 - KERNEL_EDGE), width)
    area = np.concatenate([[0.0], np.cumsum(np.diff(grid) * (density[1:] + density[:-1]) / 2)])
    density_at_scores = _beta_density(inside, inside, width)
    own = stats.beta.pdf(inside, inside / width + 1, (1 - inside) / width + 1)
    freedom = float((own / density_at_scores).mean())
    log_likelihood = float(np.log(density_at_scores / area[-1]).sum())
    cumulative: Floats = area / area[-1]
    return cumulative, 2 * freedom - 2 * log_likelihood


def _beta_density(sample: Floats, points: Floats, width: float) -> Floats:
    a, b = points / width + 1, (1 - points) / width + 1
    density: Floats = stats.beta.pdf(sample[None], a[:, None], b[:, None]).mean(axis=1)
    return density


def discrete_kernels(counts: Floats, steps: int) -> list[Margin]:
    """Wang & van Ryzin's kernels over 0..steps, of each usable bandwidth.

    K(x, y) = 1 - b for x = y, and b^|x - y| (1 - b) / 2 otherwise; b by least-squares cross-validation, times
    ``MULTIPLES`` as far as it stays below 1.

    Reference:
        Wang & van Ryzin 1981, A class of smooth estimators for discrete distributions. doi:10.1093/biomet/68.1.301
    """
    points = np.arange(steps + 1.0)
    n = len(counts)

    def cost(width: float) -> float:
        kernel = _discrete_kernel(points, counts, width)
        own = _discrete_kernel(counts, counts, width)
        left_out = (own.sum(axis=1) - np.diagonal(own)) / (n - 1)
        return float((kernel.mean(axis=1) ** 2).sum() - 2 * left_out.mean())

    best = float(optimize.minimize_scalar(cost, bounds=(1e-3, 1 - 1e-3), method="bounded").x)
    usable = []
    for multiple in MULTIPLES:
        width = best * multiple
        if width < 1:
            mass = _discrete_kernel(points, counts, width).mean(axis=1)
            mass /= mass.sum()
            mass_at_counts = mass[counts.astype(np.int64)]
            aic = 2 * float(((1 - width) / mass_at_counts).mean()) - 2 * float(np.log(mass_at_counts).sum())
            family, cumulative = f"discrete kernel, {multiple} x", np.cumsum(mass) / mass.sum()
            usable.append(Margin(family, points / steps, cumulative, True, aic))
    return usable


def _discrete_kernel(points: Floats, counts: Floats, width: float) -> Floats:
    apart = np.abs(points[:, None] - counts[None])
    kernel: Floats = np.where(apart == 0, 1 - width, 0.5 * (1 - width) * width**apart)
    return kernel
