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
