"""The commands that judge scores: they print what the functions return, and refuse what makes no sense."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from command import cranfield as run
from command import printed

import cranfield
from cranfield.scores import read_scores


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Simulated runs, and two matrices of scores."""
    folder = tmp_path_factory.mktemp("trust")
    cranfield.simulation.simulate_runs(n_systems=6, n_topics=10, depth=20).write_collection(folder)
    rng = np.random.default_rng(0)
    values = rng.beta(1, 2, size=(12, 1)) * 0.4 + rng.beta(2, 3, size=(12, 5)) * 0.2 + np.linspace(0, 0.3, 5)
    for name, table in (("AP", values), ("mine", np.round(values, 1))):
        frame = pd.DataFrame(table, columns=["=a", "b", "c_d", "e", "f"])
        frame.insert(0, "topic", [f"q{at}" for at in range(12)])
        frame.to_csv(folder / f"{name}.csv", index=False)
    return folder


COMMANDS = [
    ("compare",),
    ("compare", "--groups"),
    ("compare", "--baseline", "b", "--test", "randomized-tukey", "--resamples", "999"),
    ("audit", "reliability", "-n", "5", "-n", "50"),
    ("audit", "stability", "-n", "3", "--subsets", "10"),
    ("audit", "sensitivity", "--resamples", "50"),
    ("audit", "sensitivity", "--resamples", "50", "--curve"),
    ("audit", "select-topics", "-n", "3"),
    ("audit", "--resamples", "50", "--subsets", "10"),
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("format", ["table", "tsv", "csv", "json"])
def test_every_command_in_every_format(files: Path, command: tuple[str, ...], format: str) -> None:
    out = printed(*command, "--scores", files / "AP.csv", "-f", format)
    written = files / "out"
    assert printed(*command, "--scores", files / "AP.csv", "-f", format, "-o", written) == ""
    assert written.read_text() == out
    if format == "json":
        found = json.loads(out)
        assert found["signature"]["scores"]["scores"][0]["name"] == "AP.csv"
        assert len(found["rows"]) >= 1
    if format in ("tsv", "csv"):
        frame = pd.read_csv(written, sep="\t" if format == "tsv" else ",")
        assert len(frame) >= 1
        names = [name for column in ("system", "other") if column in frame for name in frame[column]]
        assert ("=a" in names) == (bool(names) and format == "tsv")
        assert ("'=a" in names) == (bool(names) and format == "csv")


@pytest.mark.parametrize(
    "command", ["compare", "audit reliability", "audit stability", "audit select-topics", "audit sensitivity", "audit"]
)
def test_the_help_names_the_default_measure(files: Path, command: str) -> None:
    several = command in ("audit sensitivity", "audit")
    said = {
        "compare": "nDCG@10, or the score file's",
        "audit select-topics": "nDCG@10, or the score file's",
        "audit reliability": "nDCG@10; of score files, what they hold",
        "audit stability": "nDCG@10; of score files, what they hold",
    }.get(command, "as `evaluate`, without Judged@10; of score files, what they hold")
    assert said in " ".join(printed(*command.split(), "--help").split())
    runs = (files / "qrels.txt", *sorted((files / "runs").iterdir()))
    options = ("-n", "4") if command in ("audit stability", "audit select-topics") else ()
    signature = json.loads(printed(*command.split(), *runs, *options, "-f", "json"))["signature"]
    measures = [signature["measure"]] if isinstance(signature["measure"], str) else signature["measure"]
    assert measures == ["nDCG@10"] or (several and len(measures) == 5 and measures[0] == "nDCG@10")


@pytest.mark.parametrize("command", [*COMMANDS[:1], *COMMANDS[3:6], COMMANDS[8]], ids=" ".join)
def test_runs_and_files_give_the_same(files: Path, command: tuple[str, ...]) -> None:
    collection = (files / "qrels.txt", *sorted((files / "runs").iterdir()))
    scored = files / "scored.tsv"
    printed("evaluate", *collection, "-m", "AP", "-q", "-f", "tsv", "-o", scored)
    of_runs = run(*command, *collection, "-m", "AP", "-f", "tsv")
    of_scores = run(*command, "--scores", scored, "-f", "tsv")
    assert (of_runs.status, of_runs.err) == (of_scores.status, of_scores.err)
    assert of_runs.status == 0
    # Lists also show how much holds whatever the measure, which scores do not.
    same = [row[: len(of_scores.out.split("\n", 1)[0].split("\t"))] for row in in_cells(of_runs.out)]
    assert same == in_cells(of_scores.out)


def in_cells(text: str) -> list[list[str]]:
    return [line.split("\t") for line in text.splitlines() if not line.startswith("#")]


def test_compare_prints_the_comparison(files: Path) -> None:
    rows = json.loads(printed("compare", "--scores", files / "AP.csv", "-f", "json", "--test", "bootstrap"))["rows"]
    scores = read_scores(str(files / "AP.csv"))["AP"]
    expected = cranfield.compare(scores, test="bootstrap").pairs
    expected = expected.iloc[np.argsort(-expected["difference"].abs().to_numpy(), kind="stable")]
    assert pd.DataFrame(rows).to_dict("list") == expected.to_dict("list")


def test_compare_says_what_the_topics_can_find(files: Path) -> None:
    out = printed("compare", "--scores", files / "AP.csv", "--difference", "0.05", "--power", "0.9")
    scores = read_scores(str(files / "AP.csv"))["AP"]
    least = cranfield.comparison.estimate_detectable_difference(scores, power=0.9).difference
    alone = cranfield.comparison.estimate_detectable_difference(scores, power=0.9, correction="none").difference
    pairs = len(cranfield.compare(scores).pairs)
    assert (
        f"smallest true difference that these topics detect with 90% power: {least:.4f} (any one of {pairs} pairs, "
        f"corrected for all), {alone:.4f} (one pair alone)"
    ) in out
    plans: list[tuple[dict[str, Any], str]] = [
        ({}, f" a difference of 0.05 with 90% power (any one of {pairs} pairs, corrected for all)"),
        ({"correction": "none"}, " a difference of 0.05 with 90% power (one pair alone)"),
        (
            {"design": "anova"},
            " it with the same power between the best and the worst system by one-way ANOVA of all systems, "
            "which, unlike tests of pairs, does not remove what topics have in common",
        ),
    ]
    for options, what in plans:
        topics = cranfield.comparison.estimate_topics_needed(scores, 0.05, power=0.9, **options).topics
        assert f"{topics:,} topics detect{what}" in out


@pytest.mark.parametrize(
    ("test", "cases", "of_all", "alone", "known"),
    [
        ("t", "", "", "", ""),
        ("sign", " by paired t-tests", "", "", "; the power of test=sign is not estimated"),
        ("welch", " by paired t-tests", "", "", "; the power of test=welch is not estimated"),
        ("permutation", " by paired t-tests", "", "", "; the power of test=permutation is not estimated"),
        ("tukey", "", "", ", by a paired t-test", ""),
        ("randomized-tukey", "", ", by tukey", ", by a paired t-test", ""),
    ],
)
def test_compare_says_by_which_test_its_topics_find_a_difference(
    files: Path, test: str, cases: str, of_all: str, alone: str, known: str
) -> None:
    out = printed("compare", "--scores", files / "AP.csv", "--test", test, "--difference", "0.05", "--power", "0.995")
    lines = [line for line in out.splitlines() if "topics detect" in line]
    numbers = r"0\.\d{4} \(any one of \d+ pairs, corrected for all"
    assert re.fullmatch(
        rf"smallest true difference that these topics detect with 99\.5% power{cases}: {numbers}{re.escape(of_all)}\), "
        rf"0\.\d{{4}} \(one pair alone{re.escape(alone)}\){known}",
        lines[0],
    )
    assert re.fullmatch(
        rf"\d+ topics detect a difference of 0\.05 with 99\.5% power{cases} \(one pair alone{re.escape(alone)}\)",
        lines[2],
    )


def test_reliability_shows_variances_and_topics_needed(files: Path) -> None:
    scores = read_scores(str(files / "AP.csv"))["AP"]
    expected = cranfield.trust.estimate_reliability(scores, target=0.9)
    rows = json.loads(
        printed("audit", "reliability", "--scores", files / "AP.csv", "--show", "components", "-f", "json")
    )["rows"]
    assert [row["share"] for row in rows] == expected.components["share"].tolist()
    needed = printed(
        "audit", "reliability", "--scores", files / "AP.csv", "--show", "needed", "--target", "0.9", "-f", "tsv"
    ).splitlines()
    assert needed[0] == "measure\tcoefficient\ttarget\ttopics\tlow\thigh\tboot_low\tboot_high"
    rows = [["AP", name, "0.9", f"{count:.0f}"] for name, count in expected.needed.items()]
    ends = [[f"{end:.0f}" for end in row] for row in expected.needed_within.to_numpy()]
    assert needed[1:] == ["\t".join([*row, *more]) for row, more in zip(rows, ends, strict=True)]


def test_no_topic_of_a_selection_is_lost(files: Path) -> None:
    scores = read_scores(str(files / "AP.csv"))["AP"]
    rows = json.loads(printed("audit", "select-topics", "--scores", files / "AP.csv", "-n", "3", "-f", "json"))["rows"]
    assert tuple(row["topic"] for row in rows) == cranfield.select_topics(scores, 3).topics
    assert [row["topics"] for row in rows] == [1, 2, 3]
    assert rows[0]["chosen_by"] is None, "one topic has no reliability"


def test_topics_are_selected_by_the_ease_that_difficulty_prints(files: Path) -> None:
    ease = printed("difficulty", files / "qrels.txt", *sorted((files / "runs").glob("*.run")), "-f", "tsv")
    (files / "ease.tsv").write_text(ease)
    table = [line.split("\t") for line in ease.splitlines()]
    known = {row[0]: float(row[table[0].index("ease")]) for row in table[1:]}
    scores = cranfield.evaluate(sorted(map(str, (files / "runs").glob("*.run"))), str(files / "qrels.txt"), "AP")["AP"]
    scores.to_pandas().rename_axis("topic").to_csv(files / "evaluated.csv")
    asked = ("audit", "select-topics", "--scores", files / "evaluated.csv", "-n", "3")
    rows = json.loads(printed(*asked, "--objective", "ease", "--ease", files / "ease.tsv", "-f", "json"))["rows"]
    expected = cranfield.select_topics(scores, 3, objective="ease", ease=known)
    assert cranfield.select_topics(scores, 3, objective="ease", ease=files / "ease.tsv") == expected
    assert tuple(row["topic"] for row in rows) == expected.topics
    assert "systems check the choice by ease, with Phi" in printed(
        *asked, "--objective", "ease", "--ease", files / "ease.tsv"
    )
    assert "--objective ease needs --ease" in run(*asked, "--objective", "ease").err
    assert "--ease is for --objective ease" in run(*asked, "--ease", files / "ease.tsv").err
    runs = (files / "qrels.txt", *sorted((files / "runs").glob("*.run")), "-m", "AP", "-n", "3")
    computed = json.loads(printed("audit", "select-topics", *runs, "--objective", "ease", "-f", "json"))["rows"]
    assert tuple(row["topic"] for row in computed) == expected.topics, "the ease of the runs themselves"
    (files / "bad.tsv").write_text("topic\tease\n1\teasy\n")
    said = run(*asked, "--objective", "ease", "--ease", files / "bad.tsv").err
    assert "topic '1' has the ease 'easy', which should be a number from 0 to 1, or nan" in said


def test_the_power_of_a_single_pair_names_what_to_do(files: Path) -> None:
    runs = (files / "qrels.txt", *sorted((files / "runs").glob("*.run"))[:2], "--resamples", "50")
    assert (
        "the table of differences compares the measures"
        in run("audit", "sensitivity", *runs, "-m", "AP", "-m", "RR").out
    )
    assert "its interval says little: name more runs" in run("audit", "sensitivity", *runs, "-m", "AP").out


def accept_one_judge_twice(*arguments: str | Path) -> str:
    """Return what a command prints of judgments that are given under two names, which it has warned of."""
    ended = run(*arguments)
    assert ended.status == 0
    assert "hold the same judgments: is one judge here twice?" in ended.err
    return ended.out


def test_agreement_reads_formats_and_tags(files: Path) -> None:
    judged = [line.split() for line in (files / "qrels.txt").read_text().splitlines()]
    (files / "beir.tsv").write_text(
        "query-id\tcorpus-id\tscore\n" + "".join(f"{topic}\t{doc}\t{label}\n" for topic, _, doc, label in judged)
    )
    (files / "other.tsv").write_text((files / "beir.tsv").read_text())
    out = accept_one_judge_twice(
        *("judges", files / "beir.tsv", files / "other.tsv", "-r", f"{files}/runs/*.run"),
        *("--input-format", "beir", "--names", "tag", "-f", "json"),
    )
    assert json.loads(out)["rows"][0]["tau_b"] == 1.0


def test_latex_is_escaped(files: Path) -> None:
    out = printed("compare", "--scores", files / "AP.csv", "--baseline", "c_d", "-f", "latex")
    lines = out.splitlines()
    assert lines[:2] == [r"\begin{table}", r"\centering"]
    assert lines[2].startswith(r"\caption{AP, ")
    assert lines[3] == r"\scriptsize\setlength{\tabcolsep}{2pt}", "eight columns are wide"
    assert lines[4].startswith(r"\begin{tabular}{llrrr")
    assert lines[-2:] == [r"\end{tabular}", r"\end{table}"]
    assert r"=a & c\_d & " in out
    assert all(line.endswith(r"\\") for line in lines[6:7] + lines[8:-3])


def test_an_infinite_effect_in_every_format(files: Path) -> None:
    (files / "odd.csv").write_text("a,b\n0.5,0.25\n0.75,0.5\n0.375,0.125\n")
    for format, text in (("json", '"d_pair": "inf"'), ("tsv", "\tinf\t"), ("csv", ",inf,"), ("table", " inf ")):
        ended = run("compare", "--scores", files / "odd.csv", "-f", format)
        assert ended.status == 0
        assert text in ended.out
        said = "differ by the same amount on every topic, which leaves no spread to judge by: no interval, no p"
        said += "; by exact signs p is 0.25 (p_signs, not corrected)"
        assert ended.err == f"cranfield: warning: odd: 'a' and 'b' {said}\n"


def test_agreement_of_judges(files: Path) -> None:
    judged = (files / "qrels.txt").read_text()
    (files / "judge.txt").write_text("".join(
        f"{topic} 0 {doc} {min(1, int(label))}\n" for topic, _, doc, label in map(str.split, judged.splitlines())
    ))  # fmt: skip
    two = ("judges", files / "qrels.txt", files / "judge.txt", "-r", f"{files}/runs/*.run")
    for show, column in (
        ("systems", "kept"),
        ("favour", "favour"),
        ("intervals", "among_best"),
        ("movers", "gained"),
    ):
        rows = json.loads(printed(*two, "--show", show, "-f", "json"))["rows"]
        assert column in rows[0]
    labels = json.loads(printed(*two[:3], "--show", "labels", "-f", "json"))["rows"]
    assert labels[0]["kappa_binary"] == 1.0
    stricter = json.loads(printed(*two[:3], "--show", "labels", "-f", "json", "--rel", "qrels=2"))["rows"]
    assert stricter[0]["kappa_binary"] < 1.0
    assert len(printed(*two[:3], "--show", "topics", "-f", "tsv").splitlines()) == 11
    assert "reference judge; 6 systems" in printed(*two, "--reference", "judge", "--common")


def test_agreement_says_over_which_topics_leaderboards_are_and_why_shares_are_nan(files: Path) -> None:
    judged = (files / "qrels.txt").read_text().splitlines(keepends=True)
    topics = list(dict.fromkeys(line.split()[0] for line in judged))
    (files / "part.txt").write_text("".join(line for line in judged if line.split()[0] in topics[:2]))
    both = ("judges", files / "qrels.txt", files / "part.txt", "-r", f"{files}/runs/*.run")
    differing = (
        f"leaderboards over different topics: qrels {len(topics)}, part 2; all have 2 topics in common; "
        "keep only what all judges judged (--common)"
    )
    why = "kept, lost and reversed are undefined (nan): qrels, over 2 topics, finds no pair significant"
    out, common = run(*both).out, run(*both, "--common", "--top", "2").out
    assert differing in out
    assert differing in run(*both, "--show", "movers").out
    assert "different topics" not in run(*both[:3], "--show", "labels").out
    assert "different topics" not in common
    assert why in common
    assert f"top_{why.replace(', lost and ', ', top_lost and top_')} among the 2 best systems" in common


def test_agreement_warns_of_a_judge_of_few_documents(files: Path) -> None:
    lines = (files / "qrels.txt").read_text().splitlines(keepends=True)
    (files / "people.txt").write_text("".join(line for at, line in enumerate(lines) if at % 5 < 2))
    both = ("judges", files / "people.txt", files / "qrels.txt", "-r", f"{files}/runs/*.run")
    said = " ".join(run(*both).err.split())
    assert "by 'people', many of the first 10 documents are not judged, and count as not relevant" in said
    assert "compare what all judged (--common)" in said
    assert "many of the first" not in " ".join(run(*both, "--common").err.split())


def test_agreement_of_scores_with_gaps(tmp_path: Path) -> None:
    (tmp_path / "AP.csv").write_text("topic,a,b,c,d\nt1,.5,.6,.7,.1\nt2,.4,.5,.2,.3\nt3,.9,.5,,.3\nt4,.4,.52,.2,.3\n")
    (tmp_path / "RR.csv").write_text("topic,a,b,c,d\nt1,.5,.6,.7,.2\nt2,.4,.5,.2,.3\nt3,.9,.5,.3,.1\nt4,.4,.5,.2,.1\n")
    call = ("judges", "--scores", tmp_path / "AP.csv", "--scores", tmp_path / "RR.csv")
    for show in ("systems", "correlations", "movers"):
        ended = run(*call, "--show", show, "--missing-scores", "drop-topics")
        assert ended.status == 0
        assert "1 of 4 topics left out, with scores missing ('t3'; --missing-scores drop-topics)" in ended.err
        refused = run(*call, "--show", show, "--missing-scores", "refuse")
        assert (refused.status, refused.out) == (1, "")
    assert "means over different topics do not rank systems" in run(*call).err
    runs = run("judges", "q", "q", "-r", "x", "--missing-scores", "refuse")
    assert runs.status == 2
    assert "--missing-scores changes nothing with --run" in runs.err


def test_agreement_of_scores(files: Path) -> None:
    out = printed("judges", "--scores", files / "AP.csv", "--scores", files / "mine.csv", "-f", "tsv")
    scores = {name: read_scores(str(files / f"{name}.csv"))[name] for name in ("AP", "mine")}
    assert out.splitlines()[1].startswith("mine\t")
    assert float(out.splitlines()[1].split("\t")[1]) == cranfield.compare_rankings(scores).table.loc["mine", "tau_b"]


def test_simulated_scores_are_scores(files: Path) -> None:
    truth = files / "truth.tsv"
    out = printed("simulate", "scores", "--scores", files / "AP.csv", "--n-topics", "40", "--null", "--truth", truth)
    assert out.splitlines()[0] == "topic,'=a,b,c_d,e,f" or out.splitlines()[0] == "topic,=a,b,c_d,e,f"
    assert len(out.splitlines()) == 41
    assert len(set(pd.read_csv(truth, sep="\t")["mean"])) == 1
    assert "40 topics" in printed("compare", "--scores", "-", input=out.encode())


def test_means_of_some_systems_are_given(files: Path) -> None:
    truth = files / "given.tsv"
    printed("simulate", "scores", "--scores", files / "AP.csv", "--mean", "b=.6", "--mean", "=a=.25", "--truth", truth)
    means = dict(zip(*(pd.read_csv(truth, sep="\t")[name] for name in ("system", "mean")), strict=True))
    assert means["b"] == pytest.approx(0.6)
    assert means["=a"] == pytest.approx(0.25)
    assert means["e"] == pytest.approx(read_scores(str(files / "AP.csv"))["AP"].sel(system="e").mean().item())


HOSTILE = ["=1+1", "a_b & 50% {x}", "\x1b[31mred", "two\nlines", 'say "hi"', "\\input{x}"]


def test_names_of_strangers_harm_nothing(files: Path) -> None:
    rng = np.random.default_rng(2)
    frame = pd.DataFrame(rng.random((6, len(HOSTILE))), columns=HOSTILE)
    frame.to_csv(files / "hostile.csv", index=False)
    table = printed("compare", "--scores", files / "hostile.csv")
    assert not any(char in table for char in ("\x1b", "two\nlines"))
    written = files / "hostile-out.csv"
    printed("compare", "--scores", files / "hostile.csv", "-f", "csv", "-o", written)
    back = pd.read_csv(written)
    assert {name.removeprefix("'") for name in (*back["system"], *back["other"])} == set(HOSTILE)
    assert not any(name[0] in "=+-@\x1b" for name in (*back["system"], *back["other"]))
    latex = printed("compare", "--scores", files / "hostile.csv", "-f", "latex", "--baseline", "=1+1")
    assert r"a\_b \& 50\% \{x\} & =1+1 & " in latex
    assert r"\textbackslash{}input\{x\}" in latex
    assert len(latex.splitlines()) == 11 + len(HOSTILE) - 1
    refused = run("compare", "--scores", files / "hostile.csv", "-f", "tsv")
    assert refused.status == 1
    assert r"the name 'two\nlines' holds a tab or a line end" in refused.err


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("compare", "--scores", "AP.csv", "--baseline", "bb"), 2, "no system is called 'bb'; did you mean 'b'?"),
        (
            ("compare", "--scores", "AP.csv", "--test", "tukey", "--correction", "holm"),
            2,
            "adjusts for all pairs itself",
        ),
        (("compare", "--scores", "AP.csv", "--alpha", "5"), 2, "--alpha 5.0 should lie between 0 and 1"),
        (("compare", "--scores", "AP.csv", "--baseline", "b", "--groups"), 2, "groups need all pairs"),
        (("compare", "--scores", "AP.csv", "--margin", "1", "--groups"), 2, "are two tables: choose one"),
        (("compare", "--scores", "AP.csv", "--scores", "mine.csv"), 2, "choose it with --measure (AP, mine)"),
        (("compare", "--scores", "AP.csv", "-o", "no/such/folder"), 1, "no such folder"),
        (
            ("compare", "--scores", "AP.csv", "--difference", "inf"),
            2,
            "--difference inf should be a number above 0",
        ),
        (("compare", "--scores", "AP.csv", "--difference", "1", "-f", "csv"), 2, "--difference changes nothing in csv"),
        (("compare", "--scores", "huge.csv"), 1, "huge goes up to 1e+200, whose square is lost"),
        (("judges", "--scores", "AP.csv", "--ties", "docid"), 2, "--ties changes nothing with --scores"),
        (("judges", "q", "q", "--show", "labels", "--rel", "nan"), 2, "'nan' is not a number"),
        (("compare",), 2, "QRELS RUN... or --scores FILE is missing"),
        (("audit", "reliability", "--scores", "AP.csv", "--drop", "1"), 2, "--drop 1.0 leaves no system"),
        (("audit", "stability", "--scores", "AP.csv", "-n", "99"), 2, "--n-topics 99 should lie between 1 and 12"),
        (("audit", "sensitivity", "--scores", "AP.csv", "--curve", "--differences"), 2, "choose one"),
        (
            ("audit", "sensitivity", "--scores", "AP.csv", "--differences"),
            2,
            "--differences compares measures: name two or more",
        ),
        (
            ("audit", "select-topics", "--scores", "AP.csv", "-n", "13"),
            2,
            "--n-topics 13 should lie between 2 and 12, the number of topics",
        ),
        (("judges", "qrels.txt", "-r", "x"), 2, "at least two judgments, and there is 1"),
        (
            ("judges", "qrels.txt", "qrels.txt"),
            2,
            "--show systems needs --run, or --scores; without, there is --show labels",
        ),
        (("judges", "qrels.txt", "--scores", "AP.csv"), 2, "QRELS QRELS... changes nothing with --scores"),
        (("judges", "--scores", "AP.csv", "--show", "labels"), 2, "--scores changes nothing with --show labels"),
        (("judges", "--scores", "AP.csv", "-m", "AP"), 2, "leave -m out"),
        (("judges", "q", "q", "-r", "x", "--ties", "bounds"), 2, "--ties bounds gives a range for each score"),
        (("compare", "qrels.txt", "x", "--ties", "bounds"), 2, "--ties bounds gives a range for each score"),
        (("judges", "--scores", "AP.csv"), 2, "at least two sources"),
        (("judges", "q", "q", "--show", "labels", "--rel", "a=b"), 2, "'b' is not a number"),
        (("judges", "q", "q", "--show", "labels", "--rel", "1", "--rel", "q=2"), 2, "give it alone"),
        (("simulate", "scores", "--scores", "AP.csv", "--mean", "2"), 2, "should lie between 0 and 1"),
        (("simulate", "scores", "--scores", "AP.csv", "--mean", "x=.5"), 2, "means names 'x', which is not a system"),
        (("simulate", "scores", "--scores", "AP.csv", "--mean", "b=1_0"), 2, "'1_0' is not a number"),
        (("audit", "--scores", "holes.csv"), 1, "an audit needs every system's score on every topic"),
    ],
)
def test_wrong_calls(
    files: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], status: int, message: str
) -> None:
    monkeypatch.chdir(files)
    (files / "huge.csv").write_text("a,b\n1e200,1e100\n2e199,1e10\n")
    (files / "holes.csv").write_text("a,b\n0.5,0.25\nNA,0.5\n0.375,0.125\n0.1,0.2\n")
    ended = run(*arguments)
    assert (ended.status, ended.out) == (status, "")
    assert message in ended.err
    assert ended.err.startswith("cranfield: error: ")
    assert ended.err.count("\n") == 1


@pytest.fixture(scope="module")
def covered(files: Path) -> Path:
    """Scores by the measures of ``cranfield evaluate``, judging coverage among them."""
    path = files / "covered.tsv"
    runs = sorted((files / "runs").iterdir())
    printed("evaluate", files / "qrels.txt", *runs, "-m", "AP", "-m", "Judged@10", "-q", "-f", "tsv", "-o", path)
    return path


@pytest.mark.parametrize(
    "command", ["compare", "audit reliability", "audit stability", "audit sensitivity", "audit", "standardize"]
)
def test_what_is_no_measure_of_effectiveness_is_left_out_with_a_word(covered: Path, command: str) -> None:
    ended = run(*command.split(), "--scores", covered, "-f", "json")
    assert (ended.status, "Judged@10" in ended.out) == (0, False)
    said = "Judged@10 is not a measure of effectiveness and left out: -m includes what is named"
    assert f"cranfield: warning: {said}\n" in ended.err
    asked = run(command, "--scores", covered, "-m", "Judged@10", "-f", "json")
    if command == "audit":
        assert (asked.status, asked.out) == (2, "")
        assert "Judged@10 is not a measure of effectiveness" in asked.err
    else:
        assert asked.status == 0
        assert '"Judged@10"' in asked.out


def test_the_resamples_of_an_interval_are_those_asked_for(files: Path) -> None:
    few, many = (
        printed("compare", "--scores", files / "AP.csv", "--interval", "bca", "--resamples", number, "-f", "csv")
        for number in ("100", "9000")
    )
    assert few != many
    shown = printed("compare", "--scores", files / "AP.csv", "--interval", "bca")
    assert "(test=t, correction=holm, 2,000 resamples, seed 1)" in shown
    refused = run("compare", "--scores", files / "AP.csv", "--resamples", "100")
    assert (refused.status, refused.out) == (2, "")
    assert "--resamples 100, and --test t draws none: leave it out" in refused.err


def test_two_files_of_one_measure_are_systems_or_judges(files: Path, covered: Path) -> None:
    refused = run("compare", "--scores", covered, "--scores", covered)
    assert refused.status == 1
    assert "covered.tsv: these scores are given twice" in refused.err
    other = files / "again.tsv"
    other.write_bytes(covered.read_bytes())
    both = run("compare", "--scores", covered, "--scores", other, "-m", "AP", "--test", "t", "-f", "tsv")
    assert (both.status, "again/" in both.out) == (0, True)
    assert run("judges", "--scores", covered, "--scores", other, "-m", "AP").status == 0


@pytest.mark.parametrize(
    ("command", "ties"),
    [
        (("compare",), "trec|trec9|docid|rank|file|expected"),
        (("difficulty",), "trec|trec9|docid|rank|file|expected"),
        (("judges",), "trec|trec9|docid|rank|file|expected"),
        (("fuse",), "trec|trec9|docid|rank|file"),
        (("information", "joint"), "trec|trec9|docid|rank|file"),
        (("evaluate",), "trec|trec9|docid|rank|file|expected|bounds"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_help_promises_the_ties_that_a_command_takes(files: Path, command: tuple[str, ...], ties: str) -> None:
    text = " ".join(printed("help", *command, "--all").split())
    assert f"--ties [{ties}] " in text
    assert ("the range over them" in text) == ties.endswith("bounds")
    runs = sorted((files / "runs").iterdir())
    inputs: dict[str, list[str | Path]] = {
        "fuse": [*runs],
        "judges": [files / "qrels.txt", files / "truth" / "qrels.txt", *(x for path in runs for x in ("-r", path))],
    }
    (files / "truth").mkdir(exist_ok=True)
    (files / "truth" / "qrels.txt").write_bytes((files / "qrels.txt").read_bytes())
    for word in ("trec", "trec9", "docid", "rank", "file", "expected", "bounds"):
        ended = run(*command, *inputs.get(command[0], [files / "qrels.txt", *runs]), "--ties", word)
        assert (ended.status == 0) == (word in ties.split("|")), (word, ended.err)


def test_judgments_of_one_file_name_are_called_by_their_folders(files: Path) -> None:
    folder = files / "judge"
    folder.mkdir()
    (folder / "qrels.txt").write_bytes((files / "qrels.txt").read_bytes())
    runs = [word for path in sorted((files / "runs").iterdir()) for word in ("-r", path)]
    out = accept_one_judge_twice("judges", files / "qrels.txt", folder / "qrels.txt", *runs, "-f", "tsv")
    assert [line.split("\t")[0] for line in out.splitlines()[1:]] == ["judge/qrels"]
    twice = run("judges", files / "qrels.txt", files / "qrels.txt", *runs)
    assert twice.status == 1
    assert "these judgments are given twice" in twice.err


@pytest.mark.parametrize("show", ["labels", "topics"])
@pytest.mark.parametrize("common", [(), ("--common",)])
def test_labels_are_compared_without_runs(files: Path, show: str, common: tuple[str, ...]) -> None:
    judged = (files / "qrels.txt").read_text().splitlines()
    (files / "judge.txt").write_text("\n".join(judged[::2]).replace(" 0\n", " 1\n") + "\n")
    judges = ("judges", files / "qrels.txt", files / "judge.txt", "--show", show, "--rel", "judge=2", *common)
    alone = json.loads(printed(*judges, "-f", "json"))
    beside = run(*judges, "-r", f"{files}/runs/*.run")
    assert (beside.status, beside.out) == (2, "")
    assert f"--run changes nothing with --show {show}" in beside.err
    assert alone["signature"]["settings"]["rel"] == {"qrels": 1.0, "judge": 2.0}
    assert alone["signature"]["settings"]["common"] is bool(common)
    assert "reference qrels; 1 judge" in printed(*judges)


def test_scales_that_end_elsewhere_are_named(files: Path) -> None:
    judged = (files / "qrels.txt").read_text()
    (files / "wide.txt").write_text("".join(f"{line[:-1]}{4 * int(line[-1])}\n" for line in judged.splitlines()))
    said = printed("judges", files / "qrels.txt", files / "wide.txt", "--show", "labels")
    assert "where scales are unlike, kappa_binary alone compares them" in said
    assert "alpha: Krippendorff's, of ordinal labels" in said
    over_topics = printed("judges", files / "qrels.txt", files / "wide.txt", "--show", "intervals")
    assert "95% intervals, by 2,000 resamples of topics" in over_topics
    (files / "copy.txt").write_text(judged)
    alike = accept_one_judge_twice("judges", files / "qrels.txt", files / "copy.txt", "--show", "labels")
    assert "scales are unlike" not in alike


def test_lists_are_not_compared_where_negative_labels_are_kept(files: Path) -> None:
    """That one list has all that another has says nothing of a measure by which a document can cost."""
    call = ("audit", files / "qrels.txt", *sorted((files / "runs").glob("*.run"))[:3], "-m", "nDCG@10", "-f", "json")
    drawn = ("--resamples", "20", "--subsets", "5")
    for policy, compared in (("zero", True), ("keep", False)):
        (row,) = json.loads(run(*call, *drawn, "--negative", policy).out)["rows"]
        assert ("dominated" in row) is compared
