"""``cranfield compare``: which differences between systems are more than chance."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from cranfield.cli.limit import limit_option
from cranfield.cli.options import format_option, output_option, seed_option
from cranfield.cli.scores_option import ScoresInput, one_measure_input
from cranfield.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

    from cranfield.comparison.pairwise import Comparison
    from cranfield.results.sheet import Sheet


FOR_PAPER = ("system", "other", "mean", "mean_other", "difference", "low", "high", "effect", "p_adjusted")
"""Columns that a paper has room for; the others are in csv and json."""


@click.command(short_help="Test which differences between systems are not chance.")
@one_measure_input
@click.option(
    "--test",
    type=click.Choice(["t", "wilcoxon", "sign", "permutation", "bootstrap", "welch", "tukey", "randomized-tukey"]),
    default="t",
    show_default=True,
    help="Tests of pairs; welch for systems on different topics; the Tukey tests look at all systems at once.",
)
@click.option("--baseline", "baselines", multiple=True, metavar="NAME", help="Compare with this system only; repeat.")
@click.option(
    "--correction",
    type=click.Choice(["holm", "bh", "bonferroni", "none"]),
    help="Adjustment of p for the number of pairs.  [default: holm; the Tukey tests adjust themselves]",
)
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Level of significance.")
@click.option(
    "--interval",
    type=click.Choice(["t", "percentile", "bca"]),
    help="Interval of the mean difference.  [default: the test's own]",
)
@click.option(
    "--groups", is_flag=True, help="The leaderboard, with letters that systems share whose difference may be chance."
)
@click.option(
    "--difference", type=float, help="Below the table, the number of topics that detect so large a true difference."
)
@click.option("--power", type=float, default=0.8, show_default=True, help="Probability of detecting it.")
@click.option(
    "--resamples",
    type=click.IntRange(1),
    help="What the test and the interval draw each.  [default: 1,000 of bootstrap, 10,000 of permutation and "
    "randomized-tukey, 2,000 of an interval beside another test]",
)
@limit_option
@seed_option
@format_option("latex", "markdown")
@output_option
def compare(
    scores: ScoresInput,
    groups: bool,
    difference: float | None,
    power: float,
    limit: int | None,
    format_: str,
    output: str | None,
    **options: Any,
) -> None:
    """Test the differences between systems: all pairs, or each system with a baseline; the largest first.

    Of each pair: the mean difference with its interval, its size in standard deviations, p raw and adjusted, and on how
    many topics the first system wins, ties and loses.
    """
    from cranfield.cli.limit import by_size, limited, refuse_limit
    from cranfield.cli.streams import check_place, emit, warnings_to_stderr
    from cranfield.comparison.pairwise import compare as test_pairs
    from cranfield.results.sheet import Sheet

    if difference is not None and format_ != "table":
        raise UsageError(f"--difference is answered below a table, which {format_} has not: leave --format out")
    if groups:
        refuse_limit(limit, "leave --groups out")
    check_place(output)
    with warnings_to_stderr() as gathered:
        array = scores.array(gathered)
        tested = test_pairs(array, **options)
        pairs, left_out = limited(by_size(tested.pairs), limit, format_, "the largest differences first")
        if format_ in ("latex", "markdown"):
            sheet = _for_paper(tested, pairs, array.sizes["topic"], groups=groups)
        else:
            table = tested.groups().reset_index() if groups else pairs
            said = _caption(array, tested, difference, power) if format_ == "table" else ""
            caption = f"{left_out}\n{said}" if left_out and not groups else said
            sheet = Sheet.of_frame(table, caption, tested.signature)
    emit(sheet.text(format_, plain=output is not None), output)


def _for_paper(tested: Comparison, pairs: pd.DataFrame, topics: int, *, groups: bool) -> Sheet:
    """A leaderboard with the best mean in bold, or pairs with a mark on what is significant; what was done below."""
    from cranfield.results.sheet import Sheet, mark_of
    from cranfield.wording import drawn, shown

    how = tested.settings
    said = f"{shown(tested.measure)}, {topics:,} topics; test={how['test']}, correction={how['correction']}{drawn(how)}"
    if groups:
        caption = f"{said}; systems that share a letter are not distinguished at {how['alpha']:g}; bold: best"
        table, marks = tested.groups().reset_index(), {}
        best = {(row, 1) for row, mean in enumerate(table["mean"]) if mean == table["mean"][0]}
    else:
        caption = f"{said}; * significant: adjusted p < {how['alpha']:g}; low and high: interval of the difference"
        table, best = pairs[list(FOR_PAPER)], set()
        column = FOR_PAPER.index("difference")
        marks = {(row, column): "*" for row, significant in enumerate(pairs["significant"]) if significant}
    sheet = Sheet.of_frame(table, f"{caption}; {mark_of(tested.signature)}", tested.signature)
    return replace(sheet, best=best, marks=marks)


def _caption(array: xr.DataArray, tested: Comparison, difference: float | None, power: float) -> str:
    """What was done, and what these topics could find."""
    from cranfield.comparison.topic_set_size import estimate_detectable_difference, estimate_topics_needed
    from cranfield.errors import InputError
    from cranfield.wording import drawn, shown

    how = tested.settings
    few = int(tested.pairs["significant"].sum())
    pairs = "1 pair" if len(tested.pairs) == 1 else f"{len(tested.pairs):,} pairs"
    lines = [
        f"{shown(tested.measure)}, {array.sizes['topic']:,} topics: {few:,} of {pairs} significant at {how['alpha']:g} "
        f"(test={how['test']}, correction={how['correction']}{drawn(how)})"
    ]
    try:
        least = estimate_detectable_difference(array, power=power, alpha=how["alpha"]).difference
        lines.append(
            f"a t-test of one pair on so many topics finds a true difference of {least:.4f} in {power:.0%} of cases"
        )
    except InputError:
        if difference is not None:
            raise
    if difference is not None:
        for design, what in (("t", "a t-test of one pair"), ("anova", "ANOVA of all systems")):
            needed = estimate_topics_needed(array, difference, design=design, power=power, alpha=how["alpha"])  # type: ignore[arg-type]
            lines.append(
                f"{needed.topics:,} topics find a difference of {difference:g} in {power:.0%} of cases by {what}"
            )
    return "\n".join(lines)
