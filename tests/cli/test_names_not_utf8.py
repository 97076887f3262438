"""Files whose names are no UTF-8: every command reads them, shows the bytes written out, and writes valid UTF-8."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path

import pytest
from command import cranfield

import cranfield as package

QRELS, ONE, OTHER = map(os.fsdecode, (b"q\xfe.txt", b"r\xff.run", b"d\xfd/\xfa.run"))
SHOWN = r"r\udcff"
"""What the first run is called."""
TOPICS = range(1, 10)

SHEETS = ("table", "tsv", "csv", "json")
PAPERS = (*SHEETS, "latex", "markdown")
RUNS = (QRELS, ONE, "s.run", OTHER, "t.run")
SCORES = os.fsdecode(b"AP\xf8.json")
FEW = ("--permutations", "2")
"""Names do not depend on them."""
JUDGED = ("judges", QRELS, "qrels.txt")
CALLS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "agreement on systems": ((*JUDGED, "-r", ONE, "-r", "s.run", "-r", OTHER, "-m", "AP"), SHEETS),
    "agreement on movers": ((*JUDGED, "-r", ONE, "-r", "s.run", "-r", OTHER, "-m", "AP", "--show", "movers"), SHEETS),
    "agreement on labels": ((*JUDGED, "--show", "labels"), SHEETS),
    "audit": (("audit", *RUNS), SHEETS),
    "compare": (("compare", *RUNS, "-m", "AP"), PAPERS),
    "compare with a baseline": (("compare", *RUNS, "-m", "AP", "--baseline", SHOWN), PAPERS),
    "compare scores": (("compare", "--scores", SCORES, "-m", "AP"), PAPERS),
    "difficulty": (("difficulty", *RUNS, "-m", "AP"), SHEETS),
    "evaluate": (("evaluate", *RUNS, "-q"), PAPERS),
    "evaluate one": (("evaluate", QRELS, ONE), ("trec",)),
    "headroom": (("fuse", "headroom", *RUNS, *FEW), SHEETS),
    "headroom of pairs": (("fuse", "headroom", *RUNS, *FEW, "--pairs"), SHEETS),
    "difference": (("information", "difference", *RUNS), SHEETS),
    "joint": (("information", "joint", *RUNS, *FEW), SHEETS),
    "labels": (("check", "labels", QRELS), SHEETS),
    "reliability": (("audit", "reliability", *RUNS, "-m", "AP"), SHEETS),
    "ric": (("information", "ric", *RUNS), SHEETS),
    "select-topics": (("audit", "select-topics", *RUNS, "-m", "AP", "-n", "2"), SHEETS),
    "sensitivity": (("audit", "sensitivity", *RUNS), SHEETS),
    "simulate": (("simulate", "scores", *RUNS, "-m", "AP", "--seed", "1"), ("matrix", "tsv", "csv", "json")),
    "stability": (("audit", "stability", *RUNS, "-m", "AP"), SHEETS),
    "standardize": (("standardize", *RUNS, "-m", "AP"), (*SHEETS, "matrix")),
    "tau": (("information", "tau", *RUNS, "-m", "AP", "-m", "RR"), SHEETS),
}
CASES = [(call, form) for call, (_, forms) in CALLS.items() for form in forms]


def words(*arguments: str) -> list[str | Path]:
    return list(arguments)


@pytest.fixture(autouse=True)
def odd_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Judgments and three runs; two of the runs, the judgments and a folder have names that are no UTF-8."""
    monkeypatch.chdir(tmp_path)
    judgments = "".join(
        f"q{topic} 0 {document} {int(document in 'acf')}\n" for topic in TOPICS for document in "abcdefgh"
    )
    Path(OTHER).parent.mkdir()
    for name in (QRELS, "qrels.txt"):
        Path(name).write_text(judgments)
    for number, name in enumerate(RUNS[1:]):
        orders = [random.Random(10 * number + topic).sample("abcdefgh", 6) for topic in TOPICS]
        rows = [
            f"q{topic} Q0 {document} {rank} {9 - rank} tag{number}\n"
            for topic, order in zip(TOPICS, orders, strict=True)
            for rank, document in enumerate(order, 1)
        ]
        Path(name).write_text("".join(rows))
    assert cranfield("evaluate", *RUNS, "-m", "AP", "-q", "-f", "json", "-o", SCORES).status == 0


@pytest.mark.slow
@pytest.mark.parametrize(("call", "form"), CASES, ids=[f"{call} {form}" for call, form in CASES])
def test_every_command_and_format(call: str, form: str) -> None:
    arguments = words(*CALLS[call][0], "-f", form)
    ended = cranfield(*arguments)
    assert (ended.status, "Traceback" in ended.err) == (0, False), ended.err
    assert ended.out
    if form == "json":
        json.loads(ended.out)
    written = cranfield(*arguments, "-o", os.fsdecode(b"o\xf9.txt"))
    assert (written.status, written.out) == (0, ""), written.err
    assert Path(os.fsdecode(b"o\xf9.txt")).read_bytes().decode()


@pytest.mark.parametrize("form", ["table", "json"])
def test_check(form: str) -> None:
    ended = cranfield("check", *RUNS, "-f", form)
    assert (ended.status, ended.err) == (0, "")


def test_a_fused_run_and_a_report() -> None:
    fused, page = os.fsdecode(b"f\xf7.run"), os.fsdecode(b"p\xf6.html")
    ended = cranfield("fuse", ONE, "s.run", OTHER, "-o", fused)
    assert (ended.status, ended.err) == (0, "")
    ended = cranfield("report", *RUNS, fused, "--judge", "qrels.txt", "-o", page)
    assert (ended.status, "Traceback" in ended.err) == (0, False), ended.err
    assert json.dumps(SHOWN) in Path(page).read_bytes().decode()


def test_factors() -> None:
    factors = os.fsdecode(b"k\xf5.json")
    ended = cranfield("standardize", *RUNS, "-m", "AP", "--fit", factors)
    assert ended.status == 0, ended.err
    Path(factors).read_bytes().decode()
    ended = cranfield("standardize", *RUNS, "-m", "AP", "--factors", factors, "-f", "json")
    assert ended.status == 0, ended.err
    ended = cranfield("report", *RUNS, "--factors", factors, "-o", "page.html")
    assert ended.status == 0, ended.err
    Path("page.html").read_bytes().decode()


def test_in_python(tmp_path: Path) -> None:
    scores = package.evaluate([ONE, "s.run", OTHER], QRELS, "AP")
    assert scores["system"].values.tolist() == [SHOWN, "s", r"\udcfa"]
    package.write_scores(scores, os.fsdecode(b"s\xf4.nc"))
    assert package.read_scores(os.fsdecode(b"s\xf4.nc"))["system"].values.tolist() == scores["system"].values.tolist()
    assert scores.to_dataframe() is not None
    assert scores._repr_html_().encode()
    named = package.evaluate({os.fsdecode(b"x\xff"): ONE, "y": "s.run"}, QRELS, "AP")
    assert named["system"].values.tolist() == [r"x\udcff", "y"]


def test_names_from_bytes_and_from_letters_do_not_meet() -> None:
    """The escape of a byte may be the name of another file."""
    Path(r"r\udcff.run").write_text(Path("s.run").read_text())
    ended = cranfield("evaluate", QRELS, ONE, r"r\udcff.run")
    assert ended.status == 1
    assert "would be called" in ended.err
