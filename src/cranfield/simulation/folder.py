"""The folder of a simulated collection: only files that an earlier simulation wrote are replaced."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from cranfield._text import in_full
from cranfield.errors import InputError
from cranfield.io.atomic_write import together

CHECKSUMS = "simulated.sha256"
"""What a simulation wrote, as ``sha256sum`` writes it: content that still has its checksum is ours to replace."""
LINE = re.compile(r"([0-9a-f]{64})  (qrels\.txt|truth\.tsv|runs/[^/]+\.run)")
"""A checksum, and one of the names that a simulation gives: no line leads out of the folder."""


def replace_simulated(folder: Path, files: Iterable[tuple[Path, Sequence[bytes]]]) -> None:
    """Write a collection's files, all or none, and remove leftover runs of an earlier simulation.

    Args:
        folder: that holds them.
        files: paths below it and their text, in blocks.

    Raises:
        InputError: a file cannot be written, or is there already and neither of this content nor of an earlier
            simulation.
    """
    sums = folder / CHECKSUMS
    earlier = _sums(sums)
    if _is_there(sums) and not earlier:
        raise _foreign(sums)
    new: dict[str, str] = {}
    with together() as add:
        for path, blocks in files:
            data, name = b"".join(blocks), path.relative_to(folder).as_posix()
            new[name] = hashlib.sha256(data).hexdigest()
            if _is_there(path) and _sum(path) not in (earlier.get(name), new[name]):
                raise _foreign(path)
            add(path, data)
        add(sums, "".join(f"{digest}  {name}\n" for name, digest in new.items()).encode("utf-8", "surrogateescape"))
    # Left there, they would be scored with the new ones.
    for name in earlier.keys() - new.keys():
        if _sum(folder / name) == earlier[name]:
            (folder / name).unlink(missing_ok=True)


def _is_there(path: Path) -> bool:
    return os.path.exists(path)  # noqa: PTH110  (unlike Path, it answers for any folder)


def _foreign(path: Path) -> InputError:
    return InputError(
        f"{in_full(str(path))}: exists already and was not written by an earlier simulation: "
        "remove it, or name another folder"
    )


def _sums(path: Path) -> dict[str, str]:
    """Name -> checksum; nothing where the file is missing, or is not one that a simulation wrote."""
    with contextlib.suppress(OSError):
        lines = path.read_bytes().decode("utf-8", "surrogateescape").removesuffix("\n").split("\n")
        matches = [LINE.fullmatch(line) for line in lines]
        return {match[2]: match[1] for match in matches if match} if all(matches) else {}
    return {}


def _sum(path: Path) -> str:
    """Of a file's content; of what is no file, or cannot be read, none that a simulation wrote."""
    with contextlib.suppress(OSError):
        if path.is_file():
            with path.open("rb") as stream:
                return hashlib.file_digest(stream, "sha256").hexdigest()
    return ""
