"""Complete runs in memory, for analyses that need every document of a list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from cranfield._message import setting
from cranfield._text import quoted, warn
from cranfield.collection.reading import InputOptions
from cranfield.collection.run import Run
from cranfield.errors import InputError
from cranfield.findings.finding import warn_of
from cranfield.io.inputs import NamedRun, RunsLike, named_runs
from cranfield.io.judging import locate_run
from cranfield.io.run_transforms import rewritten
from cranfield.io.skipped_runs import leave_out
from cranfield.io.trec import load_run


def loaded_runs(
    runs: RunsLike,
    reading: InputOptions,
    progress: Callable[[int, int], None] | None = None,
    what: str = "fusion",
) -> list[tuple[str, Run]]:
    """Runs in memory, with their names; ``progress(done, total)`` is called after each.

    Args:
        runs: as in ``evaluate``.
        reading: how files and runs are read.
        progress: see above.
        what: needs the documents in one order.

    Raises:
        InputError: a run cannot be read.
        UsageError: the policy leaves the order of equal scores open.
    """
    reading.policy.check_order(what)
    options: dict[str, Any] = {**reading.of_files, "on_duplicate": reading.policy.on_duplicate}
    loaded: list[tuple[NamedRun, Run]] = []
    errors: list[InputError] = []
    listed = named_runs(runs, reading.names, reading.columns)
    for run in listed:
        try:
            loaded.append((run, rewritten(_load(run, options), reading.policy)))
        except InputError as error:
            warn(str(leave_out(run, error, first=run is listed[0]).finding()))
            errors.append(error)
        if progress is not None:
            progress(len(loaded) + len(errors), len(listed))
    if errors and not loaded:
        raise errors[0]
    if reading.names == "tag":
        named = by_tag([run for run, _ in loaded], [data.tag for _, data in loaded])
        return [(run.name, data) for run, (_, data) in zip(named, loaded, strict=True)]
    return [(run.name, data) for run, data in loaded]


def _load(run: NamedRun, options: dict[str, Any]) -> Run:
    """A run in memory; findings of reading it are warned of."""
    if not isinstance(run.data, str):
        return run.data
    data, facts = load_run(run.data, name=run.name, **options)
    warn_of(facts, locate_run(run))
    return data


def by_tag(runs: Sequence[NamedRun], tags: Sequence[str]) -> tuple[NamedRun, ...]:
    """Runs named by their tags.

    Raises:
        InputError: a run without a tag, or two of one tag.
    """
    owner: dict[str, NamedRun] = {}
    for run, tag in zip(runs, tags, strict=True):
        if not tag:
            text = (
                f"the run has no tag, which {setting('names=tag')} needs; without it, the name is that of the file, or "
                "of the system in a table"
            )
            raise InputError(text, locate_run(run), code="no-tag")
        if tag in owner:
            text = f"the tag {quoted(tag)} is also that of {locate_run(owner[tag])}"
            raise InputError(text, locate_run(run), code="equal-names", value=tag)
        owner[tag] = run
    return tuple(NamedRun(tag, run.data) for tag, run in owner.items())
