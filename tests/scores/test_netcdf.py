"""netCDF score files of strangers: what they declare is refused before it is read, and names are texts."""

from __future__ import annotations

import re
import struct
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
import xarray as xr

from cranfield import InputError, read_scores

VALUES = [[0.1, 0.2], [0.3, 0.5]]


def scores() -> xr.Dataset:
    names = {"topic": np.array(["q1", "q2"], dtype=object), "system": np.array(["a", "b"], dtype=object)}
    return xr.Dataset({"AP": (("topic", "system"), VALUES)}, names)


def opened(folder: Path) -> h5py.File:
    """A score file of netCDF-4, open to be spoiled."""
    scores().to_netcdf(folder / "AP.nc", engine="h5netcdf")
    return h5py.File(folder / "AP.nc", "r+")


def test_netcdf_4_is_read_with_texts_of_either_kind(tmp_path: Path) -> None:
    opened(tmp_path).close()
    found = read_scores(tmp_path / "AP.nc")
    assert found["AP"].to_numpy().tolist() == VALUES
    assert found["topic"].to_numpy().tolist() == ["q1", "q2"]
    fixed = scores().assign_coords(system=np.array([b"a", b"b"]))
    fixed.to_netcdf(tmp_path / "fixed.nc", engine="h5netcdf", encoding={"AP": {"zlib": True}})
    assert read_scores(tmp_path / "fixed.nc")["system"].to_numpy().tolist() == ["a", "b"]


@pytest.mark.parametrize("engine", ["scipy", "h5netcdf"])
def test_names_of_characters_are_texts(tmp_path: Path, engine: Any) -> None:
    names = ["q\u00e9", "q10"]
    held = scores().assign_coords(topic=np.array([name.encode() for name in names]))
    held.to_netcdf(tmp_path / "AP.nc", engine=engine, encoding={"topic": {"dtype": "S1"}})
    assert read_scores(tmp_path / "AP.nc")["topic"].to_numpy().tolist() == names


def _external_storage(file: h5py.File, folder: Path) -> None:
    (folder / "secret").write_bytes(b"a stranger reads this".ljust(64))
    file.create_dataset("text", (4,), "S16", external=[(str(folder / "secret"), 0, 64)])


def _external_link(file: h5py.File, folder: Path) -> None:
    file["other"] = h5py.ExternalLink(str(folder / "other.h5"), "/AP")


def _soft_link(file: h5py.File, folder: Path) -> None:
    file["other"] = h5py.SoftLink("/AP")


def _link_in_a_group(file: h5py.File, folder: Path) -> None:
    file.create_group("inner/deep")["other"] = h5py.ExternalLink("other.h5", "/AP")


def _virtual(file: h5py.File, folder: Path) -> None:
    layout = h5py.VirtualLayout(shape=(2, 2), dtype="f8")
    layout[:] = h5py.VirtualSource(str(folder / "other.h5"), "AP", shape=(2, 2))
    file.create_virtual_dataset("other", layout)


def _unknown_filter(file: h5py.File, folder: Path) -> None:
    created = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    created.set_chunk((2,))
    created.set_filter(32015, h5py.h5z.FLAG_OPTIONAL, (3,))
    space = h5py.h5s.create_simple((2,))
    h5py.h5d.create(file.id, b"packed", h5py.h5t.NATIVE_DOUBLE, space, created)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (_external_storage, "'/text' is stored in another file"),
        (_external_link, "'/other' is a link"),
        (_soft_link, "'/other' is a link"),
        (_link_in_a_group, "'/inner/deep/other' is a link"),
        (_virtual, "'/other' is made of other datasets"),
        (_unknown_filter, "'/packed' is compressed by filter 32015, whose code would be loaded"),
    ],
)
def test_what_lies_elsewhere_is_refused(tmp_path: Path, spoil: Callable[[h5py.File, Path], None], said: str) -> None:
    with opened(tmp_path) as file:
        spoil(file, tmp_path)
    with pytest.raises(InputError, match=re.escape(said)) as caught:
        read_scores(tmp_path / "AP.nc")
    assert caught.value.code == "outside"


def _zeros(file: h5py.File) -> None:
    file.create_dataset("zeros", (40_000, 1_000), "f8", chunks=(4_000, 1_000), compression="gzip", fillvalue=0.0)
    file["zeros"][:4_000] = 0.0


def _long_texts(file: h5py.File) -> None:
    file.create_dataset("texts", (2_000,), "S100000", chunks=(100,), compression="gzip")


@pytest.mark.parametrize("declare", [_zeros, _long_texts])
def test_what_a_file_declares_is_held_against_the_budget(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, declare: Callable[[h5py.File], None]
) -> None:
    with opened(tmp_path) as file:
        declare(file)
    monkeypatch.setenv("CRANFIELD_MEMORY", "50000000")
    tracemalloc.start()
    with pytest.raises(InputError, match=r"what the file declares would take .* of memory") as caught:
        read_scores(tmp_path / "AP.nc")
    assert tracemalloc.get_traced_memory()[1] < 20_000_000
    tracemalloc.stop()
    assert caught.value.code == "memory"


def test_texts_that_share_their_bytes_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "x" * 200_000
    with opened(tmp_path) as file:
        made = file.create_dataset("texts", (4_000,), h5py.string_dtype())
        made[0] = text
        where, file_size = made.id.get_offset(), 16 * 4_000
    data = bytearray((tmp_path / "AP.nc").read_bytes())
    first = bytes(data[where : where + 16])
    data[where : where + file_size] = first * 4_000
    (tmp_path / "AP.nc").write_bytes(data)
    with h5py.File(tmp_path / "AP.nc") as file:
        assert len(file["texts"][3_999]) == len(text)  # 800 MB in all
    monkeypatch.setenv("CRANFIELD_MEMORY", "50000000")
    tracemalloc.start()
    with pytest.raises(InputError, match="what the file declares would take"):
        read_scores(tmp_path / "AP.nc")
    assert tracemalloc.get_traced_memory()[1] < 60_000_000
    tracemalloc.stop()


def test_variables_of_netcdf_3_that_overlap_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def name(text: bytes) -> bytes:
        return struct.pack(">i", len(text)) + text.ljust(-(-len(text) // 4) * 4, b"\0")

    count, size = 2_000, 200_000
    head = b"CDF\1" + struct.pack(">3i", 0, 10, 1) + name(b"topic") + struct.pack(">i", size // 8)
    head += struct.pack(">4i", 0, 0, 11, count)
    entry = 4 + 8 + 4 + 4 + 8 + 4 + 4 + 4
    begin = len(head) + count * entry
    for number in range(count):
        head += name(b"v%07d" % number) + struct.pack(">iiiiiii", 1, 0, 0, 0, 6, size, begin)
    assert len(head) == begin
    (tmp_path / "AP.nc").write_bytes(head + b"\0" * size)
    monkeypatch.setenv("CRANFIELD_MEMORY", "50000000")
    with pytest.raises(InputError, match=r"what the file declares would take 1\.2 GB"):
        read_scores(tmp_path / "AP.nc")


@pytest.mark.parametrize("length", [4, 8, 20, 60, 200])
def test_a_header_that_ends_early_is_named(tmp_path: Path, length: int) -> None:
    scores().assign_coords(topic=["q1", "q2"], system=["a", "b"]).to_netcdf(tmp_path / "AP.nc", engine="scipy")
    (tmp_path / "AP.nc").write_bytes((tmp_path / "AP.nc").read_bytes()[:length])
    with pytest.raises(InputError, match="is damaged, or no netCDF"):
        read_scores(tmp_path / "AP.nc")


def test_a_heap_of_texts_without_an_end_is_refused(tmp_path: Path) -> None:
    """HDF5 looks for it forever: free space of no bytes is followed by itself."""
    opened(tmp_path).close()
    data = (tmp_path / "AP.nc").read_bytes()
    heap = data.index(b"GCOL\x01")
    end = heap + int.from_bytes(data[heap + 8 : heap + 16], "little")
    free = next(at for at in range(heap, end, 8) if data[at : at + 16] == struct.pack("<QQ", 0, end - at))
    (tmp_path / "AP.nc").write_bytes(data[: free + 8] + bytes(8) + data[free + 16 :])
    with pytest.raises(InputError, match=r"is damaged, or no netCDF \(a heap of texts without an end\)"):
        read_scores(tmp_path / "AP.nc")
