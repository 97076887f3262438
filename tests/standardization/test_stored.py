"""Very many topics, standardized a block at a time: the bits and the metadata of those in memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr

from cranfield import InputError, read_scores, standardize, write_scores
from cranfield.scores.parquet_write import described
from cranfield.standardization.streamed import standardize_stored
from cranfield.streaming import parquet as streamed
from cranfield.streaming.parquet import open_stored

TOPICS = 70


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is very many, and a block."""
    monkeypatch.setattr(streamed, "MAX_IN_MEMORY", 50)
    monkeypatch.setattr(streamed, "BLOCK", 16)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two measures, bounds of one, and a score that is missing."""
    draw = np.random.default_rng(7)
    labels = {"topic": [f"{n}" for n in range(TOPICS)], "system": ["a", "b", "c", "d"]}
    made = {name: (("topic", "system"), draw.random((TOPICS, 4))) for name in ("AP", "AP lower", "P@5")}
    made["AP"][1][3, 2] = np.nan
    write_scores(xr.Dataset(made, labels), f"{tmp_path}/scores/")
    return tmp_path / "scores"


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
@pytest.mark.parametrize("how", [{"scheme": "z"}, {"scheme": "E", "reference_systems": ["c", "a"]}, {"scheme": "N"}])
def test_blocks_give_the_bits_of_memory(folder: Path, how: dict[str, Any]) -> None:
    held, place = open_stored(folder), folder.parent / "scaled"
    assert held is not None
    standardize_stored(held, held.measures, str(place), **how)
    whole = standardize(read_scores(folder), **how)
    found = read_scores(place)
    assert len(list(place.iterdir())) == 5
    for name in ("AP", "AP lower", "P@5"):
        assert found[name].to_numpy().tobytes() == np.ascontiguousarray(whole[name]).tobytes()
        assert found[name].attrs["summary"] == whole[name].attrs["summary"]
    write_scores(whole, f"{folder.parent}/whole/")
    ours, theirs = (
        described(file) for file in (place / "part-00000.parquet", folder.parent / "whole/part-00000.parquet")
    )
    assert ours == theirs


def test_an_address_and_a_topic_with_too_few(folder: Path) -> None:
    held = open_stored(folder)
    assert held is not None
    standardize_stored(held, ["P@5"], "memory://scaled-here/x", "U")
    found = read_scores("memory://scaled-here/x")
    assert found["P@5"].to_numpy().tobytes() == standardize(read_scores(folder)["P@5"], "U").to_numpy().tobytes()
    for place in (f"{folder.parent}/none", "memory://scaled-here/none"):
        with pytest.raises(InputError, match=r"AP: topic 3 has no reference score"):
            standardize_stored(held, ["AP"], place, reference_systems=["c"])
        with pytest.raises(InputError, match=r"cannot be read|no such file|no file"):
            read_scores(place)
