"""Text of strangers on its way out: nothing moves a cursor, nothing opens a store."""

from __future__ import annotations

import json
import pickle
import shutil
import warnings
from pathlib import Path

import fsspec
import pyarrow as pa
import pyarrow.fs
import pyarrow.parquet as pq
import pytest
from fsspec.implementations.memory import MemoryFileSystem

from cli.command import cranfield
from cranfield import CranfieldError, InputError, UsageError
from cranfield._message import message, printable, remove_credentials, secrets_in
from cranfield._text import warn
from cranfield.errors import FormatError
from cranfield.findings import Location
from cranfield.partitions import Dataset
from cranfield.results import Grid, Sheet

ODD = "\x1b[31mred\x07\nINJECTED\u202ex"
"""A colour, a bell, a new line, and letters from right to left."""


def is_safe(text: str) -> bool:
    return all(line.isprintable() and not line.startswith("INJECTED") for line in text.split("\n"))


@pytest.mark.parametrize(
    "error",
    [
        CranfieldError(ODD),
        UsageError(ODD),
        InputError(ODD, Location(f"a{ODD}.run", 3), value=ODD),
        FormatError(ODD, Location(name=ODD).within(ODD)),
    ],
)
def test_errors_are_one_printable_line(error: CranfieldError) -> None:
    assert str(error).isprintable()
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_warnings_and_tables_are_printable() -> None:
    with pytest.warns(UserWarning, match="red") as caught:
        warn(ODD)
    assert str(caught[0].message).isprintable()
    grid = Grid([(ODD, False)])
    grid.add(ODD)
    assert is_safe(grid.page("what\nwas found", plain=True))
    sheet = Sheet([ODD], [[ODD]], "", {})
    for form in ("table", "markdown", "latex"):
        assert is_safe(sheet.text(form))


def stored(path: Path, said: object, topic: str = "1", system: str = "a", measure: str = "AP") -> None:
    table = pa.table(
        {"system": [system, "b"] * 3, "topic": [t for t in (topic, "2", "3") for _ in "ab"], measure: [0.1, 0.2] * 3}
    )
    pq.write_table(table.replace_schema_metadata({"cranfield.scores": json.dumps(said)}), path)


@pytest.mark.parametrize(
    "more",
    [
        {"listed": ODD},
        {"files": 7, "listed": ODD},
        {"measures": {"AP": {"larger_is_better": ODD, "summary": ODD, "peer_summary": ODD, "signature": ODD}}},
        {"measures": {ODD: {}}},
        {"signature": {ODD: ODD, "measures": ODD, "runs": ODD, "cranfield": ODD, "scores": ODD}},
    ],
    ids=str,
)
@pytest.mark.parametrize("names", [{}, {"topic": ODD}, {"system": ODD}, {"measure": ODD}], ids=str)
@pytest.mark.parametrize("command", ["compare", "table", "audit stability"])
def test_what_parquet_says_of_itself(
    tmp_path: Path, more: dict[str, object], names: dict[str, str], command: str
) -> None:
    (tmp_path / "scores").mkdir()
    stored(tmp_path / "scores" / "part.parquet", {"version": 1, "measures": {"AP": {}}, **more}, **names)
    ended = cranfield(*command.split(), "--scores", tmp_path / "scores")
    assert is_safe(ended.err), ended.err
    assert is_safe(ended.out), ended.out
    assert "fault of cranfield" not in ended.err


@pytest.mark.slow
@pytest.mark.parametrize(
    "command", ["evaluate", "check", "compare", "diff", "table", "check labels", "fuse", "compare risk", "audit"]
)
@pytest.mark.parametrize("odd", ["\x1b[31mred\x07", "::error::\u202ex"])
@pytest.mark.parametrize("where", ["topic", "document", "tag", "label", "score", "rank", "q0", "metadata", "name"])
def test_odd_ids_and_fields(tmp_path: Path, command: str, odd: str, where: str) -> None:
    parts = {"topic": "1", "document": "a", "tag": "t", "label": "1", "score": "2", "rank": "1", "q0": "Q0"} | {
        where: odd
    }
    head = f"# ir_metadata.start\n# {odd}: [\n# ir_metadata.end\n" if where == "metadata" else ""
    run = "{topic} {q0} {document} {rank} {score} {tag}\n".format(**parts)
    (tmp_path / "qrels.txt").write_text("{topic} 0 {document} {label}\n2 0 a 1\n3 0 a 1\n".format(**parts))
    name = f"{odd}.run" if where == "name" else "a.run"
    for path, score in ((tmp_path / name, "1"), (tmp_path / "b.run", "2")):
        path.write_text(head + run + f"2 Q0 a 1 {score} t\n2 Q0 b 1 1.5 t\n3 Q0 a 1 {score} t\n")
    ended = cranfield(*command.split(), tmp_path / "qrels.txt", tmp_path / name, tmp_path / "b.run")
    assert is_safe(ended.err), ended.err
    assert is_safe(ended.out) or command == "fuse", ended.out
    assert "fault of cranfield" not in ended.err


@pytest.mark.parametrize(
    ("option", "text"),
    [
        ("--topic-groups", "topic\t{odd}\n1\t{odd}\n2\t{odd}\n{odd}\tb\n"),
        ("--topic-groups", "1\t{odd}\n2\t{odd}\n9\tc\n"),
        ("--intent-weights", "1 {odd} 0.5\n"),
        ("--protocol", 'protocol = 1\nmeasures = ["{odd}"]\n[qrels]\npath = "{odd}"\nsha256 = "{odd}"\n'),
        ("--protocol", '"{odd}" = 1\n'),
        ("--protocol", "{odd}\n"),
        ("--measure", "{odd}"),
    ],
)
@pytest.mark.parametrize("odd", ["\x1b[31mred\x07", "::error::\u202ex", "\\u001b]0;x\\u0007\\nINJECTED"])
def test_odd_texts_of_other_files(tmp_path: Path, option: str, text: str, odd: str) -> None:
    (tmp_path / "qrels.txt").write_text("1 0 a 1\n2 0 a 1\n")
    (tmp_path / "a.run").write_text("1 Q0 a 1 1 x\n2 Q0 a 1 1 x\n")
    (tmp_path / "odd").write_text(text.replace("{odd}", odd))
    qrels = [] if option == "--protocol" else [tmp_path / "qrels.txt"]
    given = text.replace("{odd}", odd) if option == "--measure" else tmp_path / "odd"
    ended = cranfield("evaluate", *qrels, tmp_path / "a.run", option, given)
    assert is_safe(ended.err), ended.err
    assert is_safe(ended.out), ended.out
    assert "fault of cranfield" not in ended.err


@pytest.mark.parametrize("ending", ["csv", "tsv", "json", "jsonl", "nc", "parquet"])
@pytest.mark.parametrize("where", ["topic", "system", "measure", "value"])
def test_odd_texts_in_score_files(tmp_path: Path, ending: str, where: str) -> None:
    odd = "\x1b[31mred\x07::error::"
    row = {"system": "a", "topic": "1", "measure": "AP", "value": "0.5"} | {where: odd}
    path = tmp_path / f"scores.{ending}"
    if ending in ("csv", "tsv", "nc", "parquet"):
        mark = "," if ending == "csv" else "\t"
        path.write_text("\n".join(map(mark.join, (row, row.values(), ["a", "2", "AP", "0.1"]))))
    else:
        path.write_text(json.dumps([row]) if ending == "json" else json.dumps(row))
    for command in ("compare", "table"):
        ended = cranfield(command, "--scores", path)
        assert is_safe(ended.err), ended.err
        assert is_safe(ended.out), ended.out
        assert "fault of cranfield" not in ended.err


# ---- credentials


@pytest.mark.parametrize(
    ("text", "without"),
    [
        ("s3://KEY:SECRET@lake/a.run", "s3://lake/a.run"),
        ("s3://KEY:SEC/R+T=@lake/a.run", "s3://lake/a.run"),
        ("s3:/KEY:SECRET@lake/a.run", "s3:/lake/a.run"),
        ("https://user:p@ss@host:80/a@b", "https://host:80/a@b"),
        ("https://TOKEN@host/a", "https://host/a"),
        ("'s3://K:S@a/x','s3://K:S@b/y'", "'s3://a/x','s3://b/y'"),
        ("https://h/a?sv=1&sig=ab%3D: cannot", "https://h/a?sv=...&sig=...: cannot"),
        (
            "(https://h/a?X-Amz-Signature=1;X-Amz-Credential=2)",
            "(https://h/a?X-Amz-Signature=...;X-Amz-Credential=...)",
        ),
        ("cache::https://u:p@h/a#access_token=1", "cache::https://h/a#access_token=..."),
        ("abfs://lake@account.dfs.core.windows.net/a", "abfs://lake@account.dfs.core.windows.net/a"),
        ("https://host:8080/a@b", "https://host:8080/a@b"),
        ("s3://lake/part-?.parquet", "s3://lake/part-?.parquet"),
        ("user:pass@host is not an address", "user:pass@host is not an address"),
    ],
)
def test_credentials_are_removed(text: str, without: str) -> None:
    assert remove_credentials(text) == without
    assert message(without) == without


def test_a_library_that_repeats_what_it_was_given() -> None:
    given = "s3://LONGKEY:SEC%2FRET@lake/a?session=TICKET"
    assert secrets_in(given) == ["LONGKEY", "SEC%2FRET", "SEC/RET", "TICKET"]
    broken = given.replace("s3://", "broken://")

    class Broken(MemoryFileSystem):
        def __init__(self, **_: object) -> None:
            raise OSError(f"no key LONGKEY with SEC/RET, TICKET, PASSWORD in {broken}")

    fsspec.register_implementation("broken", Broken, clobber=True)
    with pytest.raises(InputError, match="cannot be read: no key") as refused:
        assert Dataset(broken, storage_options={"a": {"b": "PASSWORD"}}).files
    error = refused.value
    for secret in ("LONGKEY", "SEC", "TICKET", "PASSWORD"):
        assert secret not in str(error)
        assert secret not in error.path


@pytest.mark.slow
def test_no_credential_in_what_a_call_prints_or_writes(tmp_path: Path) -> None:
    (tmp_path / "qrels.txt").write_text("1 0 a 1\n2 0 a 1\n")
    (tmp_path / "a.run").write_text("1 Q0 a 1 1 x\n2 Q0 a 1 1 x\n")
    (tmp_path / "b.run").write_text("1 Q0 a 1 1 x\n2 Q0 b 1 1 x\n")
    plain = [tmp_path / "qrels.txt", tmp_path / "a.run"]
    for bad in ("s3://KEYKEY:SECRET@no-such/x.run", "https://h/x?sig=SECRET", "nosuch://KEYKEY:SECRET@h/x"):
        for call in (
            ["evaluate", *plain, bad],
            ["evaluate", bad, tmp_path / "a.run", "--dataset"],
            ["compare", "--scores", bad],
            ["compare", "--dask", bad, *plain, tmp_path / "b.run"],
            ["check", *plain, bad, "-f", "json"],
            ["evaluate", *plain, "--topic-groups", bad],
            ["evaluate", *plain, bad, "--keep-going", "-f", "json"],
            ["evaluate", *plain, "-q", "-o", f"{bad}/"],
        ):
            ended = cranfield(*call)
            assert "SECRET" not in ended.err + ended.out, (call, ended)
            assert "KEYKEY" not in ended.err + ended.out, (call, ended)
    page = tmp_path / "page.html"
    ended = cranfield("report", *plain, tmp_path / "b.run", "--title", "s3://KEYKEY:SECRET@lake/x", "-o", page)
    assert ended.status == 0
    assert "--title s3://lake/x " in page.read_text()


def test_a_data_set_at_an_address_is_called_without_credentials() -> None:
    found = Dataset("s3://KEY:SECRET@lake", filesystem=pyarrow.fs.LocalFileSystem())
    assert "SECRET" not in repr(found) + found.name + str(found.location)
    found = Dataset("https://host/a.parquet?sig=SECRET", filesystem=pyarrow.fs.LocalFileSystem())
    assert "SECRET" not in repr(found) + found.name + str(found.location)


# ---- links


def test_links_of_a_data_set(tmp_path: Path) -> None:
    """A link to a folder might lead to itself; one to a file is read, as in a cache of downloads, and said."""
    inside, outside = tmp_path / "run", tmp_path / "elsewhere"
    inside.mkdir()
    outside.mkdir()
    stored(outside / "one.parquet", {"version": 1, "measures": {"AP": {}}})
    (inside / "part.parquet").symlink_to(outside / "one.parquet")
    with pytest.warns(UserWarning, match=r"run: 1 link leads out of it, such as .*part\.parquet$"):
        assert len(Dataset(inside).files) == 1
    ended = cranfield("compare", "--scores", inside)
    assert (ended.status, "1 link leads out of it" in ended.err) == (0, True)
    (inside / "part.parquet").unlink()
    shutil.copy(outside / "one.parquet", inside / "part.parquet")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(Dataset(inside).files) == 1
    (inside / "again").symlink_to(".")
    with pytest.raises(InputError, match=r"run/again: is a link to a folder, and links to folders are not followed"):
        assert Dataset(inside).files
    with pytest.raises(InputError, match=r"run/again: is a link to a folder"):
        assert Dataset(inside / "*" / "part.parquet").files
    assert len(Dataset(inside / "*.parquet").files) == 1


def test_printable_keeps_what_it_is_told() -> None:
    assert printable("a\n\tb\x00", keep="\n\t") == "a\n\tb\\x00"
