"""Systems called by the tags of their runs."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield._text import quoted
from cranfield.errors import InputError
from cranfield.io.judging import place_of
from cranfield.io.runs import NamedRun


def by_tag(given: Sequence[NamedRun], tags: Sequence[str]) -> tuple[NamedRun, ...]:
    """Runs named by their tags.

    Raises:
        InputError: a run without a tag, or two of one tag.
    """
    owner: dict[str, NamedRun] = {}
    for run, tag in zip(given, tags, strict=True):
        if not tag:
            raise InputError("the run has no tag, which names=tag needs", place_of(run), code="no-tag")
        if tag in owner:
            text = f"the tag {quoted(tag)} is also that of {place_of(owner[tag])}"
            raise InputError(text, place_of(run), code="equal-names", value=tag)
        owner[tag] = run
    return tuple(NamedRun(tag, run.data) for tag, run in owner.items())
