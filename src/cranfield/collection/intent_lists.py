"""Rankings seen intent by intent: one list for each (system, intent), of the documents relevant to that intent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cranfield.collection.pool import Ints

if TYPE_CHECKING:
    from cranfield.collection.intents import Intents
    from cranfield.collection.rankings import Rankings


def split(rankings: Rankings, intents: Intents) -> tuple[Rankings, Ints]:
    """The lists of each intent, and the row of ``rankings`` that each of their rows comes from.

    A segment is system * intents + intent. Rows are entries of ``intents`` with a label above 0; ``document`` is the
    entry, ranks are those of the whole list, and ``length`` is the whole list's.
    """
    first, entries = intents.of_row
    counts = np.diff(first)[rankings.document]
    row = np.repeat(np.arange(len(rankings.document)), counts)
    within = np.arange(len(row)) - np.repeat(np.cumsum(counts) - counts, counts)
    entry = entries[first[rankings.document[row]] + within]
    number, topics = len(intents.topic), len(intents.topics)
    segment = rankings.segment[row] // topics * number + intents.intent[entry]
    order = np.argsort(segment, kind="stable")
    row, entry, segment = row[order], entry[order], segment[order]
    systems = len(rankings.systems)
    length = rankings.length.reshape(systems, topics)[:, intents.topic].ravel()
    starts = np.concatenate([[0], np.cumsum(np.bincount(segment, minlength=systems * number))])
    lists = type(rankings)(
        rankings.systems,
        intents.pool,
        length,
        starts,
        rankings.rank[row],
        entry,
        intents.pool.grade[entry],
        rankings.policy,
    )
    return lists, row
