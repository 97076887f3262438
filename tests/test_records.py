"""Records are dataclasses: whatever is done with one gives what the same dataclass of the standard library gives."""

from __future__ import annotations

import copy
import inspect
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, asdict, dataclass, field, fields, is_dataclass, replace
from functools import partial
from typing import Any

import pytest

from cranfield.records import record


class Slotted:
    """With slots."""

    text: str
    numbers: list[int] = field(default_factory=list)
    share: float = 0.5
    aside: int = field(default=3, compare=False, repr=False)


class Open:
    """Without, and with what is not given."""

    text: str
    kept: dict[str, int] = field(init=False, compare=False, default_factory=dict)
    double: str = field(init=False)
    always: int = field(init=False, default=7)
    named: int = field(default=1, kw_only=True)

    def __post_init__(self) -> None:
        object.__setattr__(self, "double", self.text * 2)


class Single:
    """One field, in words of its own."""

    value: float

    def __repr__(self) -> str:
        return "single"


class Named:
    """All by name."""

    first: int
    second: int = 2


class Empty:
    """None."""


class Uncompared:
    """As itself only."""

    value: int


SHAPES: dict[type, dict[str, Any]] = {
    Slotted: {"slots": True},
    Open: {},
    Single: {},
    Named: {"kw_only": True},
    Empty: {},
    Uncompared: {"eq": False, "repr": False},
}
CALLS: dict[type, list[tuple[tuple[Any, ...], dict[str, Any]]]] = {
    Slotted: [(("a",), {}), (("a", [1]), {}), (("a",), {"aside": 9}), (("b", [1], 0.25, 4), {}), ((), {})],
    Open: [(("a",), {}), (("a",), {"named": 2}), (("a", 2), {}), (("a",), {"double": "b"})],
    Single: [((1.0,), {}), ((float("nan"),), {}), ((), {"value": 2.0}), ((1.0, 2.0), {})],
    Named: [((), {"first": 1}), ((), {"first": 1, "second": 3}), ((1,), {})],
    Empty: [((), {}), ((1,), {})],
    Uncompared: [((1,), {})],
}


def both(plain: type) -> list[type]:
    """The class as a dataclass and as a record, under the same name, where pickles look for it."""
    made = []
    for decorator in (dataclass, record):
        body = {name: value for name, value in vars(plain).items() if name not in ("__dict__", "__weakref__")}
        made.append(decorator(frozen=True, **SHAPES[plain])(type(plain.__name__, (), body)))
    return made


def outcome(work: Callable[[], Any]) -> Any:
    try:
        return work()
    except Exception as error:
        return type(error), str(error)


@pytest.mark.parametrize("plain", SHAPES)
def test_classes_look_the_same(plain: type) -> None:
    theirs, ours = both(plain)
    assert is_dataclass(ours)
    assert str(inspect.signature(ours)) == str(inspect.signature(theirs))
    assert [str(one) for one in fields(ours)] == [str(one) for one in fields(theirs)]
    assert ours.__match_args__ == theirs.__match_args__  # type: ignore[attr-defined]
    assert ours.__doc__ == theirs.__doc__
    assert str(ours.__dataclass_params__) == str(theirs.__dataclass_params__)  # type: ignore[attr-defined]
    assert hasattr(ours, "__slots__") == hasattr(theirs, "__slots__")


@pytest.mark.parametrize("plain", SHAPES)
def test_objects_act_the_same(plain: type, monkeypatch: pytest.MonkeyPatch) -> None:
    acts: dict[str, Callable[[Any], Any]] = {
        "repr": lambda one: plain.__name__ == "Uncompared" or repr(one),
        "asdict": asdict,
        "replace": lambda one: asdict(replace(one, **{fields(one)[0].name: 5} if fields(one) else {})),
        "set": lambda one: setattr(one, "text", 1),
        # With slots, the library's fails at what is no field: "super(type, obj): obj must be an instance".
        "set another": lambda one: plain.__name__ == "Slotted" or setattr(one, "other", 1),
        "delete": lambda one: delattr(one, "text" if plain.__name__ == "Slotted" else "value"),
        "equal": lambda one: one == type(one)(**{f.name: getattr(one, f.name) for f in fields(one) if f.init}),
        "unequal": lambda one: one == 1,
        "copied": lambda one: asdict(copy.deepcopy(one)),
        "pickled": lambda one: asdict(pickle.loads(pickle.dumps(one))),
        "hashed": lambda one: hash(one) == hash(copy.copy(one)),
    }
    done = 0
    for given, named in CALLS[plain]:
        found = []
        for cls in both(plain):
            monkeypatch.setattr(f"{__name__}.{plain.__name__}", cls)
            one = outcome(partial(cls, *given, **named))
            if isinstance(one, tuple):
                found.append(one)
                continue
            done += 1
            found.append({name: outcome(partial(act, one)) for name, act in acts.items()})
        assert str(found[0]) == str(found[1])
    assert done >= 2


def test_hashes_follow_the_fields_that_are_compared() -> None:
    _, slotted = both(Slotted)
    assert slotted("a", (), aside=1) == slotted("a", (), aside=2)
    assert len({slotted("a", (), aside=1), slotted("a", (), aside=2), slotted("b", ())}) == 2


def test_below_a_record_there_may_be_records_and_others() -> None:
    @record(frozen=True)
    class Above:
        """Above."""

        a: int = 1

    @record(frozen=True, kw_only=True)
    class Below(Above):
        """Below."""

        b: int

    @dataclass(frozen=True)
    class Plain(Above):
        b: int = 2

    class Other(Above):
        pass

    assert (Below(a=1, b=2).b, Below(3, b=2).a, Plain(1, 2).b) == (2, 3, 2)
    assert Below(a=1, b=2) != Above(1)
    for fixed in (Below(b=1), Plain()):
        with pytest.raises(FrozenInstanceError, match="cannot assign to field 'b'"):
            fixed.b = 2  # type: ignore[misc, attr-defined]
    other = Other()
    other.further = 1  # type: ignore[attr-defined]
    del other.further  # type: ignore[attr-defined]
    for act in (lambda: setattr(other, "a", 1), lambda: delattr(other, "a")):
        with pytest.raises(FrozenInstanceError, match="field 'a'"):
            act()
    slotted = both(Slotted)[1]("a")
    for act in (lambda: setattr(slotted, "other", 1), lambda: delattr(slotted, "other")):
        with pytest.raises(FrozenInstanceError, match="field 'other'"):
            act()
    with pytest.raises(TypeError, match="cannot inherit non-frozen dataclass from a frozen one"):

        @dataclass
        class Loose(Above):
            c: int = 1


def test_a_record_that_may_be_changed_is_none() -> None:
    with pytest.raises(AssertionError, match="dataclass"):
        record(frozen=False)
