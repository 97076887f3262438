"""``cranfield check``: what it prints, and how it ends."""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path

import pytest
from command import cranfield, printed

pytestmark = pytest.mark.usefixtures("folder")


def test_a_clean_run() -> None:
    assert printed("check", "qrels.txt", "best.run") == "1 run checked, 0 refused: 0 errors, 0 warnings, 0 notes\n"


def test_warnings_and_notes_are_no_failure() -> None:
    out = printed("check", "qrels.txt", "best.run", "none.run", "late.run")
    assert out.splitlines() == [
        "warning: none.run: none of the first 10 documents is judged, in any topic [all-unjudged]",
        "note: late.run: 25.0% of the first 10 documents are not judged [unjudged]",
        "note: qrels.txt: unjudged documents could reverse the order of 1 of 2 pairs of neighbours by nDCG@10: "
        "late.run (0.5553, could be 0.5553 to 0.7490; 25.0% of its first 10 unjudged) and none.run "
        "(0.0000, could be 0.0000 to 0.6459; 100.0% of its first 10 unjudged) [open-order]",
        "3 runs checked, 0 refused: 0 errors, 1 warning, 2 notes",
    ]


def test_of_several_the_worst_is_printed(folder: Path) -> None:
    """A run of which much is unjudged does not hide behind one that comes first."""
    (folder / "more.run").write_text("1 Q0 u 1 3 x\n1 Q0 a 2 2 x\n2 Q0 u 1 2 x\n2 Q0 a 2 1 x\n")
    lines = printed("check", "qrels.txt", "late.run", "more.run").splitlines()
    assert lines[:3] == [
        "note: 2 files: Share of the first retrieved documents that are unjudged: scores may be too low. [unjudged]",
        "    worst: more.run: 50.0% of the first 10 documents are not judged",
        "    what to do: Use measures for incomplete judgments, or judge more documents.",
    ]
    assert lines[-1] == "--all prints each finding"
    (folder / "later.run").write_text("1 Q0 a 1 3 x\n1 Q0 u 2 2 x\n2 Q0 b 1 2 x\n2 Q0 a 2 1 x\n")
    alike = printed("check", "qrels.txt", "late.run", "later.run").splitlines()
    assert alike[1] == "    first: late.run: 25.0% of the first 10 documents are not judged"


def test_every_error_is_printed(folder: Path) -> None:
    for name in "ab":
        (folder / f"{name}.run").write_text("1 Q0 a 1 high x\n")
    lines = cranfield("check", "qrels.txt", "a.run", "b.run").out.splitlines()
    assert [line[:14] for line in lines] == ["error: a.run:1", "error: b.run:1", "2 runs checked"]


def test_errors_come_first_and_end_with_1(folder: Path) -> None:
    (folder / "bad.run").write_text("1 Q0 a 1 high x\n")
    ended = cranfield("check", "qrels.txt", "none.run", "bad.run")
    assert (ended.status, ended.err) == (1, "")
    error, _, last = ended.out.splitlines()
    assert error.startswith("error: bad.run:1: the score 'high' is not a number")
    assert error.endswith(" [unreadable]")
    assert last == "2 runs checked, 1 refused: 1 error, 1 warning, 0 notes"


def test_json(folder: Path) -> None:
    (folder / "bad.run").write_text("1 Q0 a 1 high x\n")
    ended = cranfield("check", "qrels.txt", "bad.run", "none.run", "--format", "json")
    assert (ended.status, ended.err) == (1, "")
    found = json.loads(ended.out)
    assert list(found) == ["signature", "rows"]
    columns = ["severity", "code", "file", "line", "topic", "document", "text"]
    assert [list(row) for row in found["rows"]] == [columns] * 2
    assert [(row["file"], row["line"]) for row in found["rows"]] == [("bad.run", 1), ("none.run", None)]
    signature = found["signature"]
    assert {key: signature["settings"][key] for key in ("input_format", "depth", "documents")} == {
        "input_format": "auto",
        "depth": None,
        "documents": None,
    }
    read = hashlib.sha256((folder / "none.run").read_bytes()).hexdigest()
    assert signature["runs"] == [{"name": "bad.run", "sha256": None}, {"name": "none.run", "sha256": read}]
    assert signature["qrels"]["name"] == "qrels.txt"


@pytest.mark.parametrize(
    "wrong",
    [
        (),
        ("qrels.txt",),
        ("qrels.txt", "best.run", "--format", "xml"),
        ("qrels.txt", "best.run", "--depth", "0"),
        ("qrels.txt", "best.run", "--depth", "many"),
        ("qrels.txt", "best.run", "--nonsense"),
    ],
)
def test_wrong_usage_ends_with_2(wrong: tuple[str, ...]) -> None:
    ended = cranfield("check", *wrong)
    assert (ended.status, ended.out) == (2, "")


def test_depth() -> None:
    printed("check", "qrels.txt", "best.run", "--depth", "2")
    ended = cranfield("check", "qrels.txt", "best.run", "--depth", "1")
    assert ended.status == 1
    assert "error: best.run: more than 1 document in topic 1; the longest list has 2 [too-deep]\n" in ended.out


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("ids", ["a\nb\n", "\ufeffa\r\n\r\nb\r\n"])
def test_docids(folder: Path, packed: bool, ids: str) -> None:
    data = ids.encode() + b"c\n"
    (folder / "ids").write_bytes(gzip.compress(data) if packed else data)
    printed("check", "qrels.txt", "best.run", "--docids", "ids")
    ended = cranfield("check", "qrels.txt", "none.run", "--docids", "ids")
    assert ended.status == 1
    text = "error: none.run: 1 retrieved document is not in the list of ids (first 'u') [unknown-document]\n"
    assert text in ended.out


def test_ids_end_at_line_ends_only(folder: Path) -> None:
    """Other characters that Unicode counts as line ends or blanks are part of an id, as they are in a run."""
    ids = ["a\u2028b", "\u2029", "c\x0bd\x0c", "\x1c", "e\x85", "\u00a0f", "\ufeffg", "h\ri", "j\x1f"]
    run = "".join(f"1 Q0 {document} {rank} {-rank} x\n" for rank, document in enumerate(ids))
    (folder / "odd.run").write_bytes(run.encode())
    (folder / "ids").write_bytes("\r\n".join(["\ufeff \tfirst", *ids]).encode())
    assert "unknown-document" not in printed("check", "qrels.txt", "odd.run", "--docids", "ids")
    (folder / "ids").write_bytes("\n".join(ids[1:]).encode())
    ended = cranfield("check", "qrels.txt", "odd.run", "--docids", "ids")
    assert "1 retrieved document is not in the list of ids (first 'a\\u2028b')" in ended.out


def test_a_list_of_ids_that_is_no_text(folder: Path) -> None:
    refused = "the line is not valid UTF-8; convert the file, for example with `iconv -f latin1 -t utf-8`\n"
    (folder / "ids").write_bytes(b"a\n\xff\n")
    ended = cranfield("check", "qrels.txt", "best.run", "--docids", "ids")
    assert (ended.status, ended.err) == (1, f"cranfield: error: ids:2: {refused}")
    ended = cranfield("check", "qrels.txt", "best.run", "--docids", "-", input=b"\xff")
    assert (ended.status, ended.err) == (1, f"cranfield: error: standard input:1: {refused}")


def test_docids_that_are_not_there() -> None:
    ended = cranfield("check", "qrels.txt", "best.run", "--docids", "absent")
    assert (ended.status, ended.out) == (1, "")
    assert ended.err.startswith("cranfield: error: absent: no such file")


def test_standard_input() -> None:
    run = Path("none.run").read_bytes()
    assert printed("check", "qrels.txt", "-", input=run).startswith("warning: standard input: none of the first")
    qrels = Path("qrels.txt").read_bytes().replace(b" 2\n", b" -2\n")
    assert "note: standard input: 1 of 4 labels is below zero" in printed("check", "-", "best.run", input=qrels)
    ended = cranfield("check", "qrels.txt", "-", input=b"nonsense\n")
    assert (ended.status, ended.out[:25]) == (1, "error: standard input:1: ")


def test_equal_names_in_one_folder(folder: Path) -> None:
    data = (folder / "none.run").read_bytes()
    (folder / "a.run").write_bytes(data)
    (folder / "a.run.gz").write_bytes(gzip.compress(data))
    ended = cranfield("check", "qrels.txt", "a.run", "a.run.gz", "--all")
    assert ended.status == 1
    assert [line.split(": ")[:2] for line in ended.out.splitlines()[:-1]] == [
        ["error", "a.run"],
        ["warning", "a.run"],
        ["warning", "a.run.gz"],
        ["warning", "a.run.gz"],
    ]
    assert "a.run: would be called 'a', as would a.run.gz: rename" in ended.out
    assert cranfield("evaluate", "qrels.txt", "a.run", "a.run.gz").status == 1


def test_hostile_names_are_written_out(folder: Path) -> None:
    (folder / "h\x1b[31m.run").write_text("1 Q0 \x1b]0;t\x07 1 3 x\n9\x1b[2J Q0 u 1 3 \x1b[0m\n")
    ended = cranfield("check", "qrels.txt", "h\x1b[31m.run", "--docids", "qrels.txt")
    assert ended.status == 1
    assert all(line.isprintable() for line in ended.out.splitlines())
    assert "h\\x1b[31m.run" in ended.out
    json.loads(cranfield("check", "qrels.txt", "h\x1b[31m.run", "-f", "json").out)


def strict(*arguments: str) -> tuple[int, list[str]]:
    """The exit status of a strict check, and the codes of its findings."""
    ended = cranfield("check", *arguments, "--strict", "-f", "tsv")
    assert ended.err == ""
    return ended.status, [line.split("\t")[1] for line in ended.out.splitlines()[1:]]


def test_a_strict_check_ends_with_3_where_a_rule_is_broken(folder: Path) -> None:
    (folder / "x.run").write_text("1 Q0 a 1 3 x\n1 Q0 c 2 2 x\n2 Q0 a 1 2 x\n")
    assert strict("qrels.txt", "x.run") == (0, [])
    assert strict("qrels.txt", "best.run") == (3, ["other-tag"])
    (folder / "half").mkdir()
    (folder / "half" / "x.run").write_text("1 Q0 a 1 3 x\n1 Q0 c 2 2 x\n")
    assert strict("qrels.txt", "half/x.run") == (3, ["missing-topics"])
    assert cranfield("check", "qrels.txt", "half/x.run").status == 0, "a warning where nobody is strict"
    assert strict("qrels.txt", "x.run", "--depth", "1") == (3, ["too-deep"])
    (folder / "ids").write_text("a\n")
    assert strict("qrels.txt", "x.run", "--docids", "ids") == (3, ["unknown-document"])
    (folder / "half" / "x.run").write_text("nonsense\n")
    assert strict("qrels.txt", "half/x.run") == (3, ["unreadable"])


def test_a_strict_check_ends_with_1_where_the_organisers_files_are_broken(folder: Path) -> None:
    (folder / "x.run").write_text("1 Q0 a 1 3 x\n2 Q0 a 1 2 x\n")
    (folder / "broken").write_text("nonsense\n")
    assert strict("broken", "x.run") == (1, ["unreadable"])
    assert cranfield("check", "none", "x.run", "--strict", "--topics", "absent").status == 1
    (folder / "uploads").mkdir()
    for absent in ("absent.run", "uploads", "uploads/*.run"):
        assert strict("none", absent) == (1, ["not-opened"]), "whoever sent a run cannot mend the call"
    (folder / "empty.run").write_bytes(b"")
    assert strict("none", "empty.run") == (3, ["unreadable"])
    (folder / "half.run.gz").write_bytes(gzip.compress(b"1 Q0 a 1 3 half\n" * 99)[:-9])
    assert strict("none", "half.run.gz") == (3, ["unreadable"]), "an upload that broke off"


def test_runs_are_checked_before_anything_is_judged(folder: Path) -> None:
    (folder / "x.run").write_text("1 Q0 a 1 3 x\n9 Q0 a 1 2 x\n")
    (folder / "topics").write_text("1:one\n2:two\n")
    assert strict("none", "x.run", "--topics", "topics") == (3, ["absent-topics", "other-topics"])
    ended = cranfield("check", "none", "x.run", "--topics", "topics")
    assert ended.status == 0
    assert ended.out.splitlines() == [
        "warning: x.run: missing from the run: topic 2 of the task [absent-topics]",
        "warning: x.run: the task does not have topic 9 of the run [other-topics]",
        "1 run checked, 0 refused: 0 errors, 2 warnings, 0 notes",
    ]
    (folder / "none").write_bytes((folder / "qrels.txt").read_bytes())
    assert "extra-topics" in printed("check", "none", "x.run"), "a file of this name is one"


def test_copies_are_named(folder: Path) -> None:
    data = (folder / "late.run").read_bytes()
    (folder / "same.run").write_bytes(data)
    (folder / "tagged.run").write_bytes(data.replace(b" x\n", b" y\n").replace(b" 3 y", b" 3.5 y"))
    out = printed("check", "none", "late.run", "same.run", "tagged.run", "best.run")
    assert out.splitlines()[:-1] == [
        "warning: same.run: is the same file as late.run [same-file]",
        "warning: tagged.run: ranks the same documents in the same order as late.run [same-rankings]",
    ]


def test_a_report_for_a_team_names_no_run_of_others(folder: Path) -> None:
    for name in ("ours", "theirs", "copy"):
        (folder / f"{name}.run").write_bytes((folder / "late.run").read_bytes())
    (folder / "teams").write_text("run\tteam\nours\tA\ntheirs\tB\ncopy\tB\n")
    call = ("check", "qrels.txt", "ours.run", "theirs.run", "copy.run", "--strict", "--teams", "teams")
    of_a = cranfield(*call, "--participant", "A")
    assert of_a.status == 3
    assert [line.partition(":")[0] for line in of_a.out.splitlines()] == ["error", "note", "1 run checked, 0 refused"]
    assert "theirs" not in of_a.out
    assert "copy" not in of_a.out
    of_b = cranfield(*call, "--participant", "B", "-f", "json")
    assert "ours" not in of_b.out
    rows = json.loads(of_b.out)["rows"]
    assert {row["file"] for row in rows} == {"theirs.run", "copy.run"}
    assert [run["name"] for run in json.loads(of_b.out)["signature"]["runs"]] == ["theirs.run", "copy.run"]
    for wrong in (("--participant", "C"), ()):
        ended = cranfield(*call, *wrong)
        assert (ended.status, ended.out) == (2, "")
