"""The scores of each group of topics that a report is asked for, with what a careful reader should know of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cranfield._text import counted, hearing, warn
from cranfield.scores.topic_groups import FEW, TopicGroups

if TYPE_CHECKING:
    import xarray as xr


@dataclass(frozen=True)
class Grouped:
    """Scores by groups of topics.

    Args:
        groups: that were asked for.
        scores: group -> its scores.
        remarks: of groups that are small or many, and of topics without one.
    """

    groups: TopicGroups
    scores: Mapping[str, xr.Dataset]
    remarks: tuple[str, ...]

    @classmethod
    def of(cls, groups: TopicGroups, scores: xr.Dataset) -> Grouped:
        """Split the scores; the remarks are warned of as well.

        Raises:
            InputError: no topic of the scores has a group.
        """
        with hearing() as said:
            parts = groups.split(scores)
        for line in said:
            warn(line)
        return cls(groups, parts, tuple(line.removeprefix(f"{groups.place}: ") for line in said))

    def note(self, name: str) -> str:
        """What to know of one group; empty where there is nothing."""
        size = self.scores[name].sizes["topic"]
        return f"The group has {counted(size, 'topic')}: its means are uncertain." if size < FEW else ""
