"""Parts of files whose process was killed while it wrote them: how they are called, and how they are swept away."""

from __future__ import annotations

import contextlib
import functools
import os
import platform
import re
import time
from pathlib import Path

DAY = 86_400
"""Seconds after which nobody writes on."""

NAME = r"\.cranfield-([0-9a-f]{8})-([1-9][0-9]{0,8})-[0-9a-f]{8}\.(partial|folder)"
"""Where its process ran, the process, what distinguishes its files, and which kind they are."""


def partial_name() -> str:
    """A new name for a file that this process is about to write."""
    return f".cranfield-{_here()}-{os.getpid()}-{os.urandom(4).hex()}.partial"


def partial_folder_name() -> str:
    """The same for a folder that this process is about to fill."""
    return partial_name().removesuffix("partial") + "folder"


@functools.lru_cache(maxsize=1024)
def sweep(folder: Path) -> None:
    """Remove what killed processes left in a folder; once for each folder, which may hold many files.

    Only files that ``partial_name`` named go, and folders that ``partial_folder_name`` did, and of these only those
    whose process is gone; where it ran on another machine, in another container or before the machine was started
    anew, those of yesterday.
    """
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            parts = re.fullmatch(NAME, entry.name)
            if parts and _is_of_kind(entry, parts[3]) and _is_left(entry, parts[1], int(parts[2])):
                import shutil  # here, as a short call finds nothing to remove

                with contextlib.suppress(OSError):
                    shutil.rmtree(entry.path) if parts[3] == "folder" else Path(entry.path).unlink()


def _is_of_kind(entry: os.DirEntry[str], kind: str) -> bool:
    return entry.is_dir(follow_symlinks=False) if kind == "folder" else entry.is_file(follow_symlinks=False)


def _is_left(entry: os.DirEntry[str], home: str, process: int) -> bool:
    if home == _here():
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return True
        except OSError:
            pass  # it is somebody else's, and lives
    return time.time() - entry.stat(follow_symlinks=False).st_mtime > DAY


@functools.cache
def _here() -> str:
    """What distinguishes the processes that share our numbers of processes: machine, its start, and container."""
    import hashlib

    facts = [platform.node()]
    with contextlib.suppress(OSError):
        facts.append(Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii"))
    with contextlib.suppress(OSError):
        facts.append(str(Path("/proc/self/ns/pid").readlink()))
    return hashlib.sha256("\n".join(facts).encode("utf-8", "surrogateescape")).hexdigest()[:8]
