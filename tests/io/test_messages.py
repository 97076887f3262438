"""What a wrong file is answered with: where, what, and what to do."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from pytest import MonkeyPatch

import cranfield
from cranfield import InputError, InputOptions
from cranfield.cli import app
from cranfield.errors import FormatError, TopicError
from privileges import without_privileges

pytestmark = pytest.mark.usefixtures("each_engine")


def refusal(*arguments: object, **options: object) -> str:
    """The message with which ``judge`` refuses."""
    with pytest.raises(InputError) as refused:
        cranfield.evaluation.make_rankings(*arguments, **options)  # type: ignore[arg-type]
    assert str(refused.value).isprintable()
    return str(refused.value)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "qrels.txt").write_text("1 0 a 1\n2 0 b 1\n")
    (tmp_path / "bm25.run").write_text("1 Q0 a 1 2 t\n2 Q0 b 1 2 t\n")
    return tmp_path


def test_a_misspelled_file(folder: Path) -> None:
    assert refusal(folder / "bm26.run", folder / "qrels.txt") == (
        f"{folder}/bm26.run: no such file; did you mean {folder}/bm25.run?"
    )
    assert refusal(folder / "bm25.run", folder / "qrel.txt") == (
        f"{folder}/qrel.txt: no such file; did you mean {folder}/qrels.txt?"
    )
    assert refusal(folder / "zzz", folder / "qrels.txt") == f"{folder}/zzz: no such file"
    (folder / ".bm26.run.swp").touch()
    (folder / "bm26.runs").mkdir()
    assert refusal(folder / "bm26.run", folder / "qrels.txt").endswith(f"did you mean {folder}/bm25.run?")


def test_a_misspelled_folder(folder: Path) -> None:
    assert refusal(folder / "nowhere" / "bm25.run", folder / "qrels.txt") == (
        f"{folder}/nowhere/bm25.run: no such file: there is no folder '{folder}/nowhere'"
    )
    (folder / "runs").mkdir()
    assert refusal(folder / "run" / "bm25.run", folder / "qrels.txt") == (
        f"{folder}/run/bm25.run: no such file: there is no folder '{folder}/run'; did you mean {folder}/runs?"
    )
    assert refusal("/no/such/place/x.run", folder / "qrels.txt").endswith("there is no folder '/no/such/place'")


def test_names_that_are_no_files(folder: Path) -> None:
    assert refusal("", folder / "qrels.txt") == "'': no such file; the name is empty"
    assert refusal("https://x.org/a.run", folder / "qrels.txt") == (
        "https://x.org/a.run: no such file; what an address names is not fetched, download it first"
    )


def test_a_file_in_this_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    assert refusal("bm2.run", "qrels.txt") == "bm2.run: no such file; did you mean bm25.run?"


def test_a_folder_where_a_file_is_meant(folder: Path) -> None:
    (folder / "runs").mkdir()
    for given in (folder / "runs", f"{folder}/runs/"):
        message = refusal(given, folder / "qrels.txt")
        assert message == f"{given}: is a folder; name its files, for example {folder}/runs/*"
    assert "is a folder" in refusal(folder / "bm25.run", folder)


def test_a_file_below_a_file(folder: Path) -> None:
    message = refusal(folder / "bm25.run" / "x", folder / "qrels.txt")
    assert message.startswith(f"{folder}/bm25.run/x: ")
    assert "bm25.run" in message


def test_a_file_that_may_not_be_read(open_folder: Path) -> None:
    run, qrels = open_folder / "bm25.run", open_folder / "qrels.txt"
    qrels.write_text("1 0 a 1\n")
    run.write_text("1 Q0 a 1 2 t\n")
    cranfield.evaluation.make_rankings(run, qrels)
    run.chmod(0)
    with without_privileges():
        assert refusal(run, qrels) == f"{run}: cannot be read: Permission denied"


def test_a_file_that_the_system_fails_to_read(folder: Path) -> None:
    assert refusal("/proc/self/mem", folder / "qrels.txt") == "/proc/self/mem: cannot be read: Input/output error"


def test_names_that_no_file_can_have(folder: Path) -> None:
    assert refusal("a\0b", folder / "qrels.txt").startswith("a\\x00b: ")
    assert "cannot be read" in refusal("x" * 5000, folder / "qrels.txt")


def test_run_and_qrels_exchanged(folder: Path) -> None:
    assert refusal(folder / "qrels.txt", folder / "bm25.run") == (
        f"{folder}/bm25.run:1: 6 fields, expected 4 (topic iteration document label): '1 Q0 a 1 2 t'; "
        "is this a run? On the command line the qrels come first (QRELS RUN...), in Python the runs"
    )
    assert refusal(folder / "qrels.txt", folder / "qrels.txt") == (
        f"{folder}/qrels.txt:1: 4 fields, expected 6 (topic Q0 document rank score tag): '1 0 a 1'; "
        "is this a qrels file? On the command line the qrels come first (QRELS RUN...), in Python the runs"
    )


@pytest.mark.parametrize(
    ("input_format", "run", "qrels", "message"),
    [
        ("msmarco", "1 Q0 a 1 2 t", "1 0 a 1", "x.run:1: 6 fields, expected 3 (topic document rank): '1 Q0 a 1 2 t'; "
         "a TREC run is read with input_format=trec"),
        ("msmarco", "1 0 a 1", "1 0 a 1", "x.run:1: 4 fields, expected 3 (topic document rank): '1 0 a 1'; "
         "is this a qrels file?"),
        ("msmarco", "1 a 1", "1 a 1", "x.txt:1: 3 fields, expected 4 (topic iteration document label): '1 a 1'; "
         "are these BEIR qrels (input_format=beir), or is this a run?"),
        ("beir", "1 Q0 a 1 2 t", "1 0 a 1", "x.txt:1: 4 fields, expected 3 (topic document label): '1 0 a 1'; "
         "TREC qrels are read with input_format=trec"),
        ("beir", "1 a 1", "1 a 1", "x.run:1: 3 fields, expected 6 (topic Q0 document rank score tag): '1 a 1'; "
         "is this an MS MARCO run (input_format=msmarco), or are these qrels?"),
        ("beir", "1 a 1", "1 Q0 a 1 2 t", "x.txt:1: 6 fields, expected 3 (topic document label): '1 Q0 a 1 2 t'; "
         "is this a run?"),
    ],
)  # fmt: skip
def test_files_of_another_format(folder: Path, input_format: str, run: str, qrels: str, message: str) -> None:
    (folder / "x.run").write_text(run + "\n")
    (folder / "x.txt").write_text(qrels + "\n")
    found = refusal(folder / "x.run", folder / "x.txt", input_format=input_format)
    assert found.startswith(f"{folder}/{message}")


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ("tsv", ":1: 4 fields, expected 6 (topic Q0 document rank score tag): 'system\\ttopic\\tmeasure\\tvalue'; "),
        ("csv", ":1: 1 field, expected 6 (topic Q0 document rank score tag): 'system,topic,measure,value'; "),
        ("json", ": holds a signature and rows, expected topic -> document -> score; "),
    ],
)
def test_scores_in_the_place_of_a_run(folder: Path, form: str, said: str) -> None:
    scores = folder / f"scores.{form}"
    given = ["evaluate", str(folder / "qrels.txt"), str(folder / "bm25.run"), "--by-topic"]
    assert CliRunner().invoke(app, [*given, "-f", form, "-o", str(scores)]).exit_code == 0
    assert refusal(scores, folder / "qrels.txt") == (
        f"{scores}{said}are these scores, as `evaluate` writes them? "
        "Score files follow --scores, a baseline of `gate` --against"
    )
    assert "are these scores, as `evaluate` writes them?" in refusal(folder / "bm25.run", scores)


def zipped(name: str, data: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(name, data)
    return out.getvalue()


def tarred(name: str, data: bytes) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        entry = tarfile.TarInfo(name)
        entry.size = len(data)
        archive.addfile(entry, io.BytesIO(data))
    return out.getvalue()


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress])
def test_archives_of_several_files(folder: Path, pack: Callable[[bytes], bytes], monkeypatch: MonkeyPatch) -> None:
    data, path = (folder / "bm25.run").read_bytes(), folder / "x.tar"
    path.write_bytes(pack(tarred("bm25.run", data)))
    text = "is a tar archive; unpack it and name the files in it"
    assert refusal(path, folder / "qrels.txt") == f"{path}: {text}"
    assert refusal(folder / "bm25.run", path) == f"{path}: {text}"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
    assert refusal("-", folder / "qrels.txt") == f"standard input: {text}"


def test_a_zip_archive(folder: Path) -> None:
    path = folder / "x.zip"
    path.write_bytes(zipped("bm25.run", (folder / "bm25.run").read_bytes()))
    assert refusal(path, folder / "qrels.txt") == f"{path}: is a zip archive; unpack it and name the files in it"


@pytest.mark.parametrize(
    ("run", "message"),
    {
        "": "{}: the file holds no rows; a run has lines such as 'topic Q0 document rank score tag'",
        "# nothing\n\n": "{}: the file holds no rows; a run has lines such as 'topic Q0 document rank score tag'",
        "1 a 1\n": "{}:1: 3 fields, expected 6 (topic Q0 document rank score tag): '1 a 1'; "
        "an MS MARCO run (topic document rank) is read with input_format=msmarco",
        "1 Q0 a 1 2\n": "{}:1: 5 fields, expected 6 (topic Q0 document rank score tag): '1 Q0 a 1 2'; "
        "is the tag, the last field, missing?",
        "1 Q0 7 1 2e3\n": "{}:1: 5 fields, expected 6 (topic Q0 document rank score tag): '1 Q0 7 1 2e3'; "
        "is the tag, the last field, missing?",
        "1 a 1 2 t\n": "{}:1: 5 fields, expected 6 (topic Q0 document rank score tag): '1 a 1 2 t'; "
        "is Q0, the second field, missing?",
        "1 Q0 7 2 t\n": "{}:1: 5 fields, expected 6 (topic Q0 document rank score tag): '1 Q0 7 2 t'; "
        "is the rank or the score missing?",
        "a b c d e\n": "{}:1: 5 fields, expected 6 (topic Q0 document rank score tag): 'a b c d e'",
        f"1 Q0 {'x' * 99} 1 2\n": "{}:1: 5 fields, expected 6 (topic Q0 document rank score tag): "
        + repr("1 Q0 " + "x" * 75),
        "1 Q0 a 1 2 my tag\n": "{}:1: 7 fields, expected 6 (topic Q0 document rank score tag): '1 Q0 a 1 2 my tag'; "
        "neither ids nor tags may hold blanks",
        "1,Q0,a,1,2,t\n": "{}:1: 1 field, expected 6 (topic Q0 document rank score tag): '1,Q0,a,1,2,t'; "
        "fields are separated by spaces or tabs",
        "1 Q0 a 1 2 t\r1 Q0 b 2 1 t\r": "{}:1: 11 fields, expected 6 (topic Q0 document rank score tag): "
        "'1 Q0 a 1 2 t\\r1 Q0 b 2 1 t'; do lines end in carriage returns alone? `tr '\\r' '\\n'` mends that",
        "<html lang='en'>\n": "{}:1: 2 fields, expected 6 (topic Q0 document rank score tag): '<html lang='en'>'; "
        "is this a web page?",
        "1 Q0 a 1 x t\n": "{}:1: the score 'x' is not a number such as 12.5 or 1e-3; "
        "if the line is a header, remove it",
        "\n1 Q0 a 1 0x1 t\n": "{}:2: the score '0x1' is not a number such as 12.5 or 1e-3",
        "1 Q0 a 1 -1,5 t\n": "{}:1: the score '-1,5' is not a number such as 12.5 or 1e-3; write a point, not a comma",
        "1 Q0 a 1 1,500.0 t\n": "{}:1: the score '1,500.0' is not a number such as 12.5 or 1e-3",
        "1 Q0 a 1 nan t\n": "{}:1: the score is 'nan'; every score must be a finite number",
        "1 Q0 a 1 -inf t\n": "{}:1: the score is '-inf'; every score must be a finite number",
        "1 Q0 a 1 1e999 t\n": "{}:1: the score '1e999' is too large for a double; every score must be finite",
        "1 Q0 a\0 1 1 t\n": "{}:1: the line holds a NUL byte; is this a text file?",
        "1 Q0 a 1 2 t\n1 Q0 a 2 1 t\n": "{}:2: document 'a' occurs twice in topic '1': keep one of its "
        "lines; on_duplicate=first would keep the better-ranked one",
        f"1 Q0 {'a' * 5000} 1 1 t\n": "{}:1: the document id has 5,000 bytes, at most 4,096 are allowed: "
        + repr("a" * 80),
    }.items(),
)
def test_a_line_that_is_refused(folder: Path, run: str, message: str) -> None:
    path = folder / "x.run"
    path.write_text(run)
    assert refusal(path, folder / "qrels.txt") == message.format(path)
    if ":1: " in message:
        with pytest.raises(FormatError):
            cranfield.evaluation.make_rankings(path, folder / "qrels.txt")


def test_bytes_that_are_no_text(folder: Path) -> None:
    path = folder / "x.run"
    path.write_bytes(b"1 Q0 \xff 1 1 t\n")
    assert refusal(path, folder / "qrels.txt") == (
        f"{path}:1: the line is not valid UTF-8; convert the file, for example with `iconv -f latin1 -t utf-8`"
    )
    path.write_text("1 Q0 a 1 1 t\n", encoding="utf-16")
    assert refusal(path, folder / "qrels.txt") == (
        f"{path}: the file is UTF-16, not UTF-8 text; convert it with `iconv -f utf-16 -t utf-8`"
    )


def test_what_a_file_says_is_made_safe_to_print(folder: Path) -> None:
    path = folder / "x.run"
    path.write_text("1 Q0 a 1 \x1b[31mred\x9b t\n")
    assert refusal(path, folder / "qrels.txt") == (
        f"{path}:1: the score '\\x1b[31mred\\x9b' is not a number such as 12.5 or 1e-3"
    )
    hostile = folder / "\x1b]0;owned\x07.run"
    hostile.write_text("x\n")
    assert refusal(hostile, folder / "qrels.txt").startswith(f"{folder}/\\x1b]0;owned\\x07.run:1: 1 field, ")


@pytest.mark.parametrize(
    ("qrels", "message"),
    {
        "1 0 a\n": "{}:1: 3 fields, expected 4 (topic iteration document label): '1 0 a'; "
        "BEIR qrels (topic document label) are read with input_format=beir",
        "1 0 a x\n": "{}:1: the label 'x' is not a number such as 12.5 or 1e-3; if the line is a header, remove it; "
        "if this word is a label, say for which number it stands, as in labels={{'x': 1}}",
        "# nothing\n": "{}: the file holds no rows; qrels have lines such as 'topic iteration document label'",
        "1 doc-7 2 1 .25\n": "{}:1: 5 fields, expected 4 (topic iteration document label): '1 doc-7 2 1 .25'; "
        "are these prels (topic document label method probability)? Write them as topic 0 document label",
        "1 0 a b 1\n": "{}:1: 5 fields, expected 4 (topic iteration document label): '1 0 a b 1'; "
        "ids may not hold blanks",
        "1 0 a 1\n1 0 a 2\n": "{}:2: document 'a' of topic '1' has another label on line 1; keep one of them",
    }.items(),
)
def test_judgments_that_are_refused(folder: Path, qrels: str, message: str) -> None:
    path = folder / "x.txt"
    path.write_text(qrels)
    assert refusal(folder / "bm25.run", path) == message.format(path)


# ---- topics


@pytest.mark.parametrize(
    ("run", "qrels", "hint"),
    [
        (["q1", "q2"], ["301", "302"], ""),
        (["01", "02"], ["1", "2"], "; ids are compared as text: remove the zeros in front, or add them"),
        (["1", "2"], ["001", "002"], "; ids are compared as text: remove the zeros in front, or add them"),
        (["wt09-1"], ["1", "2"], "; remove the prefix of the run's topics"),
    ],
)
def test_no_topic_is_shared(folder: Path, run: list[str], qrels: list[str], hint: str) -> None:
    path = folder / "x.run"
    path.write_text("".join(f"{topic} Q0 a 1 1 t\n" for topic in run))
    judged = {topic: {"a": 1} for topic in qrels}
    expected = (
        f"run and qrels share no topic; the run has {', '.join(map(repr, run))}, "
        f"the qrels have {', '.join(map(repr, qrels))}{hint}"
    )
    assert refusal(path, judged) == f"{path}: {expected}"
    assert refusal({"mine": {topic: {"a": 1.0} for topic in run}}, judged) == f"run 'mine': {expected}"
    with pytest.raises(TopicError):
        cranfield.evaluation.make_rankings(path, judged)


def test_no_topic_is_shared_and_there_are_many(folder: Path) -> None:
    run = {f"q{number}": {"a": 1.0} for number in range(9)}
    qrels = {f"t{number}": {"a": 1} for number in range(9)}
    assert refusal(run, qrels) == (
        "run 'run': run and qrels share no topic; the run has 'q0', 'q1', 'q2', the qrels have 't0', 't1', 't2'"
    )


def test_a_missing_topic_can_be_refused(folder: Path) -> None:
    reading = InputOptions(missing="error")
    qrels = {str(number): {"a": 1} for number in range(1, 9)}
    assert refusal({"1": {"a": 1.0}}, qrels, reading=reading) == (
        "run 'run': 7 of 8 judged topics are missing: 2, 3, 4, 5, 6, ... (missing=error)"
    )
