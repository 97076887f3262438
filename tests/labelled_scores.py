"""Scores with labels, made of plain arrays, for the tests of several rooms."""

from __future__ import annotations

from typing import Any

import numpy as np
import xarray as xr


def scores_of(values: Any, name: str = "AP", **attributes: Any) -> xr.DataArray:
    """Scores of systems s0, s1, ... on topics q0, q1, ..., from [topics, systems]."""
    values = np.asarray(values, dtype=np.float64)
    labels = {"topic": [f"q{at}" for at in range(len(values))], "system": [f"s{at}" for at in range(values.shape[1])]}
    return xr.DataArray(values, labels, ("topic", "system"), name=name, attrs=attributes)
