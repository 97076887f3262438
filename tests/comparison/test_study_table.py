"""The table of family-wise errors in the documentation, made anew in part."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
import xarray as xr

import cranfield
from data_sets import DATA

FOLDER = DATA / "trec-dl-2019-passage"
PAGE = Path(__file__).resolve().parents[2] / "docs" / "testing-the-tests.md"
COLUMNS = {"nDCG@10": "DL 2019, nDCG@10, 10 systems", "AP": "DL 2019, AP, 10 systems"}
PUBLISHED, TRIALS = 500, 300


def published(heading: str, column: str) -> dict[tuple[str, str], float]:
    """Rates of the page by test and correction."""
    section = PAGE.read_text().split(f"### {heading}\n", 1)[1].split("\n#", 1)[0]
    header, _, *lines = (
        [cell.strip() for cell in line.strip("| ").split(" | ")] for line in section.strip().splitlines()
    )
    at = header.index(column)
    return {
        (cells[0].strip("`"), "none" if cells[1] == "its own" else cells[1].strip("`")): float(cells[at])
        for cells in lines
        if len(cells) > at
    }


def test_the_page_has_every_test_and_correction() -> None:
    rates = published("Family-wise error where all true means are equal", COLUMNS["AP"])
    assert len(rates) == 12
    rng = np.random.default_rng(1)
    labels = {"topic": [f"q{at}" for at in range(8)], "system": list("abc")}
    scores = xr.DataArray(rng.random((8, 3)), labels, ("topic", "system"), name="AP")
    found = cranfield.comparison.study_tests(scores, trials=1, resamples=20, effects=()).rates
    assert len(found) > 5
    assert {*zip(found["test"], found["correction"], strict=True)} <= rates.keys()


@pytest.mark.heavy
@pytest.mark.data("data/trec-dl-2019-passage")
@pytest.mark.parametrize("measure", COLUMNS)
def test_the_table_is_found_again_with_another_seed(measure: str) -> None:
    scores = cranfield.evaluate(sorted(FOLDER.glob("runs/*")), FOLDER / "qrels.dl19-passage.txt.gz", [measure])
    # The systems of the page: those that seed 1 draws.
    kept = cranfield.comparison.study_tests(scores, n_systems=10, trials=1, tests="t", effects=()).systems
    compared = 0
    for tests, corrections in (
        (["t"], ["none", "holm", "bonferroni", "bh"]),
        (["wilcoxon", "sign"], ["holm"]),
        (["permutation", "bootstrap"], ["max-t", "max-t-step-down"]),
        (["tukey", "randomized-tukey"], None),
    ):
        found = cranfield.comparison.study_tests(
            scores.sel(system=list(kept)),
            tests=tests,  # type: ignore[arg-type]
            corrections=corrections,  # type: ignore[arg-type]
            effects=0.1,
            trials=TRIALS,
            seed=20,
        )
        for row in found.rates.to_dict("records"):
            where = "half of the systems lie .1 above the others" if row["difference"] else "all true means are equal"
            rate = published(f"Family-wise error where {where}", COLUMNS[measure])[row["test"], row["correction"]]
            p = (PUBLISHED * rate + TRIALS * row["family_wise"]) / (PUBLISHED + TRIALS)
            bound = 3.5 * np.sqrt(max(p, 0.01) * (1 - p) * (1 / PUBLISHED + 1 / TRIALS))
            assert abs(row["family_wise"] - rate) <= bound, (row, rate)
            compared += 1
    assert compared == 24


def test_no_cell_is_empty_and_step_down_errs_as_the_single_step_where_nothing_differs() -> None:
    assert not re.search(r"\| *\|", PAGE.read_text())
    section = PAGE.read_text().split("### Family-wise error where all true means are equal\n", 1)[1].split("\n#", 1)[0]
    for test in ("permutation", "bootstrap"):
        (single,) = re.findall(rf"\| `{test}` \| `max-t` \|(.*)", section)
        (down,) = re.findall(rf"\| `{test}` \| `max-t-step-down` \|(.*)", section)
        assert single == down


def test_nothing_on_the_page_is_larger_than_a_share() -> None:
    cells = re.findall(r"\| (\d?\.\d{3}|1) ", PAGE.read_text())
    assert len(cells) > 200
    assert all(0 <= float(cell) <= 1 for cell in cells)
