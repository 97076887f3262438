"""Standardization schemes: how a score is transformed, given the scores of reference systems on the same topic.

All but ``raw`` and ``z`` are y = F(x) = P(X <= x) for some distribution F of a topic's scores, so that y says which
share of the reference systems a score reaches. A call or a command gives a scheme by its name.
"""

from __future__ import annotations

import ast
import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from cranfield._message import name_value
from cranfield._text import cut, quoted, shown
from cranfield._typing import Floats
from cranfield.errors import InputError, UsageError
from cranfield.standardization.reference import Reference
from cranfield.statistics.ecdf import empirical_cdf


class Scheme(ABC):
    """A way to standardize; ``str`` of it is read back by ``parse_scheme``, functions of users apart."""

    needs_spread: ClassVar[bool] = True
    """True if it uses a topic's standard deviation, which is undefined for a single score."""

    @abstractmethod
    def apply(self, scores: Floats, reference: Reference) -> Floats:
        """Standardized scores of the reference's topics, [topics, systems]; NaN stays NaN."""


@dataclass(frozen=True)
class Raw(Scheme):
    """Scores as they are."""

    needs_spread = False

    def __str__(self) -> str:
        return "raw"

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

    The defaults put at least 89% of any scores between .05 and .95; a uniform with the topic's own variance would
    need a = 1 / (2 sqrt 3).
    """

    a: float = 0.15
    b: float = 0.5

    def __post_init__(self) -> None:
        if not (self.a > 0 and np.isfinite(self.a) and np.isfinite(self.b)):
            raise UsageError(f"U(A={name_value(self.a)}, B={name_value(self.b)}): A should be above 0, and both finite")

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

    needs_spread = False

    def __str__(self) -> str:
        return "E"

    def apply(self, scores: Floats, reference: Reference) -> Floats:
        """Share of the reference scores that x reaches; tied scores all count."""
        return empirical_cdf(reference.ordered, reference.count, scores)


SILVERMAN = 1.06
"""Silverman's rule for the width of a kernel about normal scores: 1.06 sd n^(-1/5)."""


@dataclass(frozen=True)
class Kernel(Scheme):
    """mean of Phi((x - X_i) / h) over the n reference systems, h = 1.06 sd n^(-1/5) (Silverman 1986): E without steps.

    From few systems it is nearer to E of many than E is. Where reference scores are equal, or there is one, it is E.
    """

    needs_spread = False

    def __str__(self) -> str:
        return "K"

    def apply(self, scores: Floats, reference: Reference) -> Floats:
        """The cdf of the kernel density estimate."""
        from scipy.special import ndtr

        out = empirical_cdf(reference.ordered, reference.count, scores)
        widths = SILVERMAN * reference.sd * reference.count**-0.2
        for row in np.flatnonzero(widths > 0).tolist():
            known = reference.ordered[row, : reference.count[row]]
            out[row] = ndtr((scores[row][:, None] - known) / widths[row]).mean(axis=1)
        return out


@dataclass(frozen=True)
class Fitted(Scheme):
    """A distribution fitted to each topic by a function of the user: ``fit(reference scores) -> cdf``."""

    fit: Callable[[Floats], Cdf]
    needs_spread = False

    def __str__(self) -> str:
        return f"function {getattr(self.fit, '__qualname__', type(self.fit).__name__)}"

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


DEFAULT_SCHEMES = ("raw", "N", "U", "z", "E")
"""Those of Urbano et al. 2019."""

_WORDS = "raw, z, N, U, U(A=0.15,B=0.5), E, K, or a distribution of scipy.stats such as t(5)"
_FORM = re.compile(r"(?P<name>\w+?)(-std)?(\((?P<arguments>.*)\))?", re.DOTALL)


def parse_scheme(scheme: SchemeLike) -> Scheme:
    """A scheme from its name, a distribution, or a function that fits one.

    Raises:
        UsageError: it is none of these.
    """
    if isinstance(scheme, Scheme):
        return scheme
    if isinstance(scheme, str):
        return _named(scheme)
    if isinstance(scheme, Distribution):
        if isinstance(scheme, type):
            raise UsageError(f"{scheme.__qualname__} is a class, not a distribution: give an object of it")
        return OfZ(name_distribution(scheme), scheme)
    if callable(scheme):
        return Fitted(scheme)
    raise UsageError(f"{name_value(scheme)} is not a standardization scheme: give {_WORDS}, or a function")


def _named(text: str) -> Scheme:
    form = _FORM.fullmatch(text.strip())
    if form is None:
        raise UsageError(f"{quoted(text)} is not a standardization scheme: expected {_WORDS}")
    name, arguments = form["name"], form["arguments"]
    plain: dict[str, Scheme] = {"raw": Raw(), "z": ZScore(), "E": Empirical(), "K": Kernel(), "N": OfZ("N", Normal())}
    if name in plain:
        if arguments:
            raise UsageError(f"{quoted(text)}: {name} takes no parameters")
        return plain[name]
    positional, by_name = _arguments(text, arguments or "")
    if name == "U":
        renamed = {{"A": "a", "B": "b"}.get(key, key): value for key, value in by_name.items()}
        try:
            return Uniform(*positional, **renamed)
        except TypeError:
            raise UsageError(f"{quoted(text)}: U takes A and B") from None
    return _parse_scipy(text, name, positional, by_name)


def _arguments(text: str, inside: str) -> tuple[list[float], dict[str, float]]:
    try:
        call = ast.parse(f"f({inside})", mode="eval").body
        assert isinstance(call, ast.Call)
        positional = [_number(node) for node in call.args]
        by_name = {str(keyword.arg): _number(keyword.value) for keyword in call.keywords}
    except (SyntaxError, ValueError, TypeError):
        raise UsageError(f"{quoted(text)}: the parameters should be numbers") from None
    if len(by_name) < len(call.keywords):
        raise UsageError(f"{quoted(text)}: a parameter occurs twice")
    return positional, by_name


def _number(node: ast.expr) -> float:
    value = ast.literal_eval(node)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError
    return value


def _parse_scipy(text: str, name: str, positional: list[float], by_name: dict[str, float]) -> Scheme:
    import scipy.stats

    family = getattr(scipy.stats, name, None)
    if not isinstance(family, (scipy.stats.rv_continuous, scipy.stats.rv_discrete)):
        raise UsageError(f"{quoted(text)} is not a standardization scheme: expected {_WORDS}")
    try:
        distribution = family(*positional, **by_name)
        usable = bool(np.isfinite(distribution.cdf(0.0)))
    except (TypeError, ValueError):
        usable = False
    if not usable:
        raise UsageError(f"{quoted(text)}: scipy.stats.{name} does not take these parameters")
    return OfZ(scipy_name(distribution), distribution)


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


def probabilities(values: ArrayLike, count: int, what: str) -> Floats:
    """Return the probabilities that a cdf gave for ``count`` scores, as an array.

    Raises:
        InputError: anything but one number in [0, 1] for each.
    """
    p = np.asarray(values, dtype=np.float64)
    if p.shape != (count,) or not np.all((p >= 0) & (p <= 1)):
        text = f"{what} should give a number in [0, 1] for each score, not {shown(str(p))}"
        raise InputError(text, code="score", value=cut(str(p)))
    return p


def name_distribution(distribution: Distribution) -> str:
    """The name of a distribution that suits every topic, as ``parse_scheme`` reads it back where SciPy knows it.

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
    """As ``parse_scheme`` reads it back, for a frozen distribution of scipy.stats."""
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


def described(value: object) -> str:
    """The ``repr`` of a value without the address in memory, which differs in every process."""
    return shown(re.sub(r" at 0x[0-9a-fA-F]+", "", repr(value)))


SchemeLike: TypeAlias = str | Scheme | Distribution | Callable[[Floats], Cdf]
