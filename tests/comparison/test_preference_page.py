"""The page "Which of two lists is preferred": how many comparisons are tied on two collections."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import cranfield
from cranfield.collection import Rankings
from cranfield.comparison import add_preferences, prefer
from cranfield.comparison.preference import preferences_by_topic
from cranfield.evaluation import make_rankings
from cranfield.measures import parse_measures, values
from cranfield.statistics import Contrasts
from data_sets import DATA

PAGE = Path(__file__).resolve().parents[2] / "docs" / "questions" / "which-list-is-preferred.md"
COLLECTIONS = {
    "DL 2019, labels of 2 or more: 37 runs, 43 topics": ("trec-dl-2019-passage", "qrels.dl19-passage.txt.gz", 2),
    "TREC-COVID round 5: 126 runs, 50 topics": ("trec-covid-round5", "qrels.covid-round5.txt.gz", 1),
}


def _table(heading: str) -> tuple[list[str], list[list[str]]]:
    """Header and rows of the first table of a section."""
    section = PAGE.read_text().split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    header, _, *lines = (
        [cell.strip() for cell in line.split("|")[1:-1]] for line in section.splitlines() if "|" in line
    )
    return header, lines


def _check_ties_broken(rankings: Rankings, rel: int, collection: str) -> None:
    """The second table, ties of RR against those of each preference."""
    header, lines = _table("How many ties of RR they break")
    size, pairs = len(rankings.systems), Contrasts.all_pairs(len(rankings.systems))
    first = values(parse_measures(f"RR(rel={rel})")[0], rankings).reshape(size, -1).T
    tied = np.isclose(first[:, pairs.left], first[:, pairs.right], rtol=0, atol=1e-12)
    mostly = tied.mean(axis=1) >= 0.75
    at = 1 + 2 * list(COLLECTIONS).index(collection)
    assert header[at].startswith(collection.split(",", maxsplit=1)[0].partition(":")[0])
    assert header[at + 1] == f"the {mostly.sum()} topics that RR mostly ties"
    for line in lines:
        equal = preferences_by_topic(rankings, pairs, line[0].strip("`"), rel, graded=False) == 0  # type: ignore[arg-type]
        broken = 1 - equal[tied].mean(), 1 - equal[mostly][tied[mostly]].mean()
        assert [f"{share * 100:.1f}%" for share in broken] == line[at : at + 2]
    assert len(lines) == 3


@pytest.mark.heavy
@pytest.mark.data("data/trec-dl-2019-passage")
@pytest.mark.filterwarnings("ignore:.*have the same scores on every topic")  # two runs there are copies
def test_what_is_said_of_compare_and_audit_on_real_runs_is_found_again() -> None:
    files = [str(DATA / "trec-dl-2019-passage" / name) for name in ("runs/*", "qrels.dl19-passage.txt.gz")]
    scores = cranfield.evaluate(files[0], files[1], "RR@10", rel=2)
    lexi = prefer(files[0], files[1], "lexiprecision", rel=2)
    (name,) = scores.data_vars
    found = add_preferences(cranfield.compare(scores[name]), lexi).pairs
    by_scores, by_preference = found["p_adjusted"] < 0.05, found["p_preference"] < 0.05
    audited = cranfield.audit(scores.assign(lexiprecision=lexi.scores)).table
    words = " ".join(PAGE.read_text().split())
    assert (
        f"the t-test finds {by_scores.sum()} of {len(found)} pairs, and the sign test on lexiprecision "
        f"{by_preference.sum()}, {(by_scores & by_preference).sum()} of them the same."
    ) in words
    tied, swapped = audited["tied"], audited["swap_rate"]
    assert f"RR@10 ties in {tied[name]:.1%} of all" in words
    said = f"in {swapped[name]:.1%} of the pairs; lexiprecision, which refines it, in {swapped['lexiprecision']:.1%}."
    assert said in words


@pytest.mark.heavy
@pytest.mark.data("data/trec-dl-2019-passage", "data/trec-covid-round5")
@pytest.mark.parametrize("collection", COLLECTIONS)
def test_every_share_of_ties_is_found_again(collection: str) -> None:
    header, lines = _table("How many ties they break")
    folder, qrels, rel = COLLECTIONS[collection]
    rankings = make_rankings(str(DATA / folder / "runs" / "*"), str(DATA / folder / qrels))
    size = len(rankings.systems)
    assert f"{size} runs, {len(rankings.pool.size)} topics" in collection
    pairs = Contrasts.all_pairs(size)
    _check_ties_broken(rankings, rel, collection)
    asked = {"RR": f"RR(rel={rel})", "P@10": f"P(rel={rel})@10", "nDCG@10": "nDCG@10", "AP": f"AP(rel={rel})"}
    found = {}
    for name, *_ in lines:
        if name in asked:
            scores = values(parse_measures(asked[name])[0], rankings).reshape(size, -1).T
            tied = np.abs(scores[:, pairs.left] - scores[:, pairs.right]) < 1e-12
        else:
            tied = preferences_by_topic(rankings, pairs, name.strip("`"), rel, graded=False) == 0  # type: ignore[arg-type]
        found[name] = f"{tied.mean() * 100:.1f}%"
    assert len(found) == 7
    assert found == {line[0]: line[header.index(collection)] for line in lines}
