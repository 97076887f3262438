"""``cranfield simulate``: collections and scores with known true means."""

from __future__ import annotations

from typing import Any

import click

from cranfield.cli._command import CommandOfRuns
from cranfield.cli._declared_options import declared_options
from cranfield.cli._help import FoldedHelp
from cranfield.cli._options import output_option
from cranfield.cli._registry import DECLARED
from cranfield.cli._scores_input import ScoresInput, one_measure_input


@click.group(short_help="Make collections and scores whose truth is known.")
def simulate() -> None:
    """Simulate collections and scores with known true means."""


@simulate.command("runs", short_help=DECLARED["simulate runs"].facts.line, cls=FoldedHelp)
@click.option("--output", "-o", required=True, metavar="DIR", help="Folder for qrels, runs and truth.")
@declared_options("simulate runs")
def runs(output: str, **options: Any) -> None:
    """Write DIR/qrels.txt, DIR/runs/*.run, and DIR/truth.tsv with the true quality of each system.

    Files of an earlier simulation in DIR are replaced, with a warning; other files with these names are
    refused and stay.
    """
    from pathlib import Path

    from cranfield.cli._output import emit, warnings_to_stderr
    from cranfield.io.atomic_write import check_folder
    from cranfield.simulation.runs import simulate_runs

    folder = Path(output)
    check_folder(folder / "runs")
    check_folder(folder, "qrels.txt", "truth.tsv")
    with warnings_to_stderr():
        collection = simulate_runs(**options)
        qrels, truth, paths = collection.write_collection(folder)
    emit(f"{qrels}\n{truth}\n{folder / 'runs'} ({len(paths)} runs)\n", None)


@simulate.command("scores", cls=CommandOfRuns, short_help=DECLARED["simulate scores"].facts.line)
@one_measure_input
@declared_options("simulate scores")
@click.option("--truth", metavar="FILE", help="Write the true means to this file: system, mean, family, aic.")
@click.option(
    "--format",
    "-f",
    "format_",
    type=click.Choice(["matrix", "tsv", "csv", "json"]),
    default="matrix",
    show_default=True,
    help="A matrix with topics in rows and systems in columns, or rows `system topic measure value`.",
)
@output_option
def scores(scores: ScoresInput, truth: str | None, format_: str, output: str | None, **options: Any) -> None:
    """Simulate scores on new topics for systems like these, with known true means.

    Every command that takes --scores reads the output.
    """
    from cranfield.cli._output import check_output_path, emit, warnings_to_stderr
    from cranfield.results.sheet import Sheet
    from cranfield.scores.files import scores_as_text
    from cranfield.simulation.scores import simulate_scores

    check_output_path(output)
    check_output_path(truth)
    with warnings_to_stderr():
        simulated = simulate_scores(scores.array(), **options)
    if truth is not None:
        emit(Sheet.from_frame(simulated.truth.reset_index(), "", simulated.signature).text("tsv"), truth)
    emit(scores_as_text(simulated.scores, format_), output)
