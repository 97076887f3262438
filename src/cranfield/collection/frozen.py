"""Objects whose attributes are set once, and arrays that are not written over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

import numpy as np


class Frozen:
    """Refuses to set, add or delete an attribute once it is made; cached properties still fill themselves in.

    The ``__init__`` of a class ends with ``self._freeze()``, and keeps each argument as the attribute of its name: with
    these, a copy or a pickle is made anew.
    """

    def _freeze(self) -> None:
        vars(self)["_frozen"] = True

    def __setattr__(self, name: str, value: object) -> None:
        if "_frozen" in vars(self):
            raise AttributeError(f"{type(self).__name__} is immutable: make a new one instead of setting {name}")
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable: {name} stays")

    def __reduce__(self) -> tuple[Callable[..., Self], tuple[Any, ...]]:
        from inspect import signature

        return _made, (type(self), {name: getattr(self, name) for name in signature(type(self)).parameters})


def _made(kind: type[Any], arguments: dict[str, Any]) -> Any:
    return kind(**arguments)


def read_only(made: Any) -> Any:
    """The same, and nobody can write over it if it is an array."""
    if isinstance(made, np.ndarray):
        made.flags.writeable = False
    return made
