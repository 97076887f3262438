"""Every option of ``cranfield judges`` and its commands changes the table that it is given with, or is refused."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import click
import numpy as np
import pytest
from command import Ended
from command import cranfield as run

import cranfield
from cranfield.cli import app

RUN_TABLES = ("systems", "movers", "intervals", "favour")
LABEL_TABLES = ("labels", "intervals", "topics")
MEAN_TABLES = ("means", "differences")
SCORE_TABLES = ("systems", "correlations", "movers")
PANEL_TABLES = ("effective", "errors", "bias", "members", "drop", "path")
PAIR_TABLES = ("order", "triads", "strengths", "pairs", "wins", "judges", "scores", "verdicts", "preferences")
METHODS = ("majority", "votes", "weighted", "plurality", "median", "mean", "dawid-skene")
Words = tuple[str, ...]
OF_READING = (
    *("ties", "missing", "unjudged", "negative", "undefined", "compat", "on_duplicate", "own_document", "passages"),
    "names",
    "keep_going",
    "input_format",
    "columns",
    "labels",
    "missing_scores",
)
"""Options that are about odd files, whose effect is tested where files are read: here, that they are taken."""
ELSEWHERE = (
    "show",
    "format_",
    "output",
    "protocol",
    "protocol_outside",
    "topic_groups",
    "no_topic_groups",
    "no_across_groups",
)
VALUES: dict[str, tuple[Words, ...]] = {
    "runs": (("runs/system2.run",),),
    "score_files": (("left.csv",),),
    "scores": (("right.csv",),),
    "qrels": (("one.txt",),),
    "measure": (("AP",),),
    "reference": (("one",), ("two",), ("right",)),
    "relevant": (("2",), ("3",)),
    "rel": (("2",), ("3",)),
    "common": ((),),
    "methods": (("majority",),),
    "combine_by": (("votes",),),
    "rbo_p": ((".5",),),
    "learn_from": (("one",), ("two",)),
    "test": (("sign",), ("wilcoxon",), ("tukey",)),
    "alpha": ((".4",), (".9",)),
    "top": (("3",),),
    "same_model": (("one=system2",),),
    "topic_clusters": (("clusters.tsv",),),
    "mean_over": (("clusters",),),
    "seed": tuple((str(seed),) for seed in range(2, 30)),
    "error_kind": (("grade",),),
    "second_reference": (("two",),),
    "level": ((".5",),),
    "resamples": (("7",), ("1",)),
    "label_scale": (("grade",),),
    "vote_ties": (("high",),),
    "smoothing": (("5",), ("60",), (".01",)),
    "ties": (("high",), ("docid",)),
    "prior": (("5",), ("60",), (".01",)),
    "judge": (("y",),),
    "pooled": ((),),
    "criterion": (("other",),),
    "systems": (("nowhere.tsv",),),
    "repeats": (("first",), ("both",)),
    "strong_weight": (("3",),),
    "pair_ties": (("drop",), ("davidson",)),
    "order_effect": ((),),
    "weights": (("verdicts",),),
    "baseline": (("system2",),),
    "preference": (("lexirecall",),),
    "threshold": ((".2",),),
    "limit": (("1",),),
    **dict.fromkeys(OF_READING, ((),)),
    "missing": (("skip",),),
    "unjudged": (("condense",),),
    "negative": (("keep",),),
    "undefined": (("keep",),),
    "compat": (("trec_eval",),),
    "on_duplicate": (("first",),),
    "passages": (("#",),),
    "names": (("tag",),),
    "input_format": (("csv",),),
    "columns": (("topic=nowhere",),),
    "labels": (("nonsense",),),
    "missing_scores": (("drop-topics",),),
}
"""Option -> values to try, of which one must show."""
JUDGES: Words = ("judges", "qrels.txt", "one.txt", "two.txt")
LABELS = [(*JUDGES, "--show", show) for show in LABEL_TABLES]
RUNS = [(*JUDGES, "-r", "runs/*.run", "--show", show) for show in RUN_TABLES]
MEANS = [("judges", "few.txt", "one.txt", "-r", "runs/*.run", "--show", show) for show in MEAN_TABLES]
SCORES = [("judges", "--scores", "left.csv", "--scores", "right.csv", "--show", show) for show in SCORE_TABLES]
PANEL = [("judges", "panel", *JUDGES[1:], "three.txt", "--show", show) for show in PANEL_TABLES]
COMBINE = [
    ("judges", "combine", *JUDGES[1:], "--combine-by", method, "--show", show)
    + ("--learn-from", "qrels") * (method == "weighted")
    for method in METHODS
    for show in ("qrels", "labels", "judges", "classes")
]
FROM_FILE = [
    ("judges", "pairs", "verdicts.tsv", "--show", show, *(("--scores", "left.csv") * (show == "scores")))
    for show in PAIR_TABLES
]
MADE = [
    ("judges", "pairs", "--scores", "both.json", "-m", "nDCG@10", "--show", "verdicts"),
    ("judges", "pairs", "--qrels", "qrels.txt", "-r", "runs/*.run", "--show", "verdicts"),
    ("judges", "pairs", "--qrels", "qrels.txt", "-r", "runs/*.run", "--show", "verdicts", "--preference", "rpp"),
]
BESIDE: dict[str, Words] = {
    "mean_over": ("--topic-clusters", "clusters.tsv"),
    "relevant": ("-m", "AP"),
    "rel": ("-m", "AP"),
    "vote_ties": ("--learn-from", "one"),
    "second_reference": ("--error-kind", "grade"),
}
"""Option -> what it goes with, where that is taken."""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Judgments by four, runs, scores, clusters, and verdicts with ties, repeats and two judges."""
    folder = tmp_path_factory.mktemp("judges")
    made = cranfield.simulation.simulate_runs(n_systems=7, n_topics=12, depth=20)
    made.write_collection(folder)
    rng, labels = np.random.default_rng(1), made.qrels.to_dict()
    rows = [(topic, document, label) for topic, pool in labels.items() for document, label in pool.items()]
    for name, noise in (("one", 0.3), ("two", 0.6), ("three", 0.5)):
        changed = [
            min(4, max(0, label + int(rng.choice([-1, 1])))) if rng.random() < noise else label for *_, label in rows
        ]
        lines = [f"{topic} 0 {doc} {label}\n" for (topic, doc, _), label in zip(rows, map(int, changed), strict=True)]
        (folder / f"{name}.txt").write_text("".join(lines[::3] if name == "two" else lines))
    topics = list(labels)
    text = (folder / "qrels.txt").read_text().splitlines(keepends=True)
    (folder / "few.txt").write_text("".join(line for line in text if line.split()[0] in topics[:6]))
    (folder / "clusters.tsv").write_text("".join(f"{topic} c{max(0, at - 6)}\n" for at, topic in enumerate(topics)))
    scores = cranfield.evaluate(made.runs, made.qrels, ["nDCG@10", "AP"])
    cranfield.write_scores(scores, folder / "both.json")
    table = scores["nDCG@10"].to_pandas()
    table.to_csv(folder / "left.csv", index_label="topic")
    (table + rng.normal(0, 0.2, table.shape)).clip(0, 1).to_csv(folder / "right.csv", index_label="topic")
    systems = list(table.columns)[:6]
    lines = []
    for topic in topics:
        for _ in range(14):
            left, right = rng.choice(6, 2, replace=False)
            word = rng.choice(
                ["left", "right", "tie"], p=[0.4 + 0.08 * (left - right), 0.4 - 0.08 * (left - right), 0.2]
            )
            names = f"{topic}\t{systems[left]}\t{systems[right]}\t{word}"
            lines += [f"{names}\t{rng.choice(['x', 'y', 'z'])}\t{rng.choice(['left', 'right'])}\n"] * rng.integers(1, 3)
    lines += [line.replace(word, "tie", 1) for line in lines[::5] if (word := line.split("\t")[3])]
    (folder / "verdicts.tsv").write_text("topic\tleft\tright\tverdict\tjudge\tother\n" + "".join(lines))
    return folder


@cache
def call(words: Words, format_: str) -> Ended:
    return run(*words, *(() if format_ == "qrels" else ("-f", format_)))


def format_of(words: Words) -> str:
    """The format to look at: tables, but texts where there is no table."""
    return "qrels" if words[words.index("--show") + 1] in ("qrels", "preferences") else "table"


def look(words: Words) -> object:
    """What a call shows, but for the settings that a caption repeats."""
    ended = call(words, format_of(words))
    if format_of(words) == "qrels":
        return ended.out
    document = call(words, "json").out
    rows = json.loads(document)["rows"] if document else None
    return ended.status, rows, re.sub(r"(test=|alpha=|intervals )[^;\n]*", "", ended.out)


def options_of(words: Words) -> list[click.Option]:
    name = " ".join(words[:2]) if words[1] in ("panel", "combine", "pairs") else "judges"
    command = app.get_command(click.Context(app), name)
    assert command is not None
    return [option for option in command.params if isinstance(option, click.Option) and option.name not in ELSEWHERE]


def try_option(words: Words, option: click.Option) -> str:
    """Why an option vanishes; empty where it has an effect, or is refused by its name."""
    name, flag = str(option.name), max(option.opts, key=len)
    beside = BESIDE.get(name, ())
    taken = {
        name
        for name in OF_READING
        if "-r" in words or words[1] == "--scores" or name in ("input_format", "columns", "labels")
    }
    if name == "seed" and {"systems", "movers"} & {*words}:
        beside = ("--test", "bootstrap")
    if name == "seed" and "strengths" in words:
        beside = ("--resamples", "30")
    if "pairs" in words and "scores" in words and name != "resamples":
        beside = (*beside, "--resamples", "60")  # a model is fitted to each
    if beside and call((*words, *beside), "table").status == 2:
        beside = ()
    base = look((*words, *beside))
    for value in VALUES[name]:
        longer = (*words, *beside, flag, *value)
        ended = call(longer, format_of(longer))
        if "is one of 'left', 'right'" in " ".join(ended.err.split()):
            continue  # a name of the other sources
        if ended.status == 2:
            named = re.search(rf"{flag}|{min(option.opts, key=len)}\b", ended.err)
            return "" if named else f"refused without its name: {ended.err}"
        if name in taken and ended.status == 0:
            return ""
        if ended.status == 1 or look(longer) != base:
            return ""
    return "changes nothing"


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [*RUNS, *LABELS, *MEANS, *SCORES, *PANEL, *COMBINE, *FROM_FILE, *MADE],
    ids=lambda words: " ".join(words[1:]),
)
def test_no_option_vanishes(files: Path, monkeypatch: pytest.MonkeyPatch, words: Words) -> None:
    monkeypatch.chdir(files)
    base = call(words, format_of(words))
    assert base.status == 0, base.err
    vanishing = {
        option.opts[0]: why
        for option in options_of(words)
        if option.name not in ("combine_by",) and (why := try_option(words, option))
    }
    assert not vanishing


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (
            (*JUDGES, "--show", "topics", "--seed", "2"),
            "--seed changes nothing with --show topics; it is for --show ",
        ),
        (
            (*JUDGES, "-r", "runs/*.run", "--seed", "2"),
            "--seed changes nothing with a --test that draws nothing",
        ),
        ((*JUDGES, "--show", "intervals", "-m", "AP"), "--measure changes nothing without --run"),
        (
            ("judges", "combine", *JUDGES[1:], "--combine-by", "mean", "-l", "2"),
            "--rel changes nothing where grades are combined",
        ),
        (("judges", "panel", *JUDGES[1:], "--show", "bias", "--seed", "1"), "--seed changes nothing with --show bias"),
        (
            ("judges", "pairs", "verdicts.tsv", "--show", "preferences", "-f", "csv"),
            "--show preferences is preference judgments: -f is for ",
        ),
    ],
)
def test_a_refusal_says_what_the_option_is_for(
    files: Path, monkeypatch: pytest.MonkeyPatch, words: Words, says: str
) -> None:
    monkeypatch.chdir(files)
    ended = run(*words)
    assert (ended.status, ended.out) == (2, "")
    assert says in ended.err.replace("\n", " ")


def test_every_table_is_tried() -> None:
    context = click.Context(app)
    shown = {
        "judges": {*RUN_TABLES, *LABEL_TABLES, *MEAN_TABLES, *SCORE_TABLES},
        "judges panel": {*PANEL_TABLES},
        "judges pairs": {*PAIR_TABLES},
    }
    for name, tables in shown.items():
        command = app.get_command(context, name)
        assert command is not None
        (option,) = (option for option in command.params if option.name == "show")
        assert isinstance(option.type, click.Choice)
        assert {*option.type.choices} == tables
