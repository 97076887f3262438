"""``cranfield risk``: what replacing a baseline may cost on single topics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cranfield.cli._across_groups import across_options, tests_of_group
from cranfield.cli._command import command_of_runs
from cranfield.cli._options import format_option, output_option, seed_option
from cranfield.cli._scores_input import ScoresInput, one_measure_input
from cranfield.cli._topic_groups import by_topic_groups
from cranfield.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd

    from cranfield.comparison.risk import Risk


@command_of_runs()
@one_measure_input
@by_topic_groups(several=False, tested=True, across=True)
@click.option(
    "--baseline",
    "baselines",
    multiple=True,
    metavar="NAME",
    help="The system that the others are compared with; repeat to combine several.  [default: all systems, combined]",
)
@click.option(
    "--combine",
    type=click.Choice(["mean", "max"]),
    default="mean",
    show_default=True,
    help="Of several baselines on each topic: their mean, or the best of them.",
)
@click.option(
    "--alpha",
    type=float,
    default=1.0,
    show_default=True,
    help="How much more a loss weighs than a gain, at least 0; this is no level of significance.",
)
@click.option("--level", type=float, default=0.95, show_default=True, help="Coverage of the intervals.")
@click.option(
    "--deviation",
    type=click.Choice(["sample", "population"]),
    default="sample",
    show_default=True,
    help="The standard deviation of TRisk divides by the number of topics less 1, or by that number.",
)
@click.option(
    "--correction",
    type=click.Choice(["holm", "bh", "bonferroni", "none"]),
    help="Adjust p for the number of systems.  [default: none]",
)
@click.option("--by-topic", "-q", is_flag=True, help="Each system on each topic.")
@click.option(
    "--against-all",
    is_flag=True,
    help="ZRisk and GeoRisk of each system among all of them, with their intervals over topics.",
)
@click.option(
    "--interval",
    type=click.Choice(["percentile", "bca"]),
    default="percentile",
    show_default=True,
    help="Those of ZRisk and GeoRisk, of the bootstrap over topics; that of URisk is Student's.",
)
@click.option(
    "--resamples",
    type=click.IntRange(0),
    help="Samples of topics that they draw; 0 for no intervals.  [default: 2,000; 0 of more than 10,000 topics]",
)
@seed_option
@format_option()
@output_option
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
    output: str | None,
) -> None:
    """Show what systems gain on a baseline if every loss on a topic weighs more than a gain.

    TRisk is URisk in standard errors: below -2 it is surely below 0, above 2 surely above. Two equal systems have a
    URisk below 0 if losses weigh more: see urisk_equal. ZRisk and GeoRisk compare each system with all others at once.
    """
    from cranfield.cli._output import check_place, present, warnings_to_stderr
    from cranfield.comparison.risk import estimate_risk
    from cranfield.results.sheet import Sheet

    check_place(output)
    if by_topic and against_all:
        raise UsageError("--by-topic and --against-all are two tables: ask for one of them")
    with warnings_to_stderr() as gathered:
        asked = {"combine": combine, "alpha": alpha, "level": level, "deviation": deviation}
        asked |= {"interval": interval, "resamples": resamples, "seed": seed}
        asked["correction"] = across_options({"correction": correction})["correction"] or "none"
        found = tests_of_group(lambda: estimate_risk(scores.array(gathered), baselines, **asked))
    if by_topic:
        table, said = found.topics, _said_of_topics(found)
    elif against_all:
        table, said = _among_all(found), _said_of_all(found)
    else:
        table, said = found.systems, _said(found)
        table = table.drop(columns=_needless(found)) if format_ == "table" else table
    present(Sheet.of_frame(table, said, found.signature), format_, output)


OF_ALL = ["zrisk", "zrisk_low", "zrisk_high", "georisk", "georisk_low", "georisk_high"]


def _needless(found: Risk) -> list[str]:
    """Columns that a reader of the table can do without."""
    needless = [name for name in OF_ALL if name.endswith(("_low", "_high"))]
    needless += ["p_adjusted"] if found.settings["correction"] == "none" else []
    return needless + (["urisk_equal"] if found.settings["alpha"] == 0 else [])


def _among_all(found: Risk) -> pd.DataFrame:
    """The largest GeoRisk first."""
    table = found.systems[["system", "mean", *OF_ALL, "topics"]]
    return table.sort_values("georisk", ascending=False, kind="stable", ignore_index=True)


def _weighed(found: Risk, against: str) -> str:
    from cranfield._text import shown

    alpha = found.settings["alpha"]
    weight = f"{1 + alpha:g} times" if alpha else "as gains"
    return f"{shown(found.measure)} against {shown(against)}; losses weighed {weight} (alpha {alpha:g})"


def _said_of_topics(found: Risk) -> str:
    return f"{_weighed(found, found.baseline)}; tri: weighed differences in standard deviations, below -2 at risk"


def _said_of_all(found: Risk) -> str:
    how = found.settings
    lines = [_weighed(found, f"what all {len(found.systems)} systems let expect")]
    if how["resamples"]:
        drawn = f"{how['interval']}, {how['resamples']:,} samples of topics, seed {how['seed']}"
        lines.append(f"{how['level']:.0%} intervals over topics with the same systems ({drawn})")
    else:
        lines.append("no intervals: no samples of topics were drawn (see --resamples)")
    return "\n".join(lines)


def _said(found: Risk) -> str:
    from cranfield.comparison.paper_table import across_of

    how = found.settings
    alpha, correction = how["alpha"], how["correction"]
    lines = [f"{_weighed(found, found.baseline)}; {how['level']:.0%} intervals of urisk, of each system by itself"]
    adjusted = "not adjusted" if correction == "none" else f"p_adjusted: {correction}{across_of(how)}"
    lines.append(f"p: that urisk is 0{'' if alpha == 0 else ', not that systems are equal'}; {adjusted}")
    if alpha:
        lines.append("urisk_equal: what urisk would be on average if the system and the baseline were equal")
    lines.append("zrisk, georisk: among all systems, whatever the baseline; with intervals: --against-all")
    return "\n".join(lines)
