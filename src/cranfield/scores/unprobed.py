"""Labelled arrays of NumPy's alone, constructed without xarray's look at other libraries' arrays.

Where Dask is installed, that look imports it, which takes as long as many an analysis. What is constructed is the same.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import xarray as xr

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

    variable = xr.Variable(tuple(labels) if dims is None else dims, values, fastpath=True)
    return xr.DataArray(variable, _coordinates(labels), name=name)


def labelled_arrays(
    arrays: Mapping[str, tuple[str | Sequence[str], np.ndarray[Any, Any]]],
    labels: Labels,
    marks: Mapping[str, Mapping[str, Any]] | None = None,
) -> xr.Dataset:
    """``xr.Dataset(arrays, labels)`` of name -> dims and values; ``marks`` are attributes of some, by name."""
    import xarray as xr

    variables = {
        name: xr.Variable(dims, values, (marks or {}).get(name), fastpath=True)
        for name, (dims, values) in arrays.items()
    }
    return xr.Dataset(variables, _coordinates(labels))


def _coordinates(labels: Labels | xr.Coordinates) -> xr.Coordinates:
    import xarray as xr
    from pandas import Index
    from xarray.indexes import PandasIndex

    if isinstance(labels, xr.Coordinates):
        return labels
    indexes = {}
    for dim, given in labels.items():
        names = np.asarray(given)
        indexes[dim] = PandasIndex(Index(names, dtype=object), dim, coord_dtype=names.dtype)
    variables = {dim: one for index in indexes.values() for dim, one in index.create_variables().items()}
    return xr.Coordinates(variables, indexes)
