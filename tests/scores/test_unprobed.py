"""Labelled arrays made without xarray's look at other libraries are those that it makes itself."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
import xarray as xr

from cranfield.scores.dataset import labelled_array, labelled_arrays

LABELS: list[dict[str, Any]] = [
    {"topic": np.array(["1", "22"], dtype=object), "system": np.array(["a", "b", "ccc"], dtype=object)},
    {"topic": ["1", "22"], "system": ["a", "b", "ccc"]},
    {"topic": np.array(["1", "22"]), "system": ["", "b", "c"]},
]
VALUES = np.arange(6.0).reshape(2, 3)


@pytest.mark.parametrize("labels", LABELS)
def test_arrays_are_those_of_xarray(labels: dict[str, Any]) -> None:
    made, wanted = labelled_array(VALUES, labels, "x"), xr.DataArray(VALUES, labels, tuple(labels), "x")
    xr.testing.assert_identical(made, wanted)
    assert [made[dim].dtype for dim in labels] == [wanted[dim].dtype for dim in labels]
    again = labelled_array(VALUES + 1, made.coords, "y", made.dims)
    xr.testing.assert_identical(again, wanted.copy(data=VALUES + 1).rename("y"))
    assert made.sel(topic="22").values.tolist() == [3.0, 4.0, 5.0]


def test_an_array_may_have_coordinates_without_a_dim_and_dims_without_labels() -> None:
    given = xr.DataArray(VALUES, {"title": ("topic", ["x", "y"]), "system": ["a", "b", "c"]}, ("topic", "system"))
    xr.testing.assert_identical(
        labelled_array(VALUES * 2, given.coords, "double", given.dims), given.copy(data=VALUES * 2).rename("double")
    )


@pytest.mark.parametrize("labels", LABELS)
def test_data_sets_are_those_of_xarray(labels: dict[str, Any]) -> None:
    arrays = {
        "cells": (("topic", "system"), VALUES),
        "rows": ("topic", VALUES[:, 0]),
        "names": ("topic", np.array(["ab", "c"], dtype=object)),
    }
    made, wanted = labelled_arrays(arrays, labels, {"cells": {"measure": "AP"}}), xr.Dataset(arrays, labels)
    wanted["cells"].attrs["measure"] = "AP"
    xr.testing.assert_identical(made, wanted)
    assert [made[name].dtype for name in made.variables] == [wanted[name].dtype for name in made.variables]


def test_a_report_does_not_import_dask() -> None:
    script = (
        "import importlib.util, sys, warnings, cranfield\n"
        "warnings.simplefilter('ignore')\n"
        "assert importlib.util.find_spec('dask') is not None\n"
        "qrels = {str(topic): {'a': 1, 'b': 0, 'c': 2} for topic in range(8)}\n"
        "orders = {'one': 'abcd', 'two': 'dcba', 'three': 'bdca', 'four': 'cadb'}\n"
        "runs = {name: {topic: {order[(int(topic) + 1) * at % 4]: 4.0 - at for at in range(4)} for topic in qrels}\n"
        "        for name, order in orders.items()}\n"
        "page = cranfield.report(runs, qrels, baselines=['one'])\n"
        "print(len(page.html) > 100_000, [line for line in page.remarks if 'rror' in str(line)])\n"
        "print(sorted({'dask', 'distributed', 'sparse', 'cupy', 'pint'} & set(sys.modules)))\n"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, encoding="utf-8", check=False)
    assert ended.stdout == "True []\n[]\n", ended.stderr
