"""The page "Does the scale of a measure matter": its table on DL 2019."""

from __future__ import annotations

from pathlib import Path

import pytest

from cranfield.trust import compare_scales
from data_sets import DATA

PAGE = Path(__file__).resolve().parents[2] / "docs" / "questions" / "does-the-scale-matter.md"


@pytest.mark.heavy
@pytest.mark.data("data/trec-dl-2019-passage")
@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_every_number_of_the_table_is_found_again() -> None:
    section = PAGE.read_text().split("## What changes on DL 2019\n", 1)[1].split("\n## ", 1)[0]
    _, _, *lines = (
        [cell.strip(" `") for cell in line.split("|")[1:-1]] for line in section.splitlines() if line.startswith("|")
    )
    asked = ["P(rel=2)@10", "RR(rel=2)@10", "RBP(p=0.8)@10", "nDCG@5", "AP(rel=2)@10", "R(rel=2)@10"]
    folder = DATA / "trec-dl-2019-passage"
    found = compare_scales(str(folder / "runs" / "*"), folder / "qrels.dl19-passage.txt.gz", asked)
    for line, row in zip(lines, found.measures.to_dict("records"), strict=True):
        size = f"{row['fewest']:,}" if row["fewest"] == row["most"] else f"{row['fewest']:,} to {row['most']:,}"
        counts = [str(row[name]) for name in ("reversed", "significant", "significant_ranked", "lost", "gained")]
        assert line[1:] == [size, f"{row['tau_b']:.3f}", *counts], row["measure"]
        assert row["pairs"] == 666
    changed = ((found.measures["lost"] + found.measures["gained"]) / 666).tolist()
    assert (min(changed), f"{max(changed):.0%}") == (0, "21%")
