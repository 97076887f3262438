"""Values that are read when somebody asks for them, as xarray knows them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from xarray.backends import BackendArray
from xarray.core import indexing

from cranfield._typing import Floats


class _Unread(BackendArray):
    """An array that is loaded whole at the first access."""

    def __init__(self, shape: tuple[int, ...], load: Callable[[], Floats]) -> None:
        self.shape = shape
        self.dtype = np.dtype(np.float64)
        self._load = load

    def __getitem__(self, key: indexing.ExplicitIndexer) -> Any:
        return indexing.explicit_indexing_adapter(key, self.shape, indexing.IndexingSupport.BASIC, self._at)

    def _at(self, key: Any) -> Floats:
        values: Floats = self._load()[key]
        return values


def lazily(shape: tuple[int, ...], load: Callable[[], Floats]) -> Any:
    """What a variable holds instead of values that ``load`` gives."""
    cached: Any = indexing.MemoryCachedArray
    return cached(indexing.LazilyIndexedArray(_Unread(shape, load)))
