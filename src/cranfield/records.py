"""Frozen dataclasses that are made quickly, for classes that a short call makes whether it needs them or not.

``dataclasses.dataclass`` compiles six functions for each frozen class. Here only ``__init__`` is compiled, when someone
first asks for it; what compares, hashes, prints and guards is written once. All else is that of a dataclass:
``fields``, ``replace``, patterns, signatures.
"""

from __future__ import annotations

import dataclasses
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

__all__ = ["record"]

if TYPE_CHECKING:
    from collections.abc import Callable
    from dataclasses import dataclass as record
else:

    def record(*, frozen: bool, kw_only: bool = False, slots: bool = False, eq: bool = True, repr: bool = True):
        """``dataclasses.dataclass`` of a frozen class without ``InitVar``."""
        assert frozen, "what may be changed is a dataclass"

        def made(plain: type) -> type:
            shape = {"init": False, "repr": False, "eq": False, "kw_only": kw_only, "slots": slots}
            # Below a frozen class it has to be called frozen, which compiles two functions.
            below = any(map(dataclasses.is_dataclass, plain.__bases__))
            cls = dataclasses.dataclass(**shape, frozen=below)(plain)
            fields = dataclasses.fields(cls)
            methods = {"__init__": _Init(cls, fields), "__setattr__": _refuse_setting, "__delattr__": _refuse_deleting}
            if repr:
                methods["__repr__"] = _repr([field.name for field in fields if field.repr])
            if eq:
                methods |= _comparing([field.name for field in fields if field.compare])
            if slots:
                methods |= {"__getstate__": _state, "__setstate__": _restore}
            for name, method in methods.items():
                if name not in vars(plain):  # or else it is kept as the class has it
                    setattr(cls, name, method)
            params = cls.__dataclass_params__
            params.init, params.repr, params.eq, params.frozen = True, repr, eq, True
            return cls

        return made


class _Factory:
    """What a signature shows as default where a function makes it."""

    def __repr__(self) -> str:
        return "<factory>"


_FACTORY = _Factory()


class _Init:
    """``__init__`` of a class until someone asks for it; many classes make no object in a call, and compile nothing."""

    def __init__(self, cls: type, fields: tuple[dataclasses.Field[Any], ...]) -> None:
        self.of = cls, fields

    def __get__(self, one: object, owner: type | None = None) -> Callable[..., None]:
        cls, _ = self.of
        made = _init(*self.of)
        setattr(cls, "__init__", made)  # noqa: B010  (it is another kind of thing)
        return made if one is None else made.__get__(one, owner)


def _init(cls: type, fields: tuple[dataclasses.Field[Any], ...]) -> Callable[..., None]:
    """Takes and sets the fields, and calls ``__post_init__`` where there is one."""
    known: dict[str, Any] = {"set_field": object.__setattr__, "factory": _FACTORY}
    arguments = ["self"]
    body = []
    for field in sorted(fields, key=lambda field: field.kw_only is True):
        name = value = argument = field.name
        if field.kw_only and field.init and "*" not in arguments:
            arguments.append("*")
        if field.default_factory is not dataclasses.MISSING:
            known[f"make_{name}"] = field.default_factory
            value = f"make_{name}() if {name} is factory else {name}" if field.init else f"make_{name}()"
            argument = f"{name}=factory"
        elif field.default is not dataclasses.MISSING:
            value = name if field.init else f"default_{name}"
            known[f"default_{name}"] = field.default
            argument = f"{name}=default_{name}"
        elif not field.init:
            continue
        if field.init:
            arguments.append(argument)
        body.append(f"set_field(self, {name!r}, {value})")
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    exec(f"def __init__({', '.join(arguments)}):\n " + "\n ".join(body or ["pass"]), known)
    made: Callable[..., None] = known.pop("__init__")
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    made.__annotations__ = {field.name: field.type for field in fields if field.init} | {"return": None}
    return made


def _repr(names: list[str]) -> Callable[[object], str]:
    @recursive_repr()
    def printed(self: object) -> str:
        return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"

    return printed


def _comparing(names: list[str]) -> dict[str, Callable[..., Any]]:
    """``__eq__`` and ``__hash__`` by these fields."""
    values: Callable[[object], object] = (
        attrgetter(*names) if len(names) > 1 else lambda one: tuple(getattr(one, name) for name in names)
    )

    def equal(self: object, other: object) -> bool:
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    def hashed(self: object) -> int:
        return hash(values(self))

    return {"__eq__": equal, "__hash__": hashed}


def _is_kept(one: Any, name: str) -> bool:
    """Whether the attribute stays as it is: any of a record, the fields of one of a class below."""
    return "__dataclass_fields__" in vars(type(one)) or name in type(one).__dataclass_fields__


def _refuse_setting(self: object, name: str, value: object) -> None:
    if _is_kept(self, name):
        raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
    object.__setattr__(self, name, value)


def _refuse_deleting(self: object, name: str) -> None:
    if _is_kept(self, name):
        raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
    object.__delattr__(self, name)


def _state(self: Any) -> list[Any]:
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _restore(self: Any, state: list[Any]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)
