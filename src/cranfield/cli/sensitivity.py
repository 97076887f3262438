"""``cranfield sensitivity``: the share of all system pairs that a measure distinguishes."""

from __future__ import annotations

from typing import Any

import click

from cranfield._text import drawn
from cranfield.cli._command import command_of_runs
from cranfield.cli._effects import refuse_without_effect
from cranfield.cli._options import (
    cluster_option,
    describe_units,
    limit_option,
    limit_rows,
    refuse_limit,
    seed_option,
    sort_by_size,
    topic_clusters_options,
)
from cranfield.cli._output import prints_table, show_progress_of_pairs
from cranfield.cli._scores_input import ScoresInput, scores_input
from cranfield.cli._topic_groups import split_scores_by_group
from cranfield.errors import UsageError
from cranfield.results.sheet import Sheet


@command_of_runs()
@scores_input
@split_scores_by_group()
@click.option(
    "--test",
    type=click.Choice(["bootstrap", "permutation", "randomized-tukey"]),
    default="bootstrap",
    show_default=True,
    help="Studentised paired bootstrap, sign flips, or one test of all systems.",
)
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Significance level.")
@click.option("--resamples", type=click.IntRange(1), help="Resamples.  [default: 1,000 for bootstrap, else 10,000]")
@click.option("--level", type=float, default=0.95, show_default=True, help="Coverage of the intervals.")
@click.option(
    "--curve",
    is_flag=True,
    help="Print the curve of achieved significance levels (ASL).",
)
@click.option("--differences", is_flag=True, help="Print differences in power between measures.")
@topic_clusters_options
@limit_option
@cluster_option
@seed_option
@prints_table(by_format=True)
def sensitivity(
    scores: ScoresInput,
    test: str,
    alpha: float,
    curve: bool,
    differences: bool,
    limit: int | None,
    format_: str,
    **options: Any,
) -> Sheet:
    """Estimate the discriminative power of measures, and the difference of means that suffices for significance.

    required_difference suffices for every pair (Sakai's estimate, which varies with the seed); required_95 suffices for
    95% of the pairs, and required_low to required_high is its Monte Carlo interval.
    """
    from cranfield.trust.sensitivity import estimate_sensitivity as study

    if curve and differences:
        raise UsageError("--curve and --differences are two tables: choose one")
    if curve:
        refuse_without_effect(click.get_current_context(), ["level"], "with --curve")
    if not curve and not differences:
        refuse_limit(limit, "add --curve or --differences")
    dataset = scores.dataset()
    with show_progress_of_pairs(dataset.sizes["system"]) as progress:
        sensitivities = study(dataset, test=test, alpha=alpha, progress=progress, **options)  # type: ignore[arg-type]
    if differences and sensitivities.differences.empty:
        raise UsageError("--differences compares measures: give two or more with -m")
    table, left_out = sensitivities.table.reset_index(), ""
    if curve:
        table, left_out = limit_rows(sensitivities.curve().reset_index(), limit, format_, "the smallest levels first")
    elif differences:
        table, left_out = limit_rows(
            sort_by_size(sensitivities.differences), limit, format_, "the largest differences first"
        )
    method = f"test={test}, alpha={alpha:g}{drawn(sensitivities.settings)}"
    units = describe_units(sensitivities.settings)
    caption = f"{units}{method}; intervals: on other {'clusters' if units else 'topics'} and systems like these"
    if dataset.sizes["system"] == 2:
        further = "--differences compares the measures" if len(sensitivities.table) > 1 else "name more runs"
        caption += f"\ntwo systems are one pair, whose power is 0 or 1, and its interval says little: {further}"
    caption = f"{left_out}\n{caption}" if left_out else caption
    return Sheet.from_frame(table, caption, sensitivities.signature)
