"""``cranfield risk``: what replacing a baseline may cost on single topics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cranfield.cli.command import command_of_runs
from cranfield.cli.groups_together import across_options, tests_of_group
from cranfield.cli.options import format_option, output_option
from cranfield.cli.scores_option import ScoresInput, one_measure_input
from cranfield.cli.topic_groups import by_topic_groups

if TYPE_CHECKING:
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
@click.option("--level", type=float, default=0.95, show_default=True, help="Coverage of the intervals of URisk.")
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
    format_: str,
    output: str | None,
) -> None:
    """Show what systems gain on a baseline if every loss on a topic weighs more than a gain.

    TRisk is URisk in standard errors: below -2 it is surely below 0, above 2 surely above. Two equal systems have a
    URisk below 0 if losses weigh more: see urisk_equal. ZRisk and GeoRisk compare each system with all others at once.
    """
    from cranfield.cli.streams import check_place, present, warnings_to_stderr
    from cranfield.comparison.risk import estimate_risk
    from cranfield.results.sheet import Sheet

    check_place(output)
    with warnings_to_stderr() as gathered:
        asked = {"combine": combine, "alpha": alpha, "level": level, "deviation": deviation}
        asked["correction"] = across_options({"correction": correction})["correction"] or "none"
        found = tests_of_group(lambda: estimate_risk(scores.array(gathered), baselines, **asked))
    table = found.topics if by_topic else found.systems
    if format_ == "table" and not by_topic:
        needless = ["p_adjusted"] if found.settings["correction"] == "none" else []
        needless += ["urisk_equal"] if alpha == 0 else []
        table = table.drop(columns=needless)
    present(Sheet.of_frame(table, _caption(found, by_topic=by_topic), found.signature), format_, output)


def _caption(found: Risk, *, by_topic: bool) -> str:
    from cranfield.comparison.paper import across_of
    from cranfield.wording import shown

    how = found.settings
    alpha, correction = how["alpha"], how["correction"]
    weight = f"{1 + alpha:g} times" if alpha else "as gains"
    said = f"{shown(found.measure)} against {shown(found.baseline)}; losses weighed {weight} (alpha {alpha:g})"
    if by_topic:
        return f"{said}; tri: weighed differences in standard deviations, below -2 at risk"
    lines = [f"{said}; {how['level']:.0%} intervals of urisk, of each system by itself"]
    adjusted = "not adjusted" if correction == "none" else f"p_adjusted: {correction}{across_of(how)}"
    lines.append(f"p: that urisk is 0{'' if alpha == 0 else ', not that systems are equal'}; {adjusted}")
    if alpha:
        lines.append("urisk_equal: what urisk would be on average if the system and the baseline were equal")
    return "\n".join(lines)
