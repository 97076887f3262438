"""Reading and writing TREC text: what comes back, in which packing, and what is said of it."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import lzma
import math
import os
import stat
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

import cranfield
from cranfield import CranfieldWarning, InputError, Qrels, Run, UsageError
from cranfield.errors import FormatError
from effort import examples

pytestmark = pytest.mark.usefixtures("each_engine")

RUN = "1 Q0 a 1 2.5 bm25\n1 Q0 b 2 1.5 bm25\n2 Q0 a 1 -3e-05 bm25\n"
QRELS = "1 0 a 1\n1 0 b 0\n2 0 a 2\n"

WORDS = st.text(st.characters(exclude_characters=" \t\n\r\0#\ufeff", exclude_categories=["Cs"]), min_size=1, max_size=4)
SCORES = st.floats(allow_nan=False, allow_infinity=False)


def pack_zstd(data: bytes) -> bytes:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    return zstd.compress(data)


PACKINGS: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "zstd": pack_zstd,
}


# ---- back and forth


@pytest.mark.slow
@examples(50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(WORDS, st.dictionaries(WORDS, SCORES, min_size=1, max_size=4), min_size=1, max_size=3))
def test_a_written_run_is_read_back_exactly(each_engine: Any, lists: dict[str, dict[str, float]]) -> None:
    run = Run.from_dict(lists, name="bm25")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bm25.run"
        cranfield.write(run, path)
        again = cranfield.read_run(path)
        assert again.to_dict() == lists
        assert list(again.to_dict()) == list(lists)
        assert all(
            math.copysign(1, again.to_dict()[t][d]) == math.copysign(1, lists[t][d]) for t in lists for d in lists[t]
        )
        assert again.documents == run.documents
        assert again.score.tobytes() == run.score.tobytes()
        assert again.rank is not None
        rows = again.to_frame().sort_values(["score", "doc_id"], ascending=False, key=ordered)
        assert all(list(group) == list(range(1, len(group) + 1)) for _, group in rows.groupby("query_id")["rank"])
        assert (again.name, again.tag) == ("bm25", "bm25")
        cranfield.write(again, path)
        assert cranfield.read_run(path) == again


@pytest.mark.slow
@examples(50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.dictionaries(
        WORDS,
        st.dictionaries(WORDS, st.integers(-2, 4) | SCORES, min_size=1, max_size=4),
        min_size=1,
        max_size=3,
    )
)
@pytest.mark.filterwarnings("ignore:.*is not a whole number and is kept:cranfield.CranfieldWarning")
def test_written_judgments_are_read_back_exactly(each_engine: Any, pools: dict[str, dict[str, float]]) -> None:
    qrels = Qrels.from_dict(pools)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "qrels.txt"
        cranfield.write(qrels, path)
        again = cranfield.read_qrels(path)
    assert again == qrels
    assert again.digest == qrels.digest


def ordered(column: Any) -> Any:
    """Ids by their bytes, as trec_eval compares them."""
    return column.map(str.encode) if column.name == "doc_id" else column


def test_the_text_that_is_written(tmp_path: Path) -> None:
    run = Run.from_dict({"1": {"a": 2.0, "b": 0.1}, "x": {"c": 1e300, "d": 1e-7, "e": 123456789.5}}, name="my run")
    cranfield.write(run, tmp_path / "x")
    assert (tmp_path / "x").read_bytes() == (
        b"1 Q0 a 1 2 my_run\n1 Q0 b 2 0.1 my_run\n"
        b"x Q0 c 1 1e+300 my_run\nx Q0 d 3 1e-07 my_run\nx Q0 e 2 123456789.5 my_run\n"
    )
    cranfield.write(Qrels.from_dict({"1": {"b": 1, "a": 1.5}}), tmp_path / "x")
    assert (tmp_path / "x").read_bytes() == b"1 0 a 1.5\n1 0 b 1\n"


def test_field_2_and_the_tag_come_back(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("1 x a 1\n1 y b 2\n")
    (tmp_path / "run").write_text("1 Q0 a 7 2.5 tagged\n")
    for name, read in (("qrels", cranfield.read_qrels), ("run", cranfield.read_run)):
        cranfield.write(read(tmp_path / name), tmp_path / "again")
        assert (tmp_path / "again").read_text() == (tmp_path / name).read_text()


@pytest.mark.parametrize("packing", PACKINGS)
@pytest.mark.parametrize("name", ["x", "x.gz", "x.zst"])
def test_packed_files_are_known_by_their_content(tmp_path: Path, packing: str, name: str) -> None:
    (tmp_path / name).write_bytes(PACKINGS[packing](RUN.encode()))
    run = cranfield.read_run(tmp_path / name)
    assert run.to_dict() == {"1": {"a": 2.5, "b": 1.5}, "2": {"a": -3e-05}}
    assert (run.name, run.tag, run.path) == ("x", "bm25", str(tmp_path / name))
    (tmp_path / name).write_bytes(PACKINGS[packing](QRELS.encode()))
    assert cranfield.read_qrels(tmp_path / name).to_dict() == {"1": {"a": 1, "b": 0}, "2": {"a": 2}}


@pytest.mark.parametrize("packing", [packing for packing in PACKINGS if packing != "plain"])
def test_a_packed_file_may_have_several_parts(tmp_path: Path, packing: str) -> None:
    first, second = RUN.encode()[:20], RUN.encode()[20:]
    (tmp_path / "x").write_bytes(PACKINGS[packing](first) + PACKINGS[packing](second))
    assert len(cranfield.read_run(tmp_path / "x")) == 3


@pytest.mark.parametrize("packing", [packing for packing in PACKINGS if packing != "plain"])
def test_a_part_of_a_packed_file_is_never_taken_for_the_whole(tmp_path: Path, packing: str) -> None:
    path = tmp_path / "x.run"
    whole = PACKINGS[packing]("".join(f"1 Q0 d{number} 1 {-number} t\n" for number in range(500)).encode())
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError) as refused:
        cranfield.read_run(path)
    assert str(refused.value) in (
        f"{path}: the {packing} data end too early: the file is truncated; copy or download it again",
        f"{path}: the {packing} data are damaged; copy or download the file again",
    )


@pytest.mark.parametrize("packing", [packing for packing in PACKINGS if packing != "plain"])
def test_unpacking_has_a_limit(tmp_path: Path, packing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.run"
    path.write_bytes(PACKINGS[packing](RUN.encode()))
    monkeypatch.setenv("CRANFIELD_MAX_UNPACKED", str(len(RUN)))
    assert len(cranfield.read_run(path)) == 3
    monkeypatch.setenv("CRANFIELD_MAX_UNPACKED", str(len(RUN) - 1))
    with pytest.raises(InputError) as refused:
        cranfield.read_run(path)
    assert str(refused.value) == (
        f"{path}: the {packing} data unpack to more than {len(RUN) - 1} bytes; "
        "set CRANFIELD_MAX_UNPACKED to a larger number of bytes if that is right"
    )


@pytest.mark.parametrize("text", ["0", "-1", "1e6", "many", "1_000", " 5", "²", "9" * 30])
def test_the_limit_is_a_number_of_bytes(tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x").write_text(RUN)
    monkeypatch.setenv("CRANFIELD_MAX_UNPACKED", text)
    with pytest.raises(UsageError, match=r"^CRANFIELD_MAX_UNPACKED=.* should be a number of bytes"):
        cranfield.read_run(tmp_path / "x")


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(RUN.encode()))))
    run = cranfield.read_run("-")
    assert (run.name, len(run)) == ("stdin", 3)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"1 0 a\n")))
    with pytest.raises(
        FormatError, match=r"^standard input:1: 3 fields, expected 4 \(topic iteration document label\)"
    ):
        cranfield.read_qrels("-")


def test_a_pipe_is_read_once(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(RUN,), daemon=True)
    writer.start()
    name = f"/proc/self/fd/{os.open(pipe, os.O_PATH)}"  # as a shell hands it over
    table = cranfield.evaluate(name, {"1": {"a": 1}, "2": {"a": 1}}, "AP")
    writer.join(5)
    assert table["AP"].values.tolist() == [[1.0], [1.0]]
    assert table["sha256"].values.tolist() == [hashlib.sha256(RUN.encode()).hexdigest()]


# ---- other layouts


def test_ms_marco_and_beir(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("1\ta\t2\n1\tb\t1\n")
    run = cranfield.read_run(tmp_path / "run", input_format="msmarco")
    assert run.to_dict() == {"1": {"a": -2.0, "b": -1.0}}
    (tmp_path / "qrels").write_text("query-id\tcorpus-id\tscore\n1\ta\t1\n")
    assert cranfield.read_qrels(tmp_path / "qrels", input_format="beir").to_dict() == {"1": {"a": 1.0}}
    with pytest.raises(
        UsageError,
        match=r"^input_format='xml' is not one of auto, trec, beir, ",
    ):
        cranfield.read_run(tmp_path / "run", input_format="xml")  # type: ignore[arg-type]


def test_on_duplicate_first_keeps_the_better_line(tmp_path: Path) -> None:
    path = tmp_path / "x.run"
    path.write_text("1 Q0 a 1 1 t\n1 Q0 b 2 2 t\n1 Q0 a 3 3 t\n")
    with pytest.raises(FormatError) as refused:
        cranfield.read_run(path)
    assert str(refused.value) == (
        f"{path}:3: document 'a' occurs twice in topic '1': keep one of its lines; "
        "on_duplicate=first would keep the better-ranked one"
    )
    with pytest.warns(CranfieldWarning) as noticed:
        run = cranfield.read_run(path, on_duplicate="first")
    assert run.to_dict() == {"1": {"a": 3.0, "b": 2.0}}
    assert [str(warning.message) for warning in noticed] == [
        f"{path}:3: document 'a' occurs twice in topic '1'; on_duplicate=first keeps only its better-ranked line"
    ]
    with pytest.raises(UsageError, match=r"^on_duplicate='last' is not one of error, first$"):
        cranfield.read_run(path, on_duplicate="last")  # type: ignore[arg-type]


def test_remarks_point_at_the_file(tmp_path: Path) -> None:
    path = tmp_path / "x.run"
    path.write_text("1 Q0 a r1 1 t\n1 Q0 b r2 2 other\n")
    with pytest.warns(CranfieldWarning) as noticed:
        assert cranfield.read_run(path).rank is None
    assert [str(warning.message) for warning in noticed] == [
        f"{path}:1: the rank 'r1' is not a whole number of at most 18 digits (1 more like it); ranks are not used",
        f"{path}:2: the run tag is 'other' here and 't' above",
    ]


def test_remarks_on_judgments(tmp_path: Path) -> None:
    path = tmp_path / "qrels"
    path.write_text("1 0 a 1.5\n1 0 b 0.5\n1 0 b 0.5\n")
    with pytest.warns(CranfieldWarning) as noticed:
        cranfield.read_qrels(path)
    assert {str(warning.message) for warning in noticed} == {
        f"{path}:1: the label 1.5 is not a whole number and is kept as it is (2 more like it)",
        f"{path}:3: document 'b' of topic '1' is judged again with the same label, which is ignored",
    }


def test_a_warning_points_at_the_callers_line(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("1 Q0 a r1 1 t\n")
    (tmp_path / "qrels").write_text("1 0 a 1.5\n")
    with pytest.warns(CranfieldWarning) as noticed:
        cranfield.read_run(tmp_path / "run")
        cranfield.read_qrels(tmp_path / "qrels")
        cranfield.evaluate(tmp_path / "run", tmp_path / "qrels")
    assert len(noticed) == 4
    assert {warning.filename for warning in noticed} == {__file__}


# ---- what writing refuses


@pytest.mark.parametrize(
    "lists",
    [
        {"a topic": {"a": 1.0}},
        {"1": {"a\tb": 1.0}},
        {"1": {"a\nb": 1.0}},
        {"#1": {"a": 1.0}},
        {"\ufeff1": {"a": 1.0}},
        {"BZh": {"a": 1.0}},
    ],
)
def test_what_is_written_can_be_read(tmp_path: Path, lists: dict[str, dict[str, float]]) -> None:
    for data, read in ((Run.from_dict(lists), cranfield.read_run), (Qrels.from_dict(lists), cranfield.read_qrels)):
        path = tmp_path / "x"
        try:
            cranfield.write(data, path)
        except InputError as refused:
            assert "cannot stand in TREC text" in str(refused)
            assert not list(tmp_path.iterdir()), "nothing is left behind"
        else:
            assert read(path).to_dict() == lists
            path.unlink()


def test_a_refused_id_is_named(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("before")
    with pytest.raises(InputError) as refused:
        cranfield.write(Run.from_dict({"1": {"a": 1.0, "b c": 2.0}}), tmp_path / "x")
    assert str(refused.value) == (
        "the document 'b c' cannot stand in TREC text: blanks separate fields, # begins a comment"
    )
    assert (tmp_path / "x").read_text() == "before"
    assert [entry.name for entry in tmp_path.iterdir()] == ["x"]


def test_a_write_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("before")
    full = mock.patch.object(Path, "replace", side_effect=OSError(28, "No space left on device"))
    with full, pytest.raises(InputError) as refused:
        cranfield.write(Run.from_dict({"1": {"a": 1.0}}), tmp_path / "x")
    assert (
        str(refused.value)
        == f"{tmp_path / 'x'}: cannot be written: No space left on device; make room there, or name another place"
    )
    assert (tmp_path / "x").read_text() == "before"
    assert [entry.name for entry in tmp_path.iterdir()] == ["x"]


def test_two_files_are_written_at_once(tmp_path: Path) -> None:
    one, other = Run.from_dict({"1": {"a": 1.0}}), Run.from_dict({"2": {"b": 2.0}})
    replace = Path.replace

    def slowly(self: Path, target: Path) -> Path:
        """While the first file is about to appear, another thread writes a second one beside it."""
        if target.name == "one":
            second = threading.Thread(target=cranfield.write, args=(other, tmp_path / "other"))
            second.start()
            second.join()
        return replace(self, target)

    with mock.patch.object(Path, "replace", slowly):
        cranfield.write(one, tmp_path / "one")
    assert cranfield.read_run(tmp_path / "one").to_dict() == one.to_dict()
    assert cranfield.read_run(tmp_path / "other").to_dict() == other.to_dict()
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["one", "other"]


@pytest.mark.parametrize("where", ["missing/x", "folder", ".", ""])
def test_a_place_that_cannot_be_written(tmp_path: Path, where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError, match="cannot be written: "):
        cranfield.write(Run.from_dict({"1": {"a": 1.0}}), where)
    assert [entry.name for entry in tmp_path.iterdir()] == ["folder"]


def test_writing_through_a_link_leaves_the_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("before")
    (tmp_path / "link").symlink_to("real")
    cranfield.write(Run.from_dict({"1": {"a": 1.0}}), tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "1 Q0 a 1 1 run\n"


def test_writing_to_a_pipe_leaves_the_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        cranfield.write(Run.from_dict({"1": {"a": 1.0}}), pipe)
        assert stat.S_ISFIFO(pipe.stat().st_mode), "a device such as /dev/null would be gone now"
        assert os.read(reader, 100) == b"1 Q0 a 1 1 run\n"
    finally:
        os.close(reader)


def test_a_new_file_has_the_usual_rights(tmp_path: Path) -> None:
    (tmp_path / "usual").write_text("")
    cranfield.write(Run.from_dict({"1": {"a": 1.0}}), tmp_path / "x")
    assert (tmp_path / "x").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_only_runs_and_judgments_are_written(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"^write takes a Run or Qrels, not dict$"):
        cranfield.write({"1": {"a": 1.0}}, tmp_path / "x")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"^5 is not a path$"):
        cranfield.write(Run.from_dict({"1": {"a": 1.0}}), 5)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "begins"),
    {"x.run.gz": b"\x1f\x8b\x08", "x.run.bz2": b"BZh", "x.run.xz": b"\xfd7zXZ", "x.zst": b"\x28\xb5\x2f\xfd"}.items(),
)
def test_a_file_is_packed_as_its_name_says(tmp_path: Path, name: str, begins: bytes) -> None:
    run = Run.from_dict({"1": {"a": 2.5, "b": 1.0}}, name="mine")
    cranfield.write(run, tmp_path / "x.run")
    cranfield.write(run, tmp_path / name)
    first = (tmp_path / name).read_bytes()
    assert first.startswith(begins)
    assert cranfield.read_run(tmp_path / name).to_dict() == run.to_dict()
    cranfield.write(run, tmp_path / name)
    assert (tmp_path / name).read_bytes() == first
