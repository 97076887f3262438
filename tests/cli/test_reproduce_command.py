"""``cranfield reproduce``."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import cranfield, printed

CALL = ("reproduce", "qrels.txt", "--original", "late.run", "best.run", "--again", "late.run", "best.run")


def test_a_perfect_reproduction(folder: Path) -> None:
    out = printed(*CALL, "-m", "RR")
    assert "RR: effect 0.5000, again 0.5000; effect ratio 1.000, delta RI 0.000" in out
    assert "p_paired, p_unpaired: for the hypothesis that the means are equal; a large p is not evidence for it" in out
    assert "p_equivalent" not in out
    assert "p_equivalent: for the hypothesis that they differ by 0.1 or more" in printed(
        *CALL, "-m", "RR", "--margin", "0.1"
    )
    assert "order of the baseline run, first 1,000 documents: KTU 1.000, RBO 1.000 (p 0.8), overlap 1.000" in out


@pytest.mark.parametrize("show", ["effects", "order", "topics"])
def test_every_table_is_shown(folder: Path, show: str) -> None:
    header = printed(*CALL, "-m", "RR", "--show", show, "-f", "tsv").splitlines()[0].split("\t")
    expected = {"effects": "effect_ratio", "order": "ktu", "topics": "topic"}
    assert expected[show] in header


def test_wrong_arguments_are_refused(folder: Path) -> None:
    for arguments, says in (
        (("--original", "late.run", "best.run"), "Missing option '--again'"),
        (
            ("--original", "late.run", *CALL[5:]),
            "--original takes two runs, the baseline and the advanced one, and --again",
        ),
        (
            (*CALL[2:6], "late.run", "--depth", "5"),
            "--again takes two runs, the baseline and the advanced one, and --depth",
        ),
        ((*CALL[2:], "--depth", "0"), "--depth 0 should be at least 1"),
        ((*CALL[2:], "--ties", "bounds"), "a reproduction needs the documents in one order"),
    ):
        ended = cranfield("reproduce", "qrels.txt", *arguments)
        assert (ended.status, ended.out) == (2, "")
        assert says in ended.err
