"""``--across-groups``: the tests of all groups are made first, corrected together, and then printed group by group."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, TypeVar

from cranfield.cli._output import collecting_output, collecting_warnings, print_warning
from cranfield.errors import InputError, UsageError

Made = TypeVar("Made")
SIMULTANEOUS = ("tukey", "randomized-tukey", "dunnett")
"""Tests of all systems at once, written out as ``comparison.outcome`` imports NumPy. A test compares."""


@dataclass
class GroupTests:
    """The tests of all groups.

    Args:
        groups: how many there are.
        group: the group whose tests are being made or printed.
        results: group -> its tests, corrected once all are made.
        complete: whether the tests of all groups are made.
    """

    groups: int
    group: str = ""
    results: dict[str, Any] = field(default_factory=dict)
    complete: bool = False


class _PendingError(Exception):
    """The tests of a group are made, and nothing is printed before those of all groups are: not an error."""


_group_tests: ContextVar[GroupTests | None] = ContextVar("group_tests", default=None)


@contextmanager
def correct_group_tests(sizes: Mapping[str, int], call: Callable[[str], None]) -> Iterator[Callable[[str], None]]:
    """Make the tests of all groups and correct them together; inside, a call prints those of one group.

    Args:
        sizes: group -> its topics.
        call: the command on a group.

    Raises:
        UsageError: the command made no tests of pairs.
    """
    from cranfield.results.by_group import correct_across

    tests = GroupTests(len(sizes))
    errors: dict[str, InputError] = {}
    warned: dict[str, list[str]] = {}
    token = _group_tests.set(tests)

    def print_group(name: str) -> None:
        if name in errors:
            raise errors[name]
        tests.group = name
        with collecting_warnings() as later:
            call(name)
        _repeat_warnings([*warned[name], *later])

    try:
        for name in sizes:
            tests.group = name
            with collecting_warnings() as warned[name], collecting_output():
                try:
                    call(name)
                except InputError as error:
                    errors[name] = error
                except _PendingError:
                    continue
        if len(tests.results) + len(errors) < len(sizes):
            raise UsageError("--across-groups corrects tests of pairs, and this table has none: leave it out")
        tests.results = correct_across(tests.results) if tests.results else {}
        tests.complete = True
        yield print_group
    finally:
        _group_tests.reset(token)


def _repeat_warnings(lines: list[str]) -> None:
    """Say again what was heard, each line once."""
    for line in dict.fromkeys(lines):
        print_warning(line)


def adjust_level(alpha: float, interval: str | None) -> float:
    """The level of the intervals of one group, by which those of all groups hold together.

    Args:
        alpha: of all of them.
        interval: asked for, of each pair by itself; None for intervals that hold together.
    """
    tests = _group_tests.get()
    return 1.0 - (alpha if tests is None or interval else alpha / tests.groups)


def adjust_options(requested: Mapping[str, Any]) -> dict[str, Any]:
    """Options of tests, with Holm's correction where groups are tested together.

    Args:
        requested: ``test``, ``correction``, and what else a command takes.

    Raises:
        UsageError: tests that Holm's correction across groups cannot be made of.
    """
    options = dict(requested)
    if _group_tests.get() is None:
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


def run_group_tests(make: Callable[[], Made]) -> Made:
    """The tests that a command prints: as they are made, or, with those of other groups, corrected.

    Args:
        make: makes them.
    """
    tests = _group_tests.get()
    if tests is None:
        return make()
    if not tests.complete:
        tests.results[tests.group] = make()
        raise _PendingError
    result: Made = tests.results[tests.group]
    return result
