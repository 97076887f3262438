"""Files that appear whole or not at all, from Python: modes, what reaches the disk, and what killed processes left."""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import cranfield
from cranfield import InputError, Run
from cranfield.io import atomic_write
from cranfield.io.atomic_write import together, whole_folder, write_bytes

RUN = Run.from_dict({"1": {"a": 1.0}})


def save_scores(path: Path) -> None:
    scores = cranfield.evaluate(RUN, {"1": {"a": 1}}, "RR")
    cranfield.write_scores(scores, path, format="tsv")


def save_chart(path: Path) -> None:
    import altair as alt

    from cranfield.plot import save

    save(alt.Chart(alt.Data(values=[{"x": 1}])).mark_point().encode(x="x:Q"), path)


WRITERS: dict[str, Callable[[Path], None]] = {
    "run": lambda path: cranfield.write(RUN, path),
    "scores": save_scores,
    "chart.json": save_chart,
}


@pytest.mark.parametrize("name", WRITERS)
def test_every_writer_keeps_modes_and_spares_what_is_read_only(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text("before")
    path.chmod(0o444)
    with pytest.raises(InputError, match="cannot be written: it is read-only; make it writable, or name another file"):
        WRITERS[name](path)
    assert path.read_text() == "before"
    path.chmod(0o600)
    WRITERS[name](path)
    assert path.read_text() != "before"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [entry.name for entry in tmp_path.iterdir()] == [name]


@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser gives files away")
def test_an_owner_is_kept(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("before")
    os.chown(tmp_path / "x", 1234, 5678)
    write_bytes(tmp_path / "x", b"after")
    found = (tmp_path / "x").stat()
    assert (found.st_uid, found.st_gid, (tmp_path / "x").read_bytes()) == (1234, 5678, b"after")


def test_nobody_reads_the_new_file_who_could_not_read_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "secret").write_text("before")
    (tmp_path / "secret").chmod(0o600)
    modes = []
    monkeypatch.setattr(
        "cranfield.io.atomic_write.fill", lambda stream, _: modes.append(os.fstat(stream.fileno()).st_mode)
    )
    write_bytes(tmp_path / "secret", b"after")
    assert [stat.S_IMODE(mode) for mode in modes] == [0o600]


def test_data_reach_the_disk_before_the_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    sync, replace = os.fsync, Path.replace

    def synced(descriptor: int) -> None:
        assert os.fstat(descriptor).st_size == 5, "and not in a buffer of ours"
        done.append("synced")
        sync(descriptor)

    def replaced(self: Path, target: Path) -> Path:
        done.append("renamed")
        return replace(self, target)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(Path, "replace", replaced)
    write_bytes(tmp_path / "x", b"after")
    assert done == ["synced", "renamed"]


@pytest.mark.parametrize(("number", "fails"), [(errno.EIO, True), (errno.ENOSPC, True), (errno.EINVAL, False)])
def test_a_disk_that_fails_late(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, fails: bool) -> None:
    def refuse(_: int) -> None:
        raise OSError(number, os.strerror(number))

    (tmp_path / "x").write_text("before")
    monkeypatch.setattr(os, "fsync", refuse)
    if fails:
        with pytest.raises(InputError, match=f"x: cannot be written: {os.strerror(number)}"):
            write_bytes(tmp_path / "x", b"after")
    else:
        write_bytes(tmp_path / "x", b"after")
    assert (tmp_path / "x").read_text() == ("before" if fails else "after")
    assert [entry.name for entry in tmp_path.iterdir()] == ["x"]


def test_files_appear_together(tmp_path: Path) -> None:
    def write(last: Path) -> None:
        with together() as add:
            for path in (tmp_path / "one", tmp_path / "two", last):
                add(path, b"after")
            assert not (tmp_path / "one").exists()

    with pytest.raises(InputError, match=r"no/three: cannot be written: No such file or directory"):
        write(tmp_path / "no" / "three")
    assert list(tmp_path.iterdir()) == []
    write(tmp_path / "three")
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["one", "three", "two"]


def test_a_signal_while_names_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is heard when all of them have."""

    def stopped(rename: Callable[[Path, Path], Path]) -> Callable[[Path, Path], Path]:
        def renamed(self: Path, target: Path) -> Path:
            path = rename(self, target)
            signal.raise_signal(signal.SIGINT)
            return path

        return renamed

    def write_folder(text: str) -> None:
        with whole_folder(tmp_path / "folder", lambda _: True) as folder:
            (folder / "part").write_text(text)

    write_folder("before")
    for name in ("replace", "rename"):
        monkeypatch.setattr(Path, name, stopped(getattr(Path, name)))
    with pytest.raises(KeyboardInterrupt), together() as add:
        add(tmp_path / "one", b"after")
        add(tmp_path / "two", b"after")
    assert ((tmp_path / "one").read_bytes(), (tmp_path / "two").read_bytes()) == (b"after", b"after")
    with pytest.raises(KeyboardInterrupt):
        write_folder("after")
    assert (tmp_path / "folder" / "part").read_text() == "after"
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


# ---- what killed processes left


KILLED = """
import os, signal, sys
from pathlib import Path
from cranfield.io import atomic_write
atomic_write.fill = lambda stream, data: os.kill(os.getpid(), signal.SIGKILL)
atomic_write.write_bytes(Path(sys.argv[1]), b"after")
"""


def partials(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".partial"))


def test_the_next_write_sweeps_what_a_killed_one_left(tmp_path: Path) -> None:
    stop = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / "x")], timeout=60, check=False)
    assert stop.returncode < 0
    assert len(partials(tmp_path)) == 1
    write_bytes(tmp_path / "y", b"after")
    assert [entry.name for entry in tmp_path.iterdir()] == ["y"]


def gone() -> int:
    """A process that is no more."""
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    return process.pid


def test_only_what_is_ours_and_left_is_swept(tmp_path: Path) -> None:
    here, dead, alive = atomic_write.partial_name().split("-")[1], gone(), os.getppid()
    yesterday = time.time() - 2 * atomic_write.DAY
    wanted = {
        f".cranfield-{here}-{dead}-00000000.partial": False,
        f".cranfield-{here}-{alive}-00000000.partial": True,
        f".cranfield-{here}-{os.getpid()}-00000000.partial": True,
        f".cranfield-00000000-{dead}-00000000.partial": True,  # of another machine, and young
        f"old.cranfield-{here}-{dead}-00000000.partial": True,
        f".cranfield-{here}-{dead}-00000000.partial.txt": True,
        f".cranfield-{here}-0-00000000.partial": True,
        f".cranfield-{here}-{dead}-mine.partial": True,
        ".0123456789abcdef.partial": True,
        "mine.partial": True,
    }
    for name in wanted:
        (tmp_path / name).write_text("x")
    old = tmp_path / f".cranfield-00000000-{dead}-11111111.partial"
    old.write_text("x")
    os.utime(old, (yesterday, yesterday))
    (tmp_path / f".cranfield-{here}-{dead}-22222222.partial").mkdir()
    (tmp_path / f".cranfield-{here}-{dead}-33333333.partial").symlink_to("mine.partial")
    write_bytes(tmp_path / "x", b"after")
    left = {entry.name for entry in tmp_path.iterdir()} - {"x"}
    assert left == {name for name, stays in wanted.items() if stays} | {
        f".cranfield-{here}-{dead}-22222222.partial",
        f".cranfield-{here}-{dead}-33333333.partial",
    }
