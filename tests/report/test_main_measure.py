"""A page speaks of the measure and the depth by which it ranks, and names the systems that it is made without."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import cranfield
from cranfield import report, report_scores
from reading_pages import data_of

DOCUMENTS = [f"d{number:02}" for number in range(30)]
JUDGED = [document for number, document in enumerate(DOCUMENTS) if number % 7 not in (0, 3, 5)]
SPEAKS = re.compile(
    r"(?:first|top) ([0-9]+)(?: retrieved)?(?: documents| ranks| unjudged|;| would)|I-rec@([0-9]+)|D-nDCG@([0-9]+)"
)
"""Where a page names a depth."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three runs of thirty documents on six topics with two intents each, many unjudged, some with equal scores."""
    monkeypatch.chdir(tmp_path)
    topics = [f"q{number}" for number in range(6)]
    lines, flat = [], []
    for t, topic in enumerate(topics):
        for d, document in enumerate(JUDGED):
            lines.append(f"{topic} {1 + d % 2} {document} {(t + d) % 3}")
            flat.append(f"{topic} 0 {document} {(t + d) % 3}")
    Path("intents.txt").write_text("\n".join([*lines, ""]))
    Path("qrels.txt").write_text("\n".join([*flat, ""]))
    for name, step in (("one", 1), ("two", 7), ("three", 11)):
        rows = [
            f"{topic} Q0 {DOCUMENTS[(rank * step + t) % 30]} {rank} {40 - (rank if rank != 15 else 14)} {name}"
            for t, topic in enumerate(topics)
            for rank in range(1, 30)
        ]
        Path(f"{name}.run").write_text("\n".join([*rows, ""]))
    return tmp_path


def words(page: str) -> str:
    """All that a page says."""
    return "\n".join(json.dumps(data_of(part), ensure_ascii=False) for part in page.split("<!doctype html>") if part)


RUNS = ["one.run", "two.run", "three.run"]


def depths(text: str) -> set[int]:
    return {int(number) for found in SPEAKS.findall(text) for number in found if number}


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
@pytest.mark.parametrize("public", [False, True])
@pytest.mark.parametrize(
    ("qrels", "measures", "depth"),
    [
        ("qrels.txt", ["nDCG@20", "AP"], 20),
        ("qrels.txt", ["P@5", "AP"], 5),
        ("qrels.txt", ["AP", "nDCG@20"], 10),
        ("qrels.txt", ["nDCG@10"], 10),
        ("qrels.txt", ["NumRelRet", "nDCG@20"], 20),
        ("intents.txt", ["alpha-nDCG@20"], 20),
        ("intents.txt", ["ERR-IA@5", "nDCG@20"], 5),
    ],
)
def test_a_page_speaks_of_the_depth_it_ranks_by(
    folder: Path, qrels: str, measures: list[str], depth: int, public: bool
) -> None:
    page = report(RUNS, qrels, measures, public=public)
    text = words(page.html)
    assert depths(text) == {depth}
    if measures[0] != "nDCG@10":
        assert "nDCG@10" not in page.html
    assert f"of the top {depth} retrieved documents are unjudged" in text
    if not public:
        assert f"of the first {depth} documents are not judged" in text


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_the_note_on_neighbours_is_about_the_main_measure(folder: Path) -> None:
    texts = {m: words(report(RUNS, "qrels.txt", [m, "RR"]).html) for m in ("nDCG@20", "RBP(p=0.5)", "AP")}
    for measure, text in texts.items():
        assert re.search(
            rf"could reverse the order of \d of \d pairs? of neighbours by {re.escape(measure)}: ", text
        ), measure
    assert "scores could be lower, as relevant documents below the first 20 would raise the ideal" in texts["nDCG@20"]
    assert "would raise the ideal" not in texts["RBP(p=0.5)"], "nothing is divided by an ideal"
    assert report(RUNS, "intents.txt", ["alpha-nDCG@20"]).html.count("could reverse the order") == 0


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_equal_scores_do_not_matter_where_ranks_decide(folder: Path) -> None:
    by_scores, by_ranks = (words(report(RUNS, "qrels.txt", ["nDCG@20"], ties=t).html) for t in ("trec", "rank"))
    assert "equal scores among the first 20 ranks" in by_scores
    assert "equal scores" not in by_ranks and "--ties rank" not in by_ranks and "tied scores" not in by_ranks


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
@pytest.mark.parametrize(
    ("measures", "depth"), [(["nDCG@20", "Judged@20", "Judged@10"], 20), (["nDCG@20", "Judged@10"], 10)]
)
def test_a_page_of_scores_names_the_depth_that_it_has(folder: Path, measures: list[str], depth: int) -> None:
    scores = cranfield.evaluate(RUNS, "qrels.txt", measures)
    text = words(report_scores(scores, ["nDCG@20"]).html + report_scores(scores).html)
    assert depths(text) <= {depth}


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
@pytest.mark.parametrize("public", [False, True])
def test_systems_that_lack_scores_are_named_too(folder: Path, public: bool) -> None:
    first = dict.fromkeys(["q0", "q1"], None)
    runs = {name: cranfield.read_run(f"{name}.run") for name in ("one", "two")}
    scores = cranfield.evaluate(runs, "qrels.txt", ["nDCG@20"])
    short = cranfield.evaluate({"short": cranfield.read_run("three.run")}, "qrels.txt", ["nDCG@20"])
    joined = scores.merge(short.sel(topic=list(first)), join="outer", compat="no_conflicts")
    text = words(report_scores(joined, missing_scores="drop-systems", public=public).html)
    assert "Left out: 1 run, of which no scores could be used: short" in text
    assert ("it lacks scores" in text) is not public


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_equal_scores_are_counted_by_the_scores_that_are_asked_for(tmp_path: Path) -> None:
    """Not by the share of judged documents, which the page shows besides."""
    topics = ("1", "2", "3")
    (tmp_path / "qrels.txt").write_text("".join(f"{topic} 0 a 1\n{topic} 0 x 0\n" for topic in topics))
    for name, last in (("one", "1"), ("two", "0")):  # x, not relevant, and y, unjudged, have one score at rank 10
        lists = [
            [f"{topic} Q0 {'a' if topic != last else 'z'} 1 99 run"]
            + [f"{topic} Q0 u{rank} {rank} {50 - rank} run" for rank in range(2, 10)]
            + [f"{topic} Q0 x 10 1 run", f"{topic} Q0 y 11 1 run"]
            for topic in topics
        ]
        (tmp_path / f"{name}.run").write_text("".join(f"{line}\n" for lines in lists for line in lines))
    runs = [tmp_path / f"{name}.run" for name in ("one", "two")]
    text = words(report(runs, tmp_path / "qrels.txt", ["nDCG@10"]).html)
    assert "the tie policies agree on nDCG@10 to four digits" in text
    assert "tied scores" not in text
