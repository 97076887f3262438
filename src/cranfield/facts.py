"""What readers and engines count and notice, by the codes of findings."""

from __future__ import annotations

from typing import Any, TypedDict


class Noticed(TypedDict, total=False):
    """A fact about the data that a careful user should know; only the parts of its finding's sentence are here."""

    count: int
    """How many there are of its kind; the other parts are the first one's."""
    line: int
    """From 1."""
    topic: str
    document: str
    value: str
    """As in the file; of a long one the first 80 characters."""
    first: str
    """The value from which this one differs."""
    names: list[str]
    """Of the first five."""
    reason: str
    """Why something is wrong."""
    differing: int
    """How many of them contradict each other."""


class Facts(TypedDict, total=False):
    """What a reader counted and noticed."""

    rows: int
    tag: str
    """The tag of a run; absent for judgments."""
    skipped: int
    """Blank lines and comments."""
    metadata: str
    """The header of ir_metadata at the head of a run, which ``cranfield.io`` adds; absent where there is none."""
    absent: list[str]
    """Judged topics of a part of a run of which it has no documents: the first five."""
    lacks: Any
    """What topics of a part of the judgments lack: ``cranfield.scoring.lacking.Lacks``."""
    noticed: dict[str, Noticed]
    """Code of a finding (``cranfield.findings.table``) -> the fact; only what was noticed. ``judge_file`` does not say
    that topics are scattered."""
