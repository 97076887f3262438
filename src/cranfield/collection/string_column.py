"""A column of strings in two flat arrays, so that millions of document ids cost bytes and not objects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import overload

import numpy as np

from cranfield._typing import NDArray
from cranfield.engine import compiled


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
    def of(cls, strings: Iterable[str]) -> TextColumn:
        """Pack strings, in order."""
        return cls.of_bytes([text.encode() for text in strings])

    @classmethod
    def of_bytes(cls, encoded: Sequence[bytes]) -> TextColumn:
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
        blob = self.data.tobytes()
        bounds = self.offsets.tolist()
        return [blob[a:b] for a, b in pairwise(bounds)]

    def take(self, rows: NDArray[np.integer]) -> TextColumn:
        """The strings at ``rows``, in that order."""
        engine = compiled()
        gathered = engine and engine.gathered_ids(self.data, self.offsets, np.asarray(rows, dtype=np.int64))
        if gathered:
            return TextColumn(*gathered)
        lengths = np.diff(self.offsets)[rows]
        offsets = np.zeros(len(rows) + 1, dtype=np.int64)
        np.cumsum(lengths, out=offsets[1:])
        source = np.repeat(self.offsets[:-1][rows] - offsets[:-1], lengths) + np.arange(offsets[-1])
        return TextColumn(self.data[source], offsets)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TextColumn):
            return NotImplemented
        return np.array_equal(self.offsets, other.offsets) and np.array_equal(self.data, other.data)

    def __hash__(self) -> int:
        return hash((self.data.tobytes(), self.offsets.tobytes()))

    def __repr__(self) -> str:
        shown = ", ".join(repr(text) for text in self[:3])
        return f"TextColumn([{shown}{', ...' if len(self) > 3 else ''}], {len(self)} strings)"
