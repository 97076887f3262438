"""``--topic-groups FILE``: repeat a command on each group of topics, and join what it prints."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from cranfield._text import in_full
from cranfield._version import package_version
from cranfield.cli._output import gather_warnings, show_progress
from cranfield.cli._runs_input import take_runs
from cranfield.errors import CranfieldWarning, InputError, UsageError
from cranfield.findings.location import STDIN
from cranfield.results.sheet import Sheet

if TYPE_CHECKING:
    from cranfield.scores.topic_groups import TopicGroups


Computed = TypeVar("Computed")
GROUP = "group"
"""The first column of every joined table."""
SECTIONS = {"table": "{}\n\n", "markdown": "## {}\n\n", "html": "<h2>{}</h2>\n", "latex": "% {}\n"}
"""Formats of texts that can be joined -> the heading of each."""

WITHIN = "this command corrects its tests within each group"
UNTESTED = "this command does not correct p-values"
CORRECTED = "compare, gate, prefer, risk and table correct p-values over all groups"


def refuse_topic_groups(why: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Let a command explain why it lacks ``--topic-groups``."""
    return make_refused_option("--topic-groups", why)


def make_refused_option(option: str, why: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make a hidden option that is refused with a reason."""

    def refuse(context: click.Context, _: click.Parameter, value: str | None) -> None:
        if value is not None:
            raise click.UsageError(f"{option}: {why}", context)

    name = f"no{option[1:].replace('-', '_')}"
    return click.option(option, name, hidden=True, callback=refuse, expose_value=False, help="Refused.")


def compute_by_group(parts: Mapping[str, Callable[[], Computed]]) -> tuple[dict[str, Computed], list[str]]:
    """Compute something of each group of topics, and list the warnings; one that all groups share is listed once.

    A group that is refused, as one with too few topics, is left out with a warning.

    Args:
        parts: group -> what computes it.

    Raises:
        InputError: every group is refused.
    """
    computed: dict[str, Computed] = {}
    warned: dict[str, list[str]] = {}
    errors = []
    with show_progress("groups of topics", len(parts)) as progress:
        for number, (name, compute) in enumerate(parts.items(), 1):
            with gather_warnings() as warned[name]:
                try:
                    computed[name] = compute()
                except InputError as error:
                    warned[name].append(f"left out: {error}")
                    errors.append(error)
            if progress is not None:
                progress(number, len(parts))
    if not computed:
        raise errors[0]
    return computed, list(_merge_warnings(warned))


def _merge_warnings(warned: Mapping[str, list[str]]) -> Iterator[str]:
    """Merge warnings of groups: those that all share once, the others after the name of their group."""
    of_all = set.intersection(*map(set, warned.values())) if len(warned) > 1 else set()
    yield from dict.fromkeys(line for line in next(iter(warned.values())) if line in of_all)
    for name, lines in warned.items():
        yield from (f"group {in_full(name)}: {line}" for line in lines if line not in of_all)


def join_sheets(groups: TopicGroups, sheets: Mapping[str, Sheet]) -> Sheet:
    """Join sheets into one; a cell of a column that a sheet lacks is NaN."""
    first = next(iter(sheets.values()))
    longest: Sequence[str] = max((sheet.columns for sheet in sheets.values()), key=len)
    columns = list(longest)
    columns += dict.fromkeys(name for sheet in sheets.values() for name in sheet.columns if name not in columns)
    rows: list[Sequence[Any]] = []
    best: set[tuple[int, int]] = set()
    marks: dict[tuple[int, int], str] = {}
    for group, sheet in sheets.items():
        place = [columns.index(name) + 1 for name in sheet.columns]
        best |= {(row + len(rows), place[column]) for row, column in sheet.best}
        marks |= {(row + len(rows), place[column]): mark for (row, column), mark in sheet.marks.items()}
        for row in sheet.rows:
            cells = dict(zip(sheet.columns, row, strict=True))
            rows.append([group, *(cells.get(name, math.nan) for name in columns)])
    return Sheet(
        [GROUP, *columns],
        rows,
        "\n".join(f"{in_full(name)}: {sheet.caption}" for name, sheet in sheets.items() if sheet.caption),
        sign_groups(groups, {name: sheet.signature for name, sheet in sheets.items()}),
        best,
        marks,
        absent=first.absent,
        nested={
            column: [part for sheet in sheets.values() for part in sheet.nested[column]] for column in first.nested
        },
        notes=[
            note._replace(text=f"{in_full(name)}: {note.text}")
            for name, sheet in sheets.items()
            for note in sheet.notes
        ],
    )


def sign_groups(groups: TopicGroups, of_groups: Mapping[str, Any]) -> dict[str, Any]:
    """Return the groups and all that changes the numbers of each."""
    return {"cranfield": package_version(), "topic_groups": groups.signature(), "groups": dict(of_groups)}


def list_topics(arguments: Mapping[str, Any]) -> list[str]:
    """List the topics of a call's files in order of first appearance; findings in the files are reported later.

    Args:
        arguments: ``qrels``, one or several, ``score_files``, or an object that holds them as ``source`` or
            ``scores``.

    Raises:
        InputError: a file is refused.
        UsageError: standard input, which cannot be read again for each group; or sources besides QRELS.
    """
    from cranfield.io.inputs import convert_qrels
    from cranfield.scores.files import read_scores

    source = arguments.get("source") or arguments.get("scores")
    runs = take_runs(arguments)[0] if source is None else source.runs
    judgments = [runs.qrels] if runs.qrels else list(arguments.get("qrels") or ())
    files = list(getattr(source, "files", ()) or arguments.get("score_files") or ())
    if runs.has_further_judges:
        raise UsageError("--topic-groups takes topics from QRELS: leave --preferences and --reference-ranking out")
    texts = [text for value in arguments.values() for text in (value if isinstance(value, tuple) else (value,))]
    if STDIN in [*judgments, *files, *runs.paths, *(text for text in texts if isinstance(text, str))]:
        raise UsageError("--topic-groups reads all files once for each group, and standard input (-) can be read once")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CranfieldWarning)
        topics = dict.fromkeys(
            topic for path in judgments for topic in convert_qrels(path, **runs.reading.judgment_options).topics
        )
        if files:
            topics |= dict.fromkeys(str(topic) for path in files for topic in read_scores(path)["topic"].values)
    return list(topics)
