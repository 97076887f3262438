"""``cranfield risk``: what replacing a baseline may cost on single topics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cranfield._text import shown
from cranfield.cli._across_groups import adjust_options, run_group_tests
from cranfield.cli._command import command_of_runs
from cranfield.cli._effects import refuse_without_effect
from cranfield.cli._options import seed_option
from cranfield.cli._output import prints_table
from cranfield.cli._scores_input import ScoresInput, one_measure_input
from cranfield.cli._topic_groups import split_scores_by_group
from cranfield.errors import UsageError
from cranfield.results.sheet import Sheet

if TYPE_CHECKING:
    import pandas as pd

    from cranfield.comparison.risk import Risk


ELSEWHERE = {
    "by_topic": ("level", "correction", "interval", "resamples", "seed"),
    "against_all": ("baselines", "combine", "deviation", "correction"),
}
"""Table -> options of other tables."""


@command_of_runs()
@one_measure_input
@split_scores_by_group(several=False, tested=True, across=True)
@click.option(
    "--baseline",
    "baselines",
    multiple=True,
    metavar="NAME",
    help="Baseline; repeat to combine several.  [default: all systems, combined]",
)
@click.option(
    "--combine",
    type=click.Choice(["mean", "max"]),
    default="mean",
    show_default=True,
    help="Combine baselines on each topic by their mean or maximum.",
)
@click.option(
    "--alpha",
    type=float,
    default=1.0,
    show_default=True,
    help="Extra weight of a loss (>= 0); not a level of significance.",
)
@click.option("--level", type=float, default=0.95, show_default=True, help="Coverage of the intervals.")
@click.option(
    "--deviation",
    type=click.Choice(["sample", "population"]),
    metavar="NAME",
    default="sample",
    show_default=True,
    help="TRisk divides by topics - 1 (sample) or topics (population).",
)
@click.option(
    "--correction",
    type=click.Choice(["holm", "bh", "bonferroni", "none"]),
    help="Correction for the number of systems.  [default: none]",
)
@click.option("--by-topic", "-q", is_flag=True, help="Print each system on each topic.")
@click.option(
    "--against-all",
    is_flag=True,
    help="Print ZRisk and GeoRisk of each system among all.",
)
@click.option(
    "--interval",
    type=click.Choice(["percentile", "bca"]),
    default="percentile",
    show_default=True,
    help="Bootstrap interval of ZRisk and GeoRisk; that of URisk is Student's.",
)
@click.option(
    "--resamples",
    type=click.IntRange(0),
    help="Bootstrap samples; 0 for no intervals.  [default: 2,000; 0 above 10,000 topics]",
)
@seed_option
@prints_table(by_format=True)
def risk(
    scores: ScoresInput,
    baselines: tuple[str, ...],
    combine: Any,
    alpha: float,
    level: float,
    deviation: Any,
    correction: Any,
    by_topic: bool,
    against_all: bool,
    interval: Any,
    resamples: int | None,
    seed: int,
    format_: str,
) -> Sheet:
    """Compare systems with a baseline, penalizing per-topic losses more than rewarding gains.

    TRisk is URisk in standard errors: below -2 URisk is significantly below 0, above 2 significantly above. Two equal
    systems have a URisk below 0 if losses weigh more: see urisk_equal. ZRisk and GeoRisk compare each system with all
    others at once.
    """
    from cranfield.comparison.risk import estimate_risk

    if by_topic and against_all:
        raise UsageError("--by-topic and --against-all are two tables: choose one")
    for name, unused in ELSEWHERE.items():
        if {"by_topic": by_topic, "against_all": against_all}[name]:
            refuse_without_effect(click.get_current_context(), unused, f"with --{name.replace('_', '-')}")
    settings = {"combine": combine, "alpha": alpha, "level": level, "deviation": deviation}
    settings |= {"interval": interval, "resamples": resamples, "seed": seed}
    settings["correction"] = adjust_options({"correction": correction})["correction"] or "none"
    result = run_group_tests(lambda: estimate_risk(scores.array(), baselines, **settings))
    if by_topic:
        table, caption = result.topics, _describe_topics(result)
    elif against_all:
        table, caption = _sort_by_georisk(result), _describe_all(result)
    else:
        table, caption = result.systems, _describe_systems(result)
        table = table.drop(columns=_list_needless_columns(result)) if format_ == "table" else table
    return Sheet.from_frame(table, caption, result.signature)


AMONG_ALL = ["zrisk", "zrisk_low", "zrisk_high", "georisk", "georisk_low", "georisk_high"]


def _list_needless_columns(result: Risk) -> list[str]:
    """List the columns that the table for people leaves out."""
    needless = [name for name in AMONG_ALL if name.endswith(("_low", "_high"))]
    needless += ["p_adjusted"] if result.settings["correction"] == "none" else []
    return needless + (["urisk_equal"] if result.settings["alpha"] == 0 else [])


def _sort_by_georisk(result: Risk) -> pd.DataFrame:
    """Sort systems by GeoRisk, the largest first."""
    table = result.systems[["system", "mean", *AMONG_ALL, "topics"]]
    return table.sort_values("georisk", ascending=False, kind="stable", ignore_index=True)


def _describe_weights(result: Risk, against: str) -> str:

    alpha = result.settings["alpha"]
    weight = f"{1 + alpha:g} times" if alpha else "as gains"
    return f"{shown(result.measure)} against {shown(against)}; losses weighed {weight} (alpha {alpha:g})"


def _describe_topics(result: Risk) -> str:
    weights = _describe_weights(result, result.baseline)
    return f"{weights}; tri: weighed differences in standard deviations, below -2 at risk"


def _describe_all(result: Risk) -> str:
    settings = result.settings
    lines = [_describe_weights(result, f"what all {len(result.systems)} systems lead to expect")]
    if settings["resamples"]:
        drawn = f"{settings['interval']}, {settings['resamples']:,} samples of topics, seed {settings['seed']}"
        lines.append(f"{settings['level']:.0%} intervals over topics with the same systems ({drawn})")
    else:
        lines.append("no intervals: no samples of topics were drawn (see --resamples)")
    return "\n".join(lines)


def _describe_systems(result: Risk) -> str:
    from cranfield.comparison.paper_table import describe_scope

    settings = result.settings
    alpha, correction = settings["alpha"], settings["correction"]
    weights = _describe_weights(result, result.baseline)
    lines = [f"{weights}; {settings['level']:.0%} intervals of urisk, for each system by itself"]
    adjusted = "not adjusted" if correction == "none" else f"p_adjusted: {correction}{describe_scope(settings)}"
    lines.append(f"p: that urisk is 0{'' if alpha == 0 else ', not that systems are equal'}; {adjusted}")
    if alpha:
        lines.append("urisk_equal: what urisk would be on average if the system and the baseline were equal")
    lines.append("zrisk, georisk: among all systems, whatever the baseline; with intervals: --against-all")
    return "\n".join(lines)
