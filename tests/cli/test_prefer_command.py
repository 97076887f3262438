"""``cranfield compare prefer``: its tables, and rows that other commands read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import cranfield, printed

FILES = ("qrels.txt", "best.run", "late.run")


def test_pairs_say_who_is_preferred(folder: Path) -> None:
    out = printed("compare", "prefer", *FILES)
    # Topic 1 has two relevant documents: best has them at 1 and 2, late one at 2. Topic 2: at 1 and at 2.
    assert "rpp, labels of 1 or more: 2 systems, 2 topics; tied in 0.0% of the comparisons" in out
    assert "sign test, holm: 0 of 1 pair significant" in out
    header, row = printed("compare", "prefer", *FILES, "-f", "tsv").splitlines()
    cells = dict(zip(header.split("\t"), row.split("\t"), strict=True))
    assert (cells["system"], cells["other"], cells["preference"]) == ("best", "late", "1.0")
    assert (cells["wins"], cells["ties"], cells["losses"], cells["p"]) == ("2", "0", "0", "0.5")


def test_scores_go_to_other_commands(folder: Path) -> None:
    printed(
        "compare", "prefer", *FILES, "--preference", "lexirecall", "--show", "scores", "-f", "tsv", "-o", "lexi.tsv"
    )
    assert (folder / "lexi.tsv").read_text().startswith("system\ttopic\tmeasure\tvalue\nbest\t2\tlexirecall\t1.0\n")
    compared = cranfield("compare", "--scores", "lexi.tsv", "--test", "sign")
    assert (compared.status, "best" in compared.out) == (0, True)


@pytest.mark.parametrize("show", ["systems", "topics", "scores"])
def test_every_table_is_shown(folder: Path, show: str) -> None:
    out = printed("compare", "prefer", *FILES, "--show", show, "--graded")
    assert "best" in out
    assert "rpp, graded labels: 2 systems, 2 topics" in out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--graded", "-l", "2"), "a relevance level of 2 means nothing beside graded labels"),
        (
            ("--show", "systems", "--limit", "3"),
            "--limit is about pairs, and this table has none: take --show pairs",
        ),
        (("--ties", "bounds"), "needs the documents in one order"),
        (("--baseline", "bets"), "no system is called 'bets'; did you mean 'best'?"),
    ],
)
def test_what_means_nothing_is_refused(folder: Path, arguments: tuple[str, ...], says: str) -> None:
    ended = cranfield("compare", "prefer", *FILES, *arguments)
    assert (ended.status, ended.out) == (2, "")
    assert says in ended.err


def test_scores_of_groups_are_rows_with_their_group(folder: Path) -> None:
    Path("groups.txt").write_text("1 few\n2 few\n")
    call = ("compare", "prefer", *FILES, "--show", "scores", "--topic-groups", "groups.txt", "-f")
    first = json.loads(cranfield(*call, "json").out)["rows"][0]
    assert list(first) == ["group", "system", "topic", "measure", "value"]
    header, row, *_ = cranfield(*call, "csv").out.splitlines()
    assert header == "group,system,topic,measure,value"
    assert row == ",".join(map(str, first.values()))


def test_condensed_lists_have_other_ranks(folder: Path) -> None:
    """On topic 1 `late` has one of two relevant documents, behind an unjudged one: without that, half is tied."""
    for unjudged, mean in (("zero", 1.0), ("condense", 0.75)):
        row = json.loads(printed("compare", "prefer", *FILES, "--unjudged", unjudged, "-f", "json"))["rows"][0]
        assert (row["preference"], row["wins"]) == (mean, 2)
