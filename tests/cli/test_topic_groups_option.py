"""``--topic-groups``: what is printed of a group is what the command prints of its topics alone."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import click
import pytest
from command import cranfield, printed
from test_outputs import commands

from corrections import multipletests
from data_sets import DATA

GROUPED = {
    name: {str(one.name) for one in command.params}
    for name, command in commands().items()
    if any(one.name == "topic_groups" for one in command.params)
}
"""Command that takes groups of topics -> its parameters."""
TOPICS = [str(number) for number in range(1, 25)]
EASY = [topic for topic in TOPICS if int(topic) % 2 == 0]


@pytest.fixture(autouse=True)
def collection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """24 topics with three documents each, and three systems that find the relevant one at different ranks."""
    monkeypatch.chdir(tmp_path)
    qrels = {topic: "".join(f"{topic} 0 {document} {int(document == 'a')}\n" for document in "abc") for topic in TOPICS}
    (tmp_path / "qrels.txt").write_text("".join(qrels.values()))
    (tmp_path / "easy").mkdir()
    (tmp_path / "easy" / "qrels.txt").write_text("".join(qrels[topic] for topic in EASY))
    for folder in (tmp_path, tmp_path / "easy"):
        (folder / "other.txt").write_text((folder / "qrels.txt").read_text().replace(" b 0", " b 1"))
    for name, modulus in {"first": 5, "second": 3, "third": 2, "fourth": 7}.items():
        lines = []
        for topic in TOPICS:
            order = "abc" if int(topic) % modulus else "bac" if int(topic) % 4 else "cba"
            lines += [f"{topic} Q0 {document} {rank} {9 - rank} x\n" for rank, document in enumerate(order, 1)]
        (tmp_path / f"{name}.run").write_text("".join(lines))
    groups = "".join(f"{topic}\t{'easy' if topic in EASY else 'hard'}\n" for topic in TOPICS)
    (tmp_path / "groups.tsv").write_text("topic\tgroup\n" + groups)
    return tmp_path


RUNS = ("first.run", "second.run", "third.run")


def rows(text: str) -> list[dict[str, Any]]:
    held: list[dict[str, Any]] = json.loads(text)["rows"]
    return held


ALONE = sorted(GROUPED.keys() - {"evaluate", "report", "judges panel", "judges pairs"})
"""Commands that can be called with the topics of a group alone; the others have tests of their own."""
OPTIONS: dict[str, tuple[str, ...]] = {
    "audit": ("--resamples", "20", "--subsets", "10", "-m", "RR,P@1"),
    "pool budget": ("-m", "RR", "--depth", "3", "--trials", "1"),
    "compare dominance": (),
    "difficulty": ("-f", "json"),
    "gate": ("--margin", "2", "-m", "RR"),
    "fuse headroom": ("--permutations", "2", "-m", "RR"),
    "information joint": ("--permutations", "2"),
    "information ric": ("-q",),
    "information select": ("-n", "1", "--permutations", "2"),
    "information tau": ("-m", "RR,AP", "--resamples", "20"),
    "pool reusability": ("-m", "RR", "--depth", "2"),
    "audit select-topics": ("-n", "3", "-m", "RR", "fourth.run"),
    "audit penalty": ("--harmful", "1", "--systems"),
    "standardize study": ("--trials", "3", "-m", "RR"),
    "audit scales": ("-m", "RR@3"),
    "audit stability": ("--subsets", "20", "-m", "RR"),
}


def call_of(called: str, qrels: str) -> tuple[str, ...]:
    """A command on some judgments, with the other judge's cut alike where there are two."""
    match called:
        case "judges":
            return called, qrels, qrels.replace("qrels", "other"), "--show", "labels"
        case "information judges":
            return *called.split(), qrels, qrels.replace("qrels", "other")
        case "diff":
            return called, qrels, "first.run", "third.run", "-m", "RR"
        case "check labels":
            return called, qrels, "-q"
        case "reproduce":
            return called, qrels, "--original", *RUNS[:2], "--again", *RUNS[1:], "-m", "RR"
    measure = ("-m", "RR") if GROUPED[called] & {"measure", "measures"} else ()
    return *called.split(), qrels, *RUNS, *OPTIONS.get(called, measure)


@pytest.mark.slow
@pytest.mark.parametrize("called", ALONE)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_group_is_its_topics_alone(called: str) -> None:
    """Witness: the judgments cut to the topics of the group."""
    grouped = cranfield(*call_of(called, "qrels.txt"), "-f", "json", "--topic-groups", "groups.tsv")
    alone = cranfield(*call_of(called, "easy/qrels.txt"), "-f", "json")
    assert (grouped.status, alone.status) == (0, 0), (grouped.err, alone.err)
    easy = [row for row in rows(grouped.out) if row["group"] == "easy"]
    # Groups are of scores: how much holds whatever the measure is told of lists alone.
    of_lists = {"dominated", "robust"} if called == "audit" else set()
    expected = [{name: value for name, value in row.items() if name not in of_lists} for row in rows(alone.out)]
    assert [{name: value for name, value in row.items() if name != "group"} for row in easy] == expected
    assert {row["group"] for row in rows(grouped.out)} == {"easy", "hard"}
    assert json.loads(grouped.out)["signature"]["topic_groups"]["name"] == "groups.tsv"
    assert "not judged" not in grouped.err
    table = cranfield(*call_of(called, "qrels.txt"), "-f", "table", "--topic-groups", "groups.tsv").out
    tested = called in (
        "compare",
        "gate",
        "compare prefer",
        "compare risk",
        "compare teams",
        "audit scales",
        "table",
        "compare friedman",
        "compare dominance",
    )
    apart = ", not corrected for 2 groups" if tested else ""
    assert f"hard: 12 topics{apart}\n\n" in table
    assert f"easy: 12 topics{apart}\n\n" in table


@pytest.mark.parametrize(
    ("called", "why"),
    [
        ("check", "complete files are checked"),
        ("fuse", "a fusion does not score topics"),
        ("audit study-tests", "a study draws the topics of its trials at random"),
    ],
)
def test_a_command_that_cannot_split_topics_says_why(called: str, why: str) -> None:
    ended = cranfield(*called.split(), "qrels.txt", *RUNS, "--topic-groups", "groups.tsv")
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.startswith(f"cranfield: error: --topic-groups: {why}")


def test_what_all_groups_say_is_said_once() -> None:
    Path("odd.run").write_text("99 Q0 a 1 1 x\n" + Path("first.run").read_text())
    err = cranfield("compare", "prefer", "qrels.txt", "odd.run", "second.run", "--topic-groups", "groups.tsv").err
    assert err.splitlines()[1:] == ["cranfield: warning: odd.run: 1 topic (99) is not judged, so it is ignored"]
    Path("late.run").write_text("".join(Path("first.run").read_text().splitlines(keepends=True)[3:]))
    err = cranfield("compare", "prefer", "qrels.txt", "late.run", "second.run", "--topic-groups", "groups.tsv").err
    assert "group hard: late.run: judged topic 1 missing from the run" in err
    assert "group easy" not in err


def test_standard_input_is_not_read_twice() -> None:
    ended = cranfield(
        "compare", "prefer", "-", *RUNS, "--topic-groups", "groups.tsv", input=Path("qrels.txt").read_bytes()
    )
    assert (ended.status, ended.out) == (2, "")
    assert "standard input (-) can be read once" in ended.err


def test_means_of_groups() -> None:
    found = rows(printed("evaluate", "qrels.txt", *RUNS, "-m", "RR", "-f", "json", "--topic-groups", "groups.tsv"))
    alone = rows(cranfield("evaluate", "easy/qrels.txt", *RUNS, "-m", "RR", "-f", "json").out)
    means = {row["system"]: row["mean"] for row in found if row["group"] == "easy"}
    assert means == {row["system"]: row["value"] for row in alone}
    varied = [row for row in found if row["low"] is not None]
    assert 0 < len(varied) < len(found), "equal scores of a few topics do not say how much others vary"
    assert all(row["low"] < row["mean"] < row["high"] for row in varied)
    table = printed("evaluate", "qrels.txt", *RUNS, "-m", "RR", "--topic-groups", "groups.tsv")
    assert "interval: 95% t intervals of each mean by itself" in table


def test_many_looks_and_small_groups_are_told_of() -> None:
    err = cranfield("compare", "qrels.txt", *RUNS, "-m", "RR", "--topic-groups", "groups.tsv").err
    assert "groups.tsv: 2 groups, each tested by itself, without a correction" in err
    Path("groups.tsv").write_text("".join(f"{topic} {'few' if int(topic) < 4 else 'more'}\n" for topic in TOPICS))
    ended = cranfield("audit", "qrels.txt", *RUNS, "-m", "RR,P@1", "--resamples", "20", "--topic-groups", "groups.tsv")
    assert "a group has fewer than 10 topics ('few' has 3): means are uncertain" in ended.err
    assert "group few: left out: an audit needs 4 topics or more" in ended.err
    assert "few: 3 topics" not in ended.out
    assert (ended.status, "more: 21 topics" in ended.out) == (0, True)


@pytest.mark.parametrize("called", ["compare", "compare prefer"])
def test_all_groups_corrected_together(called: str) -> None:
    """Witness: Holm's method of statsmodels, on p of every pair of every group."""
    call = (*call_of(called, "qrels.txt"), "--topic-groups", "groups.tsv")
    ended = cranfield(*call, "--across-groups", "holm", "-f", "json")
    together, apart = rows(ended.out), rows(cranfield(*call, "-f", "json").out)
    assert [row["p"] for row in together] == [row["p"] for row in apart]
    adjusted = multipletests([row["p"] for row in together], 0.05, "holm")[1]
    assert [row["p_adjusted"] for row in together] == pytest.approx(adjusted.tolist(), rel=1e-12)
    assert "each tested by itself" not in ended.err
    table = cranfield(*call, "--across-groups", "holm").out
    assert table.count("holm over all 6 comparisons of 2 groups") == 2
    intervals = "95% intervals of the differences, simultaneous for all pairs of all groups"
    assert table.count(intervals) == (2 if called == "compare" else 0)


@pytest.mark.parametrize(
    ("called", "why"),
    [
        ("judges", "this command corrects its tests within each group; compare, gate, "),
        ("audit scales", "this command corrects its tests within each group; compare, gate, "),
        (
            "audit",
            "this command does not correct p-values; compare, gate, prefer, risk and table correct p-values over all "
            "groups",
        ),
    ],
)
def test_what_corrects_nothing_over_groups_says_so(called: str, why: str) -> None:
    ended = cranfield(*call_of(called, "qrels.txt"), "--topic-groups", "groups.tsv", "--across-groups", "holm")
    assert (ended.status, ended.out) == (2, "")
    assert f"--across-groups: {why}" in ended.err


def test_a_gate_and_a_risk_are_corrected_together() -> None:
    groups = "-m", "RR", "--topic-groups", "groups.tsv", "--across-groups", "holm"
    ended = cranfield("gate", "qrels.txt", *RUNS, *groups)
    assert "(Holm's method over all 4 systems of 2 groups)" in ended.out
    assert "not corrected" not in ended.out + ended.err
    weighed = "compare", "risk", "qrels.txt", *RUNS, "--baseline", "first", *groups
    assert printed(*weighed).count("p_adjusted: holm over all 4 comparisons of 2 groups") == 2
    p = [(row["p"], row["p_adjusted"]) for row in rows(printed(*weighed, "-f", "json")) if row["p"] is not None]
    assert [one for _, one in p] == pytest.approx(multipletests([one for one, _ in p], method="holm")[1].tolist())
    assert "contradicts --correction bh" in cranfield(*weighed, "--correction", "bh").err


@pytest.mark.parametrize(
    ("call", "said"),
    [
        *(
            (("--test", test, *more), f"--test {test} tests all pairs together: choose a test of pairs")
            for test, *more in (("tukey",), ("randomized-tukey",), ("dunnett", "--baseline", "first"))
        ),
        (("--correction", "bh"), "--across-groups holm contradicts --correction bh"),
        (("--margin", "0.1"), "--across-groups corrects tests of differences, not of a margin"),
        (("--ranks",), "--across-groups corrects tests of pairs, and this table has none: leave it out"),
    ],
)
def test_what_is_not_corrected_across_groups(call: tuple[str, ...], said: str) -> None:
    groups = "--topic-groups", "groups.tsv", "--across-groups", "holm"
    ended = cranfield("compare", "qrels.txt", *RUNS, *call, *groups)
    assert (ended.status, ended.out) == (2, "")
    assert said in ended.err
    assert "name them with --topic-groups" in cranfield("compare", "qrels.txt", *RUNS, *groups[2:]).err


def test_the_gravest_verdict_ends_a_gate() -> None:
    """The third system is worse in both groups, and by far in one."""
    call = "gate", "qrels.txt", "first.run", "third.run", "-m", "RR", "--topic-groups", "groups.tsv"
    assert cranfield(*call).status == 3
    assert cranfield(*call, "--margin", "2").status == 0


def gate_of(groups: dict[str, str], *options: str) -> tuple[int, dict[str, dict[str, Any]], str]:
    """Status, the row of each group, and standard error of a gate whose new run loses topic 6 alone."""
    lines = Path("fourth.run").read_text().splitlines(keepends=True)
    Path("loses.run").write_text("".join(line for line in lines if not line.startswith("6 ")) + "6 Q0 z 1 9 x\n")
    Path("some.txt").write_text("".join(f"{topic}\t{group}\n" for topic, group in groups.items()))
    call = "gate", "qrels.txt", "fourth.run", "loses.run", "-m", "RR", "--margin", "0.5", "--topic-groups", "some.txt"
    ended = cranfield(*call, *options, "-f", "json")
    return ended.status, {row["group"]: row for row in rows(ended.out)}, ended.err


ALONE = {topic: "alone" if topic == "6" else "many" for topic in TOPICS}
MANY = {topic: "many" for topic in TOPICS if topic != "6"}


@pytest.mark.parametrize("across", ["none", "holm"])
def test_a_group_that_cannot_be_tested_is_no_pass(across: str) -> None:
    status, found, err = gate_of(ALONE, "--across-groups", across)
    assert (status, found["many"]["verdict"], found["alone"]["verdict"]) == (4, "no regression", "cannot tell")
    said = "the mean is not tested: a gate needs 2 topics or more, and the scores have 1"
    assert (found["alone"]["reason"], found["alone"]["low"], found["alone"]["difference"]) == (said, None, -1.0)
    assert "left out" not in err
    for how, ended in (("pass", 0), ("fail", 3)):
        assert gate_of(ALONE, "--across-groups", across, "--cannot-tell", how)[0] == ended


def test_equal_scores_need_no_test() -> None:
    gate_of(ALONE)
    call = "gate", "qrels.txt", "fourth.run", "same.run", "-m", "RR", "--topic-groups", "some.txt", "-f", "json"
    Path("same.run").write_text(Path("fourth.run").read_text())
    ended = cranfield(*call)
    assert ended.status == 0
    assert {row["group"]: row["reason"] for row in rows(ended.out)} == dict.fromkeys(
        ["many", "alone"], "the same score on every topic"
    )


def test_a_group_whose_systems_share_too_few_topics_is_no_pass() -> None:
    groups = {topic: "few" if topic in ("6", "7") else "many" for topic in TOPICS}
    gate_of(groups)
    lines = Path("fourth.run").read_text().splitlines(keepends=True)
    Path("lacks.run").write_text("".join(line for line in lines if not line.startswith("6 ")))
    call = "gate", "qrels.txt", "fourth.run", "lacks.run", "-m", "RR", "--missing", "skip", "--topic-groups", "some.txt"
    ended = cranfield(*call, "-f", "json")
    few = next(row for row in rows(ended.out) if row["group"] == "few")
    assert (ended.status, few["verdict"], few["topics"], few["missing"]) == (4, "cannot tell", 1, 1)
    assert "no score on topic 6 of the baseline's" in few["reason"]


@pytest.mark.parametrize("across", ["none", "holm"])
def test_no_topic_escapes_the_worst_topic(across: str) -> None:
    """A group of one topic, and a topic without a group, whose mean nobody tests."""
    options = "--across-groups", across, "--worst-topic"
    status, found, _ = gate_of(ALONE, *options, "0.5")
    assert (status, found["alone"]["verdict"]) == (3, "regression")
    assert found["alone"]["reason"] == "topic 6 loses 1.0000, more than 0.5"
    status, found, _ = gate_of(MANY, *options, "0.5")
    assert (status, found["without a group"]["verdict"], found["many"]["verdict"]) == (3, "regression", "no regression")
    status, found, _ = gate_of(MANY, *options, "1")
    assert (status, found["without a group"]["verdict"]) == (0, "no regression")
    assert "these topics have no group" in found["without a group"]["reason"]
    assert list(gate_of(MANY)[1]) == ["many", "without a group"]
    named = dict(MANY, **{"1": "without a group"})
    assert list(gate_of(named, *options, "1")[1]) == ["without a group", "many", "(without a group)"]


@pytest.mark.parametrize("across", ["none", "holm"])
def test_what_topics_without_a_group_lose_is_a_regression(across: str) -> None:
    grouped = TOPICS[:4]
    gate_of(dict.fromkeys(grouped, "few"))
    kept = [line for line in Path("fourth.run").read_text().splitlines(keepends=True) if line.split()[0] in grouped]
    lost = [f"{topic} Q0 z 1 9 x\n" for topic in TOPICS if topic not in grouped]
    Path("loses.run").write_text("".join(kept + lost))
    call = "gate", "qrels.txt", "fourth.run", "loses.run", "-m", "RR", "--topic-groups", "some.txt"
    ended = cranfield(*call, "--across-groups", across, "-f", "json")
    verdicts = {row["group"]: row["verdict"] for row in rows(ended.out)}
    assert (ended.status, verdicts) == (3, {"few": "no regression", "without a group": "regression"})


def test_headings_count_groups_alone() -> None:
    gate_of({topic: "even" if topic in EASY else "odd" for topic in TOPICS if topic != "6"})
    call = "gate", "qrels.txt", "fourth.run", "loses.run", "-m", "RR", "--topic-groups", "some.txt", "--worst-topic"
    out = cranfield(*call, "1").out
    assert "odd: 12 topics, not corrected for 2 groups\n" in out
    assert "\nwithout a group: 1 topic\n" in out


def test_a_stored_baseline_is_cut_to_the_group() -> None:
    printed("evaluate", "qrels.txt", "first.run", "-m", "RR", "-q", "-f", "json", "-o", "stored.json")
    groups = "-m", "RR", "--margin", "2", "-f", "json", "--topic-groups", "groups.tsv"
    stored = rows(cranfield("gate", "qrels.txt", "third.run", "--against", "stored.json", *groups).out)
    beside = rows(cranfield("gate", "qrels.txt", "first.run", "third.run", *groups).out)
    numbers = "group", "system", "verdict", "mean", "mean_baseline", "difference", "low", "high"
    assert [[row[name] for name in numbers] for row in stored] == [[row[name] for name in numbers] for row in beside]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (("standardize", "--fit", "factors.json"), "--fit writes factors of all topics, not of groups"),
        (("standardize", "-o", "scaled.parquet"), "--format parquet has no room for groups of topics"),
        (("evaluate", "-q"), "means of groups have no room for --by-topic"),
        (("evaluate", "--flat"), "--flat changes nothing with --topic-groups"),
    ],
)
def test_what_has_no_room(call: tuple[str, ...], said: str) -> None:
    ended = cranfield(call[0], "qrels.txt", *RUNS, *call[1:], "--topic-groups", "groups.tsv")
    assert (ended.status, ended.out) == (2, "")
    assert said in ended.err


def test_groups_are_no_output() -> None:
    before = Path("groups.tsv").read_text()
    for name in ("groups.tsv", "groups.tsv#group"):
        ended = cranfield("evaluate", "qrels.txt", *RUNS, "--topic-groups", name, "-o", "groups.tsv")
        assert (ended.status, "this command reads it" in ended.err) == (1, True)
    assert Path("groups.tsv").read_text() == before


def test_a_protocol_holds_them() -> None:
    how = "-m", "RR", "--topic-groups", "groups.tsv#group"
    printed("protocol", "init", "-o", "track.toml", "evaluate", "qrels.txt", *how)
    assert printed("protocol", "run", "track.toml", *RUNS) == printed("evaluate", "qrels.txt", *RUNS, *how)
    ended = cranfield("audit", "study-tests", "--protocol", "track.toml", *RUNS)
    assert "track.toml has groups of topics, and `study-tests` does not split topics" in ended.err
    with Path("groups.tsv").open("a") as file:
        file.write("25\thard\n")
    assert "groups.tsv: is not the file of track.toml" in cranfield("protocol", "run", "track.toml", *RUNS).err


def test_options_are_worded_once() -> None:
    helps = {
        one.help
        for name, command in commands().items()
        if name != "report"  # there it adds a leaderboard, and repeats nothing
        for one in command.params
        if isinstance(one, click.Option) and one.name == "topic_groups"
    }
    assert len(helps) == 1


@pytest.mark.data("data/trec-covid-round5")
def test_groups_of_a_track(tmp_path: Path) -> None:
    shared = DATA / "trec-covid-round5"
    runs = [str(path) for path in sorted((shared / "runs").iterdir())[:3]]
    Path("covid.txt").write_text("".join(f"{topic} {'old' if topic <= 30 else 'new'}\n" for topic in range(1, 51)))
    call = "evaluate", shared / "qrels.covid-complete.txt.gz", *runs, "-m", "nDCG@10", "-f", "json"
    found = rows(printed(*call, "--topic-groups", "covid.txt"))
    whole = {row["system"]: row["value"] for row in rows(printed(*call))}
    for system, mean in whole.items():
        parts = {row["group"]: row["mean"] for row in found if row["system"] == system}
        assert (30 * parts["old"] + 20 * parts["new"]) / 50 == pytest.approx(mean, abs=1e-12)


@pytest.mark.data("data/trec-web", "data/trec-web-2012-baseline-runs")
def test_kinds_of_topics_with_intents(tmp_path: Path) -> None:
    """Faceted and ambiguous topics of Web 2012, in a protocol; the mean of all lies between theirs as it should."""
    shared = DATA / "trec-web" / "2012"
    topics = dict(re.findall(r'<topic number="(\d+)" type="(\w+)"', (shared / "full-topics.xml").read_text()))
    Path("kinds.csv").write_text("topic,kind\n" + "".join(f"{topic},{kind}\n" for topic, kind in topics.items()))
    runs = [str(path) for path in sorted((DATA / "trec-web-2012-baseline-runs").iterdir()) if "filtered" in path.name][
        :2
    ]
    call = str(shared / "qrels.diversity.txt.gz"), "-m", "alpha-nDCG@20", "--topic-groups", "kinds.csv#kind"
    assert cranfield("protocol", "init", "-o", "web.toml", "evaluate", *call).status == 0
    ended = cranfield("protocol", "run", "web.toml", "--protocol-outside", *runs, "-f", "json")
    assert ended.status == 0
    found = rows(ended.out)
    assert {row["group"] for row in found} == {"faceted", "ambiguous"}
    whole = rows(cranfield("evaluate", call[0], *runs, "-m", "alpha-nDCG@20", "-f", "json").out)
    for row in whole:
        parts = [one for one in found if one["system"] == row["system"]]
        weighted = sum(one["topics"] * one["mean"] for one in parts) / sum(one["topics"] for one in parts)
        assert weighted == pytest.approx(row["value"], abs=1e-12)
