"""Runs that were left out, and where a page or a sheet says so: what is left is not all that was submitted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cranfield._text import counted, shown
from cranfield.io.redaction import PathRedactor
from cranfield.io.skipped_runs import left_so_far
from cranfield.reporting.entries import Entries

LACKS_SCORES = "it lacks scores"
"""Why a system is left out of scores that are made complete."""


@dataclass(frozen=True)
class LeftRun:
    """A run that a page or a sheet is made without.

    Args:
        name: of its system.
        reason: a clause.
    """

    name: str
    reason: str


def refused_runs() -> tuple[LeftRun, ...]:
    """The runs that were refused and left out in this call so far."""
    return tuple(
        LeftRun(run.name, f"{f'line {run.location.line:,}: ' if run.location.line else ''}{run.reason}")
        for run in left_so_far()
    )


def notice_left_out(left: Sequence[LeftRun]) -> str:
    """The runs in a few words, for the first lines of a page; empty where there are none."""
    return f"{counted(len(left), 'run')} left out" if left else ""


def describe_left_out(left: Sequence[LeftRun], redact: PathRedactor, *, public: bool = False) -> tuple[str, ...]:
    """A paragraph that names the runs that are left out; none where there are none.

    Args:
        left: the runs.
        redact: rewrites texts that name files for a page.
        public: whether readers are not told why, as reasons quote lines of the files.
    """
    if not left:
        return ()
    runs = [shown(run.name) if public else f"{shown(run.name)} ({shown(redact(run.reason), 300)})" for run in left]
    verb = "was" if len(left) == 1 else "were"
    why = f" The organisers have the reason{'s' * (len(left) > 1)}." if public else ""
    return (
        f"Left out: {counted(len(left), 'run')}, of which no scores could be used: {', '.join(runs)}. All ranks and "
        f"comparisons are of the others, as if {'it' if len(left) == 1 else 'they'} {verb} not submitted.{why}",
    )


def describe_for_team(left: Sequence[LeftRun], entries: Entries, team: str, redact: PathRedactor) -> tuple[str, ...]:
    """Describe the runs left out for a team's sheet: its own by name, those of others by their number alone."""
    own = [run for run in left if entries.left_out[run.name].team == team]
    others = len(left) - len(own)
    verbs = ("was", "does") if others == 1 else ("were", "do")
    more = f"{counted(others, 'run')} of others {verbs[0]} left out and {verbs[1]} not count."
    return (*describe_left_out(own, redact), *([more] if others else []))
