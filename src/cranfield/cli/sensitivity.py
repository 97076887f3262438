"""``cranfield sensitivity``: which share of all pairs a measure distinguishes."""

from __future__ import annotations

from typing import Any

import click

from cranfield.cli._command import command_of_runs
from cranfield.cli._options import cluster_option, format_option, limit_option, output_option, seed_option
from cranfield.cli._scores_input import ScoresInput, scores_input
from cranfield.cli._topic_groups import by_topic_groups


@command_of_runs()
@scores_input
@by_topic_groups()
@click.option(
    "--test",
    type=click.Choice(["bootstrap", "permutation", "randomized-tukey"]),
    default="bootstrap",
    show_default=True,
    help="Sakai's studentised paired bootstrap, sign flips, or all systems at once.",
)
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Level of significance.")
@click.option(
    "--resamples", type=click.IntRange(1), help="Resamples to draw.  [default: 1,000 of bootstrap, else 10,000]"
)
@click.option("--level", type=float, default=0.95, show_default=True, help="Coverage of the intervals.")
@click.option("--curve", is_flag=True, help="The ASL curve: levels in order, and the share of pairs up to each.")
@click.option("--differences", is_flag=True, help="Differences between the measures' power, with intervals.")
@limit_option
@cluster_option
@seed_option
@format_option()
@output_option
def sensitivity(
    scores: ScoresInput,
    test: str,
    alpha: float,
    curve: bool,
    differences: bool,
    limit: int | None,
    format_: str,
    output: str | None,
    **options: Any,
) -> None:
    """Discriminative power of measures on the same resamples, and how large a difference of means has to be for it.

    required_difference is enough for every pair (Sakai's estimate, which moves with the seed); required_95 is enough
    for 95% of the pairs, and lies between required_low and required_high as the draws fall.
    """
    from cranfield._text import drawn
    from cranfield.cli._options import by_size, limited, refuse_limit
    from cranfield.cli._output import check_place, present, progress_of_pairs, warnings_to_stderr
    from cranfield.errors import UsageError
    from cranfield.results.sheet import Sheet
    from cranfield.trust.sensitivity import estimate_sensitivity as study

    check_place(output)
    if curve and differences:
        raise UsageError("--curve and --differences are two tables: choose one")
    if not curve and not differences:
        refuse_limit(limit, "add --curve or --differences")
    with warnings_to_stderr() as gathered:
        dataset = scores.dataset(gathered)
        with progress_of_pairs(dataset.sizes["system"]) as progress:
            sensitivities = study(dataset, test=test, alpha=alpha, progress=progress, **options)  # type: ignore[arg-type]
    if differences and sensitivities.differences.empty:
        raise UsageError("--differences compares measures: give two or more with -m")
    table, left_out = sensitivities.table.reset_index(), ""
    if curve:
        table, left_out = limited(sensitivities.curve().reset_index(), limit, format_, "the smallest levels first")
    elif differences:
        table, left_out = limited(by_size(sensitivities.differences), limit, format_, "the largest differences first")
    how = f"test={test}, alpha={alpha:g}{drawn(sensitivities.settings)}"
    caption = f"{how}; intervals: on other topics and systems like these"
    caption = f"{left_out}\n{caption}" if left_out else caption
    present(Sheet.of_frame(table, caption, sensitivities.signature), format_, output)
