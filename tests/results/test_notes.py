"""What a result rests on is said wherever it is read: in its table, in JSON, in a notebook and on the page."""

from __future__ import annotations

import html
import json
import re
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import pandas as pd
import pytest
import xarray as xr
from calls import CALLS, usual
from click.testing import CliRunner

import cranfield
from cranfield.cli import app
from cranfield.pooling import PoweredScores
from cranfield.results import Result
from reading_pages import data_of, section


def squeeze(text: str) -> str:
    """A text without its line ends."""
    return " ".join(text.split())


def read_page(text: str) -> str:
    """The words of a page, without its marks."""
    return squeeze(html.unescape(re.sub(r"<[^>]*>", " ", text)))


def print_table(found: Result) -> str:
    """The main table for people."""
    own = found.own_text("table", next(iter(found.frames())), plain=True)
    return own if isinstance(own, str) else found.sheet().text("table", plain=True)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(CALLS))
def test_each_sentence_of_a_table_is_in_json_and_in_a_notebook(name: str) -> None:
    found = usual(name)
    assert json.loads(found.to_json())["notes"] == [note._asdict() for note in found.notes()]
    notebook = read_page(found._repr_html_())
    for note in found.notes():
        assert squeeze(note.text)[:300] in notebook


SYSTEMS = {"a": [0.2, 0.3, 0.5, 0.1, 0.4, 0.6, 0.25, 0.35], "b": [0.3, 0.35, 0.65, 0.2, 0.45, 0.8, 0.3, 0.5]}
RUNS = {
    "a": {f"q{n}": {"d1": 3.0, "d2": 2.0, "d3": 1.0} for n in range(8)},
    "b": {f"q{n}": {"d1": 1.0, "d2": 2.0, "d3": 3.0 + n % 2} for n in range(8)},
}
TOPICS = [f"q{n}" for n in range(8)]
GRADED = {topic: {"d1": 3, "d2": n % 3, "d3": 0} for n, topic in enumerate(TOPICS)}
POOL_OF_A = {topic: {"d1": 1, "d2": 0, "d3": 0} for topic in TOPICS}
"""Judgments of what a retrieved; half of what c did are others."""
RUNS["c"] = {topic: {"d3": 6.0, "new1": 5.0, "d1": 4.0 + n % 3, "new2": 3.0} for n, topic in enumerate(TOPICS)}
RUNS["few"] = {TOPICS[0]: RUNS["a"][TOPICS[0]]}


class Premise(NamedTuple):
    """Inputs on which a premise matters, and what is said of it."""

    code: str
    sentence: str
    labels: Mapping[str, dict[str, float]] = MappingProxyType({})
    measure: str = "AP"
    new: str = "b"
    options: tuple[str, ...] = ()


LEFT_OUT = "are left out, so that a run is judged by what other runs found, whatever else it finds (c 50.0%, a 0.0%)"
PREMISES = {
    "direction": Premise("direction", "mine: smaller is better"),
    "level": Premise("relevance-level", "AP counts labels of 1 or more as relevant; labels go up to 3", GRADED),
    "fractions": Premise(
        "relevance-level",
        "AP counts labels of 1 or more as relevant, and so not 16 of 24 documents with a label above 0; "
        "labels go up to 1",
        {topic: {"d1": 1.0, "d2": 0.7, "d3": 0.2} for topic in TOPICS},
    ),
    "clicks": Premise(
        "relevance-level",
        "AP counts labels of 1 or more as relevant; labels go up to 512 and take 8 values above 0, and a level of 1 "
        "makes 15 documents relevant",
        {topic: {"d1": 512, "d2": n, "d3": 0} for n, topic in enumerate(TOPICS)},
    ),
    "gains of clicks": Premise(
        "relevance-level",
        "labels go up to 512 and take 8 values above 0; measures of gains, such as nDCG, weigh documents in proportion "
        "to them",
        {topic: {"d1": 512, "d2": n, "d3": 0} for n, topic in enumerate(TOPICS)},
        "nDCG@3",
    ),
    "unjudged": Premise(
        "unjudged",
        "many of the first 10 documents are not judged, and count as not relevant (c 50.0%, a 0.0%)",
        POOL_OF_A,
        new="c",
    ),
    "absent topics": Premise(
        "absent-topics",
        "many judged topics are absent from runs, and count as empty rankings (few 87.5%)",
        POOL_OF_A,
        new="few",
    ),
    "condensed": Premise(
        "unjudged",
        f"many of the first 4 documents are not judged, and {LEFT_OUT}",
        POOL_OF_A,
        "nDCG@4",
        "c",
        ("--unjudged", "condense"),
    ),
    "judged only": Premise(
        "unjudged",
        f"many of the first 10 documents are not judged, and {LEFT_OUT}",
        POOL_OF_A,
        "AP(judged_only=True)",
        "c",
    ),
    "mean gain": Premise(
        "unjudged",
        "many of the first 10 documents are not judged, and have the mean gain of their topic (c 50.0%, a 0.0%)",
        POOL_OF_A,
        "NDCG_std",
        "c",
        ("--unjudged", "mean"),
    ),
}


def write_inputs(premise: Premise, folder: Path) -> list[str]:
    """Write the inputs on which a premise matters, and name them for a command."""
    if premise.code == "direction":
        rows = zip(range(8), *SYSTEMS.values(), strict=True)
        (folder / "mine.csv").write_text("topic,a,b\n" + "".join(f"q{n},{a},{b}\n" for n, a, b in rows))
        return ["--scores", str(folder / "mine.csv"), "-m", "mine", "--smaller-is-better", "mine"]
    lines = [f"{t} 0 {d} {label}\n" for t, pool in premise.labels.items() for d, label in pool.items()]
    (folder / "qrels.txt").write_text("".join(lines))
    for name in ("a", premise.new):
        cranfield.write(cranfield.Run.from_dict(RUNS[name], name=name), folder / f"{name}.run")
    files = [str(folder / name) for name in ("qrels.txt", "a.run", f"{premise.new}.run")]
    return [*files, "-m", premise.measure, *premise.options]


def read_inputs(premise: Premise, folder: Path) -> Any:
    """Read the same scores in Python."""
    if premise.code == "direction":
        return cranfield.read_scores(folder / "mine.csv", smaller_is_better="mine")
    runs, options = {name: RUNS[name] for name in ("a", premise.new)}, premise.options
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what is warned of now has to be read in results later
        return cranfield.evaluate(runs, premise.labels, premise.measure, unjudged=options[1] if options else "zero")


ANALYSES: dict[str, Callable[[Any], Result]] = {
    "compare": lambda scores: cranfield.compare(scores[next(iter(scores))]),
    "table": lambda scores: cranfield.comparison.compare_measures(scores, baseline="a"),
    "gate": lambda scores: cranfield.comparison.gate(scores, baseline="a", margin=0.5),
}
OPTIONS = {"compare": [], "table": ["--baseline", "a"], "gate": ["--margin", "0.5"]}


@pytest.mark.filterwarnings("ignore:.*differ by the same amount")
@pytest.mark.parametrize("name", PREMISES)
def test_a_premise_is_said_in_each_output(name: str, tmp_path: Path) -> None:
    premise = PREMISES[name]
    files, note = write_inputs(premise, tmp_path), {"code": premise.code, "text": premise.sentence}

    def called(command: str, *more: str) -> str:
        return CliRunner().invoke(app, [command, *files, *OPTIONS.get(command, []), *more]).stdout

    scores = read_inputs(premise, tmp_path)
    of_one = premise.sentence.removeprefix("mine: ")  # a table of one measure does not name it again
    for command, analysis in ANALYSES.items():
        assert of_one[1:] in squeeze(called(command))  # a caption for a paper begins with a capital letter
        assert note in json.loads(called(command, "-f", "json"))["notes"]
        found = analysis(scores)
        assert of_one in read_page(found._repr_html_())
        assert note in json.loads(found.to_json())["notes"]
    assert of_one in called("gate", "-f", "markdown").replace("\\", "")
    if premise.code != "direction":
        for command in ("evaluate", "standardize"):
            assert premise.sentence in squeeze(called(command))
        assert note in json.loads(called("evaluate", "-f", "json"))["notes"]
        cranfield.write_scores(scores, tmp_path / "stored.json")
        stored = cranfield.compare(cranfield.read_scores(tmp_path / "stored.json")[premise.measure])
        assert note in json.loads(stored.to_json())["notes"]


@pytest.mark.slow
def test_scores_of_data_sets_say_levels_and_absent_topics(tmp_path: Path) -> None:
    premises = [PREMISES["fractions"], PREMISES["absent topics"]]
    sets = {}
    for name in ("a", "few"):
        rows = [(topic, *row) for topic, documents in RUNS[name].items() for row in documents.items()]
        sets[name] = tmp_path / f"{name}.parquet"
        pd.DataFrame(rows, columns=["query_id", "doc_id", "score"]).to_parquet(sets[name])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = cranfield.partitions.evaluate_partitions(sets, premises[0].labels, "AP")
        skipping = cranfield.partitions.evaluate_partitions(sets, premises[0].labels, "AP", missing="skip")
    left_out = "judged topics are absent from runs, and left out of their means (few 87.5%)"
    assert {"code": "absent-topics", "text": left_out} in json.loads(skipping.to_json())["notes"]
    notes = json.loads(found.to_json())["notes"]
    for premise in premises:
        assert {"code": premise.code, "text": premise.sentence} in notes
        for text in (print_table(found), found._repr_html_()):
            assert premise.sentence in read_page(text)


def make_page(files: list[str], folder: Path, *options: str) -> Any:
    """Make a page of these files, and read it."""
    page = folder / "page.html"
    made = CliRunner().invoke(app, ["report", *files, *options, "-o", str(page)])
    assert made.exit_code == 0, made.output
    return data_of(page.read_text())


@pytest.mark.slow
@pytest.mark.parametrize("name", PREMISES)
def test_a_premise_is_said_below_the_verdict_of_a_page(name: str, tmp_path: Path) -> None:
    premise = PREMISES[name]
    head = make_page(write_inputs(premise, tmp_path), tmp_path, "--sections", "leaderboard")["head"]
    assert [premise.sentence[1:] in said for said in head["premises"]].count(True) == 1


@pytest.mark.slow
def test_a_page_of_few_topics_and_its_sheets_say_what_their_numbers_rest_on(tmp_path: Path) -> None:
    premise = PREMISES["unjudged"]
    few = premise._replace(labels={topic: premise.labels[topic] for topic in TOPICS[:4]})
    (tmp_path / "model.txt").write_text("".join(f"{topic} 0 d1 1\n" for topic in TOPICS[:4]))
    (tmp_path / "teams.tsv").write_text("system\tteam\na\tours\nc\ttheirs\n")
    teams = ("--runs", str(tmp_path / "teams.tsv"), "--participants", str(tmp_path / "sheets"))
    judged = ("--judge", str(tmp_path / "model.txt"), "--sections", "judges,teams")
    page = make_page(write_inputs(few, tmp_path), tmp_path, *judged, *teams)
    flips = "4 topics have too few sign flips for any p-value up to 0.05, so that every system may have every rank"
    assert page["head"]["premises"][-1] == f"Rank intervals: {flips}."
    assert "is not judged, and counts as not relevant: model 70.8%, qrels 25.0%" in " ".join(
        section(page, "judges")["words"]
    )
    for team, share in (("ours", "a 0.0%"), ("theirs", "c 50.0%")):
        sheet = data_of((tmp_path / "sheets" / f"{team}.html").read_text())
        named = [said[said.index("(") :] for said in sheet["head"]["premises"]]
        assert named == ([f"({share})."] if team == "theirs" else [])


DOCUMENTS = [f"d{n}" for n in range(6)]
SHUFFLED = {
    name: {topic: {d: float((at * step + n) % 7) for at, d in enumerate(DOCUMENTS)} for n, topic in enumerate(TOPICS)}
    for name, step in (("a", 1), ("b", 3), ("c", 5))
}
LABELS = {topic: {d: (at * at + n) % 4 for at, d in enumerate(DOCUMENTS)} for n, topic in enumerate(TOPICS)}
PEOPLE = {topic: {d: labels[d] for d in DOCUMENTS[:3]} for topic, labels in LABELS.items()}
TRIPLED = {topic: {d: 3 * label for d, label in labels.items()} for topic, labels in LABELS.items()}


def judge(others: Any) -> Result:
    """People's labels and those of a model."""
    return cranfield.agreement.compare_judges(SHUFFLED, {"people": LABELS, "model": others}, "P@3")


def plan(**options: Any) -> Result:
    """A plan from the scores of three systems."""
    scores = cranfield.evaluate(SHUFFLED, LABELS, "nDCG@3")["nDCG@3"]
    return cranfield.comparison.estimate_topics_needed(scores, 0.1, **options)


def few_topics(n: int) -> Any:
    """Scores of three systems on the first topics, each better than the last on every one of them."""
    rows = {topic: {"c": 0.1 + at / 50, "b": 0.4 + at / 40, "a": 0.7 + at / 30} for at, topic in enumerate(TOPICS[:n])}
    return xr.DataArray(pd.DataFrame(rows).T.rename_axis(index="topic", columns="system"), name="AP")


OF_ANALYSES: dict[str, tuple[Callable[[], Result], str]] = {
    "partial labels": (
        lambda: judge(PEOPLE),
        "share of the first 3 documents that is not judged, and counts as not relevant: model ",
    ),
    "holes of lists that are preferred": (
        lambda: cranfield.comparison.prefer({name: RUNS[name] for name in "ac"}, POOL_OF_A),
        PREMISES["unjudged"].sentence,
    ),
    "holes that measures of pairs leave out": (
        lambda: cranfield.information.summarize_ric({name: RUNS[name] for name in "ac"}, POOL_OF_A),
        PREMISES["judged only"].sentence,
    ),
    "unlike scales of judges": (
        lambda: judge(TRIPLED),
        "labels that do not end where those of people do: model (largest 9, not 3): gains and a level of relevance ",
    ),
    "unlike scales of labels": (
        lambda: cranfield.agreement.compare_labels({"people": LABELS, "model": TRIPLED}),
        "model (largest 9, not 3): where scales are unlike, kappa_binary alone compares them",
    ),
    "ordinal alpha": (
        lambda: cranfield.agreement.compare_labels({"people": LABELS, "model": PEOPLE}),
        "alpha: Krippendorff's, of ordinal labels",
    ),
    "mean over pairs": (plan, "of 3 pairs on average: others that vary more need more; test=t, correction=holm"),
    "the pairs of a baseline": (lambda: plan(baseline="a"), "of 2 pairs on average"),
    "any two": (lambda: plan(spread="largest"), "of that of 3 pairs that varies most, which is enough for any"),
    "few sampled documents": (
        lambda: PoweredScores(
            pd.DataFrame({"measure": ["P@5"], "mean_reference": [0.5]}),
            pd.DataFrame(),
            sampled=8,
            pooled=40,
            settings={"topic_sample": "fixed", "level": 0.95},
            signature={"cranfield": "0", "predicted": None},
        ),
        "8 sampled documents: with fewer than 24 intervals are too short",
    ),
    "0 of 8": (
        lambda: cranfield.trust.count_answers(SHUFFLED, {**LABELS, "q7": {"none": 0}}),
        "leaves 0 of 1 unanswerable ones unanswered",
    ),
    "few topics of signed ranks": (
        lambda: cranfield.compare(few_topics(6), test="wilcoxon"),
        "6 topics: p is at least 0.03125, and 0.09375 corrected, so that nothing can be significant",
    ),
    "few topics of sign flips": (
        lambda: cranfield.compare(few_topics(4), test="permutation"),
        "4 topics: p is at least 0.125, so that nothing can be significant, whatever the scores",
    ),
    "few topics of ranks": (
        lambda: cranfield.comparison.estimate_ranks(few_topics(5)),
        "5 topics have too few sign flips for any p-value up to 0.05, so that every system may have every rank",
    ),
    "few topics of teams": (
        lambda: cranfield.comparison.estimate_team_ranks(few_topics(5), teams={"a": "x", "b": "y", "c": "y"}),
        "5 topics have too few sign flips for any p-value up to 0.05, so that every system may have every rank",
    ),
    "how holes are": (
        lambda: usual("Holes.evaluate"),
        "blind: assumes that holes are less relevant than judged documents by",
    ),
}


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
@pytest.mark.parametrize("name", OF_ANALYSES)
def test_a_premise_of_an_analysis_is_in_table_json_and_notebook(name: str) -> None:
    make, sentence = OF_ANALYSES[name]
    found = make()
    assert sentence in squeeze(print_table(found))
    assert any(sentence in note["text"] for note in json.loads(found.to_json())["notes"])
    assert sentence in read_page(found._repr_html_())


def test_a_page_names_the_systems_that_none_beats_by_quality_and_cost(tmp_path: Path) -> None:
    means = {"small": (0.4, 100), "middle": (0.5, 200), "slow": (0.45, 300)}
    rows = [
        f"{system},q{n},{measure},{mean * (1 + 0.01 * ((n + at) % 3))}\n"
        for at, (system, by) in enumerate(means.items())
        for n in range(8)
        for measure, mean in zip(("quality", "latency_ms"), by, strict=True)
    ]
    (tmp_path / "scores.csv").write_text(f"system,topic,measure,value\n{''.join(rows)}")
    scores = str(tmp_path / "scores.csv")
    options = ["--larger-is-better", "quality", "-o", str(tmp_path / "page.html")]
    CliRunner().invoke(app, ["report", "--scores", scores, *options, "--sections", "leaderboard"])
    said = "Not beaten (no other system is as good by every mean and better by one): small, middle."
    assert said in (tmp_path / "page.html").read_text()
