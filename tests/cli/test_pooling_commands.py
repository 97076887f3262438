"""``cranfield pool reusability`` and ``cranfield pool budget``: what they print, and what they refuse."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import cranfield, printed


@pytest.fixture(autouse=True)
def collection(folder: Path) -> Path:
    """Documents a and b are relevant; one team alone has a, the other alone c."""
    (folder / "pool.txt").write_text("1 0 a 1\n1 0 b 1\n1 0 c 0\n1 0 e 1\n")
    (folder / "one.run").write_text("1 Q0 a 1 2 x\n1 Q0 b 2 1 x\n")
    (folder / "two.run").write_text("1 Q0 b 1 2 x\n1 Q0 c 2 1 x\n")
    (folder / "teams.tsv").write_text("one\tfirst\ntwo\tsecond\n")
    return folder


def test_reusability_by_run() -> None:
    words = ("pool.txt", "one.run", "two.run", "-m", "P@2", "--teams", "teams.tsv", "--depth", "2")
    assert printed("pool", "reusability", *words, "--show", "runs", "-f", "tsv") == (
        "measure\tteam\trun\tscore\tscore_without\tdrop\trelative_drop\trank\trank_without\n"
        "P@2\tfirst\tone\t1.0\t0.5\t0.5\t0.5\t1\t1\n"
        "P@2\tsecond\ttwo\t0.5\t0.5\t0.0\t0.0\t2\t2\n"
    )
    assert (
        printed("pool", "reusability", *words, "--show", "teams", "-f", "csv")
        .splitlines()[1]
        .startswith("P@2,first,1,1,1,")
    )
    caption = "4 judged documents; in the first 2 of 2 runs by 2 teams: 2 of one team only, 1 of several, 1 of none"
    assert caption in printed("pool", "reusability", *words)
    held = json.loads(printed("pool", "reusability", *words, "-f", "json"))
    assert held["signature"]["teams"] == {"one": "first", "two": "second"}
    assert held["rows"][0]["mean_drop"] == 0.25


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (("--depth", "0"), 2, "--depth 0 should be at least 1"),
        (("--teams", "none.tsv"), 1, "none.tsv: no such file"),
        (("--teams", "pool.txt"), 1, "pool.txt:1: '1 0 a 1' is not two fields: a run and its team"),
        (("--ties", "bounds"), 2, "a pool needs the documents in one order, which --ties bounds leaves open"),
    ],
)
def test_reusability_refuses(words: tuple[str, ...], status: int, message: str) -> None:
    ended = cranfield("pool", "reusability", "pool.txt", "one.run", "two.run", *words)
    assert (ended.status, ended.out) == (status, "")
    assert message in ended.err


def test_reusability_refuses_a_run_without_a_team(collection: Path) -> None:
    (collection / "teams.tsv").write_text("one\tfirst\n")
    ended = cranfield("pool", "reusability", "pool.txt", "one.run", "two.run", "--teams", "teams.tsv")
    said = "teams.tsv: there is no team for run two: add a line for each, with the name as shown here"
    assert (ended.status, ended.err) == (1, f"cranfield: error: {said}\n")


def test_budget() -> None:
    words = ("pool.txt", "one.run", "two.run", "-m", "P@2", "--budget", "3", "--order", "depth")
    assert printed("pool", "budget", *words, "-f", "tsv") == (
        "measure\torder\tbudget\tjudgments\tshare\nP@2\tdepth\t3\t3\t0.75\n"
    )
    curve = printed("pool", "budget", *words, "--show", "curve", "-f", "tsv").splitlines()
    assert curve[0] == "measure\torder\tbudget\tjudgments\tshare\tfound\ttau\tleast\tbias"
    assert curve[1] == f"P@2\tdepth\t3\t3\t0.75\t{2 / 3!r}\t1.0\t1.0\t0.0"
    caption = "4 judged documents, 3 relevant; 1 in no run's first 100; tau of 0.9 is enough; 3 trials, seed 1"
    assert caption in printed("pool", "budget", *words)


def test_a_budget_that_is_not_enough_is_missing() -> None:
    """Of two judgments, a and b come first by depth; both runs have b, so that ``one`` alone gains by a."""
    words = ("pool.txt", "one.run", "two.run", "-m", "P@1", "--order", "depth", "-f", "tsv")
    assert printed("pool", "budget", *words).splitlines()[1] == "P@1\tdepth\tnan\tnan\tnan", (
        "all tied: tau is undefined"
    )


def test_budget_refuses() -> None:
    for words, message in (
        (("one.run", "--trials", "1"), "a budget needs two runs or more, whose order it is about"),
        (("one.run", "two.run", "--target", "2"), "--target 2.0 should lie between 0 and 1"),
        (("one.run", "two.run", "--order", "best"), "--order best is not one of random, depth, mtf"),
    ):
        ended = cranfield("pool", "budget", "pool.txt", *words)
        assert (ended.status, ended.out) == (2, "")
        assert message in ended.err


SAMPLED = "1 0 a 1 1\n1 0 b 1 0\n1 0 c 2 -1\n1 0 d 2 2\n1 0 e 2 -1\n1 0 f 2 0\n"


def test_errors_of_sampling(collection: Path) -> None:
    """Stratum 2: d and f of four documents. Without d, R falls from 3 to 1; without f it rises to 5."""
    (collection / "sampled.prels").write_text(SAMPLED)
    (collection / "d.run").write_text("1 Q0 d 1 2 x\n")
    words = ("evaluate", "sampled.prels", "d.run", "--sampling-error", "-m", "xinfAP")
    # 2/3 as it is, 0/1 without d, 4/5 without f: each moves by (1 - 2/4) (2 - 1)/2 of its square.
    spread = ((0 - 0.4) ** 2 + (0.8 - 0.4) ** 2) / 4
    head, row = printed(*words, "-f", "tsv").splitlines()
    assert head == "measure\tsystem\tscore\terror\tbias\tlower\tupper\twithout"
    name, system, *numbers, without = row.split("\t")
    assert (name, system, without) == ("xinfAP", "d", "0")
    score, error, bias, lower, upper = map(float, numbers)
    assert (score, error, bias) == pytest.approx((2 / 3, spread**0.5, 0.5 * (0.4 - 2 / 3)))
    assert (lower, upper) == pytest.approx((score - bias - 1.959964 * error, score - bias + 1.959964 * error))
    assert printed(*words, "-q", "-f", "csv").splitlines()[1].startswith("xinfAP,d,1,0.666")
    assert "95% of score - bias, for these topics" in printed(*words)
    assert json.loads(printed(*words, "-f", "json"))["signature"]["analysis"] == "sampling error"
    for more, said in (
        (("--flat",), "--flat changes nothing with --sampling-error"),
        (("--bounds",), "--bounds changes nothing with --sampling-error"),
        (("-m", "AP"), "AP would take documents that were not sampled"),
    ):
        ended = cranfield(*words, *more)
        assert (ended.status, ended.out) == (2, "")
        assert said in ended.err


def test_pool_order() -> None:
    """At depth 1: a of one, b of two; b is not relevant by these labels."""
    words = ("pool", "order", "one.run", "two.run", "--qrels", "known.txt")
    Path("known.txt").write_text("1 0 a 1\n1 0 c 0\n")
    assert printed(*words, "--depth", "1", "-f", "tsv").splitlines()[0] == (
        "topic\torder\tdocument\trank\truns\tteams\tlabel"
    )
    rows = {row.split("\t")[2]: row.split("\t")[3:] for row in printed(*words, "-f", "tsv").splitlines()[1:]}
    assert rows == {"a": ["1", "1", "1", "1"], "b": ["1", "2", "2", ""], "c": ["2", "1", "1", "0"]}
    listed = {row["document"]: row["label"] for row in json.loads(printed(*words, "-f", "json"))["rows"]}
    assert json.dumps(listed, sort_keys=True) == '{"a": 1, "b": null, "c": 0}'
    assert printed(*words, "--show", "topics", "-f", "csv") == "topic,pooled,listed,judged\n1,3,3,2\n"
    assert "2 documents of 2 pooled, 1 of them judged already; order mtf, depth 1, seed 1" in printed(
        *words, "--order", "mtf", "--depth", "1"
    )


def test_pool_sample(collection: Path) -> None:
    words = ("pool", "sample", "one.run", "two.run", "--stratum", "1:1", "--stratum", "2:0.5")
    assert printed(*words, "-f", "csv") == "topic,document,stratum,probability\n1,a,1,1.0\n1,b,1,1.0\n1,c,2,1.0\n"
    assert "ranks 1 to 1: 2 of 2; ranks 2 to 2: 1 of 1; seed 1; cranfield" in printed(*words)
    ended = cranfield(*words, "--qrels", "pool.txt", "--show", "prels", "-o", "sampled.prels")
    assert "3 documents sampled; ranks 1 to 1: 2 of 2" in ended.err
    assert (collection / "sampled.prels").read_text() == "1 0 a 1 1\n1 0 b 1 1\n1 0 c 2 0\n"
    row = printed("evaluate", "sampled.prels", "one.run", "-m", "xinfAP", "-f", "tsv").splitlines()[1].split("\t")
    assert float(row[3]) == pytest.approx(1.0, abs=1e-4), "both relevant documents are at the top"


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (("--stratum", "5"), 2, "--stratum 5: expected RANK:SHARE, such as 50:0.2, each rank once"),
        (("--stratum", "5:1", "--stratum", "5:.5"), 2, "--stratum 5:.5: expected RANK:SHARE"),
        (("--stratum", "5:2"), 2, "the share that is sampled should be above 0 and at most 1"),
        (("--show", "prels"), 2, "prels hold labels: give them as --qrels"),
        (("--show", "prels", "-f", "csv"), 2, "--show prels is prels: -f is for --show documents"),
        (("--only-judged",), 2, "--only-judged keeps the pool to judged documents"),
        (("--qrels", "one.run"), 1, "one.run"),
        (("--topic-groups", "x"), 2, "the pool of a topic does not depend on other topics"),
    ],
)
def test_pool_sample_refuses(words: tuple[str, ...], status: int, message: str) -> None:
    ended = cranfield("pool", "sample", "one.run", "two.run", *words)
    assert (ended.status, ended.out) == (status, "")
    assert message in ended.err
