"""The texts of topics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

QUERY = ("title", "query", "text", "question", "content")
"""Names of the field that a user would type, the first that a topic has."""


@dataclass(frozen=True, slots=True)
class TopicText:
    """The text of a topic.

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


def select_texts(texts: Mapping[str, TopicText], topics: Iterable[str]) -> dict[str, TopicText]:
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
