"""Distributions of scores: those that a scheme accepts, and the names by which they are read back."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from cranfield._text import cut, shown
from cranfield._typing import Floats
from cranfield.errors import InputError, UsageError

PROBE = (13,)
"""Shape of the scores on which a distribution is tried."""

Cdf: TypeAlias = Callable[[Floats], ArrayLike]


@runtime_checkable
class Distribution(Protocol):
    """Anything with a ``cdf``, such as a frozen SciPy distribution."""

    def cdf(self, x: Floats, /) -> ArrayLike:
        """P(X <= x)."""
        ...


class Normal:
    """The standard normal distribution, without the weight of scipy.stats."""

    def cdf(self, x: Floats, /) -> ArrayLike:
        """Phi(x)."""
        from scipy.special import ndtr

        probabilities: Floats = ndtr(x)
        return probabilities


def probabilities(given: ArrayLike, count: int, what: str) -> Floats:
    """What a cdf returned for ``count`` scores, as an array.

    Raises:
        InputError: anything but one number in [0, 1] for each.
    """
    values = np.asarray(given, dtype=np.float64)
    if values.shape != (count,) or not np.all((values >= 0) & (values <= 1)):
        text = f"{what} should give a number in [0, 1] for each score, not {shown(str(values))}"
        raise InputError(text, code="score", value=cut(str(values)))
    return values


def name_of(distribution: Distribution) -> str:
    """The name of a distribution that suits every topic, as ``scheme_of`` reads it back where SciPy knows it.

    Raises:
        UsageError: it is not a distribution of single numbers, the same for all topics.
    """
    probe = np.zeros(PROBE)
    try:
        values = np.asarray(distribution.cdf(probe), dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise UsageError(f"the cdf of {described(distribution)} does not take an array of scores: {error}") from error
    name = scipy_name(distribution)
    if values.shape != PROBE or any(np.size(value) != 1 for value in _parameters(distribution)):
        raise UsageError(
            f"{name} is not one distribution of single numbers, for all topics: give a function to fit one to each"
        )
    if not np.isfinite(values).all():
        raise UsageError(f"{name} has no cdf: check its parameters")
    return name


def scipy_name(distribution: object) -> str:
    """As ``scheme_of`` reads it back, for a frozen distribution of scipy.stats."""
    import scipy.stats

    family = getattr(distribution, "dist", distribution)
    name = str(getattr(family, "name", ""))
    single = all(np.size(value) == 1 for value in _parameters(distribution))
    if type(family) is not type(getattr(scipy.stats, name, None)) or not single:
        return f"distribution {described(distribution)}"
    values = [repr(_plain(value)) for value in getattr(distribution, "args", ())]
    values += [f"{key}={_plain(value)!r}" for key, value in getattr(distribution, "kwds", {}).items()]
    return f"{name}({','.join(values)})" if values else name


def _parameters(distribution: object) -> list[ArrayLike]:
    return [*getattr(distribution, "args", ()), *getattr(distribution, "kwds", {}).values()]


def _plain(value: ArrayLike) -> object:
    return np.asarray(value).item()


def described(given: object) -> str:
    """Its ``repr`` without the address in memory, which differs in every process."""
    return shown(re.sub(r" at 0x[0-9a-fA-F]+", "", repr(given)))
