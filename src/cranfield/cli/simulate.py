"""``cranfield simulate``: collections whose truth is known."""

from __future__ import annotations

from typing import Any

import click

from cranfield.cli._command import CommandOfRuns
from cranfield.cli._options import output_option, seed_option
from cranfield.cli._scores_input import ScoresInput, named_numbers, one_measure_input


@click.group()
def simulate() -> None:
    """Make collections and scores whose truth is known."""


@simulate.command("runs", short_help="Write a small collection whose truth is known.")
@click.option("--output", "-o", required=True, metavar="DIR", help="Folder for qrels, runs and truth.")
@click.option("--systems", type=click.IntRange(1, 10_000), default=12, show_default=True, help="Number of systems.")
@click.option("--topics", type=click.IntRange(1, 100_000), default=25, show_default=True, help="Number of topics.")
@click.option(
    "--depth", type=click.IntRange(1, 100_000), default=100, show_default=True, help="Documents retrieved for a topic."
)
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="The same seed, the same files.")
def runs(output: str, systems: int, topics: int, depth: int, seed: int) -> None:
    """Write DIR/qrels.txt, DIR/runs/*.run, and DIR/truth.tsv with the true quality of each system.

    What an earlier simulation wrote to DIR is replaced, with a warning; other files of these names are
    refused, and stay.
    """
    from pathlib import Path

    from cranfield.cli._output import emit, warnings_to_stderr
    from cranfield.simulation.runs import simulate_runs

    folder = Path(output)
    with warnings_to_stderr():
        collection = simulate_runs(systems=systems, topics=topics, depth=depth, seed=seed)
        qrels, truth, paths = collection.write_collection(folder)
    emit(f"{qrels}\n{truth}\n{folder / 'runs'} ({len(paths)} runs)\n", None)


@simulate.command("scores", cls=CommandOfRuns, short_help="Make scores on new topics for systems like these.")
@one_measure_input
@click.option("--make", "topics", type=click.IntRange(1), help="Topics to make.  [default: as many as there are]")
@click.option(
    "--mean",
    "means",
    multiple=True,
    metavar="[SYSTEM=]MEAN",
    help="True mean of every system, or of one; repeat.  [default: the observed ones]",
)
@click.option("--null", is_flag=True, help="Make all systems exchangeable: there is no difference to find.")
@click.option(
    "--copula",
    type=click.Choice(["gaussian", "vine"]),
    default="gaussian",
    show_default=True,
    help="How systems depend on each other; vine needs cranfield[vine].",
)
@click.option(
    "--margins",
    type=click.Choice(["usual", "simIReff"]),
    default="usual",
    show_default=True,
    help="Families of distributions: simIReff has beta kernels and discrete kernels as well.",
)
@click.option("--truth", metavar="FILE", help="Write the true means here: system, mean, family, aic.")
@seed_option
@click.option(
    "--format",
    "-f",
    "format_",
    type=click.Choice(["matrix", "tsv", "csv", "json"]),
    default="matrix",
    show_default=True,
    help="Topics in rows and systems in columns, or rows `system topic measure value`.",
)
@output_option
def scores(
    scores: ScoresInput,
    topics: int | None,
    means: tuple[str, ...],
    null: bool,
    copula: Any,
    margins: Any,
    truth: str | None,
    seed: int,
    format_: str,
    output: str | None,
) -> None:
    """Make scores on new topics for systems like these, whose true means are known.

    What is printed can be given to every command that takes --scores.
    """
    from cranfield.cli._output import check_place, emit, warnings_to_stderr
    from cranfield.results.sheet import Sheet
    from cranfield.scores.files import scores_as_text
    from cranfield.simulation.scores import simulate_scores

    wanted = named_numbers("--mean", means)
    check_place(output)
    check_place(truth)
    with warnings_to_stderr() as gathered:
        made = simulate_scores(
            scores.array(gathered), topics, means=wanted, null=null, copula=copula, margins=margins, seed=seed
        )
    if truth is not None:
        emit(Sheet.of_frame(made.truth.reset_index(), "", made.signature).text("tsv"), truth)
    emit(scores_as_text(made.scores, format_), output)
