"""The version of the installed package."""

from __future__ import annotations

import functools


@functools.cache
def package_version() -> str:
    """Version of the installed package."""
    from importlib.metadata import version

    return version("cranfield")
