"""Files that hold no lines: what they are, by their first bytes, and what to do with them instead."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

from cranfield.errors import EngineError

if TYPE_CHECKING:
    from cranfield.engine.protocol import Source

FRAME = "; read it with {} and give the data frame to cranfield.evaluate in Python"
HDF5 = (
    "a netCDF or HDF5 file, not lines of text; if it holds scores of `cranfield evaluate`, give it to a command that "
    "takes --scores, or to xarray.load_dataset"
)
SIGNATURES = {
    rb"PAR1[\x00-\x1f]": "a Parquet file, not lines of text; read it with input_format=parquet",
    rb"\x04\x22\x4d\x18": "a frame of LZ4, which is read where it holds JSON or a table; unpack it with `lz4 -d`",
    rb"ARROW1\0\0": "an Arrow file, not lines of text" + FRAME.format("pandas.read_feather"),
    rb"\x93NUMPY": "an array of NumPy (.npy), not lines of text; ids are needed too: give cranfield.evaluate a dict "
    "(topic -> document -> number) or a data frame in Python",
    rb"\x89HDF\r\n\x1a\n": HDF5,
    rb"CDF[\x01\x02\x05]": HDF5,
    rb"SQLite format 3\0": "an SQLite database, not lines of text" + FRAME.format("pandas.read_sql"),
    rb"\x80[\x02-\x05]": "a pickle of Python, not lines of text; load it if you trust who made it, and give "
    "cranfield.evaluate the dict or the data frame",
    rb"%PDF-\d\.\d\s": "a PDF document, not lines of text; name the file of the data themselves",
}
"""First bytes, as an expression -> what begins so. No text of lines is refused before it is wrong in a line."""
WORKBOOK = "a workbook of Excel, not lines of text" + FRAME.format("pandas.read_excel")
ARCHIVE = "a {} archive; unpack it and name the files in it"
ARRAYS = "an archive of NumPy's arrays (.npz), not lines of text; ids are needed too: give cranfield.evaluate a dict"


def kind_of(source: Source, max_unpacked: int) -> str:
    """What a file is that holds no lines, packed or not, and what to do instead; nothing where that is not known."""
    from cranfield.engine.reference.decompression import packing_of, text_of

    head = _head(source)
    packing = packing_of(head)
    if packing is not None:
        try:
            source = text_of(source, max_unpacked)
        except (EngineError, MemoryError):
            return ""
        head = source[:512]
    if head.startswith(b"PK\x03\x04"):
        return _zipped(source)
    if head[257:262] == b"ustar":
        return ARCHIVE.format("tar")
    return next((what for magic, what in SIGNATURES.items() if re.match(magic, head)), "")


def _head(source: Source) -> bytes:
    if isinstance(source, bytes):
        return source[:512]
    with open(source, "rb") as stream:  # noqa: PTH123  (any name is answered)
        return stream.read(512)


def _zipped(source: Source) -> str:
    """What an archive of zip is by the names in it: workbooks and arrays of NumPy are such archives."""
    import zipfile

    try:
        with zipfile.ZipFile(io.BytesIO(source) if isinstance(source, bytes) else source) as archive:
            names = archive.namelist()
    except (OSError, ValueError, zipfile.BadZipFile):
        names = []
    if "xl/workbook.xml" in names:
        return WORKBOOK
    return ARRAYS if names and all(name.endswith(".npy") for name in names) else ARCHIVE.format("zip")
