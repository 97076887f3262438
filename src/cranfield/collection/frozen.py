"""Objects whose attributes are set once."""

from __future__ import annotations


class Frozen:
    """Refuses to set an attribute again, or to delete one. Cached properties still fill themselves in."""

    def __setattr__(self, name: str, value: object) -> None:
        if name in vars(self):
            raise AttributeError(f"{type(self).__name__} is immutable: make a new one instead of setting {name}")
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable: {name} stays")
