"""Reading a file in its format, which is detected by content where none is named.

The header of ir_metadata, YAML behind ``#`` between two markers, stands at the head of a run. Engines skip it as they
skip every comment. It is stored as it is written, so that a signature does not depend on what is installed; PyYAML,
where it is installed, says whether it is well formed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from cranfield._optional import import_optional, is_installed
from cranfield._text import cut, shown
from cranfield.collection.column_names import select_columns
from cranfield.collection.input_formats import AUTO, InputFormat
from cranfield.collection.policy import OnDuplicate
from cranfield.collection.word_labels import WordLabels
from cranfield.errors import EngineError, InputError
from cranfield.findings.finding import notice
from cranfield.findings.location import Location
from cranfield.io.formats import all_formats, format_called
from cranfield.io.formats._format import NUMBER, File
from cranfield.io.source import FileKind, max_unpacked, read, read_head, refuse_large_text, whole_text
from cranfield.io.system_names import split_part, stem

if TYPE_CHECKING:
    from cranfield.engine.protocol import Facts, InputSource, JudgedFile, QrelsColumns, RunColumns
    from cranfield.io.formats._format import Format

    Split = TypeVar("Split", RunColumns, JudgedFile, QrelsColumns)

LZ4 = b"\x04\x22\x4d\x18"
STEP = 1 << 20
"""Bytes that are unpacked at a time."""
EARLY = 64
"""A file of another format is refused by an engine in its first line; no line has more comments than this before it."""


def load(
    path: str,
    kind: FileKind,
    split: Callable[[InputSource, str], Split],
    *,
    input_format: InputFormat = AUTO,
    columns: Mapping[str, str] | None = None,
    name: str | None = None,
    on_duplicate: OnDuplicate = "error",
    labels: WordLabels = None,
    several: bool = False,
) -> Split | tuple[Any, Facts]:
    """The columns that an engine splits from lines, or the object that the reader of another format makes of a file.

    A file of lines is opened once, by the engine, and nothing looks at it before; only what the engine refuses is
    looked at again.

    Args:
        path: of the file, and perhaps ``#`` with a part of it.
        kind: what it is read as.
        split: has an engine read a source in a layout.
        input_format: of the file; detected by content where this format has nothing of the kind.
        columns: role -> column, of tables whose columns are called otherwise than usual.
        name: of the system or the judgments; the file's where None.
        on_duplicate: what to do about a document twice in a topic of a run.
        labels: the numbers of labels in words.
        several: whether runs that a column of systems separates are read, by their names, in the place of one run.

    Raises:
        InputError: the file is not there, cannot be read, or is not in its format.
    """
    file_path, part = split_part(path)
    declared = None if input_format == AUTO else format_called(input_format)
    if declared is not None and declared.reader(kind) is None and kind not in declared.layout:
        declared = None
    layout = "trec" if declared is None else declared.layout.get(kind)

    roles = select_columns(columns, NUMBER[kind])
    opened = partial(_open, path, kind, part, name or stem(path), roles, on_duplicate, labels, several)

    def split_or_read(source: InputSource) -> Split | tuple[Any, Facts]:
        if layout is None or part:
            return _read(declared, opened(source))
        try:
            columns_read = split(source, layout)
            if kind == "run":
                note_header(columns_read["facts"], source, max_unpacked())
            return columns_read
        except EngineError as error:
            if declared is not None or not 0 < error.line <= EARLY:
                raise
            file = opened(source)
            detected = _detect(file)
            if detected is None:
                from cranfield.io.formats._tables import refuse_unknown_table

                refuse_unknown_table(file)
                raise
            return _read(detected, file)

    return read(file_path, kind, layout or "trec", split_or_read)


def _open(
    path: str,
    kind: FileKind,
    part: str,
    name: str,
    columns: Mapping[str, str],
    on_duplicate: OnDuplicate,
    labels: WordLabels,
    several: bool,
    source: InputSource,
) -> File:
    """A file for the reader of a format."""
    location = Location(path)
    text, digest, packed = whole_text(source, location)
    return File(
        location=location,
        name=name,
        kind=kind,
        text=_unpack_frames(text, location, packed),
        sha256=digest,
        packed=packed,
        columns=columns,
        part=part,
        on_duplicate=on_duplicate,
        labels=labels,
        several=several,
    )


def _read(form: Format | None, file: File) -> tuple[Any, Facts]:
    """The content of a file in a format, which is detected where it is None."""
    form = form or _detect(file)
    reader = None if form is None else form.reader(file.kind)
    if reader is None or form is None or (file.part and not form.parts):
        text = f"is not a file with parts, of which #{shown(file.part)} could be one; leave that out"
        raise InputError(text, file.location, code="part", value=cut(file.part))
    return reader(file)


def _detect(file: File) -> Format | None:
    """The format that a file has by its content; None where it may be lines for the engine."""
    forms = sorted(all_formats().values(), key=lambda form: form.last)
    return next((form for form in forms if form.is_here(file)), None)


def _unpack_frames(text: bytes, location: Location, packed: int) -> bytes:
    """A file that is frames of LZ4, unpacked; others as they are. Of ranx, a frame holds another one."""
    from cranfield.reference_engine.decompression import unpacked_limit

    limit = unpacked_limit(packed, max_unpacked())
    for _ in range(2):
        if text.startswith(LZ4):
            text = _unpack_lz4(text, location, packed, limit)
    return text


def _unpack_lz4(text: bytes, location: Location, packed: int, limit: int) -> bytes:
    lz4_frame = import_optional("lz4.frame", location=location)
    unpacked, remaining = bytearray(), text
    while remaining:
        frame = lz4_frame.LZ4FrameDecompressor()
        while not frame.eof:
            try:
                part = frame.decompress(remaining, STEP)
            except RuntimeError:
                raise EngineError("damaged", more="lz4") from None
            if not part and frame.needs_input:
                raise EngineError("truncated", more="lz4")
            unpacked += part
            if len(unpacked) > limit:
                raise EngineError("bomb", number=limit, more="lz4")
            refuse_large_text(len(unpacked), location, packed)
            remaining = b""
        remaining = frame.unused_data or b""
    return bytes(unpacked)


START, END = "# ir_metadata.start", "# ir_metadata.end"
LARGEST = 1 << 16
"""Bytes of a header; a longer one has no end."""


def note_header(facts: Facts, source: InputSource, max_unpacked: int) -> None:
    """Note the header of a run, where it has one, and what is wrong with it.

    Args:
        facts: of the engine that read the run; where it skipped no line there is no header.
        source: of the run.
        max_unpacked: largest size of it, unpacked.
    """
    if not facts.get("skipped"):
        return
    lines = [line.rstrip() for line in _head(source, max_unpacked).split("\n")]
    first = next((number for number, line in enumerate(lines) if line), 0)
    if lines[first] != START:
        return
    comments = next((at for at, line in enumerate(lines) if at > first and not line.startswith("#")), len(lines))
    if END not in lines[first:comments]:
        notice(facts, "metadata", line=first + 1, reason=f"the line {END!r} is missing at the end of the comments")
        return
    text = "\n".join(line.removeprefix("#").removeprefix(" ") for line in lines[first + 1 : lines.index(END)])
    facts["metadata"] = text
    wrong = _wrong(text)
    if wrong is not None:
        notice(facts, "metadata", line=first + 2 + wrong[0], reason=wrong[1])


def _head(source: InputSource, max_unpacked: int) -> str:
    from cranfield.reference_engine.decompression import detect_packing, unpack_text

    head = read_head(source, LARGEST)
    if detect_packing(head) is not None:
        head = unpack_text(source, max_unpacked)
    return head[:LARGEST].removeprefix(b"\xef\xbb\xbf").decode(errors="replace")


def _wrong(text: str) -> tuple[int, str] | None:
    """The line, from 0, and the fault of a text that is not YAML; None where no fault is known."""
    if not is_installed("yaml"):
        return None
    yaml = import_optional("yaml")
    try:
        held: Any = yaml.safe_load(text)
    except Exception as error:  # PyYAML lets pass whatever a value's type raises, such as KeyError of !!bool x
        mark = getattr(error, "problem_mark", None)
        return (mark.line if mark is not None else 0), str(
            getattr(error, "problem", None) or f"{type(error).__name__}: {error}"
        )
    if not isinstance(held, dict):
        return 0, "it is not a mapping of keys such as platform and research goal"
    return None
