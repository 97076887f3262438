"""``--topic-groups FILE``: any command that prints an analysis of scores, repeated on each group of topics."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from cranfield.cli.complaints import complain
from cranfield.cli.streams import Printed, collecting, emit, speaking_of, warnings_to_stderr
from cranfield.errors import InputError, UsageError
from cranfield.results.sheet import Sheet
from cranfield.scores.signature import package_version
from cranfield.wording import counted, in_full

if TYPE_CHECKING:
    import xarray as xr

    from cranfield.cli.scores_option import ScoresInput
    from cranfield.scores.topic_groups import TopicGroups

GROUP = "group"
"""The column that is put in front of every table."""
SECTIONS = {"table": "{}\n\n", "markdown": "## {}\n\n", "html": "<h2>{}</h2>\n", "latex": "% {}\n"}
"""Formats of texts that can follow each other -> the heading of each."""

groups_option = click.option(
    "--topic-groups",
    metavar="FILE",
    help="Everything for each group of topics by itself: lines `topic group`, or FILE#COLUMN of a tsv or csv file with "
    "a header.",
)


def by_topic_groups(
    measures: Sequence[str] | None = None, *, several: bool = True, tested: bool = False
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Let a command that is given ``scores`` take ``--topic-groups``; it is called once for each group.

    Args:
        measures: where none is asked for, as in ``ScoresInput.dataset``.
        several: whether it works on more than one measure.
        tested: whether it tests differences, so that groups of topics are many looks.
    """

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(command)
        def wrapped(scores: ScoresInput, topic_groups: str | None, **given: Any) -> Any:
            if topic_groups is None:
                return command(scores=scores, **given)
            from cranfield.scores.topic_groups import TopicGroups

            with warnings_to_stderr() as gathered:
                whole = scores.dataset(gathered, measures) if several else scores.array(gathered)
                groups = TopicGroups.of(topic_groups)
                parts = groups.split(whole, tested=tested)
            print_by_group(groups, parts, lambda part: command(scores=replace(scores, of_group=part), **given))
            return None

        return groups_option(wrapped)

    return decorate


def print_by_group(groups: TopicGroups, parts: Mapping[str, xr.Dataset], printing: Callable[[xr.Dataset], Any]) -> None:
    """Print what a command prints of each group, as one table with a column ``group``, or below each other.

    Args:
        groups: that were asked for.
        parts: group -> its scores.
        printing: the command, given scores.

    A group that the command refuses, as one with too few topics, is left out with a warning.

    Raises:
        InputError: every group is refused.
        SystemExit: a group ended with another status than 0; of several, the smallest, as a regression (3) is graver
            than topics that cannot tell (4).
        UsageError: the format has no room for groups.
    """
    printed: dict[str, Printed] = {}
    statuses: set[int] = set()
    errors = []
    for name, scores in parts.items():
        about = f"group {in_full(name)}: "
        try:
            with collecting() as found, _ends(statuses), speaking_of(about):
                printing(scores)
        except InputError as error:
            complain(f"cranfield: warning: {about}left out: {error}")
            errors.append(error)
        else:
            printed[name] = found[0]
    if not printed:
        raise errors[0]
    sizes = {name: parts[name].sizes["topic"] for name in printed}
    first = next(iter(printed.values()))
    emit(_text(groups, printed, sizes), first.output)
    if statuses:
        raise SystemExit(min(statuses))


@contextmanager
def _ends(statuses: set[int]) -> Iterator[None]:
    """Note how a command ended, and go on."""
    try:
        yield
    except SystemExit as ended:
        if ended.code:
            statuses.add(int(ended.code))


def _text(groups: TopicGroups, printed: Mapping[str, Printed], sizes: Mapping[str, int]) -> str:
    first = next(iter(printed.values()))
    format_, plain = first.format_, first.output is not None
    sheets = {name: one.made for name, one in printed.items() if isinstance(one.made, Sheet)}
    if sheets and format_ not in ("table", "html"):
        return _together(groups, sheets).text(format_, plain=plain)
    texts = {
        name: one.made.text(format_, plain=plain) if isinstance(one.made, Sheet) else one.made
        for name, one in printed.items()
    }
    if format_ == "json":
        return _json(groups, {name: json.loads(text) for name, text in texts.items()})
    if format_ not in SECTIONS:
        raise UsageError(f"--format {format_} has no room for groups of topics: use table or json")
    heads = {
        name: SECTIONS[format_].format(f"{in_full(name)}: {counted(size, 'topic')}") for name, size in sizes.items()
    }
    return "\n".join(heads[name] + text for name, text in texts.items())


def _together(groups: TopicGroups, sheets: Mapping[str, Sheet]) -> Sheet:
    """One sheet of several with the same columns."""
    first = next(iter(sheets.values()))
    rows: list[Sequence[Any]] = []
    best: set[tuple[int, int]] = set()
    marks: dict[tuple[int, int], str] = {}
    for name, sheet in sheets.items():
        best |= {(row + len(rows), column + 1) for row, column in sheet.best}
        marks |= {(row + len(rows), column + 1): mark for (row, column), mark in sheet.marks.items()}
        rows += [[name, *row] for row in sheet.rows]
    return Sheet(
        [GROUP, *first.columns],
        rows,
        "\n".join(f"{in_full(name)}: {sheet.caption}" for name, sheet in sheets.items() if sheet.caption),
        _signature(groups, {name: sheet.signature for name, sheet in sheets.items()}),
        best,
        marks,
    )


def _json(groups: TopicGroups, held: Mapping[str, Any]) -> str:
    """One object of several ``{"signature": ..., "rows": [...]}``."""
    rows = [{GROUP: name, **row} for name, one in held.items() for row in one["rows"]]
    signature = _signature(groups, {name: one["signature"] for name, one in held.items()})
    lines = ",\n".join(f"  {json.dumps(row, allow_nan=False)}" for row in rows)
    return f'{{"signature": {json.dumps(signature, allow_nan=False)},\n "rows": [\n{lines}\n]}}\n'


def _signature(groups: TopicGroups, of_groups: Mapping[str, Any]) -> dict[str, Any]:
    """Which groups, and all that changes the numbers of each."""
    return {"cranfield": package_version(), "topic_groups": groups.signature(), "groups": dict(of_groups)}
