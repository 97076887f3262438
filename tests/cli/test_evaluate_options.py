"""``cranfield evaluate``: options, streams and exit statuses."""

from __future__ import annotations

import gzip
import os
import stat
from pathlib import Path

import pytest
from command import cranfield, printed

from choices import CHOICES

pytestmark = pytest.mark.usefixtures("folder")


def values(*arguments: str, input: bytes = b"") -> dict[str, float]:
    """Measure -> value of the one run."""
    out = cranfield("evaluate", *arguments, "-f", "tsv", input=input).out
    return {row.split("\t")[2]: float(row.split("\t")[3]) for row in out.splitlines()[1:]}


def test_the_usual_measures() -> None:
    assert list(values("qrels.txt", "best.run")) == ["nDCG@10", "AP", "RR", "P@10", "R@1000", "Judged@10"]


def test_rel() -> None:
    assert values("qrels.txt", "best.run", "-m", "P@1", "-m", "P(rel=1)@1", "-m", "nDCG", "--rel", "2") == {
        "P(rel=2)@1": 0.5,
        "P@1": 1.0,
        "nDCG": 1.0,
    }
    assert values("qrels.txt", "best.run", "-m", "P_1", "-l", "2") == {"P(rel=2)@1": 0.5}


@pytest.mark.parametrize(("option", "word"), [(option, word) for option in CHOICES for word in CHOICES[option]])
def test_every_word_of_every_policy_is_an_option(option: str, word: str) -> None:
    only = ("-m", "NDCG_std@2") if word == "mean" else ()  # no other measure knows it
    typed = [f"--{option.replace('_', '-')}", word]
    if option == "own_document":
        typed = ["--drop-own-document"] if word == "drop" else []
    out = printed("evaluate", "qrels.txt", "best.run", *only, *typed)
    default = CHOICES[option][0]
    assert (f"{option}={word}" in out) == (word != default or option == "ties")


def test_a_word_that_a_measure_does_not_know() -> None:
    ended = cranfield("evaluate", "qrels.txt", "best.run", "-m", "AP", "--unjudged", "mean")
    assert (ended.status, ended.out) == (2, "")
    assert ended.err == (
        "cranfield: error: AP cannot give unjudged documents a mean gain (--unjudged mean): NDCG_std can\n"
    )


def test_policies_change_scores(folder: Path) -> None:
    (folder / "x.run").write_text("2 Q0 a 2 1 x\n2 Q0 b 1 1 x\n1 Q0 a 1 1 x\n")
    assert values("qrels.txt", "x.run", "-m", "RR") == {"RR": 0.75}
    assert values("qrels.txt", "x.run", "-m", "RR", "--ties", "docid") == {"RR": 1.0}
    assert values("qrels.txt", "x.run", "-m", "RR", "--ties", "rank") == {"RR": 0.75}
    assert values("qrels.txt", "late.run", "-m", "RR", "--unjudged", "condense") == {"RR": 0.75}


def test_standard_input() -> None:
    run = Path("best.run").read_bytes()
    assert printed("evaluate", "qrels.txt", "-", "-m", "RR", "-f", "tsv", input=run).endswith("\nstdin\tall\tRR\t1.0\n")
    qrels = Path("qrels.txt").read_bytes()
    assert values("-", "best.run", "-m", "RR", input=qrels) == {"RR": 1.0}
    ended = cranfield("evaluate", "qrels.txt", "-", input=b"nonsense\n")
    assert (ended.status, ended.out) == (1, "")
    assert ended.err.startswith("cranfield: error: standard input:1: 1 field, expected 6 ")


@pytest.mark.parametrize("arguments", [("-", "-"), ("qrels.txt", "-", "-"), ("-", "best.run", "-")])
def test_standard_input_is_there_once(arguments: tuple[str, ...]) -> None:
    ended = cranfield("evaluate", *arguments, input=Path("qrels.txt").read_bytes())
    assert ended.status in (1, 2)
    assert ended.out == ""
    assert "standard input" in ended.err


def test_tags_as_names(folder: Path) -> None:
    (folder / "y.run").write_text("1 Q0 a 1 3 y\n2 Q0 a 1 3 y\n")
    out = printed("evaluate", "qrels.txt", "y.run", "best.run", "--names", "tag", "-m", "RR", "-f", "tsv")
    assert [line.split("\t")[0] for line in out.splitlines()] == ["system", "y", "x"]
    ended = cranfield("evaluate", "qrels.txt", "late.run", "best.run", "--names", "tag")
    assert (ended.status, ended.err) == (1, "cranfield: error: best.run: the tag 'x' is also that of late.run\n")


def test_input_formats(folder: Path) -> None:
    (folder / "marco.run").write_text("1\ta\t1\n2\ta\t1\n")
    assert values("qrels.txt", "marco.run", "-m", "RR", "--input-format", "msmarco") == {"RR": 1.0}


def test_globs_that_the_shell_left_alone() -> None:
    assert printed("evaluate", "qrels.txt", "*.run", "-m", "RR", "-f", "tsv").count("\n") == 4


# ---- streams and statuses


def test_warnings_go_to_standard_error(folder: Path) -> None:
    clean = printed("evaluate", "qrels.txt", "best.run", "late.run", "-f", "tsv")
    (folder / "best.run").write_text((folder / "best.run").read_text() + "8 Q0 a 1 3 x\n9 Q0 a 1 3 z\n")
    (folder / "late.run").write_text((folder / "late.run").read_text() + "8 Q0 a 1 3 x\n9 Q0 a 1 3 x\n")
    ended = cranfield("evaluate", "qrels.txt", "best.run", "late.run", "-f", "tsv")
    assert (ended.status, ended.out) == (0, clean)
    assert ended.err.splitlines() == [
        "cranfield: warning: best.run: 2 topics (8, 9) are not judged, so they are ignored (and 1 more like it)",
        "cranfield: warning: best.run:5: the run tag is 'z' here and 'x' above",
    ]


def test_warnings_come_before_the_error(folder: Path) -> None:
    (folder / "qrels.txt").write_text("1 0 a 1.5\n")
    (folder / "x.run").write_text("1 Q0 a 1 2,5 x\n")
    ended = cranfield("evaluate", "qrels.txt", "x.run")
    assert (ended.status, ended.out) == (1, "")
    assert ended.err.splitlines() == [
        "cranfield: warning: qrels.txt:1: the label 1.5 is not a whole number and is kept as it is",
        "cranfield: error: x.run:1: the score '2,5' is not a number such as 12.5 or 1e-3; write a point, not a comma",
    ]


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("qrel.txt", "best.run"), 1, "qrel.txt: no such file; did you mean qrels.txt?"),
        (("qrels.txt", "."), 1, ".: is a folder; name its files, for example ./*"),
        (("qrels.txt", "*.nothing"), 1, "*.nothing: no file matches"),
        (("qrels.txt", "best.run", "best.run"), 1, "best.run: this run is given twice"),
        (
            ("best.run", "qrels.txt"),
            1,
            "best.run:1: 6 fields, expected 4 (topic iteration document label): '1 Q0 a 1 3 x'; "
            "is this a run? On the command line the qrels come first (QRELS RUN...), in Python the runs",
        ),
        (("qrels.txt", "best.run", "-m", "nDCG(cutof=10)"), 2, "nDCG has no parameter 'cutof': did you mean cutoff?"),
        (("qrels.txt", "best.run", "--rel", "nan", "-m", "AP"), 2, "rel=nan should be a number"),
        (("qrels.txt", "best.run", "-m", ""), 2, "'' is not a measure: write a name, or name(parameter=value)@cutoff"),
    ],
)
def test_exit_statuses(arguments: tuple[str, ...], status: int, message: str) -> None:
    ended = cranfield("evaluate", *arguments)
    assert (ended.status, ended.out, ended.err) == (status, "", f"cranfield: error: {message}\n")


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("evaluate",), "QRELS"),
        (("evaluate", "qrels.txt"), "RUN"),
        (("evaluate", "qrels.txt", "best.run", "--tie", "docid"), "--tie"),
        (("evaluate", "qrels.txt", "best.run", "--ties", "doc"), "docid"),
        (("evaluate", "qrels.txt", "best.run", "-f", "xml"), "json"),
        (("evaluate", "qrels.txt", "best.run", "--rel", "two"), "two"),
        (("evaluat", "qrels.txt", "best.run"), "evaluat"),
        (("measures", "AP", "RR"), "RR"),
        (("simulate", "runs"), "--output"),
        (("simulate", "runs", "-o", "x", "--n-systems", "0"), "--n-systems"),
        (("--nonsense",), "--nonsense"),
    ],
)
def test_wrong_usage(folder: Path, arguments: tuple[str, ...], word: str) -> None:
    before = sorted(folder.iterdir())
    ended = cranfield(*arguments)
    assert (ended.status, ended.out) == (2, "")
    (line,) = [line for line in ended.err.splitlines() if line.startswith("cranfield: error: ")]
    assert word in line
    assert sorted(folder.iterdir()) == before


def test_an_environment_that_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRANFIELD_MAX_UNPACKED", "much")
    ended = cranfield("evaluate", "qrels.txt", "best.run")
    assert (ended.status, ended.out) == (2, "")
    assert ended.err == "cranfield: error: CRANFIELD_MAX_UNPACKED='much' should be a number of bytes\n"


# ---- -o


@pytest.mark.parametrize("form", ["table", "tsv", "csv", "json", "trec"])
def test_a_file_holds_what_would_be_printed(folder: Path, form: str) -> None:
    out = printed("evaluate", "qrels.txt", "late.run", "-f", form, "-q")
    assert printed("evaluate", "qrels.txt", "late.run", "-f", form, "-q", "-o", "scores") == ""
    assert (folder / "scores").read_bytes() == out.encode()


def test_a_dash_is_standard_output(folder: Path) -> None:
    before = sorted(folder.iterdir())
    usual = printed("evaluate", "qrels.txt", "late.run", "-f", "csv")
    assert printed("evaluate", "qrels.txt", "late.run", "-f", "csv", "-o", "-") == usual
    assert sorted(folder.iterdir()) == before


def test_a_file_is_packed_as_its_name_says(folder: Path) -> None:
    out = printed("evaluate", "qrels.txt", "late.run", "-f", "csv")
    assert printed("evaluate", "qrels.txt", "late.run", "-f", "csv", "-o", "scores.csv.gz") == ""
    assert gzip.decompress((folder / "scores.csv.gz").read_bytes()).decode() == out


def test_a_place_is_looked_at_before_the_work(folder: Path) -> None:
    (folder / "taken").mkdir()
    for where, why in {"taken": "it is a folder", "": "the name is empty", "no/x": "there is no such folder"}.items():
        ended = cranfield("evaluate", "none such.txt", "late.run", "-o", where)
        assert ended.err == f"cranfield: error: {where or repr(where)}: cannot be written: {why}\n"


def test_a_failure_leaves_the_old_file(folder: Path) -> None:
    (folder / "scores").write_text("before")
    before = sorted(folder.iterdir())
    assert cranfield("evaluate", "qrels.txt", "nothing.run", "-o", "scores").status == 1
    assert cranfield("evaluate", "qrels.txt", "*.run", "-f", "trec", "-o", "scores").status == 2
    assert (folder / "scores").read_text() == "before"
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize("where", ["nowhere/scores", "taken", ".", "", "..", "taken/", "x\0y"])
def test_a_place_that_cannot_be_written(folder: Path, where: str) -> None:
    (folder / "taken").mkdir()
    before = sorted(folder.iterdir())
    ended = cranfield("evaluate", "qrels.txt", "best.run", "-o", where)
    assert ended.status in (1, 2)
    assert ended.out == ""
    assert ended.err.startswith("cranfield: error: ")
    assert ended.err.count("\n") == 1
    assert ended.err.strip().isprintable()
    assert sorted(folder.iterdir()) == before


def test_a_device_is_written_to_and_not_replaced(folder: Path) -> None:
    os.mkfifo("pipe")
    reader = os.open("pipe", os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert printed("evaluate", "qrels.txt", "best.run", "-m", "RR", "-f", "tsv", "-o", "pipe") == ""
        assert stat.S_ISFIFO(Path("pipe").stat().st_mode), "a device such as /dev/null would be gone now"
        assert os.read(reader, 100) == b"system\ttopic\tmeasure\tvalue\nbest\tall\tRR\t1.0\n"
    finally:
        os.close(reader)
