"""Any analysis of scores, repeated on each group of topics: ``repeat_by_group``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cranfield.errors import UsageError
from cranfield.results.frames import stacked, tidy
from cranfield.results.result import Result, Tables
from cranfield.results.signing import signed
from cranfield.scores.labelled import ScoresLike
from cranfield.scores.topic_groups import TopicGroups

if TYPE_CHECKING:
    import pandas as pd

    from cranfield.scores.topic_groups import GroupsLike

NOT_TESTED = ("estimate_means",)
"""Analyses by whose results nothing is called significant."""


@dataclass(frozen=True, eq=False, repr=False)
class ByGroup(Result):
    """An analysis of each group of topics.

    Every table is that of the groups' results below each other, with the ``group`` in the first column; the table
    ``groups`` has the number of ``topics`` of each ``group``.

    Args:
        results: group -> the result of its topics, in the order of the groups; ``found["easy"]`` is one of them.
        sizes: of every ``group`` its number of ``topics``.
        settings: ``analysis`` and its options.
        signature: all that changes these numbers.
    """

    results: dict[str, Result]
    sizes: pd.Series[int]
    settings: dict[str, Any]
    signature: dict[str, Any]

    def __getitem__(self, group: str) -> Result:
        """The result of one group.

        Raises:
            UsageError: there is no such group.
        """
        if group not in self.results:
            raise UsageError(f"there is no group {group!r}, only {', '.join(self.results)}")
        return self.results[group]

    def __iter__(self) -> Iterator[str]:
        return iter(self.results)

    def _tables(self) -> Tables:
        first = next(iter(self.results.values()))
        return {name: self._stack(name) for name in first.frames()} | {"groups": lambda: tidy(self.sizes)}

    def _stack(self, table: str) -> Callable[[], pd.DataFrame]:
        return lambda: stacked({name: one.to_frame(table) for name, one in self.results.items()}, "group")


def repeat_by_group(analysis: Callable[..., Result], scores: ScoresLike, groups: GroupsLike, **options: Any) -> ByGroup:
    """Repeat an analysis of scores on each group of topics.

    What is corrected for many pairs is corrected within a group; a warning tells of small groups, of many, of topics
    without a group and of unknown ones.

    Args:
        analysis: a function that takes scores and returns a result, such as ``cranfield.compare``.
        scores: dims (topic, system).
        groups: topic -> group, a Series, or a file of lines ``topic group``, or ``FILE#COLUMN`` of a tsv or csv file.
        options: of the analysis.

    Raises:
        InputError: the groups are refused, or the analysis refuses the scores of one.
        UsageError: no analysis, or an option that it does not take.
    """
    import pandas as pd

    if not callable(analysis):
        raise UsageError(f"{analysis!r} is no analysis: give a function such as cranfield.compare")
    given = TopicGroups.of(groups)
    name = getattr(analysis, "__name__", type(analysis).__name__)
    parts = given.split(scores, tested=name not in NOT_TESTED)
    results = {group: analysis(part, **options) for group, part in parts.items()}
    sizes = pd.Series({group: part.sizes["topic"] for group, part in parts.items()}, name="topics").rename_axis("group")
    settings = {"analysis": name, **{key: value for key, value in options.items() if _is_plain(value)}}
    of_groups = {group: result.signature for group, result in results.items()}
    signature = signed("repeat_by_group", settings, topic_groups=given.signature(), groups=of_groups)
    return ByGroup(results, sizes, settings, signature)


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, (str, int, float, list, tuple))
