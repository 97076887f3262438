"""``--preference``: preferences between ranked lists beside their scores, for commands that read judgments and runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from cranfield.cli._declared_options import Choice
from cranfield.errors import UsageError

if TYPE_CHECKING:
    from cranfield.cli._scores_input import ScoresInput
    from cranfield.comparison.preference import ListPreferences
    from cranfield.comparison.result import Comparison

PREFERENCES = ("rpp", "invrpp", "dcgrpp", "lexirecall", "lexiprecision", "rrlexiprecision")
ORDERED = ("lexiprecision", "lexirecall")
"""Preferences that order all lists of a topic, so that scores can represent them."""


def make_preference_option(preferences: tuple[str, ...]) -> Callable[..., Any]:
    """``--preference``, of preferences that are analysed as measures are."""
    return click.option(
        "--preference",
        "preferences",
        type=Choice(preferences),
        multiple=True,
        metavar="NAME",
        help=f"Also analyse a preference, {' or '.join(preferences)}; repeat.",
    )


def compute_preferences(scores: ScoresInput, preference: Any, **options: Any) -> ListPreferences:
    """Compute preferences between the lists of the runs that were scored.

    Raises:
        UsageError: there are no runs, or the scores are those of a group of topics.
    """
    from cranfield.comparison.preference import prefer

    if scores.files:
        raise UsageError("--preference compares lists, and --scores FILE has none: give QRELS RUN...")
    if scores.group_scores is not None:
        raise UsageError("--preference compares lists on all topics: leave --topic-groups out")
    runs = scores.runs
    return prefer(runs.paths, runs.qrels, preference, reading=runs.reading.weighed, **options)


def refuse_other_tables(preference: str | None, *, other_table: bool) -> None:
    """Raise UsageError where another table than that of pairs and their differences is requested."""
    if preference is not None and other_table:
        raise UsageError("--preference is about pairs and their differences: leave --groups, --ranks and --margin out")


def join_preferences(scores: ScoresInput, comparison: Comparison, preference: str | None) -> Comparison:
    """Add the preferences between the lists of the same systems to a comparison, where requested."""
    from cranfield.comparison.preference import add_preferences

    if preference is None:
        return comparison
    settings = {name: comparison.settings[name] for name in ("baseline", "alpha")}
    return add_preferences(comparison, compute_preferences(scores, preference, **settings))


def describe_preferences(comparison: Comparison) -> list[str]:
    """Describe whether preferences, where there are any, agree with the test of scores."""
    if "preferences" not in comparison.settings:
        return []
    settings, pairs = comparison.settings["preferences"], comparison.pairs
    sure = pairs["p_preference"] < settings["alpha"]
    both = sure & pairs["significant"]
    against = both & (pairs["preference"] * pairs["difference"] < 0)
    correction = "" if settings["correction"] == "none" else f", {settings['correction']}"
    contradicted = f", {int(against.sum()):,} of these in the opposite direction" if against.any() else ""
    return [
        f"preference, p_preference: {settings['preference']}, and its sign test{correction}: {int(sure.sum()):,} pairs "
        f"significant at {settings['alpha']:g}, {int(both.sum()):,} by the measure too{contradicted}"
    ]
