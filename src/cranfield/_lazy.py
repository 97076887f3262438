"""Public names of packages: resolved when they are first used, so that no module is imported before it is needed.

Old names still work for two minor releases and warn; the table says what they are called now, and since when.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, NamedTuple


def exported(package: str, names: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` of a package whose public names are imported when they are first used.

    Args:
        package: its ``__name__``.
        names: public name -> the module that defines it, relative to the package (``.x.y`` is beside the package).
    """

    def get(name: str) -> Any:
        if name not in names:
            if f"{package}.{name}" in FORMER:
                return resolve(f"{package}.{name}")
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f".{names[name]}", package), name)
        setattr(import_module(package), name, value)
        return value

    return get, lambda: sorted(names)


KEPT = 2
"""Minor releases in which an old name works, counted from the one that first warns."""


class Former(NamedTuple):
    """The current name for an old one, and the version since which it is old."""

    new: str
    """The name to write now, with its module: ``cranfield.trust.select_topics``."""
    since: str
    """The release that first warns, as ``"0.2"``."""

    @property
    def removed_in(self) -> str:
        """The first release without the old name."""
        major, minor = (int(part) for part in self.since.split("."))
        return f"{major}.{minor + KEPT}"


FORMER: dict[str, Former] = {}
"""Old name with its module -> what it stands for. A test fails when the release has come that has to remove one."""


def warn(old: str, former: Former, *, stacklevel: int = 2) -> None:
    """Warn the caller that a name, or a parameter, is on its way out.

    Args:
        old: what the caller wrote.
        former: what to write instead, and since when.
        stacklevel: as for `warnings.warn`, seen from here.
    """
    import warnings

    text = f"{old} is deprecated since cranfield {former.since} and removed in {former.removed_in}: write {former.new}"
    warnings.warn(text, DeprecationWarning, stacklevel=stacklevel + 1)


def resolve(old: str) -> Any:
    """The object behind an old name, with a warning; called by the ``__getattr__`` of a package.

    Args:
        old: name with its module.

    Raises:
        KeyError: there never was such a name, or it is gone.
    """
    former = FORMER[old]
    warn(old, former, stacklevel=3)
    module, _, name = former.new.rpartition(".")
    return getattr(import_module(module), name)
