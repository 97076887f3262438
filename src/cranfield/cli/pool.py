"""``cranfield pool``: which documents to judge."""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, Any

import click

from cranfield._text import counted
from cranfield.cli._command import CommandOfRuns
from cranfield.cli._declared import DECLARED
from cranfield.cli._effects import refuse_without_effect
from cranfield.cli._options import (
    OPEN_TIES,
    file_options,
    format_option,
    input_options,
    names_option,
    output_option,
    policy_options,
    seed_option,
)
from cranfield.cli._output import check_output_path, emit, present, prints_table, warnings_to_stderr
from cranfield.cli._runs_input import RunsInput, runs_input
from cranfield.cli._topic_groups import refuse_topic_groups
from cranfield.cli.settle import settle
from cranfield.collection.policy import REWRITING
from cranfield.errors import UsageError
from cranfield.results.sheet import Sheet, shorten_signature

if TYPE_CHECKING:
    import pandas as pd

    from cranfield.pooling.pools import JudgingList
    from cranfield.pooling.sampling import PoolSample

run_policies = functools.partial(policy_options, names=("ties", "on_duplicate", *REWRITING), refused=tuple(OPEN_TIES))
no_topic_groups = refuse_topic_groups(
    "the pool of a topic does not depend on other topics: select the lines of its topics"
)
judged_option = click.option("--qrels", "judged", metavar="QRELS", help="Existing judgments.")


@click.group()
def pool() -> None:
    """Choose what to judge: a pool in order, or a sample of it; and study what fewer judgments would have said."""


pool.add_command(settle)


@pool.command(
    "order", cls=CommandOfRuns, unset_by_protocol=("measure",), short_help="List a pool in the order to judge it."
)
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@click.option("--depth", type=int, default=100, show_default=True, help="Documents of each run that are pooled.")
@click.option(
    "--order",
    type=click.Choice(DECLARED["pool budget"].options["orders"].choices),
    default="depth",
    show_default=True,
    help="The order in which they are judged.",
)
@click.option("--budget", type=click.IntRange(1), help="Documents per topic.  [default: the complete pool]")
@judged_option
@click.option(
    "--teams",
    metavar="FILE",
    help="Lines of a run and its team, with a tab or comma between them, or the file of `report --runs`.  "
    "[default: every run is its own team]",
)
@seed_option
@click.option(
    "--show",
    type=click.Choice(["documents", "topics"]),
    default="documents",
    show_default=True,
    help="List documents, or the number of documents of each topic.",
)
@run_policies
@no_topic_groups
@input_options
@prints_table(by_format=True)
@runs_input
def order(
    runs: RunsInput,
    depth: int,
    order: str,
    budget: int | None,
    judged: str | None,
    teams: str | None,
    seed: int,
    show: str,
    format_: str,
) -> Sheet:
    """List the documents of each topic in the order to judge them.

    The first --depth documents of each run are pooled. All orders but depth and random use the labels in --qrels,
    where a document without one counts as not relevant: judge what is listed, then call again with the labels and a
    larger --budget.
    """
    from cranfield.pooling.pools import list_documents

    context, is_fixed = click.get_current_context(), judged is None or order in ("depth", "random")
    if is_fixed:
        refuse_without_effect(context, ["rel"], "without --qrels and an order that follows its labels, such as mtf")
    if show == "topics":
        refuse_without_effect(context, ["teams"], "with --show topics")
    if show == "topics" and (judged is None or order == "depth"):
        refuse_without_effect(context, ["seed"], "with --show topics, whose numbers do not depend on the order")
    choice: Any = {"order": order, "depth": depth, "budget": budget, "qrels": judged, "teams": teams, "seed": seed}
    listed = list_documents(runs.paths, **choice, reading=runs.reading)
    return Sheet.from_frame(_select_table(listed, show, judged, format_), _describe_list(listed), listed.signature)


def _select_table(selection: JudgingList | PoolSample, show: str, judged: str | None, format_: str) -> pd.DataFrame:
    """Return a table of the selection, without a column of labels where no judgments were given.

    A label that is missing is empty, and null in JSON; whole labels are integers.
    """
    import pandas as pd

    frame = selection.to_frame(show)
    if "label" not in frame:
        return frame
    missing = math.nan if format_ == "json" else ""
    labels = [
        missing if math.isnan(label) else int(label) if label.is_integer() else label
        for label in frame.pop("label").tolist()
    ]
    return frame if judged is None else frame.assign(label=pd.Series(labels, frame.index, dtype=object))


def _describe_list(judging_list: JudgingList) -> str:

    listed, judged, pooled = (int(judging_list.topics[name].sum()) for name in ("listed", "judged", "pooled"))
    settings = judging_list.settings
    return (
        f"{counted(listed, 'document')} of {pooled:,} pooled, {judged:,} of them judged already; order "
        f"{settings['order']}, depth {settings['depth']:,}, seed {settings['seed']}"
    )


def _parse_strata(_: click.Context, __: click.Parameter, texts: tuple[str, ...]) -> dict[int, float]:
    """Parse texts such as ``10:1`` into last rank -> share."""
    strata: dict[int, float] = {}
    for text in texts:
        end, colon, rate = text.partition(":")
        try:
            strata[int(end)], known = float(rate), int(end) in strata
        except ValueError:
            colon, known = "", False
        if not colon or known:
            raise UsageError(f"--stratum {text!r}: expected RANK:SHARE, such as 50:0.2, each rank once")
    return strata


@pool.command(
    "sample", cls=CommandOfRuns, unset_by_protocol=("measure", "rel"), short_help="Draw a stratified sample to judge."
)
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@click.option(
    "--stratum",
    "strata",
    metavar="RANK:SHARE",
    multiple=True,
    callback=_parse_strata,
    help="Last rank of a stratum, and the share of it to sample; repeat.  [default: 10:1 100:0.1]",
)
@judged_option
@click.option("--only-judged", is_flag=True, help="Pool only documents of --qrels, to try a plan.")
@seed_option
@click.option(
    "--show",
    type=click.Choice(["documents", "strata", "prels"]),
    default="documents",
    show_default=True,
    help="Documents to judge; sizes of the strata; or the judgments of the sample, as sample_eval reads them.",
)
@run_policies
@no_topic_groups
@names_option
@file_options
@format_option()
@output_option
@runs_input
def sample(
    runs: RunsInput,
    strata: dict[int, float],
    judged: str | None,
    only_judged: bool,
    seed: int,
    show: str,
    format_: str,
    output: str | None,
) -> None:
    """Draw a stratified sample of the pool, with all documents of its top and a part of the others.

    The stratum of a document follows from its best rank in any run. The same runs and --seed give the same sample:
    judge what is listed, then call again with the labels as --qrels and --show prels. Then
    `cranfield evaluate sampled.prels RUN... --sampling-error` estimates scores from it.
    """
    from cranfield.io.trec import trec_lines
    from cranfield.pooling.sampling import STRATA, sample_pool

    if show == "prels" and (judged is None or format_ != "table"):
        raise UsageError("--show prels needs the labels, as --qrels QRELS, and has a format of its own")
    check_output_path(output)
    if show == "strata" and not only_judged:
        refuse_without_effect(click.get_current_context(), ["judged"], "with --show strata but for --only-judged")
    choice: Any = {"strata": strata or STRATA, "qrels": judged, "only_judged": only_judged, "seed": seed}
    with warnings_to_stderr():
        drawn = sample_pool(runs.paths, **choice, reading=runs.reading)
    if show == "prels":
        emit(trec_lines(drawn.to_qrels()), output)
        click.echo(_describe_sample(drawn), err=True)
    else:
        present(
            Sheet.from_frame(_select_table(drawn, show, judged, format_), _describe_sample(drawn), drawn.signature),
            format_,
            output,
        )


def _describe_sample(drawn: PoolSample) -> str:

    parts = [
        f"ranks {row.first:,} to {row.last:,}: {row.sampled:,} of {row.pooled:,}" for row in drawn.strata.itertuples()
    ]
    total = counted(len(drawn.documents), "document")
    return f"{total} sampled; {'; '.join(parts)}; seed {drawn.settings['seed']}; {shorten_signature(drawn.signature)}"
