"""The page of all reproductions: every row is whole, every pointer exists, and the counts are those of the rows."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import cranfield

ROOT = Path(__file__).resolve().parents[1] / "reproductions"
PAGE = (ROOT / "README.md").read_text(encoding="utf-8")
KINDS = ("yes", "in part", "no", "not testable")


def papers() -> dict[str, list[list[str]]]:
    """The rows of each paper."""
    found = {}
    for part in PAGE.split("\n### ")[1:]:
        name, _, table = part.partition("\n")
        lines = [line for line in table.splitlines() if line.startswith("|")][2:]
        found[name] = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
    return found


def test_no_row_is_empty_and_every_row_says_whether_it_agrees() -> None:
    assert len(papers()) == 5
    for rows in papers().values():
        for row in rows:
            assert len(row) == 4
            assert all(row)
            assert row[2] in KINDS


def test_every_row_points_to_what_is_there() -> None:
    for rows in papers().values():
        for what, where, *_ in rows:
            targets = re.findall(r"\]\(([^)#]+)", where)
            assert targets, what
            for target in targets:
                assert (ROOT / target).resolve().is_file(), f"{what}: {target}"


def test_counts_are_those_of_the_rows() -> None:
    lines = [line for line in PAGE.partition("\n### ")[0].splitlines() if line.startswith("|")]
    table = {cells[1].strip(): [cell.strip() for cell in cells[2:-1]] for cells in (line.split("|") for line in lines)}
    total = np.zeros(5, dtype=int)
    for name, rows in papers().items():
        kinds = Counter(row[2] for row in rows)
        counts = [len(rows), *(kinds[kind] for kind in KINDS)]
        assert table[name] == list(map(str, counts)), name
        total += counts
    assert table["all"] == [str(count) for count in total.tolist()]


def test_every_script_and_every_page_is_listed() -> None:
    for page in ROOT.glob("*/*.md"):
        assert f"]({page.parent.name}/{page.name})" in PAGE


def test_the_best_rbp_of_five_relevant_documents() -> None:
    """Footnote 3 of Sakai et al. 2010: .226 with p = .95."""
    run = {"1": {f"d{rank}": -float(rank) for rank in range(10)}}
    labels = {"1": {f"d{rank}": 1 for rank in range(5)}}
    found = cranfield.evaluate({"best": run}, labels, "RBP(p=0.95)")["RBP(p=0.95)"].item()
    assert found == pytest.approx(1 - 0.95**5)
    assert round(found, 3) == 0.226
