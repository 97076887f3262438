"""The page "What does a change risk": its table on DL 2019."""

from __future__ import annotations

from pathlib import Path

import pytest

import cranfield
from data_sets import DATA

PAGE = Path(__file__).resolve().parents[2] / "docs" / "questions" / "what-does-a-change-risk.md"


@pytest.mark.heavy
@pytest.mark.data("data/trec-dl-2019-passage")
@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_every_number_of_the_table_is_found_again() -> None:
    section = PAGE.read_text().split("## Which alpha\n", 1)[1].split("\n## ", 1)[0]
    _, _, *lines = (
        [cell.strip(" `") for cell in line.split("|")[1:-1]] for line in section.splitlines() if "|" in line
    )
    folder = DATA / "trec-dl-2019-passage"
    scores = cranfield.evaluate(str(folder / "runs" / "*"), folder / "qrels.dl19-passage.txt.gz", "nDCG@10")
    found = [
        cranfield.comparison.estimate_risk(scores, "bm25base_p", alpha=alpha).systems.set_index("system")
        for alpha in (0, 1, 5)
    ]
    assert len(lines) == 6
    for system, wins, losses, *numbers in lines:
        assert [int(wins), int(losses)] == found[0].loc[system, ["wins", "losses"]].tolist()
        ours = [form for of in found for form in (f"{of.loc[system, 'urisk']:.3f}", f"{of.loc[system, 'trisk']:.2f}")]
        assert numbers == ours, system
