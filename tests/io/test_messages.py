"""What a wrong file is answered with: where, what, and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

import cranfield
from cranfield import FormatError, InputError, TopicError
from privileges import without_privileges

pytestmark = pytest.mark.usefixtures("each_engine")


def refusal(*arguments: object, **options: object) -> str:
    """The message with which ``judge`` refuses."""
    with pytest.raises(InputError) as refused:
        cranfield.judge(*arguments, **options)  # type: ignore[arg-type]
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


def test_a_misspelled_folder(folder: Path) -> None:
    assert refusal(folder / "nowhere" / "bm25.run", folder / "qrels.txt") == (
        f"{folder}/nowhere/bm25.run: no such file: there is no folder '{folder}/nowhere'"
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
    cranfield.judge(run, qrels)
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
        "is this a run? The qrels come first: QRELS RUN..."
    )
    assert refusal(folder / "qrels.txt", folder / "qrels.txt") == (
        f"{folder}/qrels.txt:1: 4 fields, expected 6 (topic Q0 document rank score tag): '1 0 a 1'; "
        "is this a qrels file? The qrels come first: QRELS RUN..."
    )


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
        "1 Q0 a 1 2 t\n1 Q0 a 2 1 t\n": "{}:2: document 'a' stands twice in topic '1': keep one of its "
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
            cranfield.judge(path, folder / "qrels.txt")


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
    assert refusal(hostile, folder / "qrels.txt").startswith(f"{folder}/\\x1b]0;owned\\x07.run:1: 1 fields")


@pytest.mark.parametrize(
    ("qrels", "message"),
    {
        "1 0 a\n": "{}:1: 3 fields, expected 4 (topic iteration document label): '1 0 a'; "
        "BEIR qrels (topic document label) are read with input_format=beir",
        "1 0 a x\n": "{}:1: the label 'x' is not a number such as 12.5 or 1e-3; if the line is a header, remove it",
        "# nothing\n": "{}: the file holds no rows; qrels have lines such as 'topic iteration document label'",
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
        cranfield.judge(path, judged)


def test_no_topic_is_shared_and_there_are_many(folder: Path) -> None:
    run = {f"q{number}": {"a": 1.0} for number in range(9)}
    qrels = {f"t{number}": {"a": 1} for number in range(9)}
    assert refusal(run, qrels) == (
        "run 'run': run and qrels share no topic; the run has 'q0', 'q1', 'q2', the qrels have 't0', 't1', 't2'"
    )


def test_a_missing_topic_can_be_refused(folder: Path) -> None:
    policy = cranfield.Policy(missing="error")
    qrels = {str(number): {"a": 1} for number in range(1, 9)}
    assert refusal({"1": {"a": 1.0}}, qrels, policy=policy) == (
        "run 'run': 7 of 8 judged topics are missing: 2, 3, 4, 5, 6, ... (missing=error)"
    )
