"""``cranfield judges combine``: judgments of one judge, made from those of several."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cranfield._text import counted
from cranfield.cli._effects import refuse_for_table, refuse_without_effect
from cranfield.cli._help import FoldedHelp
from cranfield.cli._options import file_options, format_option, output_option, relevant_option
from cranfield.cli._scores_input import parse_named_numbers
from cranfield.errors import UsageError

if TYPE_CHECKING:
    from cranfield.agreement import CombinedLabels

METHODS = ("majority", "votes", "weighted", "plurality", "median", "mean", "dawid-skene")
EFFECTS = {
    "relevant": ("majority", "votes", "weighted", "dawid-skene"),
    "ties": ("majority",),
    "scale": ("dawid-skene",),
    "prior": ("dawid-skene",),
}
"""Parameter -> the methods for which it changes anything."""


@click.command(cls=FoldedHelp)
@click.argument("qrels", metavar="QRELS...", nargs=-1, required=True)
@click.option(
    "--method",
    type=click.Choice(METHODS),
    metavar="METHOD",
    default="majority",
    show_default=True,
    help="For relevant or not: majority, votes (how many say relevant), weighted (needs --learn-from). For grades: "
    "plurality, median, mean. For both: dawid-skene.",
)
@relevant_option
@click.option(
    "--scale",
    type=click.Choice(["relevant", "grade"]),
    help="What dawid-skene combines: relevant or not, or every grade.  [default: relevant]",
)
@click.option("--learn-from", "reference", metavar="NAME", help="The QRELS that weighted learns from; not combined.")
@click.option(
    "--ties",
    type=click.Choice(["low", "high"]),
    default="low",
    show_default=True,
    help="A document that half of the judges call relevant, by majority: low is not relevant, high is.",
)
@click.option("--prior", type=float, default=1.0, show_default=True, help="Weight of dawid-skene's prior; 0 for none.")
@click.option(
    "--show",
    type=click.Choice(["qrels", "labels", "judges", "classes"]),
    default="qrels",
    show_default=True,
    metavar="TABLE",
    help="qrels: the combined judgments as TREC text, which every command reads. labels: with their scores. judges: "
    "their weights. classes: how often each label is used.",
)
@file_options
@format_option()
@output_option
def combine(
    qrels: tuple[str, ...],
    relevant: tuple[str, ...],
    show: str,
    format_: str,
    output: str | None,
    input_format: Any,
    columns: Any,
    **settings: Any,
) -> None:
    """Combine the judgments of several judges into one, and write it as TREC text.

    Each QRELS is a judge, except that of --learn-from. Only documents that all of them judged are labelled.
    """
    from cranfield.agreement import combine_labels
    from cranfield.agreement.label_agreement import name_judges
    from cranfield.cli._output import check_output_path, emit, present, print_warning, warnings_to_stderr
    from cranfield.io.trec import trec_lines
    from cranfield.results.sheet import Sheet

    check_output_path(output)
    if show == "qrels" and format_ != "table":
        raise UsageError("--show qrels is TREC text: -f is for --show labels, judges and classes")
    _refuse_ignored(settings["method"], settings["scale"], show)
    levels = parse_named_numbers("--rel", relevant)
    with warnings_to_stderr():
        judges = name_judges(list(qrels), least=1, input_format=input_format, columns=columns)
        result = combine_labels(judges, relevant=1.0 if levels is None else levels, **settings)
    if show != "qrels":
        present(Sheet.from_frame(getattr(result, show), _caption(result), result.signature), format_, output)
        return
    emit(trec_lines(result.qrels), output)
    if result.left_out:
        print_warning(f"{counted(result.left_out, 'document')} left out, which not all judged")


def _refuse_ignored(method: str, scale: str | None, show: str) -> None:
    """Raise UsageError for an option that would change nothing."""
    context = click.get_current_context()
    refuse_for_table(context, EFFECTS, method, "--method")
    if scale == "grade":
        refuse_without_effect(context, ["relevant"], "with --scale grade")
    if show == "judges" and method in ("majority", "votes"):
        refuse_without_effect(context, ["relevant", "ties"], f"with --show judges, who all weigh the same by {method}")


def _caption(result: CombinedLabels) -> str:
    left_out = f", {result.left_out:,} left out that not all judged" if result.left_out else ""
    lines = [
        f"{result.method} of {counted(len(result.judges), 'judge')}; {counted(result.documents, 'document')}{left_out}"
    ]
    if result.note:
        lines.append(f"certainty {result.certainty:.3f}; {result.note}")
    return "\n".join(lines)
