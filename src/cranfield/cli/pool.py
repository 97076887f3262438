"""``cranfield pool``: which documents should be judged?"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import click

from cranfield.cli._command import CommandOfRuns
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
from cranfield.cli._runs_input import RunsInput, runs_input
from cranfield.cli._topic_groups import refuse_topic_groups
from cranfield.cli.budget import ORDERS, budget
from cranfield.cli.reusability import reusability
from cranfield.collection.policy import REWRITING
from cranfield.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd

    from cranfield.pooling.pools import JudgingList
    from cranfield.pooling.sampling import PoolSample

of_runs = functools.partial(policy_options, names=("ties", "on_duplicate", *REWRITING), refused=tuple(OPEN_TIES))
whole_pool = refuse_topic_groups("the pool of a topic does not depend on other topics: keep the lines of its topics")
judged_option = click.option("--judged", metavar="QRELS", help="Judgments that there are already.")


@click.group()
def pool() -> None:
    """Choose what to judge: a pool in order, or a sample of it; and study what fewer judgments would have said."""


pool.add_command(budget)
pool.add_command(reusability)


@pool.command("order", cls=CommandOfRuns, unasked=("measure",), short_help="List a pool in the order to judge it.")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@click.option("--depth", type=int, default=100, show_default=True, help="Documents of each run that are pooled.")
@click.option(
    "--order", type=click.Choice(ORDERS), default="depth", show_default=True, help="In which order they are judged."
)
@click.option("--budget", type=click.IntRange(1), help="Documents of each topic.  [default: the whole pool]")
@judged_option
@click.option(
    "--teams",
    metavar="FILE",
    help="Lines of a run and its team, with a tab or a comma between them.  [default: every run is its own team]",
)
@seed_option
@click.option(
    "--show",
    type=click.Choice(["documents", "topics"]),
    default="documents",
    show_default=True,
    help="A row a document; or how many documents each topic has.",
)
@of_runs
@whole_pool
@input_options
@format_option()
@output_option
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
    output: str | None,
) -> None:
    """List the documents of each topic in the order to judge them.

    Pooled are the first --depth documents of each run. All orders but depth and random look at the labels in --judged,
    where a document without one counts as not relevant: judge what is listed, and call again with the labels and a
    larger --budget.
    """
    from cranfield.cli._output import check_place, present, warnings_to_stderr
    from cranfield.pooling.pools import list_documents
    from cranfield.results.sheet import Sheet

    check_place(output)
    choice: Any = {"order": order, "depth": depth, "budget": budget, "judged": judged, "teams": teams, "seed": seed}
    with warnings_to_stderr():
        found = list_documents(runs.paths, **choice, reading=runs.reading)
    present(Sheet.of_frame(_shown(found, show, judged), _said_of_list(found), found.signature), format_, output)


def _shown(found: JudgingList | PoolSample, show: str, judged: str | None) -> pd.DataFrame:
    """A table of it, without a column of labels where no judgments are given."""
    frame = found.to_frame(show)
    return frame if judged is not None or "label" not in frame else frame.drop(columns="label")


def _said_of_list(found: JudgingList) -> str:
    from cranfield._text import counted

    listed, judged, pooled = (int(found.topics[name].sum()) for name in ("listed", "judged", "pooled"))
    settings = found.settings
    return (
        f"{counted(listed, 'document')} of {pooled:,} pooled, {judged:,} of them judged already; order "
        f"{settings['order']}, depth {settings['depth']:,}, seed {settings['seed']}"
    )


def _strata(_: click.Context, __: click.Parameter, given: tuple[str, ...]) -> dict[int, float]:
    """Last rank -> share, from ``10:1``."""
    strata: dict[int, float] = {}
    for text in given:
        end, colon, rate = text.partition(":")
        try:
            strata[int(end)], known = float(rate), int(end) in strata
        except ValueError:
            colon, known = "", False
        if not colon or known:
            raise UsageError(f"--stratum {text!r}: expected RANK:SHARE, such as 50:0.2, each rank once")
    return strata


@pool.command("sample", cls=CommandOfRuns, unasked=("measure", "rel"), short_help="Draw a stratified sample to judge.")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@click.option(
    "--stratum",
    "strata",
    metavar="RANK:SHARE",
    multiple=True,
    callback=_strata,
    help="Down to which rank a stratum reaches, and which share of it is sampled; repeat.  [default: 10:1 100:0.1]",
)
@judged_option
@click.option("--only-judged", is_flag=True, help="Pool documents of --judged alone, to try a plan.")
@seed_option
@click.option(
    "--show",
    type=click.Choice(["documents", "strata", "prels"]),
    default="documents",
    show_default=True,
    help="What to judge; how large strata are; or the judgments of the sample, as sample_eval reads them.",
)
@of_runs
@whole_pool
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
    """Draw a stratified sample of the pool: judge all of its top and a part of the rest.

    A document's stratum is decided by its smallest rank in any run. The same runs and --seed give the same sample:
    judge what is listed, and call again with the labels as --judged and --show prels. Then
    `cranfield evaluate sampled.prels RUN... --sampling-error` scores by it.
    """
    from cranfield.cli._output import check_place, emit, present, warnings_to_stderr
    from cranfield.io.trec import trec_lines
    from cranfield.pooling.sampling import STRATA, sample_pool
    from cranfield.results.sheet import Sheet

    if show == "prels" and (judged is None or format_ != "table"):
        raise UsageError("--show prels needs the labels, as --judged QRELS, and has a format of its own")
    check_place(output)
    choice: Any = {"strata": strata or STRATA, "judged": judged, "only_judged": only_judged, "seed": seed}
    with warnings_to_stderr():
        found = sample_pool(runs.paths, **choice, reading=runs.reading)
    if show == "prels":
        emit(trec_lines(found.to_qrels()), output)
        click.echo(_said_of_sample(found), err=True)
    else:
        present(Sheet.of_frame(_shown(found, show, judged), _said_of_sample(found), found.signature), format_, output)


def _said_of_sample(found: PoolSample) -> str:
    from cranfield._text import counted
    from cranfield.results.sheet import mark_of

    parts = [
        f"ranks {row.first:,} to {row.last:,}: {row.sampled:,} of {row.pooled:,}" for row in found.strata.itertuples()
    ]
    total = counted(len(found.documents), "document")
    return f"{total} sampled; {'; '.join(parts)}; seed {found.settings['seed']}; {mark_of(found.signature)}"
