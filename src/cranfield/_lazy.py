"""Public names of packages: a stub beside ``__init__.py`` states them, and each is imported when it is first used.

So no module is imported before it is needed, and a name stands once, where editors and type checkers look.
"""

from __future__ import annotations

import sys
from importlib import import_module

TYPE_CHECKING = False  # typing itself is not imported: that would take as long as all of `import cranfield`
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any


def attach_stub(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Make ``__getattr__``, ``__dir__`` and ``__all__`` of a package that has public names alone.

    Args:
        package: its ``__name__``.
    """
    names = read_stub(package)
    return attach(package, names), lambda: sorted(names), sorted(names)


def read_stub(package: str) -> dict[str, str]:
    """Read the public names of a package that is being imported: name -> the module that defines it.

    A line of the stub is ``from cranfield.trust.stability import Stability as Stability``; a module of the package
    is public as ``from cranfield import trust as trust``.

    Args:
        package: its ``__name__``.
    """
    spec: Any = sys.modules[package].__spec__
    text = spec.loader.get_data(spec.origin.rpartition(".")[0] + ".pyi").decode()  # from an archive too
    lines = [line.split() for line in text.partition("\nclass ")[0].splitlines() if line.startswith("from ")]
    return {line[3]: line[1] for line in lines if line[3:] == [line[3], "as", line[3]]}


def attach(package: str, names: Mapping[str, str]) -> Callable[[str], Any]:
    """Make ``__getattr__`` of a package.

    Args:
        package: its ``__name__``.
        names: public name -> the module that defines it, or the package itself where the name is that of a module.
    """

    def get(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        if names[name] == package:
            return import_module(f"{package}.{name}")
        value = getattr(import_module(names[name]), name)
        if callable(value):
            from cranfield._signatures import show_options

            show_options(value)
        setattr(sys.modules[package], name, value)
        return value

    return get
