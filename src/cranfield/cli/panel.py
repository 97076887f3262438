"""``cranfield judges panel``: what several judges are worth together, and which of them are needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cranfield._text import counted, shown
from cranfield.cli._effects import refuse_for_table, refuse_without_effect
from cranfield.cli._help import FoldedHelp
from cranfield.cli._options import (
    file_options,
    reference_option,
    relevant_option,
    seed_option,
)
from cranfield.cli._output import prints_table
from cranfield.cli._scores_input import parse_named_numbers
from cranfield.results.sheet import Sheet

if TYPE_CHECKING:
    from cranfield.agreement import Panel

TABLES = ("effective", "errors", "bias", "members", "drop", "path")
EFFECTS = {
    **dict.fromkeys(("errors", "second_reference"), ("effective", "errors", "bias", "members")),
    "level": ("effective", "bias", "members", "drop"),
    **dict.fromkeys(("resamples", "seed"), ("members", "drop")),
}
"""Parameter -> the tables that it changes; the others change all."""
EFFECTIVE = (
    "limit: n_eff with ever more such judges; participation: number of directions that errors have; n_variance: judges "
    "of mean variance that the panel's mean is worth"
)
"""The columns that the help does not explain."""


@click.command(cls=FoldedHelp)
@click.argument("qrels", metavar="QRELS QRELS QRELS...", nargs=-1, required=True)
@reference_option
@relevant_option
@click.option(
    "--errors",
    type=click.Choice(["relevant", "grade"]),
    default="relevant",
    show_default=True,
    help="What an error is: another verdict on relevant or not, or the difference of labels.",
)
@click.option(
    "--second-reference",
    metavar="NAME",
    help="Judgments whose errors are independent of the reference's, so that these can be removed (--errors grade).",
)
@click.option(
    "--show",
    type=click.Choice(TABLES),
    default="effective",
    show_default=True,
    metavar="TABLE",
    help="effective: how many independent judges the panel is worth. errors: correlations of errors. bias: over- and "
    "underrating by grade. members: agreement of every judge and of combined labels. drop: the panel without each "
    "judge. path: panels chosen step by step, and their error on other topics.",
)
@click.option("--level", type=float, default=0.95, show_default=True, help="Level of the intervals, over topics.")
@click.option(
    "--resamples",
    type=click.IntRange(1),
    default=2000,
    show_default=True,
    help="Bootstrap samples of topics, for kappa.",
)
@seed_option
@file_options
@prints_table("latex", "markdown")
def panel(
    qrels: tuple[str, ...],
    relevant: tuple[str, ...],
    show: str,
    input_format: Any,
    columns: Any,
    **settings: Any,
) -> Sheet:
    """Estimate how many independent judges several are worth, and which of them are needed.

    The first QRELS is the reference. Only documents that all of them judged count. rho is the mean correlation of two
    judges' errors, n_eff = m / (1 + (m - 1) rho); in the row given=reference, errors are centred within each label of
    the reference.
    """
    from cranfield.agreement import estimate_panel
    from cranfield.agreement.label_agreement import name_judges

    context = click.get_current_context()
    refuse_for_table(context, EFFECTS, show, "--show")
    if settings["errors"] == "grade" and show in ("effective", "errors", "bias"):
        refuse_without_effect(context, ["relevant"], f"with --show {show} --errors grade")
    levels = parse_named_numbers("--rel", relevant)
    judges = name_judges(list(qrels), input_format=input_format, columns=columns)
    result = estimate_panel(judges, relevant=1.0 if levels is None else levels, **settings)
    grades = ("grade",) if (result.bias["grade"] % 1 == 0).all() else ()
    sheet = Sheet.from_frame(getattr(result, show), _caption(result, show), result.signature, grades)
    return sheet


def _caption(result: Panel, show: str) -> str:
    """Say what was compared, and what must be known to read it."""
    judges = counted(int(result.effective["judges"].iloc[0]) + len(result.faultless), "judge")
    left_out = f", {result.left_out:,} left out that not all judged" if result.left_out else ""
    sizes = f"{judges}; {counted(result.documents, 'document')}{left_out}"
    intervals = f"; intervals {result.settings['level']:g}, over topics" if show in EFFECTS["level"] else ""
    lines = [f"reference {shown(result.settings['reference'])}; {sizes}{intervals}"]
    if show == "effective":
        lines.append(EFFECTIVE)
    if show == "drop":
        dropped = [shown(judge) for judge in result.drop["judge"][result.drop["drop"]]]
        names = f"any one of {', '.join(dropped)}" if len(dropped) > 1 else "".join(dropped)
        lines.append(
            f"without {names} the majority's kappa is significantly higher"
            if dropped
            else "the majority's kappa is not significantly higher without any of the judges"
        )
    if show == "members" and result.members["certainty"].notna().any():
        from cranfield.agreement.label_combination import CERTAINTY

        lines.append(CERTAINTY)
    if show == "path" and result.path["enough"].any():
        size = int(result.path["size"][result.path["enough"]].iloc[0])
        lines.append(f"{counted(size, 'judge')} are enough: the error on other topics is within 1 % of the least")
    return "\n".join([*lines, result.note])
