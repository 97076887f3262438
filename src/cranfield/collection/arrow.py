"""The Arrow C interface: columns of whatever hands out ``__arrow_c_stream__`` or ``__arrow_c_array__``, not copied.

The structs are those of https://arrow.apache.org/docs/format/CDataInterface.html, read with ctypes. Neither PyArrow nor
another library of Arrow is needed, and both engines read the same columns.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from ctypes import POINTER, c_char_p, c_int, c_int64, c_void_p
from typing import Any

from cranfield.errors import InputError

_Release = ctypes.CFUNCTYPE(None, c_void_p)
_pointer = ctypes.PYFUNCTYPE(c_void_p, ctypes.py_object, c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))


class Schema(ctypes.Structure):
    """``struct ArrowSchema``."""


class Array(ctypes.Structure):
    """``struct ArrowArray``."""


class _Stream(ctypes.Structure):
    """``struct ArrowArrayStream``."""


Schema._fields_ = [
    ("format", c_char_p),
    ("name", c_char_p),
    ("metadata", c_void_p),
    ("flags", c_int64),
    ("n_children", c_int64),
    ("children", POINTER(POINTER(Schema))),
    ("dictionary", POINTER(Schema)),
    ("release", _Release),
    ("private_data", c_void_p),
]
Array._fields_ = [
    ("length", c_int64),
    ("null_count", c_int64),
    ("offset", c_int64),
    ("n_buffers", c_int64),
    ("n_children", c_int64),
    ("buffers", POINTER(c_void_p)),
    ("children", POINTER(POINTER(Array))),
    ("dictionary", POINTER(Array)),
    ("release", _Release),
    ("private_data", c_void_p),
]
_Stream._fields_ = [
    ("get_schema", ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p)),
    ("get_next", ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p)),
    ("get_last_error", ctypes.CFUNCTYPE(c_char_p, c_void_p)),
    ("release", _Release),
    ("private_data", c_void_p),
]


class Owned:
    """A struct that is ours to release, which is done when nothing refers to it or to its buffers any more."""

    def __init__(self, struct: Any) -> None:
        self.struct = struct

    def __del__(self) -> None:
        if self.struct.release:
            self.struct.release(ctypes.addressof(self.struct))


class Stream:
    """A schema and its batches.

    Args:
        schema: of a struct whose children are the columns, or of one column.
        batches: as many arrays of it as there are.
    """

    def __init__(self, schema: Owned, batches: list[Owned]) -> None:
        self.schema = schema
        self.batches = batches


def read(value: Any) -> Stream:
    """All batches of what a frame, a batch or a column hands out; of a stream that can be read once, all of it.

    Raises:
        InputError: the library at the other end fails.
    """
    if hasattr(value, "__arrow_c_stream__"):
        return _of_stream(value.__arrow_c_stream__())
    schema, array = value.__arrow_c_array__()
    return Stream(_moved(schema, b"arrow_schema", Schema), [_moved(array, b"arrow_array", Array)])


def _of_stream(capsule: Any) -> Stream:
    address = _pointer(capsule, b"arrow_array_stream")
    stream = _Stream.from_address(address)

    def next_of(get: Callable[[int, int], int], kind: type[Any]) -> Owned:
        owned = Owned(kind())
        if code := get(address, ctypes.addressof(owned.struct)):
            said = (stream.get_last_error(address) or b"").decode(errors="replace")
            raise InputError(f"the stream of Arrow data ended with error {code}: {said or 'no reason was given'}")
        return owned

    def batches() -> Iterator[Owned]:
        while (batch := next_of(stream.get_next, Array)).struct.release:
            yield batch

    return Stream(next_of(stream.get_schema, Schema), list(batches()))


def _moved(capsule: Any, name: bytes, kind: type[Any]) -> Owned:
    """The struct in a capsule, taken out of it."""
    theirs = kind.from_address(_pointer(capsule, name))
    mine = kind()
    ctypes.memmove(ctypes.byref(mine), ctypes.byref(theirs), ctypes.sizeof(kind))
    theirs.release = _Release()
    return Owned(mine)
