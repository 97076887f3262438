"""How hard random tests look: usually a little, with ``make verify`` and ``make fuzz`` much more."""

from __future__ import annotations

from hypothesis import settings

THOROUGH = 25


def examples(usual: int) -> settings:
    """This many random examples; ``--hypothesis-profile=thorough`` takes many times more."""
    return settings(max_examples=usual * (THOROUGH if settings.get_current_profile_name() == "thorough" else 1))
