"""Reading the bytes of a named file, with every failure worded for the user.

A file that holds no lines is recognised by its first bytes, and the message says what to do instead.
"""

from __future__ import annotations

import errno
import io
import os
import re
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal

from cranfield._message import name_value, setting
from cranfield._text import quoted, shown, warn
from cranfield._typing import Returned
from cranfield._validation import word
from cranfield.collection.input_formats import input_formats
from cranfield.errors import (
    TRACEBACK,
    CranfieldError,
    EngineError,
    InputError,
    UsageError,
    print_traceback,
)
from cranfield.findings.declaration import others
from cranfield.findings.location import STDIN, Location
from cranfield.io.error_messages import folder_named, missing_file, no_lines, refusal
from cranfield.memory import bytes_from_environment, require

if TYPE_CHECKING:
    from cranfield.engine.protocol import InputSource


BYTES_IN_MEMORY = 56
"""The bytes, about, that a byte of text takes as objects of Python."""
USUAL_RATIO = 16
"""The ratio of compression up to which the size of a text is not compared with the budget."""
FileKind = Literal["run", "qrels"]

COMMENT = "#"
"""Begins the comments of text files."""
DESCRIPTOR = re.compile(r"/dev/stdin|/dev/fd/\d+|/proc/(self|\d+)/fd/\d+")
"""The names that shells give to what they opened for a call."""
FILE_KINDS: dict[Callable[[int], bool], str] = {
    stat.S_ISFIFO: "a named pipe",
    stat.S_ISCHR: "a device",
    stat.S_ISBLK: "a device",
    stat.S_ISSOCK: "a socket",
}


def check_format(input_format: str) -> None:
    """Raises: UsageError: an input format that does not exist."""
    word("input_format", input_format, input_formats())


def max_unpacked() -> int:
    """Largest size of an unpacked file; 0 for the engine's own limit.

    Raises:
        UsageError: ``CRANFIELD_MAX_UNPACKED`` is not a whole number above 0.
    """
    return bytes_from_environment("CRANFIELD_MAX_UNPACKED") or 0


def refuse_large_text(size: int, location: Location, packed: int) -> None:
    """Refuse a compressed text that is read as a whole, into objects, where these would not fit into memory.

    Args:
        size: of the text, unpacked.
        location: of the file.
        packed: its size.

    Raises:
        InputError: the objects could take more than the budget.
    """
    if size > USUAL_RATIO * packed:
        require(BYTES_IN_MEMORY * size, "what the file unpacks to", "give it in parts, or unpacked", location=location)


def read_whole(path: str, kind: FileKind) -> tuple[bytes, str]:
    """All bytes of a file, unpacked, and the SHA-256 of the bytes as they were read.

    Raises:
        InputError: the file is not there, cannot be read, or unpacks to more than fits into memory.
    """
    return read(path, kind, "trec", lambda source: whole_text(source, Location(path))[:2])


def whole_text(source: InputSource, location: Location) -> tuple[bytes, str, int]:
    """The unpacked bytes of a source, the SHA-256 of the packed ones, and how many those are.

    Raises:
        EngineError: the source is damaged.
        InputError: it unpacks to more than fits into memory.
    """
    from cranfield.reference_engine.decompression import unpack_signed_text

    packed = len(source) if isinstance(source, bytes) else file_size(source)
    text, digest = unpack_signed_text(source, max_unpacked())
    refuse_large_text(len(text), location, packed)
    return text, digest, packed


def read(path: str, kind: FileKind, layout: str, work: Callable[[InputSource], Returned]) -> Returned:
    """Do ``work`` on a source, with every failure worded for the user.

    Raises:
        InputError: the file is not there, cannot be read, or is not in its format; or the memory it takes is refused;
            or an engine or a library failed at it.
    """
    location = Location(path)
    if path == STDIN and sys.stdin is None:
        raise InputError("is closed: nothing can be read from it", location, code="unreadable")
    source: InputSource = path
    try:
        source = _source(path)
        return work(source)
    except EngineError as error:
        if error.code == "panic":
            raise internal_error(f"the engine failed: {error.more}", location, error) from error
        if error.line and (description := detect_kind(source, max_unpacked())):
            raise no_lines(location, description) from None
        raise refusal(error, location, kind, layout) from None
    except MemoryError:
        raise refusal(EngineError("memory"), location, kind, layout) from None
    except FileNotFoundError:
        raise missing_file(location) from None
    except (IsADirectoryError, PermissionError, OSError, ValueError) as error:
        if isinstance(error, CranfieldError):
            raise
        if os.path.isdir(path):  # noqa: PTH112  (unlike Path, it answers for any name)
            raise folder_named(location) from None
        if getattr(error, "errno", None) == errno.ENOMEM:
            raise refusal(EngineError("memory", number=file_size(path)), location, kind, layout) from None
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot be read: {reason}", location, code="unreadable") from None
    except CranfieldError:
        raise
    except Exception as error:
        raise internal_error(f"cannot be read: {type(error).__name__}: {error}", location, error) from error


def internal_error(text: str, location: Location, error: Exception) -> InputError:
    """Word an error that the file did not cause, and that still refuses this file alone: others may be read."""
    where = "the traceback above" if print_traceback(error) else f"what {TRACEBACK}=1 in the environment prints"
    text = (
        f"{shown(text, 200)}; this is a fault of cranfield, or of a library: please report it with the file, "
        f"`cranfield --version` and {where}"
    )
    return InputError(text, location, code="fault")


def file_size(path: str) -> int:
    """The size of a file in bytes; 0 where it is not known."""
    try:
        return os.stat(path).st_size  # noqa: PTH116
    except (OSError, ValueError):
        return 0


def _source(path: str) -> InputSource:
    """The path of a file, or the bytes of anything else, for an engine.

    A pipe may keep its reader waiting for ever. Python goes on with a signal that comes meanwhile; an engine would not.
    """
    if path == STDIN:
        return sys.stdin.buffer.read()
    check_regular(path)
    kind = os.stat(path).st_mode  # noqa: PTH116  (unlike Path, it answers for any name)
    if stat.S_ISREG(kind) or stat.S_ISDIR(kind):
        return path
    with open(path, "rb") as stream:  # noqa: PTH123
        return stream.read()


def check_regular(path: str) -> None:
    """Refuse what may keep its reader waiting for ever, or never end.

    What a call itself opened may be a pipe: standard input, and what a shell substitutes for a process.

    Raises:
        InputError: it is a pipe, a device or a socket that has a name.
        OSError: it is not there.
    """
    kind = os.stat(path).st_mode  # noqa: PTH116  (unlike Path, it answers for any name)
    if stat.S_ISREG(kind) or stat.S_ISDIR(kind) or DESCRIPTOR.fullmatch(path):
        return
    what = next((name for is_kind, name in FILE_KINDS.items() if is_kind(kind)), "no regular file")
    text = f"is {what}, and files are read from disk alone: write what it holds to a file, or to standard input (-)"
    raise InputError(text, Location(path), code="unreadable")


def as_text(path: Any) -> str:
    """A path as text.

    Raises:
        InputError: it holds a NUL byte, or half of a character, which no path does.
        UsageError: it is not a path.
    """
    try:
        text = os.fsdecode(os.fspath(path))
    except TypeError:
        raise UsageError(f"{name_value(path)} is not a path") from None
    try:
        held = os.fsencode(text)
    except UnicodeEncodeError:
        raise InputError("is not a path: it holds half of a character", Location(text), code="missing-file") from None
    if b"\0" in held:
        raise InputError("is not a path: it holds a NUL byte", Location(text), code="missing-file")
    return text


def read_lines(path: str) -> list[str]:
    """The lines of a text file that hold anything, without blanks at either end; compressed or not.

    Raises:
        InputError: the file cannot be read, or is not UTF-8 text.
    """
    return [text for _, text in _numbered(path)]


def read_numbered(path: str, is_row: Callable[[str], bool]) -> Iterator[tuple[int, str]]:
    """The lines of a file with their numbers from 1, without comments (``#``); see ``warn_of_comments``.

    Raises:
        InputError: the file cannot be read, or is not UTF-8 text.
    """
    lines = list(_numbered(path))
    comments = [(number, text) for number, text in lines if text.startswith(COMMENT)]
    warn_of_comments(Location(path), [(number, text) for number, text in comments if is_row(text)])
    return ((number, text) for number, text in lines if not text.startswith(COMMENT))


def warn_of_comments(file: Location, rows: Sequence[tuple[int, str]]) -> None:
    """Warn of comments that are rows but for their first letter: an id may begin with it.

    Args:
        file: that holds them.
        rows: number and text of each; where a blank or a comma follows the ``#``, there is nothing to warn of.
    """
    rows = [(number, text) for number, text in rows if text[1:2] not in " \t,"]
    if rows:
        number, text = rows[0]
        warn(
            f"{file.at(number)}: the line is skipped as a comment, but has the fields of a row: "
            f"{quoted(text)}{others(len(rows))}; a row cannot begin with {COMMENT}"
        )


def decode_lines(data: bytes, location: Location) -> str:
    """The text of a file, without a byte order mark.

    Raises:
        FormatError: it holds no lines of text, as a workbook does, or a line is not UTF-8.
    """
    if what := detect_kind(data, max_unpacked()):
        raise no_lines(location, what)
    from cranfield.reference_engine.decompression import refuse_wide

    try:
        refuse_wide(data)
        return data.decode("utf-8-sig")
    except EngineError as error:
        raise refusal(error, location, "run", "") from None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise refusal(EngineError("utf8", line), location, "run", "") from None


def read_text(path: str) -> str:
    """All text of a file without a byte order mark; compressed or not.

    Raises:
        InputError: the file cannot be read, or is not UTF-8 text.
    """
    return decode_lines(read_whole(path, "run")[0], Location(path))


def _numbered(path: str) -> Iterator[tuple[int, str]]:
    lines = read_text(path).split("\n")
    return ((number, text) for number, line in enumerate(lines, 1) if (text := line.strip(" \t\r")))


FRAME = "; read it with {} and give the data frame to cranfield.evaluate in Python"
HDF5 = (
    "a netCDF or HDF5 file, not lines of text; if it holds scores of `cranfield evaluate`, give it to a command that "
    "takes --scores, or to xarray.load_dataset"
)
SIGNATURES = {
    rb"PAR1[\x00-\x1f]": f"a Parquet file, not lines of text; read it with {setting('input_format=parquet')}",
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
WORKBOOK = (
    "a workbook of {}, not lines of text; save its sheet as CSV, or give the data frame of pandas.read_excel in Python"
)
ARCHIVE = "a {} archive; unpack it and name the files in it"
ARRAYS = "an archive of NumPy's arrays (.npz), not lines of text; ids are needed too: give cranfield.evaluate a dict"


def detect_kind(source: InputSource, max_unpacked: int) -> str:
    """The kind of a file that holds no lines, packed or not, and what to do instead; empty where it is not known."""
    from cranfield.reference_engine.decompression import detect_packing, unpack_text

    head = read_head(source, 512)
    packing = detect_packing(head)
    if packing is not None:
        try:
            source = unpack_text(source, max_unpacked)
        except (EngineError, MemoryError):
            return ""
        head = source[:512]
    if head.startswith(b"PK\x03\x04"):
        return _zipped(source)
    if head[257:262] == b"ustar":
        return ARCHIVE.format("tar")
    return next((what for magic, what in SIGNATURES.items() if re.match(magic, head)), "")


def read_head(source: InputSource, size: int) -> bytes:
    """The first bytes of a file, or of its content."""
    if isinstance(source, bytes):
        return source[:size]
    with open(source, "rb") as stream:  # noqa: PTH123  (any name is answered)
        return stream.read(size)


def _zipped(source: InputSource) -> str:
    """The kind of a zip archive by the names in it: workbooks and arrays of NumPy are such archives."""
    import zipfile

    try:
        with zipfile.ZipFile(io.BytesIO(source) if isinstance(source, bytes) else source) as archive:
            names = archive.namelist()
    except (OSError, ValueError, zipfile.BadZipFile):
        names = []
    if "xl/workbook.xml" in names:
        return WORKBOOK.format("Excel")
    if "content.xml" in names and "mimetype" in names:
        return WORKBOOK.format("OpenDocument")
    return ARRAYS if names and all(name.endswith(".npy") for name in names) else ARCHIVE.format("zip")
