"""``cranfield judges pairs``: its tables, conversions and refusals."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import cranfield, printed

from cranfield.io import read_preferences

TABLES = ("order", "triads", "strengths", "pairs", "wins", "judges", "verdicts")


@pytest.fixture
def verdicts(tmp_path: Path) -> Path:
    words = {("a", "b"): "left", ("b", "a"): "left", ("a", "c"): "tie", ("c", "b"): "right", ("b", "c"): "left"}
    rows = [
        f"q{topic}\t{left}\t{right}\t{word}\t{judge}\n"
        for topic in range(4)
        for judge in ("one", "two")
        for (left, right), word in words.items()
    ]
    rows.append("q0\tc\ta\ttie\ttwo\n")  # or they would be taken for one judge
    path = tmp_path / "verdicts.tsv"
    path.write_text("topic\tleft\tright\tverdict\tjudge\n" + "".join(rows), encoding="utf-8")
    return path


def test_the_effect_of_order_comes_first(verdicts: Path) -> None:
    out = printed("judges", "pairs", verdicts, "--judge", "one")
    assert "one: swapping left and right changes 50.0% of verdicts on 8 pairs; no verdict was repeated" in out


def test_pairs_are_counted_and_what_does_not_apply_is_none(verdicts: Path) -> None:
    arguments = ("judges", "pairs", verdicts, "--judge", "one")
    assert printed(*arguments).split("\n\n")[0].splitlines()[-1].split() == ["one", "pairs", "8", *["none"] * 3]
    assert "nan" not in printed(*arguments)
    assert printed(*arguments, "-f", "csv").splitlines()[-1] == "one,pairs,8,nan,nan,nan,nan"


def test_a_refusal_of_one_judge_of_several_says_that_they_may_count_as_one(verdicts: Path) -> None:
    with verdicts.open("a", encoding="utf-8") as file:
        file.write("q0\ta\tc\tleft\tthree\n")
    call = ("judges", "pairs", verdicts, "--show", "strengths", "--criterion", "verdict")
    advice = "or count the 3 judges as one (--pooled), or take one (--judge)"
    refused = " ".join(cranfield(*call).err.split())
    assert f"judge 'three' has verdicts on 1 topic: errors over topics need two; {advice}" in refused
    assert advice not in " ".join(cranfield(*call, "--judge", "three").err.split())
    assert printed(*call, "--pooled")


def test_a_share_of_none_or_all_has_an_exact_interval(verdicts: Path) -> None:
    rows = json.loads(printed("judges", "pairs", verdicts, "--judge", "one", "-f", "json"))["rows"]
    ends = {row["statistic"]: (row["value"], row["low"], row["high"]) for row in rows}
    assert ends["second_both"] == (0.0, 0.0, pytest.approx(1 - 0.025 ** (1 / 4)))
    (row,) = json.loads(printed("judges", "pairs", verdicts, "--show", "judges", "-f", "json"))["rows"]
    assert (row["equal"], row["equal_low"], row["equal_high"]) == (1.0, pytest.approx(0.025 ** (1 / 4)), 1.0)


@pytest.mark.parametrize("show", TABLES)
def test_every_table_is_shown(verdicts: Path, show: str) -> None:
    rows = json.loads(printed("judges", "pairs", verdicts, "--show", show, "-f", "json"))["rows"]
    assert {row["judge"] for row in rows} <= {"one", "two"}
    assert printed("judges", "pairs", verdicts, "--show", show, "-f", "csv").count("\n") == len(rows) + 1


def test_fitted_parameters_are_named(verdicts: Path) -> None:
    out = printed("judges", "pairs", verdicts, "--pooled", *(["--show", "strengths", "--pair-ties", "davidson"]))
    assert "pooled, ties: " in out
    assert "rank_interval: for all systems together, 95%" in out


def test_scores_become_verdicts_and_come_back(tmp_path: Path) -> None:
    scores, made = tmp_path / "scores.csv", tmp_path / "made.tsv"
    scores.write_text("topic,a,b,c\n1,.5,.4,.1\n2,.2,.3,.6\n3,.9,.7,.1\n4,.1,.2,.3\n", encoding="utf-8")
    printed("judges", "pairs", "--scores", scores, "--show", "verdicts", "--threshold", "0.05", "-o", made)
    assert made.read_text(encoding="utf-8").splitlines()[1] == "1\ta\tb\tleft\tscores"
    out = cranfield("judges", "pairs", made, "--show", "scores", "--scores", scores, "--resamples", "20", "-f", "json")
    rows = json.loads(out.out)["rows"]
    assert [row["statistic"] for row in rows] == ["tau_b", "tau_ap_b"]


def test_runs_become_scores_verdicts_and_preferences(tmp_path: Path) -> None:
    qrels, made = tmp_path / "q.txt", tmp_path / "made.tsv"
    qrels.write_text("".join(f"{topic} 0 d{at} {int(at < 2)}\n" for topic in (1, 2, 3) for at in range(4)))
    runs = []
    for name, orders in (("a", ("012", "120", "210")), ("b", ("120", "012", "201")), ("c", ("210", "210", "021"))):
        runs += ["-r", tmp_path / f"{name}.run"]
        lines = [
            f"{topic} Q0 d{document} {rank} {9 - rank} {name}\n"
            for topic, order in enumerate(orders, 1)
            for rank, document in enumerate(order, 1)
        ]
        (tmp_path / f"{name}.run").write_text("".join(lines))
    printed("judges", "pairs", "--qrels", qrels, *runs, "-m", "AP", "--show", "verdicts", "-o", made)
    out = printed(
        "judges",
        "pairs",
        made,
        "--show",
        "scores",
        "--qrels",
        qrels,
        *runs,
        "-m",
        "AP",
        "-f",
        "json",
        "--prior",
        "1",
        "--resamples",
        "20",
    )
    assert [row["systems"] for row in json.loads(out)["rows"]] == [3, 3]
    out = printed("judges", "pairs", "--qrels", qrels, *runs, "--preference", "lexirecall", "--show", "verdicts")
    assert "lexirecall" in out


def test_preferences_can_be_read(verdicts: Path, tmp_path: Path) -> None:
    path = tmp_path / "preferences.txt"
    printed("judges", "pairs", verdicts, "--show", "preferences", "--judge", "one", "-o", path)
    assert read_preferences(path).pairs["q0"] == (("b", "c"),)


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (("--judge", "three"), 2, "there is no such judge; the verdicts are by 'one', 'two'"),
        (("--show", "scores"), 2, "--show scores compares strengths with --scores: name the file"),
        (("--show", "scores", "--qrels", "q.txt"), 2, "--qrels and --run go together"),
        (
            ("--show", "order", "--qrels", "q", "-r", "r"),
            2,
            "--qrels changes nothing with --show order; it is for --show scores",
        ),
        (("--show", "scores", "--qrels", "q", "-r", "r", "--scores", "s"), 2, "both give scores: leave one out"),
        (("--show", "verdicts", "--preference", "rpp"), 2, "--preference makes verdicts of runs"),
        (("--show", "order", "--limit", "3"), 2, "--limit is about pairs, and this table has none"),
        (("--show", "strengths", "--prior", "-1"), 2, "should be a number above 0"),
        (("--criterion", "overall"), 2, "has no such column"),
        (("--show", "pairs", "--baseline", "z"), 2, "no verdict is on this system"),
    ],
)
def test_what_means_nothing_is_refused(verdicts: Path, arguments: tuple[str, ...], status: int, says: str) -> None:
    ended = cranfield("judges", "pairs", verdicts, *arguments)
    assert (ended.status, ended.out) == (status, "")
    assert says in ended.err


@pytest.mark.parametrize("show", ["order", "triads", "strengths", "pairs", "wins", "judges"])
def test_groups_of_topics_have_the_tables_of_their_verdicts(verdicts: Path, tmp_path: Path, show: str) -> None:
    groups = tmp_path / "groups.tsv"
    groups.write_text("q0 even\nq1 odd\nq2 even\nq3 odd\n", encoding="utf-8")
    even = tmp_path / "even.tsv"
    lines = verdicts.read_text(encoding="utf-8").splitlines(keepends=True)
    even.write_text("".join(line for line in lines if line[:2] not in ("q1", "q3")), encoding="utf-8")
    options = ("--show", show, "-f", "json")
    ended = cranfield("judges", "pairs", verdicts, *options, "--topic-groups", groups)
    assert ended.status == 0, ended.err
    rows = json.loads(ended.out)["rows"]
    alone = json.loads(printed("judges", "pairs", even, *options))["rows"]
    assert [{key: value for key, value in row.items() if key != "group"} for row in rows if row["group"] == "even"] == (
        alone
    )


def test_a_file_is_needed() -> None:
    ended = cranfield("judges", "pairs")
    assert ended.status == 2
    assert "name a file of verdicts" in ended.err


def test_a_system_that_never_loses(tmp_path: Path) -> None:
    path = tmp_path / "v.tsv"
    path.write_text("q1\ta\tb\tleft\nq2\ta\tb\tleft\nq2\tb\ta\tright\n", encoding="utf-8")
    ended = cranfield("judges", "pairs", path, "--show", "strengths")
    assert ended.status == 1
    assert "system a never loses to the other system: " in ended.err
    assert "a prior of 1 (--prior)" in ended.err
    assert cranfield("judges", "pairs", path, "--show", "strengths", "--prior", "1").status == 0


def test_ranks_say_what_they_cannot_tell(verdicts: Path, tmp_path: Path) -> None:
    for show in ("strengths", "pairs"):
        words = " ".join(printed("judges", "pairs", verdicts, "--pooled", "--show", show).split())
        assert "4 topics cannot separate systems: no p is below 0.125" in words
    path = tmp_path / "islands.tsv"
    rows = [
        f"q{q}\t{left}\t{right}\t{'right' if q == 3 else 'left'}\n" for q in range(8) for left, right in ("ab", "cd")
    ]
    path.write_text("".join(rows), encoding="utf-8")
    for show in ("strengths", "pairs"):
        out = " ".join(printed("judges", "pairs", path, "--show", show, "--prior", "1").split())
        assert "2 groups of systems never met (2 systems (a, b); 2 systems (c, d)): differences between groups" in out
    table = json.loads(printed("judges", "pairs", path, "--show", "strengths", "--prior", "1", "-f", "json"))["rows"]
    assert [row["rank"] for row in table] == [None] * 4
    assert [(row["rank_low"], row["rank_high"]) for row in table] == [(1, 4)] * 4


@pytest.mark.parametrize("show", ["order", "strengths"])
def test_a_judge_forges_no_sentence_of_a_caption(tmp_path: Path, show: str) -> None:
    path = tmp_path / "v.jsonl"
    rows = [
        {
            "topic": f"q{q}",
            "left": left,
            "right": right,
            "verdict": ("left", "right", "right", "tie")[q % 4],
            "judge": "x\nno effect",
        }
        for q in range(9)
        for left, right in ("ab", "ba")
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    options = ("--pair-ties", "davidson", "--order-effect") if show == "strengths" else ()
    out = printed("judges", "pairs", path, "--show", show, *options)
    assert "x\\nno effect" in out
    assert not [line for line in out.splitlines() if line.startswith("no effect")]


@pytest.mark.parametrize("document", ["a b", "a\nq9 x y", "a\tb"])
def test_preferences_with_blanks_are_refused(tmp_path: Path, document: str) -> None:
    path = tmp_path / "v.jsonl"
    row = {"topic": "q1", "left": document, "right": "c", "verdict": "left"}
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    ended = cranfield("judges", "pairs", path, "--show", "preferences")
    assert (ended.status, ended.out) == (1, "")
    assert "cannot stand in TREC text" in ended.err
