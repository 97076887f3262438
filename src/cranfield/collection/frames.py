"""Data frames of any library as one kind of table, and the columns of runs, judgments, weights and preferences in them.

Columns are read when they are needed, row by row or flat for the engine.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from cranfield._message import name_value
from cranfield._optional import pa
from cranfield._text import quoted
from cranfield._typing import Bytes, Floats, Ints
from cranfield.collection.column import ColumnValues, NumberCells, ObjectCells
from cranfield.collection.column_names import (
    RANKS,
    ColumnNames,
    holds,
    may_name_systems,
    rank_alone,
    resolve,
    select_columns,
    several_systems,
)
from cranfield.collection.streams import is_stream, read_batches
from cranfield.engine.fast_paths import grouped_pools, grouped_rows
from cranfield.errors import InputError, UsageError, refusal
from cranfield.findings.finding import notice, warn_of
from cranfield.findings.location import Location

if TYPE_CHECKING:
    from narwhals.typing import IntoFrame

    from cranfield.engine.protocol import DocumentRows, Facts
    from cranfield.errors import Located


FlatRun = tuple[list[str], Ints, Bytes, Ints, Floats, Ints | None]
"""See ``grouped_rows``."""
PLACEHOLDERS = ("0", "Q0")
"""Field 2 of judgments without intents."""


class FrameLocation:
    """The row and column of a value, for messages."""

    path = ""
    line = None

    def __init__(self, name: str, row: int, column: str) -> None:
        self.name = name
        self.row = row
        self.column = column

    def __str__(self) -> str:
        return f"{self.name}, row {self.row}, column {name_value(self.column)}"


def cells(
    name: str, table: FrameTable, kind: Literal["score", "label"], columns: ColumnNames
) -> list[tuple[FrameLocation, FrameLocation, FrameLocation]]:
    """The cells of topic, document and number of each row; rows count from 1."""
    roles = resolve(table.names, kind, columns)
    topic, document, number = (roles[role] for role in ("topic", "document", kind))
    rows = range(1, len(table[topic]) + 1)
    return [
        (FrameLocation(name, row, topic), FrameLocation(name, row, document), FrameLocation(name, row, number))
        for row in rows
    ]


def read_roles(frame: IntoFrame | FrameTable, kind: str, columns: ColumnNames = None) -> dict[str, list[Any]]:
    """Role -> values of its column, row by row, of the roles that a frame of this kind has; see ``column_names``.

    Raises:
        InputError: a column is missing, or two could be meant.
        UsageError: it is not a data frame.
    """
    table = read_table(frame)
    return {role: table[name].tolist() for role, name in resolve(table.names, kind, columns).items()}


def flat_run(table: FrameTable, columns: ColumnNames = None) -> FlatRun | None:
    """Rows of a run by topic, see ``grouped_rows``; None where a column is not plain.

    Raises:
        InputError: a column is missing, or two could be meant.
    """
    roles = resolve(table.names, "score", columns)
    flat = _flat([table[roles[role]] for role in ("topic", "document", "score")])
    if flat is None:
        return None
    return grouped_rows(*flat, _flat_ranks(table[roles["rank"]]) if "rank" in roles else None)


def flat_pools(table: FrameTable, columns: ColumnNames = None) -> tuple[DocumentRows, str] | None:
    """Judgments by topic, see ``grouped_pools``, and what field 2 is everywhere; None where one is not plain.

    Raises:
        InputError: a column is missing, or two could be meant.
    """
    roles = resolve(table.names, "label", columns)
    placeholder = "0"
    if "intent" in roles:
        values = set(table[roles["intent"]].tolist())
        if len(values) != 1 or not isinstance(placeholder := values.pop(), str) or placeholder not in PLACEHOLDERS:
            return None
    flat = _flat([table[roles[role]] for role in ("topic", "document", "label")])
    rows = flat and grouped_pools(*flat)
    return rows and (rows, placeholder)


def flat_rows(topics: Sequence[Any], documents: Sequence[Any], scores: Sequence[Any]) -> FlatRun | None:
    """Rows of a run in lists by topic, see ``flat_run``."""
    flat = _flat([ObjectCells(list(values)) for values in (topics, documents, scores)])
    return flat and grouped_rows(*flat, None)


def _flat(columns: Sequence[ColumnValues]) -> tuple[tuple[Bytes, Ints], tuple[Bytes, Ints], Floats] | None:
    """Topics, documents and numbers."""
    topic, document, number = columns
    numbers = number.numbers()
    topics = None if numbers is None else topic.ids()
    documents = None if topics is None else document.ids()
    return None if numbers is None or topics is None or documents is None else (topics, documents, numbers)


def _flat_ranks(ranks: ColumnValues) -> Ints | None:
    are_integers = isinstance(ranks, NumberCells) and ranks.valid is None and ranks.values.dtype.kind in "iu"
    if are_integers and (abs(ranks.values.astype(np.float64)) < 9e17).all():  # type: ignore[attr-defined]
        return np.array(ranks.values, dtype=np.int64)  # type: ignore[attr-defined]
    return read_ranks(ranks.tolist())  # those of 18 digits and more are looked at one by one


def read_ranks(values: list[Any]) -> Ints | None:
    """Ranks as whole numbers of at most 18 digits; None if one of them is not."""
    integers = [_integer_rank(value) for value in values]
    return None if None in integers else np.array(integers, dtype=np.int64)


def _integer_rank(rank: Any) -> int | None:
    try:
        integer = int(rank)
    except (TypeError, ValueError, OverflowError):
        return None
    return integer if integer == rank and abs(integer) < 10**18 else None


def by_system(table: FrameTable, columns: ColumnNames = None) -> list[tuple[str, FrameTable]] | None:
    """System -> its rows, where a column ``system`` names several runs or one; None without such a column.

    Raises:
        InputError: a row without a name; rows count from 1.
    """
    roles = resolve(table.names, "score", columns)
    if "system" not in roles:
        _refuse_unnamed(table, columns)
        return None
    names = table[roles["system"]].tolist()
    for number, name in enumerate(names, 1):
        if not isinstance(name, str) or not name:
            text = f"the system is {name_value(name)}; give every row the name of its system as text"
            raise InputError(
                text, FrameLocation("the frame", number, roles["system"]), code="id", value=repr(name)[:80]
            )
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    codes = np.array([numbers[name] for name in names], dtype=np.int64)
    order, ends = np.argsort(codes, kind="stable"), np.cumsum(np.bincount(codes, minlength=len(numbers)))
    other_columns = [name for role, name in roles.items() if role != "system"]
    parts = np.split(order, ends[:-1])
    return [(name, table.take(other_columns, rows)) for name, rows in zip(numbers, parts, strict=True)]


def _refuse_unnamed(table: FrameTable, columns: ColumnNames) -> None:
    """Raises: InputError: a column that is not called ``system`` seems to name several of them."""
    for name in may_name_systems(table.names, columns):
        try:
            values = table[name].tolist()
        except InputError:  # a column that holds neither text nor numbers, or is there twice
            continue
        row = other_than_first(values)
        if row is not None:
            remedy = f"columns={{'system': {name_value(name)}}} separates them"
            text = several_systems(name, str(values[0]), str(values[row]), remedy)
            raise InputError(
                text, FrameLocation("the frame", row + 1, name), code="several-systems", value=str(values[row])
            )


def other_than_first(values: Sequence[Any]) -> int | None:
    """The first row whose value is not that of the first row, as text; None where all are alike."""
    first = values[0] if len(values) else ""
    text = str(first)  # what is not equal to itself, such as nan, is alike as text
    same = (value == first if type(value) is type(first) is str else str(value) == text for value in values)
    return next((row for row, alike in enumerate(same) if not alike), None)


def with_scores(table: FrameTable, columns: ColumnNames, name: str) -> FrameTable:
    """A run's frame; of one with ranks and no scores, the score is minus the rank, of which a warning tells.

    Raises:
        InputError: a rank is not a whole number.
    """
    rank = rank_alone(table.names, columns)
    if rank is None:
        _warn_of_ranks(table, columns, name)
        return table
    scores = minus_ranks(table[rank].tolist(), lambda row: FrameLocation(name, row + 1, rank), rank)
    facts: Facts = {}
    notice(facts, "ranks-alone", len(scores))
    warn_of(facts, Location(name=name))
    read = {"score": ObjectCells(scores)}
    return FrameTable([*table.names, "score"], lambda column: read.get(column) or table[column])


def minus_ranks(ranks: Iterable[Any], where: Callable[[int], Located], column: str) -> list[float]:
    """Scores of documents of which only the ranks are known.

    Raises:
        InputError: a rank is not a whole number from 0 on.
    """
    scores = []
    for row, rank in enumerate(ranks):
        if not re.fullmatch(r"[0-9]{1,15}(\.0)?", str(rank)):
            text = (
                f"there is no column score, and {quoted(str(rank))} is not a whole number, as ranks are; if larger "
                f"numbers are better, say that they are scores: --columns score={column}, in Python "
                f"columns={{'score': {name_value(column)}}}"
            )
            raise refusal(text, where(row), code="rank", value=str(rank)[:80])
        scores.append(-float(rank))
    return scores


def _warn_of_ranks(table: FrameTable, columns: ColumnNames, name: str) -> None:
    names = select_columns(columns, "score")
    if "score" not in names or names["score"] not in table.names:
        return
    roles = resolve(table.names, "score", columns)
    if look_like_ranks(table[roles["topic"]].tolist, table[roles["score"]].tolist(), roles["score"]):
        facts: Facts = {}
        notice(facts, "ranks-as-scores", value=roles["score"])
        warn_of(facts, Location(name=name))


def look_like_ranks(topics: Callable[[], Sequence[Any]], numbers: Sequence[Any], column: str) -> bool:
    """Return whether a caller's column of scores holds ranks: its name says so, or it counts the rows of each topic."""
    if not all(re.fullmatch(r"[0-9]{1,15}(\.0)?", str(number)) for number in numbers):
        return False
    if column.lower() in RANKS:
        return True
    last: dict[str, float] = {}
    for topic, number in zip(map(str, topics()), map(float, numbers), strict=True):
        if number not in ((last[topic] + 1,) if topic in last else (0, 1)):
            return False
        last[topic] = number
    return len(last) < len(numbers)


def has_value(table: FrameTable, kind: Literal["score", "label"], columns: ColumnNames = None) -> bool:
    """Return whether one of its columns is named as scores are, or as labels are."""
    return holds(table.names, kind, select_columns(columns, kind))


class FrameTable:
    """Columns of a frame.

    Args:
        names: of the columns.
        column: reads one.
    """

    def __init__(self, names: Sequence[str], column: Callable[[str], ColumnValues]) -> None:
        self.names = list(names)
        self._column = column
        self._read: dict[str, ColumnValues] = {}

    def __getitem__(self, name: str) -> ColumnValues:
        if name not in self._read:
            if Counter(self.names)[name] > 1:
                text = f"two columns of the frame are called {quoted(name)}; rename one, or leave it out"
                raise InputError(text, code="column", value=name)
            self._read[name] = self._column(name)
        return self._read[name]

    def take(self, names: Sequence[str], rows: Ints) -> FrameTable:
        """Some columns of some rows."""
        return FrameTable(names, lambda name: self[name].take(rows))


def is_frame(value: object) -> bool:
    """Return whether it is a data frame, whose library need not be imported to know."""
    kind = type(value)
    named = ("columns", "__arrow_c_stream__", "__arrow_c_array__", "__narwhals_dataframe__")
    return (
        isinstance(value, FrameTable)
        or any(hasattr(kind, name) for name in named)
        or is_data_set(value)
        or is_stream(value)
    )


def rows_of_lists(frame: Any, kind: Literal["run", "qrels"]) -> list[dict[str, Any]] | None:
    """The rows of a frame in memory that lists the documents of a topic in each; None of any other frame."""
    from cranfield.collection.retrieved import LISTS, lists_documents

    if is_data_set(frame):
        rows = [frame[0]] if isinstance(frame.column_names, list) and hasattr(frame, "__len__") and len(frame) else []
        return list(frame) if rows and lists_documents(rows[0], kind) else None
    if _library_name(frame) not in ("pandas", "polars", "pyarrow") or not hasattr(type(frame), "columns"):
        return None
    import narwhals as nw

    names = list(frame.columns) if _library_name(frame) == "pandas" else []
    native = nw.from_native(frame, pass_through=True) if len(set(names)) == len(names) else None
    if not isinstance(native, nw.DataFrame) or not native.shape[0] or not _may_list(native.columns, LISTS[kind]):
        return None
    rows = [{name: _plain_list(cell) for name, cell in row.items()} for row in native.head(1).rows(named=True)]
    if not lists_documents(rows[0], kind):
        return None
    return [{name: _plain_list(cell) for name, cell in row.items()} for row in native.rows(named=True)]


def _may_list(names: Sequence[str], lists: Sequence[str]) -> bool:
    return any(name in lists or holds([name], "document") for name in names)


def _plain_list(cell: Any) -> Any:
    """A list of any library as Python's."""
    return cell.tolist() if isinstance(cell, np.ndarray) else cell


def is_data_set(value: object) -> bool:
    """Return whether it is a ``Dataset`` of HuggingFace, or several by the names of their splits."""
    return type(value).__module__.partition(".")[0] == "datasets" and hasattr(type(value), "column_names")


def read_table(frame: Any) -> FrameTable:
    """The table of a frame; a stream of Arrow's that can be read once is read.

    Raises:
        InputError: the columns are not a table's.
        UsageError: it is not a data frame.
    """
    if isinstance(frame, FrameTable):
        return frame
    if is_data_set(frame):
        frame = _read_data_set(frame)
    if _library_name(frame) != "pandas" and _is_arrow(frame):  # pandas makes a copy of all columns first
        return _read_arrow(frame)
    import narwhals as nw

    names = [*getattr(frame, "columns", ())] if _library_name(frame) == "pandas" else []
    if len(set(names)) < len(names):  # narwhals refuses all columns, also those that are there once
        once = read_table(frame.loc[:, ~frame.columns.duplicated(keep=False)])
        return FrameTable(names, once.__getitem__)
    try:
        native = nw.from_native(frame)
    except TypeError:
        if is_stream(frame):
            return _read_arrow(pa.Table.from_batches(list(read_batches(frame))))
        raise UsageError(f"{type(frame).__name__} is not a data frame that narwhals knows") from None
    if isinstance(native, nw.LazyFrame):
        return read_table(native.collect().to_native())
    return FrameTable(native.columns, lambda name: _read_series(native[name]))


def _read_arrow(frame: Any) -> FrameTable:
    from cranfield.collection.arrow import read_arrow

    data = read_arrow(frame)
    names = data.list_names()
    return FrameTable(names, lambda name: data.read_column(names.index(name)))


def _read_series(series: Any) -> ColumnValues:
    """A column of narwhals; text goes by Arrow where its library has it so, which makes no object a row."""
    import narwhals as nw

    if series.dtype == nw.String and _library_name(native := series.to_native()) == "pandas":
        from cranfield.collection.arrow import read_arrow

        try:
            return read_arrow(native).read_column()
        except (AttributeError, ImportError, TypeError, ValueError):  # no PyArrow, or text that is none
            return ObjectCells(series.to_list())
    if (series.dtype.is_float() or series.dtype.is_integer()) and not series.null_count():
        return NumberCells(np.asarray(series.to_numpy()))
    return ObjectCells(series.to_list())


def _read_data_set(data: Any) -> Any:
    if not isinstance(data.column_names, list):
        names = ", ".join(map(quoted, data.column_names or []))
        raise UsageError(f"a {type(data).__name__} is not a frame: give one of its splits{names and f', {names}'}")
    if not hasattr(data, "__len__"):
        raise UsageError(f"a {type(data).__name__} gives its rows one by one: give a Dataset, or its rows as tuples")
    return data.with_format("arrow")[:]


def _is_arrow(value: object) -> bool:
    return any(hasattr(type(value), name) for name in ("__arrow_c_stream__", "__arrow_c_array__"))


def _library_name(value: object) -> str:
    return type(value).__module__.partition(".")[0]
