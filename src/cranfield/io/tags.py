"""Systems called by the tags of their runs."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.errors import InputError
from cranfield.io.judging import source_name
from cranfield.io.runs import NamedRun
from cranfield.wording import quoted


def by_tag(given: Sequence[NamedRun], tags: Sequence[str]) -> tuple[NamedRun, ...]:
    """Runs named by their tags.

    Raises:
        InputError: a run without a tag, or two of one tag.
    """
    owner: dict[str, NamedRun] = {}
    for run, tag in zip(given, tags, strict=True):
        if not tag:
            raise InputError(f"{source_name(run)}: the run has no tag, which names=tag needs")
        if tag in owner:
            raise InputError(f"{source_name(run)}: the tag {quoted(tag)} is also that of {source_name(owner[tag])}")
        owner[tag] = run
    return tuple(NamedRun(tag, run.data) for tag, run in owner.items())
