"""How hard random tests look: usually a little, with ``make verify`` and ``make fuzz`` much more."""

from __future__ import annotations

from hypothesis import settings

TIMES = 25


def thorough() -> bool:
    """Whether ``--hypothesis-profile=thorough`` was asked for."""
    return settings.get_current_profile_name() == "thorough"


def examples(usual: int) -> settings:
    """This many random examples, or many times more."""
    return settings(max_examples=usual * (TIMES if thorough() else 1))
