"""``cranfield compare risk``."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import cranfield, printed

SCORES = "topic,base,new\n1,0.5,0.7\n2,0.4,0.3\n3,0.2,0.2\n4,0.1,0.4\n"


@pytest.fixture
def scores(folder: Path) -> tuple[str, str]:
    (folder / "AP.csv").write_text(SCORES)
    return "--scores", "AP.csv"


def test_the_table_says_what_was_weighed(scores: tuple[str, str]) -> None:
    out = printed("compare", "risk", *scores, "--baseline", "base")
    assert "AP against base; losses weighed 2 times (loss weight 1); 95% intervals of urisk" in out
    assert "p: that urisk is 0, not that systems are equal; not adjusted" in out
    assert "urisk_equal: what urisk would be on average if the system and the baseline were equal" in out
    assert "p_adjusted: holm" in printed("compare", "risk", *scores, "--baseline", "base", "--correction", "holm")
    assert "not that systems" not in printed("compare", "risk", *scores, "--baseline", "base", "--loss-weight", "0")
    header, first, *_ = printed("compare", "risk", *scores, "--baseline", "base", "-f", "tsv").splitlines()
    cells = dict(zip(header.split("\t"), first.split("\t"), strict=True))
    assert cells["system"] == "new"
    assert float(cells["urisk"]) == pytest.approx(0.075)


def test_among_all_systems_with_intervals(scores: tuple[str, str]) -> None:
    out = printed("compare", "risk", *scores, "--against-all")
    assert "AP against what all 2 systems lead to expect; losses weighed 2 times (loss weight 1)" in out
    assert "95% intervals over topics with the same systems (percentile, 2,000 samples of topics, seed 1)" in out
    tsv = "compare", "risk", *scores, "--against-all", "-f", "tsv"
    header, *lines = printed(*tsv).splitlines()
    assert header.split("\t") == [
        *("system", "mean", "zrisk", "zrisk_low", "zrisk_high", "georisk", "georisk_low", "georisk_high", "topics")
    ]
    assert [line.split("\t")[0] for line in lines] == ["new", "base"]
    low, middle, high = (float(lines[0].split("\t")[place]) for place in (6, 5, 7))
    assert low < middle < high
    assert printed(*tsv, "--interval", "bca") != printed(*tsv)
    assert "no intervals: no samples of topics were drawn" in printed(
        "compare", "risk", *scores, "--against-all", "--resamples", "0"
    )
    assert "with intervals: --against-all" in printed("compare", "risk", *scores)


def test_topics(scores: tuple[str, str]) -> None:
    lines = printed("compare", "risk", *scores, "--baseline", "base", "--by-topic", "-f", "csv").splitlines()
    assert lines[0] == "system,topic,score,score_baseline,difference,weighed,tri"
    assert len(lines) == 9
    out = printed("compare", "risk", *scores, "--baseline", "base", "--by-topic", "--loss-weight", "0")
    assert "AP against base; losses weighed as gains (loss weight 0); tri: weighed differences" in out
    assert "urisk" not in out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--loss-weight", "-1"), "--loss-weight -1.0 should be a number of at least 0"),
        (("--baseline", "bas"), "no system is called 'bas'; did you mean 'base'?"),
        (("--by-topic", "--against-all"), "--by-topic and --against-all are two tables: choose one"),
        (("--interval", "t"), "--interval t is not one of percentile, bca"),
        (("--combine", "median"), "--combine median is not one of mean, max"),
        (("--by-topic", "--level", "0.9"), "--level changes nothing with --by-topic"),
    ],
)
def test_wrong_arguments_are_refused(scores: tuple[str, str], arguments: tuple[str, ...], says: str) -> None:
    ended = cranfield("compare", "risk", *scores, *arguments)
    assert (ended.status, ended.out) == (2, "")
    assert says in ended.err
