"""``checking.check``: every kind of finding is provoked by a tiny file, and a broken file stops nothing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import cranfield
from cranfield import CranfieldWarning, check, engine, evaluate
from cranfield.checking import Findings
from cranfield.engine import Engine
from cranfield.findings import TABLE, Finding, markdown
from cranfield.scoring import score
from data_sets import GOLDEN, rows

QRELS = "1 0 a 2\n1 0 b 0\n2 0 a 1\n"
GOOD = "1 Q0 a 1 3 x\n1 Q0 b 2 2 x\n2 Q0 a 1 2 x\n"

PROVOKED: dict[str, tuple[str, str, int, str]] = {
    "unreadable": (QRELS, "1 Q0 a 1 3 x\n2 Q0 a 1 high x\n", 2, "the score 'high' is not a number"),
    "duplicate": (QRELS, GOOD + "1 Q0 a 3 1 x\n", 4, "document 'a' occurs twice in topic '1'"),
    "no-shared-topic": (QRELS, "01 Q0 a 1 3 x\n", 0, "run and qrels share no topic; the run has '01'"),
    "too-deep": (QRELS, GOOD + "1 Q0 c 3 1 x\n", 0, "more than 2 documents in topic 1; the longest list has 3"),
    "unknown-document": (QRELS, GOOD + "1 Q0 z 3 1 x\n2 Q0 z 2 1 x\n", 0, "1 retrieved document is not in the list"),
    "missing-topics": (QRELS, "1 Q0 a 1 3 x\n", 0, "judged but missing from the run: topic 2"),
    "extra-topics": (QRELS, GOOD + "9 Q0 a 1 3 x\n", 0, "1 topic (9) is not judged, so it is ignored"),
    "ties": (
        QRELS,
        "1 Q0 a 1 3 x\n1 Q0 b 2 3 x\n2 Q0 a 1 2 x\n",
        0,
        "in 1 of 2 lists (50.0%); the tie policies differ",
    ),
    "harmless-ties": (
        QRELS,
        "1 Q0 a 1 3 x\n1 Q0 u 2 1 x\n1 Q0 v 3 1 x\n2 Q0 a 1 1 x\n",
        0,
        "in 1 of 2 lists (50.0%); the tie policies agree on nDCG@10, AP, RR, P@10, R@1000 and Judged@10 to four digits",
    ),
    "constant-scores": (QRELS, "1 Q0 a 1 3 x\n1 Q0 b 2 3 x\n2 Q0 a 1 2 x\n", 0, "all scores are equal in topic 1"),
    "rank-contradicts-score": (QRELS, "1 Q0 a 2 3 x\n1 Q0 b 1 2 x\n2 Q0 a 1 2 x\n", 0, "1 topic (first '1')"),
    "rank-text": (QRELS, GOOD.replace("b 2", "b two"), 2, "the rank 'two' is not a whole number"),
    "mixed-tags": (QRELS, GOOD.replace("2 x\n2", "2 y\n2"), 2, "the run tag is 'y' here and 'x' above"),
    "commented-rows": (QRELS, GOOD + "#1 Q0 a 1 3 x\n", 4, "has the fields of a row of topic '#1'"),
    "ranks-alone": (QRELS, "qid,docno,rank\n1,a,1\n2,a,1\n", 0, "each of the 2 documents is minus its rank"),
    "scattered-topics": (QRELS, "1 Q0 a 1 3 x\n2 Q0 a 1 2 x\n1 Q0 b 2 2 x\n", 3, "topic '1' continues here"),
    "empty-lists": (QRELS, '{"1": {"a": 3, "b": 2}, "2": {}}', 0, "topic '2' has no document"),
    "tool-ties": (
        QRELS,
        '{"query_id": "1", "results": [{"corpus_id": "a", "score": 1}, {"corpus_id": "b", "score": 1}]}\n',
        0,
        "1 list has equal scores, which sentence-transformers orders by document id, ascending: ties=docid",
    ),
    "metadata": (
        QRELS,
        "# ir_metadata.start\n# a: [\n# ir_metadata.end\n" + GOOD,
        2,
        "the header of ir_metadata is not well formed",
    ),
    "no-labels": ("query-id\tcorpus-id\n1\ta\n2\ta\n", GOOD, 0, "each of the 2 documents listed has label 1"),
    "ids-in-cells": (QRELS, "qid,docno\n1,a b\n2,a\n", 0, "cells of 'docno' list 3 documents"),
    "unrated": (
        "query,docid,rating\n1,a,1\n2,a,1\n2,b,\n",
        GOOD,
        0,
        "1 document without a rating left out: not judged",
    ),
    "unjudged": (QRELS, GOOD + "2 Q0 u 2 1 x\n", 0, "25.0% of the first 10 documents are not judged"),
    "all-unjudged": (
        QRELS,
        "1 Q0 u 1 3 x\n2 Q0 u 1 2 x\n",
        0,
        "none of the first 10 documents is judged, in any topic",
    ),
    "own-document": (
        QRELS,
        "1 Q0 1 1 3 x\n1 Q0 a 2 2 x\n2 Q0 2 1 3 x\n2 Q0 a 2 2 x\n",
        0,
        "the first document is the topic's own in 2 of 2 topics (100.0%), such as '1'",
    ),
    "none-judged": (
        QRELS,
        "".join(f"{topic} Q0 A{rank} {rank} {-rank} x\n" for topic in "12" for rank in range(1, 6)),
        0,
        "none of its documents, such as 'A1', is judged; are they named as in the qrels, such as 'a'?",
    ),
    "negative-labels": (QRELS + "1 0 c -1\n", GOOD, 0, "1 of 4 labels is below zero"),
    "fractional-labels": (QRELS + "1 0 c 1.5\n", GOOD, 4, "the label 1.5 is not a whole number"),
    "no-relevant": (QRELS.replace("2 0 a 1", "2 0 a 0"), GOOD, 0, "no document of label 1 or more in topic 2"),
    "judged-twice": (QRELS + "1 0 a 2\n", GOOD, 4, "document 'a' of topic '1' is judged again"),
    "several-labels": (QRELS + "1 7 a 1\n", GOOD, 0, "document 'a' of topic '1' is judged under several"),
}
"""Kind -> qrels, run, the line, how the text begins or what it holds."""

OF_QRELS = {
    "no-labels",
    "unrated",
    "negative-labels",
    "fractional-labels",
    "no-relevant",
    "judged-twice",
    "several-labels",
}
OPTIONAL = {"too-deep", "unknown-document", "none-judged"}
OF_A_TASK = {"absent-topics", "other-topics", "same-file", "same-rankings", "other-tag"}
"""Those of strict checks and of copies, tried on the command."""

pytestmark = pytest.mark.usefixtures("each_engine")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "good.run").write_text(GOOD)
    return tmp_path


def codes(report: Findings, file: str) -> list[str]:
    return [finding.code for finding in report.findings if finding.location.file == file]


def only(report: Findings, code: str) -> Finding:
    (finding,) = (finding for finding in report.findings if finding.code == code)
    return finding


@pytest.mark.parametrize("code", PROVOKED)
def test_a_tiny_file_provokes_it(code: str, folder: Path) -> None:
    qrels, run, line, text = PROVOKED[code]
    (folder / "own.qrels").write_text(qrels)
    (folder / "own.run").write_text(run)
    documents = ["a", "b", "c"] if code == "unknown-document" else None
    report = check(["own.run"], "own.qrels", depth=2 if code == "too-deep" else None, documents=documents)
    found = only(report, code)
    assert (found.location.file, found.location.line or 0) == ("own.qrels" if code in OF_QRELS else "own.run", line)
    assert found.where == (f"{found.location.file}:{line}" if line else found.location.file)
    assert text in found.text
    assert not found.text.startswith("own.")
    assert found.severity == TABLE[code].severity
    assert report.passed == (found.severity != "error")
    assert report.refused == (found.severity == "error" and code not in OPTIONAL)


SEEN_WITH_MEASURES = {"no-value", "nothing-to-find", "odd-judgments", "rewarding-variant", "low-labels", "high-labels"}
OF_OPTIONS = {"duplicate-kept", "ranks-as-scores"}
OF_OTHER_FILES = {
    "left-out",
    "extra-weights",
    "weight-sums",
    "idle-weights",
    "other-level",
    "preferred-twice",
    "parts-of-a-run",
}
OF_FUSIONS = {"no-topic-in-common", "no-document-in-common", "topics-of-others"}


def test_every_kind_is_provoked() -> None:
    assert (
        set(TABLE)
        == {*PROVOKED, "equal-names", "not-opened", "open-order", "parts-of-a-run"}
        | SEEN_WITH_MEASURES
        | OF_OPTIONS
        | OF_OTHER_FILES
        | OF_FUSIONS
        | OF_A_TASK
    )


def test_a_good_run_has_no_findings() -> None:
    found = check(["good.run"], "qrels", depth=2, documents=["a", "b"])
    settings = {"input_format": "auto", "strict": False, "topics": None, "depth": 2, "documents": 2}
    assert found == Findings((), 1, 0, settings, found.signature)


def test_neighbours_whose_order_holes_could_turn(folder: Path) -> None:
    (folder / "qrels").write_text("1 0 a 1\n1 0 b 0\n2 0 a 1\n2 0 b 0\n")
    (folder / "best.run").write_text("1 Q0 a 1 3 x\n2 Q0 b 1 2 x\n2 Q0 a 2 1 x\n")
    (folder / "holes.run").write_text("1 Q0 a 1 3 x\n2 Q0 u 1 2 x\n2 Q0 v 2 1 x\n")
    (folder / "worst.run").write_text("1 Q0 b 1 3 x\n2 Q0 b 1 2 x\n")
    report = check(["worst.run", "best.run", "holes.run"], "qrels")
    (open_order,) = (found for found in report.findings if found.code == "open-order")
    assert open_order.severity == "note"
    assert open_order.text == (
        "unjudged documents could reverse the order of 1 of 2 pairs of neighbours by nDCG@10: best.run (0.8155, "
        "could be 0.8155 to 0.8155; none of its first 10 unjudged) and holes.run (0.5000, could be 0.5000 to 0.8827; "
        "50.0% of its first 10 unjudged)"
    )
    assert "open-order" not in {found.code for found in check(["worst.run", "best.run"], "qrels").findings}
    (folder / "copy.run").write_bytes((folder / "holes.run").read_bytes())
    alike = check(["holes.run", "copy.run"], "qrels").findings
    assert "open-order" not in {found.code for found in alike}, "labels of the same documents turn nothing"


def test_a_broken_file_between_two_good_ones(folder: Path) -> None:
    (folder / "broken.run").write_text("nonsense\n")
    (folder / "last.run").write_text(GOOD + "9 Q0 a 1 1 x\n")
    seen: list[tuple[int, int]] = []
    report = check(
        ["good.run", "broken.run", "last.run"], "qrels", progress=lambda done, total: seen.append((done, total))
    )
    assert [(finding.code, finding.where) for finding in report.findings] == [
        ("unreadable", "broken.run:1"),
        ("extra-topics", "last.run"),
    ]
    assert (report.runs, report.refused, report.passed) == (3, 1, False)
    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_the_unjudged_are_those_of_lists_that_are_there(folder: Path) -> None:
    (folder / "half.run").write_text("1 Q0 a 1 3 x\n1 Q0 u 2 2 x\n")
    report = check(["half.run"], "qrels")
    assert [finding.code for finding in report.findings] == ["missing-topics", "unjudged"]
    assert "50.0% of the first 10 documents are not judged" in only(report, "unjudged").text


@pytest.mark.parametrize(("tied", "told"), [((9, 10), True), ((10, 11), True), ((11, 12), False)])
def test_ties_matter_where_they_reach_the_first_ranks(folder: Path, tied: tuple[int, int], told: bool) -> None:
    first, second = tied
    scores = {rank: 100 - (first if rank == second else rank) for rank in range(1, 14)}
    (folder / "long.run").write_text("".join(f"1 Q0 a{rank} {rank} {score} x\n" for rank, score in scores.items()))
    assert ("harmless-ties" in codes(check(["long.run"], "qrels"), "long.run")) == told


def test_a_run_of_other_documents_is_warned_of_as_by_evaluate(folder: Path) -> None:
    """The note that all of them are unjudged would say it twice; a few documents may be so by chance."""
    (folder / "other.run").write_text("".join(f"{topic} Q0 A{at} {at} {-at} x\n" for topic in "12" for at in range(5)))
    (found,) = check(["other.run"], "qrels").findings
    with pytest.warns(CranfieldWarning) as noticed:
        evaluate("other.run", "qrels", "AP")
    assert [str(warning.message) for warning in noticed] == [str(found)]
    (folder / "few.run").write_text("1 Q0 A 1 1 x\n2 Q0 A 1 1 x\n")
    assert codes(check(["few.run"], "qrels"), "few.run") == ["all-unjudged"]


def test_five_topics_that_are_not_judged_are_named(folder: Path) -> None:
    (folder / "more.run").write_text(GOOD + "".join(f"{topic} Q0 a 1 3 x\n" for topic in range(3, 9)))
    told = only(check(["more.run"], "qrels"), "extra-topics").text
    assert told.startswith("6 topics (3, 4, 5, 6, 7, ")


def test_equal_ranks_contradict_no_scores(folder: Path) -> None:
    (folder / "flat.run").write_text("1 Q0 a 1 3 x\n1 Q0 b 1 2 x\n2 Q0 a 1 2 x\n")
    assert codes(check(["flat.run"], "qrels"), "flat.run") == []


def test_duplicates_are_kept_where_that_is_wanted(folder: Path) -> None:
    (folder / "twice.run").write_text(GOOD + "1 Q0 a 3 1 x\n")
    report = check(["twice.run"], "qrels", on_duplicate="first")
    found = only(report, "duplicate-kept")
    assert (found.severity, found.where) == ("warning", "twice.run:4")
    assert "document 'a' occurs twice in topic '1'; its better-ranked line is kept" in found.text
    assert report.passed
    assert report.settings["on_duplicate"] == "first"
    assert not check(["twice.run"], "qrels").passed


def test_columns_named_as_scores_that_hold_ranks(folder: Path) -> None:
    (folder / "ranks.csv").write_text("qid,docno,rank\n1,b,1\n1,a,2\n2,a,1\n")
    report = check(["ranks.csv"], "qrels", columns={"score": "rank"})
    assert "columns rank=rank, without a score" in only(report, "ranks-as-scores").text


def test_a_run_that_is_refused_twice_is_one_run(folder: Path) -> None:
    (folder / "twice.run").write_text("01 Q0 a 1 3 x\n01 Q0 a 2 2 x\n")
    report = check(["good.run", "twice.run"], "qrels")
    assert [finding.code for finding in report.findings] == ["duplicate", "no-shared-topic"]
    assert (report.runs, report.refused) == (2, 1)


@pytest.mark.parametrize("text", ["1 0 a yes\n", "", None])
def test_runs_are_read_without_judgments(folder: Path, text: str | None) -> None:
    if text is not None:
        (folder / "bad").write_text(text)
    (folder / "flat.run").write_text("1 Q0 a 1 3 x\n1 Q0 b 2 3 x\n")
    report = check(["good.run", "flat.run"], "bad")
    assert codes(report, "bad") == ["not-opened" if text is None else "unreadable"]
    assert codes(report, "good.run") == []
    assert codes(report, "flat.run") == ["constant-scores"]
    assert not report.passed
    if text is None:
        assert only(report, "not-opened").text.startswith("no such file")


def test_missing_runs_folders_and_patterns(folder: Path) -> None:
    (folder / "more").mkdir()
    (folder / "more" / "b.run").write_text(GOOD)
    (folder / "more" / "a.run").write_text("nonsense\n")
    report = check(["absent.run", "more", "none/*.run", "more/*.run"], "qrels")
    assert [finding.location.file for finding in report.findings] == ["absent.run", "more", "none/*.run", "more/a.run"]
    assert (report.runs, report.refused) == (5, 4)


def test_equal_names_stop_no_check(folder: Path) -> None:
    for name in ("a.run", "a.txt"):
        (folder / name).write_text(GOOD + "2 Q0 u 2 1 x\n")
    report = check(["good.run", "a.run", "a.txt"], "qrels")
    assert codes(report, "a.txt") == ["same-file", "unjudged"]
    assert codes(report, "a.run") == ["equal-names", "unjudged"]
    assert only(report, "equal-names").text == "would be called 'a', as would a.txt: rename one of the files"
    assert (report.passed, report.refused) == (False, 2)
    twice = check(["good.run", "good.run"], "qrels")
    assert [(finding.code, finding.where, finding.text) for finding in twice.findings] == [
        ("equal-names", "good.run", "this run is given twice")
    ]


def test_every_file_of_one_name_is_counted(folder: Path) -> None:
    """Evaluation refuses all of them: each clash is named, and a file that is broken as well counts once."""
    for name in ("a.run", "a.txt", "a.res"):
        (folder / name).write_text(GOOD)
    (folder / "a.tsv").write_text("nonsense\n")
    report = check(["good.run", "a.run", "a.txt", "a.res", "a.tsv"], "qrels")
    assert [one.text for one in report.findings if one.code == "equal-names"] == [
        f"would be called 'a', as would {other}: rename one of the files" for other in ("a.txt", "a.res", "a.tsv")
    ]
    assert (report.runs, report.refused) == (5, 4)
    twice = check(["good.run", "a.run", "good.run", "a.txt"], "qrels")
    assert [one.where for one in twice.findings if one.code == "equal-names"] == ["good.run", "a.run"]
    assert (twice.runs, twice.refused) == (4, 4)


def test_a_run_whose_name_looks_like_a_message(folder: Path) -> None:
    (folder / "x: 3: y.run").write_text("9 Q0 a 1 3 x\n")
    found = only(check(["x: 3: y.run"], "qrels"), "no-shared-topic")
    assert (found.where, found.text[:25]) == ("x: 3: y.run", "run and qrels share no to")


def test_hostile_text_is_written_out(folder: Path) -> None:
    (folder / "q").write_text(QRELS + "1 0 c\x1b[31m 1.5\n3\x1b[2J 0 a 0\n")
    hostile = "1 Q0 \x1b[31mz 1 3 \x1b]0;t\x07\n1 Q0 b 2 3 y\x1b\n1 Q0 \x1b[31mz 3 1 y\n9\x1b[2J Q0 a one 1 y\n"
    (folder / "h\x1b.run").write_text(hostile)
    report = check(["h\x1b.run"], "q", depth=1, documents=["a"])
    assert len({finding.code for finding in report.findings}) >= 8
    for finding in report.findings:
        assert (finding.where + finding.text).isprintable()
        assert "\\\\x1b" not in finding.text, "escaped once"


def test_the_spread_over_tie_policies_is_that_of_scores(folder: Path) -> None:
    (folder / "tied.run").write_text("1 Q0 b 1 3 x\n1 Q0 a 2 3 x\n2 Q0 u 1 1 x\n2 Q0 a 2 1 x\n")
    means = {
        ties: float(score("tied.run", "qrels", ["nDCG@10"], ties=ties).summaries[0, 0])  # type: ignore[arg-type]
        for ties in ("trec", "trec9", "docid", "file")
    }
    spread = max(means.values()) - min(means.values())
    assert spread > 0.1
    said = ", ".join(f"{ties} {mean:.4f}" for ties, mean in means.items())
    found = only(check(["tied.run"], "qrels"), "ties")
    assert found.text.endswith(f"in 2 of 2 lists (100.0%); the tie policies differ by {spread:.4f} on nDCG@10 ({said})")


def test_scores_that_are_equal_as_float32_only(folder: Path) -> None:
    """trec_eval 9 reads them as equal, and orders by id; as doubles they order as meant."""
    (folder / "close.run").write_text("1 Q0 a 1 16777217 x\n1 Q0 b 2 16777216 x\n2 Q0 a 1 2 x\n2 Q0 u 2 1 x\n")
    means = {
        ties: float(score("close.run", "qrels", ["nDCG@10"], ties=ties).summaries[0, 0])  # type: ignore[arg-type]
        for ties in ("trec", "trec9")
    }
    text = only(check(["close.run"], "qrels"), "ties").text
    assert text.startswith(
        "equal scores among the first 10 ranks in 1 of 2 lists (50.0%), "
        "in 1 of them only as trec_eval 9 reads scores (float32); the tie policies differ by "
    )
    assert f"{means['trec'] - means['trec9']:.4f} on nDCG@10" in text
    assert f"(trec {means['trec']:.4f}, trec9 {means['trec9']:.4f}, " in text
    (folder / "both.run").write_text(
        "1 Q0 a 1 1e39 x\n1 Q0 b 2 1e38 x\n1 Q0 u 3 1e38 x\n2 Q0 a 1 1e41 x\n2 Q0 u 2 1e40 x\n"
    )
    assert "in 2 of 2 lists (100.0%), in 1 of them only as" in only(check(["both.run"], "qrels"), "ties").text
    (folder / "far.run").write_text("1 Q0 a 1 1.0000002 x\n1 Q0 b 2 1 x\n2 Q0 a 1 2 x\n")
    assert codes(check(["far.run"], "qrels"), "far.run") == []


def test_ranks_of_more_digits_than_are_read(folder: Path) -> None:
    (folder / "long.run").write_text(GOOD.replace("a 1", f"a {'1' * 19}"))
    found = only(check(["long.run"], "qrels"), "rank-text")
    assert (found.location.line, found.text) == (
        1,
        "the rank '1111111111111111111' is not a whole number of at most 18 digits (1 more like it); "
        "ranks are not used",
    )


@pytest.mark.parametrize("seed", range(40))
def test_trec_eval_9_is_asked_wherever_it_may_order_otherwise(
    folder: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Scores around the precision of float32, in any order, beside equal ones: what is said is that of judging anew."""
    rng = np.random.default_rng(seed)
    scores = rng.choice([1.0, -0.0, 0.0, 1e39, 2e39, 1 + rng.choice([2.0**-20, 2.0**-25]), 0.5], 12)
    lines = [f"{1 + at // 6} Q0 {document} 1 {scores[at]!r} x\n" for at, document in enumerate("abcdef" * 2)]
    (folder / "near.run").write_text("".join(lines).replace("np.float64(", "").replace(")", ""))
    (folder / "q").write_text("1 0 a 2\n1 0 c 1\n1 0 e 0\n2 0 b 1\n2 0 f 3\n")
    found = check(["near.run"], "q")
    by = engine.current()
    count = by.count_ties
    monkeypatch.setattr(by, "count_ties", lambda *lists: (*count(*lists)[:2], True))
    assert check(["near.run"], "q") == found


def test_ties_that_change_nothing(folder: Path) -> None:
    """A note, unless a digit that ``evaluate`` prints depends on them: here of AP."""
    (folder / "tied.run").write_text("1 Q0 a 1 3 x\n1 Q0 u 2 1 x\n1 Q0 v 3 1 x\n2 Q0 a 1 1 x\n")
    assert codes(check(["tied.run"], "qrels"), "tied.run") == ["unjudged", "harmless-ties"]
    ranked = [(f"u{rank}", 20 - rank) for rank in range(1, 10)] + [(document, 5) for document in "zaAB"]
    lines = "".join(f"1 Q0 {document} 1 {value} x\n" for document, value in ranked)
    (folder / "later.run").write_text(lines + "2 Q0 a 1 1 x\n")
    said = "differ by 0.0038 on AP (trec 0.5455, trec9 0.5455, docid 0.5417, file 0.5455)"  # ranks 11 and 12 of a
    assert only(check(["later.run"], "qrels"), "ties").text.endswith(said)
    lines = [f"1 Q0 d{rank} {rank} {max(20 - rank, 9)} x\n" for rank in range(1, 15)]
    (folder / "deep.run").write_text("".join(lines) + "2 Q0 a 1 1 x\n")
    assert codes(check(["deep.run"], "qrels"), "deep.run") == ["unjudged"], "ranks 11 to 14 are below the cutoff"


MANIFEST = list(rows(GOLDEN / "malformed/manifest.tsv"))


@pytest.mark.parametrize("row", MANIFEST, ids=lambda row: row["file"])
def test_malformed_files(row: dict[str, str], each_engine: Engine) -> None:
    file = str(GOLDEN / "malformed" / row["file"])
    other = str(GOLDEN / "malformed" / row["pair_with"])
    report = check([file], other) if row["kind"] == "run" else check([other], file)
    errors = [finding for finding in report.findings if finding.severity == "error"]
    assert [finding.location.file for finding in errors] == ([file] if row["expect"] == "error" else [])
    assert report.passed == (row["expect"] != "error")
    if row["expect"] == "warn":
        assert any(finding.severity == "warning" and finding.location.file == file for finding in report.findings)


def test_the_table_has_every_kind() -> None:
    lines = markdown().partition("\n\n")[0].splitlines()
    assert [line.split("`")[1] for line in lines[2:]] == list(TABLE)
    assert {line.count("|") for line in lines} == {5}


def test_equal_labels_under_several_values_of_field_2(folder: Path) -> None:
    (folder / "qrels").write_text(QRELS + "2 7 a 1\n")
    assert only(check(["good.run"], "qrels"), "several-labels").text.startswith(
        "document 'a' of topic '2' is judged under several values of field 2, with equal labels"
    )


def test_runs_and_judgments_in_memory_are_checked_as_evaluate_takes_them(tmp_path: Path) -> None:
    lists, labels = {"q1": {"d1": 1.0, "d2": 1.0}}, {"q1": {"d1": 1}, "q2": {"d1": 1}}
    run, qrels = cranfield.Run.from_dict(lists, name="mine"), cranfield.Qrels.from_dict(labels)
    cranfield.write(run, tmp_path / "mine.run")
    cranfield.write(qrels, tmp_path / "qrels.txt")
    expected = [finding.code for finding in cranfield.check(tmp_path / "mine.run", tmp_path / "qrels.txt").findings]
    rows = pd.DataFrame([("q1", "d1", 1.0), ("q1", "d2", 1.0)], columns=["qid", "docno", "score"])
    judged = pd.DataFrame([("q1", "d1", 1), ("q2", "d1", 1)], columns=["qid", "docno", "label"])
    for runs, judgments in ((run, qrels), (lists, labels), (rows, judged), ([run], qrels), ({"mine": lists}, qrels)):
        found = cranfield.check(runs, judgments)
        assert [finding.code for finding in found.findings] == expected
        assert found.runs == 1
    assert found.signature["runs"] == [{"name": "run 'mine'", "sha256": run.digest}]
    twice = cranfield.check(pd.concat([rows, rows]), qrels)
    assert [finding.code for finding in twice.findings] == ["unreadable"]
    assert twice.signature["runs"] == [{"name": "run 'run'", "sha256": None}]


def test_a_path_is_one_run_and_not_its_letters(tmp_path: Path) -> None:
    found = cranfield.check("bm25.run", cranfield.Qrels.from_dict({"q1": {"d1": 1}}))
    assert [str(finding.location) for finding in found.findings] == ["bm25.run"]
    assert found.runs == 1
