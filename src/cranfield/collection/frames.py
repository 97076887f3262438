"""Columns of data frames, by the names that ir_measures, PyTerrier and TREC use for them."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from cranfield.arrays import Bytes, Floats, Ints
from cranfield.collection.flat import flat_ids, flat_numbers
from cranfield.contract import Compiled
from cranfield.errors import InputError, UsageError

if TYPE_CHECKING:
    from narwhals.typing import IntoFrame

TOPIC = ("query_id", "qid", "topic")
DOCUMENT = ("doc_id", "docno", "doc", "document")
VALUE = {"score": ("score",), "label": ("relevance", "label", "rel")}
INTENT = ("intent", "iteration")
PROBABILITY = ("probability", "weight", "p")
SYSTEM = "system"
EXTRA = {"score": ("rank",), "label": ("iteration", "intent")}


def columns(frame: IntoFrame, value: Literal["score", "label"]) -> tuple[list[Any], list[Any], list[Any], list[Any]]:
    """(topics, documents, values, ranks or field 2) of a frame, row by row; ranks are None and field 2 "0" if absent.

    Raises:
        InputError: a column is missing.
        UsageError: it is no data frame.
    """
    table = _table(frame)
    topic, document, number = (_column(table, names) for names in (TOPIC, DOCUMENT, VALUE[value]))
    extra = find(table.columns, EXTRA[value])
    if extra is not None:
        return topic, document, number, table[extra].to_list()
    return topic, document, number, [None if value == "score" else "0"] * len(topic)


def flat_run(frame: IntoFrame, engine: Compiled) -> tuple[list[str], Ints, Bytes, Ints, Floats, Ints | None] | None:
    """Rows of a run by topic, see ``Compiled.grouped_rows``; None where a column is missing or not plain.

    Raises:
        UsageError: it is no data frame.
    """
    table = _table(frame)
    found = [find(table.columns, names) for names in (TOPIC, DOCUMENT, VALUE["score"])]
    if None in found:
        return None
    topic, document, number = (table[name] for name in found)
    scores = flat_numbers(number)
    if scores is None:
        return None
    topics, documents = flat_ids(topic, engine), flat_ids(document, engine)
    if topics is None or documents is None:
        return None
    rank = find(table.columns, EXTRA["score"])
    return engine.grouped_rows(topics, documents, scores, None if rank is None else _flat_ranks(table[rank]))


def _flat_ranks(series: Any) -> Ints | None:
    if series.dtype.is_integer() and not series.null_count():
        ranks = series.to_numpy()
        if (abs(ranks.astype(np.float64)) < 9e17).all():  # 18 digits and more are looked at one by one
            return np.ascontiguousarray(ranks, dtype=np.int64)
    return ranks_of(series.to_list())


def ranks_of(values: list[Any]) -> Ints | None:
    """Ranks as whole numbers of at most 18 digits; None if one of them is not."""
    whole = [_whole(value) for value in values]
    return None if None in whole else np.array(whole, dtype=np.int64)


def _whole(rank: Any) -> int | None:
    try:
        whole = int(rank)
    except (TypeError, ValueError, OverflowError):
        return None
    return whole if whole == rank and abs(whole) < 10**18 else None


def weight_columns(frame: IntoFrame) -> tuple[list[Any], list[Any], list[Any], list[Any]]:
    """(topics, intents, probabilities, types) of a frame, row by row; types are None if absent.

    Raises:
        InputError: a column is missing.
        UsageError: it is no data frame.
    """
    table = _table(frame)
    topic, intent, probability = (_column(table, names) for names in (TOPIC, INTENT, PROBABILITY))
    return topic, intent, probability, table["type"].to_list() if "type" in table.columns else [None] * len(topic)


def preference_columns(frame: IntoFrame) -> tuple[list[Any], list[Any], list[Any]]:
    """(topics, better documents, worse documents) of a frame, row by row.

    Raises:
        InputError: a column is missing.
        UsageError: it is no data frame.
    """
    table = _table(frame)
    topic, better, worse = (_column(table, names) for names in (TOPIC, ("better",), ("worse",)))
    return topic, better, worse


def by_system(frame: IntoFrame) -> list[tuple[str, Any]] | None:
    """System -> its rows, where a column ``system`` names several runs or one; None without such a column.

    Raises:
        InputError: a row without a name; rows count from 1.
        UsageError: it is no data frame.
    """
    import narwhals as nw

    table = _table(frame)
    if SYSTEM not in table.columns:
        return None
    names = table[SYSTEM].to_list()
    for number, name in enumerate(names, 1):
        if not isinstance(name, str) or not name:
            text = f"the system is {name!r}; give every row the name of its system as text"
            raise InputError(text, f"the frame, row {number}", code="id", value=repr(name)[:80])
    return [(name, table.filter(nw.col(SYSTEM) == name).drop(SYSTEM).to_native()) for name in dict.fromkeys(names)]


def is_frame(value: object) -> bool:
    """Whether it is a data frame, whose library need not be imported to know."""
    kind = type(value)
    return any(hasattr(kind, name) for name in ("columns", "__arrow_c_stream__", "__narwhals_dataframe__"))


def has_value(frame: IntoFrame, value: Literal["score", "label"]) -> bool:
    """Whether one of its columns is named as scores are, or as labels are.

    Raises:
        UsageError: it is no data frame.
    """
    return find(_table(frame).columns, VALUE[value]) is not None


def _table(frame: IntoFrame) -> Any:
    import narwhals as nw

    try:
        native = nw.from_native(_of_stream(frame))
    except TypeError:
        raise UsageError(f"{type(frame).__name__} is no data frame that narwhals knows") from None
    return native.collect() if isinstance(native, nw.LazyFrame) else native


def _of_stream(frame: Any) -> Any:
    """What narwhals does not know but hands out Arrow's stream, as a table of PyArrow; anything else as it is."""
    import narwhals as nw

    known = nw.from_native(frame, pass_through=True) is not frame
    if known or not hasattr(frame, "__arrow_c_stream__") or find_spec("pyarrow") is None:
        return frame
    import pyarrow as pa

    try:
        return pa.table(frame)
    except (pa.ArrowException, TypeError, ValueError):
        return frame


def _column(table: Any, names: tuple[str, ...]) -> list[Any]:
    column = find(table.columns, names)
    if column is None:
        text = f"the frame has no column {' or '.join(names)}; its columns are {', '.join(map(repr, table.columns))}"
        raise InputError(text, code="column", value=names[0])
    values: list[Any] = table[column].to_list()
    return values


def find(columns: list[str], names: tuple[str, ...]) -> str | None:
    """The first of these names that a column has."""
    return next((name for name in names if name in columns), None)
