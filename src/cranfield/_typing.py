"""The arrays that everything is computed in, by the type of their cells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

__all__ = ["Bytes", "Floats", "Ints", "Mask", "NDArray", "Singles"]

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
