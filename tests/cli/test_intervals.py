"""``cranfield evaluate`` with intervals: two more columns in every format that has room for them."""

from __future__ import annotations

import json

import pytest
from command import cranfield, printed

pytestmark = pytest.mark.usefixtures("intervals")


@pytest.fixture
def intervals(tmp_path, monkeypatch):  # type: ignore[no-untyped-def]
    (tmp_path / "qrels.txt").write_text("q 0 d2 1\nq 0 d9 2\n")
    (tmp_path / "a.run").write_text("q Q0 d1 1 3 a\nq Q0 d2 2 2 a\nq Q0 d3 3 1 a\n")
    (tmp_path / "tied.run").write_text("q Q0 d1 1 1 t\nq Q0 d2 2 1 t\n")
    monkeypatch.chdir(tmp_path)


def test_missing_judgments_in_tsv_and_csv() -> None:
    lines = printed("evaluate", "qrels.txt", "a.run", "--bounds", "-m", "AP", "-m", "P@2", "-f", "tsv").splitlines()
    assert lines == [
        "system\ttopic\tmeasure\tvalue\tlower\tupper",
        "a\tall\tAP\t0.25\t0.25\t0.75",
        "a\tall\tP@2\t0.5\t0.5\t1.0",
    ]
    commas = printed("evaluate", "qrels.txt", "a.run", "--bounds", "-m", "AP", "-m", "P@2", "-f", "csv")
    assert commas.splitlines() == [line.replace("\t", ",") for line in lines]


def test_the_order_of_equal_scores_in_json() -> None:
    whole = json.loads(printed("evaluate", "qrels.txt", "tied.run", "--ties", "bounds", "-m", "RR", "-q", "-f", "json"))
    assert whole["signature"]["bounds"] == "order"
    assert whole["rows"][0] == {
        "system": "tied",
        "topic": "q",
        "measure": "RR",
        "value": 1.0,
        "lower": 0.5,
        "upper": 1.0,
    }


def test_the_table_says_what_the_columns_are() -> None:
    out = printed("evaluate", "qrels.txt", "a.run", "--bounds", "-m", "AP")
    assert out.splitlines()[0].split() == ["system", "AP", "lower", "upper"]
    assert "0.2500   0.2500   0.7500" in out
    assert "lower and upper: range over all labels that unjudged documents could have" in out


def test_the_expected_value() -> None:
    out = printed("evaluate", "qrels.txt", "tied.run", "--ties", "expected", "-m", "RR", "-f", "tsv")
    assert out.splitlines()[1] == "tied\tall\tRR\t0.75"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--bounds", "--ties", "bounds"], "--bounds wants one order of documents"),
        (["--bounds", "--ties", "expected"], "--bounds wants one order of documents"),
        (["--bounds", "--unjudged", "condense"], "--unjudged condense drops them"),
        (
            ["--bounds", "-m", "Judged"],
            "Judged has no interval from missing judgments (--bounds): it is about what was judged",
        ),
        (["--ties", "bounds", "-m", "NCU"], "NCU has no known best order of equal scores"),
        (["--ties", "expected", "-m", "Q"], "Q has no closed form of its mean over orders of equal scores"),
        (["--bounds", "-f", "trec", "-m", "AP"], "--format trec has no room for intervals"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_printed(arguments: list[str], said: str) -> None:
    done = cranfield("evaluate", "qrels.txt", "tied.run", *arguments)
    assert done.status in (1, 2)
    assert said in done.err
    assert done.out == ""
