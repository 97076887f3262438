"""The signature of an evaluation, wherever its scores go."""

import json
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import xarray as xr

import cranfield

QRELS = {str(topic): {"a": 1, "b": topic % 2, "c": 0} for topic in range(6)}
RUNS = {
    "x": {topic: {"a": 3.0 if topic > "0" else 0.5, "b": 2.0, "c": 1.0} for topic in QRELS},
    "y": {topic: {"c": 3.0, "b": 2.0, "a": 1.0 + (topic > "2") * 3} for topic in QRELS},
    "z": {topic: {"b": 3.0, "a": 2.0} for topic in QRELS},
}


@pytest.fixture(autouse=True)
def no_remarks() -> Iterator[None]:
    """Few topics are remarked upon."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cranfield.CranfieldWarning)
        yield


@pytest.fixture
def scores() -> xr.Dataset:
    """By two measures."""
    return cranfield.evaluate(RUNS, QRELS, ["AP", "P@1"])


ANALYSES: dict[str, Callable[[Any], Any]] = {
    "compare": lambda array: cranfield.compare(array).signature["scores"],
    "reliability": lambda array: cranfield.trust.estimate_reliability(array).signature["scores"],
    "stability": lambda array: cranfield.trust.estimate_stability(array, subsets=5).signature["scores"],
    "sensitivity": lambda array: cranfield.trust.estimate_sensitivity(array, resamples=40).signature["scores"],
    "audit": lambda array: cranfield.audit(array, resamples=40, subsets=5).signature["scores"],
    "standardize": lambda array: json.loads(cranfield.standardize(array).attrs["signature"])["scores"],
    "standardize, then compare": lambda array: cranfield.compare(cranfield.standardize(array)).signature["scores"][
        "scores"
    ],
    "simulate": lambda array: cranfield.simulation.simulate_scores(array).signature["scores"],
    "factors": lambda array: cranfield.standardization.fit_standardization(array).source,
    "study": lambda array: cranfield.standardization.study_standardization(array, ["E"], trials=2).signature["scores"],
}


@pytest.mark.parametrize("analysis", ANALYSES)
@pytest.mark.parametrize("selected", ["measure", "systems", "topics", "transposed"])
def test_it_survives_selecting(scores: xr.Dataset, analysis: str, selected: str) -> None:
    array = scores["AP"]
    if selected == "systems":
        array = array.sel(system=["y", "z"])
    elif selected == "topics":
        array = array.isel(topic=slice(0, 5))
    elif selected == "transposed":
        array = array.transpose("system", "topic")
    made = json.loads(scores.attrs["signature"])
    assert made["measures"] == ["AP", "P@1"]
    assert made["qrels"]["sha256"] == cranfield.Qrels.from_dict(QRELS).digest
    assert ANALYSES[analysis](array) == made


@pytest.mark.parametrize("name", ["x.json", "x.nc"])
@pytest.mark.parametrize("selected", [False, True])
def test_it_survives_a_file(scores: xr.Dataset, tmp_path: Path, name: str, selected: bool) -> None:
    cranfield.write_scores(scores["AP"].isel(topic=slice(0, 5)) if selected else scores, tmp_path / name)
    back = cranfield.read_scores(tmp_path / name)
    for source in (
        json.loads(back.attrs["signature"]),
        cranfield.compare(back["AP"]).signature["scores"],
        cranfield.compare(back["AP"].sel(system=["x", "y"])).signature["scores"],
    ):
        (file,) = source["scores"]
        assert file["name"] == name
        assert file["signature"] == json.loads(scores.attrs["signature"])


@pytest.mark.parametrize("name", ["x.tsv", "x.csv"])
def test_a_file_that_cannot_hold_it_is_signed_itself(scores: xr.Dataset, tmp_path: Path, name: str) -> None:
    cranfield.write_scores(scores["AP"], tmp_path / name)
    (file,) = cranfield.compare(cranfield.read_scores(tmp_path / name)["AP"]).signature["scores"]["scores"]
    assert file.keys() == {"name", "sha256"}


def test_that_of_a_dataset_is_that_of_its_measures(scores: xr.Dataset) -> None:
    bare = scores.assign({name: one.drop_attrs() for name, one in scores.data_vars.items()})
    assert cranfield.compare(bare[["AP"]]).signature["scores"] == json.loads(scores.attrs["signature"])


def test_it_survives_selecting_what_is_counted_for_ric() -> None:
    counted = cranfield.information.compute_ric(RUNS, QRELS)
    made = json.loads(counted.attrs["signature"])
    assert [run["name"] for run in made["runs"]] == ["x", "y", "z"]
    assert cranfield.compare(counted["RIC_signed"]).signature["scores"] == made


def test_measures_of_several_evaluations_keep_their_own(scores: xr.Dataset, tmp_path: Path) -> None:
    other = cranfield.evaluate(RUNS, QRELS, "RR", ties="docid")
    mixed = xr.Dataset({"AP": scores["AP"], "RR": other["RR"]})
    assert cranfield.compare(mixed["RR"]).signature["scores"]["ties"] == "docid"
    cranfield.write_scores(mixed, tmp_path / "mixed.json")
    (file,) = json.loads(cranfield.read_scores(tmp_path / "mixed.json").attrs["signature"])["scores"]
    assert [(one["measure"], one["signature"]["ties"]) for one in file["signature"]["scores"]] == [
        ("AP", "trec"),
        ("RR", "docid"),
    ]


def test_a_frame_enters_by_the_same_door(scores: xr.Dataset) -> None:
    frame = scores["AP"].to_pandas()
    frame.attrs = {"measure": "AP", "signature": scores.attrs["signature"]}
    assert cranfield.compare(frame).signature == cranfield.compare(scores["AP"]).signature
    scaled = cranfield.standardize(frame)
    assert scaled.equals(cranfield.standardize(scores["AP"]).to_pandas())
    assert json.loads(scaled.attrs["signature"])["scores"] == json.loads(scores.attrs["signature"])
