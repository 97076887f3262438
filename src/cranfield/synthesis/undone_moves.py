"""What a single document's move is worth to a measure that is no sum: the value of a list with it, and without."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from cranfield._typing import Floats, Ints
from cranfield.collection.rankings import Rankings
from cranfield.measures import Measure
from cranfield.scoring.compute import cells_of

ROWS = 1 << 21
"""Rows of the lists that are looked at together."""


def moved_alone(measure: Measure, lists: Rankings, topic: Ints, document: Ints, start: Ints, end: Ints) -> Floats:
    """The value of a list in which one document alone has moved, of each move, float64 [moves].

    The others close up where it was, and make room where it goes. An end of 0 takes it out of the list, a start of 0
    puts it in; below the end of the list there is nothing, so that it becomes the last.

    Args:
        measure: whose values they are.
        lists: of one system.
        topic: of each move, int64 [moves].
        document: row of the moving document in the judgments, -1 where it is not judged.
        start: its rank in the list, 0 where it is not in it.
        end: the rank that it gets.
    """
    value = np.empty(len(topic))
    topics = len(lists.length)
    order = np.argsort(topic, kind="stable")
    place = np.empty(len(topic), dtype=np.int64)
    place[order] = np.arange(len(topic)) - np.searchsorted(topic[order], topic[order])
    size = np.diff(lists.starts)
    most = int(place.max(initial=-1)) + 1
    together = max(1, ROWS // max(1, int(size.sum())))
    for first in range(0, most, together):
        here = np.flatnonzero((place >= first) & (place < first + together))
        segment = (place[here] - first) * topics + topic[here]
        made = _made(lists, segment, topic[here], document[here], start[here], end[here])
        value[here] = cells_of((measure,), made, lists.policy, "none")[0, 0][segment]
    return value


def _made(lists: Rankings, segment: Ints, topic: Ints, document: Ints, start: Ints, end: Ints) -> Rankings:
    """The lists of some moves, each in its segment; other segments are lists without documents."""
    topics = len(lists.length)
    systems = int(segment.max(initial=0)) // topics + 1
    size = np.diff(lists.starts)[topic]
    move = np.repeat(np.arange(len(segment)), size)
    row = np.arange(len(move)) + np.repeat(lists.starts[topic] - (np.cumsum(size) - size), size)
    others = lists.document[row] != document[move]
    move, row = move[others], row[others]
    rank = lists.rank[row]
    rank = rank - ((start[move] > 0) & (rank > start[move]))
    last = lists.length[topic] - (start > 0) + 1
    place = np.minimum(end, last)
    rank = rank + ((end[move] > 0) & (rank >= place[move]))
    added = np.flatnonzero((end > 0) & (document >= 0))
    of = np.concatenate([move, added])
    ranks = np.concatenate([rank, place[added]])
    rows = np.concatenate([lists.document[row], document[added]])
    order = np.lexsort((ranks, segment[of]))
    length = np.zeros(systems * topics, dtype=np.int64)
    length[segment] = lists.length[topic] - (start > 0) + (end > 0)
    return replace(
        lists,
        systems=tuple(map(str, range(systems))),
        length=length,
        starts=np.searchsorted(segment[of][order], np.arange(systems * topics + 1)),
        rank=ranks[order],
        document=rows[order],
        grade=lists.pool.grade[rows[order]],
    )
