"""The matrices of the golden collections."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import xarray as xr

from data_sets import REAL_GOLDEN

COLLECTIONS = ("covid-r5", "dl19", "robust03")


def golden_scores(collection: str, measure: str) -> xr.DataArray:
    """Scores as the golden file holds them: runs in rows, topics in columns."""
    frame = pd.read_csv(REAL_GOLDEN / f"information/{collection}-{measure}.csv.gz", index_col=0).T
    labels = {"topic": frame.index.to_numpy(dtype=object), "system": frame.columns.to_numpy(dtype=object)}
    return xr.DataArray(frame.to_numpy(dtype=np.float64), labels, ("topic", "system"), name=measure)


def needs_scores(*collections: str) -> pytest.MarkDecorator:
    """Marks a test of the matrices of these collections, or of all."""
    return pytest.mark.data(*(f"golden/information/{name}.json" for name in collections or COLLECTIONS))
