"""Groups of tasks: which task is in which, and the means of systems over each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from cranfield._message import setting
from cranfield._text import counted, quoted, suggest, warn
from cranfield._typing import Ints
from cranfield.boards.assembly import BoardTable
from cranfield.errors import InputError, UsageError
from cranfield.scores.topic_groups import TopicGroups

if TYPE_CHECKING:
    import pandas as pd

    from cranfield.scores.topic_groups import GroupsLike


def read_groups(tasks: Sequence[str], groups: GroupsLike) -> Mapping[str, str]:
    """The group of each task.

    Raises:
        InputError: a task without a group.
    """
    of_topic = TopicGroups.from_source(groups).of_topic
    missing = [task for task in tasks if task not in of_topic]
    if missing:
        raise InputError(f"{counted(len(missing), 'task')} without a group (first: {quoted(missing[0])})", "the groups")
    unknown = len(of_topic.keys() - set(tasks))
    if unknown:
        warn(f"{counted(unknown, 'task')} of the groups not on the board")
    return of_topic


def require_groups(chosen: Sequence[str], of_task: Mapping[str, str]) -> Sequence[str]:
    """The groups that are chosen.

    Raises:
        UsageError: one of them does not exist.
    """
    every = dict.fromkeys(of_task.values())
    unknown = next((name for name in chosen if name not in every), None)
    if unknown is not None:
        raise UsageError(f"{setting('group')}: no group is called {quoted(unknown)}; {suggest(unknown, every)}")
    return chosen


def number_groups(tasks: Sequence[str], of_task: Mapping[str, str]) -> tuple[list[str], Ints]:
    """The names of the groups as they come, and the number of the group of each task, [tasks]."""
    names = list(dict.fromkeys(of_task[task] for task in tasks))
    return names, np.array([names.index(of_task[task]) for task in tasks])


def average_groups(table: BoardTable, names: Sequence[str], codes: Ints, systems: pd.Index) -> pd.DataFrame:
    """The mean of each system over the tasks of each group, in the order of the systems; NaN where it lacks one."""
    import pandas as pd

    means = {name: table.scores[codes == number].mean(axis=0) for number, name in enumerate(names)}
    return pd.DataFrame(means, index=pd.Index(table.systems, name="system", dtype=object)).loc[systems]
