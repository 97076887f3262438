"""``cranfield compare``: which differences between systems are more than chance."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, get_args

import click

from cranfield._text import shown
from cranfield.cli._across_groups import adjust_level, adjust_options, run_group_tests
from cranfield.cli._command import command_of_runs
from cranfield.cli._effects import refuse_without_effect
from cranfield.cli._holes import holes_options, print_differences
from cranfield.cli._options import (
    dask_option,
    limit_option,
    refuse_limit,
    replicates_option,
    seed_option,
    topic_clusters_options,
)
from cranfield.cli._output import prints_table
from cranfield.cli._preference import PREFERENCES, describe_preferences, join_preferences, refuse_other_tables
from cranfield.cli._scores_input import ScoresInput, one_measure_input
from cranfield.cli._topic_groups import split_scores_by_group
from cranfield.errors import UsageError
from cranfield.io.system_names import expanded
from cranfield.results.sheet import Sheet, shorten_signature
from cranfield.statistics.test_names import Test

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

    from cranfield.comparison.result import Comparison
    from cranfield.scores.matrix import MeasureScores
    from cranfield.statistics.rank_confidence_sets import Method


FOR_PAPER = ("system", "other", "mean", "mean_other", "difference", "low", "high", "d_pair", "p_adjusted")
"""Columns that fit into a paper; the others are in csv and json."""
NOT_FOR_A_SCREEN = (
    "d_pair_low",
    "d_pair_high",
    "d_residual_low",
    "d_residual_high",
    "statistic",
    "p_adjusted_standard_error",
)
"""Columns that do not fit on a screen."""
FIRST_ON_A_SCREEN = ("system", "other", "difference", "low", "high", "p_adjusted", "significant")
"""Columns that fit into 80 characters together, as they answer which systems differ."""
POWER = ("difference", "power")
ELSEWHERE = {"ranks": POWER, "margin": (*POWER, "interval"), "topic_clusters": ("power",), "replicates": ("power",)}
"""What chooses a table or its units -> options of other tables."""
UNEVEN = "means are over different topics and do not rank systems"


@command_of_runs(tested=True)
@functools.partial(holes_options, printer=print_differences, own_seed=False)
@functools.partial(one_measure_input, holes=True)
@split_scores_by_group(several=False, tested=True, across=True)
@click.option(
    "--test",
    type=click.Choice(get_args(Test)),
    default="t",
    show_default=True,
    metavar="TEST",
    help="Pairs: t, wilcoxon, sign, permutation, bootstrap, welch. All: tukey, randomized-tukey, dunnett.",
)
@click.option("--baseline", multiple=True, metavar="NAME", help="Compare with this system only; repeat.")
@click.option(
    "--correction",
    type=click.Choice(["max-t", "max-t-step-down", "holm", "bh", "bonferroni", "none"]),
    metavar="NAME",
    help="max-t, max-t-step-down, holm, bh, bonferroni or none.  [default: max-t by resampling, else holm]",
)
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Significance level.")
@click.option(
    "--margin",
    type=float,
    help="Also test non-inferiority and equivalence by this margin.",
)
@click.option(
    "--interval",
    type=click.Choice(["t", "percentile", "bca"]),
    metavar="NAME",
    help="Pair by pair: t, percentile or bca.  [default: joint]",
)
@click.option(
    "--preference",
    type=click.Choice(PREFERENCES),
    metavar="NAME",
    help="Also print a preference, as in `compare prefer`.",
)
@click.option(
    "--ranks",
    is_flag=True,
    help="Print the leaderboard with an interval of each rank.",
)
@click.option(
    "--groups",
    is_flag=True,
    help="Print the leaderboard with letters, up to 20 systems.",
)
@click.option(
    "--difference",
    type=float,
    help="Also print the topics that detect this difference.",
)
@click.option("--power", type=float, help="Power for --difference.  [default: 0.8]")
@click.option(
    "--resamples",
    type=click.IntRange(1),
    help="Resamples.  [default: 1,000 to 10,000, by the method]",
)
@topic_clusters_options
@replicates_option
@limit_option
@dask_option
@seed_option
@prints_table("latex", "markdown", by_format=True)
def compare(
    scores: ScoresInput,
    preference: str | None,
    ranks: bool,
    groups: bool,
    difference: float | None,
    power: float | None,
    limit: int | None,
    format_: str,
    **options: Any,
) -> Sheet:
    """Test the differences between systems, of all pairs or with a baseline.

    For each pair: mean difference with its interval, raw and adjusted p, topics won, tied and lost, and effect
    sizes: the difference in deviations of the pair (d_pair) or of residuals (d_residual).
    """
    from cranfield.cli._comparison_text import describe_comparison
    from cranfield.cli._pair_choice import choose_pairs

    if difference is not None and format_ != "table":
        raise UsageError(f"--difference is answered below a table, and {format_} does not have one: leave --format out")
    if groups or ranks:
        refuse_limit(limit, "leave --groups and --ranks out")
    _refuse_without_effect({"ranks": ranks, "groups": groups, **options}, format_)
    _refuse_for_units(options, preference, difference, ranks=ranks)
    refuse_other_tables(preference, other_table=groups or ranks or options["margin"] is not None)
    if ranks:
        return _rank_systems(scores.array(), format_, options, groups=groups)
    if groups:
        _refuse_letters(scores, options)
    tested = scores.measure_scores()
    comparison = join_preferences(scores, _test_pairs(tested, options), preference)
    rows, left_out = choose_pairs(comparison, limit, format_)
    if groups:
        rows, left_out = _group_systems(comparison, tested), ""
    if format_ in ("latex", "markdown"):
        return _tabulate_for_paper(comparison, rows, tested.topic_count, groups=groups)
    if format_ == "table":
        description = describe_comparison(tested, comparison, difference, power, groups=groups)
        return _tabulate_for_screen(comparison, rows, [left_out, *description], groups=groups)
    return Sheet.from_frame(rows, "", comparison.signature)


def _tabulate_for_screen(comparison: Comparison, rows: pd.DataFrame, lines: list[str], *, groups: bool) -> Sheet:
    """Tabulate pairs or groups after a sentence that answers which differ."""
    from cranfield.cli._pair_choice import describe_first

    caption = lines
    caption += [UNEVEN] if groups and "topics" in rows else []
    caption += describe_preferences(comparison)
    sheet = Sheet.from_frame(_select_screen_columns(rows), "\n".join(filter(None, caption)), comparison.signature)
    answer = describe_first(comparison)
    return replace(sheet, answer=f"{answer}." if answer else "")


def _refuse_letters(scores: ScoresInput, options: dict[str, Any]) -> None:
    """Refuse letters that cannot be computed, before runs are read."""
    from cranfield.comparison.result import refuse_letters

    if options["baseline"]:
        raise UsageError("groups need all pairs of systems: leave --groups or --baseline out")
    if options["margin"] is not None:
        raise UsageError("--groups and --margin print different tables: leave one of them out")
    if options["replicates"] is None:
        refuse_letters(len([file for run in scores.runs.paths for file in expanded(run)]))


def _refuse_without_effect(chosen: Mapping[str, Any], format_: str) -> None:
    """Refuse options that change nothing in the table that is printed."""
    from cranfield.comparison.outcome import count_resamples

    context = click.get_current_context()
    for table, names in ELSEWHERE.items():
        if chosen[table] not in (None, False) and not (table == "margin" and chosen["groups"]):
            refuse_without_effect(context, names, f"with --{table.replace('_', '-')}")
    if format_ in ("latex", "markdown"):
        refuse_without_effect(context, ["preference"], f"in {format_}, which has the columns of a paper")
    if format_ != "table":
        refuse_without_effect(context, ["power"], f"in {format_}: the topics that a test needs stand below a table")
    if not (chosen["ranks"] or count_resamples(chosen["test"], chosen["interval"], chosen["resamples"])):
        refuse_without_effect(context, ["seed"], f"with --test {chosen['test']}, which draws nothing at random")


def _refuse_for_units(
    options: dict[str, Any], preference: str | None, difference: float | None, *, ranks: bool
) -> None:
    """Raise UsageError for what does not work with clusters of topics, or with several runs of a system."""
    for option, is_set in (("--preference", preference is not None), ("--difference", difference is not None)):
        if is_set and options["topic_clusters"] is not None:
            raise UsageError(f"{option} takes each topic by itself: leave it out, or --topic-clusters")
        if is_set and options["replicates"] is not None:
            raise UsageError(f"{option} takes each run by itself: leave it out, or --replicates")
    if ranks and options["replicates"] is not None:
        raise UsageError("--ranks takes each run by itself: leave it out, or --replicates")


def _test_pairs(scores: MeasureScores, options: dict[str, Any]) -> Comparison:
    """Test pairs of systems, corrected with the tests of other groups of topics where requested."""
    from cranfield.comparison.pairwise import compare as test_pairs

    options = adjust_options(options)
    level = adjust_level(options["alpha"], options["interval"])
    return run_group_tests(lambda: test_pairs(scores, level=level, **options))


def _rank_systems(array: xr.DataArray, format_: str, options: dict[str, Any], *, groups: bool) -> Sheet:
    """Estimate rank intervals by the resamples of the requested test."""
    from cranfield.cli._comparison_text import tabulate_ranks
    from cranfield.comparison.ranks import estimate_ranks

    methods: dict[str, Method] = {"t": "flips", "permutation": "flips", "bootstrap": "bootstrap"}
    method = methods.get(options["test"])
    refused = {"--groups": groups, "--baseline": options["baseline"], "--margin": options["margin"] is not None}
    refused |= {"--correction": options["correction"] is not None, "--interval": options["interval"] is not None}
    if method is None or any(refused.values()):
        what = next((name for name, is_given in refused.items() if is_given), f"--test {options['test']}")
        raise UsageError(f"--ranks tests all ordered pairs together by sign flips or the bootstrap: leave {what} out")
    shared = {name: options[name] for name in ("alpha", "resamples", "seed", "dask", "topic_clusters", "mean_over")}
    return tabulate_ranks(estimate_ranks(array, procedure=method, **shared), format_, array.sizes["topic"])


def _group_systems(comparison: Comparison, scores: MeasureScores) -> pd.DataFrame:
    """Tabulate the leaderboard with letters, and the number of topics of each mean where these differ."""
    rows = comparison.groups().reset_index()
    if scores.has_gaps and "replicates" not in comparison.settings:
        topics = dict(zip(scores.systems, scores.scored_topics.tolist(), strict=True))
        rows.insert(2, "topics", rows["system"].map(topics))
    return rows


def _select_screen_columns(rows: pd.DataFrame) -> pd.DataFrame:
    """Put the answer first; drop columns that do not fit, or say nothing: errors of 0, or the same number of topics."""
    silent = [name for name in ("p_standard_error",) if name in rows and not rows[name].any()]
    silent += [name for name in ("topics", "clusters") if name in rows and rows[name].nunique() == 1]
    first = [name for name in FIRST_ON_A_SCREEN if name in rows]
    others = [name for name in rows if name not in (*first, *NOT_FOR_A_SCREEN, *silent)]
    return rows[[*first, *others]]


def _tabulate_for_paper(comparison: Comparison, rows: pd.DataFrame, topics: int, *, groups: bool) -> Sheet:
    """Tabulate a leaderboard with the best mean in bold, or pairs with marks of significance, and describe the test."""
    from cranfield.cli._comparison_text import describe_interval, describe_margin, describe_test, describe_topics

    settings, marks, best = comparison.settings, {}, set()
    tests = f"{shown(comparison.measure)}, {describe_topics(comparison, topics)}; {describe_test(settings)}"
    if groups:
        caption = f"{tests}; systems that share a letter do not differ significantly at {settings['alpha']:g}"
        caption += f"; {UNEVEN}" if "topics" in rows else "; bold: best"
        best = {(row, 1) for row, mean in enumerate(rows["mean"]) if mean == rows["mean"][0] and "topics" not in rows}
    elif comparison.margins is not None:
        caption = f"{shown(comparison.measure)}, {topics:,} topics; {describe_margin(settings)}"
    else:
        caption = f"{tests}; * significant: adjusted p < {settings['alpha']:g}; {describe_interval(settings)}"
        column = FOR_PAPER.index("difference")
        marks = {(row, column): "*" for row, significant in enumerate(rows["significant"]) if significant}
        rows = rows[list(FOR_PAPER)]
    sheet = Sheet.from_frame(rows, f"{caption}; {shorten_signature(comparison.signature)}", comparison.signature)
    return replace(sheet, best=best, marks=marks)
