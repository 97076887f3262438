"""Options that several commands share, with their callbacks."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Container, Iterable, Sequence
from typing import Any, TypeVar, get_args

import click
from click.core import ParameterSource

from cranfield._text import quoted
from cranfield.cli._completion import complete_measures
from cranfield.collection.column_names import check_roles
from cranfield.collection.input_formats import AUTO, input_formats
from cranfield.collection.policy import CHOICES, POLICIES, NamesPolicy, Policy, WeightSum
from cranfield.errors import UsageError

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

HELP = {
    "ties": "Order of equal scores: id descending as trec_eval 10, as trec_eval 9 (float32 scores), id ascending, "
    "the rank column, as written",
    "missing": "A judged topic that a run lacks: count it as an empty ranking, leave it out of that run's means, or "
    "refuse the run.",
    "unjudged": "Unjudged documents: zero = not relevant; condense = remove before ranking; mean = mean gain of the "
    "judged documents (NDCG_std only).",
    "negative": "Gain of labels below zero: 0, or the label itself.",
    "undefined": "Undefined values: use the measure's own fallback (usually 0), or keep nan.",
    "compat": "Handle edge cases as this tool does. Does not affect tie-breaking (see --ties).",
    "on_duplicate": "A document occurring twice in a topic: refuse the run, or keep the better-ranked line.",
}
"""Field of ``Policy`` -> the help of its option; the fields in ``REWRITING_OPTIONS`` have theirs there."""

ENDINGS = {
    ".tsv": "tsv",
    ".csv": "csv",
    ".json": "json",
    ".tex": "latex",
    ".md": "markdown",
    ".html": "html",
    ".xml": "junit",
}
"""Ending of a file -> format."""

TEXTS = ("table", "tsv", "csv", "json")
"""Formats of every table."""

ESTIMATES = {
    "estimate": "model their labels by who retrieved them, with an interval",
    "bootstrap": "draw labels of judged documents, for comparison",
}
"""Choices of ``--unjudged`` that estimate what the labels would be -> their meaning."""

OPEN_TIES = {
    "expected": "the mean over all orders of equal scores",
    "bounds": "the range over them",
}
"""Choices of ``--ties`` that leave the order open -> their meaning."""


REWRITING_OPTIONS: dict[str, Callable[[Any], Any]] = {
    "own_document": click.option(
        "--drop-own-document",
        "own_document",
        is_flag=True,
        flag_value="drop",
        default="keep",
        help="Leave out a retrieved document whose id is the topic's, as in BEIR and MTEB, if queries are documents.",
    ),
    "passages": click.option(
        "--passages",
        metavar="SEPARATOR",
        default="",
        help="Ids in runs consist of document, separator and passage, such as d1#3 with '#'. A document has the score "
        "of its best passage (MaxP).",
    ),
}
"""Field of ``Policy`` -> its option, where it has no choices: these change which documents are ranked."""


def policy_options(
    command: Decorated, names: Iterable[str] = POLICIES, refused: Container[str] = (), *, holes: Collection[str] = ()
) -> Decorated:
    """Add an option for each field of ``Policy``, or for those named, with its choices and its default.

    Args:
        command: the command that takes them.
        names: the fields.
        refused: ties that the command refuses with a reason; its help does not list them.
        holes: the further choices by which the command estimates the labels of unjudged documents.
    """
    default = Policy()
    for name in reversed(list(names)):
        if name in REWRITING_OPTIONS:
            command = REWRITING_OPTIONS[name](command)
            continue
        choices = (*CHOICES[name], *holes) if name == "unjudged" else CHOICES[name]
        offered = [word for word in choices if name != "ties" or word not in refused]
        left_open = [OPEN_TIES[word] for word in offered if name == "ties" and word in OPEN_TIES]
        meaning = "; or ".join([HELP[name], ", or ".join(left_open)]) if left_open else HELP[name]
        if choices != CHOICES[name]:
            further = "; ".join(f"{word} = {ESTIMATES[word]}" for word in holes)
            meaning = f"{meaning.removesuffix('.')}; {further}"
        option = click.option(
            "--" + name.replace("_", "-"),
            type=click.Choice(choices),
            metavar=f"[{'|'.join(offered)}]",
            default=getattr(default, name),
            show_default=True,
            help=meaning.removesuffix(".") + ".",
        )
        command = option(command)
    return command


def choice(literal: Any) -> click.Choice[str]:
    """Make a choice of the values of a ``Literal``."""
    return click.Choice(get_args(literal))


def output_option(command: Decorated, *, required: bool = False, folder: bool = False) -> Decorated:
    """Add ``-o FILE``; ``-`` is standard output, the default. ``folder``: whether the command can write Parquet."""
    more = " With -q, a name with the ending / or .parquet holds Parquet." if folder else ""
    return click.option(
        "--output",
        "-o",
        metavar="FILE",
        required=required,
        callback=lambda _, __, path: None if path == "-" else path,
        help="Output file; .gz, .bz2, .xz or .zst compresses." + more,
    )(command)


def measure_option(default: str, *, several: bool = True, meaning: str = "") -> Callable[[Decorated], Decorated]:
    """Make ``-m MEASURE``, one or several.

    Args:
        default: describes the measures used without it.
        several: whether there may be several.
        meaning: what it does, where it does more than say by what runs are scored.
    """
    which = "Measure such as nDCG@10 or AP(rel=2); repeat, or separate by commas" if several else "The measure"
    return click.option(
        "--measure",
        "-m",
        "measures",
        multiple=True,
        metavar="MEASURE",
        shell_complete=complete_measures,
        help=meaning or f"{which}.  [default: {default}]",
    )


relevant_option = click.option(
    "--rel",
    "-l",
    multiple=True,
    metavar="[NAME=]LABEL",
    help="Smallest relevant label, or that of one judge; repeat.  [default: 1]",
)
names_option = click.option(
    "--names",
    type=choice(NamesPolicy),
    default="file",
    show_default=True,
    help="Name systems by their files, or by their run tags.",
)


def split_columns(given: Sequence[str]) -> dict[str, str]:
    """Split ``topic=user_id,document=item_id``, which may be given in parts, into role -> column.

    Raises:
        UsageError: a part is not a role and a column, or a role is there twice.
    """
    named: dict[str, str] = {}
    for pair in _split_pairs(given):
        role, sign, column = pair.partition("=")
        if not sign or role in named:
            raise UsageError(f"--columns {quoted(','.join(given))}: expected ROLE=COLUMN,..., each role once")
        named[role] = column
    return named


def _split_pairs(given: Sequence[str]) -> list[str]:
    """The pairs of an option that was given once, with commas between them, or again for each."""
    return ",".join(given).split(",") if given else []


def _parse_roles(_: click.Context, __: click.Parameter, given: Sequence[str]) -> dict[str, str]:
    return check_roles(split_columns(given))


def _parse_labels(_: click.Context, __: click.Parameter, given: Sequence[str]) -> dict[str, float]:
    """Read ``relevant=2,not relevant=0`` as word -> number.

    Raises:
        UsageError: a part is not a word and a number, or a word is there twice.
    """
    from cranfield._validation import is_decimal

    numbers: dict[str, float] = {}
    for pair in _split_pairs(given):
        text, number = map(str.strip, pair.rpartition("=")[::2])
        if not text or text in numbers or not is_decimal(number):
            raise UsageError(f"--labels {quoted(','.join(given))}: expected WORD=NUMBER,..., each word once")
        numbers[text] = float(number)
    return numbers


labels_option = click.option(
    "--labels",
    metavar="WORD=NUMBER,...",
    multiple=True,
    callback=_parse_labels,
    help="Numbers of labels in words, such as 'relevant=2,partial=1,not relevant=0'; other words are refused.",
)


def file_options(command: Decorated) -> Decorated:
    """Add ``--input-format`` and ``--columns``, which say how files of runs and judgments are read."""
    for option in (
        click.option(
            "--columns",
            metavar="ROLE=COLUMN,...",
            multiple=True,
            callback=_parse_roles,
            help="Names of columns in files that name them, such as topic=user_id,document=item_id; use "
            "run.document=sku,qrels.document=doc_id where runs and judgments differ.",
        ),
        click.option(
            "--input-format",
            type=click.Choice(input_formats()),
            metavar="FORMAT",
            default=AUTO,
            show_default=True,
            help=f"Format of the files: one of {', '.join(input_formats())}; auto recognizes it by their content.",
        ),
    ):
        command = option(command)
    return command


exclude_option = click.option(
    "--exclude",
    metavar="QRELS",
    help="Remove the documents that this file judges from runs and judgments, topic by topic: the residual collection "
    "after relevance feedback.",
)


RELEVANT = "Smallest relevant label, for binary measures that do not set one themselves."


def input_options(command: Decorated, rel: str | None = "", *, labels: bool = True) -> Decorated:
    """Add the options that say how runs are read, named and judged, beside the policies.

    Args:
        command: the command that takes them.
        rel: what ``--rel`` sets; None for no such option.
        labels: whether there are judgments, in which labels may be words.
    """
    command = file_options(names_option(command))
    if labels:
        command = labels_option(command)
    return command if rel is None else click.option("--rel", "-l", type=float, help=rel or RELEVANT)(command)


INTENTS = ("intent_weights", "weight_sum", "keep_empty_intents")
"""Options of measures of diversity."""


def intent_weights_option(remark: str) -> Callable[[Decorated], Decorated]:
    """Make ``--intent-weights``; ``remark`` is the last sentence of its help."""
    return click.option(
        "--intent-weights",
        metavar="FILE",
        help="P(i|q) for measures of diversity: lines `topic intent probability`, or the word uniform or "
        f"simulated.{remark}",
    )


def intent_options(command: Decorated) -> Decorated:
    """Add the options that weight the intents of topics."""
    for option in (
        click.option("--keep-empty-intents", is_flag=True, help="Count intents without relevant documents too."),
        click.option(
            "--weight-sum",
            type=choice(WeightSum),
            default="renormalise",
            show_default=True,
            help="Probabilities of a topic's intents that do not add up to 1: divide by their sum, refuse, or leave "
            "as they are.",
        ),
        intent_weights_option("  [default: uniform]"),
    ):
        command = option(command)
    return command


def format_option(*more: str) -> Callable[[Decorated], Decorated]:
    """Make ``-f FORMAT`` for a command that prints one table."""
    remarks = {"latex": "latex needs booktabs", "junit": "junit is for CI systems"}
    remark = ", ".join(said for name, said in remarks.items() if name in more)
    return make_format_option([*TEXTS, *more], remark)


def make_format_option(formats: Sequence[str], remark: str) -> Callable[[Decorated], Decorated]:
    """Make ``-f FORMAT``; the default is the format of the output file's ending, or else the first one."""
    choices = f"{', '.join(formats[:-1])} or {formats[-1]}"
    return click.option(
        "--format",
        "-f",
        "format_",
        type=click.Choice(formats),
        default=formats[0],
        callback=_infer_format,
        metavar="FORMAT",
        help=f"{choices}{f' ({remark})' if remark else ''}.  [default: {formats[0]}, or by the ending of -o]",
    )


def _infer_format(context: click.Context, option: click.Parameter, word: str) -> str:
    """Infer the format from the output's name, where no option sets it; Click processes given options first."""
    output = context.params.get("output")
    choices = tuple(option.type.choices) if isinstance(option.type, click.Choice) else ()
    if output is not None and word == "table" and "parquet" in choices and _names_parquet(output):
        return "parquet"
    if output is None or context.get_parameter_source(str(option.name)) is not ParameterSource.DEFAULT:
        return word
    named = find_format(output)
    return named if named is not None and named in choices else word


def find_format(output: str) -> str | None:
    """Find the format that the ending of an output's name says; None where it says none."""
    from pathlib import PurePath

    from cranfield.io.atomic_write import is_packed
    from cranfield.io.filesystem import is_address

    if is_address(output) or output.endswith(("/", os.sep)):
        return None
    *_, before, last = ("", "", *PurePath(output).suffixes)
    return ENDINGS.get((before if is_packed(last) else last).lower())


def also_option(formats: Sequence[str]) -> Callable[[Decorated], Decorated]:
    """Make ``--also FILE``, a further output in the format of its ending: of ``formats``, or of every table."""
    endings = [ending for ending, format_ in ENDINGS.items() if format_ in (*TEXTS, *formats)]

    def check(_: click.Context, __: click.Parameter, files: tuple[str, ...]) -> tuple[str, ...]:
        for file in files:
            if find_format(file) not in (*TEXTS, *formats):
                raise UsageError(
                    f"--also {quoted(file)}: let the name end in {', '.join(endings[:-1])} or {endings[-1]}"
                )
        return files

    meaning = "Further output, in the format of its ending; repeat."
    return click.option("--also", multiple=True, metavar="FILE", callback=check, help=meaning)


def _names_parquet(output: str) -> bool:
    """Return whether an output is a folder, a file or an address of Parquet, by its name."""
    from cranfield.io.filesystem import is_address

    return output.endswith(("/", os.sep, ".parquet")) or is_address(output)


dask_option = click.option(
    "--dask",
    "executor",
    metavar="ADDRESS",
    help="Address of a Dask cluster to work on, tcp://host:8786; local uses workers on this machine.",
)
groups_option = click.option(
    "--topic-groups",
    metavar="FILE",
    help="Report results separately for each group of topics. FILE has lines `topic group`, or name a column of a tsv "
    "or csv file with a header: FILE#COLUMN.",
)
across_option = click.option(
    "--across-groups",
    type=click.Choice(["none", "holm"]),
    default="none",
    show_default=True,
    help="Correct tests within each group only (none), or over all groups together by Holm's method (holm).",
)


LINES = 20
"""The default number of rows in a table of pairs for people; other formats hold all."""

limit_option = click.option(
    "--limit",
    type=click.IntRange(0),
    metavar="N",
    help=f"Rows to print; 0: all.  [default: {LINES} in a table]",
)


def refuse_limit(limit: int | None, tables: str) -> None:
    """Raise UsageError for a limit where the table has no pairs; ``tables`` says which option prints pairs."""
    if limit is not None:
        raise UsageError(f"--limit is about pairs, and this table has none: {tables}, or leave it out")
