"""p-values from random samples: never zero, with their Monte Carlo error and the smallest value they can take."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from cranfield._typing import Floats, Ints


def share(hits: Ints | int, samples: int, *, exact: bool) -> Any:
    """(hits + 1) / (B + 1) of B random samples; hits / B where the samples are all there are.

    What was observed is one of the samples that might have been drawn, and is counted among random ones.

    References:
        Phipson & Smyth 2010, Permutation p-values should never be zero. doi:10.2202/1544-6115.1585
        Davison & Hinkley 1997, Bootstrap methods and their application, 4.2.5. doi:10.1017/CBO9780511802843

    >>> share(0, 999, exact=False), share(2, 256, exact=True)
    (0.001, 0.0078125)
    """
    return hits / samples if exact else (hits + 1) / (samples + 1)


def standard_error(p: Floats, samples: int, *, exact: bool) -> Floats:
    """The Monte Carlo standard error of p, sqrt(p (1 - p) / B); 0 where all possible samples were drawn."""
    if exact:
        return np.zeros_like(p)
    error: Floats = np.sqrt(p * (1.0 - p) / samples)
    return error


def least(samples: int, *, exact: bool) -> float:
    """The smallest p that this number of samples can give."""
    return float(share(1 if exact else 0, samples, exact=exact))


def most_hits(alpha: float, samples: int, *, exact: bool) -> int:
    """The largest number of hits that is still significant, p < alpha; -1 if there is none."""
    hits = min(samples, math.floor(alpha * (samples + 1)))
    while hits >= 0 and not share(hits, samples, exact=exact) < alpha:
        hits -= 1
    return hits


def passes(p: float, factor: int, alpha: float) -> bool:
    """Return whether a p multiplied by the number of tests lies below alpha, rounding aside."""
    return factor * p < alpha * (1.0 - 1e-12)


def samples_needed(factor: int, alpha: float) -> int:
    """The fewest random samples whose smallest p, multiplied by a factor, lies below alpha.

    >>> samples_needed(666, 0.05), samples_needed(1, 0.05)
    (13320, 20)
    """
    samples = max(1, math.floor(factor / alpha) - 2)
    while not passes(least(samples, exact=False), factor, alpha):
        samples += 1
    return samples
