"""Rankings seen intent by intent: one list for each (system, intent), of the documents relevant to that intent."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from cranfield._typing import Ints
from cranfield.collection.intents import Intents, no_intents
from cranfield.collection.pool import Pool
from cranfield.collection.rankings import Rankings
from cranfield.collection.segments import stable_order
from cranfield.errors import InputError


def get_intents(rankings: Rankings, measure: str) -> Intents:
    """The intents of the judgments.

    Raises:
        InputError: they name none, which ``measure`` needs.
    """
    if rankings.pool.intents is None:
        raise InputError(no_intents(measure))
    return rankings.pool.intents


def by_intent(rankings: Rankings, measure: str) -> tuple[Rankings, Ints]:
    """The lists of each intent, and the row of ``rankings`` that each of their rows comes from.

    A segment is system * intents + intent. Rows are entries of the intents with a label above 0; ``document`` is the
    entry, ranks are those of the whole list, and ``length`` is the whole list's.

    Raises:
        InputError: the judgments name no intents, which ``measure`` needs.
    """
    intents = get_intents(rankings, measure)
    return rankings.shared("by intent", lambda: _split(rankings, intents))


def intent_pool(intents: Intents) -> Pool:
    """The entries as a pool in which every intent is a topic of its own."""
    starts = np.searchsorted(intents.intent, np.arange(len(intents.topic) + 1))
    return intents.shared("pool", lambda: Pool(starts, intents.label))


def _split(rankings: Rankings, intents: Intents) -> tuple[Rankings, Ints]:
    first, entries = intents.entries_by_row
    counts = np.diff(first)[rankings.document]
    row = np.repeat(np.arange(len(rankings.document)), counts)
    within = np.arange(len(row)) - np.repeat(np.cumsum(counts) - counts, counts)
    entry = entries[first[rankings.document[row]] + within]
    number, topics = len(intents.topic), len(intents.topics)
    segment = rankings.segment[row] // topics * number + intents.intent[entry]
    order = stable_order(segment)
    row, entry, segment = row[order], entry[order], segment[order]
    systems = len(rankings.systems)
    length = rankings.length.reshape(systems, topics)[:, intents.topic].ravel()
    starts = np.concatenate([[0], np.cumsum(np.bincount(segment, minlength=systems * number))])
    pool = intent_pool(intents)
    lists = replace(
        rankings,
        pool=pool,
        length=length,
        starts=starts,
        rank=rankings.rank[row],
        document=entry,
        grade=pool.grade[entry],
        first=None,
        last=None,
    )
    return lists, row
