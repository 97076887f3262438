"""Kernel estimates of scores that simIReff has besides the others: beta kernels, and discrete ones."""

from __future__ import annotations

import numpy as np
from scipy import optimize, stats

from cranfield._typing import Floats

KERNEL_EDGE = 1e-6
"""Scores of exactly 0 and 1 count as lying so far inside, as in simIReff."""
MULTIPLES = (1, 2, 5, 10)
"""Of the bandwidth that cross-validation chooses; more smoothing for few topics."""


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
    at = _beta_density(inside, inside, width)
    own = stats.beta.pdf(inside, inside / width + 1, (1 - inside) / width + 1)
    freedom = float((own / at).mean())
    log_likelihood = float(np.log(at / area[-1]).sum())
    cumulative: Floats = area / area[-1]
    return cumulative, 2 * freedom - 2 * log_likelihood


def _beta_density(sample: Floats, places: Floats, width: float) -> Floats:
    a, b = places / width + 1, (1 - places) / width + 1
    density: Floats = stats.beta.pdf(sample[None], a[:, None], b[:, None]).mean(axis=1)
    return density


def discrete_kernels(counts: Floats, steps: int) -> list[tuple[int, Floats, float]]:
    """Wang & van Ryzin's kernels over 0..steps: (multiple, cumulative distribution, AIC) of each usable bandwidth.

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
    found = []
    for multiple in MULTIPLES:
        width = best * multiple
        if width < 1:
            mass = _discrete_kernel(points, counts, width).mean(axis=1)
            mass /= mass.sum()
            at = mass[counts.astype(np.int64)]
            aic = 2 * float(((1 - width) / at).mean()) - 2 * float(np.log(at).sum())
            found.append((multiple, np.cumsum(mass) / mass.sum(), aic))
    return found


def _discrete_kernel(places: Floats, counts: Floats, width: float) -> Floats:
    apart = np.abs(places[:, None] - counts[None])
    kernel: Floats = np.where(apart == 0, 1 - width, 0.5 * (1 - width) * width**apart)
    return kernel
