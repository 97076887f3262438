"""What a topic asks, in the words of its collection.

A run cut to some of its topics.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from cranfield._typing import Ints
from cranfield.collection.run import Run
from cranfield.collection.string_column import TextColumn

QUERY = ("title", "query", "text", "question", "content")
"""Names of the field that a user would type, the first that a topic has."""


@dataclass(frozen=True, slots=True)
class TopicText:
    """What a topic asks.

    Args:
        topic: its id, as the file has it.
        query: what a user would type: the title, the query or the text, whichever the file has; its first field where
            it has none of them.
        fields: every text of the topic by its name (``title``, ``description``, ``narrative``, ``subtopic 1``, ...), in
            the order of the file.
    """

    topic: str
    query: str
    fields: Mapping[str, str]

    @classmethod
    def of(cls, topic: str, fields: Mapping[str, str], query: str | None = None) -> TopicText:
        """A topic by its fields, the query among them unless it is given."""
        if query is None:
            query = next((fields[name] for name in QUERY if name in fields), next(iter(fields.values()), ""))
        return cls(topic, query, dict(fields))


def texts_of_topics(texts: Mapping[str, TopicText], topics: Iterable[str]) -> dict[str, TopicText]:
    """The texts of these topics, as far as they have one.

    Old TREC topics are numbered 051 and judged as 51: a number with other zeros before it is the same topic, where no
    two topics of the file are then the same.

    Args:
        texts: of a file, by the ids it has.
        topics: as judgments and runs name them.
    """
    bare: dict[str, list[TopicText]] = {}
    for name, text in texts.items():
        bare.setdefault(_bare(name), []).append(text)
    chosen = {}
    for topic in topics:
        matches = [texts[topic]] if topic in texts else bare.get(_bare(topic), [])
        if len(matches) == 1:
            chosen[topic] = matches[0]
    return chosen


def _bare(name: str) -> str:
    return name.lstrip("0") or "0" if name.isascii() and name.isdigit() else name


def some_topics(run: Run, topics: Ints) -> Run:
    """The lists of these topics, given by their places in the run, ascending; no list is copied if they are neighbours.

    Args:
        run: any.
        topics: places from 0, each once, int64 [topics].
    """
    begin, size = run.starts[topics], np.diff(run.starts)[topics]
    starts = np.concatenate([[0], np.cumsum(size)]).astype(np.int64)
    if len(topics) and topics[-1] - topics[0] == len(topics) - 1:
        rows: slice | Ints = slice(int(begin[0]), int(begin[0] + starts[-1]))
        bounds = run.documents.offsets[int(begin[0]) : int(begin[0] + starts[-1]) + 1]
        documents = TextColumn(run.documents.data[bounds[0] : bounds[-1]], bounds - bounds[0])
    else:
        rows = np.repeat(begin - starts[:-1], size) + np.arange(starts[-1])
        documents = run.documents.take(rows)
    names = [run.topics[topic] for topic in topics.tolist()]
    rank = None if run.rank is None else run.rank[rows]
    return Run(
        run.name, names, starts, documents, run.score[rows], rank, tag=run.tag, path=run.path, rewritten=run.rewritten
    )
