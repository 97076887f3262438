"""The superuser may read and write everything: tests of what may not be read or written put that aside."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

NOBODY = 65534


@contextlib.contextmanager
def without_privileges() -> Iterator[None]:
    """As somebody else, where the tests run as the superuser. Nothing can be imported meanwhile that was not before."""
    superuser = os.geteuid() == 0
    if superuser:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if superuser:
            os.seteuid(0)
