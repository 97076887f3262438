"""``--topic-groups FILE``: repeat a command on each group of topics, and join what it prints."""

from __future__ import annotations

import functools
import math
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from cranfield._text import counted, in_full
from cranfield._version import package_version
from cranfield.cli._errors import print_to_stderr
from cranfield.cli._options import groups_option
from cranfield.cli._output import (
    CollectedOutput,
    collecting_output,
    collecting_warnings,
    emit,
    show_progress,
    warnings_to_stderr,
)
from cranfield.cli._runs_input import take_runs
from cranfield.errors import CranfieldWarning, InputError, UsageError
from cranfield.findings.location import STDIN
from cranfield.results.sheet import Sheet

if TYPE_CHECKING:
    from cranfield.cli._scores_input import ScoresInput
    from cranfield.scores.topic_groups import TopicGroups


GROUP = "group"
"""The first column of every joined table."""
SECTIONS = {"table": "{}\n\n", "markdown": "## {}\n\n", "html": "<h2>{}</h2>\n", "latex": "% {}\n"}
"""Formats of texts that can be joined -> the heading of each."""

WITHIN = "this command corrects its tests within each group"
UNTESTED = "this command does not correct p-values"
CORRECTED = "compare, gate, prefer, risk and table correct p-values over all groups"


def split_scores_by_group(command: Callable[..., Any]) -> Callable[..., Any]:
    """Let a command that takes ``scores`` have ``--topic-groups``; it is called once for each group."""

    def split(groups: TopicGroups, arguments: Mapping[str, Any]) -> dict[str, Group]:
        scores: ScoresInput = arguments["scores"]
        with warnings_to_stderr():
            parts = groups.split(scores.dataset(), tested=False)
        return {
            name: Group(part.sizes["topic"], {"scores": replace(scores, group_scores=part)})
            for name, part in parts.items()
        }

    return _repeat_by_group(split, command)


def split_runs_by_group(command: Callable[..., Any]) -> Callable[..., Any]:
    """Do the same for a command that reads judgments and runs; each call is given the topics of one group.

    They are in the parameter ``only_topics``, which becomes a part of how judgments are read.
    """

    def split(groups: TopicGroups, arguments: Mapping[str, Any]) -> dict[str, Group]:
        with warnings_to_stderr():
            parts = groups.members(list_topics(arguments), "the judgments", tested=False)
        return {name: Group(len(members), {"only_topics": members}) for name, members in parts.items()}

    return _repeat_by_group(split, command)


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


@dataclass(frozen=True)
class Group:
    """A group of topics, and how a command is called for it.

    Args:
        size: the number of topics.
        arguments: those that replace the arguments of the call.
    """

    size: int
    arguments: Mapping[str, Any]


def _repeat_by_group(split: Callable[..., dict[str, Group]], command: Callable[..., Any]) -> Callable[..., Any]:
    """Call a command once for each group into which its input is split."""

    @functools.wraps(command)
    def wrapped(topic_groups: str | None, **arguments: Any) -> Any:
        if topic_groups is None:
            return command(**arguments)
        from cranfield.scores.topic_groups import TopicGroups

        groups = TopicGroups.from_source(topic_groups)
        parts = split(groups, arguments)
        print_by_group(
            groups,
            {name: part.size for name, part in parts.items()},
            lambda name: command(**{**arguments, **parts[name].arguments}),
        )
        return None

    return groups_option(make_refused_option("--across-groups", f"{UNTESTED}; {CORRECTED}")(wrapped))


def print_by_group(groups: TopicGroups, sizes: Mapping[str, int], printing: Callable[[str], Any]) -> None:
    """Print the output of a command on each group, as one table with a column ``group`` or as sections.

    A group that the command refuses is left out with a warning. A warning that all groups share is printed once.

    Args:
        groups: the requested groups.
        sizes: group -> its number of topics.
        printing: runs the command on the group of this name.

    Raises:
        InputError: every group is refused.
        UsageError: the format has no room for groups.
    """
    printed: dict[str, CollectedOutput] = {}
    errors = []
    warned: dict[str, list[str]] = {}
    with show_progress("groups of topics", len(sizes)) as progress:
        for number, name in enumerate(sizes, 1):
            with collecting_warnings() as warned[name]:
                try:
                    with collecting_output() as outputs:
                        printing(name)
                except InputError as error:
                    warned[name].append(f"left out: {error}")
                    errors.append(error)
                else:
                    printed[name] = outputs[0]
            if progress is not None:
                progress(number, len(sizes))
    if not printed:
        raise errors[0]
    for line in merge_warnings(warned):
        print_to_stderr(f"cranfield: warning: {line}")
    first = next(iter(printed.values()))
    heads = {name: f"{in_full(name)}: {counted(sizes[name], 'topic')}" for name in printed}
    emit(_join_texts(groups, printed, heads), first.output)


def merge_warnings(warned: Mapping[str, list[str]]) -> Iterator[str]:
    """Merge warnings of groups: those that all share once, the others after the name of their group."""
    of_all = set.intersection(*map(set, warned.values())) if len(warned) > 1 else set()
    yield from dict.fromkeys(line for line in next(iter(warned.values())) if line in of_all)
    for name, lines in warned.items():
        yield from (f"group {in_full(name)}: {line}" for line in lines if line not in of_all)


def _join_texts(groups: TopicGroups, printed: Mapping[str, CollectedOutput], heads: Mapping[str, str]) -> str:
    first = next(iter(printed.values()))
    format_, plain = first.format_, first.output is not None
    sheets = {name: output.content for name, output in printed.items() if isinstance(output.content, Sheet)}
    if sheets and format_ not in ("table", "html"):
        return join_sheets(groups, sheets).text(format_, plain=plain)
    texts = {
        name: output.content.text(format_, plain=plain) if isinstance(output.content, Sheet) else output.content
        for name, output in printed.items()
    }
    if format_ == "json":
        import json

        return _join_json(groups, {name: json.loads(text) for name, text in texts.items()})
    if format_ not in SECTIONS:
        raise UsageError(f"--format {format_} has no room for groups of topics: use table or json")
    return "\n".join(SECTIONS[format_].format(heads[name]) + text for name, text in texts.items())


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
    )


def _join_json(groups: TopicGroups, tables: Mapping[str, Any]) -> str:
    """Join several objects ``{"signature": ..., "rows": [...]}`` into one."""
    import json

    rows = [{GROUP: name, **row} for name, table in tables.items() for row in table["rows"]]
    signature = sign_groups(groups, {name: table["signature"] for name, table in tables.items()})
    lines = ",\n".join(f"  {json.dumps(row, allow_nan=False)}" for row in rows)
    return f'{{"signature": {json.dumps(signature, allow_nan=False)},\n "rows": [\n{lines}\n]}}\n'


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
