"""Ids of topics and documents: checked one by one as they come from Python, and as columns of integers or UTF-8 text.

Both kinds of columns are ordered as the text of their ids is. Numbers that come from Python are checked here too.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, overload

import numpy as np

from cranfield._message import name_value
from cranfield._text import cut, quoted
from cranfield._typing import Bytes, Ints, NDArray
from cranfield._validation import first_repeated, is_decimal
from cranfield.collection.word_labels import advise
from cranfield.engine.kernels import kernel
from cranfield.engine.protocol import IdColumn
from cranfield.errors import InputError, Located, refusal

RowLocations = Sequence[tuple[Located | str, Located | str, Located | str]]
"""The locations of the topic, the document and the value of each row."""


def count_ids(ids: IdColumn) -> int:
    """The number of ids."""
    return len(ids[1]) - 1 if isinstance(ids, tuple) else len(ids)


def text_at(ids: IdColumn, row: int) -> str:
    """The id of a row as text."""
    if not isinstance(ids, tuple):
        return str(int(ids[row]))
    data, offsets = ids
    return data[offsets[row] : offsets[row + 1]].tobytes().decode(errors="replace")


def encode_ids(ids: IdColumn) -> list[bytes]:
    """All ids as UTF-8."""
    if not isinstance(ids, tuple):
        return [str(number).encode() for number in ids.tolist()]
    data, offsets = ids
    begin = int(offsets[0])
    text = data[begin : int(offsets[-1])].tobytes()
    return [text[a:b] for a, b in pairwise((offsets - begin).tolist())]


def slice_ids(ids: IdColumn, start: int, end: int) -> IdColumn:
    """The ids of some rows, not copied."""
    if not isinstance(ids, tuple):
        return ids[start:end]
    data, offsets = ids
    return data, offsets[start : end + 1]


def taken(ids: IdColumn, rows: Ints) -> IdColumn:
    """The ids of these rows, in that order."""
    if not isinstance(ids, tuple):
        return ids[rows]
    return take_text(*ids, rows)


@kernel
def take_text(data: Bytes, offsets: Ints, rows: Ints) -> tuple[Bytes, Ints]:
    """The texts of these rows, in that order."""
    sizes = np.diff(offsets)[rows]
    ends = np.zeros(len(rows) + 1, dtype=np.int64)
    np.cumsum(sizes, out=ends[1:])
    source = np.repeat(offsets[:-1][rows] - ends[:-1], sizes) + np.arange(ends[-1])
    return data[source], ends


def joined(parts: Sequence[IdColumn]) -> IdColumn:
    """The ids of all parts, which are of one kind, one behind the other."""
    if len(parts) == 1:
        return parts[0]
    if not isinstance(parts[0], tuple):
        return np.concatenate([part for part in parts if not isinstance(part, tuple)])
    return join_text([part for part in parts if isinstance(part, tuple)])


def join_text(parts: Sequence[tuple[Bytes, Ints]]) -> tuple[Bytes, Ints]:
    """The texts of all parts, one behind the other."""
    pieces, bounds, length = [], [np.zeros(1, dtype=np.int64)], 0
    for data, offsets in parts:
        begin, end = int(offsets[0]), int(offsets[-1])
        pieces.append(data[begin:end])
        bounds.append(offsets[1:] + (length - begin))
        length += end - begin
    return np.concatenate(pieces), np.concatenate(bounds)


LONGEST = 4096
"""Bytes of the longest id."""


def quoted_id(value: object) -> str:
    """An id in quotation marks, for a message; a number has those of its digits, if Python writes them out."""
    try:
        return quoted(str(value))
    except ValueError:
        return name_value(value)


def identifier(value: object, what: str, where: Located | str) -> bytes:
    """An id as UTF-8.

    Raises:
        InputError: no string or whole number, empty, longer than 4,096 bytes, or not valid text.
    """
    if isinstance(value, str):
        text = value
    elif hasattr(value, "__index__") and not isinstance(value, bool):
        try:
            text = str(value.__index__())
        except ValueError:  # which Python does not write out
            reason = f"a {what} id has 1 to {LONGEST:,} bytes, not a whole number of thousands of digits"
            raise refusal(reason, where, code="id") from None
    else:
        text = f"the {what} id {name_value(value)} is a {type(value).__name__}; ids are strings"
        raise refusal(text, where, code="id", value=cut(repr(value)))
    try:
        encoded = text.encode()
    except UnicodeEncodeError:
        reason = f"the {what} id {name_value(value)} is not valid Unicode text"
        raise refusal(reason, where, code="id", value=cut(text)) from None
    if not encoded or len(encoded) > LONGEST or b"\0" in encoded:
        reason = f"a {what} id has 1 to {LONGEST:,} bytes and no NUL, not {cut(text)!r} ({len(encoded):,})"
        raise refusal(reason, where, code="id", value=cut(text))
    return encoded


def read_number(value: Any, what: str, where: Located | str) -> float:
    """A finite number, as a float; it may be written as text, such as ``"1.5"``.

    Raises:
        InputError: anything else.
    """
    if isinstance(value, str) and is_decimal(value):
        value = float(value)
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if isinstance(value, (str, bytes)) or not math.isfinite(number):
        advice = advise(value) if what == "label" else ""
        text = f"the {what} {_short(value)} is not a finite number{advice}"
        raise refusal(text, where, code=what, value=_short(value))
    return number


def _short(value: object) -> str:
    try:
        return repr(value)[:80]
    except ValueError:  # Python does not write out whole numbers of thousands of digits
        return f"of type {type(value).__name__}"


def levels(nested: Mapping[Any, Mapping[Any, Any]], name: str, what: str) -> list[tuple[Any, list[tuple[Any, Any]]]]:
    """topic -> document -> number, as lists of pairs; documents in a set or a list without labels have label 1.

    Raises:
        InputError: one of the levels is not a mapping.
    """
    if not isinstance(nested, Mapping):
        raise InputError(f"{name} is of type {type(nested).__name__}, expected topic -> document -> {what}")
    if what == "label":
        nested = {topic: _labelled(inner) for topic, inner in nested.items()}
    for topic, inner in nested.items():
        if not isinstance(inner, Mapping):
            raise InputError(
                f"{name}: topic {name_value(topic)} holds the type {type(inner).__name__}, expected document -> {what}"
            )
    return [(topic, list(inner.items())) for topic, inner in nested.items()]


def refuse_equal_keys(given: Mapping[Any, Any], name: str, kind: str) -> None:
    """Raises: InputError: two keys are the same text, such as 1 and "1", of which one would win in silence."""
    twice = None
    if any(type(key) is not str for key in given):
        # Python writes out no decimal digits of an integer of more than some thousand of them.
        twice = first_repeated(hex(key) if isinstance(key, int) and abs(key) >> 999 else str(key) for key in given)
    if twice is not None:
        text = f"{kind} {quoted(twice)} is there twice, as a number and as text: keep one"
        raise InputError(f"{name}: {text}", code="duplicate", value=cut(twice))


def _labelled(documents: Any) -> Any:
    listed = isinstance(documents, (set, frozenset, list, tuple)) and all(
        isinstance(document, (str, int)) for document in documents
    )
    return dict.fromkeys(documents, 1) if listed else documents


class TextColumn(Sequence[str]):
    """Immutable UTF-8 strings; string i is ``data[offsets[i]:offsets[i + 1]]``.

    Args:
        data: bytes of all strings, one after the other, uint8 [bytes].
        offsets: where each begins, int64 [strings + 1], from 0 to ``len(data)``.
    """

    __slots__ = ("data", "offsets")

    data: NDArray[np.uint8]
    offsets: NDArray[np.int64]

    def __init__(self, data: NDArray[np.uint8], offsets: NDArray[np.int64]) -> None:
        for name, array in (("data", data), ("offsets", offsets)):
            array.flags.writeable = False
            object.__setattr__(self, name, array)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"TextColumn is immutable: make a new one instead of setting {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"TextColumn is immutable: {name} stays")

    def __reduce__(self) -> tuple[type[TextColumn], tuple[NDArray[np.uint8], NDArray[np.int64]]]:
        return TextColumn, (self.data, self.offsets)

    @classmethod
    def from_strings(cls, strings: Iterable[str]) -> TextColumn:
        """Pack strings, in order."""
        return cls.from_bytes([text.encode() for text in strings])

    @classmethod
    def from_bytes(cls, encoded: Sequence[bytes]) -> TextColumn:
        """Pack strings that are UTF-8 already, in order."""
        offsets = np.zeros(len(encoded) + 1, dtype=np.int64)
        np.cumsum([len(text) for text in encoded], out=offsets[1:])
        return cls(np.frombuffer(b"".join(encoded), dtype=np.uint8), offsets)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        index %= len(self)
        return self.data[self.offsets[index] : self.offsets[index + 1]].tobytes().decode()

    def __iter__(self) -> Iterator[str]:
        return iter(self.tolist())

    def tolist(self) -> list[str]:
        """All strings as Python objects."""
        return [text.decode() for text in self.tobytes()]

    def tobytes(self) -> list[bytes]:
        """All strings as UTF-8."""
        return encode_ids((self.data, self.offsets))

    def take(self, rows: NDArray[np.integer]) -> TextColumn:
        """The strings at ``rows``, in that order."""
        return TextColumn(*take_text(self.data, self.offsets, np.asarray(rows, dtype=np.int64)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TextColumn):
            return NotImplemented
        return np.array_equal(self.offsets, other.offsets) and np.array_equal(self.data, other.data)

    def __hash__(self) -> int:
        return hash((self.data.tobytes(), self.offsets.tobytes()))

    def __repr__(self) -> str:
        shown = ", ".join(repr(text) for text in self[:3])
        return f"TextColumn([{shown}{', ...' if len(self) > 3 else ''}], {len(self)} strings)"
