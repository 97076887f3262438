"""Preferences between lists beside a test of scores, as evidence that no measure has a part in."""

from __future__ import annotations

from dataclasses import replace

from cranfield.comparison.preference import ListPreferences
from cranfield.comparison.result import Comparison
from cranfield.errors import UsageError


def add_preferences(comparison: Comparison, preferences: ListPreferences) -> Comparison:
    """A comparison whose pairs also say whose lists are preferred.

    Args:
        comparison: of pairs of systems.
        preferences: between the lists of the same systems; their p-values are of sign tests, with their own correction.

    Returns:
        The comparison with two more columns of ``pairs``: ``preference``, above 0 where the system's lists are
        preferred to the other's, and ``p_preference``, of its sign test, corrected.

    Raises:
        UsageError: a pair was compared that the preferences have not.
    """
    known = {}
    for row in preferences.pairs.to_dict("records"):
        known[row["system"], row["other"]] = (row["preference"], row["p_adjusted"])
        # 0 - x, as -x makes a zero negative.
        known[row["other"], row["system"]] = (0.0 - row["preference"], row["p_adjusted"])
    named = list(zip(comparison.pairs["system"], comparison.pairs["other"], strict=True))
    lost = [pair for pair in named if pair not in known]
    if lost:
        raise UsageError(f"the preferences do not compare {lost[0][0]!r} with {lost[0][1]!r}: take the same systems")
    added = {
        "preference": [known[pair][0] for pair in named],
        "p_preference": [known[pair][1] for pair in named],
    }
    settings = comparison.settings | {"preferences": preferences.settings}
    signed = comparison.signature["settings"] | {"preferences": preferences.settings}
    return replace(
        comparison,
        pairs=comparison.pairs.assign(**added),
        settings=settings,
        signature=comparison.signature | {"settings": signed, "preferences": preferences.signature},
    )
