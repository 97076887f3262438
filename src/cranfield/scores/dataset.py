"""The one way between labelled scores, of xarray and pandas, and plain ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cranfield._text import cut, quoted, shown
from cranfield._typing import Floats
from cranfield.collection.frames import is_frame
from cranfield.errors import InputError, UsageError
from cranfield.findings.location import Location
from cranfield.io.system_names import warn_of_lookalikes
from cranfield.scores.direction import choose_directions, find_direction
from cranfield.scores.labels import labels
from cranfield.scores.layout import (
    SYSTEM,
    as_pandas,
    is_nested,
    read_frame,
    read_nested,
    refuse_topic_numbers,
    transpose_frame,
    wide_frame,
    without_summary_rows,
)
from cranfield.scores.rows import ReadRow, sort_rows
from cranfield.scores.scale import Scale
from cranfield.scores.signature import SIGNATURE, carried, signature_in
from cranfield.scores.table import ScoreTable

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr


ScoresLike: TypeAlias = "xr.DataArray | xr.Dataset | pd.DataFrame"
DIMS = ("topic", "system")
UNNAMED = "score"
"""Name of scores whose measure has no name."""


def as_dataset(scores: ScoresLike) -> xr.Dataset:
    """Scores as a Dataset of one variable a measure, with their attributes and coordinates.

    Args:
        scores: dims (topic, system), of one measure or several; a data frame with topics in rows and systems in
            columns, or of rows with columns of systems, topics, and of measures and values or of scores by each
            measure; or a dict ``{system: {topic: {measure: value}}}``.

    Raises:
        InputError: nothing says which column holds the topics, or which names are measures.
        UsageError: no labelled scores, or other dims than topic and system.
    """
    labelled: Any = scores
    if hasattr(scores, "dims"):
        labelled = scores
    elif isinstance(scores, Mapping) and is_nested(scores):
        labelled = _read_rows(read_nested(Location("the dict"), SYSTEM, scores), "the dict")
    elif is_frame(scores) and (hasattr(scores, "columns") or not hasattr(scores, "iloc")):
        labelled = _read_frame(scores if hasattr(scores, "iloc") else as_pandas(scores))
    if not hasattr(labelled, "dims") or not hasattr(labelled, "coords"):
        raise UsageError(
            f"{type(labelled).__name__} is not scores: give what evaluate or read_scores returns, or a data frame with "
            "topics in rows and systems in columns"
        )
    if not hasattr(labelled, "data_vars"):
        labelled = labelled.to_dataset(name=labelled.name or UNNAMED).assign_attrs(labelled.attrs)
    dataset: xr.Dataset = labelled
    for name, variable in dataset.data_vars.items():
        if set(variable.dims) != set(DIMS):
            raise UsageError(f"{name} has dims {variable.dims}, expected (topic, system)")
    if not dataset.data_vars:
        raise UsageError("the Dataset holds no scores")
    return dataset


def make_table(scores: ScoresLike) -> ScoreTable:
    """Labelled scores in plain arrays, checked; see ``as_dataset``.

    Raises:
        UsageError: no labelled scores, or values that are not numbers.
        InputError: there is no topic or system, one occurs twice, or a score is infinite.
    """
    dataset = as_dataset(scores)
    topics, systems = (read_labels(dataset, dim, "the scores") for dim in DIMS)
    read: dict[Any, Any] = {}
    scales, blocks = [], []
    for name, variable in dataset.data_vars.items():
        attributes = dict(variable.attrs)
        signature = attributes.pop(SIGNATURE, dataset.attrs.get(SIGNATURE))
        if signature is not None and str(signature) not in read:
            read[str(signature)] = signature_in({SIGNATURE: signature}, str(name))
        scales.append(Scale(str(name), attributes, read.get(str(signature))))
        blocks.append(_finite(_values(variable), str(name), topics, systems))
        if signature is None:
            refuse_topic_numbers(systems, blocks[-1], "the scores", first=False)
    return ScoreTable(topics, systems, tuple(scales), np.stack(blocks))


def say_directions(
    scores: ScoresLike, larger_is_better: str | Sequence[str] = (), smaller_is_better: str | Sequence[str] = ()
) -> xr.Dataset:
    """Scores that say of these measures whether larger or smaller ones are better.

    Raises:
        UsageError: see ``choose_directions``.
    """
    dataset = as_dataset(scores)
    known = {}
    for name, variable in dataset.data_vars.items():
        scale = Scale(str(name), dict(variable.attrs))
        known[scale.name] = find_direction(
            scale.name, larger_is_better=scale.larger_is_better, said=scale.says_direction
        )
    chosen = choose_directions(known, larger_is_better, smaller_is_better)
    said = {name: found for name, found in chosen.items() if found is not None and found is not known[name]}
    variables = {
        name: dataset[name].assign_attrs(larger_is_better=int(found.larger_is_better)) for name, found in said.items()
    }
    return dataset.assign(variables)


def make_dataset(
    table: ScoreTable,
    coordinates: Mapping[str, Any] | None = None,
    attributes: Mapping[str, Any] | None = None,
    location: Location | None = None,
) -> xr.Dataset:
    """Plain scores as an ``xarray.Dataset``: a variable for each measure, and for the ends of its intervals.

    Every variable carries the signature, so that it survives being selected.

    Args:
        table: the scores.
        coordinates: further ones, name -> dim and array.
        attributes: of the Dataset.
        location: where the scores were read, for messages.

    Raises:
        InputError: a measure has the name of a coordinate.
    """
    import xarray as xr

    source = table.source
    signature = carried(source)
    variables = {}
    for number, scale in enumerate(table.scales):
        own = signature if scale.source is source else carried(scale.source)
        for end, cells in table.parts:
            name = f"{scale.name} {end}" if end else scale.name
            bound_of = {"bound_of": scale.name} if end else {}
            variables[name] = DIMS, cells[number].copy(), {**scale.attributes, **bound_of, **own}
    known = {
        "topic": np.array(table.topics, dtype=object),
        "system": np.array(table.systems, dtype=object),
        **(coordinates or {}),
    }
    for name in known.keys() & variables.keys():
        text = f"a measure is called {quoted(str(name))}, as a coordinate of all scores is: rename it"
        raise InputError(text, location, code="reserved", value=str(name))
    return xr.Dataset(variables, known, {**(attributes or {}), **signature})


def read_labels(dataset: xr.Dataset, dim: str, where: Location | str) -> tuple[str, ...]:
    """Names along ``topic`` or ``system``: 1, 2, ... where there are none.

    Raises:
        InputError: there is none, or one occurs twice.
    """
    names = dataset[dim].values.tolist() if dim in dataset.coords else range(1, dataset.sizes[dim] + 1)
    return labels(names, dim, where)


def with_signature(dataset: xr.Dataset, source: Any) -> xr.Dataset:
    """The scores, and each of their variables, signed by what made them."""
    marks = carried(source)
    return dataset.assign(
        {name: variable.assign_attrs(marks) for name, variable in dataset.data_vars.items()}
    ).assign_attrs(marks)


def _read_frame(frame: Any) -> xr.Dataset:
    import xarray as xr

    rows = read_frame(frame)
    if rows is not None:
        return _read_rows(rows, "the frame")
    frame = wide_frame(transpose_frame(frame))
    try:
        values = frame.to_numpy(dtype=np.float64)
    except (TypeError, ValueError):
        raise UsageError("a data frame of scores has topics in rows, systems in columns, and only numbers") from None
    coordinates = {"topic": frame.index.to_numpy(), "system": frame.columns.to_numpy()}
    attributes = {name: value for name, value in frame.attrs.items() if name != "measure"}
    array = xr.DataArray(values, coordinates, DIMS, name=frame.attrs.get("measure", UNNAMED), attrs=attributes)
    dataset = array.to_dataset(name=array.name).assign_attrs(attributes)
    return dataset if SIGNATURE in attributes else _look_at_names(dataset, "the frame")


def _read_rows(rows: Iterable[ReadRow], where: str) -> xr.Dataset:
    return _look_at_names(make_dataset(sort_rows(Location(where), rows)), where)


def _look_at_names(dataset: xr.Dataset, where: str) -> xr.Dataset:
    """The scores without rows that sum up others; a warning names these, and names that look alike."""
    warn_of_names(dataset, where)
    return without_summary_rows(dataset, where)


def warn_of_names(dataset: xr.Dataset, where: Location | str) -> None:
    """Warn of systems, and of topics, whose names look alike."""
    warn_of_lookalikes(map(str, dataset["system"].to_numpy()), "system", where)
    warn_of_lookalikes(map(str, dataset["topic"].to_numpy()), "topic", where, str.strip)


def _values(variable: xr.DataArray) -> Floats:
    try:
        # In one memory order: sums must not depend on how an array came to be. A transposed variable does not remember
        # what it read, so it would be read again for the next analysis.
        ordered = variable if variable.dims == DIMS else variable.transpose(*DIMS)
        return np.ascontiguousarray(ordered.values, dtype=np.float64)
    except InputError:  # of a file that is read now
        raise
    except (TypeError, ValueError):
        raise UsageError(f"{shown(str(variable.name))} holds values that are not numbers") from None


def _finite(values: Floats, name: str, topics: tuple[str, ...], systems: tuple[str, ...]) -> Floats:
    infinite = np.argwhere(np.isinf(values))
    if len(infinite):
        topic, system = infinite[0]
        where = f"{quoted(systems[system])} on topic {quoted(topics[topic])}"
        raise InputError(f"{shown(name)} of {where} is infinite", code="score", value=cut(topics[topic]))
    return values
