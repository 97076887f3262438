"""Findings about runs beside others that they are fused with."""

from __future__ import annotations

from cranfield._text import listed, quoted
from cranfield.findings.kind import declared


@declared(
    "no-topic-in-common",
    "warning",
    meaning="A run that is fused with others has no topic of theirs.",
    remedy="Compare the topic ids; they are text, so leading zeros count.",
)
def _no_topic_in_common(topic: str) -> str:
    return f"the run shares no topic with the others; it has {quoted(topic)}"


@declared(
    "no-document-in-common",
    "warning",
    meaning="A run that is fused with others has no document of theirs.",
    remedy="Compare the documents' ids.",
)
def _no_document_in_common(example: str) -> str:
    return f"none of its documents is in another run; are they named as there? It has {quoted(example)}"


@declared(
    "topics-of-others",
    "warning",
    meaning="Topics of the runs that are fused are missing from one of them; it adds nothing there.",
    remedy="Retrieve documents for them, or refuse such runs with `--missing error`.",
    degree="topics",
)
def _topics_of_others(topics: list[str]) -> str:
    empty = "counted as an empty list" if len(topics) == 1 else "counted as empty lists"
    return f"{listed(topics)} of the other runs missing from the run, {empty}"
