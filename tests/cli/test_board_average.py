"""``cranfield board average``: means over collections, as Python averages them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import cranfield, printed

import cranfield as package
from cranfield.comparison import average_collections


@pytest.fixture
def collections(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Scores of two systems on two topics, and on one, by two measures in another order."""
    monkeypatch.chdir(tmp_path)
    head = "system,topic,measure,value\n"
    Path("one.csv").write_text(
        head + "a,1,AP,.5\na,2,AP,.25\nb,1,AP,1\nb,2,AP,0\na,1,RR,1\na,2,RR,1\nb,1,RR,1\nb,2,RR,0\n"
    )
    Path("two.csv").write_text(head + "a,9,RR,.5\nb,9,RR,.125\na,9,AP,.125\nb,9,AP,.75\n")
    return tmp_path


def test_each_collection_counts_alike(collections: Path) -> None:
    assert printed("board", "average", "one.csv", "two.csv", "-f", "csv").splitlines() == [
        "system,measure,collections,mean",
        "b,AP,2,0.625",
        "b,RR,2,0.3125",
        "a,AP,2,0.25",
        "a,RR,2,0.75",
    ]
    text = printed("board", "average", "one.csv", "two.csv", "-m", "map")
    assert text.endswith("\n2 collections, each counts alike: one, two\n")
    scores = {name: package.read_scores(f"{name}.csv")[["AP"]] for name in ("one", "two")}
    content = json.loads(printed("board", "average", "one.csv", "two.csv", "-m", "AP", "-f", "json"))
    assert [row["mean"] for row in content["rows"]] == average_collections(scores).rows["mean"].tolist()
    assert content["signature"]["settings"] == {"measures": ["AP"], "collections": ["one", "two"]}


def test_the_mean_of_each_collection(collections: Path) -> None:
    out = printed("board", "average", "one.csv", "two.csv", "-m", "AP", "--by-collection", "-f", "tsv")
    assert out.splitlines()[1:] == [
        "one\ta\tAP\t2\t0.375",
        "one\tb\tAP\t2\t0.5",
        "two\ta\tAP\t1\t0.125",
        "two\tb\tAP\t1\t0.75",
    ]


def test_a_system_without_a_collection_is_named(collections: Path) -> None:
    Path("three.csv").write_text("system,topic,measure,value\na,1,AP,.5\n")
    ended = cranfield("board", "average", "one.csv", "three.csv", "-m", "AP", "-f", "csv")
    assert ended.err == "cranfield: warning: b has AP in 1 of 2 collections, and no average over them\n"
    assert ended.out.splitlines()[1:] == ["a,AP,2,0.4375", "b,AP,1,nan"]


@pytest.mark.parametrize(
    ("call", "status", "message"),
    [
        (["one.csv", "two.csv", "-m", "P@5"], 1, "one.csv: the scores hold no measure 'P@5', only AP, RR"),
        (["one.csv", "three.csv"], 1, "three.csv: the scores hold no measure 'RR', only AP"),
        (["one.csv", "one.csv"], 2, "two collections are called 'one': rename one of the files"),
        (["one.csv", "lost.csv"], 1, "lost.csv: no such file"),
        ([], 2, "Missing argument 'SCORES...'"),
    ],
)
def test_what_is_refused(collections: Path, call: list[str], status: int, message: str) -> None:
    Path("three.csv").write_text("system,topic,measure,value\na,1,AP,.5\n")
    ended = cranfield("board", "average", *call)
    assert (ended.status, ended.out, message in ended.err) == (status, "", True), ended.err
