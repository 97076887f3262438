"""The layouts in which people hold scores: which rows and columns are topics, systems, measures, or means.

A frame is wide (topics in rows, systems in columns), transposed (systems in rows, as leaderboards of models are) or
long (a row for each score); dicts are nested as pytrec_eval returns them. Whatever scores are read from, a column of
topics, a row of means and a table with systems in rows are recognised here.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any, TypeGuard

import numpy as np

from cranfield._message import name_value
from cranfield._text import counted, cut, quoted, shown, warn
from cranfield._typing import Floats
from cranfield._validation import first_repeated, is_decimal
from cranfield.collection.frames import read_table as columns_in
from cranfield.errors import InputError, MeasureError, UsageError, refusal
from cranfield.findings.location import Location
from cranfield.measures import parse_measures
from cranfield.scores.rows import ALL, TOPIC_NAMES, ReadRow, find_column
from cranfield.scores.scale import is_known
from cranfield.scores.table import ScoreTable
from cranfield.statistics.rounding import are_printed_means

if TYPE_CHECKING:
    import xarray as xr


TOPIC_COLUMN = ("", *TOPIC_NAMES, "index", "unnamed: 0")
"""Headers of a column that holds topics rather than a system's scores, in any case; pandas writes the last."""
SUMMARY_NAMES = (ALL, "mean", "amean", "average", "avg", "overall", "macro", "macro avg", "macro average")
"""Names that tools give to a row of means, in any case."""
SYSTEM = "run"
"""Name of the system if rows in memory do not name it."""
SYSTEM_COLUMN = ("model", "system", "run", "name", "method", "approach", "retriever", "team", "submission", "tag")
"""Headers of a column of systems, in any case, also in the plural and followed by ``name`` or ``id``."""
MISSING = ("", "nan", "na", "none", "<na>")
"""Cells that hold neither a name nor a score."""


# ---- columns of topics and rows of means


def refuse_topic_numbers(systems: Sequence[str], values: Floats, where: Location | str, *, first: bool) -> None:
    """Refuse a column of a matrix that would be read as scores and looks like numbers of topics.

    Args:
        systems: heads of the columns.
        values: [topics, systems].
        where: they are, for the message.
        first: whether no column holds topics, so that the first could whatever its head is.

    Raises:
        InputError: whole numbers that all differ stand in such a column.
    """
    named = [at for at, name in enumerate(systems) if name.strip() and name.strip().lower() in TOPIC_COLUMN]
    suspicious = [at for at in named if _differ(values[:, at])]
    if not suspicious and first and len(systems) > 1 and _are_beside_scores(values[:, 0], values[:, 1:]):
        suspicious = [0]
    if suspicious:
        name = systems[suspicious[0]]
        text = (
            f"the column {quoted(name)} would be a system, and holds whole numbers that all differ, as numbers of "
            "topics do: if it holds the topics, call it 'topic' and put it first, alone of its kind; if it "
            "holds a system's scores, give it another name, and the topics a first column 'topic'"
        )
        raise refusal(text, where, code="layout", value=cut(name))


def _differ(values: Floats) -> bool:
    """Tell whether a column holds integers that all differ and are not only 0 and 1."""
    if len(values) < 2 or not np.isfinite(values).all() or not _are_integers(values):
        return False
    return len(np.unique(values)) == len(values) and bool(np.abs(values).max() > 1)


def _are_beside_scores(column: Floats, scores_beside: Floats) -> bool:
    """Tell whether integers that differ are beside fractions of 1, or five or more that rise beside any fractions."""
    scores = scores_beside[np.isfinite(scores_beside)]
    if not _differ(column) or not len(scores) or _are_integers(scores):
        return False
    return bool(np.abs(scores).max() <= 1 or (len(column) >= 5 and (np.diff(column) > 0).all()))


def _are_integers(values: Floats) -> bool:
    return bool((values == np.round(values)).all())


def is_summary(topic: str) -> bool:
    """Tell whether a row has the name of a row of means over topics."""
    return topic.strip().lower() in SUMMARY_NAMES


def without_summary_rows(scores: xr.Dataset, where: Location | str) -> xr.Dataset:
    """Scores without rows that hold means over topics; a warning names them.

    The row ``all`` is always one; rows of other such names are, if they hold means.

    Raises:
        InputError: a row has the name of a row of means, and holds other values.
    """
    names = [str(topic) for topic in scores["topic"].values.tolist()] if "topic" in scores.coords else []
    summaries = [at for at, topic in enumerate(names) if is_summary(topic)]
    if not summaries:
        return scores
    topics = [at for at in range(len(names)) if at not in summaries]
    if not topics:
        raise refusal("holds summaries only, and no score of a topic", where, code="no-scores")
    for at in summaries:
        if names[at].lower() != ALL and not _are_means(scores, topics, at):
            text = (
                f"topic {quoted(names[at])} is called as a row of means is, and its scores are not the means of the "
                "others: leave the row out, or rename the topic"
            )
            raise refusal(text, where, code="reserved", value=cut(names[at]))
    listed = ", ".join(quoted(names[at]) for at in summaries)
    warn(f"{where}: the row {listed} is read as a summary over topics, not as a topic, and left out")
    return scores.isel(topic=topics)


def _are_means(scores: xr.Dataset, topics: Sequence[int], at: int) -> bool:
    for variable in scores.data_vars.values():
        values = np.asarray(variable.transpose("topic", "system").values, dtype=np.float64)
        if not are_printed_means(values[at], values[topics], np.nanmax(np.abs(values), initial=0.0)):
            return False
    return True


# ---- frames


def read_frame(frame: Any) -> list[ReadRow] | None:
    """The rows of a long frame: a column of systems, of topics, or both, and of measures and values, or of scores.

    None where the frame is wide: topics in rows and systems in columns.
    """
    names = [str(name) for name in frame.columns]
    roles = [find_column(name) for name in names]
    present = set(roles)
    is_long = {"topic", "measure", "value"} <= present or ({"topic", "system"} <= present and _has_names(frame, roles))
    if not is_long:
        return None
    where = Location("the frame")
    twice = first_repeated(roles)
    if twice is not None:
        raise UsageError(f"two columns of the frame hold the {quoted(twice)}: leave one out")
    columns = {role: frame.iloc[:, at].tolist() for at, role in enumerate(roles)}
    systems = columns.get("system", [SYSTEM] * len(frame))
    by_measure: dict[str, list[Any]] = {
        name: columns[role] for name, role in zip(names, roles, strict=True) if role not in ("system", "topic")
    }
    rows = list(zip(systems, map(_topic, columns["topic"]), strict=True))
    if {"measure", "value"} <= present:
        cells = zip(rows, columns["measure"], columns["value"], strict=True)
        return [(where, str(system), topic, str(measure), _value(value)) for (system, topic), measure, value in cells]
    return [
        (where, str(system), topic, name, _value(value))
        for name, values in by_measure.items()
        for (system, topic), value in zip(rows, values, strict=True)
    ]


def _has_names(frame: Any, roles: Sequence[str]) -> bool:
    """Tell whether the column of systems holds names and no scores."""
    cells = frame.iloc[:, roles.index("system")].tolist()
    return len(cells) > 0 and all(isinstance(cell, str) for cell in cells)


def wide_frame(frame: Any) -> Any:
    """A frame with topics in rows and systems in columns, with its column of topics as the index.

    Raises:
        InputError: a column of another name seems to hold the topics.
        UsageError: two columns could hold the topics.
    """
    from pandas import RangeIndex

    heads = [str(name) for name in frame.columns]
    candidates = [
        at for at, head in enumerate(heads) if head.strip().lower() in TOPIC_COLUMN and _holds_topics(frame, at)
    ]
    if len(candidates) > 1:
        both = " and ".join(quoted(heads[at]) for at in candidates[:2])
        raise UsageError(f"two columns of the frame could hold the topics, {both}: leave one out")
    if candidates:
        topics = list(map(_topic, frame.iloc[:, candidates[0]].tolist()))
        return frame.iloc[:, [at for at in range(len(heads)) if at != candidates[0]]].set_axis(topics, axis=0)
    if isinstance(frame.index, RangeIndex):
        try:
            values = frame.to_numpy(dtype=np.float64)
        except (TypeError, ValueError):
            return frame
        refuse_topic_numbers(heads, values, "the frame", first=True)
    return frame


def _holds_topics(frame: Any, at: int) -> bool:
    """Tell whether a column with such a header holds names, or numbers of topics, rather than a system's scores."""
    cells = frame.iloc[:, at].tolist()
    if any(isinstance(cell, str) for cell in cells):
        return True
    try:
        return _differ(np.asarray(cells, dtype=np.float64))
    except (TypeError, ValueError):
        return True


def as_pandas(frame: Any) -> Any:
    """A frame of any library that is not pandas as one of pandas."""
    import pandas as pd

    table = columns_in(frame)
    return pd.DataFrame({name: table[name].tolist() for name in table.names})


def _topic(cell: Any) -> str:
    """A topic's name; an integer that a frame holds as a float is written as an integer."""
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)


def _value(cell: Any) -> float:
    if cell is None:
        return math.nan
    try:
        return float(cell)
    except (TypeError, ValueError, OverflowError):
        raise UsageError(f"{name_value(cell)} is not a score: a column of scores holds only numbers") from None


# ---- dicts, in memory and in JSON


def is_nested(content: object) -> bool:
    """Tell whether an object of JSON is a dict of dicts, two or three deep, with numbers in them."""
    if not _is_filled(content) or not all(map(_is_filled, content.values())):
        return False
    cells = [cell for by_name in content.values() for cell in by_name.values()]
    return _are_scores(cells) or all(_is_filled(cell) and _are_scores(cell.values()) for cell in cells)


def _is_filled(content: object) -> TypeGuard[Mapping[Any, Any]]:
    return isinstance(content, Mapping) and bool(content)


def _are_scores(cells: Iterable[object]) -> bool:
    return all(map(_is_score, cells))


def _is_score(cell: object) -> bool:
    return cell is None or (isinstance(cell, Real) and not isinstance(cell, bool))


def read_nested(where: Location, system: str, content: Mapping[Any, Any]) -> Iterator[ReadRow]:
    """Rows of ``{topic: {measure: value}}``, as pytrec_eval gives them, or of ``{system: {topic: {measure: value}}}``.

    Args:
        where: they are, for messages.
        system: that is scored, if the dicts do not say.
        content: the dicts.

    Raises:
        InputError: nothing says which names are those of measures.
    """
    deep = isinstance(next(iter(next(iter(content.values())).values())), Mapping)
    for name, by_topic in content.items() if deep else [(system, content)]:
        _refuse_unknown(where, by_topic)
        for topic, by_measure in by_topic.items():
            for measure, value in by_measure.items():
                try:
                    number = math.nan if value is None else float(value)
                except OverflowError:
                    text = f"{shown(str(measure))} of {quoted(str(name))} on topic {quoted(str(topic))} is too large"
                    raise refusal(f"{text} for a double", where, code="overflow", value=cut(str(topic))) from None
                yield where, str(name), str(topic), str(measure), number


def _refuse_unknown(where: Location, by_topic: Mapping[Any, Mapping[Any, Any]]) -> None:
    """Refuse names where measures are expected, none of which is a measure.

    Raises:
        InputError: none is.
    """
    inner = {str(measure) for by_measure in by_topic.values() for measure in by_measure}
    if not any(map(is_measure, inner)) or all(is_measure(str(topic)) for topic in by_topic):
        text = (
            f"nothing says that {shown(', '.join(sorted(inner)[:3]))} are measures: of dicts of dicts, "
            "{topic: {measure: value}} and {system: {topic: {measure: value}}} are read; give others as rows "
            "`system topic measure value`"
        )
        raise InputError(text, where, code="layout")


def is_measure(name: str) -> bool:
    """Tell whether a name, which is not a number, is that of a measure of this package."""
    if is_decimal(name):
        return False
    try:
        return bool(parse_measures(name))
    except MeasureError:
        return False


# ---- systems in rows


def is_system_head(head: object) -> bool:
    """Tell whether a column of this name holds systems: ``model``, ``Systems``, ``run_id``."""
    if not isinstance(head, str):
        return False
    noun, *suffix = head.strip().lower().replace("_", " ").replace("-", " ").split() or [""]
    return (noun in SYSTEM_COLUMN or noun.removesuffix("s") in SYSTEM_COLUMN) and suffix in ([], ["name"], ["id"])


def has_systems_in_rows(head: object, cells: Sequence[object]) -> bool:
    """Tell whether the first column of a table holds the names of systems, and no scores.

    Args:
        head: of the first column.
        cells: of the first column.
    """
    texts = [text for cell in cells if (text := str(cell).strip()).lower() not in MISSING]
    if not is_system_head(head) or not texts:
        return False
    # Numbers may be names of systems: whole ones, each once.
    names = [text for text in texts if not is_decimal(text) or "." not in text]
    return bool(names) and (len(set(texts)) == len(texts) or not all(map(is_decimal, texts)))


def transpose(table: ScoreTable, head: str, where: Location | str) -> ScoreTable:
    """Read a table with systems in rows rather than topics; a warning says so.

    Args:
        table: of one measure, read with topics in rows, which are systems.
        head: of the column of systems.
        where: it was read.

    Raises:
        InputError: its columns are measures, or none of them is a topic.
    """
    topic_columns = _topic_columns(table.systems, head, where)
    values = np.ascontiguousarray(table.values[:, :, topic_columns].transpose(0, 2, 1))
    return ScoreTable(tuple(table.systems[at] for at in topic_columns), table.topics, table.scales, values)


def transpose_frame(frame: Any) -> Any:
    """A data frame with topics in rows; a warning says if systems were in its rows.

    Raises:
        UsageError: see ``transpose``.
    """
    if is_system_head(frame.index.name):
        rows, head = frame, str(frame.index.name)
    elif len(frame.columns) > 1 and has_systems_in_rows(frame.columns[0], frame.iloc[:, 0].tolist()):
        head = str(frame.columns[0])
        rows = frame.set_index(frame.columns[0])
    else:
        return frame
    try:
        return rows.iloc[:, _topic_columns([str(name) for name in rows.columns], head, "the data frame")].T
    except InputError as error:
        raise UsageError(str(error)) from None


def _topic_columns(columns: Sequence[str], head: str, where: Location | str) -> list[int]:
    """Indices of the columns that are topics; a warning says how the table is read.

    Summaries such as ``Average`` or ``Mean (Task)`` are left out.

    Raises:
        InputError: they are measures, or there is none.
    """
    summing = [name for name in columns if is_summary(name.partition("(")[0])]
    chosen = [at for at, name in enumerate(columns) if name not in summing]
    measures = [columns[at] for at in chosen if is_known(columns[at])]
    if not chosen or 2 * len(measures) >= len(chosen):
        reason = f"its columns are measures ({quoted(measures[0])})" if measures else "it has no column of a topic"
        text = f"the column {quoted(head)} says that systems are in rows, and {reason}: scores of topics are needed"
        raise InputError(f"{where}: {text}", code="layout")
    examples = ", ".join(quoted(columns[at]) for at in chosen[:3]) + ", ..." * (len(chosen) > 3)
    out = f"; {', '.join(map(quoted, summing))} left out, which sums up the others" if summing else ""
    warn(
        f"{where}: read with systems in rows, as the column {quoted(head)} says, and "
        f"{counted(len(chosen), 'topic')} in columns ({examples}){out}; where rows are topics, call it 'topic'"
    )
    return chosen
