"""Packages that only some formats need."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from cranfield.errors import InputError
from cranfield.findings.location import Place


@contextmanager
def needed(package: str, what: str, place: Place) -> Iterator[None]:
    """Import a package inside.

    Args:
        package: that may not be installed.
        what: it reads.
        place: the file.

    Raises:
        InputError: it is not installed.
    """
    try:
        yield
    except ModuleNotFoundError:
        text = f"{what} needs {package}, which is not installed: pip install 'cranfield[formats]'"
        raise InputError(text, place, code="package", value=package) from None
