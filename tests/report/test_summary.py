"""What a page says is what the analyses say; what cannot be said is said in words."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cranfield
from cranfield.errors import CranfieldWarning, InputError, UsageError
from cranfield.findings import TABLE
from cranfield.measures import parse_measures, values
from odd_collection import HOSTILE, TOPICS, write_collection
from reading_pages import column, data_of, full_names, packed, section, show_text, table


def html(qrels: Path, runs: list[Path], measures: Any = (), **options: Any) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CranfieldWarning)  # of what the page does not show
        page = cranfield.report(list(map(str, runs)), str(qrels), measures, title="An evaluation", **options)
        return page.html


def page(folder: Path, topics: int = 12, systems: int = 12, **options: Any) -> Any:
    return data_of(html(*write_collection(folder, topics=topics, systems=systems), names="tag", **options))


def missing(data: Any, id: str) -> tuple[str, ...]:
    return tuple(section(data, id)["missing"])


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> str:
    return html(*write_collection(tmp_path_factory.mktemp("odd")), names="tag")


@pytest.fixture(scope="module")
def content(text: str) -> Any:
    return data_of(text)


@pytest.fixture(scope="module")
def scores(tmp_path_factory: pytest.TempPathFactory) -> Any:
    qrels, runs = write_collection(tmp_path_factory.mktemp("again"))
    return cranfield.evaluate(list(map(str, runs)), str(qrels), names="tag")


def test_a_page_has_its_sections_in_order(content: Any) -> None:
    ids = [part["id"] for part in content["sections"]]
    assert ids == ["leaderboard", "summary", "topics", "measures", "systems", "checks", "provenance"]
    assert not [line for part in content["sections"] for line in part["missing"]]
    drawn = [figure["id"] for part in content["sections"] for figure in part["figures"]]
    assert len(drawn) == len(set(drawn)) == 11


def test_the_leaderboard_holds_means_and_ranks_with_intervals(content: Any, scores: Any) -> None:
    board = table(content, "leaderboard")
    means = cranfield.summarize(scores)
    systems = column(board, "system")
    assert systems == means.sort_values("nDCG@10", ascending=False, kind="stable").index.tolist()
    for measure in ("nDCG@10", "AP", "RR", "P@10", "R@1000"):
        assert column(board, measure) == pytest.approx(means.loc[systems, measure].tolist(), abs=1e-15)
    ranks = cranfield.comparison.estimate_ranks(scores["nDCG@10"])
    assert column(board, "rank interval") == ranks.written()[systems].tolist()
    scaled = cranfield.standardize(scores["nDCG@10"]).mean("topic").sel(system=systems).values
    assert column(board, "standardized") == pytest.approx(scaled.tolist(), abs=1e-12)
    ranks = [1 + int((np.round(scaled, 12) > round(score, 12)).sum()) for score in scaled]
    assert column(board, "standardized rank") == ranks
    assert column(board, "moves") == [old - new for old, new in zip(column(board, "rank"), ranks, strict=True)]


def test_intervals_are_students(content: Any, scores: Any) -> None:
    from scipy import stats

    board = table(content, "leaderboard")
    for system, low, high in zip(*(column(board, name) for name in ("system", "low", "high")), strict=True):
        values = scores["nDCG@10"].sel(system=system).values
        found = stats.t.interval(0.95, len(values) - 1, values.mean(), stats.sem(values))
        assert (low, high) == pytest.approx(found, abs=1e-12)


def test_topics_come_hardest_first(content: Any, scores: Any, tmp_path: Path) -> None:
    qrels, runs = write_collection(tmp_path)
    ease = cranfield.estimate_difficulty(list(map(str, runs)), str(qrels), names="tag").ease
    found = table(content, "topics")
    topics = column(found, "topic")
    assert column(found, "ease") == ease.sel(topic=topics).values.tolist()
    assert column(found, "ease") == sorted(column(found, "ease"))
    chart = section(content, "topics")["figures"][0]
    easiest = [str(topic) for topic in ease["topic"].values[ease.values == ease.values.max()]]
    assert len(easiest) > 5
    listed = f"{', '.join(map(show_text, easiest[:5]))} and {len(easiest) - 5} more"
    assert chart["seen"].endswith(f"the hardest is {show_text(topics[0])}, the easiest {listed}.")
    unjudged = 1 - scores["Judged@10"].mean("system").sel(topic=topics).values
    assert column(found, "unjudged") == pytest.approx(unjudged.tolist(), abs=1e-12)


def test_the_audit_is_the_audit(content: Any, scores: Any) -> None:
    measures = list(content["measures"])
    expected = cranfield.audit(scores[measures]).table
    found = table(content, "audit")
    for name in expected.columns:
        cells = [np.inf if cell == "infinite" else cell for cell in column(found, name.replace("_", " "))]
        values = [np.nan if cell is None else float(cell) for cell in cells]
        assert values == pytest.approx(expected[name].tolist(), nan_ok=True)


def test_ties_of_rr_and_what_breaks_them_are_told(content: Any, tmp_path: Path) -> None:
    said = section(content, "measures")["words"][-1]
    assert re.fullmatch(
        r"RR cannot separate two systems in \d+\.\d% of per-topic comparisons; recall-paired preference, which "
        r"compares complete lists, decides \d+\.\d% of those\.",
        said,
    )
    qrels, runs = write_collection(tmp_path)
    rankings = cranfield.evaluation.make_rankings(list(map(str, runs)), str(qrels), names="tag")
    first = values(parse_measures("RR")[0], rankings).reshape(len(runs), -1).T
    left, right = np.triu_indices(len(runs), 1)
    judged = rankings.pool.count(low=1) > 0
    tied = np.isclose(first[:, left], first[:, right], rtol=0, atol=1e-12)[judged]
    assert f"two systems in {tied.mean():.1%} of" in said
    alone = page(tmp_path / "one", systems=1)
    assert "RR cannot" not in " ".join(section(alone, "measures")["words"])


def test_the_words_name_the_best_and_count(content: Any) -> None:
    assert content["head"]["line"] == "12 systems, 12 topics and 480 judgments (qrels), ranked by nDCG@10."
    assert content["head"]["verdict"].startswith(show_text(HOSTILE[0]))
    assert "paired t-test, p = " in content["head"]["verdict"]
    said = " ".join(section(content, "summary")["words"])
    assert "nDCG@10: 12 topics are probably too few to rank the systems" in said
    assert "of the top 10 retrieved documents are unjudged" in said


def test_the_files_are_checked(content: Any, tmp_path: Path) -> None:
    qrels, runs = write_collection(tmp_path)
    report = cranfield.check([str(run) for run in runs], str(qrels))
    counts = [sum(finding.severity == word for finding in report.findings) for word in ("error", "warning", "note")]
    assert counts[2] > 0
    found = table(content, "findings")
    assert len(found["rows"]) == len({finding.code for finding in report.findings})
    for code in {finding.code for finding in report.findings}:
        files = {finding.location.file for finding in report.findings if finding.code == code}
        (at,) = [row for row, text in enumerate(column(found, "finding")) if text == TABLE[code].meaning]
        assert column(found, "files")[at] == len(files)
    errors, warnings_, notes = (
        f"{number} {word}{'s' * (number != 1)}"
        for number, word in zip(counts, ("error", "warning", "note"), strict=True)
    )
    said = f"The file check found {errors}, {warnings_}, {notes}: see below."
    assert said in section(content, "checks")["words"]


def test_scores_are_those_of_the_views(text: str, content: Any, scores: Any) -> None:
    for at, measure in enumerate(content["measures"]):
        expected = scores[measure].transpose("system", "topic").values
        assert np.array(packed(text)["scores"][at]) == pytest.approx(expected, abs=5e-7)
    assert full_names(content["systems"]) == list(scores["system"].values)
    assert full_names(content["topics"]) == list(TOPICS)


def test_one_system_is_no_reason_to_break(tmp_path: Path) -> None:
    found = page(tmp_path, systems=1)
    assert "the only system" in found["head"]["verdict"].lower()
    assert missing(found, "systems") == ("Differences between systems: not shown, because there is only one system",)
    assert "needs 2 systems" in " ".join(missing(found, "measures"))
    assert column(table(found, "leaderboard"), "system") == [HOSTILE[0]]


def test_one_topic_is_no_reason_to_break(tmp_path: Path) -> None:
    found = page(tmp_path, topics=1)
    assert column(table(found, "leaderboard"), "low") == [None] * 12
    assert "Whether there are enough topics could not be determined" in " ".join(section(found, "summary")["words"])
    assert any("topics" in line for line in missing(found, "measures"))


def test_one_measure_has_none_to_agree_with(tmp_path: Path) -> None:
    found = page(tmp_path, measures=("AP",))
    assert found["measures"] == ["AP"]
    assert missing(found, "measures") == (
        "Agreement of measures: not shown, because there is only one measure to compare",
    )


def test_skipped_topics_give_reasons(tmp_path: Path) -> None:
    qrels, runs = write_collection(tmp_path)
    lines = runs[3].read_text(encoding="utf-8").splitlines(keepends=True)
    runs[3].write_text("".join(line for line in lines if not line.startswith("5 ")), encoding="utf-8")
    found = data_of(html(qrels, runs, missing="skip"))
    assert "needs every system's score" in " ".join(missing(found, "measures"))
    assert len(table(found, "leaderboard")["rows"]) == 12


def test_baselines_factors_and_judges(tmp_path: Path) -> None:
    qrels, runs = write_collection(tmp_path)
    scores = cranfield.evaluate(list(map(str, runs)), str(qrels), names="tag")
    factors = cranfield.standardization.fit_standardization(scores[["nDCG@10"]], reference_systems=["bm25", "ql"])
    factors.write_factors(tmp_path / "factors.json")
    other = tmp_path / "judge.txt"
    other.write_text(qrels.read_text(encoding="utf-8").replace(" 2\n", " 1\n"), encoding="utf-8")
    options: Any = {"factors": str(tmp_path / "factors.json"), "judges": [str(other)], "names": "tag"}
    found = data_of(html(qrels, runs, "nDCG@10", baseline=["bm25"], **options))
    assert set(column(table(found, "baselines"), "baseline")) == {"bm25"}
    assert len(table(found, "baselines")["rows"]) == 11
    scaled = factors.apply(scores[["nDCG@10"]])["nDCG@10"].mean("topic")
    board = table(found, "leaderboard")
    assert column(board, "standardized") == pytest.approx(scaled.sel(system=column(board, "system")).values.tolist())
    labels = table(found, "labels")
    assert column(labels, "documents") == [480]
    assert column(table(found, "files"), "kind") == ["qrels", *["run"] * 12, "judge", "factors"]
    assert all(len(digest) == 64 for digest in column(table(found, "files"), "sha256"))
    pairs = (str(qrels), str(other))
    expected = cranfield.agreement.compare_judges(list(map(str, runs)), list(pairs), "nDCG@10", names="tag")
    assert column(table(found, "judge-systems"), "tau_b") == expected.systems.table["tau_b"].tolist()


def test_intents_add_a_section(tmp_path: Path) -> None:
    qrels, runs = write_collection(tmp_path)
    lines = [line.split() for line in qrels.read_text(encoding="utf-8").splitlines()]
    with_intents = [f"{t} {1 + int(d[1:]) % 3} {d} {label}" for t, _, d, label in lines]
    qrels.write_text("\n".join(with_intents) + "\n", encoding="utf-8")
    found = data_of(html(qrels, runs, intent_weights="uniform"))
    plane = cranfield.comparison.map_diversity(list(map(str, runs)), str(qrels), intent_weights="uniform")
    rows = table(found, "diversity")
    covered, relevant = column(rows, "I-rec@10"), column(rows, "D-nDCG@10")
    assert dict(zip(column(rows, "system"), covered, strict=True)) == plane.systems["I-rec@10"].to_dict()
    sums = [sum(pair) for pair in zip(covered, relevant, strict=True)]
    assert sums == sorted(sums, reverse=True)
    assert [figure["id"] for figure in section(found, "diversity")["figures"]] == ["diversity-plane", "intent-coverage"]


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"baseline": ("nobody",)}, UsageError, "no system is called 'nobody'"),
        ({"ties": "bounds"}, UsageError, "ties='bounds'"),
        ({"factors": "no.json"}, InputError, r"no\.json"),
        ({"judges": ("no.txt",)}, InputError, r"no\.txt"),
    ],
)
def test_user_mistakes_are_refused_before_anything_is_drawn(
    options: dict[str, Any], error: type[Exception], message: str, tmp_path: Path
) -> None:
    qrels, runs = write_collection(tmp_path, systems=2)
    with pytest.raises(error, match=message):
        html(qrels, runs, **options)


def test_the_texts_of_topics_are_on_their_pages(tmp_path: Path) -> None:
    texts = {"<b>1</b>": "black\nbears", "2": {"title": "white bears", "narrative": "where they live"}, "999": "none"}
    qrels, runs = write_collection(tmp_path, topics=3, systems=2)
    text = html(qrels, runs, names="tag", topics=texts)
    topics = full_names(data_of(text)["topics"])
    assert {topics[int(number)]: lines for number, lines in packed(text)["texts"].items()} == {
        "<b>1</b>": ["black bears"],
        "2": ["title: white bears", "narrative: where they live"],
    }


@pytest.mark.parametrize(("texts", "promised"), [(None, False), ({"999": "none"}, False), ({"2": "bears"}, True)])
def test_the_page_promises_a_text_only_where_a_topic_has_one(texts: Any, promised: bool, tmp_path: Path) -> None:
    qrels, runs = write_collection(tmp_path, topics=3, systems=2)
    made = data_of(html(qrels, runs, names="tag", topics=texts))
    assert ("see its text" in section(made, "topics")["act"]) is promised


def test_a_file_of_topics_is_refused_before_anything_is_computed(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.xml: no such file"):
        cranfield.report(["no-such.run"], "no-such-qrels.txt", topics=str(tmp_path / "none.xml"))


def test_a_page_says_what_several_judges_are_worth_and_what_holds_whatever_the_measure() -> None:
    made = cranfield.simulation.simulate_runs(n_systems=5, n_topics=16, seed=2)
    labels = made.qrels.to_dict()
    judges = [
        cranfield.Qrels.from_dict(
            {topic: {document: max(0, label - (at % step == 0)) for at, (document, label) in enumerate(pool.items())}
             for topic, pool in labels.items()},
            name=f"every {step}",
        )
        for step in (2, 3)
    ]  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CranfieldWarning)
        text = cranfield.report(made.runs, made.qrels, ["nDCG@10"], judges=judges).html
        panel = cranfield.agreement.estimate_panel([made.qrels, *judges], resamples=500)
        dominance = cranfield.comparison.compute_dominance_shares(made.runs, made.qrels, ["nDCG@10"]).table.iloc[0]
    content = data_of(text)
    assert column(table(content, "panel"), "n_eff") == panel.effective["n_eff"].tolist()
    assert column(table(content, "panel-members"), "kappa") == panel.members["kappa"].tolist()
    words = " ".join(section(content, "judges")["words"])
    assert "Together the 2 other judges are worth" in words
    assert "About two effective votes is what perfectly independent judges show" in words
    said = " ".join(section(content, "summary")["words"])
    assert f"Of {dominance['significant']} significant differences by nDCG@10" in said
    assert f"{dominance['robust']}" in said.partition("not corrected), ")[2][:4]
    assert "hold whatever the measure: no strictly consistent measure that reads 10 ranks can reverse them" in said
