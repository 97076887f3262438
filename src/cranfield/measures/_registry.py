"""Declarations by name, from files that are imported when one of their names is first used.

A hundred measures take longer to declare than a run to score, and a call asks for six. Which file declares a name
stands in a generated table (``_files``); where that lacks a name, all files are imported, so a file that is
added is found like the others.

Measures that other installed packages offer under the entry point group ``cranfield.measures``.

They are looked for only where a name is unknown, or all measures are listed: a call that names ours waits for none.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from threading import RLock
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from cranfield._text import shown, warn
from cranfield.measures._registry_index import DECLARED

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


PACKAGE = "cranfield.measures"
Value = TypeVar("Value")


class Registry(Mapping[str, Value]):
    """Names and what each stands for: looking one up imports its file, iterating imports every file.

    A name that none of our files declares is looked for in other packages (``_plugins``).

    All come in alphabetical order. ``stock`` holds what files that are imported already have declared: to put names in,
    and to ask without importing.
    """

    shelves: ClassVar[list[Registry[Any]]] = []

    def __init__(self) -> None:
        self.stock: dict[str, Value] = {}
        self.shelves.append(self)

    def __getitem__(self, name: str) -> Value:
        _fetch(name)
        return self.stock[name]

    def __iter__(self) -> Iterator[str]:
        _fetch_everything()
        return iter(sorted(self.stock, key=lambda name: (name.lower(), name)))

    def __len__(self) -> int:
        _fetch_everything()
        return len(self.stock)


def _fetch(name: str) -> None:
    """Import what declares a name; as no name has two owners, one that stands on any shelf needs no more files."""
    if _known(name):
        return
    for file, names in DECLARED.items():
        if name in names:
            import_module(f"{PACKAGE}.{file}")
            if _known(name):
                return
    fetch_all()
    if not _known(name):
        fetch_plugins()


def _fetch_everything() -> None:
    fetch_all()
    fetch_plugins()


def _known(name: str) -> bool:
    return any(name in shelf.stock for shelf in Registry.shelves)


@cache
def fetch_all() -> None:
    """Import every file of measures in this package."""
    import pkgutil

    for module in pkgutil.walk_packages(import_module(PACKAGE).__path__, f"{PACKAGE}."):
        if "._" not in module.name:
            import_module(module.name)


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
