"""Options that several commands share, from the facts they stand for.

``--limit N``: how many pairs a table for people shows.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, get_args

import click
from click.core import ParameterSource

from cranfield._text import quoted
from cranfield.cli._completion import complete_measures
from cranfield.collection.column_names import check_roles
from cranfield.collection.input_formats import AUTO, input_formats
from cranfield.collection.policy import CHOICES, POLICIES, Names, Policy, WeightSum
from cranfield.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd


Command = TypeVar("Command", bound=Callable[..., Any])

HELP = {
    "ties": "Order of equal scores: id descending as trec_eval 10, as trec_eval 9 (float32 scores), id ascending, "
    "the rank column, as written",
    "missing": "A judged topic absent from a run: an empty ranking, left out of that run's means, or refused.",
    "unjudged": "Unjudged documents have label 0, the mean gain of the judged (NDCG_std only), or are dropped before "
    "ranks are assigned.",
    "negative": "Gain of labels below zero: 0, or the label.",
    "undefined": "A value without a definition: as its measure declares (mostly 0), or kept as nan.",
    "compat": "Read odd cases as this tool does. Orders nothing: see --ties.",
    "on_duplicate": "A document twice in a topic of a run: refused, or its better-ranked line kept.",
}

ENDINGS = {
    ".tsv": "tsv",
    ".csv": "csv",
    ".json": "json",
    ".tex": "latex",
    ".md": "markdown",
    ".html": "html",
    ".xml": "junit",
}
"""What a file's name says of its format."""

OPEN_TIES = {
    "expected": "the mean over all orders of equal scores",
    "bounds": "the range over them",
}
"""What ties that leave the order open stand for."""


REWRITING_OPTIONS: dict[str, Callable[[Any], Any]] = {
    "own_document": click.option(
        "--drop-own-document",
        "own_document",
        flag_value="drop",
        default="keep",
        help="Leave out retrieved documents whose id is the topic's, as BEIR and MTEB do: the query is in the corpus.",
    ),
    "passages": click.option(
        "--passages",
        metavar="SEPARATOR",
        default="",
        help="Ids of runs are document, separator and passage, such as d1#3 with '#': a document has the score of its "
        "best passage (MaxP).",
    ),
}


def policy_options(command: Command, names: Iterable[str] = POLICIES, refused: Container[str] = ()) -> Command:
    """One option for each field of ``Policy``, or for some, with its words and its default.

    Args:
        command: what takes them.
        names: of the fields.
        refused: ties that the command refuses with a reason; its help does not promise them.
    """
    default = Policy()
    for name in reversed(list(names)):
        if name in REWRITING_OPTIONS:
            command = REWRITING_OPTIONS[name](command)
            continue
        offered = [word for word in CHOICES[name] if name != "ties" or word not in refused]
        left_open = [OPEN_TIES[word] for word in offered if name == "ties" and word in OPEN_TIES]
        meaning = "; or ".join([HELP[name], ", or ".join(left_open)]) if left_open else HELP[name]
        option = click.option(
            "--" + name.replace("_", "-"),
            type=click.Choice(CHOICES[name]),
            metavar=f"[{'|'.join(offered)}]",
            default=getattr(default, name),
            show_default=True,
            help=meaning.removesuffix(".") + ".",
        )
        command = option(command)
    return command


def choice(words: Any) -> click.Choice[str]:
    """The words of a ``Literal``."""
    return click.Choice(get_args(words))


def output_option(command: Command, *, required: bool = False, folder: bool = False) -> Command:
    """``-o FILE``; ``-`` is standard output, as without it. A ``folder`` of Parquet is written by some commands."""
    more = (
        " A name that ends in / is a folder of Parquet files, and .parquet one of them; both need -q." if folder else ""
    )
    return click.option(
        "--output",
        "-o",
        metavar="FILE",
        required=required,
        callback=lambda _, __, place: None if place == "-" else place,
        help="Write to this file, atomically; - is standard output. The ending .gz, .bz2, .xz or .zst compresses it."
        + more,
    )(command)


def measure_option(default: str, *, several: bool = True) -> Callable[[Command], Command]:
    """``-m MEASURE``, one or several; ``default`` says what holds where none is given."""
    what = (
        "A measure such as nDCG@10, AP(rel=2) or ndcg_cut_10"
        if several
        else "The measure, such as nDCG@10 or AP(rel=2)"
    )
    more = "; repeat for more, or put commas between" if several else ""
    return click.option(
        "--measure",
        "-m",
        "measures",
        multiple=True,
        metavar="MEASURE",
        shell_complete=complete_measures,
        help=f"{what}{more}. `cranfield measures` lists them.  [default: {default}]",
    )


names_option = click.option(
    "--names",
    type=choice(Names),
    default="file",
    show_default=True,
    help="Name systems by their files, or by their run tags.",
)


def _roles(_: click.Context, __: click.Parameter, given: str | None) -> dict[str, str]:
    """Role -> column, from ``topic=user_id,document=item_id``."""
    named: dict[str, str] = {}
    for pair in (given or "").split(",") if given is not None else ():
        role, sign, column = pair.partition("=")
        if not sign or role in named:
            raise UsageError(f"--columns {quoted(given or '')}: expected ROLE=COLUMN,..., each role once")
        named[role] = column
    return check_roles(named)


def file_options(command: Command) -> Command:
    """``--input-format`` and ``--columns``: how files of runs and judgments are read."""
    for option in (
        click.option(
            "--columns",
            metavar="ROLE=COLUMN,...",
            callback=_roles,
            help="Columns that are called otherwise than usual, such as topic=user_id,document=item_id, of files that "
            "name their columns; run.document=sku,qrels.document=doc_id names them apart.",
        ),
        click.option(
            "--input-format",
            type=click.Choice(input_formats()),
            metavar="FORMAT",
            default=AUTO,
            show_default=True,
            help=f"Format of the files: one of {', '.join(input_formats())}; auto tells it by their content.",
        ),
    ):
        command = option(command)
    return command


def _exclude(context: click.Context, _: click.Parameter, judged: str | None) -> None:
    """Leave documents out while the command runs."""
    if judged is not None:
        from cranfield.io.topic_filter import excluding

        context.with_resource(excluding(judged))


exclude_option = click.option(
    "--exclude",
    metavar="QRELS",
    expose_value=False,
    callback=_exclude,
    help="Leave the documents that this file judges out of runs and judgments, topic by topic: the residual collection "
    "after relevance feedback.",
)


def input_options(command: Command) -> Command:
    """How runs are read, called and judged, beside the policies."""
    for option in (
        names_option,
        file_options,
        click.option(
            "--rel", "-l", type=float, help="Smallest relevant label, for binary measures that set none themselves."
        ),
    ):
        command = option(command)
    return command


INTENTS = ("intent_weights", "weight_sum", "keep_empty_intents")
"""Options of measures of diversity."""


def intent_options(command: Command) -> Command:
    """How the intents of topics count."""
    for option in (
        click.option("--keep-empty-intents", is_flag=True, help="Count intents without relevant documents too."),
        click.option(
            "--weight-sum",
            type=choice(WeightSum),
            default="renormalise",
            show_default=True,
            help="Probabilities of a topic's intents that do not add up to 1: divided by their sum, refused, or as "
            "they are.",
        ),
        click.option(
            "--intent-weights",
            metavar="FILE",
            help="P(i|q) for measures of diversity: lines `topic intent probability`, or the word uniform or "
            "simulated.  [default: uniform]",
        ),
    ):
        command = option(command)
    return command


def format_option(*more: str) -> Callable[[Command], Command]:
    """``-f FORMAT`` of a command that prints one table."""
    latex = " latex needs the package booktabs." if "latex" in more else ""
    return format_option_of(["table", "tsv", "csv", "json", *more], f"How to print.{latex}")


def format_option_of(words: Sequence[str], meaning: str) -> Callable[[Command], Command]:
    """``-f FORMAT``, one of some words; without it, what the name of the output ends in, or else the first of them."""
    return click.option(
        "--format",
        "-f",
        "format_",
        type=click.Choice(words),
        default=words[0],
        callback=_format_of_name,
        help=f"{meaning}  [default: {words[0]}, or what the name after -o ends in]",
    )


def _format_of_name(context: click.Context, option: click.Parameter, word: str) -> str:
    """The format, which a name says where no option does: Click looks at what is given before what is not."""
    output = context.params.get("output")
    if output is None or context.get_parameter_source(str(option.name)) is not ParameterSource.DEFAULT:
        return word
    from pathlib import PurePath

    from cranfield.io.atomic_write import is_packed
    from cranfield.io.filesystem import is_address

    if is_address(output) or output.endswith(("/", os.sep)):
        return word
    *_, before, last = ("", "", *PurePath(output).suffixes)
    said = ENDINGS.get((before if is_packed(last) else last).lower(), word)
    return said if isinstance(option.type, click.Choice) and said in option.type.choices else word


seed_option = click.option(
    "--seed", type=click.IntRange(0), default=1, show_default=True, help="The same seed, the same numbers."
)
cluster_option = click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Work on the workers of a Dask cluster, tcp://host:8786, or of this machine alone: local.",
)
groups_option = click.option(
    "--topic-groups",
    metavar="FILE",
    help="Everything for each group of topics by itself: lines `topic group`, or FILE#COLUMN of a tsv or csv file with "
    "a header.",
)
across_option = click.option(
    "--across-groups",
    type=click.Choice(["none", "holm"]),
    default="none",
    show_default=True,
    help="Correct the tests of each group by itself, or by Holm's method those of all groups together.",
)


LINES = 20
"""Default number of lines of a table for people; other formats hold everything."""

limit_option = click.option(
    "--limit",
    type=click.IntRange(0),
    metavar="N",
    help=f"Largest number of pairs to print; 0 for all.  [default: {LINES} in a table, all in other formats]",
)


def refuse_limit(limit: int | None, tables: str) -> None:
    """Raises: UsageError: a limit where the table has no pairs; ``tables`` says which have."""
    if limit is not None:
        raise UsageError(f"--limit is about pairs, and this table has none: {tables}, or leave it out")


def limited(table: pd.DataFrame, limit: int | None, format_: str, order: str) -> tuple[pd.DataFrame, str]:
    """The first rows, and what a caption says of the others; that is nothing where there are none.

    Args:
        table: a row a pair, sorted.
        limit: as it was given.
        format_: in which it is printed.
        order: what the first rows are, for example "the largest differences first".
    """
    shown = limit if limit is not None else LINES if format_ == "table" else 0
    if not shown or len(table) <= shown:
        return table, ""
    return table.head(shown), f"{shown:,} of {len(table):,} pairs, {order}; --limit 0 shows all"


def by_size(table: pd.DataFrame, column: str = "difference") -> pd.DataFrame:
    """Rows by the size of what a column holds, largest first; equal ones as they were."""
    return table.sort_values(column, key=lambda values: -values.abs(), kind="stable", ignore_index=True)
