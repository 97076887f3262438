"""``cranfield pool settle``: which unjudged documents would say most about the difference of two runs."""

from __future__ import annotations

import functools
from typing import Any

import click

from cranfield.cli._command import CommandOfRuns
from cranfield.cli._holes import DRAWS, HolesRequest, fit_holes, model_options, warn_of_assumptions
from cranfield.cli._options import (
    OPEN_TIES,
    input_options,
    measure_option,
    policy_options,
)
from cranfield.cli._output import prints_table
from cranfield.cli._runs_input import RunsInput, runs_arguments, runs_input
from cranfield.cli._scores_input import refuse_unread_rel
from cranfield.cli._topic_groups import refuse_topic_groups
from cranfield.collection.policy import REWRITING
from cranfield.errors import UsageError
from cranfield.results.sheet import Sheet


@click.command("settle", cls=CommandOfRuns, needs_all=True, short_help="List what to judge to decide between two runs.")
@runs_arguments
@measure_option("nDCG@10", several=False)
@click.option("--budget", type=click.IntRange(1), default=50, show_default=True, help="Documents to list.")
@model_options
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Random seed of the draws.")
@functools.partial(policy_options, names=("ties", "missing", "on_duplicate", *REWRITING), refused=tuple(OPEN_TIES))
@refuse_topic_groups("the documents of all topics compete for the budget: select the lines of its topics")
@input_options
@prints_table(by_format=True)
@runs_input
def settle(
    runs: RunsInput,
    measures: tuple[str, ...],
    budget: int,
    draws: int | None,
    seed: int,
    format_: str,
    **fitting: Any,
) -> Sheet:
    """List the unjudged documents whose labels would say most about which of two runs is better.

    The value of a document is the variance that its label takes off the difference of its topic. Judge what is listed,
    add the labels to QRELS, and call again. The order clearly beats chance, and order by rank by little.
    """
    if len(runs.paths) != 2 or len(measures) > 1:
        raise UsageError("two runs are settled by one measure: QRELS RUN RUN -m MEASURE")
    chosen = list(measures) or ["nDCG@10"]
    refuse_unread_rel(chosen)
    fitting = {name: value for name, value in fitting.items() if value not in (None, ())}
    request = HolesRequest("estimate", fitting, draws or DRAWS, "fixed", seed)
    fitted = fit_holes(runs, request, chosen)
    first, second = fitted.systems
    result = fitted.judge_next(first, second, chosen[0], budget, draws=request.draws, seed=seed)
    from cranfield.holes.result import describe_settings

    described = f"{result.settings['measure']}; {describe_settings(result.settings, 2)}"
    caption = "\n".join([described, *result.caveats, "value: variance that the label takes off the difference"])
    warn_of_assumptions(result.caveats, format_)
    return Sheet.from_frame(result.documents, caption, result.signature)
