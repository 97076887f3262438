"""The numbers that the page on dominance prints about real collections."""

from __future__ import annotations

from pathlib import Path

import pytest

from cranfield.comparison import DominanceShares, compare_dominance, compute_dominance_shares
from data_sets import DATA

PAGE = Path(__file__).resolve().parents[2] / "docs/questions/can-another-measure-reverse-it.md"
COLLECTIONS = {
    "trec-dl-2019-passage": ("qrels.dl19-passage.txt.gz", 1, "AP(rel=2)", "P(rel=2)@10"),
    "trec-robust-2003": ("qrels.txt.gz", 2, "AP", "P@10"),
}
"""Folder -> judgments, the column of the page, and its binary measures."""
pytestmark = pytest.mark.data(*(f"data/{name}" for name in COLLECTIONS))


def cell(row: str, column: int) -> str:
    lines = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith(f"| {row}")]
    return lines[0].split("|")[column + 1].strip(" *")


@pytest.mark.parametrize("name", COLLECTIONS)
def test_shares_and_conclusions(name: str) -> None:
    qrels, column, ap, precision = COLLECTIONS[name]
    folder = DATA / name
    found: DominanceShares = compute_dominance_shares(
        str(folder / "runs/*"), folder / qrels, ["nDCG@10", "nDCG@20", "nDCG", ap, precision]
    )
    table = found.table.set_index("measure")
    decided = ", ".join(f"{100 * table.loc[measure, 'decided']:.1f}%" for measure in ("nDCG@10", "nDCG@20", "nDCG"))
    assert cell("comparisons of lists decided", column) == decided
    for row, measure in (
        ("dominated: share of the differences by nDCG@10", "nDCG@10"),
        ("of AP", ap),
        ("of P@10", precision),
    ):
        assert cell(row, column) == f"{100 * table.loc[measure, 'dominated']:.1f}%"
    text = " ".join(PAGE.read_text(encoding="utf-8").split())
    for row, measure in (("nDCG@10: significant", "nDCG@10"), ("AP: significant", ap)):
        facts = table.loc[measure]
        assert cell(row, column) == ", ".join(f"{facts[key]:,.0f}" for key in ("significant", "supported", "opposed"))
        assert f"**{facts['robust']:,.0f} ({100 * facts['robust'] / facts['significant']:.0f}%)**" in text
    assert (table["contradicted"] == 0).all()


@pytest.mark.slow
def test_missing_labels_and_convex_discounts() -> None:
    folder = DATA / "trec-dl-2019-passage"
    files = str(folder / "runs/*"), folder / "qrels.dl19-passage.txt.gz"
    text = " ".join(PAGE.read_text(encoding="utf-8").split())
    shares = [
        compare_dominance(*files, cutoff=10, unjudged="any").decided,
        compare_dominance(*files, cutoff=10).decided,
        compare_dominance(*files, cutoff=10, discount="convex").decided,
    ]
    assert f"{100 * shares[0]:.2f}% are decided in place of {100 * shares[1]:.2f}%" in text
    assert f"{100 * shares[2]:.1f}% of the comparisons of Deep Learning 2019" in text
