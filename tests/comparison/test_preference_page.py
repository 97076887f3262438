"""The page "Which of two lists is preferred": how many comparisons are tied on two collections."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from cranfield.comparison.preferred_lists import preferences_by_topic
from cranfield.evaluation import make_rankings
from cranfield.measures import parse_measures, values
from cranfield.statistics.contrasts import Contrasts
from data_sets import DATA

PAGE = Path(__file__).resolve().parents[2] / "docs" / "questions" / "which-list-is-preferred.md"
COLLECTIONS = {
    "DL 2019, labels of 2 or more: 37 runs, 43 topics": ("trec-dl-2019-passage", "qrels.dl19-passage.txt.gz", 2),
    "TREC-COVID round 5: 126 runs, 50 topics": ("trec-covid-round5", "qrels.covid-round5.txt.gz", 1),
}


@pytest.mark.heavy
@pytest.mark.data("data/trec-dl-2019-passage", "data/trec-covid-round5")
@pytest.mark.parametrize("collection", COLLECTIONS)
def test_every_share_of_ties_is_found_again(collection: str) -> None:
    section = PAGE.read_text().split("## How many ties they break\n", 1)[1].split("\n## ", 1)[0]
    header, _, *lines = (
        [cell.strip() for cell in line.split("|")[1:-1]] for line in section.splitlines() if "|" in line
    )
    folder, qrels, rel = COLLECTIONS[collection]
    rankings = make_rankings(str(DATA / folder / "runs" / "*"), str(DATA / folder / qrels))
    size = len(rankings.systems)
    assert f"{size} runs, {len(rankings.pool.size)} topics" in collection
    pairs = Contrasts.all_pairs(size)
    asked = {"RR": f"RR(rel={rel})", "P@10": f"P(rel={rel})@10", "nDCG@10": "nDCG@10", "AP": f"AP(rel={rel})"}
    found = {}
    for name, *_ in lines:
        if name in asked:
            scores = values(parse_measures(asked[name])[0], rankings).reshape(size, -1).T
            tied = np.abs(scores[:, pairs.left] - scores[:, pairs.right]) < 1e-12
        else:
            tied = preferences_by_topic(rankings, pairs, name.strip("`"), rel, graded=False) == 0  # type: ignore[arg-type]
        found[name] = f"{tied.mean() * 100:.1f} %"
    assert len(found) == 7
    assert found == {line[0]: line[header.index(collection)] for line in lines}
