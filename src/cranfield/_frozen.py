"""Immutable objects: attributes that are set once, arrays that are not written over, and caches of what follows."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, ClassVar, Self, TypeVar

import numpy as np

Value = TypeVar("Value")


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

        return _construct, (type(self), {name: getattr(self, name) for name in signature(type(self)).parameters})


def _construct(kind: type[Value], arguments: dict[str, Any]) -> Value:
    return kind(**arguments)


def read_only(value: Value) -> Value:
    """The same object; an array becomes read-only."""
    if isinstance(value, np.ndarray):
        value.flags.writeable = False
    return value


class Caching:
    """Caches values that are derived from an object, by key; the object never changes, so that they stay right."""

    _cache_size: ClassVar[int | None] = None
    """The number of values that are held at a time, the least recently used being dropped; all where None."""

    def shared(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """The value with this key, made once for all who need it; an array becomes read-only."""
        cache: dict[Hashable, Any] = vars(self).setdefault("_cache", {})
        value: Value | None = cache.get(key)
        if value is None:
            value = read_only(make())
            while self._cache_size is not None and len(cache) >= self._cache_size:
                cache.pop(next(iter(cache)), None)
        elif self._cache_size is None:
            return value
        else:
            cache.pop(key, None)
        cache[key] = value
        return value
