"""What tasks of a cluster are called, in its dashboard and in errors."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from cranfield.wording import shown


def name_of(args: tuple[Any, ...]) -> str:
    """What a task is about, as far as it says."""
    first = args[0] if args else ""
    return shown(str(getattr(first, "name", None) or getattr(first, "place", None) or "a task"), 200)


def kind_of(function: Callable[..., Any]) -> str:
    """What a dashboard calls tasks of this function, in small letters and hyphens: what it says that it ``does``.

    A dashboard shows the first dozen letters, so that these come before the name of the package.
    """
    inner = getattr(function, "func", function)  # of a partial
    inner = getattr(inner, "task", inner)  # of what tries it again
    does = getattr(inner, "does", None) or getattr(inner, "__name__", type(inner).__name__)
    name = str(does).strip("_<>").replace(" ", "-")
    return re.sub(r"(?<=[a-z])(?=[A-Z])|_+", "-", name).lower()
