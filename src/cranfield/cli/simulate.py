"""``cranfield simulate``: collections and scores with known true means."""

from __future__ import annotations

from typing import Any

import click

from cranfield.cli._command import CommandOfRuns
from cranfield.cli._options import output_option, seed_option
from cranfield.cli._scores_input import ScoresInput, one_measure_input, parse_named_numbers


@click.group()
def simulate() -> None:
    """Simulate collections and scores with known true means."""


@simulate.command("runs", short_help="Write a small collection with known quality of systems.")
@click.option("--output", "-o", required=True, metavar="DIR", help="Folder for qrels, runs and truth.")
@click.option(
    "--n-systems", metavar="N", type=click.IntRange(1, 10_000), default=12, show_default=True, help="Number of systems."
)
@click.option(
    "--n-topics", metavar="N", type=click.IntRange(1, 100_000), default=25, show_default=True, help="Number of topics."
)
@click.option(
    "--depth",
    metavar="N",
    type=click.IntRange(1, 100_000),
    default=100,
    show_default=True,
    help="Documents retrieved for a topic.",
)
@click.option(
    "--seed",
    metavar="N",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    help="Random seed. The same seed reproduces the same files.",
)
def runs(output: str, n_systems: int, n_topics: int, depth: int, seed: int) -> None:
    """Write DIR/qrels.txt, DIR/runs/*.run, and DIR/truth.tsv with the true quality of each system.

    Files of an earlier simulation in DIR are replaced, with a warning; other files with these names are
    refused and stay.
    """
    from pathlib import Path

    from cranfield.cli._output import emit, warnings_to_stderr
    from cranfield.simulation.runs import simulate_runs

    folder = Path(output)
    with warnings_to_stderr():
        collection = simulate_runs(n_systems=n_systems, n_topics=n_topics, depth=depth, seed=seed)
        qrels, truth, paths = collection.write_collection(folder)
    emit(f"{qrels}\n{truth}\n{folder / 'runs'} ({len(paths)} runs)\n", None)


@simulate.command("scores", cls=CommandOfRuns, short_help="Simulate scores on new topics for systems like these.")
@one_measure_input
@click.option(
    "--n-topics", type=click.IntRange(1), help="Number of topics to make.  [default: as many as the scores have]"
)
@click.option(
    "--mean",
    "means",
    multiple=True,
    metavar="[SYSTEM=]MEAN",
    help="True mean of every system, or of SYSTEM; repeat.  [default: the observed means]",
)
@click.option("--null", is_flag=True, help="Make all systems exchangeable, without true differences.")
@click.option(
    "--copula",
    type=click.Choice(["gaussian", "vine"]),
    default="gaussian",
    show_default=True,
    help="Dependence between systems; vine needs cranfield[vine].",
)
@click.option(
    "--margins",
    type=click.Choice(["usual", "simIReff"]),
    default="usual",
    show_default=True,
    help="Families of distributions; simIReff adds beta kernels and discrete kernels.",
)
@click.option("--truth", metavar="FILE", help="Write the true means to this file: system, mean, family, aic.")
@seed_option
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
def scores(
    scores: ScoresInput,
    n_topics: int | None,
    means: tuple[str, ...],
    null: bool,
    copula: Any,
    margins: Any,
    truth: str | None,
    seed: int,
    format_: str,
    output: str | None,
) -> None:
    """Simulate scores on new topics for systems like these, with known true means.

    Every command that takes --scores reads the output.
    """
    from cranfield.cli._output import check_output_path, emit, warnings_to_stderr
    from cranfield.results.sheet import Sheet
    from cranfield.scores.files import scores_as_text
    from cranfield.simulation.scores import simulate_scores

    wanted = parse_named_numbers("--mean", means)
    check_output_path(output)
    check_output_path(truth)
    with warnings_to_stderr():
        simulated = simulate_scores(
            scores.array(), n_topics, means=wanted, null=null, copula=copula, margins=margins, seed=seed
        )
    if truth is not None:
        emit(Sheet.from_frame(simulated.truth.reset_index(), "", simulated.signature).text("tsv"), truth)
    emit(scores_as_text(simulated.scores, format_), output)
