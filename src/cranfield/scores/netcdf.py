"""Scores in netCDF, version 3 to write and any to read."""

from __future__ import annotations

import io
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield._text import shown
from cranfield.errors import InputError, UsageError
from cranfield.findings.location import Location
from cranfield.scores.dataset import DIMS, as_dataset, labels_of
from cranfield.scores.labels import known_attributes
from cranfield.scores.scale import Scale

if TYPE_CHECKING:
    import xarray as xr


MAGIC = (b"CDF\1", b"CDF\2", b"\x89HDF\r\n\x1a\n")
"""How the bytes of netCDF-3 and -4 begin."""


def is_netcdf(data: bytes) -> bool:
    """Whether it is."""
    return data.startswith(MAGIC)


def from_netcdf(file: Location, data: bytes) -> xr.Dataset:
    """Scores, with all else that the file says of them.

    Unlike the text formats this gives a Dataset rather than a ``ScoreTable``, which has no room for what a netCDF file
    may hold beside scores: titles, and coordinates such as the text of each topic. They stay in ``read_scores``.

    Args:
        file: that it is read from.
        data: the whole of it.

    Raises:
        InputError: it is damaged, or holds no scores by topic and system.
    """
    import xarray as xr

    engine: Any = "scipy" if data.startswith(b"CDF") else "h5netcdf"
    if find_spec(engine) is None:
        raise InputError(f"is netCDF-4: install {engine} to read it, or write netCDF-3", file, code="other-kind")
    try:
        dataset = xr.load_dataset(io.BytesIO(data), engine=engine)
    except Exception as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"is damaged, or no netCDF ({shown(reason)})", file, code="damaged") from None
    try:
        as_dataset(dataset)
    except UsageError as error:
        raise InputError(str(error), file, code="layout") from None
    dataset = dataset.assign_coords({dim: np.array(labels_of(dataset, dim, file), dtype=object) for dim in DIMS})
    dataset.attrs = known_attributes(dataset.attrs, str(file))
    for measure, variable in dataset.data_vars.items():
        if variable.dtype.kind not in "fiu" or np.isinf(variable.to_numpy()).any():
            raise InputError(f"{shown(str(measure))} holds values that are not finite numbers", file, code="score")
        own = known_attributes(variable.attrs, f"{file}: {shown(str(measure))}")
        variable.attrs = dict(Scale.from_metadata(str(measure), own, file).attributes)
    return dataset.astype(np.float64).transpose(*DIMS)


def as_netcdf(dataset: xr.Dataset) -> bytes:
    """netCDF-3 of all that the scores say.

    Raises:
        InputError: it cannot hold them.
    """
    texts = {name: coordinate.astype(str) for name, coordinate in dataset.coords.items() if coordinate.dtype == object}
    try:
        return bytes(dataset.assign_coords(texts).to_netcdf(engine="scipy", format="NETCDF3_64BIT"))
    except (ValueError, TypeError) as error:
        raise InputError(f"netCDF cannot hold these scores: {error}", code="unfit-name") from None
