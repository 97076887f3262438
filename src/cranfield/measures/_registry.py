"""Declarations by name, from files that are imported when one of their names is first used.

A hundred measures take longer to declare than a run to score, and a call names six. A generated table
(``_registry_index``) says which file declares a name; if the name is not in it, all files are imported, so that a file
that was added is found like the others. Then come the measures of other installed packages, under the entry point group
``cranfield.measures``: a call that names ours never waits for them.
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
"""Prefix of our modules, and the entry point group of other packages."""
Declared = TypeVar("Declared")
_lock = RLock()
_tried: set[tuple[str, str]] = set()
"""Entry points that were imported or left out, by name and value."""
_searched: list[tuple[str, int]] = []
"""Folders, and when each was changed last, at the last search."""


class Registry(Mapping[str, Declared]):
    """Names and their declarations: looking a name up imports its file, iterating imports every file.

    A name that none of our files declares is looked for in other packages. Iteration is alphabetical. ``loaded`` holds
    what the files imported so far have declared: new names go there, and reading it imports nothing.
    """

    instances: ClassVar[list[Registry[Any]]] = []

    def __init__(self) -> None:
        self.loaded: dict[str, Declared] = {}
        self.instances.append(self)

    def __getitem__(self, name: str) -> Declared:
        _fetch(name)
        return self.loaded[name]

    def __iter__(self) -> Iterator[str]:
        _fetch_everything()
        return iter(sorted(self.loaded, key=lambda name: (name.lower(), name)))

    def __len__(self) -> int:
        _fetch_everything()
        return len(self.loaded)


def _fetch(name: str) -> None:
    """Import the file that declares a name; no name has two owners, so one in any registry needs no more files."""
    if file := _find_file(name):
        import_module(f"{PACKAGE}.{file}")  # where it is loaded too: another thread may be in the middle of it
    if _is_loaded(name):
        return
    fetch_all()
    if not _is_loaded(name):
        fetch_plugins()


@cache
def _find_file(name: str) -> str:
    """Find the file of ours that declares a name; empty where none does."""
    return next((file for file, names in DECLARED.items() if name in names), "")


def _fetch_everything() -> None:
    fetch_all()
    fetch_plugins()


def _is_loaded(name: str) -> bool:
    return any(name in registry.loaded for registry in Registry.instances)


@cache
def fetch_all() -> None:
    """Import every file of measures in this package."""
    import pkgutil

    for module in pkgutil.walk_packages(import_module(PACKAGE).__path__, f"{PACKAGE}."):
        if "._" not in module.name:
            import_module(module.name)


def fetch_plugins() -> None:
    """Import every entry point of the group once; what is broken is left out with a warning that names its package."""
    with _lock:
        folders = [(folder, _changed(folder)) for folder in sys.path]
        if folders == _searched:
            return
        from importlib.metadata import entry_points

        _searched[:] = folders
        for point in sorted(entry_points(group=PACKAGE), key=lambda point: (_package(point), point.name)):
            key = point.name, point.value
            if key not in _tried:
                _tried.add(key)
                _load_plugin(point)


def _load_plugin(point: EntryPoint) -> None:
    try:
        point.load()
    except (Exception, SystemExit) as error:  # a broken package must not stop ours
        message = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        warn(
            f"measures of the package {shown(_package(point))} ({shown(point.value)}) are left out, as importing them "
            f"failed: {shown(message, 300)}"
        )


def _changed(folder: str) -> int:
    """Return the time of the last installation in a folder; -1 where there is no folder."""
    try:
        return os.stat(folder).st_mtime_ns  # noqa: PTH116
    except OSError:
        return -1


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else point.value
