"""What the reproduction's folder says is what its script computes, as far as that takes seconds."""

from __future__ import annotations

import csv
import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest

from data_sets import REAL_GOLDEN

FOLDER = Path(__file__).resolve().parents[2] / "reproductions" / "urbano_2019"

pytestmark = pytest.mark.data("data/urbano", "golden/urbano-2019.json")


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("reproduction_urbano_2019", FOLDER / "reproduce.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def rows(name: str) -> list[dict[str, str]]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.slow
def test_figure_1(script: ModuleType) -> None:
    matrices = {name: script.published_scores(name) for name in script.COLLECTIONS}
    today = [
        {key: str(value) for key, value in row.items()}
        for name, scores in matrices.items()
        for row in script.figure_1(name, scores)
    ]
    assert today == rows("figure_1.csv")
    assert "\n".join(script.summary_of_figure_1(matrices)) in (FOLDER / "results.md").read_text()


def test_figures_2_and_3_are_within_4_standard_errors(script: ModuleType) -> None:
    published = json.loads((REAL_GOLDEN / "urbano-2019.json").read_text())["collections"]
    found = rows("figures_2_3.csv")
    assert len(found) == 1260
    assert {row["trials"] for row in found} == {"10000"}
    assert max(abs(float(row["standard_errors"])) for row in found) <= 4
    for row in found:
        if row["alpha"] == "nan":
            scheme = row["scheme"] if row["scheme"] == "raw" else f"{row['scheme']}-std"
            theirs = published[row["scores"]][row["design"]]["corr"][script.NAMES[row["statistic"]]][scheme]
            assert float(row["published"]) == pytest.approx(theirs["mean"], rel=1e-5)


def test_few_systems(script: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "terabyte2006_ndcg"
    monkeypatch.setattr(script, "REFERENCES", (5,))
    (today, *_) = script.few_systems(name, script.published_scores(name), 2019)
    (written,) = (
        row for row in rows("few_systems.csv") if (row["scores"], row["scheme"], row["reference"]) == (name, "E", "5")
    )
    assert {key: f"{value:.6g}" if isinstance(value, float) else str(value) for key, value in today.items()} == written
