"""Objects whose attributes are set once, and arrays that are not written over."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Self, TypeVar

import numpy as np

Made = TypeVar("Made")


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


def read_only(made: Made) -> Made:
    """The same, and nobody can write over it if it is an array."""
    if isinstance(made, np.ndarray):
        made.flags.writeable = False
    return made


class Kept:
    """What several users need of one object, made once and kept by name.

    Args:
        most: how many are kept at a time, those not asked for longest being given up; None keeps all.
    """

    def __init__(self, most: int | None = None) -> None:
        self._most = most
        self._made: dict[Hashable, Any] = {}

    def shared(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """What has this name, made where it is not there; an array becomes read-only."""
        made: Made | None = self._made.get(key)
        if made is None:
            made = read_only(make())
            while self._most is not None and len(self._made) >= self._most:
                self._made.pop(next(iter(self._made)), None)
        elif self._most is not None:
            self._made.pop(key, None)
        self._made[key] = made
        return made
