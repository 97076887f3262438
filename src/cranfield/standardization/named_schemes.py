"""Schemes by their names, as a call or a command gives them."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from cranfield._text import quoted
from cranfield._typing import Floats
from cranfield.errors import UsageError
from cranfield.standardization.distribution import Cdf, Distribution, Normal, name_of, scipy_name
from cranfield.standardization.scheme import Empirical, Fitted, OfZ, Raw, Scheme, Uniform, ZScore

SchemeLike: TypeAlias = "str | Scheme | Distribution | Callable[[Floats], Cdf]"

DEFAULT_SCHEMES = ("raw", "N", "U", "z", "E")
"""Those of Urbano et al. 2019."""

_WORDS = "raw, z, N, U, U(A=0.15,B=0.5), E, or a distribution of scipy.stats such as t(5)"
_FORM = re.compile(r"(?P<name>\w+?)(-std)?(\((?P<arguments>.*)\))?", re.DOTALL)


def scheme_of(given: SchemeLike) -> Scheme:
    """A scheme from its name, a distribution, or a function that fits one.

    Raises:
        UsageError: it is none of these.
    """
    if isinstance(given, Scheme):
        return given
    if isinstance(given, str):
        return _named(given)
    if isinstance(given, Distribution):
        if isinstance(given, type):
            raise UsageError(f"{given.__qualname__} is a class, not a distribution: give an object of it")
        return OfZ(name_of(given), given)
    if callable(given):
        return Fitted(given)
    raise UsageError(f"{given!r} is not a standardization scheme: give {_WORDS}, or a function")


def _named(text: str) -> Scheme:
    form = _FORM.fullmatch(text.strip())
    if form is None:
        raise UsageError(f"{quoted(text)} is not a standardization scheme: expected {_WORDS}")
    name, arguments = form["name"], form["arguments"]
    plain: dict[str, Callable[[], Scheme]] = {"raw": Raw, "z": ZScore, "E": Empirical, "N": _normal}
    if name in plain:
        if arguments:
            raise UsageError(f"{quoted(text)}: {name} takes no parameters")
        return plain[name]()
    positional, by_name = _arguments(text, arguments or "")
    if name == "U":
        renamed = {{"A": "a", "B": "b"}.get(key, key): value for key, value in by_name.items()}
        try:
            return Uniform(*positional, **renamed)
        except TypeError:
            raise UsageError(f"{quoted(text)}: U takes A and B") from None
    return _of_scipy(text, name, positional, by_name)


def _normal() -> OfZ:
    return OfZ("N", Normal())


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


def _of_scipy(text: str, name: str, positional: list[float], by_name: dict[str, float]) -> Scheme:
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
