"""Frames of any library as one kind of table: names, and columns that are read when they are asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from cranfield.arrays import Ints
from cranfield.collection.cells import Cells, NumberCells, ObjectCells
from cranfield.errors import InputError, UsageError
from cranfield.wording import quoted


class Table:
    """Columns of a frame.

    Args:
        names: of the columns.
        column: reads one.
    """

    def __init__(self, names: Sequence[str], column: Callable[[str], Cells]) -> None:
        self.names = list(names)
        self._column = column
        self._read: dict[str, Cells] = {}

    def __getitem__(self, name: str) -> Cells:
        if name not in self._read:
            if Counter(self.names)[name] > 1:
                text = f"two columns of the frame are called {quoted(name)}; rename one, or leave it out"
                raise InputError(text, code="column", value=name)
            self._read[name] = self._column(name)
        return self._read[name]

    def take(self, names: Sequence[str], rows: Ints) -> Table:
        """Some columns of some rows."""
        return Table(names, lambda name: self[name].take(rows))


def is_frame(value: object) -> bool:
    """Whether it is a data frame, whose library need not be imported to know."""
    kind = type(value)
    named = ("columns", "__arrow_c_stream__", "__arrow_c_array__", "__narwhals_dataframe__")
    return isinstance(value, Table) or any(hasattr(kind, name) for name in named) or is_data_set(value)


def is_data_set(value: object) -> bool:
    """Whether it is a ``Dataset`` of HuggingFace, or several by the names of their splits."""
    return type(value).__module__.partition(".")[0] == "datasets" and hasattr(type(value), "column_names")


def table_of(frame: Any) -> Table:
    """The table of a frame; a stream of Arrow's that can be read once is read.

    Raises:
        InputError: the columns are not a table's.
        UsageError: it is no data frame.
    """
    if isinstance(frame, Table):
        return frame
    if is_data_set(frame):
        frame = _rows_of_data_set(frame)
    if _of_library(frame) != "pandas" and _is_arrow(frame):  # pandas makes a copy of all columns first
        return _of_arrow(frame)
    import narwhals as nw

    names = [*getattr(frame, "columns", ())] if _of_library(frame) == "pandas" else []
    if len(set(names)) < len(names):  # narwhals refuses all columns, also those that are there once
        once = table_of(frame.loc[:, ~frame.columns.duplicated(keep=False)])
        return Table(names, once.__getitem__)
    try:
        native = nw.from_native(frame)
    except TypeError:
        raise UsageError(f"{type(frame).__name__} is no data frame that narwhals knows") from None
    if isinstance(native, nw.LazyFrame):
        return table_of(native.collect().to_native())
    return Table(native.columns, lambda name: _of_series(native[name]))


def _of_arrow(frame: Any) -> Table:
    from cranfield.collection.arrow import read_arrow

    data = read_arrow(frame)
    names = data.list_names()
    return Table(names, lambda name: data.read_column(names.index(name)))


def _of_series(series: Any) -> Cells:
    """A column of narwhals; text goes by Arrow where its library has it so, which makes no object a row."""
    import narwhals as nw

    if series.dtype == nw.String and _of_library(native := series.to_native()) == "pandas":
        from cranfield.collection.arrow import read_arrow

        try:
            return read_arrow(native).read_column()
        except (AttributeError, ImportError, TypeError, ValueError):  # no PyArrow, or text that is none
            return ObjectCells(series.to_list())
    if (series.dtype.is_float() or series.dtype.is_integer()) and not series.null_count():
        return NumberCells(np.asarray(series.to_numpy()))
    return ObjectCells(series.to_list())


def _rows_of_data_set(data: Any) -> Any:
    if not isinstance(data.column_names, list):
        names = ", ".join(map(quoted, data.column_names or []))
        raise UsageError(f"a {type(data).__name__} is no frame: give one of its splits{names and f', {names}'}")
    if not hasattr(data, "__len__"):
        raise UsageError(f"a {type(data).__name__} gives its rows one by one: give a Dataset, or its rows as tuples")
    return data.with_format("arrow")[:]


def _is_arrow(value: object) -> bool:
    return any(hasattr(type(value), name) for name in ("__arrow_c_stream__", "__arrow_c_array__"))


def _of_library(value: object) -> str:
    return type(value).__module__.partition(".")[0]
