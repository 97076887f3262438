"""``--across-groups``: run the tests of all groups first, correct them together, then print them group by group."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, TypeVar

from cranfield.cli._output import collecting_output, collecting_warnings, print_warning, show_progress
from cranfield.errors import InputError, UsageError
from cranfield.statistics.test_names import SIMULTANEOUS

Result = TypeVar("Result")


@contextmanager
def each_group(groups: Mapping[str, int]) -> Iterator[Iterator[str]]:
    """The names of groups, one by one, with a progress bar."""
    with show_progress("groups of topics", len(groups)) as progress:

        def report() -> Iterator[str]:
            for number, name in enumerate(groups, 1):
                yield name
                if progress is not None:
                    progress(number, len(groups))

        yield report()


@dataclass
class GroupTests:
    """The tests of all groups of topics.

    Args:
        groups: the number of groups.
        group: the group whose tests are being made or printed.
        results: group -> its tests, corrected once all are made.
        complete: whether the tests of all groups are made.
    """

    groups: int
    group: str = ""
    results: dict[str, Any] = field(default_factory=dict)
    complete: bool = False


class _PendingError(Exception):
    """Raised to leave a command after its tests, as long as those of other groups are still to be made."""


_group_tests: ContextVar[GroupTests | None] = ContextVar("group_tests", default=None)


@contextmanager
def correct_group_tests(sizes: Mapping[str, int], call: Callable[[str], None]) -> Iterator[Callable[[str], None]]:
    """Make the tests of all groups and correct them together; yields a function that prints one group.

    Args:
        sizes: group -> its number of topics.
        call: runs the command on a group.

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
        for line in dict.fromkeys([*warned[name], *later]):
            print_warning(line)

    try:
        with each_group(sizes) as names:
            for name in names:
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


def adjust_level(alpha: float, interval: str | None) -> float:
    """Return the level of the intervals of one group with which those of all groups hold simultaneously.

    Args:
        alpha: the level of significance for all of them.
        interval: the requested interval of each pair by itself; None for simultaneous intervals.
    """
    tests = _group_tests.get()
    return 1.0 - (alpha if tests is None or interval else alpha / tests.groups)


def adjust_options(requested: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a command's tests, with Holm's correction where groups are tested together.

    Args:
        requested: ``test``, ``correction``, and the other options of the command.

    Raises:
        UsageError: Holm's correction across groups does not apply to such tests.
    """
    options = dict(requested)
    if _group_tests.get() is None:
        return options
    if options.get("margin") is not None:
        raise UsageError("--across-groups corrects tests of differences, not of a margin: leave one of them out")
    if options.get("test") in SIMULTANEOUS:
        raise UsageError(
            f"--across-groups holm needs a p-value for each pair by itself, and --test {options['test']} tests all "
            "pairs together: choose a test of pairs"
        )
    if options.get("correction") not in (None, "holm"):
        raise UsageError(
            f"--across-groups holm contradicts --correction {options['correction']}: leave one of them out"
        )
    return options | {"correction": "holm"}


def run_group_tests(make: Callable[[], Result]) -> Result:
    """Run the tests of a command; where groups are tested together, return those of this group, corrected.

    Args:
        make: runs the tests.
    """
    tests = _group_tests.get()
    if tests is None:
        return make()
    if not tests.complete:
        tests.results[tests.group] = make()
        raise _PendingError
    result: Result = tests.results[tests.group]
    return result
