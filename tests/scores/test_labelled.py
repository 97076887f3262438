"""An evaluation becomes the Dataset that xarray's own constructor makes."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import xarray as xr

import cranfield
from cranfield.evaluation import to_dataset
from cranfield.scoring import score

RUNS = {"a": {"q1": {"d1": 2.0, "d2": 1.0}, "q2": {"d3": 1.0}}, "b": {"q1": {"d2": 2.0}, "q2": {"d3": 1.0, "d1": 0.5}}}
QRELS = {"q1": {"d1": 1, "d2": 0}, "q2": {"d3": 2}}


@pytest.mark.parametrize("bounds", [False, True])
def test_a_dataset_is_what_the_constructor_makes_of_its_parts(bounds: bool) -> None:
    table = score(RUNS, QRELS, ["AP", "nDCG@10"], bounds=bounds)
    scores = to_dataset(table)
    ends = ["", "lower", "upper"][: 3 if bounds else 1]
    assert list(scores.data_vars) == [f"{name} {end}".strip() for name in table.names for end in ends]
    labels = {"topic": np.array(table.topics, dtype=object), "system": np.array(table.systems, dtype=object)}
    further = {name: (scores[name].dims, scores[name].values) for name in ("tag", "sha256")}
    cells = {
        f"{name} {end}".strip(): (("topic", "system"), block[number], scores[f"{name} {end}".strip()].attrs)
        for end, block in table.parts
        for number, name in enumerate(table.names)
    }
    made = xr.Dataset({str(name): cells[str(name)] for name in scores.data_vars}, labels | further, scores.attrs)
    assert scores.identical(made)
    assert list(scores.coords) == list(made.coords)
    assert dict(scores.sizes) == dict(made.sizes)
    assert {name: type(index) for name, index in scores.xindexes.items()} == {
        name: type(index) for name, index in made.xindexes.items()
    }
    assert {name: array.dtype for name, array in scores.variables.items()} == {
        name: array.dtype for name, array in made.variables.items()
    }


def test_a_dataset_of_scores_is_used_as_any_other() -> None:
    scores = cranfield.evaluate(RUNS, QRELS, ["AP"])
    assert scores["AP"].sel(topic="q1", system="a").item() == 1.0
    assert scores.mean("topic").equals(scores["AP"].to_dataset().mean("topic"))
    assert pickle.loads(pickle.dumps(scores)).identical(scores)
    assert scores.copy(deep=True).identical(scores)
    changed = scores.assign_coords(team=("system", ["x", "y"]))
    assert "team" not in scores.coords
    assert changed.groupby("team").mean()["AP"].sizes["team"] == 2
    scores["AP"][:] = 0.5
    scores["tag"][0] = "another"
    assert np.all(scores["AP"] == 0.5)
    assert list(scores["tag"].values) == ["another", ""]
    assert xr.concat([scores, changed.drop_vars("team")], "system").sizes["system"] == 4
