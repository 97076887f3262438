"""Types that many rooms share: arrays by the type of their cells, paths, and what functions take and return."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike as OsPathLike
from typing import TYPE_CHECKING, Any, ParamSpec, TypeAlias, TypeVar

import numpy as np

__all__ = [
    "Bytes",
    "Floats",
    "Ints",
    "Item",
    "Mask",
    "NDArray",
    "Parameters",
    "PathLike",
    "Progress",
    "Returned",
    "Scalar",
    "Shorts",
    "Signs",
    "Singles",
]

if TYPE_CHECKING:
    from numpy.typing import NDArray
else:
    # As there, but importing it waits for the documentation of types.
    NDArray = np.ndarray[tuple[Any, ...], np.dtype[TypeVar("Cell", bound=np.generic)]]

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Ints = NDArray[np.int64]
Bytes = NDArray[np.uint8]
Mask = NDArray[np.bool_]
Shorts = NDArray[np.int32]
Signs = NDArray[np.int8]
"""-1, 0 or 1."""
PathLike: TypeAlias = str | OsPathLike[str]
Progress = Callable[[int, int], None]
"""Called with what is done, and with the total."""
Item = TypeVar("Item")
Parameters = ParamSpec("Parameters")
"""The parameters of a function that is given."""
Returned = TypeVar("Returned")
"""The type that a function returns which is given."""
Scalar = TypeVar("Scalar", bound=np.generic)
