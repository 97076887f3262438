"""``cranfield table``: systems by measures, as papers print them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

import click

from cranfield._text import in_full, shown
from cranfield.cli._across_groups import adjust_options, run_group_tests
from cranfield.cli._command import command_of_runs
from cranfield.cli._effects import refuse_without_effect
from cranfield.cli._options import make_format_option, output_option, seed_option
from cranfield.cli._output import check_output_path, present, warnings_to_stderr
from cranfield.cli._scores_input import ScoresInput, refuse_ranges, tabled_input
from cranfield.cli._topic_groups import split_scores_by_group
from cranfield.io.system_names import expanded
from cranfield.results.sheet import Sheet
from cranfield.results.table_text import Grid
from cranfield.statistics.test_names import Test

if TYPE_CHECKING:
    from cranfield.comparison.paper_table import MeasureComparison


@command_of_runs(tested=True)
@tabled_input
@split_scores_by_group(tested=True, across=True)
@click.option("--baseline", multiple=True, metavar="NAME", help="Compare with this system only; repeat.")
@click.option(
    "--test",
    type=click.Choice(get_args(Test)),
    default="t",
    show_default=True,
    metavar="TEST",
    help="Test, as in `cranfield compare`.",
)
@click.option(
    "--correction",
    type=click.Choice(["max-t", "max-t-step-down", "holm", "bh", "bonferroni", "none"]),
    metavar="NAME",
    help="Correction within each measure, as in `cranfield compare`.",
)
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Significance level.")
@click.option(
    "--resamples",
    type=click.IntRange(1),
    help="Number of permutations or bootstrap samples.  [default: as in `cranfield compare`]",
)
@click.option(
    "--digits", type=click.IntRange(0, 15), default=4, show_default=True, help="Digits after the decimal point."
)
@seed_option
@make_format_option(
    ["table", "tsv", "csv", "json", "latex", "markdown", "html"],
    "latex needs booktabs",
)
@output_option
def table(scores: ScoresInput, digits: int, format_: str, output: str | None, **options: Any) -> None:
    """Print systems by measures: the best in bold, the second underlined, and marks of significant differences.

    With one --baseline, + and - mark scores that are significantly better and worse than its own. With several, or
    none, systems have letters, and the marks of a score are the letters of the systems that it is significantly better
    than. The caption describes the test.
    """
    from cranfield.comparison.outcome import count_resamples
    from cranfield.comparison.paper_table import compare_measures, refuse_too_many

    refuse_ranges(scores.runs.reading)
    check_output_path(output)
    with warnings_to_stderr():
        options = adjust_options(options)
        if not count_resamples(options["test"], None, options["resamples"]):
            why = f"with --test {options['test']}, which draws nothing at random"
            refuse_without_effect(click.get_current_context(), ["seed"], why)
        if scores.runs.paths and not options["baseline"]:
            refuse_too_many(len([file for run in scores.runs.paths for file in expanded(run)]))
        source = scores.streamed_scores() or scores.dataset()
        comparison = run_group_tests(lambda: compare_measures(source, **options))
    renderers = {"latex": comparison.to_latex, "markdown": comparison.to_markdown, "html": comparison.to_html}
    if format_ in renderers:
        text = renderers[format_](digits)
    elif format_ == "table":
        text = _format_screen(comparison, digits, plain=output is not None)
    else:
        present(Sheet.from_frame(comparison.to_frame(), "", comparison.signature), format_, output)
        return
    present(text, format_, output)


def _format_screen(comparison: MeasureComparison, digits: int, *, plain: bool) -> str:
    """Format the table for a terminal: the best has a star, the second an underscore."""
    layout = comparison.layout(digits)
    grid = Grid([("system", False), *((shown(measure, 200), False) for measure in layout.measures)])
    for (system, letter), cells in zip(layout.systems, layout.cells, strict=True):
        texts = [f"{cell.text}{' *_'[cell.rank]}{cell.mark}".rstrip() for cell in cells]
        best = {number for number, cell in enumerate(cells, 1) if cell.rank == 1}
        grid.add(in_full(system) + (f" ({letter})" if letter else ""), *texts, bold=best)
    caption = layout.caption.replace("best in bold, second underlined", "* best, _ second")
    return grid.page(caption, plain=plain)
