"""Errors and coverage of estimates on collections whose truth is known, by the script of the reproduction."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pandas as pd
import pytest

from data_sets import DATA

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "reproductions" / "scores_under_holes" / "reproduce.py"
pytestmark = [
    pytest.mark.heavy,
    pytest.mark.data("data/trec-dl-2019-passage", "data/trec-covid-round5", "golden/information/covid-r5-teams.csv"),
]


@pytest.fixture(scope="module")
def studies() -> ModuleType:
    spec = importlib.util.spec_from_file_location("scores_under_holes", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def summary(studies: ModuleType, collection: str, study: str) -> pd.DataFrame:
    read = getattr(studies.splits, collection)
    return studies.summarize(studies.study(read(DATA), study)).set_index("measure")


def test_teams_of_covid_taken_out(studies: ModuleType) -> None:
    table = summary(studies, "covid", "each team taken out")
    ours = table.loc["nDCG@10"]
    assert ours["runs"] == 126
    assert ours["estimate"] <= 0.021 < ours["condensed"] < ours["zero"]
    assert ours["covered"] >= 0.93
    assert table.loc["P@10", "estimate"] <= 0.021


def test_half_of_the_teams_of_deep_learning(studies: ModuleType) -> None:
    table = summary(studies, "deep_learning", "half of the teams judged")
    assert table.loc["nDCG@10", "runs"] == 173
    assert table.loc["nDCG@10", "zero"] == pytest.approx(0.0193, abs=5e-5)
    assert table.loc["nDCG@10", "condensed"] == pytest.approx(0.0357, abs=5e-5)
    assert table.loc["nDCG@10", "estimate"] <= 0.016
    assert table.loc["nDCG@10", "covered"] >= 0.90
