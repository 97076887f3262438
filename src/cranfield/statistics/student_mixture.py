"""Mixtures of Student's distributions, of which the posteriors of differences are made."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln, stdtr, stdtrit

from cranfield._typing import Floats
from cranfield.statistics.intervals import Interval

CELLS = 1 << 20
"""Numbers in one working array."""
STEPS = 100
"""At most so many steps to a quantile; a few are usual."""
PRECISION = 1e-13
"""Of a quantile, in scales and relative to itself."""


@dataclass(frozen=True)
class StudentMixture:
    """sum_k weight_k t_df(location_k, scale_k), of many differences at once.

    Args:
        weight: of each component, adding up to 1, [components].
        location: [components, differences].
        scale: at least 0, [components, differences]; 0 is a value without doubt.
        df: degrees of freedom of all components, [differences].
    """

    weight: Floats
    location: Floats
    scale: Floats
    df: Floats

    @property
    def mean(self) -> Floats:
        """The mean of the locations, which is that of the mixture where df > 1, [differences]."""
        mean: Floats = self.weight @ self.location
        return mean

    def above(self, bound: float | Floats) -> Floats:
        """Probability of a value above ``bound``; one half of what lies on it counts, [differences]."""
        return self._share(np.broadcast_to(np.asarray(bound, dtype=np.float64), self.df.shape), upper=True)

    def below(self, bound: float | Floats) -> Floats:
        """Probability of a value below ``bound``; one half of what lies on it counts, [differences]."""
        return self._share(np.broadcast_to(np.asarray(bound, dtype=np.float64), self.df.shape), upper=False)

    def middle(self, level: float) -> Interval:
        """The interval with so much probability that leaves equal shares on either side.

        Args:
            level: in (0, 1).
        """
        tail = (1.0 - level) / 2.0
        return Interval(self._quantile(tail, upper=False), self._quantile(tail, upper=True))

    def _share(self, bound: Floats, *, upper: bool) -> Floats:
        out = np.zeros(len(self.df))
        width = max(1, CELLS // len(self.weight))
        sign = -1.0 if upper else 1.0
        for start in range(0, len(out), width):
            some = slice(start, start + width)
            apart, scale = sign * (bound[some] - self.location[:, some]), self.scale[:, some]
            certain = (np.sign(apart) + 1.0) / 2.0
            t = np.divide(apart, scale, out=np.zeros(apart.shape), where=scale > 0)
            out[some] = self.weight @ np.where(scale > 0, stdtr(self.df[some], t), certain)
        return out

    def _quantile(self, tail: float, *, upper: bool) -> Floats:
        """The value beyond which ``tail`` lies: Newton's steps within what the components' own quantiles enclose."""
        sign = 1.0 if upper else -1.0
        each = sign * self.location - stdtrit(self.df, tail) * self.scale
        low, high = each.min(axis=0), each.max(axis=0)
        value = self.weight @ each
        left = np.flatnonzero(low < high)
        for _ in range(STEPS):
            if not len(left):
                break
            part = StudentMixture(self.weight, self.location[:, left], self.scale[:, left], self.df[left])
            at = value[left]
            excess = part._share(sign * at, upper=upper) - tail
            low[left], high[left] = np.where(excess > 0, at, low[left]), np.where(excess > 0, high[left], at)
            density = part._density(sign * at)
            step = np.divide(excess, density, out=np.full(len(at), np.inf), where=density > 0)
            inside = (low[left] < at + step) & (at + step < high[left])
            value[left] = np.where(inside, at + step, (low[left] + high[left]) / 2.0)
            left = left[np.abs(value[left] - at) > PRECISION * (np.abs(at) + self.weight @ part.scale)]
        found: Floats = sign * value
        return found

    def _density(self, at: Floats) -> Floats:
        """Of the components that have one, [differences]."""
        out = np.zeros(len(self.df))
        width = max(1, CELLS // len(self.weight))
        for start in range(0, len(out), width):
            some = slice(start, start + width)
            df, scale = self.df[some], np.where(self.scale[:, some] > 0, self.scale[:, some], np.inf)
            log_constant = gammaln((df + 1.0) / 2.0) - gammaln(df / 2.0) - np.log(df * np.pi) / 2.0
            t = (at[some] - self.location[:, some]) / scale
            out[some] = self.weight @ (np.exp(log_constant - (df + 1.0) / 2.0 * np.log1p(t * t / df)) / scale)
        return out
