"""``cranfield study-tests``: which test to use on this collection."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from cranfield.cli._command import command_of_runs
from cranfield.cli._options import cluster_option, format_option, output_option, seed_option
from cranfield.cli._output import check_output_path, emit, show_progress, warnings_to_stderr
from cranfield.cli._scores_input import ScoresInput, one_measure_input
from cranfield.cli._topic_groups import refuse_topic_groups
from cranfield.results.sheet import Sheet

if TYPE_CHECKING:
    from cranfield.comparison.study import TestStudy

NOT_FOR_A_SCREEN = ("type_1_se", "type_3_se")
"""Columns that do not fit on a screen."""


@command_of_runs("study-tests")
@one_measure_input
@click.option(
    "--test",
    "tests",
    multiple=True,
    type=click.Choice(["t", "wilcoxon", "sign", "permutation", "bootstrap", "welch", "tukey", "randomized-tukey"]),
    metavar="TEST",
    help="t, wilcoxon, sign, permutation, bootstrap, welch, tukey or randomized-tukey; repeat.  [default: all but "
    "welch]",
)
@click.option(
    "--correction",
    "corrections",
    multiple=True,
    type=click.Choice(["max-t", "max-t-step-down", "holm", "bh", "bonferroni", "none"]),
    metavar="NAME",
    help="max-t, max-t-step-down, holm, bh, bonferroni or none; repeat.  [default: each test's own; t also none]",
)
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Significance level.")
@click.option(
    "--topics",
    "-n",
    "sizes",
    multiple=True,
    type=click.IntRange(2),
    help="Topics per trial; repeat.  [default: those of the scores]",
)
@click.option(
    "--systems",
    type=click.IntRange(2),
    help="Systems per trial, drawn at random.  [default: all, up to 40]",
)
@click.option(
    "--effect",
    "effects",
    multiple=True,
    type=float,
    default=(0.05, 0.1),
    show_default=True,
    help="True difference of two halves of the systems; repeat.",
)
@click.option(
    "--null",
    type=click.Choice(["means", "exchangeable"]),
    default="means",
    show_default=True,
    help="What systems share where there is no true difference: the mean, or the distribution.",
)
@click.option("--trials", type=click.IntRange(1), default=500, show_default=True, help="Simulated score matrices.")
@click.option(
    "--resamples",
    type=click.IntRange(1),
    default=500,
    show_default=True,
    help="Resamples per test and trial.",
)
@cluster_option
@seed_option
@refuse_topic_groups("a study draws the topics of its trials at random, and a group would only be a smaller pool")
@format_option()
@output_option
def study_tests(
    scores: ScoresInput,
    sizes: tuple[int, ...],
    tests: tuple[str, ...],
    corrections: tuple[str, ...],
    trials: int,
    format_: str,
    output: str | None,
    **options: Any,
) -> None:
    """Simulate how often each test errs, and its power, on scores like these.

    In a trial all systems have the same true mean (difference 0), or a random half lies above the others by an effect;
    scores preserve each system's distribution and the dependence between systems.

    type_1: share of the pairs without a true difference that are significant. family_wise: share of trials with any
    such pair. power and type_3: shares of the pairs with a true difference that are significant in the right and in the
    wrong direction. se: Monte Carlo standard errors.
    """
    from cranfield.comparison.study import study_tests as study

    check_output_path(output)
    with warnings_to_stderr():
        array = scores.array()
        with show_progress("trials", trials * max(1, len(set(sizes)))) as progress:
            outcome = study(
                array,
                tests=tests or None,  # type: ignore[arg-type]
                corrections=corrections or None,  # type: ignore[arg-type]
                topics=sizes or None,
                trials=trials,
                progress=progress,
                **options,
            )
    rows, caption, answer = outcome.rates, "", ""
    if format_ == "table":
        silent = ["topics"] if len(outcome.settings["topics"]) == 1 else []
        rows = rows.drop(columns=[*NOT_FOR_A_SCREEN, *silent])
        caption, answer = "\n".join(_describe_study(outcome, array.sizes["system"])), _recommend_test(outcome)
    sheet = replace(Sheet.from_frame(rows, caption, outcome.signature), answer=answer)
    emit(sheet.text(format_, plain=output is not None), output)


def _recommend_test(outcome: TestStudy) -> str:
    """Recommend the most powerful test among those that keep to the level, in one sentence.

    A test keeps to it where the share of trials with a false positive is at most alpha, or within two Monte Carlo
    standard errors. Power is that of the smallest difference on the most topics.
    """
    alpha, rates = outcome.settings["alpha"], outcome.rates
    excess = rates["family_wise"] - 2 * rates["family_wise_se"].fillna(0) - alpha
    methods = excess.groupby([rates["test"], rates["correction"]], sort=False).max()
    names = {method: f"{method[0]} ({method[1]})" for method in methods.index}
    keeping = [method for method in methods.index if not methods[method] > 0]
    above = [names[method] for method in methods.index if methods[method] > 0]
    rule = f"a false positive in at most {100 * alpha:g}% of trials, within two standard errors"
    if not keeping:
        return f"None of these tests had {rule}."
    others = f"; more often: {', '.join(above)}" if above else ""
    effects = [effect for effect in outcome.settings["effects"] if effect]
    if not effects:
        return f"Tests with {rule}: {', '.join(names[method] for method in keeping)}{others}."
    shown = rates[(rates["difference"] == min(effects)) & (rates["topics"] == max(outcome.settings["topics"]))]
    power = shown.set_index(["test", "correction"])["power"]
    best = max(keeping, key=lambda method: float(power[method]))
    found = f"its power is {power[best]:.3f} for a difference of {min(effects):g} on {shown['topics'].iloc[0]:,} topics"
    scope = "is the only test" if len(keeping) == 1 else f"has the largest power of the {len(keeping)} tests"
    return f"{names[best]} {scope} with {rule}: {found}{others}."


def _describe_study(outcome: TestStudy, available: int) -> list[str]:
    """Describe the simulation."""
    from cranfield._text import shown

    settings = outcome.settings
    topics = " and ".join(f"{n:,}" for n in settings["topics"])
    drawn_from = "" if settings["systems"] == available else f" of {available:,}, drawn at random,"
    alike = {
        "means": "each with its own distribution moved to this mean, and with the correlations observed",
        "exchangeable": "all with the distribution of all scores moved to this mean, and the mean correlation",
    }[settings["null"]]
    apart = ", ".join(f"{effect:g}" for effect in settings["effects"])
    halves = f"; or two random halves, {apart} apart" if apart else ""
    drawn = f", {settings['resamples']:,} resamples each" if settings["resamples"] else ""
    nothing = [
        f"{column} is empty where no pair of systems has {'a' if column == 'power' else 'no'} true difference"
        for column in ("type_1", "power")
        if outcome.rates[column].isna().any()
    ]
    return [
        f"{shown(outcome.measure)}, simulated: {settings['trials']:,} trials of {settings['systems']:,} systems"
        f"{drawn_from} on {topics} topics, alpha {settings['alpha']:g}{drawn}, seed {settings['seed']}",
        f"true mean {outcome.mean:.4f} of all systems, {alike}{halves}",
        *nothing,
    ]
