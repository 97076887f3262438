"""``--across-groups``: the tests of all groups are made first, corrected together, and then printed group by group."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, TypeVar

from cranfield.cli._output import collecting, hearing, progress_of, say
from cranfield.errors import InputError, UsageError

Made = TypeVar("Made")
SIMULTANEOUS = ("tukey", "randomized-tukey", "dunnett")
"""Tests of all systems at once, written out as ``comparison.outcome`` imports NumPy. A test compares."""


@contextmanager
def each_group(groups: Mapping[str, int]) -> Iterator[Iterator[str]]:
    """The names of groups, one by one, with a progress bar."""
    with progress_of("groups of topics", len(groups)) as progress:

        def report() -> Iterator[str]:
            for number, name in enumerate(groups, 1):
                yield name
                if progress is not None:
                    progress(number, len(groups))

        yield report()


@dataclass
class GroupTests:
    """The tests of all groups.

    Args:
        groups: how many there are.
        group: of which tests are made, or printed.
        found: group -> its tests, corrected when all are made.
        complete: whether all are.
    """

    groups: int
    group: str = ""
    found: dict[str, Any] = field(default_factory=dict)
    complete: bool = False


class _PendingError(Exception):
    """The tests of a group are made, and nothing is printed before those of all groups are: not an error."""


_together: ContextVar[GroupTests | None] = ContextVar("together", default=None)


@contextmanager
def tests_together(sizes: Mapping[str, int], call: Callable[[str], None]) -> Iterator[Callable[[str], None]]:
    """Make the tests of all groups and correct them together; inside, a call prints those of one group.

    Args:
        sizes: group -> its topics.
        call: the command on a group.

    Raises:
        UsageError: the command made no tests of pairs.
    """
    from cranfield.results.by_group import correct_across

    together = GroupTests(len(sizes))
    refused: dict[str, InputError] = {}
    heard: dict[str, list[str]] = {}
    token = _together.set(together)

    def corrected(name: str) -> None:
        if name in refused:
            raise refused[name]
        together.group = name
        with hearing() as again:
            call(name)
        _repeat([*heard[name], *again])

    try:
        with each_group(sizes) as names:
            for name in names:
                together.group = name
                with hearing() as heard[name], collecting():
                    try:
                        call(name)
                    except InputError as error:
                        refused[name] = error
                    except _PendingError:
                        continue
        if len(together.found) + len(refused) < len(sizes):
            raise UsageError("--across-groups corrects tests of pairs, and this table has none: leave it out")
        together.found = correct_across(together.found) if together.found else {}
        together.complete = True
        yield corrected
    finally:
        _together.reset(token)


def _repeat(lines: list[str]) -> None:
    """Say again what was heard, each line once."""
    for line in dict.fromkeys(lines):
        say(line)


def level_across(alpha: float, interval: str | None) -> float:
    """The level of the intervals of one group, by which those of all groups hold together.

    Args:
        alpha: of all of them.
        interval: asked for, of each pair by itself; None for intervals that hold together.
    """
    together = _together.get()
    return 1.0 - (alpha if together is None or interval else alpha / together.groups)


def across_options(given: Mapping[str, Any]) -> dict[str, Any]:
    """Options of tests, with Holm's correction where groups are tested together.

    Args:
        given: ``test``, ``correction``, and what else a command takes.

    Raises:
        UsageError: tests that Holm's correction across groups cannot be made of.
    """
    options = dict(given)
    if _together.get() is None:
        return options
    if options.get("margin") is not None:
        raise UsageError("--across-groups corrects tests of differences, not of a margin: leave one of them out")
    if options.get("test") in SIMULTANEOUS:
        raise UsageError(
            f"--across-groups holm takes p of each pair by itself, and --test {options['test']} has one for all "
            "together: take a test of pairs"
        )
    if options.get("correction") not in (None, "holm"):
        raise UsageError(
            f"--across-groups holm contradicts --correction {options['correction']}: leave one of them out"
        )
    return options | {"correction": "holm"}


def tests_of_group(make: Callable[[], Made]) -> Made:
    """The tests that a command prints: as they are made, or, with those of other groups, corrected.

    Args:
        make: makes them.
    """
    together = _together.get()
    if together is None:
        return make()
    if not together.complete:
        together.found[together.group] = make()
        raise _PendingError
    found: Made = together.found[together.group]
    return found
