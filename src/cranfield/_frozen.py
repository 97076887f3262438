"""Objects whose attributes are set once, and arrays that are not written over."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Self, TypeVar

import numpy as np

Made = TypeVar("Made")


class Frozen:
    """Refuses to set, add or delete attributes once constructed; cached properties still work.

    The ``__init__`` of a class ends with ``self._freeze()`` and keeps each argument as the attribute of its name;
    copies and pickles are reconstructed from these.
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


def _made(kind: type[Made], arguments: dict[str, Any]) -> Made:
    return kind(**arguments)


def read_only(made: Made) -> Made:
    """The same object; an array becomes read-only."""
    if isinstance(made, np.ndarray):
        made.flags.writeable = False
    return made


class LRUCache:
    """A cache of values derived from one object, by key.

    Args:
        most: how many are kept at a time, the least recently used being dropped; None keeps all.
    """

    def __init__(self, most: int | None = None) -> None:
        self._most = most
        self._made: dict[Hashable, Any] = {}

    def shared(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """The value with this key, made if it is missing; an array becomes read-only."""
        made: Made | None = self._made.get(key)
        if made is None:
            made = read_only(make())
            while self._most is not None and len(self._made) >= self._most:
                self._made.pop(next(iter(self._made)), None)
        elif self._most is None:
            return made
        else:
            self._made.pop(key, None)
        self._made[key] = made
        return made
