"""What a page says is what the analyses say; what cannot be said is said in words."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cranfield
from cranfield._text import shown
from cranfield.errors import CranfieldWarning, InputError, UsageError
from cranfield.findings.catalogue import TABLE
from cranfield.measures import parse_measures, values
from cranfield.reporting.analyses import analyse_runs
from cranfield.reporting.assembly import assemble_page
from cranfield.reporting.content import Content, Section, Table
from cranfield.reporting.inputs import sort_systems
from cranfield.reporting.leaders import join_names
from cranfield.reporting.request import RunsRequest
from odd_collection import HOSTILE, TOPICS, write_collection


def asked(folder: Path, topics: int = 12, systems: int = 12, **more: Any) -> Content:
    qrels, runs = write_collection(folder, topics=topics, systems=systems)
    question = RunsRequest(str(qrels), tuple(map(str, runs)), reading=cranfield.Reading(names="tag"), **more)
    return assemble_page(analyse_runs(question), "An evaluation", "cranfield report ...")


def section(content: Content, id: str) -> Section:
    return next(one for one in content.sections if one.id == id)


def table(content: Content, id: str) -> Table:
    return next(one for part in content.sections for one in part.tables if one.id == id)


def missing(content: Content, id: str) -> tuple[str, ...]:
    return tuple(map(str, section(content, id).missing))


def column(found: Table, name: str) -> list[Any]:
    at = [one.name for one in found.columns].index(name)
    return [row[at] for row in found.rows]


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> Content:
    return asked(tmp_path_factory.mktemp("odd"))


@pytest.fixture(scope="module")
def scores(tmp_path_factory: pytest.TempPathFactory) -> Any:
    qrels, runs = write_collection(tmp_path_factory.mktemp("again"))
    return cranfield.evaluate(list(map(str, runs)), str(qrels), names="tag")


def test_a_page_has_its_sections_in_order(content: Content) -> None:
    ids = [one.id for one in content.sections]
    assert ids == ["leaderboard", "summary", "topics", "measures", "systems", "checks", "provenance"]
    assert not [line for one in content.sections for line in one.missing]
    drawn = [figure.id for one in content.sections for figure in one.figures]
    assert len(drawn) == len(set(drawn)) == 11


def test_the_leaderboard_holds_means_and_ranks_with_intervals(content: Content, scores: Any) -> None:
    board = table(content, "leaderboard")
    means = cranfield.summarize(scores)
    systems = column(board, "system")
    assert systems == sort_systems(scores["nDCG@10"])
    for measure in ("nDCG@10", "AP", "RR", "P@10", "R@1000"):
        assert column(board, measure) == pytest.approx(means.loc[systems, measure].tolist(), abs=1e-15)
    ranks = cranfield.comparison.estimate_ranks(scores["nDCG@10"])
    assert column(board, "rank interval") == ranks.written()[systems].tolist()
    scaled = cranfield.standardize(scores["nDCG@10"]).mean("topic").sel(system=systems).values
    assert column(board, "standardized") == pytest.approx(scaled.tolist(), abs=1e-12)
    ranks = [1 + int((np.round(scaled, 12) > round(one, 12)).sum()) for one in scaled]
    assert column(board, "standardized rank") == ranks
    assert column(board, "moves") == [old - new for old, new in zip(column(board, "rank"), ranks, strict=True)]


def test_intervals_are_students(content: Content, scores: Any) -> None:
    from scipy import stats

    board = table(content, "leaderboard")
    for system, low, high in zip(*(column(board, name) for name in ("system", "low", "high")), strict=True):
        values = scores["nDCG@10"].sel(system=system).values
        found = stats.t.interval(0.95, len(values) - 1, values.mean(), stats.sem(values))
        assert (low, high) == pytest.approx(found, abs=1e-12)


def test_topics_come_hardest_first(content: Content, scores: Any, tmp_path: Path) -> None:
    qrels, runs = write_collection(tmp_path)
    ease = cranfield.estimate_difficulty(list(map(str, runs)), str(qrels), names="tag").ease
    found = table(content, "topics")
    topics = column(found, "topic")
    assert column(found, "ease") == ease.sel(topic=topics).values.tolist()
    assert column(found, "ease") == sorted(column(found, "ease"))
    chart = section(content, "topics").figures[0]
    easiest = [str(topic) for topic in ease["topic"].values[ease.values == ease.values.max()]]
    assert len(easiest) > 1
    assert chart.observation.endswith(f"the hardest is {shown(topics[0])}, the easiest {join_names(easiest)}.")
    unjudged = 1 - scores["Judged@10"].mean("system").sel(topic=topics).values
    assert column(found, "unjudged") == pytest.approx(unjudged.tolist(), abs=1e-12)


def test_the_audit_is_the_audit(content: Content, scores: Any) -> None:
    measures = list(content.measures)
    expected = cranfield.audit(scores[measures]).table
    found = table(content, "audit")
    for name in expected.columns:
        cells = [np.inf if cell == "infinite" else cell for cell in column(found, name.replace("_", " "))]
        values = [np.nan if cell is None else float(cell) for cell in cells]
        assert values == pytest.approx(expected[name].tolist(), nan_ok=True)


def test_ties_of_rr_and_what_breaks_them_are_told(content: Content, tmp_path: Path) -> None:
    said = section(content, "measures").paragraphs[-1]
    assert re.fullmatch(
        r"RR \(labels of 1 or more\) ties in \d+\.\d% of the comparisons of two systems on one topic; recall-paired "
        r"preference, which compares whole lists, breaks \d+\.\d% of these ties\. See cranfield prefer\.",
        said,
    )
    qrels, runs = write_collection(tmp_path)
    rankings = cranfield.evaluation.make_rankings(list(map(str, runs)), str(qrels), names="tag")
    first = values(parse_measures("RR")[0], rankings).reshape(len(runs), -1).T
    left, right = np.triu_indices(len(runs), 1)
    judged = rankings.pool.count(low=1) > 0
    tied = np.isclose(first[:, left], first[:, right], rtol=0, atol=1e-12)[judged]
    assert f"ties in {tied.mean():.1%} of" in said
    alone = asked(tmp_path / "one", systems=1)
    assert "ties in" not in " ".join(section(alone, "measures").paragraphs)


def test_the_words_name_the_best_and_count(content: Content) -> None:
    assert content.head.line == "12 systems, 12 topics and 480 judgments (qrels), ranked by nDCG@10."
    assert content.head.verdict.startswith(shown(HOSTILE[0]))
    assert "paired t-test, p = " in content.head.verdict
    said = " ".join(section(content, "summary").paragraphs)
    assert "For a reliability of 0.95, nDCG@10 has " in said
    assert "of the top 10 retrieved documents are unjudged" in said


def test_the_files_are_checked(content: Content, tmp_path: Path) -> None:
    qrels, runs = write_collection(tmp_path)
    report = cranfield.check([str(run) for run in runs], str(qrels))
    counts = [sum(one.severity == word for one in report.findings) for word in ("error", "warning", "note")]
    assert counts[2] > 0
    found = table(content, "findings")
    assert len(found.rows) == len({finding.code for finding in report.findings})
    for code in {finding.code for finding in report.findings}:
        files = {finding.place.file for finding in report.findings if finding.code == code}
        (at,) = [row for row, text in enumerate(column(found, "finding")) if text == TABLE[code].meaning]
        assert column(found, "files")[at] == len(files)
    errors, warnings_, notes = (
        f"{number} {word}{'s' * (number != 1)}"
        for number, word in zip(counts, ("error", "warning", "note"), strict=True)
    )
    said = f"The file check found {errors}, {warnings_}, {notes}: see below."
    assert said in section(content, "checks").paragraphs


def test_scores_are_those_of_the_views(content: Content, scores: Any) -> None:
    for at, measure in enumerate(content.measures):
        expected = scores[measure].transpose("system", "topic").values
        assert np.array(content.scores[at]) == pytest.approx(expected, abs=5e-7)
    assert content.systems == tuple(scores["system"].values)
    assert content.topics == TOPICS


def test_one_system_is_no_reason_to_break(tmp_path: Path) -> None:
    found = asked(tmp_path, systems=1)
    assert "the only system" in found.head.verdict.lower()
    assert missing(found, "systems") == ("Differences between systems: not shown, because there is only one system",)
    assert "needs 2 systems" in " ".join(missing(found, "measures"))
    assert column(table(found, "leaderboard"), "system") == [HOSTILE[0]]


def test_one_topic_is_no_reason_to_break(tmp_path: Path) -> None:
    found = asked(tmp_path, topics=1)
    assert column(table(found, "leaderboard"), "low") == [None] * 12
    assert "Whether there are enough topics could not be determined" in " ".join(section(found, "summary").paragraphs)
    assert any("topics" in line for line in missing(found, "measures"))


def test_one_measure_has_none_to_agree_with(tmp_path: Path) -> None:
    found = asked(tmp_path, measures=("AP",))
    assert found.measures == ("AP",)
    assert missing(found, "measures") == (
        "Agreement of measures: not shown, because there is only one measure to compare",
    )


def test_skipped_topics_give_reasons(tmp_path: Path) -> None:
    qrels, runs = write_collection(tmp_path)
    lines = runs[3].read_text(encoding="utf-8").splitlines(keepends=True)
    runs[3].write_text("".join(line for line in lines if not line.startswith("5 ")), encoding="utf-8")
    policy = cranfield.Policy(missing="skip")
    found = assemble_page(
        analyse_runs(RunsRequest(str(qrels), tuple(map(str, runs)), reading=cranfield.Reading(policy))), "x", "y"
    )
    assert "needs every system's score" in " ".join(missing(found, "measures"))
    assert len(table(found, "leaderboard").rows) == 12


def test_baselines_factors_and_judges(tmp_path: Path) -> None:
    qrels, runs = write_collection(tmp_path)
    scores = cranfield.evaluate(list(map(str, runs)), str(qrels), names="tag")
    factors = cranfield.standardization.fit_standardization(scores[["nDCG@10"]], reference=["bm25", "ql"])
    factors.write_factors(tmp_path / "factors.json")
    other = tmp_path / "judge.txt"
    other.write_text(qrels.read_text(encoding="utf-8").replace(" 2\n", " 1\n"), encoding="utf-8")
    files: Any = {"factors": str(tmp_path / "factors.json"), "judges": (str(other),)}
    files |= {"reading": cranfield.Reading(names="tag")}
    question = RunsRequest(str(qrels), tuple(map(str, runs)), measures=("nDCG@10",), baselines=("bm25",), **files)
    found = assemble_page(analyse_runs(question), "x", "y")
    assert set(column(table(found, "baselines"), "baseline")) == {"bm25"}
    assert len(table(found, "baselines").rows) == 11
    scaled = factors.apply(scores[["nDCG@10"]])["nDCG@10"].mean("topic")
    board = table(found, "leaderboard")
    assert column(board, "standardized") == pytest.approx(scaled.sel(system=column(board, "system")).values.tolist())
    labels = table(found, "labels")
    assert column(labels, "documents") == [480]
    assert column(table(found, "files"), "kind") == ["qrels", *["run"] * 12, "judge", "factors"]
    assert all(len(one) == 64 for one in column(table(found, "files"), "sha256"))
    pairs = (str(qrels), str(other))
    expected = cranfield.agreement.compare_judges(list(map(str, runs)), list(pairs), "nDCG@10", names="tag")
    assert column(table(found, "judge-systems"), "tau_b") == expected.systems.table["tau_b"].tolist()


def test_intents_add_a_section(tmp_path: Path) -> None:
    qrels, runs = write_collection(tmp_path)
    lines = [line.split() for line in qrels.read_text(encoding="utf-8").splitlines()]
    with_intents = [f"{t} {1 + int(d[1:]) % 3} {d} {label}" for t, _, d, label in lines]
    qrels.write_text("\n".join(with_intents) + "\n", encoding="utf-8")
    question = RunsRequest(str(qrels), tuple(map(str, runs)), reading=cranfield.Reading(intent_weights="uniform"))
    found = assemble_page(analyse_runs(question), "x", "y")
    plane = cranfield.comparison.map_diversity(list(map(str, runs)), str(qrels), intent_weights="uniform")
    rows = table(found, "diversity")
    covered, relevant = column(rows, "I-rec@10"), column(rows, "D-nDCG@10")
    assert dict(zip(column(rows, "system"), covered, strict=True)) == plane.systems["I-rec@10"].to_dict()
    both = [one + other for one, other in zip(covered, relevant, strict=True)]
    assert both == sorted(both, reverse=True)
    assert [figure.id for figure in section(found, "diversity").figures] == ["diversity-plane", "intent-coverage"]


def test_user_mistakes_are_refused_before_anything_is_drawn(tmp_path: Path) -> None:
    qrels, runs = write_collection(tmp_path, systems=2)
    files: Any = (str(qrels), tuple(map(str, runs)))
    with pytest.raises(UsageError, match="no system is called 'nobody'"):
        analyse_runs(RunsRequest(*files, baselines=("nobody",)))
    with pytest.raises(UsageError, match="ties='bounds'"):
        analyse_runs(RunsRequest(*files, reading=cranfield.Reading(cranfield.Policy(ties="bounds"))))
    with pytest.raises(InputError, match=r"no\.json"):
        analyse_runs(RunsRequest(*files, factors=str(tmp_path / "no.json")))
    with pytest.raises(InputError, match=r"no\.txt"):
        analyse_runs(RunsRequest(*files, judges=(str(tmp_path / "no.txt"),)))


def test_stages_are_named(tmp_path: Path) -> None:
    qrels, runs = write_collection(tmp_path, systems=3)
    said: list[str] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CranfieldWarning)
        analyse_runs(RunsRequest(str(qrels), tuple(map(str, runs))), stage=said.append)
    assert said[0] == "reading and scoring runs"
    assert len(set(said)) > 8


def test_the_command_is_whole(tmp_path: Path) -> None:
    command = " ".join(["cranfield", "report", *(f"run{number}.txt" for number in range(2000))])
    qrels, runs = write_collection(tmp_path, topics=3, systems=2)
    found = analyse_runs(RunsRequest(str(qrels), tuple(map(str, runs)), reading=cranfield.Reading(names="tag")))
    assert section(assemble_page(found, "A page", command), "provenance").command == command


def test_what_topics_ask_is_on_their_pages(tmp_path: Path) -> None:
    qrels, runs = write_collection(tmp_path, topics=3, systems=2)
    texts = {"<b>1</b>": "black\nbears", "2": {"title": "white bears", "narrative": "where they live"}, "999": "none"}
    question = RunsRequest(str(qrels), tuple(map(str, runs)), topics=texts, reading=cranfield.Reading(names="tag"))
    assert assemble_page(analyse_runs(question), "An evaluation", "").texts == {
        "<b>1</b>": ("black bears",),
        "2": ("title: white bears", "narrative: where they live"),
    }


def test_a_file_of_topics_is_refused_before_anything_is_computed(tmp_path: Path) -> None:
    question = RunsRequest("no-such-qrels.txt", ("no-such.run",), topics=str(tmp_path / "none.xml"))
    assert str(tmp_path / "none.xml") in question.paths
    with pytest.raises(cranfield.InputError, match=r"none\.xml: no such file"):
        analyse_runs(question)
