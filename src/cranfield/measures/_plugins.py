"""Measures that other installed packages offer under the entry point group ``cranfield.measures``.

They are looked for only where a name is unknown, or all measures are listed: a call that names ours waits for none.
"""

from __future__ import annotations

import os
import sys
from threading import RLock
from typing import TYPE_CHECKING

from cranfield._text import shown, warn

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "cranfield.measures"

_lock = RLock()
_tried: set[tuple[str, str]] = set()
"""Entry points that were imported or left out, by name and value."""
_searched: list[tuple[str, int]] = []
"""Folder -> time of its last change, as they were searched last."""


def fetch_plugins() -> None:
    """Import every entry point of the group once; what is broken is left out with a warning that names its package."""
    with _lock:
        folders = [(folder, _changed(folder)) for folder in sys.path]
        if folders == _searched:
            return
        from importlib.metadata import entry_points

        _searched[:] = folders
        for point in sorted(entry_points(group=GROUP), key=lambda point: (_package(point), point.name)):
            known = point.name, point.value
            if known not in _tried:
                _tried.add(known)
                _load_plugin(point)


def _load_plugin(point: EntryPoint) -> None:
    try:
        point.load()
    except (Exception, SystemExit) as error:  # whatever a stranger's module does, ours go on
        said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        warn(
            f"measures of the package {shown(_package(point))} ({shown(point.value)}) are left out, as importing them "
            f"failed: {shown(said, 300)}"
        )


def _changed(folder: str) -> int:
    """When something was last installed there; -1 where there is no folder."""
    try:
        return os.stat(folder).st_mtime_ns  # noqa: PTH116
    except OSError:
        return -1


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else point.value
