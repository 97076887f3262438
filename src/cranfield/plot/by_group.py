"""The same chart for each group of topics, below each other."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import altair as alt

from cranfield._text import counted
from cranfield.errors import UsageError
from cranfield.plot._names import label
from cranfield.plot._theme import CONFIG
from cranfield.results.by_group import ByGroup
from cranfield.scores.topic_groups import TopicGroups

if TYPE_CHECKING:
    from cranfield.scores.dataset import ScoresLike
    from cranfield.scores.topic_groups import GroupsLike


def by_group(
    chart: Callable[..., Any], of: ByGroup | ScoresLike, groups: GroupsLike | None = None, **options: Any
) -> alt.VConcatChart:
    """A chart of each group of topics, in the order of the groups, with the group in its title.

    Args:
        chart: a function of this package, such as ``plot.difference_intervals`` or ``plot.mean_intervals``.
        of: what it draws: an analysis by ``cranfield.repeat_by_group``; or scores, dims (topic, system), and then
        groups: topic -> group, a Series, or a file of lines ``topic group``.
        options: of the chart.

    Raises:
        InputError, UsageError: as the chart and the groups do; or scores without groups, or groups beside an analysis.
    """
    if isinstance(of, ByGroup) != (groups is None):
        raise UsageError("give an analysis by repeat_by_group, or scores and groups=")
    if isinstance(of, ByGroup):
        sizes, parts = {name: int(of.sizes[name]) for name in of}, dict(of.results)
    else:
        split: Any = TopicGroups.from_source(groups).split(of)  # type: ignore[arg-type]
        sizes, parts = {name: part.sizes["topic"] for name, part in split.items()}, split
    panels, told = [], []
    for group, part in parts.items():
        drawn = chart(part, **options).copy(deep=True)
        told.append(f"{label(group)}: {drawn.description}")
        drawn.title.text = [f"{label(group)}, {counted(sizes[group], 'topic')}:", *drawn.title.text]
        # Only the whole chart has a configuration and a description.
        drawn.config = drawn.description = alt.Undefined
        panels.append(drawn)
    with warnings.catch_warnings():
        # A system that is clicked in one panel is chosen in all of them, as it should be.
        warnings.filterwarnings("ignore", message="Automatically deduplicated selection parameter")
        together: alt.VConcatChart = alt.vconcat(*panels).properties(description=" ".join(told)).configure(**CONFIG)
    return together
