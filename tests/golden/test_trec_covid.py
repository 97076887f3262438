"""TREC-COVID round 5: the official leaderboard, printed with four digits."""

from __future__ import annotations

import pytest

from cranfield import engine
from cranfield.scoring import score
from data_sets import DATA, Tally, rows

ROUND = DATA / "trec-covid-round5"
MEASURES = {"nDCG@20": "ndcg@20", "P@20": "P@20", "AP": "map", "Bpref": "bpref", "RBP(p=0.5)": "rbp_p5"}
"""Our name -> the leaderboard's."""


@pytest.mark.slow  # tests/golden/test_information.py has these runs, by other measures
@pytest.mark.data("data/trec-covid-round5")
def test_every_run_agrees_with_the_leaderboard() -> None:
    board = {row["tag"]: row for row in rows(ROUND / "round5-leaderboard.csv", ",")}
    files = sorted((ROUND / "runs").glob("*.xz"))
    assert len(files) == len(board) == 126
    if engine.current().NAME == "reference":
        files = files[::18]  # plain Python needs minutes for all of them
    table = score(
        [str(path) for path in files],
        str(ROUND / "qrels.covid-round5.txt.gz"),
        list(MEASURES),
        ties="trec9",
        compat="trec_eval9",
    )
    tally = Tally()
    for number, (system, tag) in enumerate(zip(table.systems, table.tags, strict=True)):
        row = board[system if system in board else tag]
        for measure, name in zip(table.summaries[:, number], MEASURES.values(), strict=True):
            tally.add_text((system, name), measure, row[name])
    tally.check(5 * len(files))
