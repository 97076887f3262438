"""Tables as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(row) + " |" for row in lines)


def tsv(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """The data of a figure."""
    return "".join("\t".join(row) + "\n" for row in (head, *rows))


def slug(name: str) -> str:
    """For a file's name."""
    return name.lower().replace(" ", "-")
