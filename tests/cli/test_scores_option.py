"""``QRELS RUN... | --scores FILE``: the same scores by either way, and what does not go together."""

from __future__ import annotations

import warnings
from pathlib import Path

import click
import pytest
from command import Ended, cranfield, printed

from cranfield.cli import app
from cranfield.cli._output import RemarkWarning
from cranfield.cli._scores_input import ScoresInput, scores_input


@click.command()
@scores_input
@click.option("--one", is_flag=True, help="One measure.")
def probe(scores: ScoresInput, one: bool) -> None:
    """Print what was read."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        read = scores.array() if one else scores.dataset()
    remarks = [entry for entry in caught if isinstance(entry.message, RemarkWarning)]
    table = read.to_dataset(name=read.name) if one else read
    for name, variable in table.data_vars.items():
        click.echo(f"{name} {variable.transpose('system', 'topic').to_numpy().tolist()}")
    click.echo(f"{len(remarks)} remarks, signed: {'signature' in read.attrs}")


@pytest.fixture(autouse=True)
def _with_the_probe(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(app.commands, "probe", probe)


def refused(*arguments: str, status: int = 2) -> str:
    ended: Ended = cranfield("probe", *arguments)
    assert (ended.status, ended.out) == (status, "")
    return ended.err


def test_runs_and_files_give_the_same(folder: Path) -> None:
    of_runs = printed("probe", "qrels.txt", "best.run", "late.run", "-m", "RR", "-m", "P@1")
    assert of_runs == "RR [[1.0, 1.0], [0.5, 0.5]]\nP@1 [[1.0, 1.0], [0.0, 0.0]]\n0 remarks, signed: True\n"
    arguments = ("qrels.txt", "best.run", "late.run", "-m", "RR", "-m", "P@1", "-q")
    for format in ("tsv", "csv", "json"):
        (folder / "scores").write_text(printed("evaluate", *arguments, "-f", format))
        assert printed("probe", "--scores", "scores") == of_runs
        assert printed("probe", "--scores", "scores", "-m", "P_1") == of_runs.partition("\n")[2]
        assert printed("probe", "--scores", "scores", "-m", "P@1", "--one") == of_runs.partition("\n")[2]


def test_matrices_are_measures_each(folder: Path) -> None:
    (folder / "AP.csv").write_text("a,b\n1,0.5\n")
    (folder / "mine.csv").write_text("b,a\n2,3\n")
    assert printed("probe", "--scores", "AP.csv", "--scores", "mine.csv") == (
        "AP [[1.0], [0.5]]\nmine [[3.0], [2.0]]\n0 remarks, signed: True\n"
    )
    assert printed("probe", "--scores", "-", "--one", input=b"a\n1\n") == "stdin [[1.0]]\n0 remarks, signed: True\n"


def test_a_range_is_not_one_score() -> None:
    arguments = ("qrels.txt", "best.run", "late.run", "-m", "RR", "--ties", "bounds")
    assert "--ties bounds gives a range for each score, and this command needs a number" in refused(*arguments, "--one")
    assert "RR upper" in printed("probe", *arguments)


def test_defaults_of_runs() -> None:
    assert printed("probe", "qrels.txt", "best.run").count("\n") == 6
    assert printed("probe", "qrels.txt", "best.run", "--one").startswith("nDCG@10 ")
    options = ("-m", "RR", "--ties", "docid", "--rel", "2")
    assert printed("probe", "qrels.txt", "late.run", *options).startswith("RR(rel=2) [[0.0, 0.5]]")


def test_what_does_not_go_together(folder: Path) -> None:
    (folder / "x.csv").write_text("a\n1\n")
    (folder / "y.csv").write_text("a\n1\n")
    assert "QRELS RUN... or --scores FILE is missing (see `cranfield probe --help`)" in refused()
    assert "RUN... is missing after QRELS" in refused("qrels.txt")
    assert "not both (qrels.txt and x.csv)" in refused("qrels.txt", "best.run", "--scores", "x.csv")
    for option in (("--ties", "trec"), ("--rel", "1"), ("--input-format", "trec"), ("--names", "file")):
        assert f"{option[0]} says how runs are read" in refused("--scores", "x.csv", *option)
    assert "only x" in refused("--scores", "x.csv", "-m", "nDCG@10", status=1)
    assert "hold no measure 'nope', only x" in refused("--scores", "x.csv", "-m", "nope", status=1)
    assert "choose it with --measure (x, y)" in refused("--scores", "x.csv", "--scores", "y.csv", "--one")
    (folder / "bad.csv").write_text("a\n1\nx\n")
    assert "error: bad.csv:3: 'x' is not a number" in refused("--scores", "bad.csv", status=1)
