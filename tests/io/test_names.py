"""What systems are called, and what may be given as runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import cranfield
from cranfield import InputError, Run, UsageError
from cranfield.io.inputs import named_runs
from cranfield.io.system_names import stem, system_names
from cranfield.scoring import score
from privileges import without_privileges

LISTS = {"1": {"a": 2.0, "b": 1.0}}
QRELS = {"1": {"a": 0, "b": 1}}


@pytest.mark.parametrize(
    ("path", "name"),
    {
        "bm25": "bm25",
        "bm25.run": "bm25",
        "runs/bm25.txt": "bm25",
        "/a/b/bm25.tsv": "bm25",
        "bm25.res": "bm25",
        "bm25.trec": "bm25",
        "bm25.gz": "bm25",
        "bm25.run.gz": "bm25",
        "bm25.run.bz2": "bm25",
        "bm25.run.xz": "bm25",
        "bm25.run.zst": "bm25",
        "input.bm25": "bm25",
        "input.bm25.gz": "bm25",
        "input.bm25.run.gz": "bm25",
        "bm25.gz.xz": "bm25.gz",
        "bm25.txt.run": "bm25.txt",
        "bm25.run.txt.gz": "bm25.run",
        "bm25.v2.run": "bm25.v2",
        "bm25.RUN": "bm25.RUN",
        "bm25.input.run": "bm25.input",
        "judge.qrels": "judge",
        "judge.qrel.gz": "judge",
        "judge.qrels.txt.zst": "judge",
        ".qrels.gz": ".qrels",
        "input.": "input.",
        "input.run": "input",
        ".run": ".run",
        ".gz": ".gz",
        "x.run/y": "y",
        "-": "stdin",
        "./-": "-",
    }.items(),
)
def test_a_name_from_a_file(path: str, name: str) -> None:
    assert stem(path) == name
    assert system_names([path]) == [name]


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["a.run", "b.run"], ["a", "b"]),
        (["x/a.run", "y/a.run", "y/b.run"], ["x/a", "y/a", "b"]),
        (["p/x/a.run", "q/x/a.run", "q/y/a.run"], ["p/x/a", "q/x/a", "y/a"]),
        (["a.run", "x/a.run"], ["a", "x/a"]),
        (["x/a.run.gz", "y/a.txt"], ["x/a", "y/a"]),
        (["2021/input.a.gz", "2022/input.a.gz"], ["2021/a", "2022/a"]),
        (["-", "x/stdin.run"], ["stdin", "x/stdin"]),
        ([], []),
    ],
)
def test_equal_names_get_their_folder_in_front(paths: list[str], names: list[str]) -> None:
    assert system_names(paths) == names


@pytest.mark.parametrize(
    ("paths", "message"),
    [
        (["a.run", "a.txt"], "a.run: would be called 'a', as would a.txt: rename one of the files"),
        (["x/a.run", "x/a.txt"], "x/a.run: would be called 'x/a', as would x/a.txt: rename one of the files"),
        (["a.run", "./a.run"], "a.run: this run is given twice, also as ./a.run"),
        (["a.run", "b.run", "a.run"], "a.run: this run is given twice"),
        (["-", "-"], "standard input: this run is given twice"),
    ],
)
def test_names_that_cannot_be_told_apart(paths: list[str], message: str) -> None:
    with pytest.raises(InputError) as refused:
        system_names(paths)
    assert str(refused.value) == message


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, tag in {"x.run": "one", "y.run": "two", "z.txt": "one"}.items():
        (tmp_path / name).write_text(f"1 Q0 a 1 2 {tag}\n1 Q0 b 2 1 {tag}\n")
    return tmp_path


def test_tags_as_names(folder: Path) -> None:
    given = [folder / "y.run", folder / "x.run"]
    table = score(given, QRELS, "AP", names="tag")
    assert (table.systems, table.tags) == (("two", "one"), ("two", "one"))
    assert cranfield.evaluate(given, QRELS, "AP", names="tag")["system"].values.tolist() == ["two", "one"]
    assert score(given, QRELS, "AP").systems == ("y", "x")
    with pytest.raises(InputError) as refused:
        score([folder / "x.run", folder / "y.run", folder / "z.txt"], QRELS, "AP", names="tag")
    assert str(refused.value) == f"{folder}/z.txt: the tag 'one' is also that of {folder}/x.run"
    with pytest.raises(InputError) as refused:
        score(LISTS, QRELS, "AP", names="tag")
    assert str(refused.value) == (
        "run 'run': the run has no tag, which names=tag needs; without it, the name is that of the file, or of the "
        "system in a table"
    )
    with pytest.raises(UsageError, match=r"^names='path' is not one of file, tag$"):
        score(given, QRELS, "AP", names="path")  # type: ignore[arg-type]


def test_tags_tell_files_of_one_name_apart(folder: Path) -> None:
    (folder / "x.txt").write_text("1 Q0 a 1 2 three\n")
    table = score([folder / "x.run", folder / "x.txt"], QRELS, "AP", names="tag")
    assert table.systems == ("one", "three")


def test_globs_are_in_the_order_of_names(folder: Path) -> None:
    assert [run.name for run in named_runs(f"{folder}/*.run")] == ["x", "y"]
    assert [run.name for run in named_runs([f"{folder}/[yz].*", folder / "x.run"])] == ["y", "z", "x"]
    with pytest.raises(InputError) as refused:
        named_runs(f"{folder}/*.nothing")
    assert str(refused.value) == f"{folder}/*.nothing: no file matches"


@pytest.mark.parametrize("pattern", ["*.run", "*/*.run"])
def test_a_folder_that_may_not_be_read_is_said_to_be_so(folder: Path, pattern: str) -> None:
    folder.chmod(0)
    try:
        with without_privileges(), pytest.raises(InputError) as refused:
            named_runs(f"{folder}/{pattern}")
    finally:
        folder.chmod(0o700)
    assert (str(refused.value), refused.value.code) == (f"{folder}: cannot be read: Permission denied", "unreadable")


def test_a_file_whose_name_looks_like_a_glob(folder: Path) -> None:
    """Whoever put it beside others does not decide what a pattern means."""
    (folder / "[x].run").write_text((folder / "x.run").read_text())
    with pytest.raises(InputError, match="is the name of a file and a pattern of 1 file: name the file as ") as refused:
        named_runs(folder / "[x].run")
    assert refused.value.code == "ambiguous"
    assert [run.name for run in named_runs(folder / "[[]x].run")] == ["[x]"]
    (folder / "x.run").rename(folder / "z.run")
    assert [run.name for run in named_runs(folder / "[x].run")] == ["[x]"], "it can be nothing else"
    (folder / "*.run").write_text((folder / "z.run").read_text())
    with pytest.raises(InputError, match="name the file as "):
        named_runs(folder / "*.run")


def test_a_part_that_is_a_file_too(folder: Path) -> None:
    (folder / "x.run#good").write_text((folder / "x.run").read_text())
    with pytest.raises(InputError, match=r"is the name of a file and a part of .*x\.run: rename one of the two files"):
        named_runs(folder / "x.run#good")
    (folder / "x.run").unlink()
    assert [run.name for run in named_runs(folder / "x.run#good")] == ["x.run#good"]


FRAME = pd.DataFrame({"qid": ["1"], "docno": ["a"], "score": [1.0]})


@pytest.mark.parametrize(
    ("runs", "names"),
    [
        pytest.param(LISTS, ["run"], id="a dict"),
        pytest.param(FRAME, ["run"], id="a frame"),
        pytest.param(Run.from_dict(LISTS, name="bm25"), ["bm25"], id="a Run"),
        pytest.param({"bm25": LISTS, "dense": FRAME}, ["bm25", "dense"], id="runs by name"),
        pytest.param({"bm25": Run.from_dict(LISTS, name="other")}, ["bm25"], id="a Run under another name"),
        pytest.param([LISTS, FRAME, Run.from_dict(LISTS, name="x")], ["run1", "run2", "x"], id="a list"),
        pytest.param((run for run in [LISTS, FRAME]), ["run1", "run2"], id="a generator"),
        pytest.param([{"a": LISTS}, {"b": LISTS}], ["a", "b"], id="a list of runs by name"),
        pytest.param({3: LISTS}, ["3"], id="a number as name"),
        pytest.param({"0": {}, **LISTS}, ["run"], id="a topic without documents"),
    ],
)
def test_runs_in_memory(runs: Any, names: list[str]) -> None:
    found = named_runs(runs)
    assert [run.name for run in found] == names
    assert all(isinstance(run.data, Run) for run in found)


def test_paths_may_be_named(folder: Path) -> None:
    found = named_runs({"first": folder / "x.run", "second": str(folder / "y.run")})
    assert [(run.name, run.data) for run in found] == [
        ("first", f"{folder}/x.run"),
        ("second", f"{folder}/y.run"),
    ]


@pytest.mark.parametrize(
    ("runs", "error", "message"),
    [
        ([], InputError, "no run was given"),
        ({}, InputError, None),
        (5, UsageError, "int is not a run: give a path, a Run, a dict, a data frame or rows (topic, document, score)"),
        (
            [5],
            UsageError,
            "int is not a run: give a path, a Run, a dict, a data frame or rows (topic, document, score)",
        ),
        (
            None,
            UsageError,
            "NoneType is not a run: give a path, a Run, a dict, a data frame or rows (topic, document, score)",
        ),
        (
            [Run.from_dict(LISTS), Run.from_dict(LISTS)],
            InputError,
            "two runs are called 'run'; give them names: {name: run, ...}",
        ),
    ],
)
def test_runs_that_are_none(runs: Any, error: type[Exception], message: str | None) -> None:
    with pytest.raises(error) as refused:
        named_runs(runs)
    assert message is None or str(refused.value).partition("; of results")[0] == message


def test_names_of_files_and_of_memory_must_differ(folder: Path) -> None:
    with pytest.raises(InputError, match=r"^two runs are called 'x'; give them names: \{name: run, \.\.\.\}$"):
        named_runs([folder / "x.run", {"x": LISTS}])


def test_a_result_that_holds_judgments_is_named() -> None:
    labels = {"1": {"a": 1, "b": 0}}
    combined = cranfield.agreement.combine_labels({"x": labels, "y": labels})
    with pytest.raises(UsageError, match=r"^CombinedLabels is not qrels, but holds them: give its attribute qrels$"):
        cranfield.evaluation.make_rankings(LISTS, combined)  # type: ignore[arg-type]
    sample = cranfield.pooling.sample_pool(LISTS, qrels=labels)
    with pytest.raises(
        UsageError, match=r"^PoolSample is not qrels, but makes them: give what its to_qrels\(\) returns$"
    ):
        cranfield.evaluation.make_rankings(LISTS, sample)  # type: ignore[arg-type]


@pytest.mark.parametrize("qrels", [5, None, ["x"]])
def test_judgments_that_are_none(qrels: Any) -> None:
    with pytest.raises(UsageError) as refused:
        cranfield.evaluation.make_rankings(LISTS, qrels)
    assert str(refused.value).startswith(
        f"{type(qrels).__name__} is not qrels: give a path, Qrels, a dict, a data frame or rows "
        "(topic, document, label); of relevant documents by topic, {topic: "
    )
