"""The page "Which test should I use?": how many pairs each test and correction finds on three collections."""

from __future__ import annotations

from pathlib import Path

import pytest

import cranfield
from data_sets import DATA

PAGE = Path(__file__).resolve().parents[2] / "docs" / "questions" / "which-test.md"
COLLECTIONS = {
    "DL 2019: 666 pairs, 43 topics": ("trec-dl-2019-passage", "qrels.dl19-passage.txt.gz"),
    "TREC-COVID round 5: 7,875 pairs, 50 topics": ("trec-covid-round5", "qrels.covid-round5.txt.gz"),
    "Robust 2003: 136 pairs, 100 topics": ("trec-robust-2003", "qrels.txt.gz"),
}


def rows() -> tuple[list[str], list[list[str]]]:
    """The header of the page's table, and its rows."""
    section = PAGE.read_text().split("## What each test does on three collections\n", 1)[1]
    header, _, *lines = (
        [cell.strip() for cell in line.split("|")[1:-1]] for line in section.splitlines() if "|" in line
    )
    return header, lines[: next((at for at, line in enumerate(lines) if len(line) != len(header)), len(lines))]


def test_the_page_has_the_three_collections() -> None:
    header, lines = rows()
    assert header[2:] == list(COLLECTIONS)
    assert len(lines) == 11


@pytest.mark.heavy
@pytest.mark.data("data/trec-dl-2019-passage", "data/trec-covid-round5", "data/trec-robust-2003")
@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
@pytest.mark.parametrize("collection", COLLECTIONS)
def test_every_number_of_pairs_is_found_again(collection: str) -> None:
    folder, qrels = DATA / COLLECTIONS[collection][0], COLLECTIONS[collection][1]
    scores = cranfield.evaluate(sorted(folder.glob("runs/*")), folder / qrels, ["nDCG@10"])
    header, lines = rows()
    pairs, _, topics, _ = header[header.index(collection)].split(": ")[1].split()
    assert int(pairs.replace(",", "")) == scores.sizes["system"] * (scores.sizes["system"] - 1) // 2
    assert int(topics) == scores.sizes["topic"]
    found = {}
    for test, correction, *_ in lines:
        how = {"correction": correction.strip("`")} if correction else {}
        pairs = cranfield.compare(scores["nDCG@10"], test=test.strip("`"), **how).pairs  # type: ignore[arg-type]
        found[test, correction] = f"{int(pairs['significant'].sum()):,}"
    assert found == {(line[0], line[1]): line[header.index(collection)] for line in lines}
