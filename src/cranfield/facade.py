"""Names that a package shows before the modules behind them are imported."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from cranfield import deprecation


def exported(package: str, names: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` of a package whose public names are imported when first asked for.

    Args:
        package: its ``__name__``.
        names: public name -> the module of the package that defines it.
    """

    def get(name: str) -> Any:
        if name not in names:
            if f"{package}.{name}" in deprecation.FORMER:
                return deprecation.resolve(f"{package}.{name}")
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f"{package}.{names[name]}"), name)
        setattr(import_module(package), name, value)
        return value

    return get, lambda: sorted(names)
