"""Tables for people begin with a sentence that answers the question, and show an interval in one column."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest
from command import printed

from cranfield.agreement._answers import describe_favour, describe_label_agreement
from cranfield.results.sheet import Sheet

SCORES = "topic,a,b,c\n" + "".join(
    f"{n},{0.5 + n / 40:.3f},{0.3 + n % 3 / 10:.3f},{0.2 + n % 5 / 20:.3f}\n" for n in range(12)
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    Path("scores.csv").write_text(SCORES)
    Path("other.csv").write_text(SCORES.replace("a,b,c", "a,c,b"))
    yield


def test_an_audit_says_what_to_report() -> None:
    out = printed("audit", "--scores", "scores.csv", "--resamples", "50", "--subsets", "10")
    answer, head = out.split("\n\n")[0], out.split("\n\n")[1].splitlines()[0]
    assert answer.startswith(("Report scores (", "12 topics are too few to rank these 3 systems"))
    assert head.split() == ["measure", "Erho2", "order_needed", "order_interval", "swap_rate", "power", "tied"]
    assert "order_low,order_high" in printed("audit", "--scores", "scores.csv", "--resamples", "50", "-f", "csv")


def test_judges_say_how_many_conclusions_hold() -> None:
    out = printed("judges", "--scores", "scores.csv", "--scores", "other.csv")
    assert out.startswith("other (tau_b 0.333 with scores) keeps ")
    assert re.search(r"of \d significant differences? by scores, loses ", out.split("\n\n")[0])


def test_judges_say_where_the_reference_finds_nothing() -> None:
    Path("few.csv").write_text("topic,a,b\n1,0.5,0.25\n2,0.75,0.5\n3,0.25,0.5\n4,1,0.5\n")
    Path("own.csv").write_text("topic,a,b\n1,0.5,0.75\n2,0.5,0.75\n3,0.25,0.5\n4,1,0.5\n")
    out = printed("judges", "--scores", "few.csv", "--scores", "own.csv")
    answer = "own (tau_b -1.000 with few) has its own order of systems; no difference is significant by the reference."
    assert out.startswith(answer)


def test_a_study_recommends_a_test() -> None:
    call = ("audit", "study-tests", "--scores", "scores.csv", "--trials", "5", "--resamples", "20", "--test", "t")
    out = printed(*call, "--correction", "holm", "--effect", "0.3")
    assert out.startswith(("t (holm) is the only test with a false positive in at most 5% of trials", "None of these"))


def test_a_comparison_of_two_says_by_how_much() -> None:
    Path("two.csv").write_text("topic,a,b\n1,0.5,0.25\n2,0.75,0.5\n3,0.25,0.5\n4,1,0.5\n")
    out = printed("compare", "--scores", "two.csv")
    assert out.startswith(
        "The mean of a is 0.1875 above that of b (larger is better, as nothing says otherwise), not a significant "
        "difference at 0.05 (95% interval "
    )


def test_labels_and_favour_are_summed_up() -> None:
    table = pd.DataFrame({"equal": [0.5, 0.75], "kappa": [0.2, 0.4], "documents": [10, 8]}, index=["m", "n"])
    expected = "n agrees with people on 75.0% of 8 labels (kappa 0.400, the most of 2 judges)."
    assert describe_label_agreement(table, "people") == expected
    expected = "m agrees with people on 50.0% of 10 labels (kappa 0.200)."
    assert describe_label_agreement(table.iloc[:1], "people") == expected
    rows = [("m", "s", 0.1, 0.01), ("m", "t", -0.1, 0.01), ("n", "s", 0.1, 0.5)]
    favour = pd.DataFrame(rows, columns=["judge", "system", "favour", "p_adjusted"])
    expected = "Significantly at 0.05: m favours s and disfavours t; n favours and disfavours none."
    assert describe_favour(favour, 0.05) == expected


def test_limits_are_one_column_for_people_and_two_for_programs() -> None:
    frame = pd.DataFrame({"system": ["a", "b"], "low": [0.1, float("nan")], "high": [0.2, float("nan")], "n": [3, 4]})
    sheet = Sheet.from_frame(frame, "", {})
    assert sheet.text("csv").splitlines()[0] == "system,low,high,n"
    assert sheet.text("markdown").splitlines() == [
        "| system | interval | n |",
        "| :-- | --: | --: |",
        r"| a | \[0.1000, 0.2000\] | 3 |",
        "| b | none | 4 |",
    ]
