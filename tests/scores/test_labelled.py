"""Scores become the Dataset that xarray's own constructor makes, by a shorter way."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import xarray as xr

import cranfield
from cranfield.evaluation import to_dataset
from cranfield.scores import dataset
from cranfield.scoring import score

RUNS = {"a": {"q1": {"d1": 2.0, "d2": 1.0}, "q2": {"d3": 1.0}}, "b": {"q1": {"d2": 2.0}, "q2": {"d3": 1.0, "d1": 0.5}}}
QRELS = {"q1": {"d1": 1, "d2": 0}, "q2": {"d3": 2}}


@pytest.mark.parametrize("bounds", [False, True])
def test_the_short_way_gives_what_the_constructor_gives(bounds: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    table = score(RUNS, QRELS, ["AP", "nDCG@10"], bounds=bounds)
    short = to_dataset(table)
    monkeypatch.setattr(dataset, "DIRECTLY", "_missing")
    long = to_dataset(table)
    assert short.identical(long)
    assert list(short.coords) == list(long.coords)
    assert list(short.data_vars) == list(long.data_vars)
    assert dict(short.sizes) == dict(long.sizes)
    assert {name: type(one) for name, one in short.xindexes.items()} == {
        name: type(one) for name, one in long.xindexes.items()
    }
    assert [one.dtype for one in short.variables.values()] == [one.dtype for one in long.variables.values()]


def test_what_comes_by_the_short_way_is_used_as_any_other() -> None:
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
