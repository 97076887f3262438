"""How many random examples a test tries: the number written beside it, times the effort that is asked for.

``@settings(max_examples=...)`` would hold in every profile. ``make verify`` runs the profile ``thorough``, under which
every number is multiplied.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import settings

EFFORT = {"cranfield": 1, "thorough": 10}
"""Profile -> factor."""

USUAL = 100
"""Examples of a test that says nothing."""


def register(**common: Any) -> None:
    """Make the profiles known; ``common`` are settings of all."""
    for profile, factor in EFFORT.items():
        settings.register_profile(profile, max_examples=USUAL * factor, **common)


def effort() -> int:
    """How many times more examples are tried than usual."""
    return settings.default.max_examples // USUAL if settings.default is not None else 1


def thorough() -> bool:
    """Whether ``--hypothesis-profile=thorough`` was asked for."""
    return effort() > 1


def examples(number: int, **more: Any) -> Callable[[Any], Any]:
    """Try so many examples, times the effort; ``more`` are other settings of the test."""
    return settings(max_examples=number * effort(), **more)
