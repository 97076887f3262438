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

    from cranfield.comparison.result import Comparison
    from cranfield.results.sheet import Sheet


FOR_PAPER = ("system", "other", "mean", "mean_other", "difference", "low", "high", "d_pair", "p_adjusted")
"""Columns that a paper has room for; the others are in csv and json."""
NOT_FOR_A_SCREEN = ("d_pair_low", "d_pair_high", "d_residual_low", "d_residual_high", "statistic", "p_adjusted_se")
"""Columns that a screen has no room for."""


@click.command(short_help="Test which differences between systems are not chance.")
@one_measure_input
@click.option(
    "--test",
    type=click.Choice(
        ["t", "wilcoxon", "sign", "permutation", "bootstrap", "welch", "tukey", "randomized-tukey", "dunnett"]
    ),
    default="t",
    show_default=True,
    metavar="TEST",
    help="Of pairs: t, wilcoxon, sign, permutation, bootstrap; welch for systems on different topics. Of all systems "
    "at once: tukey, randomized-tukey; dunnett of all against one baseline.",
)
@click.option("--baseline", "baselines", multiple=True, metavar="NAME", help="Compare with this system only; repeat.")
@click.option(
    "--correction",
    type=click.Choice(["max-t", "max-t-step-down", "holm", "bh", "bonferroni", "none"]),
    help="For the number of pairs.  [default: max-t of permutation and bootstrap, else holm; the Tukey tests and "
    "dunnett adjust themselves]",
)
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Level of significance.")
@click.option(
    "--margin", type=float, help="Test whether systems are no worse by so much, and equivalent within it; above 0."
)
@click.option(
    "--interval",
    type=click.Choice(["t", "percentile", "bca"]),
    help="Of each pair's mean difference by itself; of 95%, t covers .93-.95, the others .85-.90 with 10 topics and "
    ".90-.93 with 25.  [default: of all pairs together, as they are corrected]",
)
@click.option(
    "--groups",
    is_flag=True,
    help="The leaderboard, with letters that systems share whose difference may be chance; up to 20 systems.",
)
@click.option("--difference", type=float, help="Below the table, say how many topics find so large a true difference.")
@click.option("--power", type=float, default=0.8, show_default=True, help="Probability with which to find it.")
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

    Of each pair: the mean difference with its interval, its size in standard deviations of the pair's differences
    (d_pair) and of the residual (d_residual), p raw and adjusted, and on how many topics the first system wins, ties
    and loses. With --margin: whether it is no worse than the other, and as good.
    """
    from cranfield.cli.comparison_caption import said_of
    from cranfield.cli.limit import by_size, limited
    from cranfield.cli.streams import check_place, emit, warnings_to_stderr
    from cranfield.comparison.pairwise import compare as test_pairs
    from cranfield.results.sheet import Sheet

    if difference is not None and format_ != "table":
        raise UsageError(f"--difference is answered below a table, which {format_} has not: leave --format out")
    check_place(output)
    with warnings_to_stderr() as gathered:
        array = scores.array(gathered)
        found = test_pairs(array, **options)
        whole = found.pairs if found.margins is None else found.margins
        rows, left_out = limited(by_size(whole), limit, format_, "the largest differences first")
        if groups:
            rows, left_out = found.groups().reset_index(), ""
        if format_ in ("latex", "markdown"):
            sheet = _for_paper(found, rows, array.sizes["topic"], groups=groups)
        elif format_ == "table":
            caption = [left_out] if left_out else []
            caption += said_of(array, found, difference, power, groups=groups)
            sheet = Sheet.of_frame(_for_screen(rows), "\n".join(caption), found.signature)
        else:
            sheet = Sheet.of_frame(rows, "", found.signature)
    emit(sheet.text(format_, plain=output is not None), output)


def _for_screen(rows: pd.DataFrame) -> pd.DataFrame:
    """Without what a screen has no room for, and what says nothing: an error of 0, a number of topics that is known."""
    silent = [name for name in ("p_se",) if name in rows and not rows[name].any()]
    silent += [name for name in ("topics",) if name in rows and rows[name].nunique() == 1]
    return rows.drop(columns=[name for name in (*NOT_FOR_A_SCREEN, *silent) if name in rows])


def _for_paper(found: Comparison, rows: pd.DataFrame, topics: int, *, groups: bool) -> Sheet:
    """A leaderboard with the best mean in bold, or pairs with a mark on what is significant; what was done below."""
    from cranfield.cli.comparison_caption import interval_of, margin_of, way_of
    from cranfield.results.sheet import Sheet, mark_of
    from cranfield.wording import shown

    how, marks, best = found.settings, {}, set()
    said = f"{shown(found.measure)}, {topics:,} topics; {way_of(how)}"
    if groups:
        caption = f"{said}; systems that share a letter do not differ significantly at {how['alpha']:g}; bold: best"
        best = {(row, 1) for row, mean in enumerate(rows["mean"]) if mean == rows["mean"][0]}
    elif found.margins is not None:
        caption = f"{said}; {margin_of(how)}"
    else:
        caption = f"{said}; * significant: adjusted p < {how['alpha']:g}; {interval_of(how)}"
        at = FOR_PAPER.index("difference")
        marks = {(row, at): "*" for row, significant in enumerate(rows["significant"]) if significant}
        rows = rows[list(FOR_PAPER)]
    sheet = Sheet.of_frame(rows, f"{caption}; {mark_of(found.signature)}", found.signature)
    return replace(sheet, best=best, marks=marks)
