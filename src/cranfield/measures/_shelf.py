"""Declarations by name, from files that are imported when one of their names is first used.

A hundred measures take longer to declare than a run to score, and a call asks for six. Which file declares a name
stands in a generated table (``_files``); where that lacks a name, all files are imported, so a file that is
added is found like the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Any, ClassVar, TypeVar

from cranfield.measures._files import DECLARED
from cranfield.measures._plugins import fetch_plugins

PACKAGE = "cranfield.measures"
Value = TypeVar("Value")


class Shelf(Mapping[str, Value]):
    """Names and what each stands for: looking one up imports its file, iterating imports every file.

    A name that none of our files declares is looked for in other packages (``_plugins``).

    All come in alphabetical order. ``stock`` holds what files that are imported already have declared: to put names in,
    and to ask without importing.
    """

    shelves: ClassVar[list[Shelf[Any]]] = []

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
    return any(name in shelf.stock for shelf in Shelf.shelves)


@cache
def fetch_all() -> None:
    """Import every file of measures in this package."""
    import pkgutil

    for module in pkgutil.walk_packages(import_module(PACKAGE).__path__, f"{PACKAGE}."):
        if "._" not in module.name:
            import_module(module.name)
