"""The one way between labelled scores, of xarray and pandas, and plain ones.

Labelled arrays of NumPy's alone, constructed without xarray's look at other libraries' arrays.

Where Dask is installed, that look imports it, which takes as long as many an analysis. What is constructed is the same.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cranfield._text import cut, quoted, shown
from cranfield._typing import Floats
from cranfield.collection.frames import is_frame
from cranfield.errors import InputError, UsageError
from cranfield.findings.location import Place
from cranfield.scores.labels import labels
from cranfield.scores.layout import (
    SYSTEM,
    as_pandas,
    is_nested,
    refuse_topic_numbers,
    rows_of_frame,
    rows_of_nested,
    transpose_frame,
    wide_frame,
    without_summary_rows,
)
from cranfield.scores.rows import ReadRow, table_of_rows
from cranfield.scores.scale import Scale
from cranfield.scores.signature import SIGNATURE, carried, signature_in
from cranfield.scores.table import ScoreTable

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr


ScoresLike: TypeAlias = "xr.DataArray | xr.Dataset | pd.DataFrame"
DIMS = ("topic", "system")
UNNAMED = "score"
"""What scores of no named measure are called."""


def as_dataset(scores: ScoresLike) -> xr.Dataset:
    """Scores as a Dataset of one variable a measure, with all else that it says.

    Args:
        scores: dims (topic, system), of one measure or several; a data frame with topics in rows and systems in
            columns, or of rows with columns of systems, topics, and of measures and values or of scores by each
            measure; or a dict ``{system: {topic: {measure: value}}}``.

    Raises:
        InputError: nothing says which column holds the topics, or which names are measures.
        UsageError: no labelled scores, or other dims than topic and system.
    """
    labelled: Any = scores
    if isinstance(scores, Mapping) and is_nested(scores):
        labelled = _of_rows(rows_of_nested(Place("the dict"), SYSTEM, scores), "the dict")
    elif not hasattr(scores, "dims") and is_frame(scores):
        labelled = _of_frame(scores if hasattr(scores, "iloc") else as_pandas(scores))
    if not hasattr(labelled, "dims") or not hasattr(labelled, "coords"):
        raise UsageError(f"{type(labelled).__name__} is no xarray Dataset or DataArray with dims (topic, system)")
    if not hasattr(labelled, "data_vars"):
        labelled = labelled.to_dataset(name=labelled.name or UNNAMED).assign_attrs(labelled.attrs)
    dataset: xr.Dataset = labelled
    for name, variable in dataset.data_vars.items():
        if set(variable.dims) != set(DIMS):
            raise UsageError(f"{name} has dims {variable.dims}, expected (topic, system)")
    if not dataset.data_vars:
        raise UsageError("the Dataset holds no scores")
    return dataset


def table_of(scores: ScoresLike) -> ScoreTable:
    """Labelled scores in plain arrays, checked; see ``as_dataset``.

    Raises:
        UsageError: no labelled scores, or values that are not numbers.
        InputError: there is no topic or system, one occurs twice, or a score is infinite.
    """
    dataset = as_dataset(scores)
    topics, systems = (labels_of(dataset, dim, "the scores") for dim in DIMS)
    read: dict[Any, Any] = {}
    scales, blocks = [], []
    for name, variable in dataset.data_vars.items():
        attributes = dict(variable.attrs)
        signature = attributes.pop(SIGNATURE, dataset.attrs.get(SIGNATURE))
        if signature is not None and str(signature) not in read:
            read[str(signature)] = signature_in({SIGNATURE: signature}, shown(str(name)))
        scales.append(Scale(str(name), attributes, read.get(str(signature))))
        blocks.append(_finite(_values(variable), str(name), topics, systems))
        if signature is None:
            refuse_topic_numbers(systems, blocks[-1], "the scores", first=False)
    return ScoreTable(topics, systems, tuple(scales), np.stack(blocks))


def dataset_of(
    table: ScoreTable,
    coordinates: Mapping[str, Any] | None = None,
    attributes: Mapping[str, Any] | None = None,
    place: Place | None = None,
) -> xr.Dataset:
    """Plain scores as an ``xarray.Dataset``: a variable for each measure, and for the ends of its intervals.

    Every variable carries the signature, so that it survives being selected. Further ``coordinates``, whose values are
    arrays, and ``attributes`` are given at once, and indexes made, since each step and each guess of xarray takes
    longer than a short run. ``place`` is where they were read.

    Raises:
        InputError: a measure is called as a coordinate is.
    """
    import xarray as xr
    from pandas import Index
    from xarray.indexes import PandasIndex

    variables = {}
    of_all, carried_by_all = table.source, carried(table.source)
    for number, scale in enumerate(table.scales):
        source = carried_by_all if scale.source is of_all else carried(scale.source)
        for end, cells in table.parts:
            bound_of = {"bound_of": scale.name} if end else {}
            name = f"{scale.name} {end}" if end else scale.name
            marks = {**scale.attributes, **bound_of, **source}
            variables[name] = xr.Variable(DIMS, cells[number].copy(), marks)
    labels = {"topic": np.array(table.topics, dtype=object), "system": np.array(table.systems, dtype=object)}
    indexes = {dim: PandasIndex(Index(names, dtype=object, name=dim), dim) for dim, names in labels.items()}
    known = {dim: variable for index in indexes.values() for dim, variable in index.create_variables().items()}
    known |= {name: xr.Variable(dims, array) for name, (dims, array) in (coordinates or {}).items()}
    marks = {**(attributes or {}), **carried_by_all}
    for name in known.keys() & variables.keys():
        text = f"a measure is called {quoted(str(name))}, as a coordinate of all scores is: rename it"
        raise InputError(text, place, code="reserved", value=str(name))
    return xr.Dataset(variables, xr.Coordinates(known, indexes), marks)


def labels_of(dataset: xr.Dataset, dim: str, where: Place | str) -> tuple[str, ...]:
    """Names along ``topic`` or ``system``: 1, 2, ... where there are none.

    Raises:
        InputError: there is none, or one occurs twice.
    """
    # Asked by to_numpy, xarray imports dask wherever that is installed.
    names = dataset[dim].values.tolist() if dim in dataset.coords else range(1, dataset.sizes[dim] + 1)
    return labels(names, dim, where)


def with_signature(dataset: xr.Dataset, source: Any) -> xr.Dataset:
    """The scores, and each of their variables, signed by what made them."""
    marks = carried(source)
    return dataset.assign(
        {name: variable.assign_attrs(marks) for name, variable in dataset.data_vars.items()}
    ).assign_attrs(marks)


def _of_frame(frame: Any) -> xr.Dataset:
    import xarray as xr

    rows = rows_of_frame(frame)
    if rows is not None:
        return _of_rows(rows, "the frame")
    frame = wide_frame(transpose_frame(frame))
    try:
        values = frame.to_numpy(dtype=np.float64)
    except (TypeError, ValueError):
        raise UsageError("a data frame of scores has topics in rows, systems in columns, and only numbers") from None
    coordinates = {"topic": frame.index.to_numpy(), "system": frame.columns.to_numpy()}
    attributes = {name: value for name, value in frame.attrs.items() if name != "measure"}
    array = xr.DataArray(values, coordinates, DIMS, name=frame.attrs.get("measure", UNNAMED), attrs=attributes)
    dataset = array.to_dataset(name=array.name).assign_attrs(attributes)
    return dataset if SIGNATURE in attributes else without_summary_rows(dataset, "the frame")


def _of_rows(rows: Iterable[ReadRow], where: str) -> xr.Dataset:
    return without_summary_rows(dataset_of(table_of_rows(Place(where), rows)), where)


def _values(variable: xr.DataArray) -> Floats:
    try:
        # In one memory order: sums must not depend on how an array came to be.
        # What is turned forgets what it read, and would be read anew for the next analysis.
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


Labels = Mapping[str, Any]
"""Dim -> its labels, an array or a list."""


def labelled_array(
    values: np.ndarray[Any, Any],
    labels: Labels | xr.Coordinates,
    name: Hashable = None,
    dims: Sequence[Hashable] | None = None,
) -> xr.DataArray:
    """``xr.DataArray(values, labels, dims, name)``; the dims are those of the labels in their order where None."""
    import xarray as xr

    variable = xr.Variable(tuple(labels) if dims is None else dims, values)
    return xr.DataArray(variable, _coordinates(labels), name=name)


def labelled_arrays(
    arrays: Mapping[str, tuple[str | Sequence[str], np.ndarray[Any, Any]]],
    labels: Labels,
    marks: Mapping[str, Mapping[str, Any]] | None = None,
) -> xr.Dataset:
    """``xr.Dataset(arrays, labels)`` of name -> dims and values; ``marks`` are attributes of some, by name."""
    import xarray as xr

    variables = {name: xr.Variable(dims, values, (marks or {}).get(name)) for name, (dims, values) in arrays.items()}
    return xr.Dataset(variables, _coordinates(labels))


def _coordinates(labels: Labels | xr.Coordinates) -> xr.Coordinates:
    import xarray as xr
    from pandas import Index
    from xarray.indexes import PandasIndex

    if isinstance(labels, xr.Coordinates):
        return labels
    indexes = {}
    for dim, values in labels.items():
        names = np.asarray(values)
        indexes[dim] = PandasIndex(Index(names, dtype=object), dim, coord_dtype=names.dtype)
    variables = {dim: coordinate for index in indexes.values() for dim, coordinate in index.create_variables().items()}
    return xr.Coordinates(variables, indexes)
