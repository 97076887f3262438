"""Parts of a run and its judgments that are scored independently, each with complete topics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from cranfield._typing import Ints
from cranfield.collection.ids import encode_ids
from cranfield.engine.protocol import IdColumn
from cranfield.findings.location import Location
from cranfield.streaming.partitions.fragment import Fragment

TopicLayout = Literal["auto", "together", "complete", "split"]
"""The layout of a run's topics in its files: rows of each together, each whole in one file, or over several files."""


@dataclass(frozen=True, slots=True)
class Part:
    """Some files of a run, with the judgments of their topics where these are not the same for all parts.

    Args:
        number: from 0.
        run: the files.
        qrels: files that hold the judgments of these topics; None where the judgments are held in memory.
        between: the topics that are this part's: above the first, up to the second; None for no such end.
    """

    number: int
    run: tuple[Fragment, ...]
    qrels: tuple[Fragment, ...] | None = None
    between: tuple[Any, Any] = (None, None)

    @property
    def location(self) -> Location:
        """The location that messages name."""
        return self.run[0].location if self.run else Location(name="the judgments without a file of the run")


def in_order(fragments: Sequence[Fragment]) -> list[Fragment] | None:
    """Files in the order of their topics; None where statistics do not say that no topic is in two of them."""
    known = [(part.topics, part) for part in fragments if part.rows or part.groups is None]
    if not known or any(bounds is None for bounds, _ in known):
        return None
    known.sort(key=lambda pair: pair[0] or ())
    if any(part[0] and two[0] and part[0][1] >= two[0][0] for part, two in pairwise(known)):
        return None
    return [part for _, part in known]


def beside(run: Sequence[Fragment], qrels: Sequence[Fragment]) -> list[Part] | None:
    """A part for each file of a run, with the row groups of the judgments that are about its topics.

    Judged topics between those of two files belong to the second one. None where statistics do not tell.
    """
    ordered = in_order(run)
    if ordered is None or any(file.topics is None for file in qrels if file.rows or file.groups is None):
        return None
    ends = [None, *(file.topics[1] for file in ordered[:-1] if file.topics), None]
    parts = []
    for number, (file, between) in enumerate(zip(ordered, pairwise(ends), strict=True)):
        chosen = [part for part in (select_between(judged, *between) for judged in qrels) if part.groups]
        parts.append(Part(number, (file,), tuple(chosen), between))
    return parts


def select_between(fragment: Fragment, low: Any, high: Any) -> Fragment:
    """A file with the row groups that may have topics above ``low``, up to ``high``; None for no such end."""
    groups = [
        group
        for group in fragment.groups or ()
        if group.topics is not None
        and (low is None or group.topics[1] > low)
        and (high is None or group.topics[0] <= high)
    ]
    return fragment.select_groups(tuple(groups))


def without_unjudged(fragment: Fragment, ordered: Ints | list[str]) -> Fragment:
    """A file without the row groups whose statistics show that none of these topics, in order, is in them."""
    if fragment.groups is None or not len(ordered):
        return fragment
    judged = [group for group in fragment.groups if group.topics is None or _any_between(ordered, *group.topics)]
    return fragment if len(judged) == len(fragment.groups) else replace(fragment, groups=tuple(judged))


def _any_between(ordered: Ints | list[str], low: Any, high: Any) -> bool:
    from bisect import bisect_left

    at = bisect_left(ordered, low) if isinstance(ordered, list) else int(np.searchsorted(ordered, low))
    return at < len(ordered) and bool(ordered[at] <= high)


def sorted_topics(topics: IdColumn) -> Ints | list[str]:
    """Topics in the order in which statistics compare them."""
    return sorted(text.decode() for text in encode_ids(topics)) if isinstance(topics, tuple) else np.sort(topics)
