"""``--topic-groups FILE``: a command, repeated on each group of topics.

The topics of a call: those of its judgments, or of its score files.
"""

from __future__ import annotations

import functools
import json
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from cranfield._text import counted, in_full
from cranfield._version import package_version
from cranfield.cli._across_groups import each_group, tests_together
from cranfield.cli._errors import complain
from cranfield.cli._options import across_option, groups_option
from cranfield.cli._output import Printed, collecting, emit, hearing, warnings_to_stderr
from cranfield.cli._runs_input import take_runs
from cranfield.errors import CranfieldWarning, InputError, UsageError
from cranfield.findings.location import STDIN
from cranfield.results.sheet import Sheet

if TYPE_CHECKING:
    from cranfield.cli._scores_input import ScoresInput
    from cranfield.scores.topic_groups import TopicGroups


GROUP = "group"
"""The column that is put in front of every table."""
SECTIONS = {"table": "{}\n\n", "markdown": "## {}\n\n", "html": "<h2>{}</h2>\n", "latex": "% {}\n"}
"""Formats of texts that can follow each other -> the heading of each."""

UNGROUPED = "without a group"
"""What topics without one are called where they are looked at too."""
WITHIN = "conclusions of each group are counted by tests that are corrected within it"
UNTESTED = "this command corrects no p"
CORRECTED = "compare, gate, prefer, risk and table correct p over all groups"


def by_topic_groups(
    measures: Sequence[str] | None = None,
    *,
    several: bool = True,
    tested: bool = False,
    across: bool = False,
    of_every_topic: str = "",
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Let a command that is given ``scores`` take ``--topic-groups``; it is called once for each group.

    Args:
        measures: where none is asked for, as in ``ScoresInput.dataset``.
        several: whether it works on more than one measure.
        tested: whether it tests differences, so that groups of topics are many looks.
        across: whether it takes ``--across-groups`` and gives its tests to ``tests_of_group``.
        of_every_topic: an option that is asked of topics without a group too: where it is given, it is called once more
            for these, as ``scores.ungrouped`` says.
    """

    def split(groups: TopicGroups, given: Mapping[str, Any], *, tested: bool) -> dict[str, Group]:
        scores: ScoresInput = given["scores"]
        with warnings_to_stderr() as gathered:
            whole = scores.dataset(gathered, measures) if several else scores.array(gathered)
            parts = groups.split(whole, tested=tested)
        every = {
            name: Group(part.sizes["topic"], {"scores": replace(scores, of_group=part)}) for name, part in parts.items()
        }
        if of_every_topic and given[of_every_topic] is not None:
            others = groups.others(whole)
            if count := others.sizes["topic"]:
                every[_free(UNGROUPED, groups)] = Group(
                    count, {"scores": replace(scores, of_group=others, ungrouped=True)}
                )
        return every

    return _repeating(split, tested=tested, across=across)


def _free(name: str, groups: TopicGroups) -> str:
    """The name, or one like it that is no group's."""
    return name if name not in groups.names else _free(f"({name})", groups)


def by_groups_of_topics(
    *, tested: bool = False, across: bool = False
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The same for a command that reads judgments and runs; each call sees the topics of one group alone."""

    def split(groups: TopicGroups, given: Mapping[str, Any], *, tested: bool) -> dict[str, Group]:
        from cranfield.io.topic_filter import only_topics

        topics = topics_of(given)
        with warnings_to_stderr():
            parts = groups.members(topics, "the judgments", tested=tested)
        return {
            name: Group(len(members), {}, functools.partial(only_topics, members)) for name, members in parts.items()
        }

    return _repeating(split, tested=tested, across=across)


def refuse_topic_groups(why: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Let a command say why it has no ``--topic-groups``."""

    return _refused("--topic-groups", why)


def _refused(option: str, why: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """An option that a command lacks, and says why where it is given."""

    def refuse(context: click.Context, _: click.Parameter, given: str | None) -> None:
        if given is not None:
            raise click.UsageError(f"{option}: {why}", context)

    name = f"no{option[1:].replace('-', '_')}"
    return click.option(option, name, hidden=True, callback=refuse, expose_value=False, help="Refused.")


@dataclass(frozen=True)
class Group:
    """What a command is called with for one group.

    Args:
        size: topics.
        given: arguments that are others than those of the call.
        inside: makes what it is called inside of.
    """

    size: int
    given: Mapping[str, Any]
    inside: Callable[[], AbstractContextManager[Any]] = nullcontext


def _repeating(
    split: Callable[..., dict[str, Group]], *, tested: bool, across: bool
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A decorator that calls a command once for each group into which its input is split."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(command)
        def wrapped(topic_groups: str | None, across_groups: str = "none", **given: Any) -> Any:
            if topic_groups is None and across_groups != "none":
                raise UsageError("--across-groups is about groups of topics: name them with --topic-groups")
            if topic_groups is None:
                return command(**given)
            from cranfield.scores.topic_groups import TopicGroups

            groups = TopicGroups.of(topic_groups)
            parts = split(groups, given, tested=tested and across_groups == "none")

            def call(name: str) -> None:
                with parts[name].inside():
                    command(**{**given, **parts[name].given})

            sizes = {name: part.size for name, part in parts.items()}
            if across_groups == "none":
                print_by_group(groups, sizes, call, apart=tested)
            else:
                with tests_together(sizes, call) as corrected:
                    print_by_group(groups, sizes, corrected)
            return None

        lacked = _refused("--across-groups", f"{WITHIN if tested else UNTESTED}; {CORRECTED}")
        return groups_option(across_option(wrapped) if across else lacked(wrapped))

    return decorate


def print_by_group(
    groups: TopicGroups, sizes: Mapping[str, int], printing: Callable[[str], Any], *, apart: bool = False
) -> None:
    """Print what a command prints of each group, as one table with a column ``group``, or below each other.

    Args:
        groups: that were asked for.
        sizes: group -> its topics.
        printing: the command, given the name of a group.
        apart: whether its tests are not corrected for the number of groups, which headings then say.

    A group that the command refuses, as one with too few topics, is left out with a warning. What it warns of in every
    group is said once.

    Raises:
        InputError: every group is refused.
        SystemExit: a group ended with another status than 0; of several, the smallest, as a regression (3) is graver
            than topics that cannot tell (4).
        UsageError: the format has no room for groups.
    """
    printed: dict[str, Printed] = {}
    statuses: set[int] = set()
    errors = []
    heard: dict[str, list[str]] = {}
    with each_group(sizes) as each:
        for name in each:
            with hearing() as heard[name]:
                try:
                    with collecting() as found, _ends(statuses):
                        printing(name)
                except InputError as error:
                    heard[name].append(f"left out: {error}")
                    errors.append(error)
                else:
                    printed[name] = found[0]
    if not printed:
        raise errors[0]
    for line in _told(heard):
        complain(f"cranfield: warning: {line}")
    first = next(iter(printed.values()))
    names = set(groups.names)
    looks = sum(name in names for name in sizes)
    said = f", not corrected for {counted(looks, 'group')}" if apart and looks > 1 else ""
    heads = {name: f"{in_full(name)}: {counted(sizes[name], 'topic')}{said * (name in names)}" for name in printed}
    emit(_text(groups, printed, heads), first.output)
    if statuses:
        raise SystemExit(min(statuses))


def _told(said: Mapping[str, list[str]]) -> Iterator[str]:
    """Warnings of groups: what all of them say once, and else with the name of the group."""
    of_all = set.intersection(*map(set, said.values())) if len(said) > 1 else set()
    yield from dict.fromkeys(line for line in next(iter(said.values())) if line in of_all)
    for name, lines in said.items():
        yield from (f"group {in_full(name)}: {line}" for line in lines if line not in of_all)


@contextmanager
def _ends(statuses: set[int]) -> Iterator[None]:
    """Note how a command ended, and go on."""
    try:
        yield
    except SystemExit as ended:
        if ended.code:
            statuses.add(int(ended.code))


def _text(groups: TopicGroups, printed: Mapping[str, Printed], heads: Mapping[str, str]) -> str:
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
    return "\n".join(SECTIONS[format_].format(heads[name]) + text for name, text in texts.items())


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


def topics_of(given: Mapping[str, Any]) -> list[str]:
    """Every topic of what a command was given, in order of first appearance; what is odd in the files is said later.

    Args:
        given: its arguments: ``qrels``, one or several, ``score_files``, or an object that holds them as ``source`` or
            ``scores``.

    Raises:
        InputError: a file is refused.
        UsageError: standard input, which cannot be read for each group anew; or sources besides QRELS.
    """
    from cranfield.io.inputs import qrels_of
    from cranfield.scores.files import read_scores

    source = given.get("source") or given.get("scores")
    runs = take_runs(given)[0] if source is None else source.runs
    judgments = [runs.qrels] if runs.qrels else list(given.get("qrels") or ())
    files = list(getattr(source, "files", ()) or given.get("score_files") or ())
    if getattr(source, "preferences", ()) or getattr(source, "references", ()):
        raise UsageError("--topic-groups takes topics from QRELS: leave --preferences and --reference-ranking out")
    texts = [text for value in given.values() for text in (value if isinstance(value, tuple) else (value,))]
    if STDIN in [*judgments, *files, *runs.files, *(text for text in texts if isinstance(text, str))]:
        raise UsageError("--topic-groups reads all files once for each group, and standard input (-) can be read once")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CranfieldWarning)
        topics = dict.fromkeys(topic for path in judgments for topic in qrels_of(path, **runs.reading.of_files).topics)
        if files:
            topics |= dict.fromkeys(str(topic) for path in files for topic in read_scores(path)["topic"].values)
    return list(topics)
