"""Standardization schemes: how a score is transformed, given the scores of reference systems on the same topic.

All but ``raw`` and ``z`` are y = F(x) = P(X <= x) for some distribution F of a topic's scores, so that y says which
share of the reference systems a score reaches.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from cranfield._text import quoted
from cranfield._typing import Floats
from cranfield.errors import UsageError
from cranfield.standardization.distribution import Cdf, Distribution, described, probabilities
from cranfield.standardization.reference import Reference
from cranfield.statistics.empirical import empirical_cdf


class Scheme(ABC):
    """A way to standardize; ``str`` of it is read back by ``scheme_of``, functions of users apart."""

    @property
    def needs_spread(self) -> bool:
        """Whether it uses a topic's standard deviation, which is undefined for a single score."""
        return True

    @abstractmethod
    def apply(self, scores: Floats, reference: Reference) -> Floats:
        """Standardized scores of the reference's topics, [topics, systems]; NaN stays NaN."""


@dataclass(frozen=True)
class Raw(Scheme):
    """Scores as they are."""

    def __str__(self) -> str:
        return "raw"

    @property
    def needs_spread(self) -> bool:
        """It uses nothing."""
        return False

    def apply(self, scores: Floats, reference: Reference) -> Floats:
        """x."""
        return scores


@dataclass(frozen=True)
class ZScore(Scheme):
    """z = (x - mean) / sd: mean 0 and variance 1 on every topic, unbounded."""

    def __str__(self) -> str:
        return "z"

    def apply(self, scores: Floats, reference: Reference) -> Floats:
        """(x - mean) / sd."""
        return reference.z(scores)


@dataclass(frozen=True)
class Uniform(Scheme):
    """clip(a z + b, 0, 1): the cdf of a uniform distribution on [mean - sd b/a, mean + sd (1-b)/a] (Sakai 2016).

    The defaults put at least 89 % of any scores between .05 and .95; a uniform with the topic's own variance would
    need a = 1 / (2 sqrt 3).
    """

    a: float = 0.15
    b: float = 0.5

    def __post_init__(self) -> None:
        if not (self.a > 0 and np.isfinite(self.a) and np.isfinite(self.b)):
            raise UsageError(f"U(A={self.a!r}, B={self.b!r}): A should be above 0, and both finite")

    def __str__(self) -> str:
        return "U" if self == Uniform() else f"U(A={self.a!r},B={self.b!r})"

    def apply(self, scores: Floats, reference: Reference) -> Floats:
        """clip(a z + b, 0, 1)."""
        clipped: Floats = np.clip(self.a * reference.z(scores) + self.b, 0.0, 1.0)
        return clipped


@dataclass(frozen=True, eq=False)
class OfZ(Scheme):
    """F(z) for one distribution of all topics' z-scores; ``N`` is the standard normal (Webber et al. 2008)."""

    name: str
    distribution: Distribution

    def __str__(self) -> str:
        return self.name

    def __eq__(self, other: object) -> bool:
        # SciPy's distributions are equal to none but themselves, and those of one name are the same.
        if not isinstance(other, OfZ) or self.name != other.name:
            return False
        return not self.name.startswith("distribution ") or self.distribution == other.distribution

    def __hash__(self) -> int:
        return hash(self.name)

    def apply(self, scores: Floats, reference: Reference) -> Floats:
        """F((x - mean) / sd).

        Raises:
            InputError: the cdf gives anything but one number in [0, 1] for each z.
        """
        z = reference.z(scores)
        scored = ~np.isnan(z)
        out = np.full(z.shape, np.nan)
        out[scored] = probabilities(self.distribution.cdf(z[scored]), int(scored.sum()), f"the cdf of {self}")
        return out


@dataclass(frozen=True)
class Empirical(Scheme):
    """#{i : X_i <= x} / n over the n reference systems: the empirical distribution (Urbano et al. 2019)."""

    def __str__(self) -> str:
        return "E"

    @property
    def needs_spread(self) -> bool:
        """It counts."""
        return False

    def apply(self, scores: Floats, reference: Reference) -> Floats:
        """Share of the reference scores that x reaches; tied scores all count."""
        return empirical_cdf(reference.ordered, reference.count, scores)


@dataclass(frozen=True)
class Fitted(Scheme):
    """A distribution fitted to each topic by a function of the user: ``fit(reference scores) -> cdf``."""

    fit: Callable[[Floats], Cdf]

    def __str__(self) -> str:
        return f"function {getattr(self.fit, '__qualname__', type(self.fit).__name__)}"

    @property
    def needs_spread(self) -> bool:
        """The function is given the scores themselves."""
        return False

    def apply(self, scores: Floats, reference: Reference) -> Floats:
        """fit(X)(x), topic by topic.

        Raises:
            InputError: a cdf gives anything but one number in [0, 1] for each score.
            UsageError: the function returns no function.
        """
        out = np.full(scores.shape, np.nan)
        for row, (topic, n) in enumerate(zip(reference.topics, reference.count.tolist(), strict=True)):
            scored = ~np.isnan(scores[row])
            cdf = self.fit(reference.ordered[row, :n].copy())
            if not callable(cdf):
                expected = "a function of scores, such as the .cdf of a distribution"
                raise UsageError(f"{self} should return {expected}, not {described(cdf)}")
            what = f"topic {quoted(topic)}: the cdf of {self}"
            out[row, scored] = probabilities(cdf(scores[row, scored]), int(scored.sum()), what)
        return out
