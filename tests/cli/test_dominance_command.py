"""``cranfield compare dominance``: its tables, its sentences, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import cranfield, printed

import cranfield as package


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    qrels = tmp_path / "qrels.txt"
    qrels.write_text("".join(f"{topic} 0 d{at} {max(0, 2 - at)}\n" for topic in range(1, 9) for at in range(4)))
    paths = [qrels]
    for name, order in (("good", "0123"), ("fair", "1032"), ("bad", "3210")):
        lines = [
            f"{topic} Q0 d{document} {rank} {9 - rank} {name}\n"
            for topic in range(1, 9)
            for rank, document in enumerate(order if name != "fair" or topic % 2 else "0132", 1)
        ]
        paths.append(tmp_path / f"{name}.run")
        paths[-1].write_text("".join(lines))
    return paths


def test_verdicts_of_pairs(files: list[Path]) -> None:
    out = printed("compare", "dominance", *files, "-k", "2")
    assert "by every consistent measure that reads the first 2 ranks" in out
    rows = json.loads(printed("compare", "dominance", *files, "-f", "json"))["rows"]
    assert {(row["system"], row["other"]): (row["won"], row["lost"], row["mean_order"]) for row in rows} == {
        ("good", "bad"): (8, 0, "better"),
        ("fair", "bad"): (8, 0, "better"),
        ("good", "fair"): (4, 0, "better"),
    }


def test_differences_of_a_measure(files: list[Path]) -> None:
    call = ("compare", "dominance", *files, "-m", "nDCG@3", "-m", "RR(rel=2)", "--alpha", "0.1")
    out = printed(*call)
    assert "nDCG@3: of 20 differences on one topic, 100.0% are not its own" in out
    assert "that reads the first 3 ranks must give them" in out
    assert "that reads whole lists must give them" in out
    rows = json.loads(printed(*call, "-f", "json"))["rows"]
    own = {(row["measure"], row["system"], row["other"]): row["conclusion"] for row in rows}
    assert own["nDCG@3", "good", "bad"] == "robust"
    assert len(own) == 6


def test_any_label_of_unjudged_documents(files: list[Path]) -> None:
    qrels, *runs = files
    qrels.write_text(qrels.read_text().replace("1 0 d0 2\n", ""))
    rows = json.loads(printed("compare", "dominance", qrels, *runs, "--unjudged", "any", "-f", "json"))["rows"]
    assert {row["mean_order"] for row in rows} == {"unknown"}
    own = next(row for row in rows if (row["system"], row["other"]) == ("good", "fair"))
    assert (own["won"], own["lost"], own["equal"]) == (3, 0, 4)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("-m", "nDCG@3", "-k", "3"), "--cutoff changes nothing with --measure"),
        (("-m", "bpref"), "'Bpref' is not known to be consistent"),
        (("-m", "Q"), "'Q' is not known to be consistent"),
        (("--unjudged", "any", "--discount", "convex"), "leave --discount convex out"),
        (("--alpha", "2"), "alpha"),
        (("-k", "0"), "--cutoff 0 should be at least 1"),
    ],
)
def test_what_means_nothing_is_refused(files: list[Path], arguments: tuple[str, ...], says: str) -> None:
    ended = cranfield("compare", "dominance", *files, *arguments)
    assert (ended.status, ended.out) == (2, "")
    assert says in ended.err


def test_a_level_is_that_of_binary_labels(files: list[Path]) -> None:
    """As in Python; a protocol's level, by which measures are computed, does not make labels binary."""
    binary = json.loads(printed("compare", "dominance", *files, "--rel", "2", "-f", "json"))
    found = package.comparison.compare_dominance(list(map(str, files[1:])), str(files[0]), rel=2.0)
    assert binary["signature"]["settings"]["rel"] == 2.0
    assert [row["won"] for row in binary["rows"]] == found.printed_rows("pairs")["won"].tolist()
    protocol = files[0].parent / "two.toml"
    cranfield("protocol", "init", "-o", protocol, "evaluate", files[0], "--rel", "2", "-m", "P@2")
    called = json.loads(cranfield("compare", "dominance", "--protocol", protocol, *files[1:], "-f", "json").out)
    assert called["signature"]["settings"]["rel"] is None


def test_groups_of_topics_have_verdicts_of_their_own(files: list[Path], tmp_path: Path) -> None:
    groups = tmp_path / "groups.txt"
    groups.write_text("".join(f"{topic} {'odd' if topic % 2 else 'even'}\n" for topic in range(1, 9)))
    out = cranfield("compare", "dominance", *files, "--topic-groups", groups, "-f", "json").out
    won = {(row["group"], row["system"], row["other"]): row["won"] for row in json.loads(out)["rows"]}
    assert (won["odd", "good", "fair"], won["even", "good", "fair"]) == (4, 0)


def test_one_run_has_no_verdicts(files: list[Path]) -> None:
    ended = cranfield("compare", "dominance", *files[:2])
    assert ended.status == 1
    assert "verdicts need two runs" in ended.err
